/*
 * What the files of call trees share. Private to them.
 */
#ifndef ANALYSIS_CALLTREE_PRIVATE_H
#define ANALYSIS_CALLTREE_PRIVATE_H

#include <string.h>

#include "analysis/calltree/frames.h"
#include "analysis/calltree/nodes.h"
#include "tnav/base/arena.h"
#include "tnav/base/spares.h"
#include "tnav/io/scratch.h"
#include "tnav/analysis/calltree.h"

/* ---- weights of events: weight.c */

enum type_weighs {
	TYPE_UNKNOWN,
	TYPE_NOT,		/* its events have no weight */
	TYPE_WEIGHS,
	TYPE_SAMPLE,		/* sample that is marked External or Managed */
};

#define BYTES_FIELDS	3u

/* For one thread. */
struct weigher {
	struct trace			*t;
	const struct calltree_weight	*weight;
	bool				 by_ticks;	/* bytes */
	struct field_reader		*reader;
	struct field_ref		 bytes[BYTES_FIELDS];
	uint8_t				*type;		/* enum type_weighs, by index */
	size_t				 ntypes;
};

struct weighed {
	double	value;
	bool	any;		/* the event has a value */
	bool	external;	/* a sample taken outside of managed code */
};

void		 weigher_init(struct weigher *w, struct trace *t,
		    const struct calltree_weight *weight, bool by_ticks);
void		 weigher_release(struct weigher *w);
/* False: the event has no weight, and is not counted. */
bool		 weigher_ask(struct weigher *w, const struct event *e, uint64_t row,
		    struct weighed *out);
/* Does the trace have events with such a weight? */
bool		 weight_has_events(struct trace *t, enum calltree_weighing kind, bool by_ticks);
bool		 weight_has_ticks(struct trace *t);
/* Are there samples that are marked External or Managed? */
bool		 weight_has_types(struct trace *t);

/* ---- counts by stack, thread and part: cells.c */

struct weight_cell {
	double		weight;
	uint64_t	events;
	uint32_t	stack;		/* a node; in a worker a number of stacks.c */
	uint32_t	thread;
	bool		part;
};

#define CELLS_RECENT	1024u		/* a power of two */

struct weight_cells {
	struct weight_cell	*v;
	uint32_t		 recent[CELLS_RECENT];	/* cells found last */
	size_t			 n, cap;
	struct hashtable	 by;
};

#define CELL_NO		UINT32_MAX

void		 cells_release(struct weight_cells *c);
void		 cells_clear(struct weight_cells *c);
/* The number of the cell, added if it is new. CELL_NO: there are already `most`. */
uint32_t	 cells_get(struct weight_cells *c, uint32_t stack, uint32_t thread, bool part,
		    size_t most);

/* ---- the tree: calltree.c */

#define THREAD_OTHERS	EVENT_NONE	/* events of threads beyond the limit */

struct worker;

struct calltree {
	struct trace		*t;
	struct calltree_options	 o;
	struct filter		*events;	/* of the weight, or NULL */
	bool			 by_ticks, has_types;	/* has_types: samples are marked External
							   or Managed */
	struct frames		 frames;
	struct nodes		 nodes;		/* keys: frames */
	struct weight_cells	 cells;		/* stacks: nodes */
	uint64_t		 events_n, stackless, costly;
	double			 weight, part;	/* sums of all cells */
	bool			 cut;
	bool			 others;	/* addresses beyond the limit count as one */
	uint32_t		*last;		/* TIME: cell of each thread's last sample, ... */
	int64_t			*last_ts;	/* ... and its time */
	size_t			 nlast, last_cap, ts_cap;
	struct spares		*idle;		/* unused workers: given back at any time, so a
						   copy of the tree has none of its own */
	struct scratch		*samples;	/* struct tree_sample, in time order; or NULL */
	uint64_t		 unkept;	/* samples that there was no room for */
};

struct tree_sample {
	int64_t		ts;
	uint64_t	next;		/* of the same thread: made by profile.c */
	uint32_t	stack;		/* a node; in a worker a number of stacks.c */
	uint32_t	thread;
};

/*
 * A copy of the tree without idle stacks, if a rule hides them: its cells are the caller's to free,
 * all else is the tree's. False: nothing is hidden; busy is the tree as it is.
 */
bool		 calltree_hide_idle(const struct calltree *c, const struct folding *rules,
		    struct calltree *busy, double *hidden);

/* ---- workers: collect.c, stacks.c */

struct stacks;

/* The stacks that one thread knows. */
struct stacks	*stacks_new(struct trace *t);
void		 stacks_free(struct stacks *s);
/* The number of the event's stack. Equal stacks have equal numbers. 0: no stack. */
uint32_t	 stacks_of(struct stacks *s, const struct event *e);
/* The scope of the last event. */
const struct stack_scope *stacks_scope(const struct stacks *s);
/* The time range in which the last stack has the same frames for events of the same process.
   Only valid if that event had a scope. */
void		 stacks_times(const struct stacks *s, int64_t *from, int64_t *to);
/* The tree's node of a stack, added if it is new. */
uint32_t	 stacks_node(struct stacks *s, uint32_t stack, struct calltree *c);
/* Forget everything if it has become too large. */
void		 stacks_trim(struct stacks *s);

void		 worker_free(struct worker *w);

/* ---- labels of frames: labels.c */

enum label_form {
	LABELS_METHOD, LABELS_MODULE, LABELS_NAMESPACE,
	LABELS_FOLDED,		/* as in folded text: no parameters, no semicolons */
};

#define LABEL_AWAY	UINT32_MAX

struct labels {
	struct calltree_label	*v;
	size_t			 n, cap;
	struct hashtable	 by_text;
	struct buf		 scratch;
	struct arena		 arena;
	uint32_t		*of_frame;	/* LABEL_AWAY: folded into its caller */
	size_t			 nframes;
};

void		 labels_release(struct labels *l);
/* Has *stop become true? stop may be NULL. Tested for each 1,024th i only. */
static inline bool
labels_stopped(const atomic_bool *stop, size_t i)
{
	return stop != NULL && i % 1024 == 0 && atomic_load(stop);
}

/* Make the labels of all frames; of fewer, if stop becomes true. */
void		 labels_of_frames(struct labels *l, const struct calltree *c,
		    enum label_form form, const struct folding *rules,
		    const atomic_bool *stop);
uint32_t	 labels_thread(struct labels *l, struct trace *t, uint32_t thread,
		    bool folded);
/* The label with this text; LABEL_AWAY: none. */
uint32_t	 labels_find(const struct labels *l, const char *text);
/* A label for a text that is not a frame's. */
uint32_t	 labels_other(struct labels *l, const char *text);
/* The labels' node of each node of the tree: to[i]; fewer, if stop becomes true. */
void		 labels_of_nodes(const struct labels *l, const struct calltree *c,
		    struct nodes *to, uint32_t *node, const atomic_bool *stop);
/* The child of a labels' node for a frame. Combined with NODE_CUT if there was no room: then
   descendants stay at that node, too. */
#define NODE_CUT	0x80000000u
uint32_t	 labels_step(const struct labels *l, struct nodes *to, uint32_t at,
		    uint32_t frame);

#endif

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
#include "tnav/analysis/calltree.h"

/* ---- what events weigh: weight.c */

enum type_weighs {
	TYPE_UNKNOWN,
	TYPE_NOT,		/* none of its events weighs anything */
	TYPE_WEIGHS,
	TYPE_SAMPLE,		/* ... and is External or Managed */
};

#define BYTES_FIELDS	3u

/* One thread's. */
struct weigher {
	struct trace			*t;
	const struct calltree_weight	*weight;
	bool				 by_ticks;	/* bytes */
	struct field_reader		*reader;
	struct field_ref		 bytes[BYTES_FIELDS];
	uint8_t				*type;		/* enum type_weighs, by index */
	size_t				 ntypes, types_cap;
};

struct weighed {
	double	value;
	bool	any;		/* it has a value */
	bool	external;	/* a sample that was taken outside of managed code */
};

void		 weigher_init(struct weigher *w, struct trace *t,
		    const struct calltree_weight *weight, bool by_ticks);
void		 weigher_release(struct weigher *w);
enum type_weighs weigher_type(struct weigher *w, uint32_t type);
/* False: it weighs nothing, and is not counted. */
bool		 weigher_ask(struct weigher *w, const struct event *e, uint64_t row,
		    struct weighed *out);
enum type_weighs weight_of_type(enum calltree_weighing kind, bool by_ticks,
		    const struct event_type *type);
const char	*weight_events(enum calltree_weighing kind);
/* Has the trace events of a type that weighs anything? */
bool		 weight_has_events(struct trace *t, enum calltree_weighing kind, bool by_ticks);
bool		 weight_has_ticks(struct trace *t);
/* Are there samples that say whether they are External? */
bool		 weight_has_types(struct trace *t);

/* ---- events that have the same stack, thread and part: cells.c */

struct weight_cell {
	double		weight;
	uint64_t	events;
	uint32_t	stack;		/* a node; in a worker the number of a stack */
	uint32_t	thread;
	bool		part;
};

#define CELLS_RECENT	1024u		/* a power of two */

struct weight_cells {
	struct weight_cell	*v;
	uint32_t		 recent[CELLS_RECENT];	/* cells that were asked for */
	size_t			 n, cap;
	struct hashtable	 by;
	uint64_t		 seed;
};

#define CELL_NO		UINT32_MAX

void		 cells_init(struct weight_cells *c, uint64_t seed);
void		 cells_release(struct weight_cells *c);
void		 cells_clear(struct weight_cells *c);
/* The number of the cell, made if there is none and not too many; CELL_NO: there are. */
uint32_t	 cells_get(struct weight_cells *c, uint32_t stack, uint32_t thread, bool part,
		    size_t most);

/* ---- the tree: calltree.c */

#define THREAD_OTHERS	EVENT_NONE	/* events of threads beyond the limit */

struct worker;

struct calltree {
	struct trace		*t;
	struct calltree_options	 o;
	struct filter		*events;	/* of the weight, or NULL */
	bool			 by_ticks, has_types;	/* types: samples are managed or external */
	uint64_t		 seed;
	struct frames		 frames;
	struct nodes		 nodes;		/* keys are frames */
	struct weight_cells	 cells;		/* stacks are nodes */
	uint64_t		 events_n, stackless, costly;
	double			 weight, part;	/* of all cells */
	bool			 cut;
	uint32_t		*last;		/* TIME: by thread, its last sample's cell, ... */
	int64_t			*last_ts;	/* ... and its time */
	size_t			 nlast, last_cap, ts_cap;
	struct spares		 idle;		/* workers */
};

/* ---- workers: collect.c, stacks.c */

struct stacks;

/* What one thread knows of stacks. */
struct stacks	*stacks_new(struct trace *t, uint64_t seed);
void		 stacks_free(struct stacks *s);
/* The number of the event's stack: the same frames have the same one. 0: it has none. */
uint32_t	 stacks_of(struct stacks *s, const struct event *e);
/* Where the number of an event's stack means the same stack: payloads at (after, to_off]. */
struct stack_scope {
	uint64_t	after, to_off;
	uint32_t	number;		/* another one for each scope, from 1 on */
};
/* The one that was entered last. */
const struct stack_scope *stacks_scope(const struct stacks *s);
/* The time within which an event of the same process with the stack that was asked for last, which
   had a scope, has the same one. */
void		 stacks_times(const struct stacks *s, int64_t *from, int64_t *to);
/* The node of the tree's that a stack is, made if it is new. */
uint32_t	 stacks_node(struct stacks *s, uint32_t stack, struct calltree *c);
/* Forget everything if it has become too much. */
void		 stacks_trim(struct stacks *s);

static inline bool
stack_scope_has(const struct stack_scope *s, const struct event *e)
{
	return e->off > s->after && e->off <= s->to_off;
}

void		 worker_free(struct worker *w);

/* ---- labels of frames: labels.c */

enum label_form {
	LABELS_METHOD, LABELS_MODULE, LABELS_NAMESPACE,
	LABELS_FOLDED,		/* as folded text has them: no parameters, no semicolons */
};

#define LABEL_AWAY	UINT32_MAX

struct labels {
	struct calltree_label	*v;
	size_t			 n, cap;
	struct hashtable	 by_text;
	struct buf		 scratch;
	struct arena		 arena;
	uint64_t		 seed;
	uint32_t		*of_frame;	/* LABEL_AWAY: it is folded into its caller */
	size_t			 nframes;
};

void		 labels_init(struct labels *l, uint64_t seed);
void		 labels_release(struct labels *l);
/* Is the stop (or NULL) true? Looked at for each 1,024th of what is gone over. */
static inline bool
labels_stopped(const atomic_bool *stop, size_t i)
{
	return stop != NULL && i % 1024 == 0 && atomic_load(stop);
}

/* Those of all frames; of some, once stop is true. */
void		 labels_of_frames(struct labels *l, const struct calltree *c,
		    enum label_form form, const struct folding *rules,
		    const atomic_bool *stop);
uint32_t	 labels_thread(struct labels *l, struct trace *t, uint32_t thread,
		    bool folded);
/* The label of a text; LABEL_AWAY: there is none. */
uint32_t	 labels_find(const struct labels *l, const char *text);
/* A label that is no frame's. */
uint32_t	 labels_other(struct labels *l, const char *text);
/* The node that a frame leads to from a node of labels; with NODE_CUT where there is no room: what
   is below stays there, too. */
#define NODE_CUT	0x80000000u
uint32_t	 labels_step(const struct labels *l, struct nodes *to, uint32_t at,
		    uint32_t frame);

#endif

/*
 * Call trees: the stacks of many events as one tree, with the weights of the events.
 *
 *	events --pass--> different stacks, by thread --shape--> top-down, bottom-up, by method ...
 *
 *	root 9			shape, in the order of drawing: a node, then all below it,
 *	  Main 9		  the heaviest first
 *	    Run 6		  node.end follows the last one below
 *	      Sort 4
 *	    Save 3
 *
 * A tree is filled by a pass (tnav/engine/pass.h) whose ops are calltree_ops; a part of it may be
 * shown before the pass has ended. Memory depends on the number of different stacks, and is
 * limited.
 */
#ifndef TNAV_ANALYSIS_CALLTREE_H
#define TNAV_ANALYSIS_CALLTREE_H

#include <stdatomic.h>

#include "tnav/analysis/folding.h"
#include "tnav/analysis/profile.h"
#include "tnav/analysis/columns.h"
#include "tnav/base/hashtable.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/pass.h"

/* ---- the weight of an event */

enum calltree_weighing {
	WEIGH_COUNT, WEIGH_SAMPLES, WEIGH_TIME, WEIGH_CPU, WEIGH_SWITCHES, WEIGH_BYTES,
	WEIGH_EXCEPTIONS, WEIGH_SELF, WEIGH_HEAP, WEIGH_FIELD,
};

struct calltree_weight {
	enum calltree_weighing	 kind;
	const char		*name;		/* as requested; borrowed if FIELD */
	struct field_ref	 field;		/* SELF, FIELD; def NULL: none */
};

/* The names of weights that are not fields; NULL at the end. */
const char	*calltree_weight_name(unsigned i);
/* Find a weight by its name, else a field. The text must live as long as the weight. Returns 0,
   or ERR_USAGE with the reason in why. */
int		 calltree_weight_init(struct calltree_weight *w, const char *text,
		    struct buf *why);
void		 calltree_weight_release(struct calltree_weight *w);
/* The chance that an object of this size is sampled (AllocationSampled): each byte has the same. */
double		 allocation_chance(uint64_t bytes);
/* The weight to show first: samples if the trace has any, else the count of events. */
const char	*calltree_weight_usual(struct trace *t);
/* A filter for the events that can have this weight; NULL: any event may have it. */
const char	*calltree_weight_events(const struct calltree_weight *w);
/* A weight as a cell, with the unit that belongs to it. */
struct cell	 calltree_weight_cell(const struct calltree_weight *w, double value);

/* ---- the tree */

struct calltree;

struct calltree_options {
	const struct calltree_weight *weight;	/* borrowed */
	const struct filter	*filter;	/* borrowed; NULL: every event */
	/* Events in [from, to) are counted as "part", instead of external samples. */
	bool			 parted;
	int64_t			 part_from, part_to;	/* ticks */
	/* Count only these events and those in [from, to). An event that is in both belongs to
	   the part. */
	bool			 against;
	int64_t			 against_from, against_to;
	bool			 joined;	/* the part is of another tree: calltree_join() */
	bool			 samples;	/* keep each event that counts, for
						   calltree_profile() */
};

struct calltree	*calltree_new(struct trace *t, const struct calltree_options *o);
void		 calltree_free(struct calltree *c);	/* NULL is fine */
/* After the last pass: free what only another one would use. */
void		 calltree_settle(struct calltree *c);
/* The pass's ops; their arg is the tree. */
extern const struct pass_ops	calltree_ops;
/*
 * The order and the filter that the pass must have. If the weight has a filter of its own, it is
 * that one, and the tree evaluates the filter of the options itself.
 */
enum pass_order	 calltree_order(const struct calltree *c);
const struct filter *calltree_filter(const struct calltree *c);

/* For a tree that no pass fills (WEIGH_HEAP): add weight and events to the node of this name below
   the parent, 0 being the root. A name's texts belong to the caller, who keeps each of them once.
   Returns the node, or the parent if there is no more room. */
uint32_t	 calltree_add(struct calltree *c, uint32_t parent, const struct frame_name *name,
		    double weight, uint64_t events);

/*
 * Add all of another tree as the part: for a tree that is joined, when no pass fills it. Frames are
 * equal if their clean names are. The names of the other one must outlive the tree.
 */
void		 calltree_join(struct calltree *c, const struct calltree *other);

struct calltree_totals {
	uint64_t	events, stackless;	/* stackless: those of them without a stack */
	double		weight, part;
	uint64_t	costly;			/* events that took the filter too much work */
	uint64_t	stacks, frames;		/* different ones */
	bool		cut;			/* a limit was reached */
};
void		 calltree_totals(const struct calltree *c, struct calltree_totals *out);
/* What was left out, or why there is nothing. One line, or NULL. */
const char	*calltree_remark(const struct calltree *c);
/* What "part" means: "external", "in range", "in B"; NULL: nothing. */
const char	*calltree_part_name(const struct calltree *c);

/* ---- cells: events of the same stack, thread and part */

struct calltree_cell {
	uint32_t	thread;		/* EVENT_NONE: several threads beyond a limit */
	uint64_t	events;
	bool		has_leaf;	/* there is a stack */
	struct frame_name leaf;		/* its innermost frame */
	uint64_t	ip;		/* its address, or one of the addresses with this name */
};

size_t		 calltree_cells(const struct calltree *c);
void		 calltree_cell(const struct calltree *c, size_t i, struct calltree_cell *out);

/* ---- shapes */

struct labels;

enum calltree_form {
	FORM_TOP_DOWN, FORM_BOTTOM_UP,
	FORM_BY,		/* a list: exclusive and inclusive */
	FORM_CALLERS, FORM_CALLEES,	/* of one method */
};
enum calltree_group { GROUP_METHOD, GROUP_MODULE, GROUP_NAMESPACE };

struct calltree_shape_options {
	enum calltree_form	 form;
	enum calltree_group	 group;
	bool			 threads;	/* TOP_DOWN: group by thread below the root */
	const struct folding	*folding;	/* or NULL */
	const char		*of;		/* CALLERS, CALLEES: the label's text, raw */
	double			 least;		/* smallest share of the total to keep a node */
	uint32_t		 most;		/* BY: keep only this many, the heaviest; 0: all */
	bool			 by_id;		/* allow calltree_shape_find() */
	const atomic_bool	*stop;		/* or NULL; the shape is given up once it is true */
};

struct calltree_node {
	double		incl, excl;		/* incl: with the nodes below; excl: without */
	uint64_t	events;			/* with the nodes below */
	uint64_t	id;			/* hash of its path: the same in every shape */
	uint32_t	label, parent, end, depth;
};

/* What of a node's weight is "part". */
struct calltree_part {
	double		incl, excl;
};

struct calltree_label {
	struct span	text;		/* as in the trace; of a thread: "Thread (12)" */
	struct span	clean;		/* as displayed */
	struct span	module;		/* p NULL: unknown */
	uint64_t	address;	/* of a frame without a name */
	bool		unsure;		/* the name is a guess */
	enum { LABEL_FRAME, LABEL_ADDRESS, LABEL_MODULE, LABEL_NAMESPACE, LABEL_THREAD,
	    LABEL_RULE, LABEL_ROOT } kind;
};

struct calltree_shape {
	struct calltree_node	*v;		/* v[0]: the root */
	struct calltree_part	*part;		/* of the same nodes; NULL: all zero */
	uint32_t		 n;
	struct calltree_label	*label;
	uint32_t		 nlabels;
	double			 total, total_part;	/* of the whole tree */
	double			 hidden;	/* weight of idle stacks, not part of total */
	uint64_t		 left_out;	/* nodes */
	bool			 cut;		/* a limit was reached */
	bool			 unknown;	/* CALLERS, CALLEES: no frame has this name */
	uint64_t		 steps;		/* work to make it; for tests */
	struct labels		*labels;	/* private, as is by_id */
	struct hashtable	 by_id;
};

static inline struct calltree_part
calltree_part(const struct calltree_shape *s, size_t node)
{
	return s->part != NULL ? s->part[node] : (struct calltree_part){ .incl = 0 };
}

/* What share of each of two sides a weight is, of which the second one has a part: a of the first,
   b of the second; 0 of a side without any. */
struct calltree_shares {
	double	a, b;
};
struct calltree_shares calltree_shares(const struct calltree_shape *s, double all, double part);
/* The node's share of the part minus its share of the rest, in points of percent. False: one of the
   two has no weight. */
bool		 calltree_difference(const struct calltree_shape *s, size_t node, double *points);
/* The shape owns its texts, and does not need the tree any more. NULL: it was stopped. */
struct calltree_shape *calltree_shape_new(const struct calltree *c,
		    const struct calltree_shape_options *o);
/* The node with this id. False: there is none, or by_id was not set. */
bool		 calltree_shape_find(const struct calltree_shape *s, uint64_t id,
		    uint32_t *node);
void		 calltree_shape_free(struct calltree_shape *s);	/* NULL is fine */
/* Append a filter term that matches events with this label. False: there is none. */
bool		 calltree_label_filter(const struct calltree_label *l, struct buf *out);


struct calltree_table_of {
	bool		 raw;			/* names as the trace has them */
	bool		 tree;			/* rows have parents; on the screen names are
						   indented */
	bool		 indent;		/* names are indented in print */
};
/* The shape and the tree must live as long as the table. */
struct table	*calltree_table(const struct calltree *c, const struct calltree_shape *s,
		    const struct calltree_table_of *of);

/* ---- all stacks, one by one */

/* Called for each stack in the order of threads, then of names. Frames are named as in folded
   text, outermost first. A result other than 0 ends the calls. */
struct calltree_stack {
	const struct span *frame;	/* frame[0]: the thread */
	uint32_t	 n;
	const uint32_t	*id;		/* of each frame; equal texts have equal ids */
	double		 weight;
	uint64_t	 events;
};
typedef int	(*calltree_stack_fn)(void *arg, const struct calltree_stack *s);
int		 calltree_stacks(const struct calltree *c, const struct folding *rules,
		    calltree_stack_fn fn, void *arg);
/* The same to an encoder of profiles: at most `limit` of them, which are sums. Returns 0, or what a
   function of ops did. */
int		 calltree_sums(const struct calltree *c, const struct folding *rules,
		    enum profile_unit unit, uint64_t limit, const struct profile_ops *ops,
		    void *self);
/* Append a name as it stands in folded text: valid UTF-8, not empty, and without what separates
   frames or lines. */
void		 calltree_fold_name(struct buf *to, struct span name);
/*
 * Give the samples of a tree that kept them. by_time: a sample weighs the ns to the next one of its
 * thread, but no longer than to the next loss there and PROFILE_LONGEST times the usual; the last
 * one weighs nothing. Else it weighs 1. Returns 0, or what a function of ops did.
 */
int		 calltree_profile(const struct calltree *c, bool by_time,
		    const struct profile_ops *ops, void *self, struct profile_totals *totals);
/* The samples that there was no room to keep, and why: one line, or NULL. */
const char	*calltree_samples_remark(const struct calltree *c);

#endif

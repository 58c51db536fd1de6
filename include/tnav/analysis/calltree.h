/*
 * Call trees: the stacks of many events as one tree, with the weights of the events.
 *
 *	events --pass--> stacks that differ, by thread --shape--> top-down, bottom-up, by method ...
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
#include "tnav/analysis/table.h"
#include "tnav/base/hashtable.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/pass.h"

/* ---- what an event weighs */

enum calltree_weighing {
	WEIGH_COUNT, WEIGH_SAMPLES, WEIGH_TIME, WEIGH_CPU, WEIGH_SWITCHES, WEIGH_BYTES,
	WEIGH_EXCEPTIONS, WEIGH_SELF, WEIGH_FIELD,
};

struct calltree_weight {
	enum calltree_weighing	 kind;
	const char		*name;		/* as it was asked for; borrowed if FIELD */
	struct field_ref	 field;		/* SELF, FIELD; def NULL: none */
};

/* The names of weights that are no fields, with what they mean; NULL at the end. */
const char	*calltree_weight_name(unsigned i);
const char	*calltree_weight_help(unsigned i);
/* By its name, else a field. The text must live as long. 0, or ERR_USAGE and why. */
int		 calltree_weight_init(struct calltree_weight *w, const char *text,
		    struct buf *why);
void		 calltree_weight_release(struct calltree_weight *w);
/* What is worth looking at first: samples where there are any, else the count of events. */
const char	*calltree_weight_usual(struct trace *t);
/* A figure as people and programs read it. */
struct cell	 calltree_weight_cell(const struct calltree_weight *w, double value);

/* ---- the tree */

struct calltree;

struct calltree_options {
	const struct calltree_weight *weight;	/* borrowed */
	const struct filter	*filter;	/* borrowed; NULL: every event */
	/* Told apart as "part": events in [from, to), in place of external samples. */
	bool			 parted;
	int64_t			 part_from, part_to;	/* ticks */
	/* ... and no others than these and events in [from, to). What is in both is in the part. */
	bool			 against;
	int64_t			 against_from, against_to;
};

struct calltree	*calltree_new(struct trace *t, const struct calltree_options *o);
void		 calltree_free(struct calltree *c);	/* NULL is fine */
/* The pass's ops; their arg is the tree. */
extern const struct pass_ops	calltree_ops;
/*
 * Its order; and the filter that it may have: the tree asks the other terms itself. So the filter
 * of the options may be given no more, unless calltree_own_filter() is not called.
 */
enum pass_order	 calltree_order(const struct calltree *c);
const struct filter *calltree_filter(const struct calltree *c);

struct calltree_totals {
	uint64_t	events, stackless;	/* stackless: of them, without a stack */
	double		weight, part;
	uint64_t	costly;			/* events that the filter was too costly on */
	uint64_t	stacks, frames;		/* that differ */
	bool		cut;			/* a limit was reached */
};
void		 calltree_totals(const struct calltree *c, struct calltree_totals *out);
/* What is less than whole, or why there is nothing. One line, or NULL. */
const char	*calltree_remark(const struct calltree *c);
/* What "part" means: "external", "in range"; NULL: nothing. */
const char	*calltree_part_name(const struct calltree *c);

/* ---- what it is made of: events of the same stack, thread and part */

struct calltree_cell {
	uint32_t	thread;		/* EVENT_NONE: of many, for which was no room */
	bool		part;
	uint64_t	events;
	double		weight;
	const struct frame_name *leaf;	/* the innermost frame; NULL: no stack */
	uint64_t	ip;		/* its address, or one of those that are called so */
};

size_t		 calltree_cells(const struct calltree *c);
void		 calltree_cell(const struct calltree *c, size_t i, struct calltree_cell *out);

/* ---- shapes of it */

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
	bool			 threads;	/* TOP_DOWN: threads stand below the root */
	const struct folding	*folding;	/* or NULL */
	const char		*of;		/* CALLERS, CALLEES: the label's text, raw */
	double			 least;		/* nodes of a lesser share of all are left out */
	uint32_t		 most;		/* BY: so many, the heaviest; 0: all of them */
	bool			 by_id;		/* calltree_shape_find() will be asked */
	const atomic_bool	*stop;		/* or NULL; once it is true, no shape is made */
};

struct calltree_node {
	double		incl, excl;		/* with what is below; its own */
	double		incl_part, excl_part;
	uint64_t	events;			/* with what is below */
	uint32_t	label, parent, end, depth;
	uint64_t	id;			/* of its path: the same in another shape */
};

struct calltree_label {
	struct span	text;		/* raw; thread: "Thread (12)" */
	struct span	clean;		/* as people read it */
	struct span	module;		/* p NULL: not known */
	uint64_t	address;	/* where it has no name */
	bool		unsure;		/* the name is a guess */
	enum { LABEL_FRAME, LABEL_ADDRESS, LABEL_MODULE, LABEL_NAMESPACE, LABEL_THREAD,
	    LABEL_RULE, LABEL_ROOT } kind;
};

struct calltree_shape {
	struct calltree_node	*v;		/* v[0]: all of it */
	uint32_t		 n;
	struct calltree_label	*label;
	uint32_t		 nlabels;
	double			 total, total_part;	/* of all that the tree has */
	uint64_t		 left_out;	/* nodes */
	bool			 cut;		/* a limit was reached */
	uint64_t		 steps;		/* that it took to make it: for tests */
	struct labels		*labels;	/* private, as is: */
	struct hashtable	 by_id;
};

/* It owns its texts, and needs the tree no more. NULL: it was stopped. */
struct calltree_shape *calltree_shape_new(const struct calltree *c,
		    const struct calltree_shape_options *o);
/* The node with this id; false: there is none, or by_id was not asked for. */
bool		 calltree_shape_find(const struct calltree_shape *s, uint64_t id,
		    uint32_t *node);
void		 calltree_shape_free(struct calltree_shape *s);	/* NULL is fine */
/* Append the term of the filter language that events with the label match. False: there is none. */
bool		 calltree_label_filter(const struct calltree_label *l, struct buf *out);

enum calltree_column {
	CALLS_DEPTH, CALLS_NAME, CALLS_INCL, CALLS_INCL_SHARE, CALLS_EXCL, CALLS_EXCL_SHARE,
	CALLS_PART, CALLS_PART_SHARE, CALLS_DIFFERENCE, CALLS_EVENTS, CALLS_MODULE,
	CALLS_COLUMNS,
};
extern const struct table_column	calltree_column[CALLS_COLUMNS];

struct calltree_table_of {
	bool		 raw;			/* names as the trace has them */
	bool		 tree;			/* rows stand below each other */
	bool		 indent;		/* names, by depth */
};
/* The shape and the tree must live as long. */
struct table	*calltree_table(const struct calltree *c, const struct calltree_shape *s,
		    const struct calltree_table_of *of);

/* ---- all stacks, one by one */

/* Called in the order of threads, then of names: the frames from the outermost in, as folded text
   has them. Other than 0 ends it. */
struct calltree_stack {
	const struct span *frame;	/* frame[0]: the thread */
	uint32_t	 n;
	const uint32_t	*id;		/* of each frame: the same texts have the same one */
	double		 weight;
	uint64_t	 events;
};
typedef int	(*calltree_stack_fn)(void *arg, const struct calltree_stack *s);
int		 calltree_stacks(const struct calltree *c, const struct folding *rules,
		    calltree_stack_fn fn, void *arg);

#endif

/*
 * The call tree of the events that the view shows. The panes share it. It is filled in the
 * background, and made again if the window, the filter, the weight or the names change.
 */
#ifndef UI_VIEW_CALLS_H
#define UI_VIEW_CALLS_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/shaping.h"
#include "tnav/base/buf.h"
#include "ui/view/counting.h"

struct heap_weights;
struct view;

/* What is compared: nothing; the marked range with the rest of the window, or with a kept range;
   the trace with another one (comparison.h), once that is open. */
enum comparing { COMPARE_NOT, COMPARE_REST, COMPARE_KEPT, COMPARE_OTHER };

/* A tree and what it borrows. */
struct calls_tree {
	char			*name;		/* of the weight */
	struct calltree_weight	 weight;
	struct filter		*filter;	/* the tree's own, or NULL */
	struct heap_weights	*heap;		/* with the tree's names, or NULL */
	struct calltree		*tree;
};

/* What a task makes beside the pass: the weights of the heap, which no pass counts, or the tree of
   another trace. */
struct calls_beside {
	struct task		 task;
	struct trace		*t;
	struct pass_options	 o;
	const struct calltree_weight *weight;	/* of the tree that it is joined to */
	struct filter		*filter;
	struct heap_weights	*heap;		/* by the task */
	struct calltree		*tree;		/* by the task */
	struct view_changes	 seen;		/* heap: when it was asked for */
	uint64_t		 events;	/* of walks, when it was begun */
	bool			 done;		/* taken, or given up */
};

/* calls_init() first. */
struct calls {
	struct view		*v;
	struct calls_beside	 beside;
	char			*name;		/* of the chosen weight; NULL: none yet */
	bool			 chosen;	/* the user chose the weight; else it is the
						   default */
	bool			 counts;	/* ... events are counted, since none has the
						   default weight */
	struct calls_tree	*of;		/* NULL: not begun */
	struct counting		 counting;
	uint64_t		 names;		/* generation of the namer */
	enum comparing		 comparing;	/* see calls_compare() */
	bool			 parted;	/* the tree has two parts: there is a range to
						   compare, or another trace */
	struct trace		*joins;		/* the other trace; NULL: none */
	int64_t			 from, to;	/* of the part */
	int64_t			 kept_from, kept_to;
	uint64_t		 stamp;		/* changes when shapes should be made again */
	uint64_t		 events_then;		/* events at the last such change */
	struct folding		*rules;		/* which also apply to stacks */
	struct shapings		 shapings;
	uint64_t		 number;	/* number of trees so far */
};

void		 calls_init(struct calls *c, struct view *v);
void		 calls_release(struct calls *c);
bool		 calls_busy(const struct calls *c);
double		 calls_share(const struct calls *c);	/* share of the events that were read */
/* NULL: not begun. It does not change while a frame is drawn. */
const struct calltree *calls_tree(const struct calls *c);

/* Choose the weight; "": the next one that the trace has. False: the error is in why. */
bool		 calls_choose(struct calls *c, const char *weight, struct buf *why);
/* KEPT: keep the marked range, to compare the next marked one with it. */
void		 calls_compare(struct calls *c, enum comparing how);
/* For a title: what is compared. Nothing is appended if nothing is compared. */
void		 calls_put_comparing(const struct calls *c, struct buf *out);

/* For a title: what share of the weight is hidden, since it is idle. The shape may be NULL. */
void		 calls_put_hidden(const struct calltree_shape *s, struct buf *out);

/* The words of a command line that sums up the same stacks, each ended by NUL: stacks, options. */
void		 calls_put_words(const struct calls *c, struct buf *out);
/* Those that print it in a pane: of two traces `diff`, as `form` says (--tree); of a range and its
   rest also what is compared, unless form is --fold. True: stacks, whose form is still to come. */
bool		 calls_put_command(const struct calls *c, const char *form, struct buf *out);

/* The fold rules. */
bool		 calls_fold(struct calls *c, const char *rule, struct buf *why);
/* Replace the rules. Takes ownership. */
void		 calls_take_rules(struct calls *c, struct folding *rules);
/* Remove the rule; "": all rules. False: there is none. */
bool		 calls_unfold(struct calls *c, const char *rule);
/*
 * Begin the tree again if something has changed. Get its shape with these options and the fold
 * rules, or the previous one while it is made. The view awaits both. True: the shape has changed,
 * or there is none any more.
 */
bool		 calls_follow(struct calls *c, struct calls_shape *s,
		    struct calltree_shape_options *o);
/* Forget the shape until calls_follow() is called again. */
void		 calls_shape_drop(struct calls_shape *s);
void		 calls_shape_release(struct calls_shape *s);
/* Why nothing is shown. */
const char	*calls_empty(struct view *v, const struct calltree_shape *s);
/* Fold the method of a label, or write a message why not. NULL: no label. */
void		 calls_fold_label(struct view *v, const struct calltree_label *l);

#endif

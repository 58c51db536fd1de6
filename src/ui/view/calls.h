/*
 * The call tree of what the view shows: one for the panes that show it, filled in the background,
 * made anew where the window, the filter, the weight or the names change.
 */
#ifndef UI_VIEW_CALLS_H
#define UI_VIEW_CALLS_H

#include "tnav/analysis/calltree.h"
#include "tnav/base/buf.h"
#include "ui/view/shaping.h"

struct calls;
struct view;

struct calls	*calls_new(struct view *v);
void		 calls_free(struct calls *c);	/* NULL is fine */
/*
 * Begin anew where something has changed; go on for about budget_ns. True: there is more to do.
 * Panes that show it call this; nothing happens before one does.
 */
bool		 calls_step(struct calls *c, int64_t budget_ns);
bool		 calls_busy(const struct calls *c);
double		 calls_share(const struct calls *c);	/* of the events that were looked at */
/* NULL: nothing was begun. It changes during calls_step() alone. */
const struct calltree *calls_tree(const struct calls *c);
const struct calltree_weight *calls_weight(const struct calls *c);	/* of the tree there is */

/* Weigh by this; "": the next one that the trace has. False: why says what is wrong. */
bool		 calls_choose(struct calls *c, const char *weight, struct buf *why);
/* What the marked range is compared with: nothing, the rest of the window, or one that was held. */
enum comparing { COMPARE_NOT, COMPARE_REST, COMPARE_HELD };
/* HELD: hold the range that is marked now, and compare those with it that are marked next. */
void		 calls_compare(struct calls *c, enum comparing how);
enum comparing	 calls_comparing(const struct calls *c);
/* Are two parts told apart in the tree? */
bool		 calls_parted(const struct calls *c);
/* For a title: what is compared with what. Nothing, if nothing is. */
void		 calls_put_comparing(const struct calls *c, struct buf *out);

/* The fold rules, of stacks too. */
const struct folding *calls_folding(const struct calls *c);
bool		 calls_fold(struct calls *c, const char *rule, struct buf *why);
/* These and no others; they become its own. */
void		 calls_take_rules(struct calls *c, struct folding *rules);
/* The rule; "": all of them. False: there is none. */
bool		 calls_unfold(struct calls *c, const char *rule);
/* What a pane has of the tree. Zeroed at first. */
struct calls_shape {
	struct shaping		*shaping;
	struct calltree_shape	*shape;		/* NULL: none, or none yet */
	uint64_t		 number;	/* of the tree that it is of */
};
/*
 * Have the shape by these options and the fold rules of the tree as it is now, or the one before
 * it while that is made. True: it is another one than it was, or there is none any more.
 */
bool		 calls_follow(struct calls *c, struct calls_shape *s,
		    struct calltree_shape_options *o);
/* Have none until it was followed again. */
void		 calls_shape_drop(struct calls_shape *s);
void		 calls_shape_release(struct calls_shape *s);
/* How many steps the shapes cost that the calling thread made: for tests. */
uint64_t	 calls_shape_steps(const struct calls *c);
/* Why nothing is shown. */
const char	*calls_empty(struct view *v);
/* Fold the method of a label, or say why not. NULL: there is none. */
void		 calls_fold_label(struct view *v, const struct calltree_label *l);

#endif

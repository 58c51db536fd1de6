/*
 * The call tree of the events that the view shows. The panes share it. It is filled in the
 * background, and made again if the window, the filter, the weight or the names change.
 */
#ifndef UI_VIEW_CALLS_H
#define UI_VIEW_CALLS_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/shaping.h"
#include "tnav/base/buf.h"

struct calls;
struct view;

struct calls	*calls_new(struct view *v);
void		 calls_free(struct calls *c);	/* NULL is fine */
bool		 calls_busy(const struct calls *c);
double		 calls_share(const struct calls *c);	/* share of the events that were read */
/* NULL: not begun. It does not change while a frame is drawn. */
const struct calltree *calls_tree(const struct calls *c);
const struct calltree_weight *calls_weight(const struct calls *c);	/* of the current tree */

/* Choose the weight; "": the next one that the trace has. False: the error is in why. */
bool		 calls_choose(struct calls *c, const char *weight, struct buf *why);
const char	*calls_weighed_by(const struct calls *c);	/* what was chosen */
/* What is compared: nothing; the marked range with the rest of the window, or with a kept range;
   the trace with another one (comparison.h), once that is open. */
enum comparing { COMPARE_NOT, COMPARE_REST, COMPARE_KEPT, COMPARE_OTHER };
/* KEPT: keep the marked range, to compare the next marked one with it. */
void		 calls_compare(struct calls *c, enum comparing how);
enum comparing	 calls_comparing(const struct calls *c);
/* Does the tree have two parts? */
bool		 calls_parted(const struct calls *c);
/* For a title: what is compared. Nothing is appended if nothing is compared. */
void		 calls_put_comparing(const struct calls *c, struct buf *out);

/* For a title: what share of the weight is hidden, since it is idle. The shape may be NULL. */
void		 calls_put_hidden(const struct calltree_shape *s, struct buf *out);

/* The words of a command line that sums up the same stacks, each ended by NUL: stacks, options. */
void		 calls_put_words(const struct calls *c, struct buf *out);
/* Those that print it in a pane: of two traces `diff`, as `form` says (--tree); of a range and its
   rest also what is compared, unless form is --fold. True: stacks, whose form is still to come. */
bool		 calls_put_command(const struct calls *c, const char *form, struct buf *out);

/* The fold rules, which also apply to stacks. */
const struct folding *calls_folding(const struct calls *c);
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
/* The work for shapes that were made by the calling thread; for tests. */
uint64_t	 calls_shape_steps(const struct calls *c);
/* Why nothing is shown. */
const char	*calls_empty(struct view *v, const struct calltree_shape *s);
/* Fold the method of a label, or write a message why not. NULL: no label. */
void		 calls_fold_label(struct view *v, const struct calltree_label *l);

#endif

/*
 * A step to the next event that an expression matches.
 */
#ifndef UI_VIEW_WALK_H
#define UI_VIEW_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/query.h"
#include "ui/view/change.h"

struct view;

struct walk {
	struct query	*q;			/* NULL: none yet, or it fits no more */
	char		*expr;
	struct view_changes seen;		/* by q */
	bool		 seeking, waits;	/* waits: none so far, and more rows are to come */
	bool		 told;			/* that it waits */
	int		 dir;
	uint64_t	 row;			/* to seek from */
	unsigned	 more;			/* steps that wait for the one being sought */
	struct buf	 what;			/* "event of thread 25" */
};

/* Select the next (dir > 0) event of the view that matches; what names it in "no later ...". While
   the same is being sought it is one step more. */
bool	view_walk(struct view *v, const char *expr, int dir, const char *what);
void	view_walk_on(struct view *v);
void	view_walk_more(struct view *v);	/* there are more rows: what waits for them goes on */
void	walk_forget(struct walk *w);	/* the window or the filter is another */
void	walk_release(struct walk *w);

#endif

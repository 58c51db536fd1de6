/* A step to the next event that matches an expression. */
#ifndef UI_VIEW_WALK_H
#define UI_VIEW_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/query.h"
#include "ui/view/change.h"

struct view;

struct walk {
	struct query	*q;			/* NULL: none (any more) */
	char		*expr;
	struct view_changes seen;		/* for which q was made */
	bool		 seeking, waits;	/* waits: none found, but more rows will arrive */
	bool		 told;			/* a message said that it waits */
	int		 dir;
	uint64_t	 row;			/* to search from */
	unsigned	 more;			/* further steps after the current one */
	struct buf	 what;			/* "event of thread 25" */
};

/* Select the next (dir > 0) or previous event of the view that matches; `what` names it in "no
   later ...". If the same is already being searched, this is one step more. */
bool	view_walk(struct view *v, const char *expr, int dir, const char *what);
void	view_walk_on(struct view *v, int64_t budget_ns);	/* continue */
void	view_walk_more(struct view *v);	/* there are more rows: continue a step that waits for
					   them */
void	walk_forget(struct walk *w);	/* the window or the filter has changed */
void	walk_release(struct walk *w);

#endif

/*
 * Going from the selection to the next event that matches: a hit of the search, which is a pattern
 * with the rows that match it; or a step, to the next event that matches an expression.
 */
#ifndef UI_VIEW_SEARCH_H
#define UI_VIEW_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/glance.h"
#include "tnav/engine/query.h"
#include "ui/view/change.h"

struct view;

/* On the way to the next event that matches. */
struct row_seek {
	bool		 seeking;
	bool		 waits, announced;	/* waits: none so far, but more rows will arrive;
						   announced: a message said so */
	int		 dir;
	uint64_t	 row;			/* to search from */
	unsigned	 more;			/* further steps after the current one */
};

struct search {
	struct row_seek	 seek;
	char		*pattern;		/* NULL: none */
	char		*last;			/* the pattern before it was dropped, or NULL */
	struct query	*hits;
	struct glance	*glance;		/* marks hits; NULL: nothing was marked */
	bool		 wrapped, shown;
	bool		 here;			/* the selected row itself may be a hit */
	bool		 typed;			/* its text is being typed */
};

struct walk {
	struct row_seek	 seek;
	struct query	*q;			/* NULL: none (any more) */
	char		*expr;
	struct view_changes seen;		/* for which q was made */
	struct buf	 what;			/* "event of thread 25" */
};

void	seek_stop(struct row_seek *s);

void	search_release(struct search *s);
bool	view_search(struct view *v, const char *pattern);
/* may_return: view_search_again() searches for it; else as if there had been no search. */
void	view_search_drop(struct view *v, bool may_return);
bool	view_search_again(struct view *v);	/* search again for a dropped pattern; false:
						   there is none */
/* dir 1 or -1: search from the selection, or one step more during a search; 2: from the selected
   row, included. */
void	view_search_next(struct view *v, int dir);
void	view_search_on(struct view *v, int64_t budget_ns);	/* continue */
/* There are more rows, and the query may have started again: continue the search. */
void	view_search_more(struct view *v, bool anew);
/* The matcher for rows and lines on the screen. */
struct glance *view_glance(struct view *v);
void	view_search_text(struct view *v, struct buf *out);	/* "3 of 1,204" */
/* The filter for a search for a pattern, inside the view's. */
void	view_pattern_filter(const struct view *v, const char *pattern, struct buf *out);

/* Select the next (dir > 0) or previous event of the view that matches; `what` names it in "no
   later ...". If the same is already being searched, this is one step more. */
bool	view_walk(struct view *v, const char *expr, int dir, const char *what);
void	view_walk_on(struct view *v, int64_t budget_ns);	/* continue */
void	view_walk_more(struct view *v);	/* there are more rows: continue a step that waits for
					   them */
void	walk_forget(struct walk *w);	/* the window or the filter has changed */
void	walk_release(struct walk *w);

#endif

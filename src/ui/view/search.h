/* The search: a pattern, the rows that match, and going from one to the next. */
#ifndef UI_VIEW_SEARCH_H
#define UI_VIEW_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/query.h"
#include "ui/view/glance.h"

struct view;

struct search {
	char		*pattern;		/* NULL: none */
	char		*last;			/* the pattern before it was dropped, or NULL */
	struct query	*hits;
	struct glance	*glance;		/* marks hits; NULL: nothing was marked */
	bool		 seeking, wrapped, shown;
	bool		 waits, told;		/* waits: none so far, but more rows will arrive */
	bool		 here;			/* the selected row itself may be a hit */
	bool		 typed;			/* its text is being typed */
	int		 dir;
	uint64_t	 row;			/* to search from */
	unsigned	 more;			/* further steps after the current one */
};

void	search_release(struct search *s);
bool	view_search(struct view *v, const char *pattern);
void	view_search_drop(struct view *v);
void	view_search_cancel(struct view *v);	/* as if there had been no search */
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

#endif

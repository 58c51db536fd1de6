/*
 * The search: a pattern, the rows that it finds, and going from one to the next.
 */
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
	char		*last;			/* ... and this was dropped; or NULL */
	struct query	*hits;
	struct glance	*glance;		/* marks the pattern; NULL: nothing was marked */
	bool		 seeking, wrapped, shown;
	int		 dir;
	uint64_t	 row;			/* to seek from */
	unsigned	 more;			/* steps that wait for the one being sought */
};

void	search_release(struct search *s);
bool	view_search(struct view *v, const char *pattern);
void	view_search_drop(struct view *v);
void	view_search_cancel(struct view *v);	/* as if it had not been made */
bool	view_search_again(struct view *v);	/* what was dropped; false: there was nothing */
/* dir 1 or -1: seek from the selection, or one more while that is sought; 2: from the selected row
   itself; 0: go on. */
void	view_search_next(struct view *v, int dir);
/* What finds the pattern in what is on the screen. */
struct glance *view_glance(struct view *v);
void	view_search_text(struct view *v, struct buf *out);	/* "3 of 1,204" */
/* The filter that a search for a pattern is, within the view's. */
void	view_pattern_filter(const struct view *v, const char *pattern, struct buf *out);

#endif

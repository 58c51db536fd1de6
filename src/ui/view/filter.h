/*
 * The filter: an expression, its terms as a list, and the query that decides it.
 */
#ifndef UI_VIEW_FILTER_H
#define UI_VIEW_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/query.h"

#define FILTERS_MAX	200u		/* terms in the list */

struct view;

/* A term of the filter. */
struct filter_item {
	char		*name;			/* or NULL */
	char		*text;
	bool		 on, was_on;
	bool		 activity;		/* it asks for one, and for nothing else */
};

/* What was said of a term that was added, until the number of events is known, too. */
struct filter_told {
	char		*text;			/* as it stands in the message; NULL: nothing */
	uint64_t	 before;		/* events, of which some were taken out; 0: what
						   is left counts */
};

struct view_filter {
	char		*text;			/* NULL: none */
	char		*around;		/* the same without the terms that ask for an
						   activity; NULL: it has none of these */
	struct filter_item *item;		/* its terms, and those that are off */
	size_t		 n, cap, at;		/* at: the cursor in the list of them */
	bool		 off;			/* all of them, for a while */
	int64_t		 now_ns;		/* what +5s in it counts from */
	struct query	*q;			/* NULL: there is no filter */
	uint64_t	 row0, row1;		/* what q and the search look at */
	struct filter_told told;
};

void	view_filter_release(struct view_filter *f);
/* NULL or "": no filter. False: it is wrong, and the message says how. */
bool	view_set_filter(struct view *v, const char *text);
/*
 * The same filter once more, for somebody who asks it in a thread of its own, and then frees it;
 * NULL: there is none. False: there is one that holds of nothing.
 */
bool	view_filter_again(const struct view *v, struct filter **out);
void	view_filter_sync(struct view_filter *f);	/* after the text was set as a whole */

/* ---- its terms. False: no such term, or the message says why. */
bool	view_filter_add(struct view *v, const char *term);	/* and it */
/* Likewise, or what it does not match, and say so: "excluded name = GC/Start, 24 events". */
bool	view_filter_take(struct view *v, const char *term, bool exclude);
/* Add to the message how many events these were, once they are counted. */
void	view_filter_tell(struct view *v);
bool	view_filter_add_off(struct view *v, const char *term);
bool	view_filter_toggle(struct view *v, size_t i);
bool	view_filter_delete(struct view *v, size_t i);
bool	view_filter_drop(struct view *v);			/* the last that is on */
bool	view_filters_toggle_all(struct view *v);
void	view_filter_name(struct view_filter *f, size_t i, const char *name);

#endif

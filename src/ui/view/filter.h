/* The filter: an expression, the list of its terms, and the query that evaluates it. */
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
	bool		 activity;		/* it only asks for an activity */
};

/* The message about a term that was added, until its number of events is known, too. */
struct filter_taken {
	char		*text;			/* as in the message; NULL: none */
	uint64_t	 before;		/* number of events before some were excluded; 0:
						   the remaining events are counted */
};

struct view_filter {
	char		*text;			/* NULL: none */
	char		*around;		/* the same without terms that ask for an
						   activity; NULL: there are none */
	struct filter_item *item;		/* its terms, and those that are off */
	size_t		 n, cap, at;		/* at: cursor in the list */
	bool		 off;			/* the whole filter, temporarily */
	int64_t		 now_ns;		/* base for +5s */
	struct query	*q;			/* NULL: no filter */
	uint64_t	 row0, row1;		/* rows for q and the search */
	struct filter_taken taken;
};

void	view_filter_release(struct view_filter *f);
/* NULL or "": no filter. False: it is wrong, and a message says why. */
bool	view_set_filter(struct view *v, const char *text);
/*
 * Compile the same filter again, for another thread. The caller frees it. NULL: there is no filter.
 * False: the filter matches nothing.
 */
bool	view_filter_again(const struct view *v, struct filter **out);
void	view_filter_sync(struct view_filter *f);	/* call it after the text was set as a
							   whole */

/* ---- its terms. False: unknown term, or a message says why. */
bool	view_filter_add(struct view *v, const char *term);	/* joined with and */
/* Add the term, or its negation, with a message: "excluded name = GC/Start, 24 events". */
void	view_filter_take(struct view *v, const char *term, bool exclude);
/* Once they are counted, add the number of these events to the message. */
void	view_filter_tell(struct view *v);
bool	view_filter_add_off(struct view *v, const char *term);
bool	view_filter_toggle(struct view *v, size_t i);
bool	view_filter_delete(struct view *v, size_t i);
bool	view_filter_drop(struct view *v);			/* the last one that is on */
bool	view_filters_toggle_all(struct view *v);
void	view_filter_name(struct view_filter *f, size_t i, const char *name);

#endif

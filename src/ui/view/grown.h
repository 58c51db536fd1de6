/*
 * Events by thread and time while the index grows, for lanes of a filter. The range of times is not
 * known yet, so they are counted in bins (tnav/engine/bins.h), GROWN_CELLS at most.
 */
#ifndef UI_VIEW_GROWN_H
#define UI_VIEW_GROWN_H

#include <stdbool.h>
#include <stdint.h>

#define GROWN_CELLS	2048u

struct view;
struct grown;

struct grown	*grown_new(void);
void		 grown_free(struct grown *g);		/* NULL is fine */
/* Count events that match the filter, or continue. A count for another filter is dropped. */
void		 grown_want(struct grown *g, struct view *v);
bool		 grown_busy(const struct grown *g);
void		 grown_step(struct grown *g, int64_t budget_ns);
/* Receives the counts: n equal parts of [from, to). */
struct grown_parts {
	int64_t		 from, to;
	unsigned	 n;
	uint64_t	*all;		/* n: of all threads */
	uint32_t	 lines;
	uint32_t	*line;		/* lines x n: of the first threads */
	uint64_t	*events;	/* lines */
};
void		 grown_take(const struct grown *g, const struct grown_parts *to);

#endif

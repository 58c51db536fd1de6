/*
 * A count of events by the values of one field, over a range of rows, slice by slice.
 */
#ifndef UI_VIEW_CENSUS_H
#define UI_VIEW_CENSUS_H

#include "tnav/base/arena.h"
#include "ui/view/view.h"

#define CENSUS_BINS	16u
#define CENSUS_MAX	65536u		/* values; events of the rest are counted together */

struct census_line {
	const char	*text, *value;		/* for people; for the filter, "" if it can't */
	size_t		 len;			/* of the text, which may have NULs in it */
	uint64_t	 hash, events, bytes;
	int64_t		 first, last;		/* ticks */
	uint32_t	 bins[CENSUS_BINS];
};

struct census {
	char		*field;			/* as the filter language names it */
	uint64_t	 row0, row1, at;	/* what it counts; the next row */
	int64_t		 from, to;
	char		*filter;		/* whose hits; NULL: all rows */
	struct census_line *line;
	size_t		 n, cap;
	uint32_t	*slot;			/* index of line + 1, or 0 */
	size_t		 slots;
	uint64_t	 seed;
	uint64_t	 events, bytes;
	uint64_t	 without, beyond;	/* the field; the limit */
	struct arena	 arena;
	uint32_t	*known;			/* line + 1 of a type or thread, 0: not yet */
	size_t		 nknown;
	bool		 by_type, by_thread, done;
};

/* Begin to count by the field over what the view shows. */
void	census_start(struct census *c, struct view *v, const char *field);
void	census_release(struct census *c);
/* Is it what the view shows? */
bool	census_same_filter(const struct census *c, const struct view *v);
bool	census_is_current(const struct census *c, const struct view *v);
/* Count for about budget_ns; true: there is more. */
bool	census_step(struct census *c, struct view *v, int64_t budget_ns);

#endif

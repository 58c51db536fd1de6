/*
 * Marks: events that the user has named by a letter, some with a note. They are in time order, and
 * identified by (time, payload offset), not by row, since rows may move.
 */
#ifndef UI_VIEW_MARKS_H
#define UI_VIEW_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MARKS_MAX	1000u

struct mark {
	char		 letter;	/* 0: none: there are more marks than letters */
	char		*note;		/* or NULL */
	int64_t		 ts;
	uint64_t	 off;
};

struct marks {
	struct mark	*v;		/* n, ordered by time and offset */
	size_t		 n, cap;
	uint64_t	 stamp;		/* changes when marks change */
};

void	marks_release(struct marks *m);
/*
 * Mark the event. A letter that another event has moves here. letter 0: the event's letter, else
 * the next free one. The event's note stays unless another is given. NULL: there are too many
 * marks.
 */
const struct mark *marks_set(struct marks *m, char letter, int64_t ts, uint64_t off,
	    const char *note);
/* Restore a saved mark: letter 0 stays none. False: there are too many. */
bool	marks_put(struct marks *m, char letter, int64_t ts, uint64_t off, const char *note);
const struct mark *marks_find(const struct marks *m, char letter);		/* or NULL */
/* The mark of the event, or NULL. */
const struct mark *marks_at(const struct marks *m, int64_t ts, uint64_t off);
/* The next (dir > 0) or previous mark, not counting the event's own; or NULL. */
const struct mark *marks_next(const struct marks *m, int64_t ts, uint64_t off, int dir);
void	marks_remove(struct marks *m, size_t i);

#endif

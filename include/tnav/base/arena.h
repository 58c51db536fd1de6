/*
 * Memory that is freed all at once. Pointers stay valid until arena_release(). A zeroed one is
 * empty.
 */
#ifndef TNAV_BASE_ARENA_H
#define TNAV_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk	*chunk;
	size_t			 used, cap;	/* in the newest chunk */
	size_t			 total;		/* bytes allocated from the system */
};

void	 arena_release(struct arena *a);	/* usable again afterwards */
void	*arena_alloc(struct arena *a, size_t len);	/* cleared, aligned for any type */
char	*arena_strndup(struct arena *a, const char *s, size_t len);	/* with a NUL */

#endif

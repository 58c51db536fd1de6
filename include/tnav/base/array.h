/*
 * Arrays by index that grow, and arrays in order.
 *
 *	v = array_reach(v, &n, 7, sizeof *v);		v[7] exists; what is new is zeroes
 *	BISECT(at, n, i, v[i] < key);			at: of the first that is not less than key
 */
#ifndef TNAV_BASE_ARRAY_H
#define TNAV_BASE_ARRAY_H

#include <stddef.h>
#include <string.h>

/* For array_reach(). */
void	*array_extend(void *v, size_t *n, size_t need, size_t size);

/* An array of *n elements of size bytes, or a longer one, that has this index. */
static inline void *
array_reach(void *v, size_t *n, size_t index, size_t size)
{
	return index < *n ? v : array_extend(v, n, index + 1, size);
}

/* Make all elements zeroes. */
static inline void
array_clear(void *v, size_t n, size_t size)
{
	if (n > 0)
		memset(v, 0, n * size);
}

/*
 * Bisection: the first of the indexes from `at` to `end` for which `before` is false, or `end`.
 * `before` is an expression of the index i; if it is false for one index, it is for all later ones.
 * `at` is a variable of 64 bits, which has the result.
 */
#define BISECT(at, end, i, before)						\
	for (size_t end_##i = (end); (at) < end_##i; ) {			\
		const size_t	i = (at) + (end_##i - (at)) / 2;		\
										\
		if (before)							\
			(at) = i + 1;						\
		else								\
			end_##i = i;						\
	}

#endif

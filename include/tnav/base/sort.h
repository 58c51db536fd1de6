/*
 * Sorting arrays: qsort() for arrays that may be empty and then have no address; and how to compare
 * their elements.
 */
#ifndef TNAV_BASE_SORT_H
#define TNAV_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The order of two uint64_t, to sort and to search by. */
static inline int
compare_u64(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Not stable: to keep the order of equal elements, compare their places too. An array that is
   already sorted, as much in a file is, takes n steps and no memory. */
static inline void
sort_array(void *v, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	for (size_t i = 1; i < n; i++) {
		const char	*at = (const char *)v + i * size;

		if (compare(at - size, at) > 0) {
			qsort(v, n, size, compare);
			return;
		}
	}
}

#endif

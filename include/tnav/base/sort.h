/*
 * Sorting arrays: qsort() of what may have no elements, and then no address either.
 */
#ifndef TNAV_BASE_SORT_H
#define TNAV_BASE_SORT_H

#include <stddef.h>
#include <stdlib.h>

/* Not stable: who needs an order of equal elements compares by their place, too. */
static inline void
sort_array(void *v, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n > 1)
		qsort(v, n, size, compare);
}

#endif

/*
 * Heaps: of elements that come and go, the first one by some order is at the top, v[0].
 *
 *	HEAP(soon, struct job *, struct clock, job_due(c, a) < job_due(c, b))
 *
 *	soon_push(&clock, v, n++, x);		v has room for n + 1
 *	x = soon_pop(&clock, v, --n);		n: how many stay
 *
 * is_before is an expression of the elements a and b, and of c, the context of the order. Which of
 * equal elements comes first is undefined.
 */
#ifndef TNAV_BASE_HEAP_H
#define TNAV_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP(name, type, context, is_before)					\
	static inline bool							\
	name##_before(const context *c, type a, type b)				\
	{									\
		(void)c;							\
		return is_before;						\
	}									\
										\
	static inline void							\
	name##_push(const context *c, type *v, size_t n, type x)		\
	{									\
		for (size_t up; n > 0; n = up) {				\
			up = (n - 1) / 2;					\
			if (!name##_before(c, x, v[up]))			\
				break;						\
			v[n] = v[up];						\
		}								\
		v[n] = x;							\
	}									\
										\
	static inline type							\
	name##_pop(const context *c, type *v, size_t n)				\
	{									\
		type	top = v[0];						\
		type	last = v[n];						\
		size_t	at = 0;							\
										\
		for (size_t k = 1; k < n; k = 2 * at + 1) {			\
			if (k + 1 < n && name##_before(c, v[k + 1], v[k]))	\
				k++;						\
			if (!name##_before(c, v[k], last))			\
				break;						\
			v[at] = v[k];						\
			at = k;							\
		}								\
		v[at] = last;							\
		return top;							\
	}

#endif

/*
 * Sorting arrays: qsort() for arrays that may be empty and then have no address; and how to compare
 * their elements.
 */
#ifndef TNAV_BASE_SORT_H
#define TNAV_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * An order of structs: the first key that differs decides. A key is a member.
 *
 *	SORT_ORDER(by_length, struct span, FALLING(length) RISING(start) COMPARED(strcmp, name))
 */
#define SORT_ORDER(order, type, keys)						\
	static inline int							\
	order(const void *pa, const void *pb)					\
	{									\
		const type	*a = pa, *b = pb;				\
										\
		keys								\
		return 0;							\
	}
#define RISING(member)								\
	if ((a->member) < (b->member))						\
		return -1;							\
	if ((a->member) > (b->member))						\
		return 1;
#define FALLING(member)								\
	if ((a->member) > (b->member))						\
		return -1;							\
	if ((a->member) < (b->member))						\
		return 1;
#define COMPARED(compare, member)						\
	{									\
		int	order_ = compare(a->member, b->member);		\
										\
		if (order_ != 0)						\
			return order_;						\
	}
/* For an order of plain numbers: the only key. */
#define RISING_NUMBER								\
	return *a < *b ? -1 : *a > *b;

SORT_ORDER(compare_f64, double, RISING_NUMBER)
SORT_ORDER(compare_i64, int64_t, RISING_NUMBER)
SORT_ORDER(compare_u32, uint32_t, RISING_NUMBER)
SORT_ORDER(compare_u64, uint64_t, RISING_NUMBER)

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

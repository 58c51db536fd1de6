/*
 * The exact sum of doubles, rounded once. It doesn't depend on the order of the numbers, nor on how
 * they were divided among threads.
 *
 *	parts	1e17, 3.0, 2.5e-18	none overlaps another; together they are the sum
 *
 * If an intermediate sum exceeds the range of doubles, the sum has no value.
 */
#ifndef TNAV_BASE_SUM_H
#define TNAV_BASE_SUM_H

#include <stdbool.h>
#include <stddef.h>

struct sum {
	double	*part;		/* from the least to the greatest */
	size_t	 n, cap;
	bool	 over;		/* it exceeded the range of doubles */
};

/* A zeroed struct is the sum 0. */
void	sum_release(struct sum *s);
void	sum_add(struct sum *s, double v);	/* v is finite */
void	sum_merge(struct sum *s, const struct sum *from);
/* The nearest double, ties to even. False: it has no value. */
bool	sum_value(const struct sum *s, double *out);

#endif

/*
 * Exact sums of doubles, by Shewchuk ("Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates", 1997): both the rounded sum a + b and its rounding error are doubles.
 *
 *	parts 3.0, 1e17   + 0.1   ->   0.1 + 3.0 = 3.1 and its rounding error; 3.1 + 1e17 ...
 *
 * Invariant: parts don't overlap, none is 0, and they grow in magnitude. Their number is bounded by
 * the exponent range of doubles, divided by the bits of a mantissa.
 */
#include "tnav/base/sum.h"

#include <math.h>

#include "tnav/base/mem.h"

void
sum_release(struct sum *s)
{
	mem_free(s->part);
	*s = (struct sum){ .n = 0 };
}

void
sum_add(struct sum *s, double v)
{
	size_t	n = 0;

	if (s->over)
		return;
	for (size_t i = 0; i < s->n; i++) {
		double	part = s->part[i], sum, rest;

		if (fabs(v) < fabs(part)) {
			part = v;
			v = s->part[i];
		}
		sum = v + part;
		rest = part - (sum - v);
		if (rest != 0)
			s->part[n++] = rest;
		v = sum;
	}
	s->over |= !isfinite(v);
	s->n = n;
	if (v == 0 || s->over)
		return;
	if (s->n == s->cap)
		s->part = mem_grow(s->part, &s->cap, s->n + 1, sizeof *s->part);
	s->part[s->n++] = v;
}

void
sum_merge(struct sum *s, const struct sum *from)
{
	s->over |= from->over;
	for (size_t i = 0; i < from->n; i++)
		sum_add(s, from->part[i]);
}

bool
sum_value(const struct sum *s, double *out)
{
	size_t	n = s->n;
	double	high = 0, rest = 0, twice;

	*out = 0;
	if (s->over)
		return false;
	if (n > 0)
		high = s->part[--n];
	while (n > 0 && rest == 0) {
		double	top = high, part = s->part[--n];

		high = top + part;
		rest = part - (high - top);
	}
	/* Halfway between two doubles the lower parts decide. */
	if (n > 0 && ((rest < 0 && s->part[n - 1] < 0) || (rest > 0 && s->part[n - 1] > 0))) {
		twice = rest * 2;
		if (high + twice - high == twice)
			high += twice;
	}
	*out = high;
	return true;
}

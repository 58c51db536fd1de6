/*
 * Steps of a logarithmic scale.
 *
 *	bounds	1e-9 2e-9 5e-9 1e-8 ... 0.5 | 1 2 5 ... 5e19	of floats | of whole numbers, too
 *	37	20 is the greatest bound that is not above it
 *	-3	5 is the least bound that is not below 3: the step begins at -5
 *
 * A long double can represent all signed and unsigned 64-bit numbers.
 *
 * Invariant: a number is at or after the start of its step, and before its end if it has one.
 */
#include "tnav/engine/steps.h"

#include <float.h>
#include <stdint.h>

#include "engine/pass/figure.h"

#define LEAST	(-9)		/* power of ten: smaller numbers are in the step of 0 */
#define MOST	19
#define BOUNDS	((MOST - LEAST + 1) * 3)
#define ONE	(-LEAST * 3)	/* index of the bound 1, the first one of whole numbers */

/* Bound number i. It is a double, and exact if it is a whole number. */
static long double
bound(int i)
{
	static const double	digits[3] = { 1, 2, 5 };
	double			power = 1;
	int			k = i / 3 + LEAST;

	for (int n = k < 0 ? -k : k; n > 0; n--)
		power *= 10;
	return k < 0 ? digits[i % 3] / power : digits[i % 3] * power;
}

static bool
is_float(const struct cell *c)
{
	return c->kind == CELL_F32 || c->kind == CELL_F64;
}

static long double
number_of(const struct filter_num *n)
{
	if (n->kind == NUM_F)
		return (long double)n->f;
	return n->kind == NUM_I ? (long double)n->i : (long double)n->u;
}

/* For 32-bit floats the bound is rounded to one, so that a filter on it finds the same numbers. */
static long double
bound_of(int i, const struct cell *like)
{
	return like->kind == CELL_F32 ? (float)bound(i) : bound(i);
}

/* The index of the first bound: whole numbers have none between 0 and 1. */
static int
first_of(const struct cell *like)
{
	return is_float(like) ? 0 : ONE;
}

/* The index of the first bound that is not less than size. */
static int
bound_from(long double size, const struct cell *like)
{
	int	i = first_of(like);

	while (i < BOUNDS && bound_of(i, like) < size)
		i++;
	return i;
}

/* The index of the first bound that is greater than size. */
static int
bound_beyond(long double size, const struct cell *like)
{
	int	i = bound_from(size, like);

	return i < BOUNDS && bound_of(i, like) == size ? i + 1 : i;
}

/* v as a cell of the kind of like, clipped to the range of that kind. */
static struct cell
step_cell(long double v, const struct cell *like)
{
	struct cell	c = { .kind = like->kind };

	if (is_float(like))
		c.f = (double)v;
	else if (like->kind == CELL_I64 || like->kind == CELL_DUR)
		c.i = v < (long double)INT64_MIN ? INT64_MIN : (int64_t)v;
	else
		c.u = (uint64_t)v;
	return c;
}

void
steps_begin(struct cell *c)
{
	struct filter_num	n = figure_number(c);
	long double		v;
	int			i;

	if (n.kind == NUM_NONE || c->kind == CELL_TIME) {
		*c = cell_none();
		return;
	}
	v = number_of(&n);
	if (v >= 0) {
		i = bound_beyond(v, c) - 1;
		*c = step_cell(i < first_of(c) ? 0 : bound_of(i, c), c);
		return;
	}
	i = bound_from(-v, c);
	*c = step_cell(i < BOUNDS ? -bound_of(i, c) : (long double)-DBL_MAX, c);
}

/* The greatest number in a cell of this kind. */
static long double
most_of(const struct cell *like)
{
	if (is_float(like))
		return (long double)DBL_MAX;
	if (like->kind == CELL_I64 || like->kind == CELL_DUR)
		return (long double)INT64_MAX;
	return (long double)UINT64_MAX;
}

bool
steps_end(const struct cell *begin, struct cell *end)
{
	struct filter_num	n = figure_number(begin);
	long double		v;
	int			i;

	if (n.kind == NUM_NONE)
		return false;
	v = number_of(&n);
	if (v < 0) {
		i = bound_from(-v, begin) - 1;
		*end = step_cell(i < first_of(begin) ? 0 : -bound_of(i, begin), begin);
		return true;
	}
	i = bound_beyond(v, begin);
	if (i == BOUNDS || bound_of(i, begin) > most_of(begin))
		return false;
	*end = step_cell(bound_of(i, begin), begin);
	return true;
}

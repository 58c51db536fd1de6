/*
 * Sums, minima, maxima and percentiles of numbers.
 *
 *	whole numbers	128 bits: exact
 *	floats		exact, rounded once at the end
 *	both		the sum of both, rounded once
 *
 * Invariant: nothing depends on the order of the numbers, so parts may be merged in any order.
 * Without numbers the result is CELL_NULL, never NaN.
 */
#include "engine/pass/figure.h"

#include <math.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

void
figure_release(struct accumulator *f)
{
	sum_release(&f->floats);
	if (f->ranks != NULL)
		ranks_release(f->ranks);
	mem_free(f->ranks);
}

struct filter_num
figure_number(const struct cell *c)
{
	switch (c->kind) {
	case CELL_U64: case CELL_BYTES:
		return (struct filter_num){ .kind = NUM_U, .u = c->u };
	case CELL_I64: case CELL_TIME: case CELL_DUR:
		return (struct filter_num){ .kind = NUM_I, .i = c->i };
	case CELL_F32: case CELL_F64:
		if (isfinite(c->f))
			return (struct filter_num){ .kind = NUM_F, .f = c->f };
		break;
	default:
		break;
	}
	return (struct filter_num){ .kind = NUM_NONE };
}

static inline bool
is_less(const struct filter_num *a, const struct filter_num *b)
{
	int	order = 0;

	if (a->kind == NUM_U && b->kind == NUM_U)
		return a->u < b->u;
	if (a->kind == NUM_I && b->kind == NUM_I)
		return a->i < b->i;
	return num_compare(a, b, &order) && order < 0;
}

/* Is v between the extremes so far, and of the same kind? This is so for most numbers. */
static inline bool
is_between(const struct accumulator *f, const struct filter_num *v)
{
	if (f->least.kind != v->kind || f->greatest.kind != v->kind)
		return false;
	if (v->kind == NUM_U)
		return f->least.u <= v->u && v->u <= f->greatest.u;
	if (v->kind == NUM_I)
		return f->least.i <= v->i && v->i <= f->greatest.i;
	return f->least.f <= v->f && v->f <= f->greatest.f;
}

static void
ends_add(struct accumulator *f, const struct filter_num *least, const struct filter_num *greatest)
{
	if (f->n == 0 || is_less(least, &f->least))
		f->least = *least;
	if (f->n == 0 || is_less(&f->greatest, greatest))
		f->greatest = *greatest;
}

void
figure_add(struct accumulator *f, const struct filter_num *v, enum cell_kind kind)
{
	if (!is_between(f, v))
		ends_add(f, v, v);
	f->n++;
	f->kinds |= 1u << kind;
	if (v->kind == NUM_F)
		sum_add(&f->floats, v->f);
	else
		f->whole += v->kind == NUM_I ? (__int128)v->i : (__int128)v->u;
	if (f->ranks != NULL)
		ranks_add(f->ranks, v);
}

void
figure_merge(struct accumulator *f, const struct accumulator *from)
{
	if (from->n > 0)
		ends_add(f, &from->least, &from->greatest);
	f->n += from->n;
	f->others += from->others;
	f->kinds |= from->kinds;
	f->whole += from->whole;
	sum_merge(&f->floats, &from->floats);
	f->more |= from->more;
}

/* ---- cells */

/* The common kind of the numbers; CELL_F64 if there are floats and whole numbers. */
static enum cell_kind
kind_of(const struct accumulator *f)
{
	static const enum cell_kind	kinds[] = {
		CELL_TIME, CELL_DUR, CELL_BYTES, CELL_F32,
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (f->kinds == 1u << kinds[i])
			return kinds[i];
	return f->kinds & (1u << CELL_F32 | 1u << CELL_F64) ? CELL_F64 : CELL_I64;
}

/* Append a whole number of up to 39 digits. */
static void
put_whole(struct buf *text, __int128 v)
{
	const uint64_t		split = 10000000000000000000u;
	unsigned __int128	size = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;

	if (v < 0)
		buf_putc(text, '-');
	if (size / split == 0) {
		buf_u64(text, (uint64_t)size);
		return;
	}
	buf_u64(text, (uint64_t)(size / split));
	buf_printf(text, "%019llu", (unsigned long long)(size % split));
}

/* A whole number as a cell of the kind, or as its digits if it is too large for one. */
static struct cell
whole_cell(__int128 v, enum cell_kind kind, struct buf *text)
{
	bool	is_time = kind == CELL_TIME || kind == CELL_DUR;

	if (v >= INT64_MIN && v <= INT64_MAX && (is_time || v < 0))
		return (struct cell){ .kind = is_time ? kind : CELL_I64, .i = (int64_t)v };
	if (v >= 0 && v <= UINT64_MAX)
		return (struct cell){ .kind = kind == CELL_BYTES ? kind : CELL_U64,
		    .u = (uint64_t)v };
	buf_clear(text);
	put_whole(text, v);
	return cell_raw(text->p, text->len);
}

static struct cell
float_cell(double v, enum cell_kind kind)
{
	return (struct cell){ .kind = kind == CELL_F32 ? CELL_F32 : CELL_F64, .f = v };
}

static struct cell
number_cell(const struct filter_num *v, enum cell_kind kind, struct buf *text)
{
	if (v->kind == NUM_F)
		return float_cell(v->f, kind);
	return whole_cell(v->kind == NUM_I ? (__int128)v->i : (__int128)v->u, kind, text);
}

/* The sum of both. The whole numbers are split into three doubles, none of which is rounded. */
static bool
sum_of_both(const struct accumulator *f, double *out)
{
	struct sum		s = { .n = 0 };
	unsigned __int128	size = f->whole < 0 ? -(unsigned __int128)f->whole :
				    (unsigned __int128)f->whole;
	double			sign = f->whole < 0 ? -1 : 1, scale = 1;
	bool			good;

	for (; size > 0; size >>= 48, scale *= 0x1p48)
		sum_add(&s, sign * scale * (double)(uint64_t)(size & 0xffffffffffff));
	sum_merge(&s, &f->floats);
	good = sum_value(&s, out);
	sum_release(&s);
	return good;
}

static struct cell
sum_cell(const struct accumulator *f, struct buf *text)
{
	double	v;

	if ((f->kinds & (1u << CELL_F32 | 1u << CELL_F64)) == 0)
		return whole_cell(f->whole, kind_of(f), text);
	if (!sum_of_both(f, &v))
		return cell_null();
	return float_cell(v, CELL_F64);
}

/* The average. That of times or durations is one too, rounded to ns. */
static struct cell
avg_cell(const struct accumulator *f, struct buf *text)
{
	enum cell_kind	kind = kind_of(f);
	__int128	n = f->n, half, v;
	double		sum;

	if (kind == CELL_TIME || kind == CELL_DUR) {
		half = f->whole < 0 ? -(n / 2) : n / 2;
		v = (f->whole + half) / n;
		return whole_cell(v, kind, text);
	}
	if (!sum_of_both(f, &sum))
		return cell_null();
	return cell_f64(sum / (double)f->n);
}

/* ---- percentiles */

/* A number of a sketch, clipped to the exact extremes, and rounded if all numbers are whole. */
static struct filter_num
rough_number(const struct accumulator *f, struct filter_num v)
{
	if (is_less(&v, &f->least))
		return f->least;
	if (is_less(&f->greatest, &v))
		return f->greatest;
	if (!f->ranks->whole)
		return v;
	if (v.f < 0)
		return (struct filter_num){ .kind = NUM_I, .i = (int64_t)v.f };
	return (struct filter_num){ .kind = NUM_U, .u = (uint64_t)v.f };
}

static struct cell
pct_cell(const struct accumulator *f, uint32_t share, struct buf *text)
{
	uint64_t		rank = nearest_rank(f->n, share, AGGREGATE_WHOLE);
	struct filter_num	v;

	if (f->ranks == NULL)
		return cell_null();
	if (rank == 1)
		v = f->least;
	else if (rank == f->n)
		v = f->greatest;
	else if (f->ranks->rough)
		v = rough_number(f, ranks_rank(f->ranks, rank));
	else
		v = ranks_rank(f->ranks, rank);
	return number_cell(&v, kind_of(f), text);
}

void
figure_cell(struct accumulator *f, const struct aggregate *a, struct buf *text, struct cell *out)
{
	*out = cell_null();
	if (a->kind == AGGREGATE_COUNT)
		*out = cell_u64(f->n);
	else if (a->kind == AGGREGATE_DISTINCT)
		*out = cell_u64(f->different);
	else if (f->n == 0)
		return;
	else if (a->kind == AGGREGATE_SUM)
		*out = sum_cell(f, text);
	else if (a->kind == AGGREGATE_AVG)
		*out = avg_cell(f, text);
	else if (a->kind == AGGREGATE_MIN)
		*out = number_cell(&f->least, kind_of(f), text);
	else if (a->kind == AGGREGATE_MAX)
		*out = number_cell(&f->greatest, kind_of(f), text);
	else if (a->kind == AGGREGATE_PCT)
		*out = pct_cell(f, a->share, text);
}

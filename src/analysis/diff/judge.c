/*
 * What is shown to have changed.
 *
 *	row	rate of A, rate of B		from slices (or recordings), by diff_rates()
 *		mean of A, mean of B		from the slices' values
 *		median of A and B, p99		from durations, by ranks and order statistics
 *	-> same | more | less | new | gone | unknown
 *
 * Where events were lost, a count is a lower bound: what a change needs is then that it would be
 * one even if all of the lost events belonged to the lesser side.
 */
#include "analysis/diff/diff.h"

#include <math.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define FEW		20u	/* events or durations of both sides: less are not judged */
#define FEW_ABOVE	10u	/* ... of durations in the tail */
#define FEW_VALUES	3u	/* of each side */
#define TINY		1e-9	/* of a mean: its standard error, if all values are equal */
#define VARIES		3.0	/* times: the number of a diagnosis does from run to run */
#define NONE_SEEN	3.0	/* events: the 95 % bound of a count that is 0 */

/* A row on one side. */
struct side_sum {
	double		 sum, whole;	/* of weights; of exposures */
	uint64_t	 n;
	double		 phi, df;
	unsigned	 traces;
	double		*rate;		/* of each trace */
};

/* ---- exposures */

static void
set_exposure(const struct sides *d, struct diff_trace *tr, unsigned trace)
{
	bool	wholes = false;

	for (unsigned i = 0; i < DIFF_SLICES; i++) {
		tr->exposure[i] = tr->whole[i];
		wholes = wholes || tr->whole[i] > 0;
		if (d->o.per == DIFF_PER_SECOND)
			tr->exposure[i] = tr->seconds / DIFF_SLICES;
		else if (d->o.per == DIFF_PER_NONE)
			tr->exposure[i] = 1.0 / DIFF_SLICES;
	}
	for (size_t r = 0; r < d->n && d->o.per == DIFF_PER_EVENT && !wholes; r++)
		for (unsigned i = 0; d->row[r].part[trace] != NULL && i < DIFF_SLICES; i++)
			tr->exposure[i] += (double)d->row[r].part[trace]->slice[i];
}

double
diff_exposure(const struct sides *d, unsigned side)
{
	double		whole = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		for (unsigned k = 0; k < DIFF_SLICES; k++)
			whole += d->trace[i].exposure[k];
	return whole;
}

/* ---- rates */

struct judging {
	float	*x;		/* slices of all traces of a side */
	double	*e;
	double	*rate[2];
	double	*value[2];	/* of slices */
};

static void
sum_side(const struct sides *d, const struct joined_row *r, unsigned side, struct judging *s,
    double floor, struct side_sum *out)
{
	size_t		n = 0;
	unsigned	end;

	*out = (struct side_sum){ .rate = s->rate[side] };
	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++) {
		const struct diff_part	*p = r->part[i];
		const struct diff_trace	*tr = &d->trace[i];
		double			 whole = 0;

		for (unsigned k = 0; k < DIFF_SLICES; k++) {
			s->x[n] = p != NULL ? p->slice[k] : 0;
			s->e[n++] = tr->exposure[k];
			whole += tr->exposure[k];
		}
		if (d->o.per == DIFF_PER_NONE)		/* without what rounding left */
			whole = 1;
		if (p != NULL) {
			out->sum += p->sum;
			out->n += p->n;
		}
		out->whole += whole;
		out->rate[out->traces++] = whole > 0 && p != NULL ? p->sum / whole : 0;
	}
	out->phi = diff_dispersion(&(struct diff_slices){ s->x, s->e, n }, floor, &out->df);
}

/* b and a, with so many more events on one of the sides. */
static void
compare(const struct side_sum *a, const struct side_sum *b, double more_a, double more_b,
    double floor, struct diff_rates *out)
{
	double	phi = a->phi > b->phi ? a->phi : b->phi, least = 0;

	if (a->traces > 1 && b->traces > 1 && more_a + more_b == 0) {
		if (a->whole > 0 && b->whole > 0)
			least = sqrt(floor * (a->sum / (a->whole * a->whole) +
			    b->sum / (b->whole * b->whole)));
		diff_means(&(struct diff_values){ a->rate, a->traces, a->traces },
		    &(struct diff_values){ b->rate, b->traces, b->traces }, least, out);
		return;
	}
	diff_rates(a->sum + more_a * floor, a->whole, b->sum + more_b * floor, b->whole, phi,
	    a->df + b->df, out);
}

static enum diff_verdict
verdict_of(double z, bool no_a, bool no_b)
{
	if (!(fabs(z) >= DIFF_Z))
		return DIFF_SAME;
	if (z > 0)
		return no_a ? DIFF_NEW : DIFF_MORE;
	return no_b ? DIFF_GONE : DIFF_LESS;
}

static void
judge_rate(const struct sides *d, const struct joined_row *r, struct judging *s,
    struct diff_judged *out)
{
	double			lost_a = (double)diff_lost(d, 0), lost_b = (double)diff_lost(d, 1);
	bool			lossy = lost_a + lost_b > 0;
	double			floor = 0, sum = 0, n = 0;
	struct side_sum		a, b;
	struct diff_rates	with_lost;

	for (unsigned i = 0; i < d->ntraces; i++) {
		sum += r->part[i] != NULL ? r->part[i]->sum : 0;
		n += r->part[i] != NULL ? (double)r->part[i]->n : 0;
	}
	floor = n > 0 && d->o.bytes ? sum / n : 1;
	sum_side(d, r, 0, s, floor, &a);
	sum_side(d, r, 1, s, floor, &b);
	compare(&a, &b, 0, 0, floor, &out->r);
	out->verdict = a.n + b.n < FEW ? DIFF_UNKNOWN : verdict_of(out->r.z, a.n == 0, b.n == 0);
	if (out->verdict == DIFF_UNKNOWN || out->verdict == DIFF_SAME || !lossy)
		return;
	if (out->r.z > 0)
		compare(&a, &b, lost_a, 0, floor, &with_lost);
	else
		compare(&a, &b, 0, lost_b, floor, &with_lost);
	if (verdict_of(with_lost.z, false, false) == DIFF_SAME || with_lost.z * out->r.z < 0)
		out->verdict = DIFF_UNKNOWN;
}

/* ---- values */

/* The values that a side has in its slices; v: room for them. */
static struct diff_values
values_on(const struct sides *d, const struct joined_row *r, unsigned side, double *v)
{
	size_t		n = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++)
		for (unsigned k = 0; r->part[i] != NULL && k < DIFF_SLICES; k++)
			if ((r->part[i]->seen >> k & 1) != 0)
				v[n++] = (double)r->part[i]->slice[k];
	return (struct diff_values){ v, n, n > 0 ? diff_worth(v, n) : 0 };
}

/* Means must differ by more than chance, and lie further apart than values of one side do. */
static void
judge_mean(const struct sides *d, const struct joined_row *r, const struct judging *s,
    struct diff_judged *out)
{
	struct diff_values	a = values_on(d, r, 0, s->value[0]);
	struct diff_values	b = values_on(d, r, 1, s->value[1]);
	double			least;

	if (a.n == 0 || b.n == 0) {
		out->r = (struct diff_rates){ .a = a.n > 0 ? diff_mean(&a) : NAN,
		    .b = b.n > 0 ? diff_mean(&b) : NAN, .change = NAN, .low = NAN, .high = NAN };
		out->verdict = a.n == 0 ? DIFF_NEW : DIFF_GONE;
		return;
	}
	least = TINY * (fabs(diff_mean(&a)) + fabs(diff_mean(&b)));
	diff_means(&a, &b, least, &out->r);
	out->r.z = diff_lesser(out->r.z, diff_means_apart(&a, &b));
	out->verdict = a.n < FEW_VALUES || b.n < FEW_VALUES ? DIFF_UNKNOWN :
	    verdict_of(out->r.z, false, false);
}

/* ---- numbers without noise */

/* The mean of the recordings of a side; NAN: none has the row. */
static double
value_on(const struct sides *d, const struct joined_row *r, unsigned side)
{
	double		sum = 0, n = 0;
	unsigned	end;

	for (unsigned i = diff_side_traces(d, side, &end); i < end; i++) {
		sum += r->part[i] != NULL ? r->part[i]->sum : 0;
		n += r->part[i] != NULL;
	}
	return n > 0 ? sum / d->o.traces[side] : NAN;
}

static void
judge_value(const struct sides *d, const struct joined_row *r, struct diff_judged *out)
{
	double	a = value_on(d, r, 0), b = value_on(d, r, 1);

	out->r = (struct diff_rates){ .a = a, .b = b, .low = NAN, .high = NAN,
	    .change = a > 0 ? b / a - 1 : NAN };
	if (d->o.judging == DIFF_BY_VALUE && diff_lost(d, 0) + diff_lost(d, 1) > 0)
		out->verdict = DIFF_UNKNOWN;
	else if (isnan(a) || isnan(b))
		out->verdict = isnan(a) ? DIFF_NEW : DIFF_GONE;
	else if ((b <= a && b >= a) || (d->o.judging == DIFF_BY_PRESENCE && b < a * VARIES &&
	    a < b * VARIES))
		out->verdict = DIFF_SAME;
	else
		out->verdict = b > a ? DIFF_MORE : DIFF_LESS;
}

/* ---- durations */

/* The middle is judged by ranks; the tail by how many durations of each side it has. */
static void
judge_quantile(const struct sides *d, const struct joined_row *r, double z, double dispersion,
    struct diff_judged *out)
{
	const struct diff_numbers	*a = &r->numbers[0], *b = &r->numbers[1];
	bool			tail = out->figure == FIGURE_P99;
	double			q = tail ? 0.99 : 0.5, apart;
	struct diff_quantile	qa = diff_quantile(a->v, a->n, q, dispersion);
	struct diff_quantile	qb = diff_quantile(b->v, b->n, q, dispersion);
	size_t			few = a->n + b->n;

	diff_quantiles(&qa, &qb, &out->r);
	if (tail)
		z = diff_tail(a->v, a->n, b->v, b->n, q, &few);
	if (d->o.traces[0] == 1 || d->o.traces[1] == 1)
		apart = diff_apart(a->v, a->n, b->v, b->n, tail ? 0.9 : q, 1 + out->r.change);
	else
		apart = qb.v > qa.v ? INFINITY : qb.v < qa.v ? -INFINITY : 0;
	if (few < (tail ? FEW_ABOVE : FEW) || isnan(apart)) {
		out->verdict = DIFF_UNKNOWN;
		return;
	}
	out->r.z = diff_lesser(z, apart);
	out->verdict = verdict_of(out->r.z, false, false);
}

static struct diff_judged *
add_judged(struct sides *d, size_t *cap, uint32_t row, enum diff_figure figure)
{
	struct diff_judged	*j;

	d->judged = mem_grow(d->judged, cap, d->njudged + 1, sizeof *d->judged);
	j = &d->judged[d->njudged++];
	*j = (struct diff_judged){ .row = row, .figure = figure };
	return j;
}

/* A side that has none of a row: would it have them? */
static bool
is_known(const struct sides *d, const struct joined_row *r, unsigned side)
{
	if (d->o.per == DIFF_PER_EVENT && !(diff_exposure(d, side) > 0))
		return false;
	return r->several || r->provider == NULL || diff_recorded(d, side, r->provider, r->level);
}

static void
judge_row(struct sides *d, uint32_t row, struct judging *s, size_t *cap)
{
	struct joined_row		*r = &d->row[row];
	struct diff_numbers	*a = &r->numbers[0], *b = &r->numbers[1];
	bool			 have[2] = { false, false };
	double			 z, dispersion;

	for (unsigned i = 0; i < d->ntraces; i++)
		if (r->part[i] != NULL)
			have[diff_side(d, i)] = true;
	if (!have[0] && !have[1])
		return;				/* such as spans of which only ends are known */
	for (unsigned side = 0; side < 2; side++)
		if (!have[side] && !is_known(d, r, side))
			return;			/* told once, in the rows about */
	if (d->o.judging != DIFF_BY_NOISE) {
		judge_value(d, r, add_judged(d, cap, row, FIGURE_RATE));
		return;
	}
	if (d->o.means) {
		judge_mean(d, r, s, add_judged(d, cap, row, FIGURE_RATE));
		return;
	}
	judge_rate(d, r, s, add_judged(d, cap, row, FIGURE_RATE));
	if (a->n == 0 || b->n == 0)
		return;
	z = diff_ranks(a->v, a->n, b->v, b->n, &dispersion);
	judge_quantile(d, r, z, dispersion, add_judged(d, cap, row, FIGURE_P50));
	judge_quantile(d, r, z, dispersion, add_judged(d, cap, row, FIGURE_P99));
}

/* ---- order */

/*
 * How great a change is at least, as a logarithm: the nearer end of the interval. So neither a
 * small change of many events comes first, nor a large one of few.
 */
static double
least_change(const struct sides *d, const struct diff_judged *j)
{
	double		more = 1 + j->r.low, less = 1 + j->r.high, seen;
	unsigned	side = j->verdict == DIFF_NEW;

	if (d->o.judging == DIFF_BY_VALUE)
		return fabs((isnan(j->r.b) ? 0 : j->r.b) - (isnan(j->r.a) ? 0 : j->r.a));
	if (d->o.judging == DIFF_BY_PRESENCE)	/* what came or went, then how many times */
		return isnan(j->r.change) ? log(1e9) :
		    j->verdict == DIFF_SAME ? 0 : fabs(log(1 + j->r.change));
	if (j->verdict == DIFF_NEW || j->verdict == DIFF_GONE) {
		seen = (side == 1 ? j->r.b : j->r.a) * (1 - DIFF_Z_SHOWN / fabs(j->r.z)) *
		    diff_exposure(d, side);
		return seen > NONE_SEEN ? log(seen / NONE_SEEN) : 0;
	}
	if (j->verdict == DIFF_MORE && more > 1)
		return log(more);
	if (j->verdict == DIFF_LESS && less < 1)
		return less > 1e-9 ? -log(less) : log(1e9);
	return 0;
}

static int
by_change(const void *x, const void *y)
{
	const struct diff_judged	*a = x, *b = y;
	double				 za = fabs(a->r.z), zb = fabs(b->r.z);

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->least < b->least || a->least > b->least)
		return a->least > b->least ? -1 : 1;
	if (za < zb || za > zb)
		return za > zb ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (int)a->figure - (int)b->figure;
}

static void
order(struct sides *d)
{
	for (size_t i = 0; i < d->njudged; i++) {
		struct diff_judged	*j = &d->judged[i];

		j->group = j->verdict == DIFF_UNKNOWN ? 2 : j->verdict == DIFF_SAME;
		if (j->group == 0)
			j->least = least_change(d, j);
	}
	sort_array(d->judged, d->njudged, sizeof *d->judged, by_change);
}

void
diff_judge(struct sides *d)
{
	size_t		cells = (size_t)d->ntraces * DIFF_SLICES, cap = 0;
	struct judging	s;

	if (d->is_judged)
		return;
	s = (struct judging){ .x = mem_zalloc(cells, sizeof *s.x),
	    .e = mem_zalloc(cells, sizeof *s.e),
	    .rate = { mem_zalloc(d->ntraces, sizeof **s.rate),
	    mem_zalloc(d->ntraces, sizeof **s.rate) },
	    .value = { mem_zalloc(cells, sizeof **s.value),
	    mem_zalloc(cells, sizeof **s.value) } };
	mem_free(d->judged);
	d->judged = NULL;
	d->njudged = 0;
	for (unsigned i = 0; i < d->ntraces; i++)
		set_exposure(d, &d->trace[i], i);
	for (uint32_t i = 0; i < d->n; i++)
		judge_row(d, i, &s, &cap);
	order(d);
	d->is_judged = true;
	mem_free(s.x);
	mem_free(s.e);
	mem_free(s.rate[0]);
	mem_free(s.rate[1]);
	mem_free(s.value[0]);
	mem_free(s.value[1]);
}

size_t
diff_changed(struct sides *d, size_t *of)
{
	size_t	n = 0;

	diff_judge(d);
	while (n < d->njudged && d->judged[n].verdict != DIFF_SAME &&
	    d->judged[n].verdict != DIFF_UNKNOWN)
		n++;
	*of = d->njudged;
	return n;
}

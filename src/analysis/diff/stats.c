/*
 * Is a difference more than noise?
 *
 *	slices of A  5 7 4 6 ...	dispersion 1.0	\   |rate B - rate A|
 *	slices of B  9 0 22 1 ...	dispersion 9.7	/ = ----------------- = z
 *							    standard error
 *
 * Events come in bursts, so the number of events alone says too little about how certain a rate
 * is: the standard error of a count n is sqrt(dispersion * n), and the dispersion is measured.
 */
#include "analysis/diff/stats.h"

#include <math.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NO_TIE		(1 + 1e-9)	/* rounding does not decide */
#define PARTS_LEAST	3.0	/* with a quantile of their own */
#define PART_ABOVE	2.0	/* numbers above it, at least */
#define SCALES	3u		/* slices, pairs, runs of four */

/* ---- counts */

/* Chi-square over its degrees of freedom, for runs of `run` slices. False: too few of them. */
static bool
dispersion_of(const struct diff_slices *s, size_t run, double rate, double *phi, double *df)
{
	double	chi2 = 0;
	size_t	parts = 0;

	for (size_t i = 0; i < s->n; i += run) {
		double	x = 0, e = 0, expected;

		for (size_t k = i; k < i + run && k < s->n; k++) {
			x += (double)s->x[k];
			e += s->e[k];
		}
		expected = rate * e;
		if (!(expected > 0))
			continue;
		chi2 += (x - expected) * (x - expected) / expected;
		parts++;
	}
	if (parts < 2)
		return false;
	*df = (double)(parts - 1);
	*phi = chi2 / *df;
	return true;
}

double
diff_dispersion(const struct diff_slices *s, double floor, double *df)
{
	double	x = 0, e = 0, most = floor, phi, of;

	*df = 0;
	for (size_t i = 0; i < s->n; i++) {
		x += (double)s->x[i];
		e += s->e[i];
	}
	if (!(x > 0) || !(e > 0))
		return floor;
	for (size_t scale = 0, run = 1; scale < SCALES; scale++, run *= 2) {
		if (!dispersion_of(s, run, x / e, &phi, &of))
			break;
		most = phi > most ? phi : most;
		if (scale == 0)
			*df = of;
	}
	return most;
}

/* Cornish and Fisher: the t that has the probability of DIFF_Z. */
static double
t_of_z(double df)
{
	const double	z = DIFF_Z, z2 = z * z;
	double		g1 = z * (z2 + 1) / 4;
	double		g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
	double		g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;

	return z + g1 / df + g2 / (df * df) + g3 / (df * df * df);
}

double
diff_z_of_t(double t, double df)
{
	return df > 0 ? t * DIFF_Z / t_of_z(df) : t;
}

/* Fill in what follows from a, b and the standard error of their difference. */
static void
set_change(struct diff_rates *r, double se, double df)
{
	double	d = r->b - r->a;

	r->z = se > 0 ? diff_z_of_t(d / se, df) : 0;
	r->change = r->low = r->high = NAN;
	if (!(r->a > 0))
		return;
	if (df > 0)
		se *= t_of_z(df) / DIFF_Z;
	r->change = d / r->a;
	r->low = (d - DIFF_Z_SHOWN * se) / r->a;
	r->high = (d + DIFF_Z_SHOWN * se) / r->a;
	r->low = r->low < -1 ? -1 : r->low;
}

void
diff_rates(double a, double ta, double b, double tb, double phi, double df, struct diff_rates *out)
{
	*out = (struct diff_rates){ .a = ta > 0 ? a / ta : 0, .b = tb > 0 ? b / tb : 0 };
	if (ta > 0 && tb > 0)
		set_change(out, sqrt(phi * (a / (ta * ta) + b / (tb * tb))), df);
	else
		set_change(out, 0, 0);
}

static double
mean(const struct diff_values *s, double *variance)
{
	double	sum = 0, squares = 0, n = (double)s->n;

	for (size_t i = 0; i < s->n; i++)
		sum += s->v[i];
	sum /= n;
	for (size_t i = 0; i < s->n; i++)
		squares += (s->v[i] - sum) * (s->v[i] - sum);
	*variance = s->n > 1 ? squares / (n - n / s->worth) : 0;
	return sum;
}

double
diff_mean(const struct diff_values *v)
{
	double	variance;

	return mean(v, &variance);
}

double
diff_worth(const double *v, size_t n)
{
	double	m = diff_mean(&(struct diff_values){ v, n, (double)n }), next = 0, squares = 0;
	double	worth = (double)n;

	for (size_t i = 0; i < n; i++) {
		squares += (v[i] - m) * (v[i] - m);
		if (i + 1 < n)
			next += (v[i] - m) * (v[i + 1] - m);
	}
	if (n <= 2 || !(next > 0))
		return worth;
	worth *= (squares - next) / (squares + next);
	return worth > 2 ? worth : 2;
}

void
diff_means(const struct diff_values *a, const struct diff_values *b, double least,
    struct diff_rates *out)
{
	double	va, vb, se2, df;

	*out = (struct diff_rates){ .a = mean(a, &va), .b = mean(b, &vb) };
	va /= a->worth;
	vb /= b->worth;
	se2 = va + vb;
	df = a->worth + b->worth - 2;
	if (se2 > least * least * NO_TIE && a->n > 1 && b->n > 1)
		df = se2 * se2 / (va * va / (a->worth - 1) + vb * vb / (b->worth - 1));
	set_change(out, sqrt(se2 > least * least ? se2 : least * least), df);
}

double
diff_means_apart(const struct diff_values *a, const struct diff_values *b)
{
	double	va, vb, d = -mean(a, &va), s;

	d += mean(b, &vb);
	s = sqrt((va + vb) / 2);
	if (!(s > 0))
		return d > 0 ? INFINITY : d < 0 ? -INFINITY : 0;
	return diff_z_of_t(d / s * DIFF_Z / DIFF_APART, a->worth + b->worth - 2);
}

double
diff_lesser(double x, double y)
{
	if (!(x * y > 0))
		return 0;
	return fabs(x) < fabs(y) ? x : y;
}

/* ---- numbers */

SORT_ORDER(by_number, struct diff_number, RISING(v) RISING(part))

/* The ranks of one side: their sum and sum of squares, and by part. */
struct rank_sums {
	double	sum, squares;
	double	*part;			/* sums by part */
	double	*n;			/* how many ranks each part has */
};

static void
ranks_add(struct rank_sums *r, const struct diff_number *v, double rank)
{
	r->sum += rank;
	r->squares += rank * rank;
	r->part[v->part] += rank;
	r->n[v->part]++;
}

static size_t
tied(const struct diff_number *v, size_t i, size_t n, double value)
{
	size_t	k = i;

	while (k < n && !(v[k].v > value))
		k++;
	return k - i;
}

/* Rank all numbers, equal ones by the mean of their ranks. Returns the sum of t^3 - t over ties. */
static double
rank_all(const struct diff_number *a, size_t na, struct rank_sums *ra, const struct diff_number *b,
    size_t nb, struct rank_sums *rb)
{
	double	ties = 0, before = 0;

	for (size_t i = 0, k = 0; i < na || k < nb; ) {
		double	value = k >= nb || (i < na && a[i].v < b[k].v) ? a[i].v : b[k].v;
		size_t	ia = tied(a, i, na, value), kb = tied(b, k, nb, value);
		double	t = (double)(ia + kb), rank = before + (t + 1) / 2;

		for (size_t j = 0; j < ia; j++)
			ranks_add(ra, &a[i + j], rank);
		for (size_t j = 0; j < kb; j++)
			ranks_add(rb, &b[k + j], rank);
		ties += t * t * t - t;
		before += t;
		i += ia;
		k += kb;
	}
	return ties;
}

/* How much more the mean ranks of parts differ than those of parts drawn by chance. */
static double
rank_dispersion(const struct rank_sums *r, size_t n, uint32_t parts, double *df)
{
	double	of = (double)n, avg = r->sum / of, chi2 = 0;
	double	variance = n > 1 ? (r->squares - avg * r->sum) / (of - 1) : 0;
	size_t	used = 0;

	*df = 0;
	if (!(variance > 0))
		return 1;
	for (uint32_t i = 0; i < parts; i++) {
		double	d = r->part[i] - r->n[i] * avg;

		if (!(r->n[i] > 0))
			continue;
		chi2 += d * d / (r->n[i] * variance);
		used++;
	}
	*df = used > 1 ? (double)(used - 1) : 0;
	chi2 = used > 1 ? chi2 / *df : 1;
	return chi2 > 1 ? chi2 : 1;
}

static uint32_t
parts_of(const struct diff_number *v, size_t n)
{
	uint32_t	most = 0;

	for (size_t i = 0; i < n; i++)
		most = v[i].part > most ? v[i].part : most;
	return most + 1;
}

static void
ranks_init(struct rank_sums *r, uint32_t parts)
{
	*r = (struct rank_sums){ .part = mem_zalloc(parts, sizeof *r->part),
	    .n = mem_zalloc(parts, sizeof *r->n) };
}

static void
ranks_release(struct rank_sums *r)
{
	mem_free(r->part);
	mem_free(r->n);
}

double
diff_ranks(struct diff_number *a, size_t na, struct diff_number *b, size_t nb, double *dispersion)
{
	uint32_t	pa = parts_of(a, na), pb = parts_of(b, nb);
	double		x = (double)na, y = (double)nb, all = x + y, ties, u, variance, da, db;
	double		dfa, dfb;
	struct rank_sums	ra, rb;

	sort_array(a, na, sizeof *a, by_number);
	sort_array(b, nb, sizeof *b, by_number);
	ranks_init(&ra, pa);
	ranks_init(&rb, pb);
	ties = rank_all(a, na, &ra, b, nb, &rb);
	u = rb.sum - y * (y + 1) / 2 - x * y / 2;
	variance = x * y / 12 * (all + 1 - (all > 1 ? ties / (all * (all - 1)) : 0));
	da = rank_dispersion(&ra, na, pa, &dfa);
	db = rank_dispersion(&rb, nb, pb, &dfb);
	*dispersion = da > db ? da : db;
	ranks_release(&ra);
	ranks_release(&rb);
	u = variance > 0 ? diff_z_of_t(u / sqrt(variance * *dispersion), dfa + dfb) : 0;
	if (dfa + dfb > 0)
		*dispersion *= pow(t_of_z(dfa + dfb) / DIFF_Z, 2);
	return u;
}

struct diff_quantile
diff_quantile(const struct diff_number *v, size_t n, double q, double dispersion)
{
	double	of = (double)n, half = DIFF_Z_SHOWN * sqrt(of * q * (1 - q) * dispersion);
	double	k = ceil(of * q), low = floor(of * q - half), high = ceil(of * q + half) + 1;

	k = k < 1 ? 1 : k;
	return (struct diff_quantile){ .v = v[(size_t)k - 1].v,
	    .low = low < 1 ? 0 : v[(size_t)low - 1].v,
	    .high = high > of ? INFINITY : v[(size_t)high - 1].v };
}

void
diff_quantiles(const struct diff_quantile *a, const struct diff_quantile *b,
    struct diff_rates *out)
{
	double	ratio = a->v > 0 ? b->v / a->v : NAN;
	double	down = hypot(log(b->v / b->low), log(a->high / a->v));
	double	up = hypot(log(b->high / b->v), log(a->v / a->low));

	out->a = a->v;
	out->b = b->v;
	out->change = ratio - 1;
	out->low = a->v > 0 && b->v > 0 ? ratio * exp(-down) - 1 : NAN;
	out->high = a->v > 0 && b->v > 0 ? ratio * exp(up) - 1 : NAN;
}

/* ---- parts */

/* Sum and sum of squares of what n parts have. */
struct spread {
	double	sum, squares, n;
};

/* The quantiles of the parts with enough numbers to have one. */
static struct spread
part_quantiles(const struct diff_number *v, size_t n, double q)
{
	uint32_t	 parts = parts_of(v, n);
	size_t		*left = mem_zalloc(parts, sizeof *left);
	struct spread	 s = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		left[v[i].part]++;
	for (uint32_t i = 0; i < parts; i++)
		left[i] = (double)left[i] * (1 - q) >= PART_ABOVE ?
		    (size_t)ceil((double)left[i] * q) : 0;
	for (size_t i = 0; i < n; i++) {
		double	log_v = log(v[i].v > 1 ? v[i].v : 1);

		if (left[v[i].part] == 0 || --left[v[i].part] > 0)
			continue;
		s.sum += log_v;
		s.squares += log_v * log_v;
		s.n++;
	}
	mem_free(left);
	return s;
}

static double
spread_variance(const struct spread *s)
{
	double	v = (s->squares - s->sum * s->sum / s->n) / (s->n - 1);

	return v > 0 ? v : 0;
}

double
diff_apart(const struct diff_number *a, size_t na, const struct diff_number *b, size_t nb, double q,
    double ratio)
{
	struct spread	sa = part_quantiles(a, na, q), sb = part_quantiles(b, nb, q);
	double		s, d;

	if (sa.n < PARTS_LEAST || sb.n < PARTS_LEAST)
		return NAN;
	s = sqrt((spread_variance(&sa) + spread_variance(&sb)) / 2);
	d = log(ratio);
	if (!(s > 0))
		return d > 0 ? INFINITY : d < 0 ? -INFINITY : 0;
	return diff_z_of_t(d / s * DIFF_Z / DIFF_APART, sa.n + sb.n - 2);
}

/* ---- tails */

/* The number that so many of both sides are less than or equal to. */
static double
pooled(const struct diff_number *a, size_t na, const struct diff_number *b, size_t nb, size_t k)
{
	size_t	i = 0, j = 0;
	double	v = 0;

	while (i + j < k && i + j < na + nb) {
		if (j >= nb || (i < na && a[i].v < b[j].v))
			v = a[i++].v;
		else
			v = b[j++].v;
	}
	return v;
}

/* By part: how many numbers there are, and how many are greater than c. Returns the sum of
   the latter. */
static size_t
count_above(const struct diff_number *v, size_t n, double c, uint32_t parts,
    struct diff_slices *out)
{
	float	*x = mem_zalloc(parts, sizeof *x);
	double	*e = mem_zalloc(parts, sizeof *e);
	size_t	 above = 0;

	for (size_t i = 0; i < n; i++) {
		e[v[i].part]++;
		if (v[i].v > c) {
			x[v[i].part]++;
			above++;
		}
	}
	*out = (struct diff_slices){ x, e, parts };
	return above;
}

double
diff_tail(const struct diff_number *a, size_t na, const struct diff_number *b, size_t nb, double q,
    size_t *above)
{
	double			c = pooled(a, na, b, nb, (size_t)ceil((double)(na + nb) * q));
	struct diff_slices	sa, sb;
	size_t			xa = count_above(a, na, c, parts_of(a, na), &sa);
	size_t			xb = count_above(b, nb, c, parts_of(b, nb), &sb);
	double			dfa, dfb;
	double			pa = diff_dispersion(&sa, 1, &dfa);
	double			pb = diff_dispersion(&sb, 1, &dfb);
	struct diff_rates	r;

	diff_rates((double)xa, (double)na, (double)xb, (double)nb, pa > pb ? pa : pb, dfa + dfb,
	    &r);
	*above = xa + xb;
	mem_free(sa.x);
	mem_free(sa.e);
	mem_free(sb.x);
	mem_free(sb.e);
	return r.z;
}

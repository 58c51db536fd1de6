/*
 * What the spans of each name come to.
 *
 *	durs	[ of name 0 .......... ][ of name 1 ... ]	one after another
 *
 * Percentiles are found by selection. Durations take 8 bytes a span: beyond some 60,000 they lie in
 * a file (io/scratch).
 *
 * Invariant: a percentile is the duration of a span, whatever their number.
 */
#include "analysis/spans/sums.h"

#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/io/scratch.h"

struct sums {
	struct span_sum		*sum;		/* by name */
	size_t			 n, cap;
	uint64_t		 seed;
	struct scratch		*come;		/* of spans as they come: struct come */
	uint64_t		*end;		/* of each name's durations so far */
	struct scratch		*dur;
	int64_t			*durs;		/* all of them */
	bool			 no_room;
};

/* Which spans are summed: those that begin in [from, to). */
struct range {
	const struct spans	*s;
	int64_t			 from, to;
	atomic_bool		*stop;		/* once it is set, no matter which; or NULL */
};

struct come {
	int64_t		dur;
	uint64_t	name;
};

#define DECADE(n)	1 * (n), 2 * (n), 5 * (n)
#define E(n)		INT64_C(1##n)

static const int64_t	bucket_from[SPAN_BUCKETS] = {
	0, DECADE(E()), DECADE(E(0)), DECADE(E(00)), DECADE(E(000)), DECADE(E(0000)),
	DECADE(E(00000)), DECADE(E(000000)), DECADE(E(0000000)), DECADE(E(00000000)),
	DECADE(E(000000000)), DECADE(E(0000000000)), DECADE(E(00000000000)),
	DECADE(E(000000000000)), E(0000000000000),
};

int64_t
span_bucket_from(unsigned bucket)
{
	return bucket_from[bucket];
}

/* Of each power of two. */
static const uint8_t	bucket_of_power[63] = {
	1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14, 15, 16, 17, 18,
	19, 20, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 29, 30, 31, 32, 33,
	34, 35, 36, 37, 38, 38, 39, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40,
	40, 40, 40, 40, 40, 40, 40, 40, 40,
};

/* From one power of two to the next no more than one bucket begins. No guess is to be missed: that
   takes longer than all else here. */
unsigned
span_bucket(int64_t dur)
{
	unsigned	b;

	if (dur <= 0)
		return 0;
	b = bucket_of_power[63 - __builtin_clzll((unsigned long long)dur)];
	return b + (b + 1 < SPAN_BUCKETS && bucket_from[b + 1] <= dur);
}

static void
add_saturated(int64_t *to, int64_t v)
{
	if (__builtin_add_overflow(*to, v, to))
		*to = v < 0 ? INT64_MIN : INT64_MAX;
}

static void
sum_add(struct span_sum *m, const struct span_record *r, bool has, int64_t dur)
{
	m->states[r->state]++;
	if (!has)
		return;
	m->doubtful += (r->flags & SPAN_DOUBTFUL) != 0;
	m->cross += r->thread != r->stop_thread;
	if (m->n == 0 || dur < m->min)
		m->min = dur;
	if (m->n == 0 || dur > m->max)
		m->max = dur;
	m->n++;
	add_saturated(&m->total, dur);
	m->bucket[span_bucket(dur)]++;
}

static void
dur_swap(int64_t *a, int64_t *b)
{
	int64_t	x = *a;

	*a = *b;
	*b = x;
}

/* Of durations [lo, hi), the one that stands at k when they are sorted; those before it stand
   before it afterwards. The pivot is chosen by a seeded hash: nobody can make it slow. */
static int64_t
dur_select(const struct sums *n, uint64_t lo, uint64_t hi, uint64_t k)
{
	int64_t	*d = n->durs;

	while (hi - lo > 1) {
		int64_t		pivot = d[lo + hash_pair(n->seed, lo, hi) % (hi - lo)];
		uint64_t	less = lo, more = hi;

		for (uint64_t i = lo; i < more;) {
			int64_t	v = d[i];

			if (v < pivot) {
				dur_swap(&d[i], &d[less]);
				less++;
				i++;
			} else if (v > pivot) {
				more--;
				dur_swap(&d[i], &d[more]);
			} else {
				i++;
			}
		}
		if (k < less)
			hi = less;
		else if (k >= more)
			lo = more;
		else
			return pivot;
	}
	return d[lo];
}

/* The rank of parts of a thousand, from 0. */
static uint64_t
rank_of(uint64_t n, unsigned permille)
{
	uint64_t	k = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;

	return k > 0 ? k - 1 : 0;
}

static void
name_ranks(struct sums *n, uint32_t i, uint64_t from)
{
	struct span_sum	*m = &n->sum[i];
	uint64_t	 end = from + m->n;

	if (m->n == 0)
		return;
	/* What stands behind a rank is no less: the next one is looked for there alone. */
	m->p50 = dur_select(n, from, end, from + rank_of(m->n, 500));
	m->p90 = dur_select(n, from + rank_of(m->n, 500), end, from + rank_of(m->n, 900));
	m->p99 = dur_select(n, from + rank_of(m->n, 900), end, from + rank_of(m->n, 990));
	m->p999 = dur_select(n, from + rank_of(m->n, 990), end, from + rank_of(m->n, 999));
}

/* Room for the durations of all names, one name behind the other. */
static bool
durs_room(struct sums *n)
{
	uint64_t	all = 0;

	n->end = mem_zalloc(n->n + 1, sizeof *n->end);
	for (size_t i = 0; i < n->n; i++) {
		n->end[i] = all;
		all += n->sum[i].n;
	}
	n->dur = scratch_new(sizeof *n->durs);
	n->durs = scratch_fill(n->dur, all);
	return n->durs != NULL;
}

static void
sum_one(struct sums *n, const struct spans *s, const struct span_record *r, bool durs)
{
	int64_t	dur = 0;
	bool	has = spans_dur(s, r, &dur);

	if (!durs) {
		sum_add(&n->sum[r->name], r, has, dur);
		if (has)
			add_saturated(&n->sum[r->name].self, r->self);
	} else if (has)
		n->durs[n->end[r->name]++] = dur;
}

/* Those of a run of records; false: all after it begin later, too. */
static bool
run_add(struct sums *n, const struct span_record *r, size_t run, const struct range *w, bool durs)
{
	bool	before = true;

	for (size_t k = 0; k < run; k++, r++) {
		int64_t	at = r->row != SPAN_NO_ROW ? r->start : r->stop;

		before = at < w->to || w->to == INT64_MAX;
		if ((r->flags & SPAN_CHOSEN) != 0 && at >= w->from && before)
			sum_one(n, w->s, r, durs);
	}
	return before;
}

static void
sums_add(struct sums *n, const struct range *w, bool durs)
{
	uint64_t	count = spans_count(w->s), i = 0;
	bool		ordered = trace_ordered(w->s->t);
	size_t		run;

	if (ordered && w->from > INT64_MIN)
		i = spans_from_moment(w->s, w->from, 0);
	for (; i < count && !(w->stop != NULL && atomic_load(w->stop)); i += run) {
		const struct span_record	*r = scratch_run(w->s->record, i, &run);

		if (!run_add(n, r, run, w, durs) && ordered)
			return;
	}
}

uint64_t
sum_all(const struct span_sum *m)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i < SPAN_STATES; i++)
		n += m->states[i];
	return n;
}

static void
all_ranks(struct sums *n)
{
	uint64_t	first = 0;

	for (size_t i = 0; i < n->n && !n->no_room; i++) {
		name_ranks(n, (uint32_t)i, first);
		first += n->sum[i].n;
	}
}

static void
durs_release(struct sums *n)
{
	scratch_free(n->dur);
	n->dur = NULL;
	mem_free(n->end);
	n->end = NULL;
}

struct sums *
sums_until(const struct spans *s, int64_t from, int64_t to, atomic_bool *stop)
{
	const struct range	 w = { .s = s, .from = from, .to = to, .stop = stop };
	struct sums		*n = mem_zalloc(1, sizeof *n);

	n->n = spans_names(s);
	n->seed = hash_seed();
	n->sum = mem_zalloc(n->n + 1, sizeof *n->sum);
	sums_add(n, &w, false);
	n->no_room = !durs_room(n);
	if (!n->no_room)
		sums_add(n, &w, true);
	if (stop == NULL || !atomic_load(stop))
		all_ranks(n);
	durs_release(n);
	return n;
}

struct sums *
sums_new(const struct spans *s, int64_t from, int64_t to)
{
	return sums_until(s, from, to, NULL);
}

/* ---- as they come */

struct sums *
sums_begin(void)
{
	struct sums	*n = mem_zalloc(1, sizeof *n);

	n->seed = hash_seed();
	n->come = scratch_new(sizeof(struct come));
	return n;
}

static struct span_sum *
sum_of(struct sums *n, uint32_t name)
{
	if (name >= n->n) {
		n->sum = mem_grow(n->sum, &n->cap, (size_t)name + 1, sizeof *n->sum);
		memset(n->sum + n->n, 0, (name + 1 - n->n) * sizeof *n->sum);
		n->n = (size_t)name + 1;
	}
	return &n->sum[name];
}

void
sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur)
{
	struct come	*c;

	sum_add(sum_of(n, r->name), r, has, dur);
	if (!has || n->no_room)
		return;
	c = scratch_add(n->come);
	n->no_room = c == NULL;
	if (c != NULL)
		*c = (struct come){ .dur = dur, .name = r->name };
}

void
sums_put_self(struct sums *n, uint32_t name, int64_t self)
{
	add_saturated(&sum_of(n, name)->self, self);
}

/* ---- parts */

struct sums_part {
	struct span_sum	*sum;		/* by name */
	bool		*has;
	size_t		 n, cap, has_cap;
	uint32_t	*name;		/* that have any */
	size_t		 nnames, names_cap;
	struct come	*come;
	size_t		 ncome, come_cap;
};

struct sums_part *
sums_part_new(void)
{
	return mem_zalloc(1, sizeof(struct sums_part));
}

void
sums_part_free(struct sums_part *p)
{
	if (p == NULL)
		return;
	mem_free(p->sum);
	mem_free(p->has);
	mem_free(p->name);
	mem_free(p->come);
	mem_free(p);
}

void
sums_part_clear(struct sums_part *p)
{
	for (size_t i = 0; i < p->nnames; i++) {
		p->sum[p->name[i]] = (struct span_sum){ .n = 0 };
		p->has[p->name[i]] = false;
	}
	p->nnames = p->ncome = 0;
}

static void
part_name(struct sums_part *p, uint32_t name)
{
	if (name >= p->n) {
		p->sum = mem_grow(p->sum, &p->cap, (size_t)name + 1, sizeof *p->sum);
		p->has = mem_grow(p->has, &p->has_cap, (size_t)name + 1, sizeof *p->has);
		memset(p->sum + p->n, 0, (name + 1 - p->n) * sizeof *p->sum);
		memset(p->has + p->n, 0, (name + 1 - p->n) * sizeof *p->has);
		p->n = (size_t)name + 1;
	}
	if (p->has[name])
		return;
	p->has[name] = true;
	p->name = mem_grow(p->name, &p->names_cap, p->nnames + 1, sizeof *p->name);
	p->name[p->nnames++] = name;
}

void
sums_part_put(struct sums_part *p, const struct span_record *r, bool has, int64_t dur)
{
	part_name(p, r->name);
	sum_add(&p->sum[r->name], r, has, dur);
	if (!has)
		return;
	if (p->ncome == p->come_cap)
		p->come = mem_grow(p->come, &p->come_cap, p->ncome + 1, sizeof *p->come);
	p->come[p->ncome++] = (struct come){ .dur = dur, .name = r->name };
}

void
sums_part_self(struct sums_part *p, uint32_t name, int64_t self)
{
	add_saturated(&p->sum[name].self, self);
}

static void
sum_join(struct span_sum *m, const struct span_sum *from)
{
	for (unsigned i = 0; i < SPAN_STATES; i++)
		m->states[i] += from->states[i];
	m->doubtful += from->doubtful;
	m->cross += from->cross;
	if (from->n > 0 && (m->n == 0 || from->min < m->min))
		m->min = from->min;
	if (from->n > 0 && (m->n == 0 || from->max > m->max))
		m->max = from->max;
	m->n += from->n;
	add_saturated(&m->total, from->total);
	add_saturated(&m->self, from->self);
	for (unsigned b = 0; b < SPAN_BUCKETS; b++)
		m->bucket[b] += from->bucket[b];
}

void
sums_take(struct sums *n, const struct sums_part *p)
{
	for (size_t i = 0; i < p->nnames; i++)
		sum_join(sum_of(n, p->name[i]), &p->sum[p->name[i]]);
	n->no_room = n->no_room || scratch_append(n->come, p->come, p->ncome) < p->ncome;
}

static void
put_durs(struct sums *n)
{
	uint64_t	count = scratch_n(n->come);
	size_t		run;

	for (uint64_t i = 0; i < count; i += run) {
		const struct come	*c = scratch_run(n->come, i, &run);

		for (size_t k = 0; k < run; k++)
			n->durs[n->end[c[k].name]++] = c[k].dur;
	}
}

void
sums_end(struct sums *n)
{
	n->no_room = n->no_room || !durs_room(n);
	if (!n->no_room)
		put_durs(n);
	all_ranks(n);
	durs_release(n);
	scratch_free(n->come);
	n->come = NULL;
}

void
sums_free(struct sums *n)
{
	if (n == NULL)
		return;
	scratch_free(n->come);
	mem_free(n->sum);
	mem_free(n);
}

/* Names that came since have no spans. */
const struct span_sum *
sums_at(const struct sums *n, uint32_t i)
{
	static const struct span_sum	none;

	return i < n->n ? &n->sum[i] : &none;
}

const char *
sums_error(const struct sums *n)
{
	return n->no_room ? "no percentiles: no room for a temporary file" :
	    NULL;
}

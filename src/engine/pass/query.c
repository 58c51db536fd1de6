/*
 * A filter over rows, decided piece by piece from a starting row outward.
 *
 *	rows     |----|xxxx|xxxxxx|near|xxx|-------|xx|----|     x: decided
 *	records        3     0      17  1           2            sorted, hits each
 *	bits                      [10010]                        of a few views lately used
 *
 * A record is a count over a run of rows that lie in one view; which of them match is found again
 * when it is asked for, and kept as bits for the views last asked about.
 *
 * Invariant: records never overlap; those of rows that may still move are dropped when the trace
 * says that something changed. Architecture: "From rows to cells".
 */
#include "tnav/engine/query.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define BITS_KEPT	8u
#define TYPES_MOST	4096u	/* more are not asked for their counts */

struct record {
	uint64_t	row0;
	uint64_t	before;		/* hits of the records below; up to date below q->summed */
	uint32_t	n, hits;
	bool		final;
};

struct bits {
	uint64_t	 row0, generation, used;
	uint32_t	 n, known;	/* rows, and how many of them are decided, from the first */
	bool		 final;
	uint8_t		*set;
};

struct query {
	struct trace		*t;
	struct filter		*f;		/* NULL: every row is a hit */
	struct filter_eval	*eval;
	uint64_t		 row0, row1;
	uint64_t		 near, up, down;	/* [down, up) is decided */
	uint64_t		 generation;
	struct record		*rec;
	size_t			 n, cap, summed;
	uint64_t		 decided, hits;
	struct bits		 bits[BITS_KEPT];
	uint32_t		*count;		/* scratch: events by type */
	uint64_t		 clock;		/* of use, for bits */
};

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The end of the rows there are now. */
static uint64_t
query_end(const struct query *q)
{
	return max_u64(q->row0, min_u64(q->row1, trace_rows(q->t)));
}

struct query *
query_new(struct trace *t, struct filter *f, uint64_t row0, uint64_t row1, uint64_t near)
{
	struct query	*q = mem_zalloc(1, sizeof *q);

	q->t = t;
	q->f = f;
	q->eval = f != NULL ? filter_eval_new(f, t) : NULL;
	q->row0 = row0;
	q->row1 = row1;
	q->near = max_u64(row0, min_u64(near, query_end(q)));
	q->up = q->down = q->near;
	q->generation = trace_generation(t);
	return q;
}

void
query_free(struct query *q)
{
	if (q == NULL)
		return;
	for (unsigned i = 0; i < BITS_KEPT; i++)
		mem_free(q->bits[i].set);
	mem_free(q->rec);
	mem_free(q->count);
	filter_eval_free(q->eval);
	filter_free(q->f);
	mem_free(q);
}

bool
query_matches(struct query *q, const struct event *e)
{
	return q->f == NULL || filter_match(q->eval, e);
}

uint32_t
query_batch(const struct query *q)
{
	return filter_batch(q != NULL ? q->f : NULL);
}

/* ---- records */

/* The first record that ends behind the row: it holds the row, or lies above it. */
static size_t
record_at(const struct query *q, uint64_t row)
{
	size_t	lo = 0, hi = q->n;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;

		if (q->rec[mid].row0 + q->rec[mid].n <= row)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
record_holds(const struct query *q, size_t i, uint64_t row)
{
	return i < q->n && q->rec[i].row0 <= row;
}

static void
record_insert(struct query *q, size_t i, struct record r)
{
	q->rec = mem_grow(q->rec, &q->cap, q->n + 1, sizeof *q->rec);
	memmove(q->rec + i + 1, q->rec + i, (q->n - i) * sizeof *q->rec);
	q->rec[i] = r;
	q->n++;
	q->decided += r.n;
	q->hits += r.hits;
	if (q->summed > i)
		q->summed = i;
}

static void
records_sum(struct query *q)
{
	for (; q->summed < q->n; q->summed++) {
		const struct record	*below = q->summed > 0 ? &q->rec[q->summed - 1] : NULL;

		q->rec[q->summed].before = below != NULL ? below->before + below->hits : 0;
	}
}

/* Rows that were not final may have moved since: forget what is known of them. */
static void
refresh(struct query *q)
{
	uint64_t	generation = trace_generation(q->t);
	size_t		kept = 0;

	if (generation == q->generation)
		return;
	q->generation = generation;
	for (size_t i = 0; i < q->n; i++) {
		struct record	r = q->rec[i];

		if (r.final) {
			q->rec[kept++] = r;
			continue;
		}
		q->decided -= r.n;
		q->hits -= r.hits;
		q->up = max_u64(q->near, min_u64(q->up, r.row0));
		q->down = min_u64(q->near, max_u64(q->down, r.row0 + r.n));
		q->summed = min_u64(q->summed, kept);
	}
	q->n = kept;
}

/* ---- bits */

static bool
bit_at(const struct bits *b, uint64_t row)
{
	uint64_t	i = row - b->row0;

	return b->set[i / 8] >> (i % 8) & 1;
}

static bool
bits_hold(const struct query *q, const struct bits *b, uint64_t row)
{
	return b->n > 0 && row >= b->row0 && row - b->row0 < b->n &&
	    (b->final || b->generation == q->generation);
}

static uint32_t
bits_count(const struct bits *b, uint64_t from, uint64_t to)
{
	uint32_t	n = 0;

	for (; from < to; from++)
		n += bit_at(b, from);
	return n;
}

/* The bits of the view that holds the row, perhaps none of them known yet; NULL: no such row. */
static struct bits *
bits_get(struct query *q, uint64_t row)
{
	const struct slice_view	*v;
	struct bits		*b = &q->bits[0];

	for (unsigned i = 0; i < BITS_KEPT; i++) {
		if (bits_hold(q, &q->bits[i], row)) {
			q->bits[i].used = ++q->clock;
			return &q->bits[i];
		}
		if (q->bits[i].used < b->used)
			b = &q->bits[i];
	}
	if (trace_view_get(q->t, row, &v) <= 0)
		return NULL;
	mem_free(b->set);
	*b = (struct bits){ .row0 = v->row0, .n = v->n, .final = v->final,
	    .generation = q->generation, .used = ++q->clock,
	    .set = mem_zalloc((size_t)v->n / 8 + 1, 1) };
	trace_view_put(q->t, v);
	return b;
}

/* Decide a batch of events. False: the view can't be had any more. */
static bool
bits_batch(struct query *q, struct bits *b)
{
	const struct slice_view	*v;
	uint64_t		 row = b->row0 + b->known, end;

	if (trace_view_get(q->t, row, &v) <= 0)
		return false;
	end = min_u64(min_u64(b->row0 + b->n, v->row0 + v->n), row + query_batch(q));
	for (; row < end; row++, b->known++)
		if (q->f == NULL || filter_match_row(q->eval, &v->ev[row - v->row0], row))
			b->set[b->known / 8] |= (uint8_t)(1u << b->known % 8);
	trace_view_put(q->t, v);
	return true;
}

/* All bits, or as many as the time allows. Rows that can't be read are no hits. */
static bool
bits_decide(struct query *q, struct bits *b, int64_t deadline)
{
	while (b->known < b->n) {
		if (!bits_batch(q, b))
			b->known = b->n;
		if (b->known < b->n && job_now_ns() >= deadline)
			return false;
	}
	return true;
}

/* Record what is decided of a view, but for the rows that have a record already. */
static void
record_bits(struct query *q, const struct bits *b)
{
	uint64_t	row = max_u64(b->row0, q->row0);
	uint64_t	end = min_u64(b->row0 + b->n, query_end(q));

	while (row < end) {
		size_t		i = record_at(q, row);
		uint64_t	to = i < q->n ? min_u64(end, q->rec[i].row0) : end;

		if (record_holds(q, i, row)) {
			row = q->rec[i].row0 + q->rec[i].n;
			continue;
		}
		record_insert(q, i, (struct record){ .row0 = row, .n = (uint32_t)(to - row),
		    .hits = bits_count(b, row, to), .final = b->final });
		row = to;
	}
}

/* Rows around this one whose view can't be had: decided, as no hits. */
static void
record_lost(struct query *q, uint64_t row)
{
	uint64_t	row0 = row, end = row + 1;
	uint32_t	n = 1;
	size_t		i = record_at(q, row);

	if (record_holds(q, i, row))
		return;
	if (trace_view_rows(q->t, row, &row0, &n))
		end = row0 + n;
	row0 = max_u64(row0, i > 0 ? q->rec[i - 1].row0 + q->rec[i - 1].n : q->row0);
	end = min_u64(end, i < q->n ? q->rec[i].row0 : query_end(q));
	record_insert(q, i, (struct record){ .row0 = row0, .n = (uint32_t)(end - row0) });
}

/* ---- steps */

static int64_t
deadline_of(int64_t budget_ns)
{
	int64_t	now = job_now_ns();

	return budget_ns > INT64_MAX - now ? INT64_MAX : now + budget_ns;
}

/*
 * Decide the view of the row by its types' counts, without decoding it: if the filter asks for
 * nothing but types, and all of the view is wanted and undecided.
 */
static bool
decide_by_types(struct query *q, uint64_t row)
{
	uint32_t	n = trace_types(q->t), rows = 0;
	struct record	r = { .final = true };
	size_t		i;

	if (n > TYPES_MOST)
		return false;
	q->count = mem_realloc(q->count, n + 1, sizeof *q->count);
	memset(q->count, 0, n * sizeof *q->count);
	if (!trace_slice_types(q->t, row, &r.row0, &rows, q->count, n) ||
	    r.row0 < q->row0 || r.row0 + rows > query_end(q))
		return false;
	i = record_at(q, r.row0);
	if (i < q->n && q->rec[i].row0 < r.row0 + rows)
		return false;
	for (uint32_t type = 0; type < n; type++) {
		int	verdict = q->count[type] > 0 ? filter_type_verdict(q->eval, type) : 0;

		if (verdict < 0)
			return false;
		r.hits += verdict > 0 ? q->count[type] : 0;
	}
	r.n = rows;
	record_insert(q, i, r);
	return true;
}

/* Decide the view of the row: 1 done, 0 time is up. */
static int
decide(struct query *q, uint64_t row, int64_t deadline)
{
	struct bits	*b;

	if (decide_by_types(q, row))
		return 1;
	b = bits_get(q, row);
	if (b == NULL) {
		record_lost(q, row);
		return 1;
	}
	if (!bits_decide(q, b, deadline))
		return 0;
	record_bits(q, b);
	return 1;
}

/* The undecided row that is nearest to the start; false: there is none. */
static bool
next_row(struct query *q, uint64_t *row)
{
	uint64_t	end = query_end(q);
	size_t		i;

	q->down = min_u64(q->down, end);
	for (i = record_at(q, q->up); record_holds(q, i, q->up); i++)
		q->up = q->rec[i].row0 + q->rec[i].n;
	while (q->down > q->row0 && record_holds(q, i = record_at(q, q->down - 1), q->down - 1))
		q->down = q->rec[i].row0;
	if (q->up < end && (q->down <= q->row0 || q->up - q->near <= q->near - q->down)) {
		*row = q->up;
		return true;
	}
	*row = q->down - 1;
	return q->down > q->row0;
}

bool
query_step(struct query *q, int64_t budget_ns)
{
	int64_t		deadline = deadline_of(budget_ns);
	uint64_t	row;

	if (q->f == NULL)
		return true;
	refresh(q);
	while (next_row(q, &row))
		if (decide(q, row, deadline) == 0 || job_now_ns() >= deadline)
			break;
	return query_done(q);
}

bool
query_done(const struct query *q)
{
	return q->f == NULL || (q->generation == trace_generation(q->t) &&
	    q->decided >= query_end(q) - q->row0);
}

uint64_t
query_hits(const struct query *q)
{
	return q->f == NULL ? query_end(q) - q->row0 : q->hits;
}

double
query_share(const struct query *q)
{
	uint64_t	all = query_end(q) - q->row0, some = q->decided;

	if (q->f == NULL || q->decided >= all)
		return 1;
	for (unsigned i = 0; i < BITS_KEPT; i++)	/* the view that is being decided */
		if (q->bits[i].known < q->bits[i].n)
			some += q->bits[i].known;
	return (double)min_u64(some, all - 1) / (double)all;
}

const char *
query_remark(const struct query *q)
{
	if (q->eval == NULL)
		return NULL;
	return filter_costly(q->eval) > 0 ? "the pattern is too costly on some" : NULL;
}

/* ---- answers */

/* The bits at a row that is decided, however long that takes: it took as long before. */
static struct bits *
bits_again(struct query *q, uint64_t row)
{
	struct bits	*b = bits_get(q, row);

	if (b != NULL)
		(void)bits_decide(q, b, INT64_MAX);
	return b;
}

int
query_row(struct query *q, uint64_t i, uint64_t *row)
{
	size_t	lo = 0, hi = q->n;

	if (q->f == NULL) {
		*row = q->row0 + i;
		return i < query_end(q) - q->row0;
	}
	refresh(q);
	if (i >= q->hits)
		return 0;
	records_sum(q);
	hi = q->n;
	while (hi - lo > 1) {		/* the last record with at most i hits before it */
		size_t	mid = lo + (hi - lo) / 2;

		if (q->rec[mid].before <= i)
			lo = mid;
		else
			hi = mid;
	}
	i -= q->rec[lo].before;
	for (uint64_t r = q->rec[lo].row0, end = r + q->rec[lo].n; r < end; ) {
		const struct bits	*b = bits_again(q, r);

		if (b == NULL)
			break;
		for (; r < end && r < b->row0 + b->n; r++) {
			if (bit_at(b, r) && i-- == 0) {
				*row = r;
				return 1;
			}
		}
	}
	return 0;
}

uint64_t
query_index(struct query *q, uint64_t row)
{
	size_t		i;
	uint64_t	n;

	if (q->f == NULL)
		return max_u64(q->row0, min_u64(row, query_end(q))) - q->row0;
	refresh(q);
	records_sum(q);
	i = record_at(q, row);
	if (i == q->n)
		return q->hits;
	n = q->rec[i].before;
	for (uint64_t r = q->rec[i].row0; r < row; ) {
		const struct bits	*b = bits_again(q, r);
		uint64_t		 to;

		if (b == NULL)
			break;
		to = min_u64(row, b->row0 + b->n);
		n += bits_count(b, r, to);
		r = to;
	}
	return n;
}

/* Look for a hit at the row and onward within its view: 1 found, 0 none, *row then lies beyond. */
static int
seek_in_view(struct query *q, const struct bits *b, int dir, uint64_t *row)
{
	if (dir > 0) {
		uint64_t	end = min_u64(b->row0 + b->n, query_end(q));

		for (; *row < end; ++*row)
			if (bit_at(b, *row))
				return 1;
		return 0;
	}
	for (uint64_t start = max_u64(b->row0, q->row0);; --*row) {
		if (bit_at(b, *row))
			return 1;
		if (*row == start)
			break;
	}
	--*row;		/* wraps below row 0, which the caller takes for the end */
	return 0;
}

int
query_seek(struct query *q, uint64_t row, int dir, int64_t budget_ns, uint64_t *out)
{
	int64_t		deadline = deadline_of(budget_ns);
	uint64_t	end;

	refresh(q);
	end = query_end(q);
	if (dir > 0)
		row = max_u64(row, q->row0);
	else if (end > 0)
		row = min_u64(row, end - 1);
	while (row >= q->row0 && row < end) {
		size_t			 i = record_at(q, row);
		const struct bits	*b;
		bool			 decided = record_holds(q, i, row);

		*out = row;
		if (q->f == NULL)
			return 1;
		if (decided && q->rec[i].hits == 0) {
			row = dir > 0 ? q->rec[i].row0 + q->rec[i].n : q->rec[i].row0 - 1;
			continue;
		}
		if (!decided && decide(q, row, deadline) == 0)
			return ERR_CANCELED;
		b = bits_again(q, row);
		if (b == NULL) {		/* the file changed since it was decided */
			uint64_t	row0 = row;
			uint32_t	n = 1;

			(void)trace_view_rows(q->t, row, &row0, &n);
			row = dir > 0 ? row0 + n : row0 - 1;
			if (job_now_ns() >= deadline && row >= q->row0 && row < end)
				return ERR_CANCELED;
			continue;
		}
		if (seek_in_view(q, b, dir, &row) == 1) {
			*out = row;
			return 1;
		}
		if (row >= q->row0 && row < end && job_now_ns() >= deadline)
			return ERR_CANCELED;
	}
	return 0;
}

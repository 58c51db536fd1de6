/*
 * Slices: a region's events cut by time.
 *
 *	segments in time     [====a====]               cuts are chosen by the segments' times
 *	                  [==b==]   [===c===]          and counts; segments that straddle a
 *	slices           |    0    |    1    |         cut are decoded, for exact counts
 *
 * Cuts are (time, file offset), so that even events of one tick can be cut.
 *
 * Invariant: each event of a region is in exactly one of its slices, in the order of (time, file
 * offset).
 * Format: NetTrace V4, "Event TimeStamp sorting", rule 1.
 */
#include "engine/view/cut.h"


#include "engine/view/decode.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define CUTS_MOST	64u	/* cuts of an interval that is cut again */
#define CUT_DEPTH	16u

struct cutter {
	struct trace		*t;
	const struct region	*r;
	struct segment_list	 of;
	struct slice_list	*out;
	uint64_t		 row;
	struct decoded		 decoded;
};

struct edge {
	int64_t	ts;
	double	rate;		/* change of the events per tick at this time */
};

SORT_ORDER(edge_compare, struct edge, RISING(ts))

static uint64_t
list_at(struct segment_list of, uint64_t i)
{
	return of.v != NULL ? of.v[i] : i;
}

static const struct segment *
segment_at(const struct cutter *c, uint64_t i)
{
	return segvec_at(&c->t->index.segments, c->r->seg0 + list_at(c->of, i));
}

static void
cut_add(struct cutter *c, struct order_key lo, struct order_key hi, uint64_t n)
{
	struct slice_list	*l = c->out;

	if (n == 0)
		return;
	ARRAY_ADD(l->s, l->n, l->cap, (struct slice){
		.row0 = c->row, .n = (uint32_t)n, .lo = lo, .hi = hi,
		.tmost = hi.off == 0 && hi.ts > lo.ts ? hi.ts - 1 : hi.ts,
	});
	c->row += n;
}

/*
 * Choose times with about goal events between them, as if the events of each segment were spread
 * evenly over its time. Returns how many; they are ascending and different.
 */
static size_t
cuts_estimate(const struct cutter *c, struct order_key **cuts)
{
	size_t		 n = c->of.n, most = (size_t)(c->r->events / SLICE_GOAL) + 1;
	struct edge	*e = mem_alloc(n * 2 * sizeof *e);
	double		 rate = 0, sum = 0;
	size_t		 k = 0;

	*cuts = mem_alloc(most * sizeof **cuts);
	for (size_t i = 0; i < n; i++) {
		const struct segment	*g = segment_at(c, i);
		double				 d = g->n / ((double)g->tmax - (double)g->tmin + 1);
		int64_t				 from = g->tmin, to = g->tmax;

		/* A segment of joined traces may have events of other regions. */
		from = from < c->r->tmin ? c->r->tmin : from;
		to = to > c->r->tmax ? c->r->tmax : to;
		e[i * 2] = (struct edge){ from, d };
		e[i * 2 + 1] = (struct edge){ to, -d };
	}
	sort_array(e, n * 2, sizeof *e, edge_compare);
	for (size_t i = 0; i + 1 < n * 2 && k < most; i++) {
		double	from = (double)e[i].ts, width = (double)e[i + 1].ts - from;

		rate += e[i].rate;
		while (rate > 0 && sum + rate * width >= SLICE_GOAL && k < most) {
			double	step = (SLICE_GOAL - sum) / rate;
			int64_t	at = e[i].ts + (int64_t)(from + step - (double)e[i].ts);

			from += step;
			width -= step;
			sum = 0;
			if (k == 0 || at > (*cuts)[k - 1].ts)
				(*cuts)[k++] = (struct order_key){ at, 0 };
		}
		sum += rate * width;
	}
	mem_free(e);
	return k;
}

/* Cut [lo, hi) into equal parts in time, or, if it is one tick, at starts of segments. */
static size_t
cuts_equal(const struct cutter *c, struct order_key lo, struct order_key hi,
    struct order_key **cuts)
{
	uint64_t	width = (uint64_t)hi.ts - (uint64_t)lo.ts, events = 0;
	size_t		k = 0;

	if (width > 1) {
		uint64_t	parts = width < CUTS_MOST ? width : CUTS_MOST;

		*cuts = mem_alloc(parts * sizeof **cuts);
		for (uint64_t i = 1; i < parts; i++) {
			uint64_t	at = width / parts * i + width % parts * i / parts;

			(*cuts)[k++] = (struct order_key){ (int64_t)((uint64_t)lo.ts + at), 0 };
		}
		if (hi.off != 0)
			(*cuts)[k++] = (struct order_key){ hi.ts, 0 };
		return k;
	}
	*cuts = mem_alloc((c->of.n + 1) * sizeof **cuts);
	if (width == 1 && hi.off != 0) {
		(*cuts)[0] = (struct order_key){ hi.ts, 0 };
		return 1;
	}
	for (uint64_t i = 0; i < c->of.n; i++) {
		const struct segment	*g = segment_at(c, i);
		struct order_key	 at = { lo.ts, segment_off(c->t, g) };

		if (g->tmin > lo.ts || g->tmax < lo.ts)
			continue;
		/* Sorted by offset already: segments are in file order, and by source. */
		if (events >= SLICE_GOAL && key_less(lo, at) && key_less(at, hi)) {
			(*cuts)[k++] = at;
			events = 0;
		}
		events += g->n;
	}
	return k;
}

/* The number of the part that contains the key. */
static size_t
part_of(const struct order_key *cuts, size_t n, struct order_key key)
{
	size_t	at = 0;

	BISECT(at, n, i, !key_less(key, cuts[i]));
	return at;
}

/* Decode a segment into t->scratch. Returns the number of its events. */
static size_t
scratch_fill(struct trace *t, const struct segment *g, struct decoded *decoded)
{
	if (t->scratch == NULL)
		t->scratch = mem_alloc(SCAN_SEGMENT * sizeof *t->scratch);
	return segment_events(t, g, t->scratch, decoded);
}

/* Count the events of each part. Only segments that straddle a cut are decoded. */
static void
parts_count(struct cutter *c, struct order_key lo, struct order_key hi,
    const struct order_key *cuts, size_t ncuts, uint64_t *count)
{
	for (uint64_t i = 0; i < c->of.n; i++) {
		const struct segment	*g = segment_at(c, i);
		struct order_key	 first, last;
		size_t			 a, n;

		segment_keys(c->t, c->r, list_at(c->of, i), &first, &last);
		if (key_less(last, lo) || !key_less(first, hi))
			continue;
		a = part_of(cuts, ncuts, first);
		if (!key_less(first, lo) && key_less(last, hi) && a == part_of(cuts, ncuts, last)) {
			count[a] += g->n;
			continue;
		}
		n = scratch_fill(c->t, g, &c->decoded);
		for (size_t j = 0; j < n; j++) {
			const struct event	*e = &c->t->scratch[j];
			struct order_key	 key = { e->ts, e->off };

			if (!key_less(key, lo) && key_less(key, hi))
				count[part_of(cuts, ncuts, key)]++;
		}
	}
}

static void
cut_interval(struct cutter *c, struct order_key lo, struct order_key hi, uint64_t n, unsigned depth)
{
	struct order_key	*cuts = NULL;
	uint64_t		*count;
	size_t			 k = 0;

	if (n <= SLICE_MOST || depth == CUT_DEPTH) {
		cut_add(c, lo, hi, n);
		return;
	}
	if (depth == 0)
		k = cuts_estimate(c, &cuts);
	if (k == 0) {
		mem_free(cuts);
		k = cuts_equal(c, lo, hi, &cuts);
	}
	if (k == 0) {
		cut_add(c, lo, hi, n);
		mem_free(cuts);
		return;
	}
	count = mem_zalloc(k + 1, sizeof *count);
	parts_count(c, lo, hi, cuts, k, count);
	for (size_t i = 0; i <= k; i++)
		cut_interval(c, i == 0 ? lo : cuts[i - 1], i == k ? hi : cuts[i], count[i],
		    depth + 1);
	mem_free(count);
	mem_free(cuts);
}

uint64_t
slice_count(struct trace *t, const struct region *r, struct segment_list of)
{
	struct cutter		c = { .t = t, .r = r, .of = of };
	struct order_key	lo = { r->tmin, 0 }, hi = { r->tmax, UINT64_MAX };
	uint64_t		n = 0;

	parts_count(&c, lo, hi, NULL, 0, &n);
	decoded_release(&c.decoded);
	return n;
}

void
slice_cut(struct trace *t, const struct region *r, struct segment_list of, struct slice_list *out)
{
	struct cutter		c = { .t = t, .r = r, .of = of, .out = out, .row = r->row0 };
	struct order_key	lo = { r->tmin, 0 }, hi = { r->tmax, UINT64_MAX };

	if (r->events == 0)
		return;
	cut_interval(&c, lo, hi, r->events, 0);
	decoded_release(&c.decoded);
}

size_t
slice_of(const struct slice_list *l, struct order_key key)
{
	size_t	after = 1;

	BISECT(after, l->n, i, !key_less(key, l->s[i].lo));
	return after - 1;
}

/* Collects for each slice the segments that have events in it, in file order. */
struct toucher {
	struct slice_list	*list;
	uint64_t		*seen;		/* by slice: the last segment + 1 that touches it */
	struct touch {
		uint32_t	 slice, seg;
	}			*pair;
	size_t			 n, cap;
};

static void
touch_add(struct toucher *x, size_t slice, uint64_t seg)
{
	if (x->seen[slice] == seg + 1)
		return;
	x->seen[slice] = seg + 1;
	if (x->n == x->cap)
		x->pair = mem_grow(x->pair, &x->cap, x->n + 1, sizeof *x->pair);
	x->pair[x->n++] = (struct touch){ (uint32_t)slice, (uint32_t)seg };
	x->list->s[slice].ntouch++;
}

/* The slices, from *a to *b, in whose times the segment is. False: it is in none. */
static bool
slices_of(const struct slice_list *l, const struct region *r, const struct segment *g, size_t *a,
    size_t *b)
{
	if (g->tmax < r->tmin || g->tmin > r->tmax || l->n == 0)
		return false;
	*a = slice_of(l, (struct order_key){ g->tmin, 0 });
	*b = slice_of(l, (struct order_key){ g->tmax, UINT64_MAX });
	return true;
}

uint32_t *
slice_touch(struct trace *t, const struct region *r, struct segment_list of,
    struct slice_list *list)
{
	struct toucher	 x = { .list = list, .seen = mem_zalloc(list->n + 1, sizeof *x.seen) };
	struct decoded	 decoded = { .lost = false };
	uint32_t	*touch;
	uint64_t	 at = 0;

	for (uint64_t k = 0; k < of.n; k++) {
		uint64_t		 i = list_at(of, k);
		const struct segment	*g = segvec_at(&t->index.segments, r->seg0 + i);
		size_t			 a, b, n = 0;

		if (!slices_of(list, r, g, &a, &b))
			continue;
		if (b - a > 1)		/* decode it: most slices between may have no event of it */
			n = scratch_fill(t, g, &decoded);
		for (size_t j = 0; j < n; j++)
			touch_add(&x, slice_of(list, (struct order_key){ t->scratch[j].ts,
			    t->scratch[j].off }), i);
		for (; n == 0 && a <= b; a++)
			touch_add(&x, a, i);
	}
	for (size_t k = 0; k < list->n; k++) {
		list->s[k].touch0 = at;
		at += list->s[k].ntouch;
		x.seen[k] = list->s[k].touch0;		/* the next free entry */
	}
	touch = mem_alloc((x.n + 1) * sizeof *touch);
	for (size_t i = 0; i < x.n; i++)
		touch[x.seen[x.pair[i].slice]++] = x.pair[i].seg;
	mem_free(x.pair);
	mem_free(x.seen);
	decoded_release(&decoded);
	return touch;
}

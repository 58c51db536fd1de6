/*
 * Slices: a region's events cut by time, and the sorter that makes one slice's view on demand.
 *
 *	segments in time     [====a====]               a slice takes, of every segment that
 *	                  [==b==]   [===c===]          its interval touches, the events inside
 *	slices           |    0    |    1    |         it, and merges their ascending runs
 *
 *	file order  A1 A2 B1 A3 B2  ->  runs  A1 A2 | B1 A3 B2  ->  merged by (time, file order)
 *
 * Invariant: the slices of a region hold each of its events exactly once, in the order of
 * (time, file offset), and a view never changes after view_load().
 * Format: NetTrace V4, "Event TimeStamp sorting", rule 1.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "engine/index/index.h"

#define CUTS_MOST	64u	/* of an interval that is cut again */
#define CUT_DEPTH	16u

/* ---- decoding a segment */

size_t
slice_segment(struct trace *t, const struct scan_segment *g, uint64_t record, struct event *out,
    struct raw_ids *raw)
{
	const struct format_ops	*ops = t->format.ops;
	struct decode_state	 st;
	struct frame		 fr;
	uint64_t		 off = g->frame_off;
	const char		*text;
	size_t			 n = 0;
	bool			 first = true;

	raw->threads.n = raw->types.n = 0;
	memcpy(&st, g->state, sizeof st);
	while (n < g->n && index_walk(t, &off, false, &fr) == 1) {
		struct span	body = source_span(t->source, fr.body, fr.len);
		size_t		got;

		if (fr.kind != FRAME_EVENTS)
			continue;
		if ((!first && ops->begin(&t->format, &fr, body, &st, &text) < 0) ||
		    st.pos > body.len)
			continue;
		first = false;
		while (n < g->n) {
			got = ops->decode(&t->format, &fr, body, &st, out + n, g->n - n,
			    &raw->threads, &raw->types);
			if (got == 0)
				break;
			n += got;
		}
		if (fr.open)
			off = fr.body + st.pos;
	}
	for (size_t i = 0; i < n; i++)
		out[i].block = (uint32_t)record;
	return n;
}

/* ---- cutting a region */

struct cutter {
	struct trace		*t;
	const struct region	*r;
	uint32_t		 region;
	struct slice_list	*out;
	uint64_t		 row;
	struct event		*ev;		/* scratch: one segment */
	struct raw_ids		 raw;
};

struct edge {
	int64_t	ts;
	double	rate;		/* events a tick that begin (or, negative, end) here */
};

static int
edge_compare(const void *pa, const void *pb)
{
	const struct edge	*a = pa, *b = pb;

	return a->ts < b->ts ? -1 : a->ts > b->ts;
}

static const struct segment *
segment_at(const struct cutter *c, uint64_t i)
{
	return segvec_at(&c->t->segments, c->r->seg0 + i);
}

static void
cut_add(struct cutter *c, struct order_key lo, struct order_key hi, uint64_t n)
{
	struct slice_list	*l = c->out;

	if (n == 0)
		return;
	l->s = mem_grow(l->s, &l->cap, l->n + 1, sizeof *l->s);
	l->s[l->n++] = (struct slice){
		.row0 = c->row, .n = (uint32_t)n, .region = c->region, .lo = lo, .hi = hi,
		.tmost = hi.off == 0 && hi.ts > lo.ts ? hi.ts - 1 : hi.ts,
	};
	c->row += n;
}

/*
 * Times at which about goal events are passed each, as if each segment's events were spread
 * evenly over its time. Returns how many, ascending and different.
 */
static size_t
cuts_estimate(const struct cutter *c, struct order_key **cuts)
{
	size_t		 n = (size_t)c->r->nseg, most = (size_t)(c->r->events / SLICE_GOAL) + 1;
	struct edge	*e = mem_alloc(n * 2 * sizeof *e);
	double		 rate = 0, sum = 0;
	size_t		 k = 0;

	*cuts = mem_alloc(most * sizeof **cuts);
	for (size_t i = 0; i < n; i++) {
		const struct scan_segment	*g = &segment_at(c, i)->s;
		double				 d = g->n / ((double)g->tmax - (double)g->tmin + 1);

		e[i * 2] = (struct edge){ g->tmin, d };
		e[i * 2 + 1] = (struct edge){ g->tmax, -d };
	}
	qsort(e, n * 2, sizeof *e, edge_compare);
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

/* Equal parts of [lo, hi) in time; of one tick: at the begins of segments. */
static size_t
cuts_equal(const struct cutter *c, struct order_key lo, struct order_key hi,
    struct order_key **cuts)
{
	uint64_t	width = (uint64_t)hi.ts - (uint64_t)lo.ts;
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
	*cuts = mem_alloc((size_t)(c->r->nseg + 1) * sizeof **cuts);
	if (width == 1 && hi.off != 0)
		(*cuts)[k++] = (struct order_key){ hi.ts, 0 };
	for (uint64_t i = 0; i < c->r->nseg; i++) {
		const struct scan_segment	*g = &segment_at(c, i)->s;
		struct order_key		 at = { lo.ts, g->frame_off + g->state[0] };

		/* Sorted by offset already: segments are in file order. */
		if (key_less(lo, at) && key_less(at, hi) && g->tmin <= lo.ts && g->tmax >= lo.ts &&
		    (k == 0 || key_less((*cuts)[k - 1], at)))
			(*cuts)[k++] = at;
	}
	return k;
}

/* Which of the parts between the cuts does the key lie in? */
static size_t
part_of(const struct order_key *cuts, size_t n, struct order_key key)
{
	size_t	lo = 0, hi = n;

	while (lo < hi) {
		size_t	mid = (lo + hi) / 2;

		if (key_less(key, cuts[mid]))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Exact counts of the parts; only segments that straddle a cut are decoded. */
static void
parts_count(struct cutter *c, struct order_key lo, struct order_key hi,
    const struct order_key *cuts, size_t ncuts, uint64_t *count)
{
	for (uint64_t i = 0; i < c->r->nseg; i++) {
		const struct segment	*s = segment_at(c, i);
		const struct scan_segment *g = &s->s;
		struct order_key	 first = { g->tmin, 0 }, last = { g->tmax, UINT64_MAX };
		size_t			 a, n;

		if (key_less(last, lo) || !key_less(first, hi))
			continue;
		a = part_of(cuts, ncuts, first);
		if (!key_less(first, lo) && key_less(last, hi) && a == part_of(cuts, ncuts, last)) {
			count[a] += g->n;
			continue;
		}
		n = slice_segment(c->t, g, s->record, c->ev, &c->raw);
		for (size_t j = 0; j < n; j++) {
			struct order_key	key = { c->ev[j].ts, c->ev[j].off };

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

static struct event *
scratch_get(struct trace *t)
{
	if (t->scratch == NULL)
		t->scratch = mem_alloc(SCAN_SEGMENT * sizeof *t->scratch);
	return t->scratch;
}

void
slice_cut(struct trace *t, const struct region *r, uint32_t index, struct slice_list *out)
{
	struct cutter		c = { .t = t, .r = r, .region = index, .out = out, .row = r->row0 };
	struct order_key	lo = { r->tmin, 0 }, hi = { r->tmax, UINT64_MAX };

	if (r->events == 0)
		return;
	c.ev = scratch_get(t);
	cut_interval(&c, lo, hi, r->events, 0);
	raw_ids_release(&c.raw);
}

static size_t
slice_of(const struct slice_list *l, struct order_key key)
{
	size_t	lo = 0, hi = l->n;

	while (hi - lo > 1) {
		size_t	mid = (lo + hi) / 2;

		if (key_less(key, l->s[mid].lo))
			hi = mid;
		else
			lo = mid;
	}
	return lo;
}

/* For each slice the segments that have events in it, in file order. */
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

uint32_t *
slice_touch(struct trace *t, const struct region *r, struct slice_list *list)
{
	struct toucher	 x = { .list = list, .seen = mem_zalloc(list->n + 1, sizeof *x.seen) };
	struct raw_ids	 raw = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	struct event	*ev = scratch_get(t);
	uint32_t	*touch;
	uint64_t	 at = 0;

	for (uint64_t i = 0; i < r->nseg; i++) {
		const struct segment	*g = segvec_at(&t->segments, r->seg0 + i);
		size_t			 a = slice_of(list, (struct order_key){ g->s.tmin, 0 });
		size_t			 b = slice_of(list,
						(struct order_key){ g->s.tmax, UINT64_MAX });
		size_t			 n = 0;

		if (b - a > 1)		/* a span that began long ago may be all that is in a */
			n = slice_segment(t, &g->s, g->record, ev, &raw);
		for (size_t j = 0; j < n; j++)
			touch_add(&x, slice_of(list, (struct order_key){ ev[j].ts, ev[j].off }), i);
		for (; n == 0 && a <= b; a++)
			touch_add(&x, a, i);
	}
	for (size_t k = 0; k < list->n; k++) {
		list->s[k].touch0 = at;
		at += list->s[k].ntouch;
		x.seen[k] = list->s[k].touch0;		/* where its next one goes */
	}
	touch = mem_alloc((x.n + 1) * sizeof *touch);
	for (size_t i = 0; i < x.n; i++)
		touch[x.seen[x.pair[i].slice]++] = x.pair[i].seg;
	mem_free(x.pair);
	mem_free(x.seen);
	raw_ids_release(&raw);
	return touch;
}

/* ---- views */

struct view {
	struct slice_view	 v;		/* first: the user's pointer */
	struct event		*ev;
	uint64_t		 key;		/* slice number, or OPEN | generation and number */
	unsigned		 pins;
	size_t			 bytes;
	struct view		*newer, *older;
};

#define OPEN	((uint64_t)1 << 63)

struct view_cache {
	struct view	*newest, *oldest;
	size_t		 bytes, cap;
};

struct view_cache *
view_cache_new(size_t cap)
{
	struct view_cache	*c = mem_zalloc(1, sizeof *c);

	c->cap = cap;
	return c;
}

static void
view_unlink(struct view_cache *c, struct view *v)
{
	*(v->newer ? &v->newer->older : &c->newest) = v->older;
	*(v->older ? &v->older->newer : &c->oldest) = v->newer;
}

static void
view_to_front(struct view_cache *c, struct view *v)
{
	v->newer = NULL;
	v->older = c->newest;
	*(c->newest ? &c->newest->newer : &c->oldest) = v;
	c->newest = v;
}

static void
view_free(struct view_cache *c, struct view *v)
{
	view_unlink(c, v);
	c->bytes -= v->bytes;
	mem_free(v->ev);
	mem_free(v);
}

void
view_cache_free(struct view_cache *c)
{
	if (c == NULL)
		return;
	while (c->newest != NULL)
		view_free(c, c->newest);
	mem_free(c);
}

size_t
view_cache_bytes(const struct view_cache *c)
{
	return c->bytes;
}

/* Make room for more bytes; pinned views stay. */
static void
cache_evict(struct view_cache *c, size_t more)
{
	struct view	*v = c->oldest, *next;

	for (; v != NULL && c->bytes + more > c->cap; v = next) {
		next = v->newer;
		if (v->pins == 0)
			view_free(c, v);
	}
}

struct key_at {
	int64_t		ts;
	uint32_t	at;
};

/* Merge the ascending runs of k, ping-pong with tmp; which of the two holds the result. */
static struct key_at *
merge_runs(struct key_at *k, struct key_at *tmp, size_t n)
{
	size_t	*end = mem_alloc((n + 1) * sizeof *end), runs = 0, m;

	for (size_t i = 1; i <= n; i++)
		if (i == n || k[i].ts < k[i - 1].ts)
			end[runs++] = i;
	while (runs > 1) {
		size_t	from = 0;
		struct key_at	*swap;

		m = 0;
		for (size_t r = 0; r < runs; r += 2) {
			size_t	a = from, mid = end[r], b = mid;
			size_t	to = r + 1 < runs ? end[r + 1] : mid;

			for (size_t o = from; o < to; o++)
				tmp[o] = b >= to || (a < mid && k[a].ts <= k[b].ts) ?
				    k[a++] : k[b++];
			end[m++] = to;
			from = to;
		}
		swap = k;
		k = tmp;
		tmp = swap;
		runs = m;
	}
	mem_free(end);
	return k;
}

/* Sort by time, ties in file order, in which they stand. */
static struct event *
events_sort(struct event *ev, size_t n)
{
	struct key_at	*k, *tmp, *done;
	struct event	*out;
	size_t		 i = 1;

	while (i < n && ev[i].ts >= ev[i - 1].ts)
		i++;
	if (i >= n)
		return ev;
	k = mem_alloc(n * 2 * sizeof *k);
	tmp = k + n;
	for (i = 0; i < n; i++)
		k[i] = (struct key_at){ ev[i].ts, (uint32_t)i };
	done = merge_runs(k, tmp, n);
	out = mem_alloc(n * sizeof *out);
	for (i = 0; i < n; i++)
		out[i] = ev[done[i].at];
	mem_free(k);
	mem_free(ev);
	return out;
}

void
raw_ids_release(struct raw_ids *raw)
{
	mem_free(raw->threads.id);
	mem_free(raw->types.id);
}

/* Under lock: the declaration of entry i of the raw ids, looked up once. */
static uint32_t
resolve_decl(const struct trace *t, const struct region *r, const struct raw_ids *raw,
    uint32_t *memo, uint32_t i, uint64_t off)
{
	if (memo[i] == 0) {
		uint32_t	decl = t->over_decl > 0 ? t->over_decl - 1 : 0;

		/* Not found: beyond the limit, or the file changed under us. */
		index_decl(t, raw->threads.id[i], off, r->flush_off, &decl);
		memo[i] = decl + 1;
	}
	return memo[i] - 1;
}

/* Set EVENT_LOST on events, which are in file order, that lost something before them. */
static void
marks_apply(struct trace *t, struct event *e, size_t n)
{
	uint64_t	lo;

	if (n == 0)
		return;
	lock_take(t->lock);
	lo = loss_mark_at(t, e[0].off);
	for (size_t i = 0; i < n && lo < t->marks.n; lo++) {
		uint64_t	off = ((struct lost_mark *)segvec_at(&t->marks, lo))->off;

		if (off > e[n - 1].off)
			break;
		while (i < n && e[i].off < off)
			i++;
		if (i < n && e[i].off == off)
			e[i].flags |= EVENT_LOST;
	}
	lock_drop(t->lock);
}

void
slice_resolve(struct trace *t, const struct region *r, struct event *ev, size_t n,
    const struct raw_ids *raw)
{
	uint32_t	*memo = mem_zalloc(raw->threads.n + 1, sizeof *memo), type = 0;
	uint64_t	 last = UINT64_MAX;

	lock_take(t->lock);
	for (size_t i = 0; i < n; i++) {
		struct event	*e = &ev[i];
		uint32_t	 thread, capture;
		uint64_t	 id = t->format.types_wide ? raw->types.id[e->type] : e->type;

		if (id != last) {
			last = id;
			if (!idmap_get(&t->type_ids, id, r->epoch, &type))
				type = t->over_type > 0 ? t->over_type - 1 : 0;
		}
		e->type = type;
		thread = resolve_decl(t, r, raw, memo, e->thread, e->off);
		capture = resolve_decl(t, r, raw, memo, e->capture, e->off);
		e->thread = ((struct decl_rec *)segvec_at(&t->decls, thread))->thread;
		e->capture = ((struct decl_rec *)segvec_at(&t->decls, capture))->thread;
		if (t->format.declares) {
			e->thread_decl = thread;
			e->capture_decl = capture;
		}
	}
	lock_drop(t->lock);
	mem_free(memo);
	marks_apply(t, ev, n);
}

/* The segments that a slice touches, as a copy: the caller frees it. */
static size_t
segments_of(struct trace *t, const struct slice *s, const struct region *r, struct segment ***out)
{
	size_t	n = 0, cap = 0;

	*out = NULL;
	lock_take(t->lock);
	for (uint64_t k = 0; k < (r->touch != NULL ? s->ntouch : r->nseg); k++) {
		uint64_t	i = r->touch != NULL ? r->touch[s->touch0 + k] : k;
		struct segment	*g = segvec_at(&t->segments, r->seg0 + i);

		if (g->s.tmax < s->lo.ts || g->s.tmin > s->hi.ts)
			continue;
		*out = mem_grow(*out, &cap, n + 1, sizeof **out);
		(*out)[n++] = g;
	}
	lock_drop(t->lock);
	return n;
}

static size_t
keep_inside(struct event *e, size_t n, const struct slice *s)
{
	size_t	k = 0;

	for (size_t i = 0; i < n; i++) {
		struct order_key	key = { e[i].ts, e[i].off };

		if (!key_less(key, s->lo) && key_less(key, s->hi))
			e[k++] = e[i];
	}
	return k;
}

static int
view_load(struct trace *t, const struct slice *s, const struct region *r, struct view **out)
{
	uint64_t	  lost = source_lost(t->source);
	struct segment	**seg;
	size_t		  nseg = segments_of(t, s, r, &seg), n = 0;
	struct event	 *ev = mem_alloc(((size_t)s->n + SCAN_SEGMENT) * sizeof *ev);
	struct raw_ids	  raw = { { NULL, 0, 0 }, { NULL, 0, 0 } };

	for (size_t i = 0; i < nseg && n <= s->n; i++) {
		size_t	got = slice_segment(t, &seg[i]->s, seg[i]->record, ev + n, &raw);

		slice_resolve(t, r, ev + n, got, &raw);
		n += keep_inside(ev + n, got, s);
	}
	mem_free(seg);
	raw_ids_release(&raw);
	if (n != s->n || source_lost(t->source) != lost) {
		mem_free(ev);		/* the file is not what it was when it was indexed */
		return ERR_IO;
	}
	ev = events_sort(ev, n);
	ev = mem_realloc(ev, n, sizeof *ev);
	*out = mem_zalloc(1, sizeof **out);
	(*out)->v = (struct slice_view){ .row0 = s->row0, .n = s->n, .ev = ev };
	(*out)->ev = ev;
	(*out)->bytes = n * sizeof *ev + sizeof **out;
	return ERR_OK;
}

/* Under lock: the slice that holds the row. */
static bool
slice_find(struct trace *t, uint64_t row, struct slice *s, struct region *r, uint64_t *key)
{
	uint64_t	lo = 0, hi = t->slices.n;

	if (row >= t->rows) {
		for (size_t i = 0; i < t->open_slices.n; i++) {
			*s = t->open_slices.s[i];
			if (row < s->row0 || row - s->row0 >= s->n)
				continue;
			*r = t->open_pub;
			*key = OPEN | t->open_gen << 24 | i;
			return true;
		}
		return false;
	}
	while (hi - lo > 1) {
		uint64_t	mid = lo + (hi - lo) / 2;

		if (((struct slice *)segvec_at(&t->slices, mid))->row0 <= row)
			lo = mid;
		else
			hi = mid;
	}
	*s = *(struct slice *)segvec_at(&t->slices, lo);
	*r = *(struct region *)segvec_at(&t->regions, s->region);
	*key = lo;
	return true;
}

bool
trace_slice_types(struct trace *t, uint64_t row, uint64_t *row0, uint32_t *rows, uint32_t *count,
    uint32_t ntypes)
{
	struct slice	s;
	struct region	r;
	uint64_t	key;
	bool		told;

	lock_take(t->lock);
	told = slice_find(t, row, &s, &r, &key) && (key & OPEN) == 0 && s.n == r.events;
	for (uint64_t i = 0; told && i < r.nrecords; i++) {
		const struct record	*rec = segvec_at(&t->records, r.record0 + i);

		told = rec->ntypes != TYPES_UNKNOWN;
		for (uint32_t k = 0; told && k < rec->ntypes; k++) {
			const struct type_count	*c = segvec_at(&t->type_counts, rec->types0 + k);

			told = c->type < ntypes;
			if (told)
				count[c->type] += c->n;
		}
	}
	lock_drop(t->lock);
	if (told) {
		*row0 = s.row0;
		*rows = s.n;
	}
	return told;
}

int
trace_view_get(struct trace *t, uint64_t row, const struct slice_view **out)
{
	struct view_cache	*c = t->cache;
	struct view		*v;
	struct slice		 s;
	struct region		 r;
	uint64_t		 key;
	bool			 found;
	int			 err;

	*out = NULL;
	lock_take(t->lock);
	found = slice_find(t, row, &s, &r, &key);
	lock_drop(t->lock);
	if (!found)
		return 0;
	for (v = c->newest; v != NULL && v->key != key; v = v->older)
		;
	if (v == NULL) {
		cache_evict(c, ((size_t)s.n + SCAN_SEGMENT) * sizeof(struct event));
		err = view_load(t, &s, &r, &v);
		if (err < 0)
			return err;
		v->key = key;
		v->v.final = (key & OPEN) == 0;
		c->bytes += v->bytes;
	} else {
		view_unlink(c, v);
	}
	view_to_front(c, v);
	v->pins++;
	*out = &v->v;
	return 1;
}

void
trace_view_put(struct trace *t, const struct slice_view *view)
{
	struct view_cache	*c = t->cache;

	for (struct view *v = c->newest; v != NULL; v = v->older) {
		if (&v->v != view)
			continue;
		assert(v->pins > 0);
		v->pins--;
		break;
	}
	cache_evict(c, 0);
}

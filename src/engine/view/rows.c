/*
 * Rows: access to the slices of a trace and their views.
 *
 *	time, place -> row      the slice by binary search over the index, the row in its view
 *	row         -> view     the slice by binary search, the view from the cache
 *
 * Invariant: data of the index is read under the lock, or is immutable once its address was read
 * under the lock; so any thread may call this while the index grows.
 */
#include <assert.h>
#include <string.h>

#include "engine/view/cache.h"
#include "engine/view/decode.h"
#include "engine/view/resolve.h"
#include "engine/view/slice.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/engine/trace.h"

/* ---- views */

int
view_get_until(struct trace *t, uint64_t row, const atomic_bool *stop,
    const struct slice_view **out)
{
	struct slice_ref	ref;
	uint32_t		state = atomic_load(&t->state);
	bool			found, gone;

	*out = NULL;
	lock_take(t->lock);
	found = slice_find(t, row, &ref);
	gone = row < t->head.row;
	lock_drop(t->lock);
	if (!found)
		return 0;
	if (ref.s.failed == state || gone)
		return ERR_IO;
	*out = view_cache_get(t->cache, t, &ref, VIEW_STAYS, stop);
	if (*out != NULL)
		return 1;
	if (slice_stopped(stop))
		return 0;
	slice_failed(t, &ref, state);
	return ERR_IO;
}

int
trace_view_get(struct trace *t, uint64_t row, const struct slice_view **out)
{
	return view_get_until(t, row, NULL, out);
}

void
trace_view_put(struct trace *t, const struct slice_view *v)
{
	view_cache_put(t->cache, v);
}

bool
trace_views_stay(struct trace *t)
{
	return trace_rows(t) / 3 <= view_cache_cap(t->cache) / sizeof(struct event);
}

int
trace_view_walk(struct trace *t, uint64_t *row, const struct slice_view **out)
{
	int			r = trace_view_get(t, *row, out);
	struct slice_ref	ref;

	if (r >= 0)
		return r;
	lock_take(t->lock);
	/* If the rows have moved in the meantime, go on row by row. */
	if (slice_find(t, *row, &ref))
		*row = ref.s.row0 + ref.s.n;
	else
		++*row;
	lock_drop(t->lock);
	return r;
}

/* ---- rows, times, places */

/* Under the lock: the number of rows. */
static uint64_t
rows_now(const struct trace *t)
{
	return t->progress.rows + (t->open_slices.n > 0 ? t->open_pub.events : 0);
}

uint64_t
trace_rows(struct trace *t)
{
	uint64_t	n;

	atomic_store(&t->want_rows, true);
	lock_take(t->lock);
	n = rows_now(t);
	lock_drop(t->lock);
	return n;
}

/* Under the lock: the first row of the first slice that may have an event at or after ts. */
static uint64_t
slice_row_at(const struct trace *t, int64_t ts)
{
	uint64_t	at = 0, n = t->index.slices.n, row;

	BISECT(at, n, i, ((struct slice *)segvec_at(&t->index.slices, i))->tmost < ts);
	if (at < n) {
		row = ((struct slice *)segvec_at(&t->index.slices, at))->row0;
		return row > t->head.row ? row : t->head.row;
	}
	for (size_t i = 0; i < t->open_slices.n; i++)
		if (t->open_slices.s[i].tmost >= ts)
			return t->open_slices.s[i].row0;
	return rows_now(t);
}

/* The index of the first of n sorted events at or after the place, or n. */
static uint32_t
event_at(const struct event *ev, uint32_t n, struct order_key place)
{
	size_t	at = 0;

	BISECT(at, n, i, key_less((struct order_key){ ev[i].ts, ev[i].off }, place));
	return (uint32_t)at;
}

uint64_t
trace_row_at(struct trace *t, int64_t ts)
{
	const struct slice_view	*v;
	uint64_t		 row;
	uint32_t		 at;

	lock_take(t->lock);
	row = slice_row_at(t, ts);
	lock_drop(t->lock);
	while (trace_view_get(t, row, &v) == 1) {
		at = event_at(v->ev, v->n, (struct order_key){ ts, 0 });
		row = v->row0 + at;
		if (at < v->n) {
			trace_view_put(t, v);
			return row;
		}
		trace_view_put(t, v);
	}
	return row;
}

int
trace_event(struct trace *t, uint64_t row, struct event *out)
{
	const struct slice_view	*v;
	int			 r = trace_view_get(t, row, &v);

	if (r != 1)
		return r;
	*out = v->ev[row - v->row0];
	trace_view_put(t, v);
	return 1;
}

bool
trace_ordered(struct trace *t)
{
	bool	ordered;

	lock_take(t->lock);
	ordered = !t->progress.disordered;
	lock_drop(t->lock);
	return ordered;
}

/*
 * Under the lock: is the place in the slice, or in one before it? Regions are in file order; those
 * of joined traces in the order of time, but for one of events that came too late (its times are
 * before those of earlier slices): it has what the slice before has.
 */
static bool
slice_reaches(const struct trace *t, const struct slice *s, struct order_key place)
{
	const struct region	*r = segvec_at(&t->index.regions, s->region);

	if (t->joined != NULL)
		return s->hi.ts < s->tmost ? place.ts <= s->tmost : key_less(place, s->hi);
	if (place.off < segment_off(t, segvec_at(&t->index.segments, r->seg0)))
		return true;
	if (r->seg0 + r->nseg < t->index.segments.n &&
	    place.off >= segment_off(t, segvec_at(&t->index.segments, r->seg0 + r->nseg)))
		return false;
	return key_less(place, s->hi);
}

/* Under the lock: the first row of the last slice, out of order, in whose times the place is; or
   the number of rows. */
static uint64_t
slice_row_late(const struct trace *t, struct order_key place)
{
	for (uint64_t i = t->index.slices.n; i-- > 0; ) {
		const struct slice	*s = segvec_at(&t->index.slices, i);

		if (s->hi.ts <= s->tmost && slice_has(s, place))
			return s->row0;
	}
	return rows_now(t);
}

/* Under the lock: the first row of the slice that contains the place, or the number of rows. */
static uint64_t
slice_row_of(const struct trace *t, struct order_key place)
{
	uint64_t	at = 0, n = t->index.slices.n;

	BISECT(at, n, i, !slice_reaches(t, segvec_at(&t->index.slices, i), place));
	if (at < n)
		return ((struct slice *)segvec_at(&t->index.slices, at))->row0;
	for (size_t i = 0; i < t->open_slices.n; i++)
		if (key_less(place, t->open_slices.s[i].hi))
			return t->open_slices.s[i].row0;
	return rows_now(t);
}

int
trace_row_of(struct trace *t, int64_t ts, uint64_t off, uint64_t *row)
{
	const struct slice_view	*v;
	bool			 found = false;

	/* If it is not found, try again: provisional rows may have moved in the meantime. */
	for (unsigned i = 0; i < 2 && !found; i++) {
		uint32_t	at;
		uint64_t	first;
		int		r;

		lock_take(t->lock);
		first = i > 0 && t->joined != NULL && t->progress.disordered ?
		    slice_row_late(t, (struct order_key){ ts, off }) :
		    slice_row_of(t, (struct order_key){ ts, off });
		lock_drop(t->lock);
		r = trace_view_get(t, first, &v);
		if (r != 1)
			return r;
		at = event_at(v->ev, v->n, (struct order_key){ ts, off });
		found = at < v->n && v->ev[at].ts == ts && v->ev[at].off == off;
		*row = v->row0 + at;
		trace_view_put(t, v);
	}
	return found;
}

/* ---- events in the file's order */

/* The words of a struct file_pos: the segment, and the position in it. */
enum { FILE_SEGMENT, FILE_N, FILE_FRAME, FILE_STATE };

static void
file_pos_load(const struct file_pos *p, struct segment_pos *s)
{
	s->n = (uint32_t)p->v[FILE_N];
	s->frame = (uint32_t)(p->v[FILE_FRAME] >> 1);
	s->inside = (p->v[FILE_FRAME] & 1) != 0;
	memcpy(&s->st, p->v + FILE_STATE, sizeof s->st);
}

static void
file_pos_store(struct file_pos *p, const struct segment_pos *s)
{
	p->v[FILE_N] = s->n;
	p->v[FILE_FRAME] = (uint64_t)s->frame << 1 | s->inside;
	memcpy(p->v + FILE_STATE, &s->st, sizeof s->st);
}

static_assert(sizeof(struct file_pos) ==
    (FILE_STATE + SCAN_STATE) * sizeof(uint64_t), "a place within a segment is kept whole");

int
trace_file_next(struct trace *t, struct file_pos *pos, struct event *out, size_t max)
{
	struct decoded		 d = { .lost = false };
	const struct segment	*g = NULL;
	struct resolver		*rv;
	struct segment_pos	 at;
	size_t			 n;
	bool			 ended;

	lock_take(t->lock);
	if (pos->v[FILE_SEGMENT] < t->head.segment)
		*pos = (struct file_pos){ .v[FILE_SEGMENT] = t->head.segment };
	if (pos->v[FILE_SEGMENT] < t->index.segments.n)
		g = segvec_at(&t->index.segments, pos->v[FILE_SEGMENT]);
	lock_drop(t->lock);
	if (g == NULL)
		return 0;
	file_pos_load(pos, &at);
	n = segment_decode(t, g, &at, out, max, &d);
	if (d.lost)
		n = 0;
	rv = resolver_new(t);
	resolver_events(rv, g, out, n, &d);
	resolver_free(rv);
	decoded_release(&d);
	file_pos_store(pos, &at);
	ended = at.n == g->n + g->repeats;
	if (n == 0 || ended)
		*pos = (struct file_pos){ .v[FILE_SEGMENT] = pos->v[FILE_SEGMENT] + 1 };
	if (n == 0 && ended && !d.lost)		/* the rest of the segment was repeats */
		return trace_file_next(t, pos, out, max);
	return n > 0 ? (int)n : ERR_IO;
}

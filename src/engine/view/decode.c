/*
 * Decoding a segment: the frames that the index noted for it, from the state that it kept.
 *
 *	frames    | f0      |     | f1      | f2    |      as walked once, when the index was made
 *	segment        [ state -> ...  ...  ... ]          n events, in nframes of them
 *
 * Invariant: nothing is framed or searched here, so that the cost of a segment is that of its own
 * bytes, whatever lies between its frames and whatever became of the file since.
 */
#include "engine/view/decode.h"

#include <string.h>

#include "tnav/base/mem.h"

#define FRAMES_AT_ONCE	32u

/* The frames of a segment, read a few at a time, since the lock is needed for it. */
struct frame_walk {
	uint64_t		at, end;
	unsigned		i, n;
	struct event_frame	f[FRAMES_AT_ONCE];
};

static bool
walk_next(struct trace *t, struct frame_walk *w, struct frame *out)
{
	const struct event_frame	*f;

	if (w->i == w->n) {
		w->i = w->n = 0;
		lock_take(t->lock);
		for (; w->n < FRAMES_AT_ONCE && w->at < w->end; w->at++)
			w->f[w->n++] = *(struct event_frame *)segvec_at(&t->index.frames, w->at);
		lock_drop(t->lock);
	}
	if (w->n == 0)
		return false;
	f = &w->f[w->i++];
	*out = (struct frame){ .kind = FRAME_EVENTS, .off = f->off, .body = f->off + f->head,
	    .len = f->len, .next = f->off + f->head + f->len + f->tail, .cut = f->cut };
	return true;
}

void
decoded_release(struct decoded *d)
{
	mem_free(d->threads.id);
	mem_free(d->types.id);
}

/* Up to max events of one frame from its state on. */
static size_t
frame_decode(struct trace *t, const struct frame *fr, struct span body, struct decode_state *st,
    struct event *out, size_t max, struct decoded *d)
{
	size_t	n = 0;

	while (n < max) {
		size_t	got = t->format.ops->decode(&t->format, fr, body, st, out + n, max - n,
			    &d->threads, &d->types);

		if (got == 0)
			break;
		n += got;
	}
	return n;
}

/* The state in front of the segment's first event; false: it begins with its frame. */
static bool
first_state(struct trace *t, const struct segment *g, struct decode_state *st)
{
	if (g->state == 0)
		return false;
	lock_take(t->lock);
	memcpy(st, segvec_at(&t->index.states, g->state - 1), sizeof *st);
	lock_drop(t->lock);
	return true;
}

size_t
segment_decode(struct trace *t, const struct segment *g, struct segment_pos *pos,
    struct event *out, size_t max, struct decoded *d)
{
	struct frame_walk	w = { .at = g->frame0 + pos->frame, .end = g->frame0 + g->nframes };
	uint32_t		left = g->n - pos->n;
	uint64_t		bytes = 0;
	struct frame		fr;
	const char		*text;
	size_t			 n = 0;

	d->threads.n = d->types.n = 0;
	if (max > left)
		max = left;
	if (pos->n == 0 && !pos->inside)
		pos->inside = first_state(t, g, &pos->st);
	for (; n < max && walk_next(t, &w, &fr); pos->frame++, pos->inside = false) {
		struct span	body = source_span(t->source, fr.body, fr.len);
		uint64_t	from;

		if ((!pos->inside &&
		    t->format.ops->begin(&t->format, &fr, body, &pos->st, &text) < 0) ||
		    pos->st.pos > body.len)
			continue;
		pos->inside = true;
		from = pos->st.pos;
		n += frame_decode(t, &fr, body, &pos->st, out + n, max - n, d);
		bytes += pos->st.pos - from;
		d->lost |= source_is_lost(t->source, fr.body, fr.len);
		if (n == max)
			break;		/* perhaps within the frame */
	}
	for (size_t i = 0; i < n; i++)
		out[i].block = g->record;
	pos->n += (uint32_t)n;
	cost_add(&t->costs.view_events, n);
	cost_add(&t->costs.view_bytes, bytes);
	return n;
}

size_t
segment_events(struct trace *t, const struct segment *g, struct event *out, struct decoded *d)
{
	struct segment_pos	pos = { 0 };

	return segment_decode(t, g, &pos, out, g->n, d);
}

uint64_t
segment_off(const struct trace *t, const struct segment *g)
{
	const struct event_frame	*f = segvec_at(&t->index.frames, g->frame0);
	const struct decode_state	*st = NULL;

	if (g->state != 0)
		st = segvec_at(&t->index.states, g->state - 1);
	return f->off + f->head + (st != NULL ? st->pos : 0);
}

void
segment_keys(const struct trace *t, const struct region *r, uint64_t i, struct order_key *first,
    struct order_key *last)
{
	const struct segment	*g = segvec_at(&t->index.segments, r->seg0 + i);

	*first = (struct order_key){ g->tmin, segment_off(t, g) };
	*last = (struct order_key){ g->tmax, UINT64_MAX };
	if (i + 1 < r->nseg)
		last->off = segment_off(t, segvec_at(&t->index.segments, r->seg0 + i + 1));
}

/* ---- what raw ids mean */

/* Under lock: the declaration of entry i of the raw ids, looked up once. */
static uint32_t
resolve_decl(const struct trace *t, const struct region *r, const struct decoded *d,
    uint32_t *memo, uint32_t i, uint64_t off)
{
	if (memo[i] == 0) {
		uint32_t	decl = t->names.over_decl > 0 ? t->names.over_decl - 1 : 0;

		/* Not found: beyond the limit, or the file changed under us. */
		index_decl(t, d->threads.id[i], off, r->flush_off, &decl);
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
	for (size_t i = 0; i < n && lo < t->loss.marks.n; lo++) {
		uint64_t	off = ((struct lost_mark *)segvec_at(&t->loss.marks, lo))->off;

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
segment_resolve(struct trace *t, const struct region *r, struct event *ev, size_t n,
    const struct decoded *d)
{
	uint32_t	*memo = mem_zalloc(d->threads.n + 1, sizeof *memo), type = 0;
	uint64_t	 last = UINT64_MAX;

	lock_take(t->lock);
	for (size_t i = 0; i < n; i++) {
		struct event	*e = &ev[i];
		uint32_t	 thread, capture;
		uint64_t	 id = t->format.types_wide ? d->types.id[e->type] : e->type;

		if (id != last) {
			last = id;
			if (!idmap_get(&t->names.type_ids, id, r->epoch, &type))
				type = t->names.over_type > 0 ? t->names.over_type - 1 : 0;
		}
		e->type = type;
		thread = resolve_decl(t, r, d, memo, e->thread, e->off);
		capture = resolve_decl(t, r, d, memo, e->capture, e->off);
		e->thread = ((struct decl_rec *)segvec_at(&t->names.decls, thread))->thread;
		e->capture = ((struct decl_rec *)segvec_at(&t->names.decls, capture))->thread;
		if (t->format.declares) {
			e->thread_decl = thread;
			e->capture_decl = capture;
		}
	}
	lock_drop(t->lock);
	mem_free(memo);
	marks_apply(t, ev, n);
}

/*
 * Decoding a segment: its frames and its first state come from the index.
 *
 *	frames    | f0      |     | f1      | f2    |      found once, when the index was made
 *	segment        [ state -> ...  ...  ... ]          n events, in nframes of them
 *
 * Invariant: no frame is searched for here, so the cost of a segment depends on its own bytes only,
 * not on the bytes between its frames or on later changes of the file.
 */
#include "engine/view/decode.h"

#include <string.h>

#include "engine/joined/joined.h"
#include "tnav/base/mem.h"

/* Frame i of the index. The caller learned of the segment under the lock, and so of its frames. */
static struct frame
frame_at(const struct trace *t, uint64_t i)
{
	const struct event_frame	*f = segvec_known(&t->index.frames, i);

	return (struct frame){ .kind = FRAME_EVENTS, .off = f->off, .body = f->off + f->head,
	    .len = f->len, .next = f->off + f->head + f->len + f->tail, .cut = f->cut };
}

void
decoded_release(struct decoded *d)
{
	mem_free(d->threads.id);
	mem_free(d->types.id);
}

/* Decode up to max events of one frame, from its state on. */
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

/* The state before the segment's first event; false: the segment begins with its frame. */
static bool
first_state(struct trace *t, const struct segment *g, struct decode_state *st)
{
	if (g->state == 0)
		return false;
	memcpy(st, segvec_known(&t->index.states, g->state - 1), sizeof *st);
	return true;
}

/* Decode in the file's own trace, and add to the lists in d. */
static size_t
decode_more(struct trace *t, const struct segment *g, struct segment_pos *pos, struct event *out,
    size_t max, struct decoded *d)
{
	uint32_t	 left = g->n - pos->n;
	uint64_t	 bytes = 0;
	const char	*text;
	size_t		 n = 0;

	if (max > left)
		max = left;
	if (pos->n == 0 && !pos->inside)
		pos->inside = first_state(t, g, &pos->st);
	for (; n < max && pos->frame < g->nframes; pos->frame++, pos->inside = false) {
		struct frame	fr = frame_at(t, g->frame0 + pos->frame);
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
			break;		/* maybe inside the frame */
	}
	for (size_t i = 0; i < n; i++)
		out[i].block = g->record;
	pos->n += (uint32_t)n;
	cost_add(&t->costs.view_events, n);
	cost_add(&t->costs.view_bytes, bytes);
	return n;
}

/* The same of joined traces, without repeats. */
static size_t
joined_decode(struct trace *t, const struct segment *g, struct segment_pos *pos, struct event *out,
    size_t max, struct decoded *d)
{
	const struct joined_source	*s = joined_source(t, g->source);
	struct segment			 own = *g;
	size_t				 n = 0, got;

	own.n += g->repeats;
	do {
		got = decode_more(s->t, &own, pos, out + n, max - n, d);
		n += g->repeats == 0 ? got : repeats_drop(&s->repeats, out + n, got);
	} while (got > 0 && n < max && g->repeats > 0);
	joined_events(t, g->source, out, n);
	return n;
}

size_t
segment_decode(struct trace *t, const struct segment *g, struct segment_pos *pos,
    struct event *out, size_t max, struct decoded *d)
{
	d->threads.n = d->types.n = 0;
	return t->joined != NULL ? joined_decode(t, g, pos, out, max, d) :
	    decode_more(t, g, pos, out, max, d);
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
	const struct event_frame	*f;
	const struct decode_state	*st = NULL;

	if (t->joined != NULL)
		return segment_off(joined_source(t, g->source)->t, g) |
		    (uint64_t)g->source << EVENT_SOURCE_SHIFT;
	f = segvec_known(&t->index.frames, g->frame0);
	if (g->state != 0)
		st = segvec_known(&t->index.states, g->state - 1);
	return f->off + f->head + (st != NULL ? st->pos : 0);
}

void
segment_keys(const struct trace *t, const struct region *r, uint64_t i, struct order_key *first,
    struct order_key *last)
{
	const struct segment	*g = segvec_at(&t->index.segments, r->seg0 + i), *next;

	*first = (struct order_key){ g->tmin, segment_off(t, g) };
	*last = (struct order_key){ g->tmax, UINT64_MAX };
	if (i + 1 == r->nseg)
		return;
	next = segvec_at(&t->index.segments, r->seg0 + i + 1);
	if (next->source == g->source)	/* else it may be anywhere in another file */
		last->off = segment_off(t, next);
}

/*
 * Blocks of events as they lie in the file, for who looks at its structure.
 *
 *	record    |  [ frame ][ frame ][ frame ]  |	which block an event lies in is not kept:
 *	segments  |     [      ][         ][   ]  |	the frames behind a segment's begin tell it
 *
 * What was found is kept for the neighbours, of which most lie in the same block.
 */
#include "tnav/engine/trace.h"

#include "tnav/base/mem.h"
#include "engine/index/index.h"

#define BATCH	256u		/* events decoded at a time */

/* Where the last segment of the event's record begins that does not begin behind the event. */
static uint64_t
segment_before(struct trace *t, const struct event *e)
{
	const struct record	*r;
	uint64_t		 lo, hi, off;

	lock_take(t->lock);
	r = segvec_at(&t->records, e->block);
	off = r->off;
	lo = r->seg0;
	hi = r->seg0 + r->nseg;
	while (lo < hi) {
		uint64_t		 mid = lo + (hi - lo) / 2;
		const struct segment	*g = segvec_at(&t->segments, mid);

		if (g->s.frame_off < e->off) {
			off = g->s.frame_off;
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	lock_drop(t->lock);
	return off;
}

static bool
frame_find(struct trace *t, const struct event *e, struct frame *fr)
{
	uint64_t	off = segment_before(t, e);

	while (off < e->off && index_walk(t, &off, false, fr) == 1)
		if (fr->kind == FRAME_EVENTS && e->off >= fr->body &&
		    e->off - fr->body <= fr->len)
			return true;
	return false;
}

static void
add_event(struct block *b, const struct event *e)
{
	if (b->events == 0 || e->ts < b->tmin) {
		b->first = e->off;
		b->tmin = e->ts;
	}
	if (b->events == 0 || e->ts > b->tmax)
		b->tmax = e->ts;
	b->events++;
}

/* What its events say. False: none can be read. */
static bool
look_inside(struct trace *t, const struct frame *fr, struct block *b)
{
	const struct format_ops	*ops = t->format.ops;
	struct raw_ids		 raw = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	struct span		 body = source_span(t->source, fr->body, fr->len);
	struct event		*ev = mem_alloc(BATCH * sizeof *ev);
	struct decode_state	 st;
	const char		*text;
	uint64_t		 writer = 0;
	size_t			 n = 0;

	b->one_thread = true;
	b->more = ops->begin(&t->format, fr, body, &st, &text) >= 0;
	while (b->more && b->events < BLOCK_EVENTS) {
		raw.threads.n = raw.types.n = 0;
		n = ops->decode(&t->format, fr, body, &st, ev, BATCH, &raw.threads, &raw.types);
		b->more = n > 0;
		for (size_t i = 0; i < n; i++) {
			if (b->events == 0)
				writer = raw.threads.id[ev[0].capture];
			add_event(b, &ev[i]);
			b->one_thread &= raw.threads.id[ev[i].capture] == writer;
		}
	}
	mem_free(ev);
	raw_ids_release(&raw);
	return b->events > 0;
}

bool
trace_block(struct trace *t, const struct event *e, struct block *out)
{
	struct frame	fr;

	for (size_t i = 0; i < BLOCKS_KEPT; i++) {
		*out = t->blocks[i];
		if (e->off - out->off < out->size)	/* behind its begin, before its end */
			return true;
	}
	if (!trace_has(t, HAS_BLOCKS) || !frame_find(t, e, &fr))
		return false;
	*out = (struct block){ .kind = t->format.ops->block, .off = fr.off,
	    .size = fr.next - fr.off };
	if (!look_inside(t, &fr, out))
		return false;
	t->blocks[t->next_block++ % BLOCKS_KEPT] = *out;
	return true;
}

/*
 * Pieces of segments: events in file order.
 *
 *	segments	[ ][ ][ ][ ][ ][ ][ ]
 *	pieces		|    0    |    1    |	until there are enough events, or segments
 *	a segment	times, types, bytes -> decode -> bytes -> ids -> window -> filter -> add
 *			no match possible: it is not decoded
 *
 * Invariant: the end of a piece depends on its segments alone. A segment that cannot be decoded in
 * full is left out as a whole, because zeroes decode as plausible events.
 */
#include "engine/pass/piece.h"


#define PIECE_EVENTS	(64u << 10)
#define PIECE_SMALL	4096u
#define PIECE_SEGMENTS	1024u		/* the most segments of a piece */

/* ---- cutting */

void
segment_cut_init(struct segment_cut *c, struct trace *t, uint64_t first, bool small)
{
	lock_take(t->lock);
	if (first < t->head.segment)
		first = t->head.segment;
	*c = (struct segment_cut){ .next = first, .end = t->index.segments.n, .small = small };
	lock_drop(t->lock);
}

bool
segment_cut_next(struct segment_cut *c, struct trace *t, struct piece *pc)
{
	uint32_t	most = c->small ? PIECE_SMALL : PIECE_EVENTS;
	uint64_t	events = 0;

	*pc = (struct piece){ .seg0 = c->next };
	while (c->next < c->end && events < most && pc->nseg < PIECE_SEGMENTS) {
		events += ((const struct segment *)segvec_known(&t->index.segments, c->next))->n;
		c->next++;
		pc->nseg++;
	}
	pc->weight = pc->nseg;
	pc->end.at = c->next;
	return pc->nseg > 0;
}

/* ---- working */

bool
segment_matches(struct pass_worker *w, const struct segment *g, uint32_t *matches)
{
	uint32_t	n;

	*matches = 0;
	if (!worker_may(w, g))
		return true;
	n = (uint32_t)segment_events(w->t, g, w->ev, &w->decoded);
	if (w->decoded.lost || n != g->n) {
		w->decoded.lost = false;
		return false;
	}
	if (w->sieve != NULL)
		n = sieve_raw(w->sieve, w->ev, n);
	resolver_events(w->resolver, g, w->ev, n, &w->decoded);
	*matches = worker_sift(w, g, w->ev, n);
	return true;
}

static void
segment_run(struct pass_worker *w, struct piece *pc, const struct segment *g)
{
	uint32_t	n;

	pc->lost |= !segment_matches(w, g, &n);
	worker_give(w, pc, &(struct pass_batch){ .ev = w->ev, .at = w->at, .n = n,
	    .row0 = ROW_UNKNOWN });
}

void
segment_piece_run(struct pass_worker *w, struct piece *pc)
{
	uint64_t	costly = w->eval != NULL ? filter_costly(w->eval) : 0;

	for (uint32_t i = 0; i < pc->nseg && !atomic_load(w->stop); i++)
		segment_run(w, pc, segvec_known(&w->t->index.segments, pc->seg0 + i));
	if (w->eval != NULL)
		pc->costly = filter_costly(w->eval) - costly;
}

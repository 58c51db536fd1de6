/*
 * Pieces of rows: slices in time order, whose views the workers make and share; or, if the filter
 * does not need rows, only their matches (matches.c).
 *
 *	slices	[ 0: ready       ][ 1: ready ][ 2: being made ][ 3: nothing matches ] ...
 *	pieces	| a | b | c | d  | e | ...				in this order only
 *
 * A worker takes a piece from the first slice that has rows left, or else makes the next view in
 * advance. So views are made during the work on others, and only a few pieces are unmerged.
 *
 * The rows of the open region are those that were published when the pass began.
 *
 * Invariant: pieces are in the order of rows. The open views take at most cap bytes, unless there
 * is only one.
 */
#include "engine/pass/piece.h"

#include "tnav/base/mem.h"

#define PIECE_ROWS	SCAN_SEGMENT	/* the most rows of a piece, for which a worker has room */
#define PIECE_FEW	512u		/* ... if its state is large */
#define PIECE_BYTES	(1u << 20)	/* the most bytes of payloads in a piece, about */
#define AHEAD		16u		/* events that are prefetched */

void
row_cut_init(struct row_cut *c, struct trace *t, const struct pass_options *o)
{
	*c = (struct row_cut){ .row = o->row0 };
	rows_now_init(&c->now, t);
	c->end = c->now.rows;
	if (c->row < c->now.head)
		c->row = c->now.head;
	if (o->row1 != 0 && o->row1 < c->end)
		c->end = o->row1;
	if (o->filter != NULL)
		filter_rows(o->filter, &c->row, &c->end);
	c->cap = view_cache_cap(t->cache) / 2;
	c->use = VIEW_STAYS;
	if (c->now.rows * sizeof(struct event) > view_cache_cap(t->cache))
		c->use = VIEW_PASSES;
	c->sifts = o->filter != NULL && !filter_needs_rows(o->filter);
	c->piece_rows = o->few_rows ? PIECE_FEW : PIECE_ROWS;
}

static struct open_slice *
slice_at(struct row_cut *c, size_t i)
{
	return &c->open[(c->head + i) % OPEN_MOST];
}

static const struct event *
event_at(const struct open_slice *s, uint32_t i)
{
	return s->view != NULL ? &s->view->ev[i] : &s->matches.ev[s->matches.at[i]];
}

static void
piece_cut(struct open_slice *s, struct piece *pc, uint32_t rows)
{
	/* Mostly all payloads of the slice together are smaller, and their sizes don't matter. */
	bool		few = s->view == NULL && s->matches.bytes < PIECE_BYTES;
	uint64_t	bytes = 0;

	*pc = (struct piece){ .slice = s, .from = s->next, .to = s->next };
	if (few)
		pc->to += s->end - s->next < rows ? s->end - s->next : rows;
	while (!few && pc->to < s->end && pc->to - pc->from < rows && bytes < PIECE_BYTES) {
		if (s->end - pc->to > AHEAD)
			__builtin_prefetch(event_at(s, pc->to + AHEAD));
		bytes += event_at(s, pc->to++)->size;
	}
	pc->weight = pc->to - pc->from;
	pc->end.at = s->ref.s.row0 + (s->view != NULL ? pc->to : s->matches.rank[pc->to - 1] + 1);
	pc->end.ts = event_at(s, pc->to - 1)->ts;
	pc->final = s->ref.final;
	s->next = pc->to;
	s->working++;
}

/* The next slice that has rows in the window; false: there is none. */
static bool
slice_next(struct row_cut *c, struct trace *t, const struct pass_options *o, struct slice_ref *ref)
{
	while (c->row < c->end && rows_now_find(&c->now, t, c->row, ref)) {
		if (pass_touches(o, ref->s.lo.ts, ref->s.hi.ts))
			return true;
		c->passed += ref->s.row0 + ref->s.n - c->row;
		c->row = ref->s.row0 + ref->s.n;
	}
	return false;
}

/* Begin to open the next slice, if there is one and if there is room for it. */
static struct open_slice *
slice_begin(struct row_cut *c, struct trace *t, const struct pass_options *o)
{
	struct slice_ref	 ref;
	struct open_slice	*s;
	size_t			 bytes;

	if (c->n == OPEN_MOST || !slice_next(c, t, o, &ref))
		return NULL;
	bytes = ((size_t)ref.s.n + SCAN_SEGMENT) * sizeof(struct event);
	if (c->n > 0 && c->bytes + bytes > c->cap)
		return NULL;
	s = slice_at(c, c->n++);
	*s = (struct open_slice){ .ref = ref, .bytes = bytes, .use = c->use,
	    .next = (uint32_t)(c->row - ref.s.row0), .end = ref.s.n };
	if (c->sifts && c->nspare > 0)
		s->matches = c->spare[--c->nspare];
	c->bytes += bytes;
	c->row = ref.s.row0 + ref.s.n;
	if (c->row > c->end)
		s->end -= (uint32_t)(c->row - c->end);
	return s;
}

/* Free the places of the first slices that are done. */
static void
slices_end(struct row_cut *c)
{
	for (; c->n > 0; c->head++, c->n--) {
		struct open_slice	*s = slice_at(c, 0);

		if (!s->ready || s->working > 0 || s->next < s->end)
			return;
		if (c->sifts)
			c->spare[c->nspare++] = s->matches;
		s->matches = (struct matches){ .ev = NULL };
		c->bytes -= s->bytes;
	}
}

enum row_task
row_cut_next(struct row_cut *c, struct trace *t, const struct pass_options *o, struct piece *pc,
    struct open_slice **s)
{
	slices_end(c);
	for (size_t i = 0; i < c->n && slice_at(c, i)->ready; i++) {
		if (slice_at(c, i)->next < slice_at(c, i)->end) {
			piece_cut(slice_at(c, i), pc, c->piece_rows);
			return ROWS_PIECE;
		}
	}
	*s = slice_begin(c, t, o);
	if (*s != NULL)
		return ROWS_OPEN;
	return c->n > 0 ? ROWS_WAIT : ROWS_END;
}

/* ---- working */

bool
slice_may_match(struct trace *t, struct sieve *sieve, const struct slice_ref *ref,
    const atomic_bool *stop)
{
	const struct segment	**seg;
	size_t			  n;
	bool			  may = false;

	n = slice_segments(t, ref, &seg);
	for (size_t i = 0; i < n && !may; i++)
		may = atomic_load(stop) || sieve_segment(sieve, seg[i]);
	mem_free(seg);
	return may;
}

/* Find the matches of a slice. False: its events can't be read. */
static bool
matches_open(struct pass_worker *w, struct open_slice *s)
{
	uint64_t	costly = filter_costly(w->eval);
	bool		made = matches_make(w, &s->ref, s->next, s->end, &s->matches);

	s->costly = filter_costly(w->eval) - costly;
	return made;
}

static bool
view_open(struct pass_worker *w, struct open_slice *s)
{
	s->view = view_cache_get(w->t->cache, w->t, &s->ref, s->use, w->stop);
	return s->view != NULL;
}

void
slice_open(struct pass_worker *w, struct open_slice *s, bool sifts)
{
	uint32_t	state = atomic_load(&w->t->state);

	if (!sifts && ((w->sieve != NULL &&
	    !slice_may_match(w->t, w->sieve, &s->ref, w->stop)) || atomic_load(w->stop)))
		return;
	s->lost = s->ref.s.failed == state;
	if (s->lost)
		return;
	s->lost = (sifts ? !matches_open(w, s) : !view_open(w, s)) && !atomic_load(w->stop);
	if (s->lost)
		slice_failed(w->t, &s->ref, state);
}

void
slice_opened(struct row_cut *c, struct open_slice *s)
{
	uint32_t	rows = s->end - s->next;

	s->ready = true;
	if (s->view != NULL)
		return;
	s->next = 0;
	s->end = s->lost ? 0 : s->matches.n;
	c->passed += rows - s->end;
}

void
row_piece_run(struct pass_worker *w, struct piece *pc)
{
	const struct slice_view	*v = pc->slice->view;
	const struct matches	*m = &pc->slice->matches;
	const struct event	*ev;
	uint64_t		 costly = w->eval != NULL ? filter_costly(w->eval) : 0;
	uint32_t		 n;

	if (v == NULL) {
		worker_give(w, pc, &(struct pass_batch){ .ev = m->ev, .at = m->at + pc->from,
		    .rank = m->rank + pc->from, .n = pc->to - pc->from,
		    .row0 = pc->slice->ref.s.row0 });
		return;
	}
	ev = v->ev + pc->from;
	n = worker_window(w, ev, pc->to - pc->from);
	worker_add(w, pc, ev, n, v->row0 + pc->from);
	if (w->eval != NULL)
		pc->costly = filter_costly(w->eval) - costly;
}

const struct slice_view *
slice_left(struct piece *pc)
{
	struct open_slice	*s = pc->slice;
	const struct slice_view	*v = s->view;

	s->working--;
	if (s->working > 0 || s->next < s->end)
		return NULL;
	s->view = NULL;
	return v;
}

void
row_cut_release(struct row_cut *c, struct trace *t)
{
	for (size_t i = 0; i < c->n; i++) {
		if (slice_at(c, i)->view != NULL)
			view_cache_put(t->cache, slice_at(c, i)->view);
		matches_release(&slice_at(c, i)->matches);
	}
	while (c->nspare > 0)
		matches_release(&c->spare[--c->nspare]);
	rows_now_release(&c->now);
}

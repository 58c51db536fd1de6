/*
 * The parts of a trace where a filter cannot match.
 *
 *	record	[ types: 3 x A, 9 x B ]		A: no, B: no	-> none of its segments is decoded
 *		[segment][segment]		times: no
 *	frames	[  ..x.....  ][ ....x ]		x: places of a pattern's literals
 *	events	 e  e(x) e  e  e (x)e		kept: those with a place in their payload, and
 *						those whose type, thread or labels may match
 *
 * The tree of the filter is evaluated for each type of the record, with the times and places of the
 * segment; then, with the places, for each event. Places are searched once per segment and term,
 * when the tree needs them. Most events have none; the result for these is found once per type.
 *
 * Invariant: if the sieve says no, filter_match() is false for every event.
 */
#include "engine/filter/sieve.h"

#include <string.h>

#include "engine/filter/eval.h"
#include "engine/filter/operators.h"
#include "engine/joined/joined.h"
#include "engine/view/decode.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define PLACES_MOST	8192u	/* of a term in a segment; if more, all events may match */

/* The places of a term's literals in a segment. */
struct literal_places {
	bool		 known;		/* the following is set: */
	uint64_t	*off;		/* ascending */
	size_t		 n, cap;
	size_t		 next;		/* the first place that is not before the event */
	bool		 many;		/* there are more than PLACES_MOST */
	bool		 beside_known;
	bool		 threads, labels;	/* these may have one of the literals */
	uint64_t	 label0, nlabels;	/* the label blocks that were searched, */
	bool		 in_labels;	/* ... and the result */
};

struct sieve {
	const struct filter	*f;
	struct filter_eval	*eval;
	struct trace		*t;
	struct text_search	*search;	/* the evaluator's */
	struct literal_places	*places;	/* by term */

	uint32_t		 record;	/* 1 + the record of the types; 0: none yet */
	uint32_t		 ntypes;	/* TYPES_UNKNOWN: too many */
	struct type_count	 type[TYPES_KEPT];

	uint8_t			*bare;		/* enum bare; two per type: without labels, with */
	size_t			 nbare;

	struct segment		 g;		/* of the last sieve_segment(), */
	struct trace		*home;		/* ... and the trace of its index and file */
	uint64_t		 base;		/* event.off is offset + base */
	bool			 has_bytes;	/* off and end are set */
	uint64_t		 off, end;	/* its range in that file, gaps included */
	int64_t			 from_ns, to_ns;	/* times of its first and last event */
};

enum bare { BARE_UNKNOWN, BARE_DROP, BARE_KEEP };

/* The subject of a question: the events of a type in a segment, one event, or events without a
   place. */
struct subject {
	uint32_t		 type;
	const struct event	*e;
	bool			 bare;
};

struct sieve *
sieve_new(const struct filter *f, struct filter_eval *e, struct trace *t)
{
	struct sieve	*s = mem_zalloc(1, sizeof *s);

	s->f = f;
	s->eval = e;
	s->t = t;
	s->search = filter_search(e);
	s->places = mem_zalloc(f->nterms + 1, sizeof *s->places);
	return s;
}

void
sieve_free(struct sieve *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->f->nterms; i++)
		mem_free(s->places[i].off);
	mem_free(s->places);
	mem_free(s->bare);
	mem_free(s);
}

/* ---- places */

/* Are the places ascending? Those of one needle are. */
static bool
is_ascending(const struct literal_places *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->off[i] < p->off[i - 1])
			return false;
	return true;
}

static void
places_search(struct literal_places *p, const struct needle *n, struct span bytes, uint64_t off)
{
	struct needle_scan	scan;
	const uint8_t		*at;

	needle_begin(&scan, n, bytes);
	for (at = needle_next(&scan); at != NULL && !p->many; at = needle_next(&scan)) {
		ARRAY_ADD(p->off, p->n, p->cap, off + (uint64_t)(at - bytes.p));
		p->many = p->n == PLACES_MOST;
	}
}

/*
 * Set the range of the segment's bytes in the file. Segments are in file order; one may begin in
 * the frame in which the previous one ends.
 */
static void
segment_bytes(struct sieve *s)
{
	const struct trace		*t = s->home;
	const struct event_frame	*last;
	uint64_t			 after = 0;	/* the first segment after it */

	if (s->has_bytes)
		return;
	s->has_bytes = true;
	lock_take(t->lock);
	last = segvec_at(&t->index.frames, s->g.frame0 + s->g.nframes - 1);
	s->off = segment_off(t, &s->g);
	s->end = last->off + last->head + last->len;
	BISECT(after, t->index.segments.n, i,
	    segment_off(t, segvec_at(&t->index.segments, i)) <= s->off);
	if (after < t->index.segments.n) {
		uint64_t	next = segment_off(t, segvec_at(&t->index.segments, after));

		if (next < s->end)
			s->end = next;
	}
	lock_drop(t->lock);
}

/* The part of a frame that belongs to the segment. */
static struct span
frame_part(struct sieve *s, const struct event_frame *f, uint64_t *off)
{
	uint64_t	end = f->off + f->head + f->len;

	*off = f->off + f->head;
	if (*off < s->off)
		*off = s->off;
	if (end > s->end)
		end = s->end;
	return source_span(s->home->source, *off, end > *off ? end - *off : 0);
}

/* The places of a term in the segment, searched if they are not known yet. */
static struct literal_places *
places_of(struct sieve *s, size_t term)
{
	struct literal_places	*p = &s->places[term];
	unsigned		 n;
	const struct needle	*needle = text_needles(s->search, term, &n);

	if (p->known)
		return p;
	p->known = true;
	p->many = false;
	p->n = p->next = 0;
	segment_bytes(s);
	for (uint32_t i = 0; i < s->g.nframes; i++) {
		struct event_frame	f;
		struct span		bytes;
		uint64_t		off;

		lock_take(s->home->lock);
		f = *(struct event_frame *)segvec_at(&s->home->index.frames, s->g.frame0 + i);
		lock_drop(s->home->lock);
		bytes = frame_part(s, &f, &off);
		for (unsigned k = 0; k < n; k++)
			places_search(p, &needle[k], bytes, off + s->base);
	}
	if (!is_ascending(p))
		sort_array(p->off, p->n, sizeof *p->off, compare_u64);
	return p;
}

/* Is one of the places in the event's payload? Mostly called for events in file order. */
static bool
place_in(struct literal_places *p, const struct event *e)
{
	if (p->next > 0 && p->off[p->next - 1] >= e->off)
		p->next = 0;
	while (p->next < p->n && p->off[p->next] < e->off)
		p->next++;
	return p->next < p->n && p->off[p->next] - e->off < e->size;
}

/* ---- labels, which are in separate blocks */

static bool
block_has(struct sieve *s, size_t term, uint64_t block)
{
	struct list_block	*b;
	uint64_t		 off, len;

	lock_take(s->home->lock);
	b = segvec_at(&s->home->labels.block, block);
	off = b->off;
	len = b->len;
	lock_drop(s->home->lock);
	return text_in_label_block(s->search, term, source_span(s->home->source, off, len));
}

/* May a label list of the segment's region have one of the literals? */
static bool
in_labels(struct sieve *s, size_t term)
{
	struct literal_places	*p = &s->places[term];
	const struct region	*r;
	uint64_t		 first, n;

	lock_take(s->home->lock);
	r = index_region(s->home, s->g.record);
	first = r->label0;
	n = r->nlabels;
	lock_drop(s->home->lock);
	if (p->label0 != first) {
		p->label0 = first;
		p->nlabels = 0;
		p->in_labels = false;
	}
	for (; p->nlabels < n && !p->in_labels; p->nlabels++)
		p->in_labels = block_has(s, term, first + p->nlabels);
	return n > 0 && p->in_labels;
}

/* Set threads and labels: may these, which are not in payloads, have one of the literals? */
static const struct literal_places *
beside(struct sieve *s, size_t term)
{
	struct literal_places	*p = &s->places[term];

	if (!p->beside_known && text_of_row(s->search, term)) {
		p->threads = text_in_threads(s->search, term);
		p->labels = in_labels(s, term);
	}
	p->beside_known = true;
	return p;
}

/* ---- terms: true for 0: no, -1: maybe some, 1: all events of the subject */

static bool
text_may(struct sieve *s, size_t term, const struct subject *q)
{
	struct literal_places	*p;

	if (q->e == NULL || q->bare) {
		if (text_in_type(s->search, term, q->type))
			return true;
	} else if (text_in_values(s->search, term, q->e)) {
		return true;
	}
	if (q->bare)
		return false;
	p = places_of(s, term);
	(void)beside(s, term);
	if (q->e == NULL)
		return p->n > 0 || p->threads || p->labels;
	return p->many || place_in(p, q->e) ||
	    (p->threads && text_in_thread(s->search, term, q->e->thread)) ||
	    (p->labels && text_in_labels(s->search, term, q->e));
}

static bool
time_holds(const struct filter_term *term, int64_t ns)
{
	const struct filter_num	v = { .kind = NUM_I, .i = ns };
	bool			holds = false;
	int			order;

	for (size_t i = 0; i < term->nlits; i++)
		holds |= num_compare(&v, &term->lits[i].num, &order) &&
		    operator_holds(term->holds, order);
	return holds;
}

static bool
is_before(int64_t ns, const struct filter_literal *l)
{
	const struct filter_num	v = { .kind = NUM_I, .i = ns };
	int			order;

	return !l->open && num_compare(&v, &l->num, &order) && order < 0;
}

static int
time_verdict(const struct filter_term *term, int64_t first, int64_t last)
{
	int64_t	least = first, most = last;

	switch (term->op) {
	case FO_LT: case FO_LE:
		least = last;
		most = first;
		break;
	case FO_GT: case FO_GE:
		break;
	case FO_RANGE:
		/* The upper bound is not part of the range. */
		return is_before(last, &term->lits[0]) ||
		    (!term->lits[1].open && !is_before(first, &term->lits[1])) ? 0 : -1;
	default:
		return -1;
	}
	if (time_holds(term, least))
		return 1;
	return time_holds(term, most) ? -1 : 0;
}

static int
term_verdict(struct sieve *s, size_t term, const struct subject *q)
{
	const struct filter_term	*x = &s->f->terms[term];

	if (text_search_has(s->search, term))
		return text_may(s, term, q) ? -1 : 0;
	if (q->e == NULL && x->ref.def->kind == FIELD_HEADER && x->ref.def->class == CLASS_TIME &&
	    !x->negate)
		return time_verdict(x, s->from_ns, s->to_ns);
	return -1;
}

static int
verdict(struct sieve *s, uint32_t node, const struct subject *q)
{
	const struct filter_node	*n = &s->f->nodes[node];
	int				 r, decisive, part;

	r = filter_node_verdict(s->eval, node, q->type, q->e != NULL && q->e->labels != 0);
	if (q->e == NULL && r >= 0 && filter_node_verdict(s->eval, node, q->type, true) != r)
		r = -1;
	if (r >= 0)
		return r;
	if (n->kind == NODE_TERM)
		return term_verdict(s, n->term, q);
	if (n->kind == NODE_NOT) {
		r = verdict(s, n->first, q);
		return r < 0 ? r : !r;
	}
	decisive = n->kind == NODE_OR;
	r = !decisive;
	for (uint32_t c = n->first; c != 0 && r != decisive; c = s->f->nodes[c].next) {
		part = verdict(s, c, q);
		if (part == decisive || part < 0)
			r = part;
	}
	return r;
}

/* ---- segments and events */

/* Types of a source as those of the joined trace. One that it does not have yet: any may come. */
static void
types_of_whole(struct sieve *s, const struct segvec *whole)
{
	size_t	n = number_now(s->t, whole);

	for (uint32_t i = 0; s->ntypes != TYPES_UNKNOWN && i < s->ntypes; i++) {
		if (s->type[i].type >= n)
			s->ntypes = TYPES_UNKNOWN;
		else
			s->type[i].type = number_in_whole(whole, s->type[i].type);
	}
}

/* Copy the types of the record. The last record may still get more. */
static void
record_types(struct sieve *s, uint32_t record)
{
	const struct trace	*t = s->home;
	const struct record	*r;

	if (s->record == record + 1)
		return;
	lock_take(t->lock);
	r = segvec_at(&t->index.records, record);
	s->ntypes = r->ntypes;
	for (uint32_t i = 0; s->ntypes != TYPES_UNKNOWN && i < s->ntypes; i++)
		s->type[i] = *(struct type_count *)segvec_at(&t->index.type_counts,
		    r->types0 + i);
	s->record = record + 1 < t->index.records.n ? record + 1 : 0;
	lock_drop(t->lock);
	if (t != s->t)
		types_of_whole(s, &joined_source(s->t, s->g.source)->type);
}

/* The segments from now on are of another trace: what was kept of the last one is of no use. */
static void
home_set(struct sieve *s, struct trace *home, uint32_t source)
{
	s->home = home;
	s->base = (uint64_t)source << EVENT_SOURCE_SHIFT;
	s->record = 0;
	for (size_t i = 0; i < s->f->nterms; i++) {
		s->places[i].label0 = s->places[i].nlabels = 0;
		s->places[i].in_labels = false;
	}
}

/* May an event of one of the record's types match? */
static bool
types_may(struct sieve *s)
{
	if (s->ntypes == TYPES_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < s->ntypes; i++)
		if (filter_type_verdict(s->eval, s->type[i].type) != 0)
			return true;
	return false;
}

/* The questions from now on are about this segment. */
static void
segment_set(struct sieve *s, const struct segment *g)
{
	struct trace	*home = segment_home(s->t, g);

	if (home != s->home)
		home_set(s, home, g->source);
	s->g = *g;
	record_types(s, g->record);
}

/* Add what the types of the record tell: all of its events, and those that match. */
static bool
types_count(struct sieve *s, uint32_t *all, uint32_t *hits)
{
	bool	known = s->ntypes != TYPES_UNKNOWN;

	for (uint32_t i = 0; known && i < s->ntypes; i++) {
		int	verdict = filter_type_verdict(s->eval, s->type[i].type);

		known = verdict >= 0;
		*all += s->type[i].n;
		*hits += verdict > 0 ? s->type[i].n : 0;
	}
	return known;
}

bool
sieve_count(struct sieve *s, const struct segment *g, uint32_t *hits)
{
	uint32_t	all = 0;

	*hits = 0;
	segment_set(s, g);
	/* The record counts repeats, too, and may have other segments. */
	return g->repeats == 0 && types_count(s, &all, hits) && all == g->n;
}

bool
sieve_count_region(struct sieve *s, const struct region *r, uint32_t *hits)
{
	uint32_t	all = 0;
	bool		known = r->nrecords > 0;		/* joined traces have none */

	*hits = 0;
	if (known && s->home != s->t)
		home_set(s, s->t, 0);
	for (uint64_t i = 0; known && i < r->nrecords; i++) {
		record_types(s, (uint32_t)(r->record0 + i));
		known = types_count(s, &all, hits);
	}
	return known && all == r->events;
}

bool
sieve_segment(struct sieve *s, const struct segment *g)
{
	segment_set(s, g);
	s->has_bytes = false;
	for (size_t i = 0; i < s->f->nterms; i++)
		s->places[i].known = s->places[i].beside_known = false;
	if (!types_may(s))
		return false;
	s->from_ns = trace_ns(s->t, g->tmin);
	s->to_ns = trace_ns(s->t, g->tmax);
	if (s->ntypes == TYPES_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < s->ntypes; i++) {
		const struct subject	q = { .type = s->type[i].type };

		if (filter_type_verdict(s->eval, q.type) != 0 && verdict(s, s->f->root, &q) != 0)
			return true;
	}
	return false;
}

bool
sieve_all(const struct sieve *s)
{
	if (s->ntypes == TYPES_UNKNOWN)
		return false;
	for (uint32_t i = 0; i < s->ntypes; i++)
		if (filter_type_verdict(s->eval, s->type[i].type) != 1)
			return false;
	return true;
}

/* May an event of the type match without a place, and without a literal in thread and labels? */
static bool
bare_may(struct sieve *s, uint32_t type, bool labelled)
{
	struct event		any = { .type = type, .labels = labelled };
	const struct subject	q = { .type = type, .e = &any, .bare = true };
	size_t			i = (size_t)type * 2 + labelled;

	s->bare = array_reach(s->bare, &s->nbare, i, sizeof *s->bare);
	if (s->bare[i] == BARE_UNKNOWN)
		s->bare[i] = verdict(s, s->f->root, &q) != 0 ? BARE_KEEP : BARE_DROP;
	return s->bare[i] == BARE_KEEP;
}

/* Are all places of all terms in the segment known? Then events without a place can be decided. */
static bool
all_placed(struct sieve *s)
{
	for (size_t i = 0; i < s->f->nterms; i++)
		if (text_search_has(s->search, i) &&
		    (places_of(s, i)->many || beside(s, i)->labels))
			return false;
	return true;
}

/* Do only events with a place match in this segment? */
static bool
only_places(struct sieve *s)
{
	if (s->ntypes == TYPES_UNKNOWN || !all_placed(s))
		return false;
	for (size_t i = 0; i < s->f->nterms; i++)
		if (s->places[i].threads)
			return false;
	for (uint32_t i = 0; i < s->ntypes; i++)
		if (bare_may(s, s->type[i].type, false) || bare_may(s, s->type[i].type, true))
			return false;
	return true;
}

static bool
has_place(struct sieve *s, const struct event *e)
{
	for (size_t i = 0; i < s->f->nterms; i++)
		if (text_search_has(s->search, i) && place_in(&s->places[i], e))
			return true;
	return false;
}

uint32_t
sieve_raw(struct sieve *s, struct event *ev, uint32_t n)
{
	uint32_t	kept = 0;

	if (s->search == NULL || !only_places(s))
		return n;
	for (uint32_t i = 0; i < n; i++)
		if (has_place(s, &ev[i]))
			ev[kept++] = ev[i];
	return kept;
}

static bool
is_bare(struct sieve *s, const struct event *e)
{
	for (size_t i = 0; i < s->f->nterms; i++) {
		struct literal_places	*p = &s->places[i];

		if (text_search_has(s->search, i) && (place_in(p, e) ||
		    (p->threads && text_in_thread(s->search, i, e->thread))))
			return false;
	}
	return true;
}

uint32_t
sieve_events(struct sieve *s, const struct event *ev, uint32_t *at, uint32_t n)
{
	uint32_t	kept = 0;
	bool		placed;

	if (s->search == NULL)
		return n;
	placed = all_placed(s);
	for (uint32_t i = 0; i < n; i++) {
		const struct event	*e = &ev[at[i]];
		const struct subject	 q = { .type = e->type, .e = e };

		if (placed && is_bare(s, e) && !bare_may(s, e->type, e->labels != 0))
			continue;
		if (verdict(s, s->f->root, &q) != 0)
			at[kept++] = at[i];
	}
	return kept;
}

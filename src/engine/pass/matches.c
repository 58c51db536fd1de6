/*
 * The events of a slice that match a filter, in the order of time.
 *
 *	segment		| a  b  c  d | e  f  g |		decoded, one after the other
 *	matches		     b     d      f			filtered before the sort; each
 *								segment is decoded after them
 *	keys		| a  c  b  d | f  e  g |		of all events, sorted
 *	rank		        2  3   4			the row of each match
 *
 * Sorting times costs less than sorting events, most of which do not match.
 *
 * Invariant: the matches are those that the filter would find in the slice's view.
 */
#include "engine/pass/matches.h"

#include "tnav/base/mem.h"

/* The segments of a slice. */
struct matches_build {
	struct pass_worker		*w;
	const struct slice_ref		*ref;
	struct resolver			*resolver;
	struct matches			*m;
	size_t				 n;	/* number of keys so far */
};

void
matches_release(struct matches *m)
{
	mem_free(m->ev);
	mem_free(m->at);
	mem_free(m->rank);
	*m = (struct matches){ .ev = NULL };
}

/* Filter the n events after the matches, and add those that match. Their keys have the index. */
static void
keep_matches(struct matches_build *x, uint32_t n)
{
	const struct pass_worker	*w = x->w;
	struct matches			*m = x->m;
	struct event			*ev = m->ev + m->n;

	for (uint32_t i = 0; i < n; i++) {
		w->order.key[x->n + w->at[i]].at = m->n++;
		m->bytes += ev[w->at[i]].size;
		if (w->at[i] != i)
			ev[i] = ev[w->at[i]];
	}
}

/* Filter one segment; may: one of its events may match. False: it can't be read. */
static bool
segment_sift(struct matches_build *x, const struct segment *g, bool may)
{
	struct pass_worker	*w = x->w;
	struct matches		*m = x->m;
	struct event		*ev;
	size_t			 n;

	m->ev = mem_grow(m->ev, &m->ev_cap, (size_t)m->n + g->n, sizeof *m->ev);
	ev = m->ev + m->n;
	n = segment_events(w->t, g, ev, &w->decoded);
	if (w->decoded.lost)
		return false;
	if (may)
		resolver_events(x->resolver, g, ev, n, &w->decoded);
	n = slice_keep(&x->ref->s, ev, n);
	w->order.key = mem_grow(w->order.key, &w->order.key_cap, x->n + n,
	    sizeof *w->order.key);
	for (size_t i = 0; i < n; i++)
		w->order.key[x->n + i] = (struct key_at){ ev[i].ts, KEY_NOWHERE };
	if (may)
		keep_matches(x, worker_sift(w, g, ev, (uint32_t)n));
	x->n += n;
	return true;
}

/* Sort the matches by time, and drop those outside of the requested rows. */
static void
put_in_order(struct matches_build *x, uint32_t from, uint32_t to)
{
	struct pass_worker	*w = x->w;
	struct matches		*m = x->m;
	uint32_t		 n = 0;

	m->at = mem_grow(m->at, &m->at_cap, m->n, sizeof *m->at);
	m->rank = mem_grow(m->rank, &m->rank_cap, m->n, sizeof *m->rank);
	if (m->n > 0)
		keys_sort(w->order.key, x->n, &w->order);
	for (uint32_t i = from; i < to && m->n > 0; i++) {
		if (w->order.key[i].at == KEY_NOWHERE)
			continue;
		m->at[n] = w->order.key[i].at;
		m->rank[n++] = i;
	}
	m->n = n;
}

/* The index of the first segment in which an event may match; n: none. */
static size_t
first_that_may(struct pass_worker *w, const struct segment **seg, size_t n)
{
	size_t	i = 0;

	while (i < n && !atomic_load(w->stop) && !worker_may(w, seg[i]))
		i++;
	return i;
}

bool
matches_make(struct pass_worker *w, const struct slice_ref *ref, uint32_t from, uint32_t to,
    struct matches *m)
{
	struct matches_build	  x = { .w = w, .ref = ref, .m = m };
	const struct segment	**seg;
	size_t			  nseg = slice_segments(w->t, ref, &seg);
	size_t			  first = first_that_may(w, seg, nseg);
	bool			  made = true;

	m->n = 0;
	m->bytes = 0;
	if (first < nseg && !atomic_load(w->stop)) {
		x.resolver = resolver_new(w->t);
		for (size_t i = 0; i < nseg && made && x.n <= ref->s.n; i++)
			made = !atomic_load(w->stop) && segment_sift(&x, seg[i], i == first ||
			    (i > first && worker_may(w, seg[i])));
		made &= x.n == ref->s.n;
		resolver_free(x.resolver);
		if (made)
			put_in_order(&x, from, to);
		else
			m->n = 0;
	}
	mem_free(seg);
	w->decoded.lost = false;
	return made;
}

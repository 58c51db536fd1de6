/*
 * The hits of slices of large regions.
 *
 *	segments	[====a====][==b==]		each is decoded once, and each of its hits
 *			   [=====c=====]		added to its slice
 *	slices		| 0  | 1  | 2  | 3 |		known when all that touch it are done
 *	hits		  12   3    0    7
 *
 * A view decodes all segments that touch its slice. Where a slice is short beside a segment, as in
 * joined traces, whose slices have a part from each source, making all views decodes each segment
 * many times, and then sorts the events. Counting needs neither. Workers whose slices are
 * neighbours share the segments of both: each takes one that no other has taken.
 *
 * Invariant: the hits of a segment are added once, all of them.
 */
#include "engine/pass/slice_hits.h"

#include "engine/view/cut.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

enum segment_state { SEGMENT_NEW, SEGMENT_TAKEN, SEGMENT_DONE };

struct region_hits {
	struct region_hits	*next;
	uint64_t		 key;		/* of its first slice */
	struct slice_list	 slices;
	uint32_t		*hits;		/* of each of the slices */
	uint8_t			*state;		/* of each segment: enum segment_state */
	size_t			 untaken;	/* slices whose hits nobody has taken */
	unsigned		 users, waiting;	/* workers */
};

bool
slice_is_shared(const struct slice_ref *ref)
{
	return ref->final && ref->r.touch != NULL && ref->s.n < ref->r.events;
}

/* ---- under the lock */

static struct region_hits *
region_find(const struct slice_hits *h, const struct slice_ref *ref)
{
	struct region_hits	*x = h->regions;

	while (x != NULL && (ref->key < x->key || ref->key - x->key >= x->slices.n))
		x = x->next;
	return x;
}

/* NULL: the region was opened again. */
static struct region_hits *
region_use(struct slice_hits *h, struct trace *t, const struct slice_ref *ref)
{
	struct region_hits	*x = region_find(h, ref);
	struct slice_list	 l;
	uint64_t		 key;

	if (x == NULL && region_slices(t, ref, &l, &key)) {
		x = mem_zalloc(1, sizeof *x);
		*x = (struct region_hits){ .next = h->regions, .key = key, .slices = l,
		    .hits = mem_zalloc(l.n, sizeof *x->hits), .untaken = l.n,
		    .state = mem_zalloc(ref->r.nseg, sizeof *x->state) };
		h->regions = x;
	}
	if (x != NULL)
		x->users++;
	return x;
}

static void
region_free(struct region_hits *x)
{
	mem_free(x->slices.s);
	mem_free(x->hits);
	mem_free(x->state);
	mem_free(x);
}

/* If all of its hits were taken, it is of no more use. */
static void
region_leave(struct slice_hits *h, struct region_hits *x, bool taken)
{
	struct region_hits	**at = &h->regions;

	x->users--;
	if (taken && x->untaken > 0)
		x->untaken--;
	if (x->untaken > 0 || x->users > 0)
		return;
	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	region_free(x);
}

void
slice_hits_release(struct slice_hits *h)
{
	while (h->regions != NULL) {
		struct region_hits	*x = h->regions;

		h->regions = x->next;
		region_free(x);
	}
}

/* ---- segments */

/* Turn the first n of w->at into the slices of these events. Those of other regions are dropped. */
static uint32_t
hits_place(const struct region_hits *x, struct pass_worker *w, uint32_t n)
{
	size_t		at = 0;
	uint32_t	kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct event	*e = &w->ev[w->at[i]];
		struct order_key	 key = { e->ts, e->off };

		if (!slice_has(&x->slices.s[at], key))
			at = slice_of(&x->slices, key);
		if (slice_has(&x->slices.s[at], key))
			w->at[kept++] = (uint32_t)at;
	}
	return kept;
}

/* Do all events of the segment lie in one slice, and do their types tell how many match? */
static bool
is_summed(const struct region_hits *x, struct pass_worker *w, const struct segment *g, size_t *at,
    uint32_t *hits)
{
	const struct slice	*s;

	*at = slice_of(&x->slices, (struct order_key){ g->tmin, 0 });
	s = &x->slices.s[*at];
	return slice_has(s, (struct order_key){ g->tmin, 0 }) &&
	    slice_has(s, (struct order_key){ g->tmax, UINT64_MAX - 1 }) &&
	    sieve_count(w->sieve, g, hits);
}

/* Add the hits of segment i of the region. Drops the lock meanwhile. Returns as
   slice_hits_count(). */
static int
segment_count(struct slice_hits *h, struct region_hits *x, struct pass_worker *w,
    const struct segment *g, uint32_t i)
{
	uint32_t	n = 0, all = 0;
	bool		read = true;
	size_t		at;
	int		r;

	x->state[i] = SEGMENT_TAKEN;
	lock_drop(h->lock);
	if (!is_summed(x, w, g, &at, &all)) {
		all = 0;
		read = segment_matches(w, g, &n);
		n = hits_place(x, w, n);
	}
	r = atomic_load(w->stop) ? 0 : read ? 1 : ERR_IO;
	lock_take(h->lock);
	x->state[i] = r == 1 ? SEGMENT_DONE : SEGMENT_NEW;
	for (uint32_t k = 0; k < n && r == 1; k++)
		x->hits[w->at[k]]++;
	x->hits[at] += r == 1 ? all : 0;
	if (x->waiting > 0)
		lock_wake(h->lock);
	return r;
}

static void
await_segment(struct slice_hits *h, struct region_hits *x)
{
	x->waiting++;
	lock_wait(h->lock);
	x->waiting--;
}

/* Add the hits of all segments that touch the slice; wait: also wait for those of others. */
static int
segments_count(struct slice_hits *h, struct region_hits *x, struct pass_worker *w,
    const struct slice_ref *ref, bool wait)
{
	int	r = 1;

	for (uint32_t k = 0; k < ref->s.ntouch && r == 1;) {
		uint32_t		 i = ref->r.touch[ref->s.touch0 + k];
		const struct segment	*g = segvec_known(&w->t->index.segments, ref->r.seg0 + i);

		if (atomic_load(w->stop))
			r = 0;
		else if (x->state[i] == SEGMENT_NEW)
			r = segment_count(h, x, w, g, i);
		else if (x->state[i] == SEGMENT_TAKEN && wait)
			await_segment(h, x);
		else
			k++;
	}
	return r;
}

/* Is it one of the regions that the trace has let go, whose events may be gone? */
static bool
is_gone(struct trace *t, const struct slice_ref *ref)
{
	bool	gone;

	lock_take(t->lock);
	gone = ref->s.row0 < t->head.row;
	lock_drop(t->lock);
	return gone;
}

int
slice_hits_count(struct slice_hits *h, struct pass_worker *w, const struct slice_ref *ref,
    uint32_t *hits)
{
	struct region_hits	*x;
	int			 r = ERR_IO;

	resolver_free(w->resolver);
	w->resolver = resolver_new(w->t);	/* the index may have grown since the last one */
	lock_take(h->lock);
	x = region_use(h, w->t, ref);
	if (x != NULL) {
		r = segments_count(h, x, w, ref, false);
		if (r == 1)
			r = segments_count(h, x, w, ref, true);
		*hits = x->hits[ref->key - x->key];
		region_leave(h, x, r == 1);
	}
	lock_drop(h->lock);
	return r == 1 && is_gone(w->t, ref) ? ERR_IO : r;
}

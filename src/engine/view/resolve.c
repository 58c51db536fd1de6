/*
 * The meaning of raw ids, looked up once and cached.
 *
 *	types		[id 7, epoch 0 -> 12][ ][id 9, epoch 0 -> 3]	by the id's low bits
 *	threads		[raw 4711: declaration 5 from off 900 to 1400][ ]	the same
 *	losses		none between off 900 and off 2000
 *
 * The lock is taken only for ids that are not cached. Most events have a thread that an earlier
 * event had.
 *
 * Invariant: the cached data is valid for all segments that the index had when the resolver was
 * made, because later commits never change earlier data.
 */
#include "engine/view/resolve.h"

#include "engine/joined/joined.h"
#include "tnav/base/mem.h"

#define TYPES_KNOWN	1024u
#define THREADS_KNOWN	256u
#define RECENT		128u	/* cached threads of one decode */

struct known_type {
	uint64_t	id;
	uint32_t	epoch;
	uint32_t	type;		/* + 1; 0: free */
};

/* What a raw thread id means for events at [from, to) of a region. */
struct known_thread {
	uint64_t	raw, flush_off;
	uint64_t	from, to;	/* to 0: free */
	uint32_t	decl, thread;
};

struct resolver {
	struct trace		*t;
	struct known_type	 type[TYPES_KNOWN];
	struct known_thread	 thread[THREADS_KNOWN];
	uint64_t		 unlost_from, unlost_to;	/* no event there has EVENT_LOST */
	struct region		 region;	/* the region of record - 1 */
	uint32_t		 record;	/* 0: none yet */
	struct resolver		**of;		/* of joined traces: by source, NULL until needed */
	/* Of a source: what its types and threads are in the joined trace, which has so many. */
	const struct joined_source *in;
	uint64_t		 ntypes, nthreads;
};

struct resolver *
resolver_new(struct trace *t)
{
	struct resolver	*rv = mem_zalloc(1, sizeof *rv);

	rv->t = t;
	if (t->joined != NULL)
		rv->of = mem_zalloc(t->joined->n, sizeof *rv->of);
	return rv;
}

void
resolver_free(struct resolver *rv)
{
	for (uint32_t i = 0; rv != NULL && rv->of != NULL && i < rv->t->joined->n; i++)
		resolver_free(rv->of[i]);
	if (rv != NULL)
		mem_free(rv->of);
	mem_free(rv);
}

/* The region of a record, for looking up ids. */
static const struct region *
region_of(struct resolver *rv, uint32_t record)
{
	if (rv->record != record + 1) {
		lock_take(rv->t->lock);
		rv->region = *index_region(rv->t, record);
		lock_drop(rv->t->lock);
		rv->record = record + 1;
	}
	return &rv->region;
}

/* What an index of a source is in the joined trace; 0 if the file has changed. */
static uint32_t
index_in_whole(const struct segvec *of, uint64_t n, uint32_t i)
{
	return i < n ? number_in_whole(of, i) : 0;
}

static uint32_t
type_find(struct resolver *rv, uint64_t id, uint32_t epoch)
{
	struct known_type	*k = &rv->type[id % TYPES_KNOWN];
	const struct id_names	*names = &rv->t->names;
	uint32_t		 type;

	if (k->type != 0 && k->id == id && k->epoch == epoch)
		return k->type - 1;
	lock_take(rv->t->lock);
	if (!idmap_get(&names->type_ids, id, epoch, &type))
		type = names->over_type > 0 ? names->over_type - 1 : 0;
	lock_drop(rv->t->lock);
	if (rv->in != NULL)
		type = index_in_whole(&rv->in->type, rv->ntypes, type);
	*k = (struct known_type){ id, epoch, type + 1 };
	return type;
}

static const struct known_thread *
thread_learn(struct resolver *rv, const struct region *r, uint64_t raw, uint64_t off,
    struct known_thread *k)
{
	const struct id_names	*names = &rv->t->names;

	*k = (struct known_thread){ .raw = raw, .flush_off = r->flush_off, .to = UINT64_MAX };
	lock_take(rv->t->lock);
	/* Not found: it is beyond the limit, or the file has changed. */
	if (!index_decl_range(rv->t, raw, off, r->flush_off, &k->decl, &k->from, &k->to))
		k->decl = names->over_decl > 0 ? names->over_decl - 1 : 0;
	k->thread = ((struct decl_rec *)segvec_at(&names->decls, k->decl))->thread;
	lock_drop(rv->t->lock);
	if (rv->in != NULL)
		k->thread = index_in_whole(&rv->in->thread, rv->nthreads, k->thread);
	return k;
}

static inline const struct known_thread *
thread_find(struct resolver *rv, const struct region *r, uint64_t raw, uint64_t off)
{
	struct known_thread	*k = &rv->thread[(raw ^ raw >> 8) % THREADS_KNOWN];

	if (off < k->to && off >= k->from && k->raw == raw && k->flush_off == r->flush_off)
		return k;
	return thread_learn(rv, r, raw, off, k);
}

/* Set EVENT_LOST on events that lost something before them. */
static void
marks_apply(struct resolver *rv, struct event *e, size_t n)
{
	struct trace	*t = rv->t;
	uint64_t	 lo;

	if (n == 0 || (e[0].off >= rv->unlost_from && e[n - 1].off < rv->unlost_to))
		return;
	rv->unlost_from = e[0].off;
	rv->unlost_to = UINT64_MAX;
	lock_take(t->lock);
	lo = loss_mark_at(t, e[0].off);
	for (size_t i = 0; i < n && lo < t->loss.marks.n; lo++) {
		uint64_t	off = ((struct lost_mark *)segvec_at(&t->loss.marks, lo))->off;

		rv->unlost_to = off;
		if (off > e[n - 1].off)
			break;
		while (i < n && e[i].off < off)
			i++;
		if (i < n && e[i].off == off)
			e[i].flags |= EVENT_LOST;
		rv->unlost_from = off + 1;
		rv->unlost_to = UINT64_MAX;
	}
	lock_drop(t->lock);
}

/* A thread of an earlier event: its index in the ids of this decode, and its meaning. */
struct recent {
	uint64_t	to;		/* 0: free */
	uint32_t	at;
	uint32_t	thread, decl;
};

/* Of its own, because the thread is mostly known, and the test for it is inlined twice. */
static __attribute__((noinline)) void
recent_set(struct recent *one, struct resolver *rv, const struct region *r,
    const struct decoded *d, uint32_t at, uint64_t off)
{
	const struct known_thread	*k = thread_find(rv, r, d->threads.id[at], off);

	*one = (struct recent){ .to = k->to, .at = at, .thread = k->thread, .decl = k->decl };
}

static inline const struct recent *
thread_of(struct resolver *rv, const struct region *r, const struct decoded *d,
    struct recent *recent, uint32_t at, uint64_t off)
{
	struct recent	*one = &recent[at % RECENT];

	if (at != one->at || off >= one->to)
		recent_set(one, rv, r, d, at, off);
	return one;
}

/* The resolver of a source. */
static struct resolver *
resolver_of(struct resolver *rv, uint32_t source)
{
	const struct joined_source	*s = joined_source(rv->t, source);

	if (rv->of[source] != NULL)
		return rv->of[source];
	rv->of[source] = resolver_new(s->t);
	rv->of[source]->in = s;
	rv->of[source]->ntypes = number_now(rv->t, &s->type);
	rv->of[source]->nthreads = number_now(rv->t, &s->thread);
	return rv->of[source];
}

/* By the resolver of the source, which knows the offsets in its file. */
static void
joined_resolve(struct resolver *rv, const struct segment *g, struct event *ev, size_t n,
    const struct decoded *d)
{
	uint64_t	base = (uint64_t)g->source << EVENT_SOURCE_SHIFT;

	for (size_t i = 0; i < n; i++)
		ev[i].off -= base;
	resolver_events(resolver_of(rv, g->source), g, ev, n, d);
	for (size_t i = 0; i < n; i++)
		ev[i].off += base;
}

void
resolver_events(struct resolver *rv, const struct segment *g, struct event *ev, size_t n,
    const struct decoded *d)
{
	const struct region	*r;
	const uint64_t	*wide = rv->t->format.types_wide ? d->types.id : NULL;
	bool		 declares = rv->t->format.declares;
	struct recent	 recent[RECENT] = { { .to = 0 } };
	uint64_t	 last = 0;
	uint32_t	 type = 0;

	if (rv->of != NULL) {
		joined_resolve(rv, g, ev, n, d);
		return;
	}
	r = region_of(rv, g->record);
	for (size_t i = 0; i < n; i++) {
		struct event		*e = &ev[i];
		uint32_t		 capture = e->capture, thread = e->thread;
		const struct recent	*one;
		uint64_t		 id = wide != NULL ? wide[e->type] : e->type;

		if (i == 0 || id != last) {
			last = id;
			type = type_find(rv, id, r->epoch);
		}
		e->type = type;
		one = thread_of(rv, r, d, recent, thread, e->off);
		e->thread = one->thread;
		if (declares)
			e->thread_decl = one->decl;
		if (capture != thread)
			one = thread_of(rv, r, d, recent, capture, e->off);
		e->capture = one->thread;
		if (declares)
			e->capture_decl = one->decl;
	}
	marks_apply(rv, ev, n);
}

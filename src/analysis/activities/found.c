/*
 * Ids of activities as events carry them.
 *
 *	event	activity A, related B, opcode Start	->  A: events 1, starts 1, related B 1
 *							    B: as_related 1
 *
 * Events come in any order: time and file offset decide which is first, so parts of a trace can be
 * read separately and merged in any order.
 *
 * Most traces have few threads: those with a low index are bits of the entry, the others links.
 *
 * Invariant: an id has one entry; (a, b) is in links once, in the list of a or in the table.
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define THROWN		80u		/* id of ExceptionThrown */
#define SPAN_AT		16u		/* of a SpanId in an id */
#define LISTED		8u		/* links of an activity that are not in the table */

struct type_role {
	bool		known, has_opcode, thrown;
	uint8_t		opcode;
};

bool
moment_before(const struct moment *a, const struct moment *b)
{
	return a->ts != b->ts ? a->ts < b->ts : a->off < b->off;
}

void
found_init(struct found *f, struct trace *t, uint64_t seed)
{
	*f = (struct found){ .t = t, .seed = seed };
	hashtable_init(&f->table);
	hashtable_init(&f->threads.table);
	hashtable_init(&f->related.table);
}

static void
links_release(struct links *l)
{
	hashtable_release(&l->table);
	mem_free(l->v);
	mem_free(l->first);
}

static void
links_clear(struct links *l)
{
	hashtable_clear(&l->table);
	l->n = l->nfirst = 0;
}

void
found_release(struct found *f)
{
	hashtable_release(&f->table);
	links_release(&f->threads);
	links_release(&f->related);
	mem_free(f->v);
	mem_free(f->role);
	id_lists_free(f->lists);
}

void
found_clear(struct found *f)
{
	hashtable_clear(&f->table);
	links_clear(&f->threads);
	links_clear(&f->related);
	f->n = 0;
	f->with = f->without = f->beyond = 0;
	f->full = false;
}

/* ---- entries */

static uint64_t
id_hash(const struct found *f, unsigned kind, const uint8_t *id)
{
	return hash_bytes(f->seed + kind, id, sizeof ((struct activity *)NULL)->id);
}

static uint32_t
find_hashed(const struct found *f, uint64_t hash, enum activity_kind kind, const uint8_t *id)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&f->table, hash, &at)) != NULL;)
		if (f->v[*i].kind == kind && memcmp(f->v[*i].id, id, sizeof f->v->id) == 0)
			return *i;
	return ACTIVITY_NONE;
}

uint32_t
found_find(const struct found *f, enum activity_kind kind, const uint8_t *id)
{
	return find_hashed(f, id_hash(f, kind, id), kind, id);
}

/* The entry of the id; ACTIVITY_NONE: there are too many. */
static uint32_t
entry_add(struct found *f, enum activity_kind kind, const uint8_t *id)
{
	uint64_t	hash = id_hash(f, kind, id);
	uint32_t	i = find_hashed(f, hash, kind, id);

	if (i != ACTIVITY_NONE)
		return i;
	if (f->n == LIMIT_ACTIVITIES) {
		f->beyond++;
		f->full = true;
		return ACTIVITY_NONE;
	}
	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = (struct activity){ .kind = (uint8_t)kind, .creator = ACTIVITY_NONE,
	    .thread = EVENT_NONE, .seen = { INT64_MAX, UINT64_MAX } };
	memcpy(f->v[f->n].id, id, sizeof f->v->id);
	hashtable_add(&f->table, hash, (uint32_t)f->n);
	return (uint32_t)f->n++;
}

/* Where the list of an activity begins. */
static uint32_t *
links_first(struct links *l, uint32_t a)
{
	if (a >= l->nfirst) {
		l->first = mem_grow(l->first, &l->first_cap, (size_t)a + 1, sizeof *l->first);
		memset(l->first + l->nfirst, 0, (a + 1 - l->nfirst) * sizeof *l->first);
		l->nfirst = (size_t)a + 1;
	}
	return &l->first[a];
}

/* A link that is in the table. */
static struct link *
link_hashed(const struct links *l, uint64_t hash, uint32_t a, uint32_t b)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&l->table, hash, &at)) != NULL;)
		if (l->v[*i].a == a && l->v[*i].b == b)
			return &l->v[*i];
	return NULL;
}

/* The link, added if it is new; NULL: there are too many. */
static struct link *
link_get(struct found *f, struct links *l, uint32_t a, uint32_t b)
{
	uint32_t	*first = links_first(l, a), listed = 0;
	uint64_t	 hash = 0;

	for (uint32_t i = *first; i != 0; i = l->v[i - 1].next, listed++)
		if (l->v[i - 1].b == b)
			return &l->v[i - 1];
	if (listed == LISTED) {
		struct link	*k;

		hash = hash_pair(f->seed, a, b);
		k = link_hashed(l, hash, a, b);
		if (k != NULL)
			return k;
	}
	if (l->n == LIMIT_ACTIVITY_LINKS) {
		f->full = true;
		return NULL;
	}
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n] = (struct link){ .a = a, .b = b, .first = { INT64_MAX, UINT64_MAX } };
	if (listed == LISTED) {
		hashtable_add(&l->table, hash, (uint32_t)l->n);
	} else {
		l->v[l->n].next = *first;
		*first = (uint32_t)l->n + 1;
	}
	return &l->v[l->n++];
}

static void
link_add(struct found *f, struct links *l, uint32_t a, uint32_t b, uint64_t n,
    const struct moment *first)
{
	struct link	*k = link_get(f, l, a, b);

	if (k == NULL)
		return;
	k->n += n;
	if (moment_before(first, &k->first))
		k->first = *first;
}

static int
by_both(const void *a, const void *b)
{
	const struct link	*x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

void
links_sort(struct links *l)
{
	hashtable_release(&l->table);
	mem_free(l->first);
	l->first = NULL;
	l->nfirst = l->first_cap = 0;
	sort_array(l->v, l->n, sizeof *l->v, by_both);
}

/* ---- events */

static const struct type_role *
role_of(struct found *f, uint32_t type)
{
	struct type_role	*r;

	if (type >= f->nroles) {
		f->role = mem_grow(f->role, &f->roles_cap, (size_t)type + 1, sizeof *f->role);
		memset(f->role + f->nroles, 0, (type + 1 - f->nroles) * sizeof *f->role);
		f->nroles = (size_t)type + 1;
	}
	r = &f->role[type];
	if (!r->known && type < trace_types(f->t)) {
		const struct event_type	*et = trace_type(f->t, type);

		*r = (struct type_role){ .known = true, .has_opcode = et->has_opcode,
		    .opcode = et->opcode,
		    .thrown = et->id == THROWN && strcmp(et->provider, RUNTIME) == 0 };
	}
	return r;
}

static void
entry_seen(struct activity *a, const struct event *e, bool related)
{
	struct moment	now = { e->ts, e->off };

	if (!moment_before(&now, &a->seen))
		return;
	a->seen = now;
	a->seen_related = related;
	a->thread = e->thread;
}

static void
entry_event(struct found *f, uint32_t i, const struct event *e)
{
	struct activity	*a = &f->v[i];

	if (a->events == 0 || e->ts < a->first)
		a->first = e->ts;
	if (a->events == 0 || e->ts > a->last)
		a->last = e->ts;
	a->events++;
	entry_seen(a, e, false);
	if (e->thread < LOW_THREADS)
		a->low_threads |= UINT64_C(1) << e->thread;
	else if (e->thread != EVENT_NONE)
		link_add(f, &f->threads, i, e->thread, 1, &(struct moment){ e->ts, e->off });
}

static void
entry_start(struct activity *a, const struct event *e)
{
	struct moment	now = { e->ts, e->off };

	a->starts++;
	if (a->creator != ACTIVITY_NONE && !moment_before(&now, &a->at))
		return;
	a->creator = e->type;
	a->at = now;
}

static void
own_event(struct found *f, uint32_t own, uint32_t related, const struct event *e,
    const struct list_ids *ids)
{
	const struct type_role	*r = role_of(f, e->type);
	unsigned		 opcode = r->has_opcode ? r->opcode : 0;

	if (ids->has_opcode)
		opcode = ids->opcode;
	entry_event(f, own, e);
	f->v[own].exceptions += r->thrown;
	f->v[own].stops += opcode == 2;
	if (opcode != 1)
		return;
	entry_start(&f->v[own], e);
	if (related != ACTIVITY_NONE)
		link_add(f, &f->related, own, related, 1, &(struct moment){ e->ts, e->off });
}

/* TraceId and SpanId, which are of the event as its labels are. */
static void
label_ids(struct found *f, const struct event *e, const struct list_ids *ids)
{
	uint8_t		id[sizeof ids->span_id] = { 0 };
	uint32_t	i;

	if (ids->span) {
		i = entry_add(f, ACTIVITY_SPAN, ids->span_id);
		if (i != ACTIVITY_NONE)
			entry_event(f, i, e);
	}
	if (ids->trace) {
		memcpy(id, ids->span_id, SPAN_AT);
		i = entry_add(f, ACTIVITY_TRACE, id);
		if (i != ACTIVITY_NONE)
			entry_event(f, i, e);
	}
}

static void
event_ids(struct found *f, const struct event *e, const struct list_ids *ids)
{
	uint32_t	own = ids->own ? entry_add(f, ACTIVITY_ID, ids->own_id) : ACTIVITY_NONE;
	uint32_t	up = ids->related ? entry_add(f, ACTIVITY_ID, ids->related_id) :
			    ACTIVITY_NONE;

	if (own != ACTIVITY_NONE)
		own_event(f, own, up, e, ids);
	if (up != ACTIVITY_NONE) {
		f->v[up].as_related++;
		entry_seen(&f->v[up], e, true);
	}
	label_ids(f, e, ids);
}

/* Where a format has labels, ids are nowhere else. */
void
found_event(struct found *f, const struct event *e)
{
	struct list_ids		 here;
	const struct list_ids	*ids = &here;

	if (e->labels != 0) {
		if (f->lists == NULL)
			f->lists = id_lists_new();
		ids = id_lists_get(f->lists, f->t, e);
	} else if (trace_has(f->t, HAS_LABELS)) {
		f->without++;
		return;
	} else {
		here = (struct list_ids){ .opcode = 0 };
		here.own = trace_activity(f->t, e, here.own_id);
		here.related = trace_related(f->t, e, here.related_id);
	}
	f->with += ids->own;
	f->without += !ids->own;
	event_ids(f, e, ids);
}

/* ---- merging */

static void
entry_merge(struct activity *a, const struct activity *b)
{
	if (b->events > 0 && (a->events == 0 || b->first < a->first))
		a->first = b->first;
	if (b->events > 0 && (a->events == 0 || b->last > a->last))
		a->last = b->last;
	a->events += b->events;
	a->as_related += b->as_related;
	a->starts += b->starts;
	a->stops += b->stops;
	a->exceptions += b->exceptions;
	a->low_threads |= b->low_threads;
	if (moment_before(&b->seen, &a->seen)) {
		a->seen = b->seen;
		a->seen_related = b->seen_related;
		a->thread = b->thread;
	}
	if (b->creator != ACTIVITY_NONE &&
	    (a->creator == ACTIVITY_NONE || moment_before(&b->at, &a->at))) {
		a->creator = b->creator;
		a->at = b->at;
	}
}

void
found_merge(struct found *f, const struct found *from)
{
	uint32_t	*as = mem_zalloc(from->n + 1, sizeof *as);

	for (size_t i = 0; i < from->n; i++) {
		as[i] = entry_add(f, from->v[i].kind, from->v[i].id);
		if (as[i] != ACTIVITY_NONE)
			entry_merge(&f->v[as[i]], &from->v[i]);
	}
	for (size_t i = 0; i < from->threads.n; i++) {
		const struct link	*k = &from->threads.v[i];

		if (as[k->a] != ACTIVITY_NONE)
			link_add(f, &f->threads, as[k->a], k->b, k->n, &k->first);
	}
	for (size_t i = 0; i < from->related.n; i++) {
		const struct link	*k = &from->related.v[i];

		if (as[k->a] != ACTIVITY_NONE && as[k->b] != ACTIVITY_NONE)
			link_add(f, &f->related, as[k->a], as[k->b], k->n, &k->first);
	}
	f->with += from->with;
	f->without += from->without;
	f->beyond += from->beyond;
	f->full |= from->full;
	mem_free(as);
}

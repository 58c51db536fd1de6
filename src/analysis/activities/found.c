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
 * Links are added as they come, and packed now and then: sorted, one of each.
 *
 *	links	| packed: (a, b) once, in order | as they came ... |
 *
 * Invariant: an id has one entry; (a, b) is among the packed links once.
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define THROWN		80u		/* id of ExceptionThrown */
#define GUID_LEN	16u
#define SPAN_AT		16u		/* of a SpanId in an id */
#define TOGETHER	16u		/* events whose entries are fetched together */
#define LINKS_LEAST	(256u << 10)	/* links that are added before they are packed */

struct type_role {
	bool		known, has_opcode, thrown;
	uint8_t		opcode;
	uint8_t		end[END_OPCODES];	/* enum end_role */
};

void
found_init(struct found *f, struct trace *t, struct spans *s)
{
	*f = (struct found){ .t = t, .spans = s, .has_labels = trace_has(t, HAS_LABELS) };
}

static void
links_release(struct links *l)
{
	mem_free(l->v);
	mem_free(l->more);
}

static void
links_clear(struct links *l)
{
	l->n = l->packed = 0;
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
	f->with = f->without = f->strays = f->beyond = 0;
	f->full = false;
}

/* ---- entries */

static uint64_t
id_hash(unsigned kind, const uint8_t *id)
{
	return hash_more(kind, id, sizeof ((struct activity *)NULL)->id);
}

static uint32_t
find_hashed(const struct found *f, uint64_t hash, enum activity_kind kind, const uint8_t *id)
{
	HASHTABLE_EACH(&f->table, hash, i)
		if (f->v[*i].kind == kind && memcmp(f->v[*i].id, id, sizeof f->v->id) == 0)
			return *i;
	return ACTIVITY_NONE;
}

uint32_t
found_find(const struct found *f, enum activity_kind kind, const uint8_t *id)
{
	return find_hashed(f, id_hash(kind, id), kind, id);
}

uint32_t
found_activity(const struct found *f, uint32_t source, const uint8_t guid[16])
{
	uint8_t	id[24] = { [ACTIVITY_SOURCE] = (uint8_t)trace_source_program(f->t, source) };

	memcpy(id, guid, 16);
	return found_find(f, ACTIVITY_ID, id);
}

/* The entry of the id; ACTIVITY_NONE: there are too many. */
static uint32_t
entry_hashed(struct found *f, uint64_t hash, enum activity_kind kind, const uint8_t *id)
{
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
	    .stopper = ACTIVITY_NONE, .again = INT64_MAX, .thread = EVENT_NONE,
	    .seen = { INT64_MAX, UINT64_MAX } };
	memcpy(f->v[f->n].id, id, sizeof f->v->id);
	hashtable_add(&f->table, hash, (uint32_t)f->n);
	return (uint32_t)f->n++;
}

static uint32_t
entry_add(struct found *f, enum activity_kind kind, const uint8_t *id)
{
	return entry_hashed(f, id_hash(kind, id), kind, id);
}

/* ---- links */

static bool
link_before(const struct link *x, const struct link *y)
{
	return x->a != y->a ? x->a < y->a : x->b < y->b;
}

SORT_ORDER(by_other, struct link, RISING(b))

/* Copy the links that are not packed, sorted by a, then b. Most activities have few of them. */
static void
links_sort(struct links *l, size_t ids)
{
	size_t	 n = l->n - l->packed, from = 0;
	size_t	*end = mem_zalloc(ids + 1, sizeof *end);

	if (n > l->more_cap)
		l->more = mem_grow(l->more, &l->more_cap, n, sizeof *l->more);
	for (size_t i = l->packed; i < l->n; i++)
		end[l->v[i].a + 1]++;
	for (size_t a = 0; a < ids; a++)
		end[a + 1] += end[a];
	for (size_t i = l->packed; i < l->n; i++)
		l->more[end[l->v[i].a]++] = l->v[i];
	for (size_t a = 0; a < ids; a++) {
		if (end[a] - from > 1)
			sort_array(l->more + from, end[a] - from, sizeof *l->more, by_other);
		from = end[a];
	}
	mem_free(end);
}

static void
link_join(struct link *k, const struct link *other)
{
	k->n += other->n;
	if (moment_before(&other->first, &k->first))
		k->first = other->first;
}

/* Join those of the n sorted ones that are known, or follow an equal one. Returns how many are
   left. */
static size_t
links_join(struct links *l, size_t n)
{
	size_t	new = 0, i = 0;

	for (size_t k = 0; k < n; k++) {
		const struct link	*next = &l->more[k];

		while (i < l->packed && link_before(&l->v[i], next))
			i++;
		if (i < l->packed && !link_before(next, &l->v[i]))
			link_join(&l->v[i], next);
		else if (new > 0 && !link_before(&l->more[new - 1], next))
			link_join(&l->more[new - 1], next);
		else
			l->more[new++] = *next;
	}
	return new;
}

/* Make one link of those that are equal. The packed ones stay, of the others as many as there is
   room for. */
static void
links_pack(struct found *f, struct links *l)
{
	size_t	i = l->packed, new;

	if (l->n == l->packed)
		return;
	links_sort(l, f->n);
	new = links_join(l, l->n - l->packed);
	if (new > LIMIT_ACTIVITY_LINKS - l->packed) {
		f->full = true;
		new = LIMIT_ACTIVITY_LINKS - l->packed;
	}
	l->n = l->packed = l->packed + new;
	/* From the end on, so that nothing is overwritten that is still needed. */
	for (size_t to = l->n; new > 0; ) {
		bool	old = i > 0 && link_before(&l->more[new - 1], &l->v[i - 1]);

		l->v[--to] = old ? l->v[--i] : l->more[--new];
	}
}

static void
link_add(struct found *f, struct links *l, const struct link *k)
{
	if (l->n - l->packed == max_u64(LINKS_LEAST, l->packed / 2))
		links_pack(f, l);
	if (l->n == l->cap)
		l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = *k;
}

static void
links_end(struct found *f, struct links *l)
{
	links_pack(f, l);
	mem_free(l->more);
	l->more = NULL;
	l->more_cap = 0;
}

void
found_end(struct found *f)
{
	links_end(f, &f->threads);
	links_end(f, &f->related);
}

/* ---- events */

static const struct type_role *
role_of(struct found *f, uint32_t type)
{
	struct type_role	*r;

	f->role = array_reach(f->role, &f->nroles, type, sizeof *f->role);
	r = &f->role[type];
	if (!r->known && type < trace_types(f->t)) {
		const struct event_type	*et = trace_type(f->t, type);

		*r = (struct type_role){ .known = true, .has_opcode = et->has_opcode,
		    .opcode = et->opcode,
		    .thrown = et->id == THROWN && strcmp(et->provider, RUNTIME) == 0 };
		ends_roles(f->spans, type, r->end);
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
		link_add(f, &f->threads, &(struct link){ i, e->thread, 1, { e->ts, e->off } });
}

/* It starts at a time, by an event of the type. */
static void
entry_start(struct found *f, struct activity *a, const struct moment *at, uint32_t type)
{
	struct moment	later = *at;
	uint32_t	again = type;

	if (a->creator == ACTIVITY_NONE || moment_before(at, &a->at)) {
		later = a->at;
		again = a->creator;
		a->at = *at;
		a->creator = type;
	}
	if (again != ACTIVITY_NONE && later.ts < a->again &&
	    role_of(f, again)->end[1] == END_START)
		a->again = later.ts;
}

static void
entry_stop(struct activity *a, const struct moment *at, uint32_t type)
{
	if (a->stopper != ACTIVITY_NONE && !moment_before(at, &a->stop))
		return;
	a->stop = *at;
	a->stopper = type;
}

/* Of an event with the opcode. */
static enum end_role
end_role(const struct type_role *r, unsigned opcode)
{
	return r->end[opcode < END_OPCODES ? opcode : END_OPCODES - 1];
}

static unsigned
opcode_of(const struct type_role *r, const struct list_ids *ids)
{
	if (ids->has_opcode)
		return ids->opcode;
	return r->has_opcode ? r->opcode : 0;
}

static void
own_event(struct found *f, uint32_t own, uint32_t related, const struct event *e,
    const struct list_ids *ids)
{
	const struct type_role	*r = role_of(f, e->type);
	unsigned		 opcode = opcode_of(r, ids);
	enum end_role		 end = end_role(r, opcode);
	struct moment		 now = { e->ts, e->off };

	entry_event(f, own, e);
	if (r->thrown)
		f->v[own].exceptions++;
	f->v[own].stops += opcode == 2;
	f->v[own].mixed |= end == END_MIXED;
	if (end == END_STOP)
		entry_stop(&f->v[own], &now, e->type);
	if (opcode != 1)
		return;
	f->v[own].starts++;
	entry_start(f, &f->v[own], &now, e->type);
	if (related != ACTIVITY_NONE)
		link_add(f, &f->related, &(struct link){ own, related, 1, { e->ts, e->off } });
}

/* A stop without an id may belong to any activity. */
static void
stray_event(struct found *f, const struct event *e, const struct list_ids *ids)
{
	const struct type_role	*r = role_of(f, e->type);
	enum end_role		 end = end_role(r, opcode_of(r, ids));

	f->strays += end == END_STOP || end == END_MIXED;
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

/* Where a format has labels, ids are nowhere else. */
static void
ids_of(struct found *f, const struct event *e, struct list_ids *ids)
{
	ids->own = ids->related = ids->trace = ids->span = ids->has_opcode = false;
	if (e->labels != 0) {
		if (f->lists == NULL)
			f->lists = id_lists_new();
		*ids = *id_lists_get(f->lists, f->t, e);
	} else if (!f->has_labels || !trace_event_has(f->t, e, HAS_LABELS)) {
		memset(ids->own_id + GUID_LEN, 0, sizeof ids->own_id - GUID_LEN);
		memset(ids->related_id + GUID_LEN, 0, sizeof ids->related_id - GUID_LEN);
		ids->own = trace_activity(f->t, e, ids->own_id);
		ids->related = trace_related(f->t, e, ids->related_id);
	}
	ids->own_id[ACTIVITY_SOURCE] = ids->related_id[ACTIVITY_SOURCE] =
	    (uint8_t)trace_source_program(f->t, event_source(e));
	f->with += ids->own;
	f->without += !ids->own;
}

/*
 * An event on its way. Entries lie anywhere in memory, so what the next events need is fetched
 * while others are being counted: first the slots of the table, then the entries.
 */
struct passing {
	const struct event	*e;
	struct list_ids		 ids;
	uint64_t		 own_hash, related_hash;
};

static void
fetch_slots(struct found *f, struct passing *p)
{
	ids_of(f, p->e, &p->ids);
	if (p->ids.own) {
		p->own_hash = id_hash(ACTIVITY_ID, p->ids.own_id);
		hashtable_fetch(&f->table, p->own_hash);
	}
	if (p->ids.related) {
		p->related_hash = id_hash(ACTIVITY_ID, p->ids.related_id);
		hashtable_fetch(&f->table, p->related_hash);
	}
}

/* Look where its first id may be. */
static void
fetch_entry(const struct found *f, uint64_t hash)
{
	size_t		 at = 0;
	const uint32_t	*i = hashtable_next(&f->table, hash, &at);

	if (i == NULL)
		return;
	__builtin_prefetch(&f->v[*i]);
	__builtin_prefetch(&f->v[*i].seen);
	__builtin_prefetch(&f->v[*i].stop);
}

static void
fetch_entries(struct found *f, struct passing *p)
{
	if (p->ids.own)
		fetch_entry(f, p->own_hash);
	if (p->ids.related)
		fetch_entry(f, p->related_hash);
}

static void
count_event(struct found *f, const struct passing *p)
{
	const struct list_ids	*ids = &p->ids;
	uint32_t		 own = ACTIVITY_NONE, up = ACTIVITY_NONE;

	if (ids->own)
		own = entry_hashed(f, p->own_hash, ACTIVITY_ID, ids->own_id);
	if (ids->related)
		up = entry_hashed(f, p->related_hash, ACTIVITY_ID, ids->related_id);
	if (own != ACTIVITY_NONE)
		own_event(f, own, up, p->e, ids);
	else if (!ids->own)
		stray_event(f, p->e, ids);
	if (up != ACTIVITY_NONE) {
		f->v[up].as_related++;
		entry_seen(&f->v[up], p->e, true);
	}
	label_ids(f, p->e, ids);
}

void
found_add(struct found *f, const struct pass_batch *b)
{
	struct passing	p[TOGETHER];

	for (uint32_t i = 0, n; i < b->n; i += n) {
		n = b->n - i < TOGETHER ? b->n - i : TOGETHER;
		for (uint32_t k = 0; k < n; k++) {
			p[k].e = &b->ev[b->at[i + k]];
			fetch_slots(f, &p[k]);
		}
		for (uint32_t k = 0; k < n; k++)
			fetch_entries(f, &p[k]);
		for (uint32_t k = 0; k < n; k++)
			count_event(f, &p[k]);
	}
}

/* ---- merging */

static void
entry_merge(struct found *f, struct activity *a, const struct activity *b)
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
	a->mixed |= b->mixed;
	a->again = b->again < a->again ? b->again : a->again;
	if (b->creator != ACTIVITY_NONE)
		entry_start(f, a, &b->at, b->creator);
	if (b->stopper != ACTIVITY_NONE)
		entry_stop(a, &b->stop, b->stopper);
}

/* Take all of the other. */
static void
found_take(struct found *f, struct found *from)
{
	struct found	own = *f;

	*f = *from;
	f->with += own.with;
	f->without += own.without;
	f->strays += own.strays;
	*from = own;
}

static void
found_join(struct found *f, const struct found *from)
{
	uint32_t	*as = mem_zalloc(from->n + 1, sizeof *as);

	for (size_t i = 0; i < from->n; i++) {
		as[i] = entry_add(f, from->v[i].kind, from->v[i].id);
		if (as[i] != ACTIVITY_NONE)
			entry_merge(f, &f->v[as[i]], &from->v[i]);
	}
	for (size_t i = 0; i < from->threads.n; i++) {
		struct link	k = from->threads.v[i];

		k.a = as[k.a];
		if (k.a != ACTIVITY_NONE)
			link_add(f, &f->threads, &k);
	}
	for (size_t i = 0; i < from->related.n; i++) {
		struct link	k = from->related.v[i];

		k.a = as[k.a];
		k.b = as[k.b];
		if (k.a != ACTIVITY_NONE && k.b != ACTIVITY_NONE)
			link_add(f, &f->related, &k);
	}
	f->with += from->with;
	f->without += from->without;
	f->strays += from->strays;
	f->beyond += from->beyond;
	f->full |= from->full;
	mem_free(as);
}

void
found_merge(struct found *f, struct found *from)
{
	if (f->n == 0)
		found_take(f, from);
	else
		found_join(f, from);
}

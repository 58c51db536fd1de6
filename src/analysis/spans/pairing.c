/*
 * Pairing: a map from keys to the spans that are open under them.
 *
 *	key	"GC 7"	-> open 3			one stop ends it
 *	key	"thread 12, Exception" -> open 5 <-> 9 <-> 14	a stop ends the youngest, 14
 *
 * An entry whose list is empty waits for its key to come again; when most are empty, the table is
 * made anew without them, so that memory follows what is open, not what there ever was.
 *
 * Invariant: a record is in the list of its key exactly while it is OPEN, but for starts beyond
 * LIMIT_SPANS_OPEN, which are counted.
 */
#include "analysis/spans/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/spans/states.h"
#include "analysis/spans/strays.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define NONE		UINT32_MAX
#define EMPTY_FEW	4096u		/* empty entries that nobody minds, */
#define EMPTY_BYTES	(1u << 20)	/* ... and so many bytes of their keys */
#define EVENT_MOST	32u		/* new spans at one event */

struct open_span {
	uint64_t	span;		/* record */
	uint32_t	prev, next;	/* older, younger under the key; free: next free one */
	uint32_t	thread;		/* that it began on */
	struct around_id around;
};

struct open_key {
	uint64_t	hash;
	size_t		at;		/* bytes of keys */
	uint32_t	len;
	uint32_t	first, last;	/* oldest, youngest; NONE: nothing is open */
};

struct pairing {
	struct spans		*s;
	struct open_span	*open;
	size_t			 nopen, open_cap, live;
	uint32_t		 free;
	struct open_key		*key;
	size_t			 nkeys, keys_cap, empty;
	struct hashtable	 table;
	struct buf		 keys;
	size_t			 unused;	/* bytes of keys of empty entries */
	struct scratch		*stray;		/* orphans that may only lack their activity id */
	/* The marks of new spans of the event at hand, whose records are the last ones. */
	const struct span_mark	*fresh[EVENT_MOST];
	unsigned		 nfresh;
};

struct pairing *
pairing_new(struct spans *s)
{
	struct pairing	*p = mem_zalloc(1, sizeof *p);

	p->s = s;
	p->free = NONE;
	p->stray = scratch_new(sizeof(struct stray_stop));
	return p;
}

void
pairing_free(struct pairing *p)
{
	if (p == NULL)
		return;
	mem_free(p->open);
	mem_free(p->key);
	hashtable_release(&p->table);
	buf_release(&p->keys);
	scratch_free(p->stray);
	mem_free(p);
}

/* ---- keys */

static struct open_key *
key_find(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	HASHTABLE_EACH(&p->table, k->hash, i) {
		struct open_key	*o = &p->key[*i];

		if (o->hash == k->hash && o->len == k->len &&
		    memcmp(p->keys.p + o->at, m->keys.p + k->key, k->len) == 0)
			return o;
	}
	return NULL;
}

/* The table without the keys under which nothing is open. */
static void
keys_pack(struct pairing *p)
{
	struct buf	keys = { 0 };
	size_t		n = 0;

	hashtable_release(&p->table);
	for (size_t i = 0; i < p->nkeys; i++) {
		struct open_key	o = p->key[i];

		if (o.first == NONE)
			continue;
		buf_add(&keys, p->keys.p + o.at, o.len);
		o.at = keys.len - o.len;
		p->key[n] = o;
		hashtable_add(&p->table, o.hash, (uint32_t)n);
		n++;
	}
	buf_release(&p->keys);
	p->keys = keys;
	p->nkeys = n;
	p->empty = p->unused = 0;
}

/* The entry of the key, new if there is none; NULL: there is no room. */
static struct open_key *
key_add(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	struct open_key	*o = key_find(p, m, k);

	if (o != NULL)
		return o;
	if ((p->empty > EMPTY_FEW && p->empty > p->nkeys / 2) ||
	    (p->unused > EMPTY_BYTES && p->unused > p->keys.len / 2))
		keys_pack(p);
	if (p->keys.len + k->len > LIMIT_SPAN_KEYS)
		return NULL;
	p->key = mem_grow(p->key, &p->keys_cap, p->nkeys + 1, sizeof *p->key);
	o = &p->key[p->nkeys];
	*o = (struct open_key){ .hash = k->hash, .at = p->keys.len, .len = k->len,
	    .first = NONE, .last = NONE };
	buf_add(&p->keys, m->keys.p + k->key, k->len);
	hashtable_add(&p->table, k->hash, (uint32_t)p->nkeys);
	p->nkeys++;
	p->empty++;
	p->unused += k->len;
	return o;
}

/* ---- what is open under a key */

static void
open_push(struct pairing *p, struct open_key *o, const struct open_span *span)
{
	uint32_t	i = p->free;

	if (i != NONE) {
		p->free = p->open[i].next;
	} else {
		p->open = mem_grow(p->open, &p->open_cap, p->nopen + 1, sizeof *p->open);
		i = (uint32_t)p->nopen++;
	}
	p->open[i] = *span;
	p->open[i].prev = o->last;
	p->open[i].next = NONE;
	if (o->last != NONE) {
		p->open[o->last].next = i;
	} else {
		p->empty--;
		p->unused -= o->len;
	}
	o->last = i;
	if (o->first == NONE)
		o->first = i;
	p->live++;
}

static uint64_t
open_pop(struct pairing *p, struct open_key *o, bool oldest)
{
	uint32_t		 i = oldest ? o->first : o->last;
	struct open_span	*n = &p->open[i];
	uint64_t		 span = n->span;

	if (oldest)
		o->first = n->next;
	else
		o->last = n->prev;
	if (o->first == NONE || o->last == NONE) {
		o->first = o->last = NONE;
		p->empty++;
		p->unused += o->len;
	} else if (oldest) {
		p->open[o->first].prev = NONE;
	} else {
		p->open[o->last].next = NONE;
	}
	n->next = p->free;
	p->free = i;
	p->live--;
	return span;
}

/* ---- marks */

static struct span_record *
record_at(const struct pairing *p, uint64_t i)
{
	return scratch_at(p->s->record, i);
}

static void
stop_note(struct pairing *p, uint64_t span, uint64_t off)
{
	struct span_stop	*st = p->s->stream == NULL ? scratch_add(p->s->stop) : NULL;

	if (st != NULL)
		*st = (struct span_stop){ .off = off, .span = span };
}

/* The record of a new span; NULL: there is no room. */
static struct span_record *
fresh_add(struct pairing *p, const struct span_mark *k)
{
	struct span_record	*r = p->nfresh < EVENT_MOST ? scratch_add(p->s->record) : NULL;

	if (r == NULL)
		p->s->dropped++;
	else
		p->fresh[p->nfresh++] = k;
	return r;
}

static uint32_t
name_of(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	struct span_name	 n;
	uint32_t		 name;

	if (p->s->opt.by == NULL || k->by_len == UINT32_MAX)
		return k->name;
	lock_take(p->s->lock);
	n = *names_at(p->s->names, k->name);
	n.by = (struct span){ (const uint8_t *)m->keys.p + k->by, k->by_len };
	name = names_add(p->s->names, &n);
	lock_drop(p->s->lock);
	return name;
}

/* Of keys of the same pair and base; never 0. */
static uint64_t
key_head(const char *key)
{
	uint64_t	head;

	memcpy(&head, key, sizeof head);
	return head | UINT64_C(1) << 56;
}

/* The head of the key of a stop whose pair goes by the activity alone, or 0. */
static uint64_t
stray_head(const struct mark_list *m, const struct span_mark *k)
{
	uint64_t	head = k->len > 0 ? key_head(m->keys.p + k->key) : 0;
	unsigned	pair = head & UINT16_MAX;

	if (head == 0 || (pair != PAIR_BY_NAME && (pair >= span_npairs ||
	    strcmp(span_pairs[pair].key, "activity") != 0)))
		return 0;
	return head;
}

/* What a start says, or a stop that goes by the activity alone. */
static struct around_id
around_of(const struct mark_list *m, const struct span_mark *k)
{
	const char		*key = m->keys.p + k->key;
	struct around_id	 a = { .has = k->stop ? !k->by_thread : k->has_related };

	if (a.has)
		memcpy(a.id, key + (k->stop ? KEY_ID : k->len), sizeof a.id);
	return a;
}

static void
mark_orphan(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	struct span_record	*r = fresh_add(p, k);

	if (r == NULL)
		return;
	*r = (struct span_record){ .row = SPAN_NO_ROW, .stop_row = k->row, .stop = k->ts,
	    .off = k->off, .thread = EVENT_NONE, .stop_thread = k->thread,
	    .name = name_of(p, m, k), .state = SPAN_ORPHAN_AFTER_GAP };
	mark_flags(k, r);
	if (!record_has_gap(p->s, r))
		r->state = SPAN_ORPHAN;
}

static void
mark_stop(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	struct open_key	*o;
	uint64_t	 span;

	if (k->is_matched) {
		if (k->other != SPAN_NO_ROW)
			stop_note(p, k->other, k->off);
		return;
	}
	o = key_find(p, m, k);
	if (o == NULL || o->first == NONE) {
		mark_orphan(p, m, k);
		return;
	}
	span = open_pop(p, o, k->rule == SPAN_FIFO);
	record_stop(p->s, record_at(p, span), k);
	stop_note(p, span, k->off);
}

static void
mark_start(struct pairing *p, const struct mark_list *m, const struct span_mark *k)
{
	struct open_key		*o = k->rule == SPAN_ONE && !k->native ? key_find(p, m, k) : NULL;
	struct span_record	*r;

	while (o != NULL && o->first != NONE)
		record_throw_out(p->s, record_at(p, open_pop(p, o, true)), k->ts);
	r = fresh_add(p, k);
	if (r == NULL)
		return;
	*r = (struct span_record){ .row = k->row, .stop_row = SPAN_NO_ROW, .start = k->ts,
	    .off = k->off, .thread = k->thread, .state = SPAN_OPEN, .stop_thread = EVENT_NONE,
	    .name = name_of(p, m, k) };
	mark_flags(k, r);
	if (k->native) {
		record_native(r, k->dur);
	} else if (k->is_matched) {
		record_stop(p->s, r, &m->v[k->other]);
	}
}

/* ---- an event */

/* By group; in it starts before stops. */
static bool
stands_before(const struct pairing *p, const struct span_record *x, const struct span_record *y)
{
	int	d = strcmp(names_at(p->s->names, x->name)->group,
		    names_at(p->s->names, y->name)->group);

	if (d != 0)
		return d < 0;
	return x->row != SPAN_NO_ROW && y->row == SPAN_NO_ROW;
}

/* Put the records of the event into order. */
static void
fresh_sort(struct pairing *p, uint64_t first)
{
	lock_take(p->s->lock);
	for (unsigned i = 1; i < p->nfresh; i++) {
		struct span_record	 r = *record_at(p, first + i);
		const struct span_mark	*k = p->fresh[i];
		unsigned		 at = i;

		for (; at > 0 && stands_before(p, &r, record_at(p, first + at - 1)); at--) {
			*record_at(p, first + at) = *record_at(p, first + at - 1);
			p->fresh[at] = p->fresh[at - 1];
		}
		*record_at(p, first + at) = r;
		p->fresh[at] = k;
	}
	lock_drop(p->s->lock);
}

static void
fresh_open(struct pairing *p, const struct mark_list *m, const struct span_mark *k, uint64_t span)
{
	struct open_key	*o = NULL;

	if (p->live < LIMIT_SPANS_OPEN)
		o = key_add(p, m, k);
	if (o != NULL)
		open_push(p, o, &(struct open_span){ .span = span, .thread = k->thread,
		    .around = around_of(m, k) });
	else
		p->s->beyond++;
}

static void
orphan_note(struct pairing *p, const struct mark_list *m, const struct span_mark *k,
    uint64_t span)
{
	uint64_t		 head = stray_head(m, k);
	struct stray_stop	*stray = head != 0 ? scratch_add(p->stray) : NULL;

	if (stray != NULL)
		*stray = (struct stray_stop){ .head = head, .span = span,
		    .around = around_of(m, k) };
	stop_note(p, span, k->off);
}

/* The new spans of the event have their numbers. */
static void
event_end(struct pairing *p, struct mark_list *m)
{
	uint64_t	first = scratch_n(p->s->record) - p->nfresh;

	if (p->nfresh > 1)
		fresh_sort(p, first);
	for (unsigned i = 0; i < p->nfresh; i++) {
		const struct span_mark	*k = p->fresh[i];

		if (k->stop)
			orphan_note(p, m, k, first + i);
		else if (k->is_matched)
			m->v[k->other].other = first + i;
		else if (!k->native)
			fresh_open(p, m, k, first + i);
	}
	p->nfresh = 0;
}

void
pairing_add(struct pairing *p, struct mark_list *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct span_mark	*k = &m->v[i];

		if (!k->is_void && k->stop)
			mark_stop(p, m, k);
		else if (!k->is_void)
			mark_start(p, m, k);
		if (i + 1 == m->n || m->v[i + 1].off != k->off || m->v[i + 1].row != k->row)
			event_end(p, m);
	}
}

/* What is open under activity ids. */
static size_t
stray_starts(const struct pairing *p, struct stray_start *v)
{
	size_t	n = 0;

	for (size_t i = 0; i < p->nkeys; i++) {
		const struct open_key	*o = &p->key[i];

		if (o->first == NONE || o->len != KEY_ACTIVITY ||
		    p->keys.p[o->at + KEY_HEAD] != 'a')
			continue;
		for (uint32_t k = o->first; k != NONE; k = p->open[k].next)
			v[n++] = (struct stray_start){ .head = key_head(p->keys.p + o->at),
			    .span = p->open[k].span, .thread = p->open[k].thread,
			    .around = p->open[k].around };
	}
	return n;
}

void
pairing_end(struct pairing *p)
{
	struct stray_start	*v;

	if (scratch_n(p->stray) == 0 || p->live == 0)
		return;
	v = mem_alloc(p->live * sizeof *v);
	strays_end(p->s, v, stray_starts(p, v), p->stray);
	mem_free(v);
}

void
pairing_leave(struct pairing *p)
{
	uint64_t	n = scratch_n(p->s->record);

	for (uint64_t i = scratch_first(p->s->record); i < n && !p->s->native; i++)
		if (record_at(p, i)->state == SPAN_OPEN)
			record_leave(p->s, record_at(p, i));
}

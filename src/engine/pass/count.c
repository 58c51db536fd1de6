/*
 * Counts by value: a hash table over keys that are kept as bytes.
 *
 *	cells		{ TEXT "GC/Start" } { U64 4711 "word" }
 *	key bytes	head, "GC/Start"   head, 8 bytes, "word"	(arena)
 *
 * Fields that follow from the type or the thread alone are got once for each of them.
 *
 * Invariant: all = the sum of the keys, beyond and without. Memory is bounded by the number of keys
 * and what is kept of a text.
 */
#include "tnav/engine/count.h"

#include <stdlib.h>
#include <string.h>

#include "engine/pass/bins.h"
#include "tnav/base/arena.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"

#define NOT_YET		0u
#define BEYOND		UINT32_MAX	/* in place of a key's number */
#define WITHOUT		(UINT32_MAX - 1)

/* What stands in front of a cell's bytes. */
struct key_head {
	uint32_t	kind, show, len, word;	/* word: bytes of it; NO_WORD */
	bool		cut;
};

#define NO_WORD		UINT32_MAX

struct entry {
	uint64_t	 hash;
	const char	*key;
	uint32_t	 len;
	struct count	 count;
};

struct counter {
	struct trace			*t;
	const struct field_list		*by;
	struct count_options		 opt;
	struct field_reader		*reader;
	struct cell			*cells;
	struct entry			*entry;
	size_t				 n, cap;
	struct bins			 bins;
	struct hashtable		 table;
	uint64_t			 seed;
	struct count			 all, beyond, without;
	struct arena			 arena;
	struct buf			 key;		/* scratch */
	enum field_of			 of;		/* what all fields follow from */
	uint32_t			*known;		/* by type or thread: number + 1 */
	size_t				 nknown;
};

/* ---- counts */

void
count_add(struct count *c, const struct event *e)
{
	if (c->events == 0 || e->ts < c->first)
		c->first = e->ts;
	if (c->events == 0 || e->ts > c->last)
		c->last = e->ts;
	c->events++;
	c->bytes += e->size;
}

void
count_merge(struct count *c, const struct count *from)
{
	if (from->events == 0)
		return;
	if (c->events == 0 || from->first < c->first)
		c->first = from->first;
	if (c->events == 0 || from->last > c->last)
		c->last = from->last;
	c->events += from->events;
	c->bytes += from->bytes;
}

/* ---- making */

/* What all of the fields follow from. */
static enum field_of
follows_from(const struct field_list *by, struct trace *t)
{
	enum field_of	of = by->n > 0 ? field_ref_of(&by->v[0], t) : OF_EVENT;

	for (size_t i = 1; i < by->n; i++)
		if (field_ref_of(&by->v[i], t) != of)
			return OF_EVENT;
	return of;
}

struct counter *
counter_new(struct trace *t, const struct field_list *by, const struct count_options *o)
{
	struct counter	*c = mem_zalloc(1, sizeof *c);

	c->t = t;
	c->by = by;
	c->opt = *o;
	c->reader = field_reader_new(t, &o->fields);
	c->cells = mem_zalloc(by->n, sizeof *c->cells);
	c->seed = hash_seed();
	c->of = follows_from(by, t);
	if (c->of == OF_TYPE)
		c->nknown = trace_types(t);
	if (c->of == OF_THREAD)
		c->nknown = trace_threads(t);
	c->known = mem_zalloc(c->nknown + 1, sizeof *c->known);
	hashtable_init(&c->table);
	arena_init(&c->arena);
	buf_init(&c->key);
	return c;
}

void
counter_free(struct counter *c)
{
	if (c == NULL)
		return;
	field_reader_free(c->reader);
	mem_free(c->cells);
	mem_free(c->entry);
	bins_release(&c->bins);
	mem_free(c->known);
	hashtable_release(&c->table);
	arena_release(&c->arena);
	buf_release(&c->key);
	mem_free(c);
}

/* ---- keys */

static bool
has_text(uint32_t kind)
{
	return kind == CELL_TEXT || kind == CELL_RAW || kind == CELL_GUID || kind == CELL_BLOB ||
	    kind == CELL_PLAIN;
}

/* A number, a container or an id can't be cut and stay what it is. */
static void
key_add(struct buf *key, const struct cell *c, uint32_t most)
{
	struct key_head	h;
	const void	*p = &c->u;

	memset(&h, 0, sizeof h);
	h.kind = c->kind;
	h.show = c->show;
	h.len = sizeof c->u;
	h.word = c->word.p != NULL ? (uint32_t)c->word.len : NO_WORD;
	if (c->kind == CELL_NONE || c->kind == CELL_NULL)
		h.len = 0;
	if (has_text(c->kind)) {
		h.cut = (c->kind == CELL_TEXT || c->kind == CELL_BLOB) && c->text.len > most;
		h.len = h.cut ? most : (uint32_t)c->text.len;
		p = c->text.p;
	}
	buf_add(key, &h, sizeof h);
	buf_add(key, p, h.len);
	if (c->word.p != NULL)
		buf_add(key, c->word.p, c->word.len);
}

static uint32_t
key_find(struct counter *c, const char *key, size_t len)
{
	uint64_t	 hash = hash_bytes(c->seed, key, len);
	size_t		 at = 0;
	struct entry	*e;

	for (uint32_t *i; (i = hashtable_next(&c->table, hash, &at)) != NULL;) {
		e = &c->entry[*i];
		if (e->hash == hash && e->len == len && memcmp(e->key, key, len) == 0)
			return *i;
	}
	if (c->n == c->opt.keys)
		return BEYOND;
	c->entry = mem_grow(c->entry, &c->cap, c->n + 1, sizeof *c->entry);
	c->entry[c->n] = (struct entry){ .hash = hash, .len = (uint32_t)len,
	    .key = arena_strndup(&c->arena, key, len) };
	if (c->opt.bins)
		bins_key(&c->bins);
	hashtable_add(&c->table, hash, (uint32_t)c->n);
	return (uint32_t)c->n++;
}

/* The number of the key that the cells are. */
static uint32_t
cells_find(struct counter *c)
{
	bool	any = !c->opt.skip;

	buf_clear(&c->key);
	for (size_t i = 0; i < c->by->n; i++) {
		any |= c->cells[i].kind != CELL_NONE || c->cells[i].word.p != NULL;
		key_add(&c->key, &c->cells[i], c->opt.text);
	}
	if (!any)
		return WITHOUT;
	return key_find(c, c->key.p, c->key.len);
}

static uint32_t
event_find(struct counter *c, const struct event *e, uint64_t row)
{
	uint32_t	 at = c->of == OF_THREAD ? e->thread : e->type;
	uint32_t	*known = at < c->nknown ? &c->known[at] : NULL;
	uint32_t	 key;

	if (known != NULL && *known != NOT_YET)
		return *known - 1;
	field_get(c->reader, c->by->v, c->by->n, e, row, c->cells);
	key = cells_find(c);
	if (known != NULL && key != BEYOND)
		*known = key + 1;
	return key;
}

static struct count *
count_of(struct counter *c, uint32_t key)
{
	return key == BEYOND ? &c->beyond : key == WITHOUT ? &c->without : &c->entry[key].count;
}

/* ---- adding */

void
counter_add(struct counter *c, const struct event *e, uint64_t row)
{
	uint32_t	key = event_find(c, e, row);

	count_add(count_of(c, key), e);
	count_add(&c->all, e);
	if (c->opt.bins)
		bins_cover(&c->bins, e->ts);
	if (c->opt.bins && key < WITHOUT)
		bins_add(&c->bins, key, e->ts);
}

/* Do types alone tell which events match? */
static bool
types_decide(struct filter_eval *only, const struct type_stat *ts, size_t n)
{
	bool	sure = true;

	for (size_t i = 0; only != NULL && i < n && sure; i++)
		sure = ts[i].c.events == 0 || filter_type_verdict(only, ts[i].type) >= 0;
	return sure;
}

bool
counter_add_index(struct counter *c, struct filter_eval *only)
{
	bool			 sure;
	struct type_stat	*ts;
	size_t			 n;

	if (c->of != OF_TYPE)
		return false;
	n = trace_type_stats(c->t, &ts);
	sure = types_decide(only, ts, n);
	for (size_t i = 0; i < n && sure; i++) {
		struct event	e = { .type = ts[i].type, .thread = EVENT_NONE,
				    .capture = EVENT_NONE };

		if (ts[i].c.events == 0 ||
		    (only != NULL && filter_type_verdict(only, ts[i].type) == 0))
			continue;
		count_merge(count_of(c, event_find(c, &e, ROW_UNKNOWN)), &ts[i].c);
		count_merge(&c->all, &ts[i].c);
	}
	mem_free(ts);
	return sure;
}

/* ---- merging */

void
counter_merge(struct counter *into, const struct counter *from)
{
	bins_cover_all(&into->bins, &from->bins);
	for (size_t i = 0; i < from->n; i++) {
		const struct entry	*e = &from->entry[i];
		uint32_t		 key = key_find(into, e->key, e->len);

		count_merge(count_of(into, key), &e->count);
		if (into->opt.bins && key < WITHOUT)
			bins_merge(&into->bins, key, &from->bins, i);
	}
	count_merge(&into->all, &from->all);
	count_merge(&into->beyond, &from->beyond);
	count_merge(&into->without, &from->without);
}

/* ---- asking */

uint32_t
counter_keys(const struct counter *c)
{
	return (uint32_t)c->n;
}

const struct count *
counter_count(const struct counter *c, uint32_t key)
{
	return &c->entry[key].count;
}

unsigned
counter_bins(const struct counter *c, uint32_t key, uint64_t out[COUNT_BINS])
{
	return bins_get(&c->bins, key, out);
}

void
counter_cover(struct counter *c, int64_t first, int64_t last)
{
	bins_cover(&c->bins, first);
	bins_cover(&c->bins, last);
}

const struct count *
counter_all(const struct counter *c)
{
	return &c->all;
}

const struct count *
counter_beyond(const struct counter *c)
{
	return &c->beyond;
}

const struct count *
counter_without(const struct counter *c)
{
	return &c->without;
}

bool
counter_cells(const struct counter *c, uint32_t key, struct cell *cells)
{
	const char	*p = c->entry[key].key;
	bool		 whole = true;

	for (size_t i = 0; i < c->by->n; i++) {
		struct key_head	h;

		memcpy(&h, p, sizeof h);
		p += sizeof h;
		cells[i] = (struct cell){ .kind = (enum cell_kind)h.kind, .show = h.show };
		if (has_text(h.kind))
			cells[i].text = (struct span){ (const uint8_t *)p, h.len };
		else if (h.len > 0)
			memcpy(&cells[i].u, p, sizeof cells[i].u);
		p += h.len;
		if (h.word != NO_WORD) {
			cells[i].word = (struct span){ (const uint8_t *)p, h.word };
			p += h.word;
		}
		whole &= !h.cut;
	}
	return whole;
}

struct order {
	const struct count	*count;
	uint32_t		 key;
};

static int
by_events(const void *a, const void *b)
{
	const struct order	*x = a, *y = b;

	if (x->count->events != y->count->events)
		return x->count->events > y->count->events ? -1 : 1;
	if (x->count->first != y->count->first)
		return x->count->first < y->count->first ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

void
counter_order(const struct counter *c, uint32_t *order)
{
	struct order	*o = mem_zalloc(c->n + 1, sizeof *o);

	for (size_t i = 0; i < c->n; i++)
		o[i] = (struct order){ &c->entry[i].count, (uint32_t)i };
	qsort(o, c->n, sizeof *o, by_events);
	for (size_t i = 0; i < c->n; i++)
		order[i] = o[i].key;
	mem_free(o);
}

/*
 * The keys of a counter: finding those of an event.
 *
 *	fields	name, tid	->  cells  ->  id, note	->  key 7		key.c
 *	type or thread alone	->  key 7, kept in known[]; also for types without the fields
 *	type and thread		->  key 7, cached in pairs[]
 *	a number without a word	->  key 7, cached in lone[]
 *	a stack, other values	->  keys 7, 9, 12, cached in stacks	count_stacks.c
 *
 * Invariant: equal values have equal ids, so there is one key for each value.
 */
#include "engine/pass/counter.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/steps.h"

/* ---- keys */

static void
figures_new(struct counter *c)
{
	size_t	at = c->n * c->nvalues;

	if (c->nvalues == 0)
		return;
	c->figure = mem_grow(c->figure, &c->figures_cap, at + c->nvalues, sizeof *c->figure);
	memset(&c->figure[at], 0, c->nvalues * sizeof *c->figure);
}

static uint32_t
key_new(struct counter *c, const struct key_view *k)
{
	if (c->n == c->opt.keys || c->arena.total > LIMIT_KEY_BYTES)
		return BEYOND;
	c->entry = mem_grow(c->entry, &c->cap, c->n + 1, sizeof *c->entry);
	c->entry[c->n] = (struct key_texts){ .hash = k->hash, .id_len = k->id_len,
	    .id = arena_strndup(&c->arena, k->id, k->id_len), .note_len = k->note_len };
	if (k->note != NULL)
		c->entry[c->n].note = arena_strndup(&c->arena, k->note, k->note_len);
	if (c->opt.bins)
		bins_key(&c->bins);
	figures_new(c);
	hashtable_add(&c->table, k->hash, (uint32_t)c->n);
	return (uint32_t)c->n++;
}

/* Drop the key's note, its words and the like, if this event has a different one. */
static void
note_compare(struct key_texts *e, const struct key_view *k)
{
	if (e->note == NULL)
		return;
	if (k->note == NULL || k->note_len != e->note_len ||
	    memcmp(k->note, e->note, k->note_len) != 0)
		e->note = NULL;
}

uint32_t
counter_key(struct counter *c, const struct key_view *k)
{
	HASHTABLE_EACH(&c->table, k->hash, i) {
		struct key_texts	*e = &c->entry[*i];

		if (e->hash != k->hash || e->id_len != k->id_len ||
		    memcmp(e->id, k->id, k->id_len) != 0)
			continue;
		note_compare(e, k);
		return *i;
	}
	return key_new(c, k);
}

uint32_t
counter_bytes_find(struct counter *c, const struct key_bytes *b)
{
	c->searched++;
	return counter_key(c, &(struct key_view){ .id = b->id.p, .id_len = (uint32_t)b->id.len,
	    .note = b->note.p, .note_len = (uint32_t)b->note.len,
	    .hash = hash_bytes(b->id.p, b->id.len) });
}

static bool
is_there(const struct cell *c)
{
	return c->kind != CELL_NONE || c->word.p != NULL;
}

/* The number of the key with these cells. */
static uint32_t
cells_find(struct counter *c, const struct event *e)
{
	bool	any = !c->opt.skip;

	key_clear(&c->key);
	counter_add_time(c, &c->key, e);
	for (size_t i = 0; i < c->by->n; i++) {
		any |= is_there(&c->cells[i]);
		key_add(&c->key, &c->cells[i], &c->key_options);
	}
	return any ? counter_bytes_find(c, &c->key) : WITHOUT;
}

/* The cache entry for a key that is a single number; NULL: the key is something else. */
static struct key_number *
lone_number(struct counter *c)
{
	const struct cell	*x = &c->cells[0];

	if (c->lone == NULL || (x->kind != CELL_U64 && x->kind != CELL_I64) || x->word.p != NULL)
		return NULL;
	return &c->lone[(x->u ^ x->u >> 8) % KEY_NUMBERS];
}

/* The key of the single cell. */
uint32_t
counter_find_lone(struct counter *c, const struct event *e)
{
	const struct cell	*x = &c->cells[0];
	struct key_number	*at = lone_number(c);
	uint32_t		 key;

	if (at != NULL && at->key != 0 && at->u == x->u && at->kind == (uint32_t)x->kind &&
	    at->show == (uint32_t)x->show)
		return at->key - 1;
	key = cells_find(c, e);
	if (at != NULL && key < WITHOUT)
		*at = (struct key_number){ .u = x->u, .kind = (uint32_t)x->kind,
		    .show = (uint32_t)x->show, .key = key + 1 };
	return key;
}

/* ---- keys of several values */

struct part_arg {
	struct counter	*c;
	struct parts	*p;
};

static int
part_add(void *arg, const struct cell *cell)
{
	struct part_arg	*a = arg;
	struct parts	*p = a->p;
	struct cell	 one = *cell;

	if (a->c->opt.steps)
		steps_begin(&one);
	key_add(&p->bytes, &one, &a->c->key_options);
	p->id_end = mem_grow(p->id_end, &p->id_cap, p->n + 1, sizeof *p->id_end);
	p->note_end = mem_grow(p->note_end, &p->note_cap, p->n + 1, sizeof *p->note_end);
	p->id_end[p->n] = p->bytes.id.len;
	p->note_end[p->n++] = p->bytes.note.len;
	return 0;
}

/* Read the values of each field of the key. Returns how many keys they make. */
static size_t
parts_read(struct counter *c, const struct event *e, uint64_t row)
{
	size_t	most = 1;

	for (size_t i = 0; i < c->by->n; i++) {
		struct parts	*p = &c->parts[i];

		p->n = 0;
		key_clear(&p->bytes);
		if (counter_is_list(c, i))
			(void)field_each(c->reader, &c->refs[i], e, row, part_add,
			    &(struct part_arg){ c, p });
		else
			(void)part_add(&(struct part_arg){ c, p }, &c->cells[i]);
		most = p->n > most ? p->n : most;
	}
	return most;
}

/* Put the i-th value of a field into the key. A single value is combined with all of the others. */
static void
part_put(struct counter *c, const struct parts *p, size_t i)
{
	static const struct cell	nothing = { .kind = CELL_NONE };
	size_t				id, note;

	i = p->n == 1 ? 0 : i;
	if (i >= p->n) {
		key_add(&c->key, &nothing, &c->key_options);
		return;
	}
	id = i > 0 ? p->id_end[i - 1] : 0;
	note = i > 0 ? p->note_end[i - 1] : 0;
	buf_add(&c->key.id, p->bytes.id.p + id, p->id_end[i] - id);
	buf_add(&c->key.note, p->bytes.note.p + note, p->note_end[i] - note);
}

void
counter_keys_put(struct counter *c, uint32_t key)
{
	if (c->nkeys == c->keys_cap)
		c->keys = mem_grow(c->keys, &c->keys_cap, c->nkeys + 1, sizeof *c->keys);
	c->keys[c->nkeys++] = key;
}

static bool
any_part(const struct counter *c)
{
	for (size_t i = 0; i < c->by->n; i++)
		if (counter_is_list(c, i) ? c->parts[i].n > 0 : is_there(&c->cells[i]))
			return true;
	return false;
}

static void
lists_find(struct counter *c, const struct event *e, uint64_t row)
{
	size_t	n = parts_read(c, e, row);

	if (c->opt.skip && !any_part(c)) {
		counter_keys_put(c, WITHOUT);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		key_clear(&c->key);
		counter_add_time(c, &c->key, e);
		for (size_t k = 0; k < c->by->n; k++)
			part_put(c, &c->parts[k], i);
		counter_keys_put(c, counter_bytes_find(c, &c->key));
	}
}

static bool
has_list(const struct counter *c)
{
	for (size_t i = 0; i < c->by->n && c->lists; i++)
		if (counter_is_list(c, i))
			return true;
	return false;
}

/* ---- the keys of an event */

void
counter_know(struct counter *c, uint32_t at, uint32_t key)
{
	c->known = array_reach(c->known, &c->nknown, at, sizeof *c->known);
	c->known[at] = key + 1;
}

/* Keep the key for the event's type, its thread, or both, if the key depends on these alone. */
static void
key_learn(struct counter *c, const struct event *e, uint32_t key)
{
	uint32_t	at = c->of == OF_THREAD ? e->thread : e->type;

	if (key == BEYOND)
		return;
	if (c->of == OF_TYPE || c->of == OF_THREAD ||
	    (c->pairs == NULL && counter_way(c, e->type)->same))
		counter_know(c, at, key);
	if (c->pairs != NULL)
		*counter_pair(c, e) = (struct type_thread){ e->type, e->thread, key + 1 };
}

void
counter_cells_find(struct counter *c, const struct event *e, uint64_t row)
{
	counter_cells_get(c, c->refs, e, row);
	counter_cells_step(c);
	if (has_list(c)) {
		lists_find(c, e, row);
		return;
	}
	counter_keys_put(c, counter_find_lone(c, e));
	key_learn(c, e, c->keys[0]);
}

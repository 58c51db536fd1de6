/*
 * Counts by key: an open-addressing table over keys that are kept as bytes.
 *
 *	cells		{ TEXT "GC/Start" } { U64 4711 }
 *	key bytes	kind u32, len u32, "GC/Start"  kind u32, len u32, 8 bytes	(arena)
 *	slot		index of entry + 1, or 0
 *
 * The hash is seeded, so that a file can't be made to fill one chain. Memory is bounded by
 * TALLY_MAX keys of texts cut at TALLY_TEXT_MAX.
 */
#include "app/tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tnav/base/arena.h"
#include "tnav/base/mem.h"

#define SLOTS_FIRST	1024u

struct entry {
	uint64_t	 hash;
	const char	*key;
	uint32_t	 len;
	uint32_t	 number;
	struct count	 count;
};

struct tally {
	size_t		 ncells;
	uint64_t	 seed;
	struct entry	*entry;
	size_t		 n, cap;
	uint32_t	*slot;
	size_t		 slots;		/* a power of two */
	struct count	 beyond;
	struct arena	 arena;
	struct buf	 key;		/* scratch */
};

struct tally *
tally_new(size_t ncells)
{
	struct tally	*y = mem_zalloc(1, sizeof *y);

	y->ncells = ncells;
	if (getrandom(&y->seed, sizeof y->seed, GRND_NONBLOCK) != (ssize_t)sizeof y->seed)
		y->seed = (uint64_t)(uintptr_t)y;	/* better than a constant */
	y->slots = SLOTS_FIRST;
	y->slot = mem_zalloc(y->slots, sizeof *y->slot);
	arena_init(&y->arena);
	buf_init(&y->key);
	return y;
}

void
tally_free(struct tally *y)
{
	if (y == NULL)
		return;
	mem_free(y->entry);
	mem_free(y->slot);
	arena_release(&y->arena);
	buf_release(&y->key);
	mem_free(y);
}

static void
add_u32(struct buf *b, size_t v)
{
	uint32_t	v32 = (uint32_t)v;

	buf_add(b, &v32, sizeof v32);
}

static void
key_add(struct buf *key, const struct cell *c)
{
	bool	text = c->kind == CELL_TEXT || c->kind == CELL_RAW;
	size_t	len = c->text.len;

	add_u32(key, c->kind);
	if (text) {
		/* A number or a container can't be cut and stay JSON. */
		if (c->kind == CELL_TEXT && len > TALLY_TEXT_MAX)
			len = TALLY_TEXT_MAX;
		add_u32(key, len);
		buf_add(key, c->text.p, len);
	} else if (c->kind != CELL_NONE && c->kind != CELL_NULL) {
		add_u32(key, sizeof c->u);
		buf_add(key, &c->u, sizeof c->u);
	} else {
		add_u32(key, 0);
	}
}

/* Mix eight bytes at a time; both multipliers are odd, so no state is lost. */
static uint64_t
hash_bytes(const char *p, size_t len, uint64_t seed)
{
	uint64_t	h = seed ^ len;

	while (len > 0) {
		size_t		n = len < 8 ? len : 8;
		uint64_t	w = 0;

		memcpy(&w, p, n);
		h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ h >> 32 ^ seed) * UINT64_C(0xd6e8feb86659fd93);
		h ^= h >> 29;
		p += n;
		len -= n;
	}
	return h ^ h >> 32;
}

static void
slots_grow(struct tally *y)
{
	mem_free(y->slot);
	y->slots *= 2;
	y->slot = mem_zalloc(y->slots, sizeof *y->slot);
	for (size_t i = 0; i < y->n; i++) {
		size_t	at = (size_t)y->entry[i].hash & (y->slots - 1);

		while (y->slot[at] != 0)
			at = (at + 1) & (y->slots - 1);
		y->slot[at] = (uint32_t)i + 1;
	}
}

static uint32_t
entry_add(struct tally *y, uint64_t hash)
{
	struct entry	*e;

	y->entry = mem_grow(y->entry, &y->cap, y->n + 1, sizeof *y->entry);
	e = &y->entry[y->n];
	memset(e, 0, sizeof *e);
	e->hash = hash;
	e->key = arena_strndup(&y->arena, y->key.p, y->key.len);
	e->len = (uint32_t)y->key.len;
	e->number = (uint32_t)y->n;
	return (uint32_t)y->n++;
}

uint32_t
tally_find(struct tally *y, const struct cell *cells)
{
	uint64_t	hash;
	size_t		at;

	buf_clear(&y->key);
	for (size_t i = 0; i < y->ncells; i++)
		key_add(&y->key, &cells[i]);
	hash = hash_bytes(y->key.p, y->key.len, y->seed);
	for (at = (size_t)hash & (y->slots - 1); y->slot[at] != 0; at = (at + 1) & (y->slots - 1)) {
		const struct entry	*e = &y->entry[y->slot[at] - 1];

		if (e->hash == hash && e->len == y->key.len &&
		    memcmp(e->key, y->key.p, e->len) == 0)
			return y->slot[at] - 1;
	}
	if (y->n == TALLY_MAX)
		return TALLY_MAX;
	y->slot[at] = entry_add(y, hash) + 1;
	if (y->n * 2 > y->slots)
		slots_grow(y);
	return (uint32_t)y->n - 1;
}

struct count *
tally_count(struct tally *y, uint32_t i)
{
	return i == TALLY_MAX ? &y->beyond : &y->entry[i].count;
}

static int
by_events(const void *a, const void *b)
{
	const struct entry	*x = a, *y = b;

	if (x->count.events != y->count.events)
		return x->count.events > y->count.events ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

uint32_t
tally_sort(struct tally *y)
{
	if (y->n > 0)
		qsort(y->entry, y->n, sizeof *y->entry, by_events);
	return (uint32_t)y->n;
}

void
tally_cells(const struct tally *y, uint32_t i, struct cell *cells)
{
	const char	*p = y->entry[i].key;

	for (size_t c = 0; c < y->ncells; c++) {
		uint32_t	kind, len;

		memcpy(&kind, p, sizeof kind);
		memcpy(&len, p + sizeof kind, sizeof len);
		p += sizeof kind + sizeof len;
		cells[c].kind = (enum cell_kind)kind;
		if (kind == CELL_TEXT || kind == CELL_RAW)
			cells[c].text = (struct span){ (const uint8_t *)p, len };
		else if (len > 0)
			memcpy(&cells[c].u, p, sizeof cells[c].u);
		p += len;
	}
}

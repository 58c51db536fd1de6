/*
 * Entries by a key of two numbers.
 *
 *	key	[ 7, 0 ][ 9, 5 ] ...	found by hash
 *	entry	[      ][      ] ...	size bytes each, zeroed
 *
 * Invariant: an entry keeps its number; there are no more than `most`.
 */
#include "analysis/reports/groups.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct groups {
	size_t			 size, most, n;
	uint64_t		 beyond, since;	/* since: entries added since the last drop */
	struct group_key	*key;
	size_t			 key_cap;
	uint8_t			*entry;
	size_t			 entry_cap;
	struct hashtable	 table;
};

struct groups *
groups_new(size_t size, size_t most)
{
	struct groups	*g = mem_zalloc(1, sizeof *g);

	g->size = size;
	g->most = most;
	return g;
}

void
groups_free(struct groups *g)
{
	if (g == NULL)
		return;
	mem_free(g->key);
	mem_free(g->entry);
	hashtable_release(&g->table);
	mem_free(g);
}

void *
groups_find(const struct groups *g, uint64_t a, uint64_t b)
{
	uint64_t	hash = hash_pair(a, b);

	HASHTABLE_EACH(&g->table, hash, i)
		if (g->key[*i].a == a && g->key[*i].b == b)
			return groups_at(g, *i);
	return NULL;
}

/* Make entry i found by its key. */
static void
group_index(struct groups *g, size_t i)
{
	hashtable_add(&g->table, hash_pair(g->key[i].a, g->key[i].b), (uint32_t)i);
}

void *
groups_get(struct groups *g, uint64_t a, uint64_t b)
{
	void	*found = groups_find(g, a, b);

	if (found != NULL)
		return found;
	if (g->n >= g->most) {
		g->beyond++;
		return NULL;
	}
	g->key = mem_grow(g->key, &g->key_cap, g->n + 1, sizeof *g->key);
	g->key[g->n] = (struct group_key){ a, b };
	group_index(g, g->n);
	g->entry = mem_grow(g->entry, &g->entry_cap, g->n + 1, g->size);
	memset(g->entry + g->n * g->size, 0, g->size);
	g->since++;
	return groups_at(g, g->n++);
}

/* Remove entries that are not live, move the others up, and build the table again. */
static void
groups_drop(struct groups *g, bool (*live)(const void *entry))
{
	size_t	n = 0;

	hashtable_release(&g->table);
	for (size_t i = 0; i < g->n; i++) {
		if (!live(groups_at(g, i)))
			continue;
		g->key[n] = g->key[i];
		if (n != i)
			memcpy(groups_at(g, n), groups_at(g, i), g->size);
		group_index(g, n++);
	}
	g->n = n;
	g->since = 0;
}

void *
groups_get_live(struct groups *g, uint64_t a, uint64_t b, bool (*live)(const void *entry))
{
	void	*found = groups_get(g, a, b);

	if (found != NULL || g->since < g->most / 2)
		return found;
	groups_drop(g, live);
	return groups_get(g, a, b);
}

size_t
groups_n(const struct groups *g)
{
	return g->n;
}

void *
groups_at(const struct groups *g, size_t i)
{
	return g->entry + i * g->size;
}

size_t
groups_number(const struct groups *g, const void *entry)
{
	return (size_t)((const uint8_t *)entry - g->entry) / g->size;
}

struct group_key
groups_key(const struct groups *g, size_t i)
{
	return g->key[i];
}

uint64_t
groups_beyond(const struct groups *g)
{
	return g->beyond;
}

/* ---- sorting */

struct group_place {
	const void		*entry;
	struct group_key	 key;
	uint32_t		 i;
	int			(*cmp)(const void *, const void *);
};

static int
by_cmp(const void *a, const void *b)
{
	const struct group_place	*x = a, *y = b;
	int				 d = x->cmp(x->entry, y->entry);

	if (d != 0)
		return d;
	if (x->key.a != y->key.a)
		return x->key.a < y->key.a ? -1 : 1;
	return (x->key.b > y->key.b) - (x->key.b < y->key.b);
}

uint32_t *
groups_order(const struct groups *g, int (*cmp)(const void *, const void *))
{
	struct group_place	*place = mem_zalloc(g->n + 1, sizeof *place);
	uint32_t		*v = mem_zalloc(g->n + 1, sizeof *v);

	for (size_t i = 0; i < g->n; i++)
		place[i] = (struct group_place){ groups_at(g, i), g->key[i], (uint32_t)i, cmp };
	sort_array(place, g->n, sizeof *place, by_cmp);
	for (size_t i = 0; i < g->n; i++)
		v[i] = place[i].i;
	mem_free(place);
	return v;
}

/*
 * Entries in the order of insertion, found by a hash of id and owner.
 *
 * Invariant: no two entries have the same id and owner.
 */
#include "tnav/base/idmap.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
idmap_release(struct idmap *m)
{
	hashtable_release(&m->table);
	mem_free(m->entry);
	*m = (struct idmap){ .n = 0 };
}

static struct idmap_entry *
find(const struct idmap *m, uint64_t hash, uint64_t id, uint32_t owner)
{
	HASHTABLE_EACH(&m->table, hash, i)
		if (m->entry[*i].id == id && m->entry[*i].owner == owner)
			return &m->entry[*i];
	return NULL;
}

bool
idmap_get(const struct idmap *m, uint64_t id, uint32_t owner, uint32_t *value)
{
	const struct idmap_entry	*e = find(m, hash_pair(id, owner), id, owner);

	if (e == NULL)
		return false;
	*value = e->value;
	return true;
}

void
idmap_set(struct idmap *m, uint64_t id, uint32_t owner, uint32_t value)
{
	uint64_t		 hash = hash_pair(id, owner);
	struct idmap_entry	*e = find(m, hash, id, owner);

	if (e != NULL) {
		e->value = value;
		return;
	}
	m->entry = mem_grow(m->entry, &m->cap, m->n + 1, sizeof *m->entry);
	m->entry[m->n] = (struct idmap_entry){ id, owner, value };
	hashtable_add(&m->table, hash, (uint32_t)m->n++);
}

size_t
idmap_bytes(const struct idmap *m)
{
	return m->cap * sizeof *m->entry + hashtable_bytes(&m->table);
}

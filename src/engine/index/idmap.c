/*
 * Open addressing with linear probing, at most half full, never shrinking.
 *
 * Invariant: a key stands in the first slot of its probe sequence that is not another key's.
 */
#include "engine/index/idmap.h"

#include "tnav/base/mem.h"

#define SLOTS_FIRST	64u

void
idmap_init(struct idmap *m, uint64_t seed)
{
	m->seed = seed | 1;
	m->n = 0;
	m->mask = SLOTS_FIRST - 1;
	m->slot = mem_zalloc(SLOTS_FIRST, sizeof *m->slot);
}

void
idmap_release(struct idmap *m)
{
	mem_free(m->slot);
	m->slot = NULL;
}

static struct idmap_slot *
find(const struct idmap *m, uint64_t id, uint32_t epoch)
{
	uint64_t	h = (id ^ (uint64_t)epoch << 40 ^ m->seed) * 0x9e3779b97f4a7c15u;
	size_t		at = (size_t)((h ^ h >> 32) * m->seed >> 20) & m->mask;

	while (m->slot[at].value != 0 &&
	    (m->slot[at].id != id || m->slot[at].epoch != epoch))
		at = (at + 1) & m->mask;
	return &m->slot[at];
}

static void
grow(struct idmap *m)
{
	struct idmap_slot	*old = m->slot;
	size_t			 n = m->mask + 1;

	m->mask = m->mask * 2 + 1;
	m->slot = mem_zalloc(m->mask + 1, sizeof *m->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i].value != 0)
			*find(m, old[i].id, old[i].epoch) = old[i];
	mem_free(old);
}

bool
idmap_get(const struct idmap *m, uint64_t id, uint32_t epoch, uint32_t *value)
{
	const struct idmap_slot	*s = find(m, id, epoch);

	if (s->value == 0)
		return false;
	*value = s->value - 1;
	return true;
}

void
idmap_set(struct idmap *m, uint64_t id, uint32_t epoch, uint32_t value)
{
	struct idmap_slot	*s = find(m, id, epoch);

	if (s->value == 0) {
		if (++m->n * 2 > m->mask) {
			grow(m);
			s = find(m, id, epoch);
		}
		s->id = id;
		s->epoch = epoch;
	}
	s->value = value + 1;
}

size_t
idmap_bytes(const struct idmap *m)
{
	return (m->mask + 1) * sizeof *m->slot;
}

/* The slots of hash tables: see tnav/base/hashtable.h for the picture. */
#include "tnav/base/hashtable.h"

#include <string.h>

#include "tnav/base/mem.h"

#define SLOTS_FIRST	64u
#define SLOTS_KEPT	4096u		/* a cleared table with more slots frees them, ... */
#define SLOTS_USED	(256u << 10)	/* ... or with more than these, if most were used */

void
hashtable_release(struct hashtable *t)
{
	mem_free(t->slot);
	*t = (struct hashtable){ .n = 0 };
}

void
hashtable_clear(struct hashtable *t)
{
	if (t->n == 0)
		return;
	if (t->mask >= SLOTS_USED || (t->mask >= SLOTS_KEPT && t->n < t->mask / 8)) {
		hashtable_release(t);
		return;
	}
	memset(t->slot, 0, (t->mask + 1) * sizeof *t->slot);
	t->n = 0;
}

static void
slot_fill(struct hashtable *t, struct hashtable_slot s)
{
	size_t	at = (s.tag >> 1) & t->mask;

	while (t->slot[at].tag != 0)
		at = (at + 1) & t->mask;
	t->slot[at] = s;
}

static void
grow(struct hashtable *t, size_t slots)
{
	struct hashtable	old = *t;

	t->mask = old.slot == NULL ? SLOTS_FIRST - 1 : old.mask;
	while (t->mask < slots)
		t->mask = t->mask * 2 + 1;
	t->slot = mem_cleared((t->mask + 1) * sizeof *t->slot);
	for (size_t i = 0; old.slot != NULL && i <= old.mask; i++)
		if (old.slot[i].tag != 0)
			slot_fill(t, old.slot[i]);
	mem_free(old.slot);
}

void
hashtable_reserve(struct hashtable *t, size_t n)
{
	size_t	slots = (t->n + n) * 2;

	if (t->slot == NULL || slots > t->mask)
		grow(t, slots);
}

void
hashtable_add(struct hashtable *t, uint64_t hash, uint32_t index)
{
	hashtable_reserve(t, 1);
	slot_fill(t, (struct hashtable_slot){ hashtable_tag(hash), index });
	t->n++;
}

size_t
hashtable_bytes(const struct hashtable *t)
{
	return t->slot == NULL ? 0 : (t->mask + 1) * sizeof *t->slot;
}

/* Texts by number: bytes in an arena, found by hash. */
#include "tnav/base/interned.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
interned_release(struct interned *t)
{
	mem_free(t->v);
	hashtable_release(&t->table);
	arena_release(&t->arena);
	*t = (struct interned){ .n = 0 };
}

static bool
find(const struct interned *t, struct span text, uint64_t hash, uint32_t *number)
{
	HASHTABLE_EACH(&t->table, hash, i) {
		if (!spans_equal(t->v[*i], text))
			continue;
		*number = *i;
		return true;
	}
	return false;
}

bool
interned_find(const struct interned *t, struct span text, uint32_t *number)
{
	return find(t, text, hash_bytes(text.p, text.len), number);
}

uint32_t
interned_add(struct interned *t, struct span text)
{
	uint64_t	hash = hash_bytes(text.p, text.len);
	uint32_t	number;

	if (find(t, text, hash, &number))
		return number;
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n] = (struct span){ (const uint8_t *)arena_strndup(&t->arena,
	    (const char *)text.p, text.len), text.len };
	hashtable_add(&t->table, hash, (uint32_t)t->n);
	return (uint32_t)t->n++;
}

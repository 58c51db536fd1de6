/*
 * Distinct values by key.
 *
 *	v	{ hash of "abc", key 0, field 0 } { hash of "abc", key 7, field 0 } ...
 *	table	hash of all three -> index of v
 *
 * Invariant: each value is there once, and there are never more than the limit. Values are compared
 * by a 64-bit hash, whose keys the writer of a file does not know.
 */
#include "engine/pass/distinct.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
distinct_release(struct distinct *d)
{
	mem_free(d->v);
	hashtable_release(&d->table);
}

enum distinct_is
distinct_add(struct distinct *d, struct distinct_value v)
{
	uint64_t	hash = hash_pair(v.hash, (uint64_t)v.key << 32 | v.field);

	HASHTABLE_EACH(&d->table, hash, i) {
		const struct distinct_value	*seen = &d->v[*i];

		if (seen->hash == v.hash && seen->key == v.key && seen->field == v.field)
			return DISTINCT_SEEN;
	}
	if (d->n == d->limit)
		return DISTINCT_BEYOND;
	d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n] = v;
	hashtable_add(&d->table, hash, (uint32_t)d->n++);
	return DISTINCT_NEW;
}

/*
 * The hash table of all that may grow with a file (small tables of entries that contain their keys:
 * base/uthash.h). It maps a hash to the indexes of the entries with that hash. The caller keeps the
 * entries and compares them; the table has no keys. A zeroed one is empty.
 *
 *	slot	[ tag, index ][ free ][ tag, index ] ...	at most half of them taken
 *	entry	[ ... ][ ... ]					the caller's, index counts them
 *
 *	HASHTABLE_EACH(t, hash, i)
 *		if (entry[*i] is what is looked for)
 *			return &entry[*i];
 *	hashtable_add(t, hash, n);
 *
 * Open addressing with linear probing. Invariant: no slot is free between the slot that a tag
 * selects and the one that it is in.
 */
#ifndef TNAV_BASE_HASHTABLE_H
#define TNAV_BASE_HASHTABLE_H

#include <stddef.h>
#include <stdint.h>

struct hashtable_slot {
	uint32_t	tag, index;		/* tag: 0 free, else bits of the hash */
};

struct hashtable {
	struct hashtable_slot	*slot;		/* NULL: nothing was added yet */
	size_t			 mask, n;
};

void	 hashtable_release(struct hashtable *t);
/* Empty again. Memory is kept if it is little, or not much and was in use. */
void	 hashtable_clear(struct hashtable *t);
/* Make room for n more, so that the slots do not grow while they are added. */
void	 hashtable_reserve(struct hashtable *t, size_t n);
/* Add an index under the hash, whether or not it has some already. */
void	 hashtable_add(struct hashtable *t, uint64_t hash, uint32_t index);
size_t	 hashtable_bytes(const struct hashtable *t);

static inline uint32_t
hashtable_tag(uint64_t hash)
{
	return (uint32_t)(hash >> 32) | 1;
}

/* Fetch the memory that hashtable_next() will look at first. */
static inline void
hashtable_fetch(const struct hashtable *t, uint64_t hash)
{
	if (t->slot != NULL)
		__builtin_prefetch(&t->slot[(hashtable_tag(hash) >> 1) & t->mask]);
}

/*
 * The next index with this hash, or, rarely, with another one: the caller compares. NULL: no more.
 * *at is 0 at first, then the number of slots that were checked. The index may be changed in place,
 * until the next add.
 */
static inline uint32_t *
hashtable_next(const struct hashtable *t, uint64_t hash, size_t *at)
{
	uint32_t	tag = hashtable_tag(hash);

	while (t->slot != NULL) {
		struct hashtable_slot	*s = &t->slot[((tag >> 1) + *at) & t->mask];

		++*at;
		if (s->tag == tag)
			return &s->index;
		if (s->tag == 0)
			break;
	}
	return NULL;
}

/* For each such index: *i. The outer loop, which runs once, has the variable of the inner one. */
#define HASHTABLE_EACH(t, hash, i)						\
	for (size_t at_##i = 0; at_##i != SIZE_MAX; at_##i = SIZE_MAX)		\
		for (uint32_t *i; (i = hashtable_next((t), (hash), &at_##i)) != NULL; )

#endif

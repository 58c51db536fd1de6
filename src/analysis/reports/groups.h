/*
 * Entries by a key of two numbers: by lock, by type and thread, by method and thread.
 *
 *	struct sum *s = groups_get(g, lock, 0);		made and cleared where it is new
 *
 *	for (size_t i = 0; i < groups_n(g); i++)
 *		groups_at(g, i) ... groups_key(g, i)	in the order in which they came
 */
#ifndef ANALYSIS_REPORTS_GROUPS_H
#define ANALYSIS_REPORTS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct groups;

struct group_key {
	uint64_t	a, b;
};

/* At most `most` entries of `size` bytes. */
struct groups	*groups_new(size_t size, size_t most);
void		 groups_free(struct groups *g);		/* NULL is fine */
/* The entry of this key, added and zeroed if it is new. It stays in place until the next one is
   added. NULL: there are too many. */
void		*groups_get(struct groups *g, uint64_t a, uint64_t b);
/*
 * The same; but if there are too many, entries that are not live are dropped first, which changes
 * the numbers of the others. This happens rarely enough to cost little.
 */
void		*groups_get_live(struct groups *g, uint64_t a, uint64_t b,
		    bool (*live)(const void *entry));
/* The entry of this key, or NULL if there is none. */
void		*groups_find(const struct groups *g, uint64_t a, uint64_t b);
size_t		 groups_n(const struct groups *g);
void		*groups_at(const struct groups *g, size_t i);
size_t		 groups_number(const struct groups *g, const void *entry);
struct group_key groups_key(const struct groups *g, size_t i);
/* How often an entry could not be added. */
uint64_t	 groups_beyond(const struct groups *g);
/*
 * The numbers of all entries, sorted by cmp (as in qsort, with pointers to entries), then by key.
 * Free it with mem_free().
 */
uint32_t	*groups_order(const struct groups *g, int (*cmp)(const void *, const void *));

#endif

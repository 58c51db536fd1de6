/*
 * Blocks of numbered lists (stacks or label lists), and the search for the block of a number.
 *
 * A block has the numbers first .. first + count - 1. If several blocks have a number, the last one
 * before the event that uses the number counts. So a file may use a number again and again, and
 * blocks may overlap in any way.
 */
#ifndef ENGINE_INDEX_LISTS_H
#define ENGINE_INDEX_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/segvec.h"

#define LIST_STEP	64u	/* the place of a list is kept every so many lists, */
#define LIST_BYTES	4096u	/* ... or bytes */
#define LIST_LEVELS	7u	/* levels of maps: the highest have 16^7 blocks */

struct list_place {
	uint32_t	index, at;	/* index in its block, offset in its body */
};

struct list_block {
	uint32_t		 first, count;
	uint64_t		 off, len;	/* of its body */
	_Atomic(struct list_place *) places;	/* NULL until needed; [0].index: how many follow */
	uint64_t		 rise0;		/* from it on numbers rise without overlap */
};

struct lists {
	struct segvec		 block;		/* in file order */
	struct segvec		 map[LIST_LEVELS];
	size_t			 map_bytes;
	_Atomic uint64_t	 place_bytes;
	_Atomic uint64_t	 looked;	/* steps of searches for a single event */
	_Atomic uint64_t	 walked;	/* lists that were read to make places */
};

/* Move a walk, see format_ops.stack, to the list with this index in a body. */
typedef void (*list_walk_fn)(void *arg, uint32_t index, uint64_t walk[2]);

void	lists_release(struct lists *l);
/*
 * Add a block after all others. Its numbers fit in 32 bits; blocks before number from belong to
 * earlier regions. False: it is empty and is not added.
 */
bool	lists_add(struct lists *l, uint64_t from, uint32_t first, uint32_t count, uint64_t off,
	    uint64_t len);
/*
 * Searches go through the n blocks from number from on. They may run while blocks are added after
 * these, by any thread that learned of these n under the lock of the thread that adds. A returned
 * block does not move.
 *
 * The newest block that has the number and whose body begins before off, or NULL. The steps grow
 * with the logarithm of n, and are added to *looked.
 */
struct list_block *lists_find(const struct lists *l, uint64_t from, uint64_t n, uint64_t off,
	    uint32_t number, uint64_t *looked);
/* Do the numbers of these blocks rise without overlap? Then a number is in one block only. */
bool	lists_rise(const struct lists *l, uint64_t from, uint64_t n);
/* The newest block whose body begins before off, or NULL. */
const struct list_block *lists_newest(const struct lists *l, uint64_t from, uint64_t n,
	    uint64_t off);
/*
 * The range (*after, *to] of offsets around off from which lists_find() finds the same list for
 * each number.
 */
void	lists_scope(const struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint64_t *after,
	    uint64_t *to);
/*
 * Set walk to a place before the list with this index, less than LIST_STEP lists away, and less
 * than LIST_BYTES apart from the first of these lists, if fn can read so far. The first call for a
 * block walks through all of it. Any thread.
 */
void	lists_walk(struct lists *l, struct list_block *b, uint32_t index, list_walk_fn fn,
	    void *arg, uint64_t walk[2]);
size_t	lists_bytes(const struct lists *l);

#endif

/*
 * Blocks of numbered lists - of stacks, or of label lists - and which of them has a number.
 *
 * A block has the numbers first .. first + count - 1. Of several blocks with a number the newest
 * counts that lies before what names it: so a file may give a number again and again, and
 * blocks may overlap in any way.
 */
#ifndef ENGINE_INDEX_LISTS_H
#define ENGINE_INDEX_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/segvec.h"

#define LIST_STEP	64u	/* a list's place is remembered each so many lists, */
#define LIST_BYTES	4096u	/* ... or bytes */
#define LIST_LEVELS	7u	/* of maps: the highest are of 16^7 blocks */

struct list_place {
	uint32_t	index, at;	/* number in its block, bytes from the body's begin */
};

struct list_block {
	uint32_t		 first, count;
	uint64_t		 off, len;	/* of its body */
	_Atomic(struct list_place *) places;	/* once needed; the first one's index counts them */
};

struct lists {
	struct segvec		 block;		/* in file order */
	struct segvec		 map[LIST_LEVELS];
	size_t			 map_bytes;
	_Atomic uint64_t	 place_bytes;
	_Atomic uint64_t	 looked;	/* at blocks and pieces of maps, by lists_find() */
	_Atomic uint64_t	 walked;	/* lists that were stepped over to make places */
};

/* Step a walk, see format_ops.stack, to list number index of a body. */
typedef void (*list_walk_fn)(void *arg, uint32_t index, uint64_t walk[2]);

void	lists_init(struct lists *l);
void	lists_release(struct lists *l);
/*
 * One more block, of numbers that fit 32 bits, after all others; the lists before block number
 * from are of other regions. False: it is empty, and is not added.
 */
bool	lists_add(struct lists *l, uint64_t from, uint32_t first, uint32_t count, uint64_t off,
	    uint64_t len);
/*
 * Of the n blocks from number from on, the newest with the number whose body begins before
 * off. NULL: none has it. Takes a number of steps that grows with the logarithm of n. Not at the
 * same time as lists_add(); what it gives stays where it is.
 */
struct list_block *lists_find(struct lists *l, uint64_t from, uint64_t n, uint64_t off,
	    uint32_t number);
/*
 * The place of off among the blocks that lists_find() would look at: wherever (*after, *to] a name
 * lies, a number means the same list. Like lists_find().
 */
void	lists_scope(const struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint64_t *after,
	    uint64_t *to);
/*
 * A walk that stands less than LIST_STEP lists and less than LIST_BYTES, but for the list it stands
 * at, before list number index of the block, if fn can come so far. All of the block is walked
 * through once, by whoever comes first. Any thread.
 */
void	lists_walk(struct lists *l, struct list_block *b, uint32_t index, list_walk_fn fn,
	    void *arg, uint64_t walk[2]);
size_t	lists_bytes(const struct lists *l);

#endif

/*
 * Blocks of megabytes: see base/large.h for the picture.
 *
 *	place	| 0 | head of a block | 0 | head of a block | ...	few, so a search is short
 *
 * Any thread may take a place or look through all of them; a block's own place belongs to its
 * owner. A block that moves needs room twice for a moment: where memory is limited, there are no
 * blocks.
 *
 * Invariant: a place has the head of a block while the block's memory is there, and never one that
 * other memory may have got.
 */
#include "base/large.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define HEAD		64u	/* so that the block is aligned for anything */
#define PLACES		256u
#define MOVING		1u	/* no head */

struct head {
	size_t	mapped;
};

static _Atomic(uintptr_t)	place[PLACES];

/* The place that has this; PLACES: none. */
static unsigned
place_of(uintptr_t head)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (atomic_load_explicit(&place[i], memory_order_relaxed) == head)
			return i;
	return PLACES;
}

static bool
place_take(uintptr_t head)
{
	for (unsigned i = 0; i < PLACES; i++) {
		uintptr_t	none = 0;

		if (atomic_compare_exchange_strong(&place[i], &none, head))
			return true;
	}
	return false;
}

bool
large_is(const void *p)
{
	uintptr_t	at = (uintptr_t)p;

	return (at & (LARGE_PAGE - 1)) == HEAD && place_of(at - HEAD) < PLACES;
}

/* The pages of a block; 0: there are no such blocks. */
static size_t
size_of(size_t len)
{
	if (len > SIZE_MAX / 2)
		return 0;
	return (len + HEAD + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

/* New memory from a multiple of LARGE_PAGE on; NULL: none. */
static char *
map_aligned(size_t size)
{
	char	*p = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t	 before;

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p & (LARGE_PAGE - 1);
	if (before > 0)
		munmap(p, before);
	munmap(p + before + size, LARGE_PAGE - before);
	return p + before;
}

/* Move the memory to where it has this size; NULL: none. */
static char *
move(char *old, size_t mapped, size_t size)
{
	char	*to = map_aligned(size);

	/* What lies there is unmapped first, also if this fails. */
	if (to == NULL ||
	    mremap(old, mapped, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
		return NULL;
	return to;
}

static void *
begin(char *at, size_t size)
{
	(void)madvise(at, size, MADV_HUGEPAGE);
	((struct head *)(void *)at)->mapped = size;
	return at + HEAD;
}

bool
large_allowed(void)
{
	struct rlimit	addresses, data;

	return getrlimit(RLIMIT_AS, &addresses) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
	    addresses.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY;
}

void *
large_alloc(size_t len)
{
	size_t	 size = large_allowed() ? size_of(len) : 0;
	char	*at = size > 0 ? map_aligned(size) : NULL;

	if (at == NULL)
		return NULL;
	if (!place_take((uintptr_t)at)) {
		munmap(at, size);
		return NULL;
	}
	return begin(at, size);
}

void *
large_resize(void *p, size_t len)
{
	char		*old = (char *)p - HEAD, *at = old;
	size_t		 size = size_of(len), mapped = ((struct head *)(void *)old)->mapped;
	unsigned	 i = place_of((uintptr_t)old);

	if (size == mapped)
		return p;
	if (size == 0)
		return NULL;
	atomic_store(&place[i], MOVING);
	if (mremap(old, mapped, size, 0) == MAP_FAILED)
		at = move(old, mapped, size);
	atomic_store(&place[i], (uintptr_t)(at != NULL ? at : old));
	return at == NULL ? NULL : begin(at, size);
}

void
large_free(void *p)
{
	char	*at = (char *)p - HEAD;

	atomic_store(&place[place_of((uintptr_t)at)], 0);
	munmap(at, ((struct head *)(void *)at)->mapped);
}

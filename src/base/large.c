/*
 * Blocks of megabytes: see base/large.h for the picture.
 *
 * Where addresses are limited, a block lies anywhere, and its pages may be small.
 *
 * Invariant: a block's head starts on a page, and has 16 random bytes that the system made for this
 * process. So a pointer tells whether it is a block's: any other one at this distance from a page's
 * start has no head before it.
 */
#include "base/large.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define SECRET	16u
#define HEAD	64u		/* so that the block is aligned for anything */
#define PAGE_LEAST	4096u	/* bytes of a page: as many, or a multiple */

struct head {
	uint8_t	secret[SECRET];
	size_t	mapped;
};

_Static_assert(sizeof(struct head) <= HEAD, "a head has its room");

static const void *
secret(void)
{
	return (const void *)getauxval(AT_RANDOM);
}

bool
large_is(const void *p)
{
	const char	*head = (const char *)p - HEAD;

	return ((uintptr_t)p & (PAGE_LEAST - 1)) == HEAD && secret() != NULL &&
	    memcmp(head, secret(), SECRET) == 0;
}

/* The pages of a block; 0: there are no such blocks. */
static size_t
size_of(size_t len)
{
	if (len > SIZE_MAX / 2 || secret() == NULL)
		return 0;
	return (len + HEAD + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

static char *
map(size_t size)
{
	char	*p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* New memory from a multiple of LARGE_PAGE on; NULL: not enough addresses are left. */
static char *
map_aligned(size_t size)
{
	char	*p = map(size + LARGE_PAGE);
	size_t	 before;

	if (p == NULL)
		return NULL;
	before = -(uintptr_t)p & (LARGE_PAGE - 1);
	if (before > 0)
		munmap(p, before);
	munmap(p + before + size, LARGE_PAGE - before);
	return p + before;
}

/* Move the memory to where it has this size; NULL: not enough addresses are left. */
static char *
move(char *old, size_t mapped, size_t size)
{
	char	*to = map_aligned(size), *p = MAP_FAILED;

	if (to != NULL)		/* it is unmapped first, also if this fails */
		p = mremap(old, mapped, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	if (p == MAP_FAILED)
		p = mremap(old, mapped, size, MREMAP_MAYMOVE);
	return p == MAP_FAILED ? NULL : p;
}

static void *
begin(char *at, size_t size)
{
	struct head	*h = (struct head *)(void *)at;

	(void)madvise(at, size, MADV_HUGEPAGE);
	memcpy(h->secret, secret(), SECRET);
	h->mapped = size;
	return at + HEAD;
}

void *
large_alloc(size_t len)
{
	size_t	 size = size_of(len);
	char	*at = size > 0 ? map_aligned(size) : NULL;

	if (at == NULL && size > 0)
		at = map(size);
	return at == NULL ? NULL : begin(at, size);
}

void *
large_resize(void *p, size_t len)
{
	char	*old = (char *)p - HEAD, *at = old;
	size_t	 size = size_of(len), mapped = ((struct head *)(void *)old)->mapped;

	if (size == mapped)
		return p;
	if (size == 0)
		return NULL;
	if (mremap(old, mapped, size, 0) == MAP_FAILED)
		at = move(old, mapped, size);
	return at == NULL ? NULL : begin(at, size);
}

void
large_free(void *p)
{
	char	*at = (char *)p - HEAD;

	munmap(at, ((struct head *)(void *)at)->mapped);
}

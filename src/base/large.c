/*
 * Blocks of megabytes: see base/large.h for the picture.
 *
 * Invariant: a block's head starts on a multiple of LARGE_PAGE, and has 16 random bytes that the
 * system made for this process. So a pointer tells whether it is a block's: any other one at this
 * distance from such a multiple has no head before it.
 */
#include "base/large.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define SECRET	16u
#define HEAD	64u		/* so that the block is aligned for anything */

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

	return ((uintptr_t)p & (LARGE_PAGE - 1)) == HEAD && secret() != NULL &&
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

/* Addresses that nothing uses, from a multiple of LARGE_PAGE on. */
static char *
addresses(size_t size)
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
	char	*at = size > 0 ? addresses(size) : NULL;

	return at == NULL ? NULL : begin(at, size);
}

void *
large_resize(void *p, size_t len)
{
	char		*old = (char *)p - HEAD, *at;
	struct head	*h = (struct head *)(void *)old;
	size_t		 size = size_of(len);

	if (size == h->mapped)
		return p;
	if (size == 0)
		return NULL;
	if (mremap(old, h->mapped, size, 0) != MAP_FAILED)
		return begin(old, size);
	at = addresses(size);
	if (at == NULL)
		return NULL;
	if (mremap(old, h->mapped, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
		munmap(at, size);
		return NULL;
	}
	return begin(at, size);
}

void
large_free(void *p)
{
	char	*at = (char *)p - HEAD;

	munmap(at, ((struct head *)(void *)at)->mapped);
}

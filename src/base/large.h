/*
 * Blocks of megabytes, on pages of 2 MB where the system has them: for mem.h alone.
 *
 *	| head | the block's bytes ... | unused |
 *	^ a multiple of LARGE_PAGE
 *
 * A table of 50 MB is read at random. With pages of 4 KB nearly every read also looks its page up,
 * and 12,000 faults come before it is filled. A block that grows moves with its pages, so nothing
 * is copied. For what is used from end to end: where one byte is written, 2 MB are taken.
 */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LARGE_PAGE	((size_t)2 << 20)

/* The least length of such a block. A sanitizer watches over blocks of malloc() alone. */
#if defined(__SANITIZE_ADDRESS__)
#define LARGE_LEAST	SIZE_MAX
#else
#define LARGE_LEAST	((size_t)1 << 20)
#endif

bool	 large_allowed(void);			/* the process has no limit of memory */
bool	 large_is(const void *p);		/* p: of large_alloc(), or of malloc() */
void	*large_alloc(size_t len);		/* cleared; NULL: none */
void	*large_resize(void *p, size_t len);	/* NULL: no memory, p is kept */
void	 large_free(void *p);

#endif

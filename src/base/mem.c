/*
 * The only place that allocates memory. Sizes never come from a file, so a failure means that the
 * machine has no memory left: the terminal is restored and the program ends.
 */
#include "tnav/base/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/large.h"

#define EXIT_EXHAUSTED	4
#define PAGED_LEAST	(1 << 20)	/* pieces of malloc() that have pages of their own */
#define PAD		(4 << 20)	/* that a heap grows by at least */

/*
 * The hook may be set while another thread ends the program. The thread that ends it sets ending
 * and then reads the hook; the thread that sets the hook reads ending afterwards. So either the new
 * hook is called, or the thread that set it sees ending and waits.
 */
static _Atomic(mem_hook)	exhausted_hook;
static atomic_bool		ending;

/*
 * By default glibc raises its mmap threshold whenever a large block is freed. Then large blocks
 * come from the heaps of the threads, each of which keeps what was freed: the memory of several
 * views per thread. Setting the threshold keeps it fixed. A heap grows in steps that are worth a
 * call.
 */
void
mem_init(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, PAGED_LEAST);
	if (large_allowed())
		(void)mallopt(M_TOP_PAD, PAD);
#endif
}

/* Another thread is ending the program: wait for it. */
static _Noreturn void
wait_for_end(void)
{
	for (;;)
		(void)pause();
}

_Noreturn void
mem_end(void)
{
	static const char	text[] = "tnav: out of memory\n";
	ssize_t			n = write(STDERR_FILENO, text, sizeof text - 1);

	(void)n;
	_exit(EXIT_EXHAUSTED);
}

_Noreturn void
mem_exhausted(void)
{
	mem_hook	hook;

	if (atomic_exchange(&ending, true))
		wait_for_end();
	hook = atomic_load(&exhausted_hook);
	if (hook != NULL)
		hook();
	mem_end();
}

void
mem_on_exhausted(mem_hook hook)
{
	atomic_store(&exhausted_hook, hook);
	if (atomic_load(&ending))
		wait_for_end();
}

void *
mem_alloc(size_t len)
{
	void	*p = malloc(len ? len : 1);

	if (p == NULL)
		mem_exhausted();
	return p;
}

void *
mem_zalloc(size_t n, size_t size)
{
	void	*p = n && size ? calloc(n, size) : calloc(1, 1);

	if (p == NULL)
		mem_exhausted();
	return p;
}

/* On large pages if it is large: all of it is used. */
static void *
alloc_for_all(size_t len)
{
	void	*p = len >= LARGE_LEAST ? large_alloc(len) : NULL;

	return p != NULL ? p : mem_alloc(len);
}

/* Not memset(): the compiler would make one calloc() of it and malloc(). */
void *
mem_cleared(size_t len)
{
	void	*p = alloc_for_all(len);

	explicit_bzero(p, len);
	return p;
}

void *
mem_realloc(void *p, size_t n, size_t size)
{
	size_t	len;

	if (__builtin_mul_overflow(n, size, &len))
		mem_exhausted();
	if (p != NULL && large_is(p))
		p = large_resize(p, len);
	else
		p = realloc(p, len ? len : 1);
	if (p == NULL)
		mem_exhausted();
	return p;
}

char *
mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

char *
mem_strndup(const char *s, size_t len)
{
	char	*p;

	if (len == SIZE_MAX)
		mem_exhausted();
	p = mem_alloc(len + 1);
	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

void
mem_free(void *p)
{
	if (p != NULL && large_is(p))
		large_free(p);
	else
		free(p);
}

/* An array that becomes large is copied once. */
static void *
become_large(void *p, size_t from, size_t n, size_t size)
{
	size_t	 len;
	void	*large;

	if (__builtin_mul_overflow(n, size, &len))
		mem_exhausted();
	large = alloc_for_all(len);
	if (from > 0)
		memcpy(large, p, from);
	mem_free(p);
	return large;
}

void *
mem_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t	n;

	if (need <= *cap)
		return p;
	/* Grow by half, unless that overflows or is not enough. */
	if (__builtin_add_overflow(*cap, *cap / 2, &n) || n < need)
		n = need;
	if (n < 8 && size <= 64)
		n = 8;
	if (n >= LARGE_LEAST / size && *cap < LARGE_LEAST / size)
		p = become_large(p, *cap * size, n, size);
	else
		p = mem_realloc(p, n, size);
	*cap = n;
	return p;
}

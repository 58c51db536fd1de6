/*
 * The program with a heap that refuses: linked with this, every allocation in the process is
 * counted, those of libraries too, and from a number on (or at that number alone) there is none.
 *
 *	TNAV_NOMEM_AT=N		the N-th allocation gets nothing, nor do those after it
 *	TNAV_NOMEM_ONCE=1	... only that one gets nothing
 *	TNAV_NOMEM_COUNT=FILE	the count so far stands in the first 8 bytes of FILE
 *
 * Invariant: what was allocated before the real heap is found comes from a block of our own and is
 * never given back.
 */
#include <sys/mman.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EARLY_BYTES	65536u

static struct {
	void		*(*malloc)(size_t);
	void		*(*calloc)(size_t, size_t);
	void		*(*realloc)(void *, size_t);
	void		 (*free)(void *);
} heap;

static _Alignas(16) uint8_t	 early[EARLY_BYTES];
static size_t			 early_used;
static bool			 finding;
static _Atomic uint64_t		 own_count, *count = &own_count;
static uint64_t			 fail_at = UINT64_MAX;
static bool			 once;

static uint64_t
number_of(const char *name)
{
	const char	*s = getenv(name);
	uint64_t	 n = 0;

	for (; s != NULL && *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	return n;
}

static void
share_count(const char *path)
{
	int	 fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void	*p;

	if (fd < 0)
		return;
	p = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED)
		count = p;
	close(fd);
}

static bool
is_early(const void *p)
{
	return (const uint8_t *)p >= early && (const uint8_t *)p < early + EARLY_BYTES;
}

/* Bytes from p to the end of the early block, of which the piece at p is the first. */
static size_t
early_end(const void *p)
{
	return (size_t)(early + early_used - (const uint8_t *)p);
}

static void *
early_alloc(size_t len)
{
	void	*p = early + early_used;

	len = (len + 15) & ~(size_t)15;
	if (len > EARLY_BYTES - early_used)
		abort();
	early_used += len;
	return p;
}

static void
find_heap(void)
{
	finding = true;
	*(void **)&heap.calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&heap.realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&heap.free = dlsym(RTLD_NEXT, "free");
	*(void **)&heap.malloc = dlsym(RTLD_NEXT, "malloc");
	finding = false;
	once = number_of("TNAV_NOMEM_ONCE") != 0;
	if (getenv("TNAV_NOMEM_AT") != NULL)
		fail_at = number_of("TNAV_NOMEM_AT");
	share_count(getenv("TNAV_NOMEM_COUNT"));
}

static bool
refused(void)
{
	uint64_t	n;

	if (heap.malloc == NULL && !finding)
		find_heap();
	if (finding)
		return false;
	n = atomic_fetch_add(count, 1);
	if (once ? n == fail_at : n >= fail_at) {
		errno = ENOMEM;
		return true;
	}
	return false;
}

void *
malloc(size_t len)
{
	if (refused())
		return NULL;
	return finding ? early_alloc(len) : heap.malloc(len);
}

void *
calloc(size_t n, size_t size)
{
	if (refused())
		return NULL;
	return finding ? early_alloc(n * size) : heap.calloc(n, size);	/* early is zero */
}

void *
realloc(void *p, size_t len)
{
	void	*q;

	if (p == NULL)
		return malloc(len);
	if (refused())
		return NULL;
	if (!is_early(p))
		return heap.realloc(p, len);
	q = heap.malloc(len);
	if (q != NULL)
		memcpy(q, p, len < early_end(p) ? len : early_end(p));
	return q;
}

void
free(void *p)
{
	if (!is_early(p) && heap.free != NULL)
		heap.free(p);
}

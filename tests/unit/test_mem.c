/*
 * Memory: what mem_cleared() returns is zero, and in memory already.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../support/test.h"
#include "tnav/base/mem.h"

#define LEN	((size_t)8 << 20)

/* The pages of [p, p + len) that are in memory, and all of them. */
static size_t
pages_in_memory(const unsigned char *p, size_t len, size_t *all)
{
	size_t		 page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
	uintptr_t	 from = ((uintptr_t)p + page - 1) / page * page;
	unsigned char	*in;

	*all = ((uintptr_t)p + len - from) / page;
	in = mem_alloc(*all);
	assert_int_equal(mincore((void *)from, *all * page, in), 0);
	for (size_t i = 0; i < *all; i++)
		n += in[i] & 1;
	mem_free(in);
	return n;
}

/*
 * Reading a page of calloc() before it is written makes two faults of one, and the second one
 * interrupts the other processors.
 */
TEST(cleared_memory_has_been_written)
{
	unsigned char	*p = mem_cleared(LEN);
	size_t		 all, n = pages_in_memory(p, LEN, &all);

	assert_true(all >= LEN / 65536 - 1);
	assert_int_equal(n, all);
	for (size_t i = 0; i < LEN; i++)
		assert_true(p[i] == 0);
	mem_free(p);
}

TEST(no_bytes_are_memory_too)
{
	size_t	cap = 0;
	void	*p = mem_cleared(0), *q = mem_zalloc(0, 8), *r = mem_grow(NULL, &cap, 1, 1);

	assert_non_null(p);
	assert_non_null(q);
	assert_non_null(r);
	mem_free(p);
	mem_free(q);
	mem_free(r);
}

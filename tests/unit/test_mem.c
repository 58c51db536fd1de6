/*
 * Memory: what mem_cleared() returns is zero, and in memory already.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../support/test.h"
#include "base/large.h"
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

/* Numbers from 0 on, in an array that becomes large, moves, and becomes small again. */
TEST(an_array_keeps_its_elements_when_it_becomes_large)
{
	size_t		 cap = 0, n = 5 * LARGE_PAGE / sizeof(uint32_t);
	uint32_t	*v = NULL;
	void		*wall = NULL;

	for (size_t i = 0; i < n; i++) {
		v = mem_grow(v, &cap, i + 1, sizeof *v);
		v[i] = (uint32_t)i;
		if (wall == NULL && large_is(v))	/* so that it can't grow in place */
			wall = mmap((char *)v + LARGE_PAGE, 4096, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	v = mem_realloc(v, n / 2, sizeof *v);
	for (size_t i = 0; i < n / 2; i++)
		assert_int_equal(v[i], i);
	v = mem_realloc(v, 8, sizeof *v);
	assert_int_equal(v[7], 7);
	mem_free(v);
	if (wall != NULL)
		munmap(wall, 4096);
}

TEST(a_block_is_known_by_its_head)
{
	char	*block = large_alloc(10), *room = large_alloc(4 * LARGE_PAGE);
	size_t	 head = (uintptr_t)block & (LARGE_PAGE - 1);

	assert_true(large_is(block));
	assert_true(large_is(room));
	assert_false(large_is(room + LARGE_PAGE));	/* as far into a page, without a head */
	assert_false(large_is(room + head));
	assert_true(head > 0);
	assert_null(large_alloc(SIZE_MAX));
	assert_null(large_resize(block, SIZE_MAX - LARGE_PAGE));
	block[9] = 'x';
	block = large_resize(block, 3 * LARGE_PAGE);
	assert_int_equal(block[9], 'x');
	assert_int_equal(block[3 * LARGE_PAGE - 1], 0);
	large_free(block);
	large_free(room);
	assert_false(large_is(block));
}

/* Beyond those that can be told apart blocks come from malloc(). */
TEST(there_may_be_many_blocks)
{
	unsigned char	*block[300];
	unsigned	 large = 0;

	for (size_t i = 0; i < 300; i++) {
		block[i] = mem_cleared(LARGE_PAGE / 2 + i + 1);
		block[i][LARGE_PAGE / 2] = (unsigned char)i;
		large += large_is(block[i]);
	}
	assert_true(large < 300);
	for (size_t i = 0; i < 300; i++) {
		assert_int_equal(block[i][LARGE_PAGE / 2], (unsigned char)i);
		mem_free(block[i]);
	}
}

/*
 * Arena: its memory is cleared, aligned, does not overlap, and is freed at once.
 */
#include <stdalign.h>

#include "../support/test.h"
#include "tnav/base/arena.h"

#define N	3000u

/* Sizes are small and odd, and sometimes large enough for a chunk of their own. */
static size_t
size_of(unsigned i)
{
	return i % 97 == 0 ? 400000 : i % 31 == 0 ? 5000 : i % 200;
}

TEST(pieces_are_cleared_aligned_and_do_not_overlap)
{
	static unsigned char	*seen[N];
	struct arena		 a = { 0 };

	for (unsigned i = 0; i < N; i++) {
		size_t	len = size_of(i);

		seen[i] = arena_alloc(&a, len);
		assert_non_null(seen[i]);
		assert_int_equal((uintptr_t)seen[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < len; k++)
			assert_true(seen[i][k] == 0);
		memset(seen[i], (int)(i % 255 + 1), len);
	}
	for (unsigned i = 0; i < N; i++)
		for (size_t k = 0; k < size_of(i); k++)
			assert_true(seen[i][k] == i % 255 + 1);
	arena_release(&a);
	assert_int_equal(a.total, 0);
}

TEST(a_large_piece_does_not_waste_the_room_of_the_newest_chunk)
{
	struct arena	a = { 0 };
	char		*p, *q;

	p = arena_alloc(&a, 16);
	arena_alloc(&a, 100000);
	q = arena_alloc(&a, 16);
	assert_ptr_equal(q, p + 16);
	assert_true(a.total < 100000 + 10000);
	arena_release(&a);
}

TEST(a_large_first_piece_is_followed_by_others)
{
	struct arena	a = { 0 };
	char		*p, *q;

	p = arena_alloc(&a, 5000000);
	q = arena_alloc(&a, 1);
	memset(p, 1, 5000000);
	assert_int_equal(*q, 0);
	arena_release(&a);
}

TEST(strndup_copies_bytes_and_ends_them)
{
	struct arena	a = { 0 };
	char		*s;

	s = arena_strndup(&a, "abcdef", 3);
	assert_string_equal(s, "abc");
	s = arena_strndup(&a, "a\0b", 3);
	assert_memory_equal(s, "a\0b", 4);
	s = arena_strndup(&a, NULL, 0);
	assert_string_equal(s, "");
	arena_release(&a);
	s = arena_strndup(&a, "again", 5);
	assert_string_equal(s, "again");
	arena_release(&a);
}

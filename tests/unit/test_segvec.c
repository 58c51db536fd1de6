/*
 * Segmented vector: elements stay where they are.
 */
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/base/segvec.h"

#define MANY	10000u

struct element {
	uint64_t	a, b, c;	/* 24 bytes: no power of two */
};

TEST(elements_never_move_and_keep_their_values)
{
	struct segvec	 v = { 0 };
	struct element	**seen = mem_zalloc(MANY, sizeof *seen);

	for (uint64_t i = 0; i < MANY; i++) {
		seen[i] = segvec_add(&v, sizeof *seen[i]);
		assert_true(seen[i]->a == 0 && seen[i]->b == 0 && seen[i]->c == 0);
		*seen[i] = (struct element){ i, ~i, i * i };
		assert_int_equal(v.n, i + 1);
	}
	for (uint64_t i = 0; i < MANY; i++) {
		struct element	*e = segvec_at(&v, i);

		assert_ptr_equal(e, seen[i]);
		assert_true(e->a == i && e->b == ~i && e->c == i * i);
	}
	mem_free(seen);
	segvec_release(&v);
}

TEST(elements_of_a_segment_lie_side_by_side)
{
	static const uint64_t	first[] = { 0, 64, 192, 448 };
	struct segvec		 v = { 0 };

	for (unsigned i = 0; i < 1000; i++)
		segvec_add(&v, sizeof(struct element));
	for (unsigned k = 0; k + 1 < 4; k++) {
		struct element	*e = segvec_at(&v, first[k]);

		for (uint64_t i = first[k]; i < first[k + 1]; i++)
			assert_ptr_equal(segvec_at(&v, i), e + (i - first[k]));
	}
	segvec_release(&v);
}

TEST(memory_is_at_most_twice_the_elements_and_a_first_segment)
{
	struct segvec	v = { 0 };

	assert_int_equal(segvec_bytes(&v), 0);
	for (uint64_t i = 1; i <= MANY; i++) {
		segvec_add(&v, 8);
		assert_true(segvec_bytes(&v) >= i * 8);
		assert_true(segvec_bytes(&v) <= 2 * i * 8 + SEGVEC_FIRST * 8);
	}
	segvec_release(&v);
}

TEST(a_released_vector_is_empty_and_usable)
{
	struct segvec	v = { 0 };
	uint64_t	*p;

	p = segvec_add(&v, sizeof *p);
	*p = 7;
	segvec_release(&v);
	assert_int_equal(v.n, 0);
	assert_int_equal(segvec_bytes(&v), 0);
	p = segvec_add(&v, sizeof *p);
	assert_int_equal(*p, 0);
	segvec_release(&v);
}

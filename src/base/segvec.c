/*
 * Segmented vector: segment k holds SEGVEC_FIRST << k elements.
 *
 *   seg[0] 0..63   seg[1] 64..191   seg[2] 192..447   ...
 *
 * With j = i + SEGVEC_FIRST, the highest bit of j gives the segment, and the bits below it the
 * index in the segment. Invariant: a segment never moves and is not freed before the release.
 */
#include "tnav/base/segvec.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/mem.h"

#define FIRST_BIT	6u	/* log2 of SEGVEC_FIRST */

static_assert(SEGVEC_FIRST == 1u << FIRST_BIT, "the first segment is a power of two");

static unsigned
segvec_segment(uint64_t j)
{
	return 63u - (unsigned)__builtin_clzll(j) - FIRST_BIT;
}

void
segvec_release(struct segvec *v)
{
	for (unsigned k = 0; k < SEGVEC_SEGMENTS; k++)
		mem_free(v->seg[k]);
	*v = (struct segvec){ .n = 0 };
}

static void *
segvec_place(const struct segvec *v, uint64_t i)
{
	uint64_t	j = i + SEGVEC_FIRST;
	unsigned	k = segvec_segment(j);

	return (char *)v->seg[k] + (size_t)(j - ((uint64_t)SEGVEC_FIRST << k)) * v->size;
}

void *
segvec_add(struct segvec *v, size_t size)
{
	unsigned	k = segvec_segment(v->n + SEGVEC_FIRST);

	assert(k < SEGVEC_SEGMENTS && size > 0 && (v->size == 0 || v->size == size));
	if (v->size == 0)
		v->size = size;
	if (v->seg[k] == NULL)
		v->seg[k] = mem_zalloc((size_t)SEGVEC_FIRST << k, v->size);
	return segvec_place(v, v->n++);
}

void
segvec_cut(struct segvec *v, uint64_t n)
{
	assert(n <= v->n);
	for (; v->n > n; v->n--)
		memset(segvec_place(v, v->n - 1), 0, v->size);
}

void *
segvec_at(const struct segvec *v, uint64_t i)
{
	assert(i < v->n);
	return segvec_place(v, i);
}

void *
segvec_known(const struct segvec *v, uint64_t i)
{
	return segvec_place(v, i);
}

size_t
segvec_bytes(const struct segvec *v)
{
	size_t	n = 0;

	for (unsigned k = 0; k < SEGVEC_SEGMENTS && v->seg[k] != NULL; k++)
		n += ((size_t)SEGVEC_FIRST << k) * v->size;
	return n;
}

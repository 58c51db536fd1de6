/*
 * The greatest of many elements: a heap with the least of the kept ones at the top.
 *
 *	keep 3:  9 4 7 1 8  ->  [7 9 8]		1 was never kept, 4 was dropped for 8
 *
 * Sorted in place: the top is moved after the rest of the heap, so the least is last. The reverse
 * of that is a heap again.
 *
 * Invariant: no kept element is less than a dropped one.
 */
#include "tnav/base/greatest.h"

#include <string.h>

#include "tnav/base/mem.h"

void
greatest_init(struct greatest *g, size_t size, size_t most, greatest_order is_better)
{
	*g = (struct greatest){ .size = size, .most = most, .is_better = is_better };
}

void
greatest_release(struct greatest *g)
{
	mem_free(g->v);
	g->v = NULL;
	g->n = g->cap = 0;
}

static void *
at(const struct greatest *g, size_t i)
{
	return g->v + i * g->size;
}

const void *
greatest_at(const struct greatest *g, size_t i)
{
	return at(g, i);
}

static void
swap(const struct greatest *g, size_t a, size_t b)
{
	unsigned char	*x = at(g, a), *y = at(g, b), part[64];

	for (size_t left = g->size, n; left > 0; left -= n, x += n, y += n) {
		n = left < sizeof part ? left : sizeof part;
		memcpy(part, x, n);
		memcpy(x, y, n);
		memcpy(y, part, n);
	}
}

static void
sift_up(const struct greatest *g, size_t i)
{
	while (i > 0) {
		size_t	up = (i - 1) / 2;

		if (!g->is_better(at(g, up), at(g, i)))
			return;
		swap(g, up, i);
		i = up;
	}
}

/* Restore the heap of the first n elements, of which only the top may be out of place. */
static void
sift_down(const struct greatest *g, size_t n)
{
	size_t	i = 0;

	for (;;) {
		size_t	left = 2 * i + 1, worst = i;

		if (left < n && g->is_better(at(g, worst), at(g, left)))
			worst = left;
		if (left + 1 < n && g->is_better(at(g, worst), at(g, left + 1)))
			worst = left + 1;
		if (worst == i)
			return;
		swap(g, worst, i);
		i = worst;
	}
}

/* Make a heap of what is sorted. */
static void
make_heap(struct greatest *g)
{
	for (size_t i = 0; g->sorted && i < g->n / 2; i++)
		swap(g, i, g->n - 1 - i);
	g->sorted = false;
}

bool
greatest_wants(const struct greatest *g, const void *x)
{
	if (g->n < g->most)
		return true;
	return g->n > 0 && g->is_better(x, at(g, g->sorted ? g->n - 1 : 0));
}

void
greatest_keep(struct greatest *g, const void *x)
{
	if (!greatest_wants(g, x))
		return;
	make_heap(g);
	if (g->n == g->most) {
		memcpy(at(g, 0), x, g->size);
		sift_down(g, g->n);
		return;
	}
	g->v = mem_grow(g->v, &g->cap, g->n + 1, g->size);
	memcpy(at(g, g->n), x, g->size);
	sift_up(g, g->n++);
}

void
greatest_sort(struct greatest *g)
{
	for (size_t n = g->n; !g->sorted && n > 1; n--) {
		swap(g, 0, n - 1);
		sift_down(g, n - 1);
	}
	g->sorted = true;
}

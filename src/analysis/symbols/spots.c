/*
 * Innermost ranges: nested and overlapping ones are cut so that no two share an address.
 *
 *	given	|------ A ------|		the shortest range with an address names it
 *		    |- B -|  |--- C ---|
 *	cut	| A |  B  |A |    C  A..|	A is the longest: it gets what no other has
 *
 * A sweep from the left keeps the current ranges in a heap, the shortest on top. A range that has
 * ended is removed when it comes to the top.
 *
 * Invariant: n ranges make at most 2 n pieces, in n log n steps.
 */
#include "analysis/symbols/spots.h"

#include "tnav/base/array.h"
#include "tnav/base/heap.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct sweep {
	const struct spot	*v;
	uint32_t		*heap;
	size_t			 nheap;
	struct spots		*out;
	size_t			 cap;
};

SORT_ORDER(compare, struct spot, RISING(group) RISING(start) FALLING(last))

static bool
shorter(const struct sweep *w, uint32_t a, uint32_t b)
{
	uint64_t	x = w->v[a].last - w->v[a].start, y = w->v[b].last - w->v[b].start;

	return x != y ? x < y : a > b;
}

HEAP(spot, uint32_t, struct sweep, shorter(c, a, b))

static void
piece(struct sweep *w, const struct spot *s, uint64_t from, uint64_t to)
{
	struct spots	*out = w->out;
	struct spot	*last = out->n > 0 ? &out->v[out->n - 1] : NULL;

	if (last != NULL && last->group == s->group && last->name == s->name &&
	    last->last + 1 == from) {
		last->last = to;
		return;
	}
	ARRAY_ADD(out->v, out->n, w->cap, (struct spot){
	    .group = s->group, .name = s->name, .start = from, .last = to });
}

/* Emit pieces for [from, to]. */
static void
advance(struct sweep *w, uint64_t from, uint64_t to)
{
	while (w->nheap > 0) {
		const struct spot	*top = &w->v[w->heap[0]];

		if (top->last < from) {
			(void)spot_pop(w, w->heap, --w->nheap);
			continue;
		}
		if (top->last >= to) {
			piece(w, top, from, to);
			return;
		}
		piece(w, top, from, top->last);
		from = top->last + 1;
		(void)spot_pop(w, w->heap, --w->nheap);
	}
}

/* Of equal ranges, keep the one with the better name. */
static size_t
drop_same(struct spot *v, size_t n, spot_better_fn better, void *arg)
{
	size_t	kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].last < v[i].start)
			continue;
		if (kept == 0 || compare(&v[kept - 1], &v[i]) != 0)
			v[kept++] = v[i];
		else if (better(arg, v[i].name, v[kept - 1].name))
			v[kept - 1].name = v[i].name;
	}
	return kept;
}

void
spots_init(struct spots *s, struct spot *v, size_t n, spot_better_fn better, void *arg)
{
	struct sweep	w = { .v = v, .out = s };

	*s = (struct spots){ .n = 0 };
	if (n == 0)
		return;
	sort_array(v, n, sizeof *v, compare);
	n = drop_same(v, n, better, arg);
	w.heap = mem_alloc((n + 1) * sizeof *w.heap);
	for (size_t i = 0; i < n; i++) {
		bool	more = i + 1 < n && v[i + 1].group == v[i].group;

		spot_push(&w, w.heap, w.nheap++, (uint32_t)i);
		if (more && v[i + 1].start == v[i].start)
			continue;
		advance(&w, v[i].start, more ? v[i + 1].start - 1 : UINT64_MAX);
		if (!more)
			w.nheap = 0;
	}
	mem_free(w.heap);
}

void
spots_release(struct spots *s)
{
	mem_free(s->v);
	*s = (struct spots){ .n = 0 };
}

uint32_t
spots_find(const struct spots *s, uint32_t group, uint64_t addr)
{
	size_t	after = 0;

	BISECT(after, s->n, i,
	    s->v[i].group < group || (s->v[i].group == group && s->v[i].start <= addr));
	if (after == 0 || s->v[after - 1].group != group || s->v[after - 1].last < addr)
		return SPOT_NONE;
	return s->v[after - 1].name;
}

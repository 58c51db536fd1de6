/*
 * Dominators and retained sizes, by semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators
 * and Related Problems", 2005): near-linear, and without recursion, since a list is as deep as it
 * is long.
 *
 *	number	0 1 2 3 ...	objects in the order of a depth-first search from the root of all
 *	parent	- 0 1 1		the one that it was reached from, by number
 *	semi	- 0 0 1		least number that reaches it over greater ones only
 *	idom	- 0 0 1		nearest one above, in the tree, that is not below semi
 *
 * Only reachable objects have numbers; all arrays but `number` are by number.
 */
#include "analysis/heap/private.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

struct dominator_search {
	const struct heap	*h;
	uint32_t		*number;	/* by object; HEAP_NONE: not reachable */
	uint32_t		*object;	/* by number */
	uint32_t		*up;		/* parent, then ancestor in the forest */
	uint32_t		*semi, *label, *idom;
	uint32_t		*from;		/* numbers of predecessors, ... */
	uint32_t		*from_first;	/* ... by number */
	uint32_t		*path;		/* places in a search, or a stack */
	uint32_t		 n;		/* reachable objects, with the root of all */
};

static uint32_t *
numbers(uint64_t n)
{
	return mem_alloc((n + 2) * sizeof(uint32_t));
}

static void
search_release(struct dominator_search *s)
{
	uint32_t	*all[] = { s->number, s->object, s->up, s->semi, s->label, s->idom,
			    s->from, s->from_first, s->path };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		mem_free(all[i]);
}

/* Number the objects depth first. path[v] is the next reference of object v to follow. */
static bool
number_objects(struct dominator_search *s, struct heap_work *w)
{
	const struct heap	*h = s->h;
	uint32_t		 at = 0, v, to;

	memcpy(s->path, h->first, ((size_t)h->n + 1) * sizeof *s->path);
	memset(s->number, 0xff, ((size_t)h->n + 1) * sizeof *s->number);
	s->number[0] = s->object[0] = s->up[0] = 0;
	s->n = 1;
	for (;;) {
		v = s->object[at];
		if (s->path[v] == h->first[v + 1]) {
			if (at == 0)
				return true;
			at = s->up[at];
			continue;
		}
		to = h->to[s->path[v]++];
		if (s->number[to] != HEAP_NONE)
			continue;
		s->number[to] = s->n;
		s->object[s->n] = to;
		s->up[s->n] = at;
		at = s->n++;
		if (heap_work_step(w))
			return false;
	}
}

/* Collect the predecessors of each number: counts, then places, then the numbers. */
static bool
find_predecessors(struct dominator_search *s, struct heap_work *w)
{
	const struct heap	*h = s->h;
	uint64_t		 sum = 0;

	memset(s->from_first, 0, ((size_t)s->n + 2) * sizeof *s->from_first);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t e = h->first[s->object[i]]; e < h->first[s->object[i] + 1]; e++)
			s->from_first[s->number[h->to[e]] + 2]++;
	for (uint32_t i = 2; i < s->n + 2; i++) {
		sum += s->from_first[i];
		s->from_first[i] = (uint32_t)sum;
	}
	s->from = numbers(sum);
	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t e = h->first[s->object[i]]; e < h->first[s->object[i] + 1]; e++)
			s->from[s->from_first[s->number[h->to[e]] + 1]++] = i;
		if (heap_work_step(w))
			return false;
	}
	return true;
}

/* The number with the least semi on the way up from v, as far as the forest is linked: its numbers
   are greater than `last`. The way is shortened. */
static uint32_t
eval(struct dominator_search *s, uint32_t v, uint32_t last)
{
	uint32_t	depth = 0, above = v;

	if (s->up[v] <= last)
		return s->label[v];
	while (s->up[above] > last) {
		s->path[depth++] = above;
		above = s->up[above];
	}
	while (depth > 0) {
		uint32_t	x = s->path[--depth];

		if (s->semi[s->label[above]] < s->semi[s->label[x]])
			s->label[x] = s->label[above];
		s->up[x] = s->up[above];
		above = x;
	}
	return s->label[v];
}

static bool
find_semi(struct dominator_search *s, struct heap_work *w)
{
	for (uint32_t i = 0; i < s->n; i++) {
		s->idom[i] = s->up[i];
		s->semi[i] = s->label[i] = i;
	}
	for (uint32_t i = s->n - 1; i > 0; i--) {
		uint32_t	least = s->idom[i];

		for (uint32_t e = s->from_first[i]; e < s->from_first[i + 1]; e++) {
			uint32_t	x = s->semi[eval(s, s->from[e], i)];

			least = x < least ? x : least;
		}
		s->semi[i] = least;
		if (heap_work_step(w))
			return false;
	}
	return true;
}

static void
find_dominators(struct dominator_search *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		while (s->idom[i] > s->semi[i])
			s->idom[i] = s->idom[s->idom[i]];
}

/* Dominators have lesser numbers than what they dominate. */
static void
take_results(const struct dominator_search *s, struct heap *h)
{
	h->dom = numbers(h->n);
	h->retained = mem_zalloc((size_t)h->n + 1, sizeof *h->retained);
	memset(h->dom, 0xff, ((size_t)h->n + 1) * sizeof *h->dom);
	for (uint32_t i = s->n; i-- > 0; ) {
		uint32_t	v = s->object[i], up = s->object[s->idom[i]];

		h->retained[v] = add_u64(h->retained[v], h->size[v]);
		if (i == 0)
			continue;
		h->dom[v] = up;
		h->retained[up] = add_u64(h->retained[up], h->retained[v]);
	}
	h->reachable = s->n - 1;
	h->reachable_bytes = h->retained[0];
}

bool
heap_dominators_make(struct heap *h, struct heap_work *w)
{
	struct dominator_search	s = { .h = h, .number = numbers(h->n), .object = numbers(h->n),
			    .up = numbers(h->n), .path = numbers(h->n) };
	bool		done = number_objects(&s, w);

	if (done) {
		s.from_first = numbers(s.n);
		done = find_predecessors(&s, w);
	}
	if (done) {
		s.semi = numbers(s.n);
		s.label = numbers(s.n);
		s.idom = numbers(s.n);
		done = find_semi(&s, w);
	}
	if (done) {
		find_dominators(&s);
		take_results(&s, h);
	}
	search_release(&s);
	return done;
}

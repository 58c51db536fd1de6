/*
 * Retained sizes by name of type: what would go if all objects of a type went one by one. An object
 * that another one of the same type dominates is counted with that one.
 *
 *	kid, next	the tree of dominators: first child, next sibling; kept
 *	open		how many objects of a type lie on the way from the root to here
 */
#include "analysis/heap/private.h"

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

/* Is x before y in the order of greatest retained size, or else bytes? */
static bool
is_greater(const struct heap *h, uint32_t x, uint32_t y)
{
	const uint64_t	*by = h->exact ? h->retained : h->size;

	if (by[x] != by[y])
		return by[x] > by[y];
	return h->addr[x] != h->addr[y] ? h->addr[x] < h->addr[y] : x < y;
}

static void
see_objects(struct heap *h)
{
	unsigned	generation;

	for (uint32_t i = 1; i <= h->n; i++) {
		struct heap_type	*type = &h->type[h->name[i]];

		type->unreachable += h->exact && h->dom[i] == HEAP_NONE;
		generation = h->nranges > 0 ? heap_generation(h, i) : HEAP_GENERATIONS;
		if (generation < HEAP_GENERATIONS)
			type->of[generation]++;
		if (type->first == 0 || is_greater(h, i, type->first))
			type->first = i;
	}
}

/* Children in the order of their numbers. */
static void
make_tree(struct heap *h)
{
	uint32_t	*kid = mem_zalloc((size_t)h->n + 1, sizeof *kid);
	uint32_t	*next = mem_zalloc((size_t)h->n + 1, sizeof *next);

	h->kid = kid;
	h->next = next;
	for (uint32_t i = h->n; i > 0; i--) {
		if (h->dom[i] == HEAP_NONE)
			continue;
		next[i] = kid[h->dom[i]];
		kid[h->dom[i]] = i;
	}
}

static void
enter(struct heap *h, uint32_t *open, uint32_t i)
{
	struct heap_type	*type = &h->type[h->name[i]];

	if (open[h->name[i]]++ == 0)
		type->retained = add_u64(type->retained, h->retained[i]);
}

/* Down to the first child, else to the next sibling of the nearest one above that has one. */
static bool
walk_tree(struct heap *h, uint32_t *open, struct heap_work *w)
{
	const uint32_t	*kid = h->kid, *next = h->next;
	uint32_t	 at = kid[0];

	while (at != 0) {
		enter(h, open, at);
		if (heap_work_step(w))
			return false;
		if (kid[at] != 0) {
			at = kid[at];
			continue;
		}
		while (at != 0 && next[at] == 0) {
			open[h->name[at]]--;
			at = h->dom[at];
		}
		if (at != 0) {
			open[h->name[at]]--;
			at = next[at];
		}
	}
	return true;
}

bool
heap_types_retained(struct heap *h, struct heap_work *w)
{
	uint32_t	*open;
	bool		 done;

	see_objects(h);
	if (!h->exact)
		return true;
	open = mem_zalloc((size_t)h->ntypes + 1, sizeof *open);
	make_tree(h);
	done = walk_tree(h, open, w);
	mem_free(open);
	return done;
}

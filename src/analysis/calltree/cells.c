/*
 * Weights by stack, thread and part.
 *
 *	stack 17, thread 3, part no	12 events, weight 12
 */
#include "analysis/calltree/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
cells_release(struct weight_cells *c)
{
	hashtable_release(&c->by);
	mem_free(c->v);
	*c = (struct weight_cells){ .n = 0 };
}

void
cells_clear(struct weight_cells *c)
{
	hashtable_clear(&c->by);
	c->n = 0;
}

static bool
is_cell(const struct weight_cells *c, uint32_t i, uint32_t stack, uint32_t thread, bool part)
{
	return i < c->n && c->v[i].stack == stack && c->v[i].thread == thread &&
	    c->v[i].part == part;
}

static uint32_t
find(struct weight_cells *c, uint32_t stack, uint32_t thread, bool part, size_t most)
{
	uint64_t	hash = hash_pair((uint64_t)stack << 32 | thread, part);

	HASHTABLE_EACH(&c->by, hash, i)
		if (is_cell(c, *i, stack, thread, part))
			return *i;
	if (c->n >= most)
		return CELL_NO;
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n] = (struct weight_cell){ .stack = stack, .thread = thread, .part = part };
	hashtable_add(&c->by, hash, (uint32_t)c->n);
	return (uint32_t)c->n++;
}

uint32_t
cells_get(struct weight_cells *c, uint32_t stack, uint32_t thread, bool part, size_t most)
{
	uint32_t	*recent = &c->recent[(stack * 33 ^ thread * 5 ^ part) % CELLS_RECENT];

	if (!is_cell(c, *recent, stack, thread, part))
		*recent = find(c, stack, thread, part, most);
	return *recent;
}

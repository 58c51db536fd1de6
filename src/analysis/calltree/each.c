/*
 * All stacks of a tree one by one, as folded text has them.
 *
 *	nodes (frames) -> trie of labels -> place of each node in the order of the texts
 *	cells -> by place, then by thread -> those with the same thread and node are a stack
 *
 * There is one trie for all threads, so it has at most as many nodes as the tree.
 */
#include "analysis/calltree/places.h"
#include "analysis/calltree/threads.h"
#include "tnav/base/mem.h"

struct each {
	const struct calltree	*c;
	struct places		 places;
	/* The current stack, by depth; 0 is the thread. */
	uint32_t		*path, *id;
	struct span		*frame;
	uint32_t		 depth;
	calltree_stack_fn	 fn;
	void			*arg;
};

/* The cells in the order of their stacks' places: a counting sort, since places are dense. */
static uint32_t *
by_place(const struct each *e)
{
	const struct weight_cells	*cells = &e->c->cells;
	uint32_t			*end = mem_zalloc(e->places.trie.n + 1, sizeof *end);
	uint32_t			*order = mem_zalloc(cells->n + 1, sizeof *order);

	for (size_t i = 0; i < cells->n; i++)
		end[e->places.v[e->places.node[cells->v[i].stack]].number + 1]++;
	for (size_t i = 1; i <= e->places.trie.n; i++)
		end[i] += end[i - 1];
	for (uint32_t i = 0; i < cells->n; i++)
		order[end[e->places.v[e->places.node[cells->v[i].stack]].number]++] = i;
	mem_free(end);
	return order;
}

/* ---- calling fn for each stack */

/* Make the node's stack the current one. What it shares with the previous one is kept. */
static void
enter(struct each *e, uint32_t thread, uint32_t node)
{
	uint32_t	depth = e->places.v[node].depth, before = e->depth, at = node;

	e->frame[0] = e->places.labels.v[thread].text;
	e->id[0] = thread;
	for (uint32_t d = depth; d > 0 && (d > before || e->path[d] != at); d--) {
		uint32_t	label = e->places.trie.v[at].key;

		e->path[d] = at;
		e->frame[d] = e->places.labels.v[label].text;
		e->id[d] = label;
		at = e->places.trie.v[at].parent;
	}
	e->depth = depth;
}

/* Pass on the stack of cell i, together with the cells after it that have the same stack. */
static int
give(struct each *e, const struct threaded_cell *v, size_t n, size_t *i)
{
	uint32_t		thread = v[*i].label, node = e->places.node[v[*i].cell->stack];
	struct calltree_stack	s = { .frame = e->frame, .id = e->id };

	for (; *i < n && v[*i].label == thread && e->places.node[v[*i].cell->stack] == node; ++*i) {
		s.weight += v[*i].cell->weight;
		s.events += v[*i].cell->events;
	}
	if (s.events == 0)
		return 0;
	enter(e, thread, node);
	s.n = e->depth + 1;
	return e->fn(e->arg, &s);
}

static int
give_all(struct each *e)
{
	uint32_t		*order = by_place(e), deepest = 0;
	struct threaded_cell	*v = cells_by_thread(e->c, &e->places.labels, true, order);
	int			 r = 0;

	for (size_t i = 0; i < e->places.trie.n; i++)
		deepest = e->places.v[i].depth > deepest ? e->places.v[i].depth : deepest;
	e->path = mem_zalloc((size_t)deepest + 1, sizeof *e->path);
	e->id = mem_zalloc((size_t)deepest + 1, sizeof *e->id);
	e->frame = mem_zalloc((size_t)deepest + 1, sizeof *e->frame);
	for (size_t i = 0; i < e->c->cells.n && r == 0; )
		r = give(e, v, e->c->cells.n, &i);
	mem_free(order);
	mem_free(v);
	return r;
}

int
calltree_stacks(const struct calltree *c, const struct folding *rules, calltree_stack_fn fn,
    void *arg)
{
	struct calltree	busy;
	double		hidden;
	bool		hides = calltree_hide_idle(c, rules, &busy, &hidden);
	struct each	e = { .c = &busy, .fn = fn, .arg = arg };
	int		r;

	places_init(&e.places, &busy, rules);
	r = give_all(&e);
	if (hides)
		mem_free(busy.cells.v);
	places_release(&e.places);
	mem_free(e.path);
	mem_free(e.frame);
	mem_free(e.id);
	return r;
}

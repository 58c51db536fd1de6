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
	bool			 hides;		/* cells of c are its own */
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

static void
each_init(struct each *e, struct calltree *busy, const struct calltree *c,
    const struct folding *rules)
{
	double	hidden;

	e->hides = calltree_hide_idle(c, rules, busy, &hidden);
	e->c = busy;
	places_init(&e->places, busy, rules);
}

static void
each_release(struct each *e)
{
	if (e->hides)
		mem_free(e->c->cells.v);
	places_release(&e->places);
	mem_free(e->path);
	mem_free(e->frame);
	mem_free(e->id);
}

int
calltree_stacks(const struct calltree *c, const struct folding *rules, calltree_stack_fn fn,
    void *arg)
{
	struct calltree	busy;
	struct each	e = { .fn = fn, .arg = arg };
	int		r;

	each_init(&e, &busy, c, rules);
	r = give_all(&e);
	each_release(&e);
	return r;
}

/* ---- for encoders */

#define WHOLE_MOST	9e15		/* larger doubles have no fraction */
#define LIMIT_REACHED	1

struct giving_sums {
	const struct profile_ops *ops;
	void			*self;
	uint64_t		 left;
	uint32_t		 thread;
	bool			 any;
};

/* The nearest whole number. Large numbers are whole already. */
static double
whole(double v)
{
	if (v < -WHOLE_MOST || v > WHOLE_MOST)
		return v;
	return (double)(int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

static int
give_sum(void *arg, const struct calltree_stack *s)
{
	struct giving_sums			*x = arg;
	const struct profile_thread	 t = { .name = s->frame[0] };
	double				 weight = x->ops->whole ? whole(s->weight) : s->weight;
	int				 err = 0;

	if (weight == 0)
		return 0;
	if (x->left == 0)
		return LIMIT_REACHED;
	x->left--;
	if (!x->any || x->thread != s->id[0])
		err = x->ops->thread(x->self, &t);
	x->any = true;
	x->thread = s->id[0];
	return err == 0 ? x->ops->sample(x->self, s->id + 1, s->n - 1, weight) : err;
}

int
calltree_sums(const struct calltree *c, const struct folding *rules, enum profile_unit unit,
    uint64_t limit, const struct profile_ops *ops, void *self)
{
	struct calltree		busy;
	struct giving_sums		x = { .ops = ops, .self = self, .left = limit };
	struct each		e = { .fn = give_sum, .arg = &x };
	struct profile_head	h = { .unit = unit };
	int			err;

	each_init(&e, &busy, c, rules);
	h.frames = (uint32_t)e.places.labels.n;
	err = ops->begin(self, &h);
	places_define(&e.places, ops, self);
	if (err == 0)
		err = give_all(&e);
	if (err == LIMIT_REACHED)
		err = 0;
	if (err == 0 && ops->end != NULL)
		err = ops->end(self);
	each_release(&e);
	return err;
}

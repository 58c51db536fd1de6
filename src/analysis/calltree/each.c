/*
 * All stacks of a tree one by one, as folded text has them.
 *
 *	nodes (frames) -> trie of labels -> place of each node in the order of the texts
 *	cells -> by place, then by thread -> those with the same thread and node are a stack
 *
 * There is one trie for all threads, so it has at most as many nodes as the tree.
 */
#include "analysis/calltree/threads.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

/* The place of a node of the trie. */
struct place {
	uint32_t	next;		/* sibling; 0: none; ordered by rank */
	uint32_t	first;		/* child */
	uint32_t	depth;		/* 0: the root */
	uint32_t	number;		/* less than those of descendants and later siblings */
};

struct ranked_node {
	uint32_t	rank, node;
};

struct each {
	const struct calltree	*c;
	struct labels		 labels;
	struct nodes		 trie;
	uint32_t		*node;		/* node of the tree -> node of the trie */
	struct place		*place;
	uint32_t		*rank;		/* of labels, in the order of their texts */
	struct ranked_node	*sibling;	/* scratch */
	size_t			 sibling_cap;
	/* The current stack, by depth; 0 is the thread. */
	uint32_t		*path, *id;
	struct span		*frame;
	uint32_t		 depth;
	calltree_stack_fn	 fn;
	void			*arg;
};

struct ranked {
	struct span	text;
	uint32_t	label;
};

static int
by_text(const void *a, const void *b)
{
	const struct ranked	*x = a, *y = b;
	int			 r = spans_compare(x->text, y->text);

	return r != 0 ? r : (x->label > y->label) - (x->label < y->label);
}

static void
rank_labels(struct each *e)
{
	struct ranked	*v = mem_zalloc(e->labels.n + 1, sizeof *v);

	e->rank = mem_zalloc(e->labels.n + 1, sizeof *e->rank);
	for (uint32_t i = 0; i < e->labels.n; i++)
		v[i] = (struct ranked){ e->labels.v[i].text, i };
	sort_array(v, e->labels.n, sizeof *v, by_text);
	for (uint32_t i = 0; i < e->labels.n; i++)
		e->rank[v[i].label] = i;
	mem_free(v);
}

static int
by_rank(const void *a, const void *b)
{
	const struct ranked_node	*x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sort by rank: no two children of a node have the same label. */
static void
sort_children(struct each *e, struct place *up)
{
	size_t		 n = 0;
	uint32_t	*to = &up->first;

	for (uint32_t at = up->first; at != 0; at = e->place[at].next) {
		e->sibling = mem_grow(e->sibling, &e->sibling_cap, n + 1, sizeof *e->sibling);
		e->sibling[n++] = (struct ranked_node){ e->rank[e->trie.v[at].key], at };
	}
	sort_array(e->sibling, n, sizeof *e->sibling, by_rank);
	for (size_t i = 0; i < n; i++) {
		*to = e->sibling[i].node;
		to = &e->place[*to].next;
	}
	*to = 0;
}

/* Link the children of each node in the order of their ranks. Most nodes have one child or none. */
static void
chain(struct each *e)
{
	for (uint32_t i = 1; i < e->trie.n; i++) {
		struct place	*up = &e->place[e->trie.v[i].parent];

		e->place[i].depth = up->depth + 1;
		e->place[i].next = up->first;
		up->first = i;
	}
	for (uint32_t i = 0; i < e->trie.n; i++)
		if (e->place[i].first != 0 && e->place[e->place[i].first].next != 0)
			sort_children(e, &e->place[i]);
}

/* Number the nodes, each before its descendants. */
static void
number(struct each *e)
{
	uint32_t	at = e->place[0].first;

	for (uint32_t n = 1; at != 0; n++) {
		e->place[at].number = n;
		if (e->place[at].first != 0) {
			at = e->place[at].first;
			continue;
		}
		while (at != 0 && e->place[at].next == 0)
			at = e->trie.v[at].parent;
		at = at != 0 ? e->place[at].next : 0;
	}
}

/* Make the trie of labels. It has at most as many nodes as the tree, so there is room for it. */
static void
label_nodes(struct each *e)
{
	const struct nodes	*from = &e->c->nodes;

	nodes_init(&e->trie, e->c->seed, LIMIT_CALL_NODES + 2);
	e->node = mem_zalloc(from->n, sizeof *e->node);
	labels_of_nodes(&e->labels, e->c, &e->trie, e->node, NULL);
	e->place = mem_zalloc(e->trie.n, sizeof *e->place);
	rank_labels(e);
	chain(e);
	number(e);
}

/* The cells in the order of their stacks' places: a counting sort, since places are dense. */
static uint32_t *
by_place(const struct each *e)
{
	const struct weight_cells	*cells = &e->c->cells;
	uint32_t			*end = mem_zalloc(e->trie.n + 1, sizeof *end);
	uint32_t			*order = mem_zalloc(cells->n + 1, sizeof *order);

	for (size_t i = 0; i < cells->n; i++)
		end[e->place[e->node[cells->v[i].stack]].number + 1]++;
	for (size_t i = 1; i <= e->trie.n; i++)
		end[i] += end[i - 1];
	for (uint32_t i = 0; i < cells->n; i++)
		order[end[e->place[e->node[cells->v[i].stack]].number]++] = i;
	mem_free(end);
	return order;
}

/* ---- calling fn for each stack */

/* Make the node's stack the current one. What it shares with the previous one is kept. */
static void
enter(struct each *e, uint32_t thread, uint32_t node)
{
	uint32_t	depth = e->place[node].depth, before = e->depth, at = node;

	e->frame[0] = e->labels.v[thread].text;
	e->id[0] = thread;
	for (uint32_t d = depth; d > 0 && (d > before || e->path[d] != at); d--) {
		uint32_t	label = e->trie.v[at].key;

		e->path[d] = at;
		e->frame[d] = e->labels.v[label].text;
		e->id[d] = label;
		at = e->trie.v[at].parent;
	}
	e->depth = depth;
}

/* Pass on the stack of cell i, together with the cells after it that have the same stack. */
static int
give(struct each *e, const struct threaded_cell *v, size_t n, size_t *i)
{
	uint32_t		thread = v[*i].label, node = e->node[v[*i].cell->stack];
	struct calltree_stack	s = { .frame = e->frame, .id = e->id };

	for (; *i < n && v[*i].label == thread && e->node[v[*i].cell->stack] == node; ++*i) {
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
	struct threaded_cell	*v = cells_by_thread(e->c, &e->labels, true, order);
	int			 r = 0;

	for (size_t i = 0; i < e->trie.n; i++)
		deepest = e->place[i].depth > deepest ? e->place[i].depth : deepest;
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

	labels_init(&e.labels, c->seed);
	labels_of_frames(&e.labels, c, LABELS_FOLDED, rules, NULL);
	label_nodes(&e);
	r = give_all(&e);
	if (hides)
		mem_free(busy.cells.v);
	nodes_release(&e.trie);
	labels_release(&e.labels);
	mem_free(e.node);
	mem_free(e.place);
	mem_free(e.rank);
	mem_free(e.sibling);
	mem_free(e.path);
	mem_free(e.frame);
	mem_free(e.id);
	return r;
}

/*
 * All stacks of a tree one by one, as folded text has them.
 *
 *	cells by thread -> trie of a thread's labels -> children by their names -> stacks
 *
 * There is one trie at a time, for one thread, so memory depends on the number of different stacks
 * and not on the number of threads that have them.
 */
#include "analysis/calltree/threads.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct own {
	double		weight;
	uint64_t	events;
	uint32_t	next;		/* sibling, 0: none; by rank */
	uint32_t	first;		/* child */
};

struct ranked_node {
	uint32_t	rank, node;
};

struct each {
	const struct calltree	*c;
	struct labels		 labels;
	struct thread_walk	 walk;
	struct nodes		 trie;
	struct own		*own;
	size_t			 nown, own_cap;
	uint32_t		*rank;		/* of a label among the texts */
	struct ranked_node	*sibling;	/* scratch */
	size_t			 sibling_cap;
	struct span		*frame;		/* of the stack at hand */
	uint32_t		*id;
	size_t			 frame_cap, id_cap;
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
	size_t			 n = x->text.len < y->text.len ? x->text.len : y->text.len;
	int			 r = n > 0 ? memcmp(x->text.p, y->text.p, n) : 0;

	if (r == 0)
		r = (x->text.len > y->text.len) - (x->text.len < y->text.len);
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

static struct own *
own_at(struct each *e, uint32_t node)
{
	if (e->nown < e->trie.n) {
		e->own = mem_grow(e->own, &e->own_cap, e->trie.n, sizeof *e->own);
		memset(e->own + e->nown, 0, (e->trie.n - e->nown) * sizeof *e->own);
		e->nown = e->trie.n;
	}
	return &e->own[node & ~NODE_CUT];
}

static int
by_rank(const void *a, const void *b)
{
	const struct ranked_node	*x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* No two children of a node have the same label. */
static void
sort_children(struct each *e, struct own *up)
{
	size_t		 n = 0;
	uint32_t	*to = &up->first;

	for (uint32_t at = up->first; at != 0; at = e->own[at].next) {
		e->sibling = mem_grow(e->sibling, &e->sibling_cap, n + 1, sizeof *e->sibling);
		e->sibling[n++] = (struct ranked_node){ e->rank[e->trie.v[at].key], at };
	}
	sort_array(e->sibling, n, sizeof *e->sibling, by_rank);
	for (size_t i = 0; i < n; i++) {
		*to = e->sibling[i].node;
		to = &e->own[*to].next;
	}
	*to = 0;
}

/* Chain the children of each node by the ranks of their labels. Most have one or none. */
static void
chain(struct each *e)
{
	(void)own_at(e, 0);
	for (uint32_t i = 1; i < e->trie.n; i++) {
		struct own	*up = &e->own[e->trie.v[i].parent];

		e->own[i].next = up->first;
		up->first = i;
	}
	for (uint32_t i = 0; i < e->trie.n; i++)
		if (e->own[i].first != 0 && e->own[e->own[i].first].next != 0)
			sort_children(e, &e->own[i]);
}

static int
give(struct each *e, uint32_t node, uint32_t depth)
{
	struct calltree_stack	s = { .frame = e->frame, .n = depth, .id = e->id,
				    .weight = e->own[node].weight,
				    .events = e->own[node].events };

	return s.events > 0 ? e->fn(e->arg, &s) : 0;
}

static void
enter(struct each *e, uint32_t node, uint32_t depth)
{
	uint32_t	label = e->trie.v[node].key;

	e->frame = mem_grow(e->frame, &e->frame_cap, depth + 1, sizeof *e->frame);
	e->id = mem_grow(e->id, &e->id_cap, depth + 1, sizeof *e->id);
	e->frame[depth] = e->labels.v[label].text;
	e->id[depth] = label;
}

/* The nodes of the trie, each before those below it. */
static int
give_all(struct each *e)
{
	uint32_t	at = e->own[0].first, depth = 0;
	int		r = 0;

	while (at != 0 && r == 0) {
		enter(e, at, depth);
		r = give(e, at, depth + 1);
		if (e->own[at].first != 0) {
			at = e->own[at].first;
			depth++;
			continue;
		}
		while (at != 0 && e->own[at].next == 0) {
			at = e->trie.v[at].parent;
			depth -= at != 0;
		}
		at = at != 0 ? e->own[at].next : 0;
	}
	return r;
}

static int
give_thread(struct each *e, size_t *i)
{
	struct thread_walk	*w = &e->walk;
	uint32_t		 label = w->v[*i].label, top;

	nodes_clear(&e->trie);
	e->nown = 0;
	top = nodes_child(&e->trie, 0, label);
	thread_walk_enter(w, top);
	for (; *i < w->n && w->v[*i].label == label; ++*i) {
		const struct weight_cell	*x = w->v[*i].cell;
		struct own			*own;

		own = own_at(e, thread_walk_node(w, &e->trie, x->stack));
		own->weight += x->weight;
		own->events += x->events;
	}
	chain(e);
	return give_all(e);
}

int
calltree_stacks(const struct calltree *c, const struct folding *rules, calltree_stack_fn fn,
    void *arg)
{
	struct each	e = { .c = c, .fn = fn, .arg = arg };
	int		r = 0;

	labels_init(&e.labels, c->seed);
	labels_of_frames(&e.labels, c, LABELS_FOLDED, rules, NULL);
	thread_walk_init(&e.walk, c, &e.labels, true);
	nodes_init(&e.trie, c->seed, LIMIT_CALL_NODES + 2);
	rank_labels(&e);
	for (size_t i = 0; i < e.walk.n && r == 0; )
		r = give_thread(&e, &i);
	nodes_release(&e.trie);
	thread_walk_release(&e.walk);
	labels_release(&e.labels);
	mem_free(e.rank);
	mem_free(e.sibling);
	mem_free(e.own);
	mem_free(e.frame);
	mem_free(e.id);
	return r;
}

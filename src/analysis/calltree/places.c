/*
 * The different stacks of a tree as a trie of folded labels, and their order by text.
 *
 *	nodes (frames) -> trie of labels -> place of each node in the order of the texts
 *
 * There is one trie for all threads, so it has at most as many nodes as the tree.
 */
#include "analysis/calltree/places.h"

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct ranked_node {
	uint32_t	rank, node;
};

struct ranked {
	struct span	text;
	uint32_t	label;
};

SORT_ORDER(by_text, struct ranked, COMPARED(spans_compare, text) RISING(label))

static void
rank_labels(struct places *p)
{
	struct ranked	*v = mem_zalloc(p->labels.n + 1, sizeof *v);

	p->rank = mem_zalloc(p->labels.n + 1, sizeof *p->rank);
	for (uint32_t i = 0; i < p->labels.n; i++)
		v[i] = (struct ranked){ p->labels.v[i].text, i };
	sort_array(v, p->labels.n, sizeof *v, by_text);
	for (uint32_t i = 0; i < p->labels.n; i++)
		p->rank[v[i].label] = i;
	mem_free(v);
}

SORT_ORDER(by_rank, struct ranked_node, RISING(rank))

/* Sort by rank: no two children of a node have the same label. */
static void
sort_children(struct places *p, struct place *up)
{
	size_t		 n = 0;
	uint32_t	*to = &up->first;

	for (uint32_t at = up->first; at != 0; at = p->v[at].next) {
		ARRAY_ADD(p->sibling, n, p->sibling_cap, (struct ranked_node){
		    p->rank[p->trie.v[at].key], at });
	}
	sort_array(p->sibling, n, sizeof *p->sibling, by_rank);
	for (size_t i = 0; i < n; i++) {
		*to = p->sibling[i].node;
		to = &p->v[*to].next;
	}
	*to = 0;
}

/* Link the children of each node in the order of their ranks. Most nodes have one child or none. */
static void
chain(struct places *p)
{
	for (uint32_t i = 1; i < p->trie.n; i++) {
		struct place	*up = &p->v[p->trie.v[i].parent];

		p->v[i].depth = up->depth + 1;
		p->v[i].next = up->first;
		up->first = i;
	}
	for (uint32_t i = 0; i < p->trie.n; i++)
		if (p->v[i].first != 0 && p->v[p->v[i].first].next != 0)
			sort_children(p, &p->v[i]);
}

/* Number the nodes, each before its descendants. */
static void
number(struct places *p)
{
	uint32_t	at = p->v[0].first;

	for (uint32_t n = 1; at != 0; n++) {
		p->v[at].number = n;
		if (p->v[at].first != 0) {
			at = p->v[at].first;
			continue;
		}
		while (at != 0 && p->v[at].next == 0)
			at = p->trie.v[at].parent;
		at = at != 0 ? p->v[at].next : 0;
	}
}

/* Make the trie of labels. It has at most as many nodes as the tree, so there is room for it. */
void
places_init(struct places *p, const struct calltree *c, const struct folding *rules)
{
	*p = (struct places){ .sibling_cap = 0 };
	labels_of_frames(&p->labels, c, LABELS_FOLDED, rules, NULL);
	nodes_init(&p->trie, LIMIT_CALL_NODES + 2);
	p->node = mem_zalloc(c->nodes.n, sizeof *p->node);
	labels_of_nodes(&p->labels, c, &p->trie, p->node, NULL);
	p->v = mem_zalloc(p->trie.n, sizeof *p->v);
	rank_labels(p);
	chain(p);
	number(p);
}

void
places_release(struct places *p)
{
	nodes_release(&p->trie);
	labels_release(&p->labels);
	mem_free(p->node);
	mem_free(p->v);
	mem_free(p->rank);
	mem_free(p->sibling);
}

/* Label 0 may be any frame. */
void
places_define(const struct places *p, const struct profile_ops *ops, void *self)
{
	for (uint32_t i = 0; i < p->labels.n; i++) {
		const struct calltree_label	*x = &p->labels.v[i];
		const struct profile_frame	 f = { x->text, x->module, x->address };

		if (x->kind != LABEL_THREAD)
			ops->frame(self, i, &f);
	}
}

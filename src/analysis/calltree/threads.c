/*
 * Cells by thread. The frames that the stacks of a thread share are walked once per thread.
 *
 *	stack 17: up to the nearest node that was visited in this round, then down again
 */
#include "analysis/calltree/threads.h"

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct keyed {
	struct span	text;
	uint32_t	label, n;	/* n: of its cells */
};

SORT_ORDER(by_text, struct keyed, COMPARED(spans_compare, text))

/* The label of each cell's thread; that of a thread is made once. */
static void
label_threads(const struct calltree *c, struct labels *labels, bool folded, uint32_t *label)
{
	uint32_t	 threads = trace_threads(c->t);
	uint32_t	*of = mem_zalloc((size_t)threads + 1, sizeof *of);

	for (size_t i = 0; i < c->cells.n; i++) {
		uint32_t	thread = c->cells.v[i].thread;
		uint32_t	at = thread < threads ? thread : threads;

		if (of[at] == 0)
			of[at] = 1 + labels_thread(labels, c->t,
			    at < threads ? thread : EVENT_NONE, folded);
		label[i] = of[at] - 1;
	}
	mem_free(of);
}

/* Where the cells of each thread begin. There are few threads, so their labels are sorted. */
static uint32_t *
begins(const struct labels *labels, const uint32_t *label, size_t cells)
{
	size_t		 n = 0;
	struct keyed	*k = mem_zalloc(labels->n + 1, sizeof *k);
	uint32_t	*begin = mem_zalloc(labels->n + 1, sizeof *begin), at = 0;

	for (size_t i = 0; i < cells; i++)
		begin[label[i]]++;
	for (uint32_t i = 0; i < labels->n; i++)
		if (begin[i] > 0)
			k[n++] = (struct keyed){ labels->v[i].text, i, begin[i] };
	sort_array(k, n, sizeof *k, by_text);
	for (size_t i = 0; i < n; i++) {
		begin[k[i].label] = at;
		at += k[i].n;
	}
	mem_free(k);
	return begin;
}

struct threaded_cell *
cells_by_thread(const struct calltree *c, struct labels *labels, bool folded,
    const uint32_t *order)
{
	size_t			 n = c->cells.n;
	struct threaded_cell	*v = mem_zalloc(n + 1, sizeof *v);
	uint32_t		*label = mem_zalloc(n + 1, sizeof *label), *place;

	label_threads(c, labels, folded, label);
	place = begins(labels, label, n);
	for (size_t i = 0; i < n; i++) {
		size_t	at = order != NULL ? order[i] : i;

		v[place[label[at]]++] = (struct threaded_cell){ &c->cells.v[at], label[at] };
	}
	mem_free(place);
	mem_free(label);
	return v;
}

void
thread_walk_init(struct thread_walk *w, const struct calltree *c, struct labels *labels)
{
	*w = (struct thread_walk){ .c = c, .labels = labels, .n = c->cells.n };
	w->v = cells_by_thread(c, labels, false, NULL);
	w->map = mem_zalloc(c->nodes.n, sizeof *w->map);
	w->round = mem_zalloc(c->nodes.n, sizeof *w->round);
	w->path = mem_zalloc(c->nodes.n, sizeof *w->path);
}

void
thread_walk_release(struct thread_walk *w)
{
	mem_free(w->v);
	mem_free(w->map);
	mem_free(w->round);
	mem_free(w->path);
}

void
thread_walk_enter(struct thread_walk *w, uint32_t top)
{
	w->now++;
	w->map[0] = top;
	w->round[0] = w->now;
}

uint32_t
thread_walk_node(struct thread_walk *w, struct nodes *to, uint32_t stack)
{
	const struct node	*v = w->c->nodes.v;
	size_t			 n = 0;
	uint32_t		 at = stack;

	/* Once there is no more room, stop walking stacks. */
	if (to->full && w->round[stack] != w->now)
		return w->map[0] | NODE_CUT;
	for (; w->round[at] != w->now; at = v[at].parent)
		w->path[n++] = at;
	for (uint32_t node = w->map[at]; n > 0; ) {
		at = w->path[--n];
		node = labels_step(w->labels, to, node, v[at].key);
		w->map[at] = node;
		w->round[at] = w->now;
	}
	return w->map[stack];
}

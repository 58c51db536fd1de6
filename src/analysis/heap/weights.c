/*
 * A walk of the heap as a call tree: the types on the way down from a root are the frames, the
 * bytes of the objects are the weights, so that the weight with all below is what is retained.
 *
 *	trace -> walk -> groups by types (groups.h), in any thread -> nodes of the tree
 *
 * Invariant: the names of the tree's frames are texts of the groups, which live longer.
 */
#include "analysis/heap/groups.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

struct heap_weights {
	struct heap_groups	g;
};

/* Give the groups of types the words that people read. */
static void
find_words(struct heap_groups *g)
{
	struct buf	b = { 0 };

	for (size_t i = 1; i < g->n; i++) {
		if (g->v[i].words != TEXT_NONE)
			continue;
		buf_clear(&b);
		heap_type_words(texts_at(g->texts, g->v[i].name), &b);
		g->v[i].words = texts_add(g->texts, span_of_buf(&b));
	}
	buf_release(&b);
}

/* The last walk of one trace. Of several joined ones, the heaps are added up. */
static int
add_walk(struct heap_groups *g, struct trace *t, const struct report_options *o,
    struct pass_result *result)
{
	struct heap_walks	*w;
	int			 err = heap_walks_make(&w, t, o, result);

	if (err != ERR_OK)
		return err;
	if (w->n > 0 && w->walk[w->n - 1].exact)
		heap_groups_add(g, w, &w->walk[w->n - 1], 0);
	heap_walks_free(w);
	return ERR_OK;
}

int
heap_weights_make(struct heap_weights **out, struct trace *t, const struct report_options *o,
    struct pass_result *result)
{
	struct report_options	 of = *o;
	int			 err = ERR_OK;

	*out = mem_zalloc(1, sizeof **out);
	heap_groups_init(&(*out)->g);
	for (of.source = 0; of.source < trace_sources(t) && err == ERR_OK; of.source++)
		err = add_walk(&(*out)->g, t, &of, result);
	if (err == ERR_OK) {
		find_words(&(*out)->g);
		return ERR_OK;
	}
	heap_weights_free(*out);
	*out = NULL;
	return err;
}

void
heap_weights_free(struct heap_weights *w)
{
	if (w == NULL)
		return;
	heap_groups_release(&w->g);
	mem_free(w);
}

static struct frame_name
name_of(const struct heap_groups *g, const struct heap_group *x)
{
	struct frame_name	name = { .raw = texts_at(g->texts, x->name) };

	if (x->words != TEXT_NONE)
		name.clean = texts_at(g->texts, x->words);
	if (x->parent == 0) {
		name.module = span_of("roots");
		return name;
	}
	name.method = true;
	name.type_len = name.args_at = (uint32_t)name.raw.len;
	return name;
}

void
heap_weights_fill(const struct heap_weights *w, struct calltree *c)
{
	const struct heap_groups	*g = &w->g;
	uint32_t			*node = mem_zalloc(g->n + 1, sizeof *node);

	for (size_t i = 1; i < g->n; i++) {
		const struct heap_group	*x = &g->v[i];
		const struct frame_name	 name = name_of(g, x);

		node[i] = calltree_add(c, node[x->parent], &name, (double)x->of[0].bytes,
		    x->of[0].count);
	}
	mem_free(node);
}

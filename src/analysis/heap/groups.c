/* Groups of objects by the types that hold them: see groups.h. */
#include "analysis/heap/groups.h"

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define DEPTH_MOST	40u		/* what lies deeper is in the group above */
#define GROUPS_MOST	(1u << 18)

void
heap_groups_init(struct heap_groups *g)
{
	*g = (struct heap_groups){ .texts = texts_new() };
	ARRAY_ADD(g->v, g->n, g->cap, (struct heap_group){ .name = TEXT_NONE });
}

void
heap_groups_release(struct heap_groups *g)
{
	mem_free(g->v);
	texts_free(g->texts);
	idmap_release(&g->by_name);
}

static uint32_t
group_of(struct heap_groups *g, uint32_t parent, uint32_t name, uint32_t words)
{
	uint32_t	i;

	if (idmap_get(&g->by_name, name, parent, &i))
		return i;
	if (g->n >= GROUPS_MOST || g->v[parent].depth >= DEPTH_MOST)
		return parent;
	g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
	g->v[g->n] = (struct heap_group){ .parent = parent, .name = name, .words = words,
	    .depth = g->v[parent].depth + 1 };
	idmap_set(&g->by_name, name, parent, (uint32_t)g->n);
	return (uint32_t)g->n++;
}

/* The group of what holds an object directly; of several roots, none dominates it. */
static uint32_t
root_group(struct heap_groups *g, const struct heap_walks *w, const struct heap *h,
    uint32_t object)
{
	const struct heap_root	*r = heap_root_best(h, object);
	struct buf		 b = { 0 };
	uint32_t		 name, words;

	if (r == NULL) {
		name = texts_add_str(g->texts, "several");
		return group_of(g, 0, name, texts_add_str(g->texts, "several roots"));
	}
	heap_root_text(w, h, r, false, &b);
	name = texts_add(g->texts, span_of_buf(&b));
	buf_clear(&b);
	heap_root_text(w, h, r, true, &b);
	words = texts_add(g->texts, span_of_buf(&b));
	buf_release(&b);
	return group_of(g, 0, name, words);
}

/* Objects in an order in which what holds them comes before them. */
static uint32_t *
order_objects(const struct heap *h, uint32_t *n)
{
	uint32_t	*order = mem_alloc(((size_t)h->n + 1) * sizeof *order);

	*n = 0;
	for (uint32_t at = 0, i = 0; ; at = order[i++]) {
		for (uint32_t k = h->kid[at]; k != 0; k = h->next[k])
			order[(*n)++] = k;
		if (i == *n)
			break;
	}
	return order;
}

void
heap_groups_add(struct heap_groups *g, const struct heap_walks *w, const struct heap *h,
    unsigned which)
{
	uint32_t	*group = mem_zalloc((size_t)h->n + 1, sizeof *group), n;
	uint32_t	*name = mem_zalloc((size_t)h->ntypes + 1, sizeof *name);
	uint32_t	*order = order_objects(h, &n);

	for (uint32_t i = 0; i < h->ntypes; i++)
		name[i] = texts_add(g->texts, h->type[i].name);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t		 v = order[i], text = name[h->name[v]];
		uint32_t		 up = h->dom[v] == 0 ? root_group(g, w, h, v) :
					    group[h->dom[v]];
		struct heap_group_sum	*sum;

		group[v] = g->v[up].depth > 1 && g->v[up].name == text ? up :
		    group_of(g, up, text, TEXT_NONE);
		sum = &g->v[group[v]].of[which];
		sum->count++;
		sum->bytes = add_u64(sum->bytes, h->size[v]);
	}
	for (size_t i = g->n; i-- > 1; ) {
		struct heap_group_sum	*sum = &g->v[i].of[which];
		struct heap_group_sum	*up = &g->v[g->v[i].parent].of[which];

		sum->retained = add_u64(sum->retained, sum->bytes);
		up->retained = add_u64(up->retained, sum->retained);
	}
	mem_free(group);
	mem_free(name);
	mem_free(order);
}

/*
 * Two trees as one: what the other one has is the part of it.
 *
 *	A  Main;Run 6	B  Main;Run 4; Main;Save 2	->  Main;Run 6, part 4; Main;Save part 2
 */
#include "analysis/calltree/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

/* The frames of the tree by their clean names. */
struct clean_names {
	struct calltree		*c;
	struct hashtable	 by;
};

static uint64_t
hash_of(const struct frame_name *n)
{
	return hash_bytes(n->clean.p, n->clean.len);
}

static void
note_names(struct clean_names *s, struct calltree *c)
{
	*s = (struct clean_names){ .c = c };
	for (uint32_t i = 0; i < c->frames.n; i++) {
		const struct call_frame	f = frames_at(&c->frames, i);

		if (f.name.clean.p != NULL)
			hashtable_add(&s->by, hash_of(&f.name), i);
	}
}

/* The tree's frame for one of the other tree, added if it is new. */
static uint32_t
frame_for(struct clean_names *s, const struct call_frame *f)
{
	struct frames	*all = &s->c->frames;
	uint64_t	 hash = f->name.clean.p != NULL ? hash_of(&f->name) : 0;
	uint32_t	 frame = frames_find(all, &f->name, f->ip);

	if (frame != FRAME_NONE)
		return frame;
	if (f->name.clean.p != NULL)
		HASHTABLE_EACH(&s->by, hash, i)
			if (spans_equal(frames_at(all, *i).name.clean, f->name.clean))
				return *i;
	frame = frames_add(all, &f->name, f->ip);
	if (f->name.clean.p != NULL)
		hashtable_add(&s->by, hash, frame);
	return frame;
}

/* Like cells_get(), but what there is no room for is counted without a stack. */
static struct weight_cell *
cell_of(struct calltree *c, uint32_t node)
{
	uint32_t	cell = cells_get(&c->cells, node, THREAD_OTHERS, true, LIMIT_CALL_CELLS);

	if (cell == CELL_NO)
		cell = cells_get(&c->cells, 0, THREAD_OTHERS, true, LIMIT_CALL_CELLS + 1);
	return &c->cells.v[cell];
}

void
calltree_join(struct calltree *c, const struct calltree *other)
{
	uint32_t		*frame = mem_zalloc(other->frames.n + 1, sizeof *frame);
	uint32_t		*node = mem_zalloc(other->nodes.n + 1, sizeof *node);
	struct clean_names	 names;

	note_names(&names, c);
	for (uint32_t i = 0; i < other->frames.n; i++) {
		const struct call_frame	f = frames_at(&other->frames, i);

		frame[i] = frame_for(&names, &f);
	}
	for (size_t i = 1; i < other->nodes.n; i++)
		node[i] = nodes_child(&c->nodes, node[other->nodes.v[i].parent],
		    frame[other->nodes.v[i].key]);
	for (size_t i = 0; i < other->cells.n; i++) {
		const struct weight_cell	*x = &other->cells.v[i];
		struct weight_cell		*to = cell_of(c, node[x->stack]);

		to->weight += x->weight;
		to->events += x->events;
		c->weight += x->weight;
		c->part += x->weight;
		c->events_n += x->events;
	}
	c->stackless += other->stackless;
	c->cut = c->cut || other->cut || c->nodes.full;
	hashtable_release(&names.by);
	mem_free(frame);
	mem_free(node);
}

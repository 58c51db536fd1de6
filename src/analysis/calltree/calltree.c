/*
 * A call tree: the frames of its stacks, the stacks as a prefix tree of frames, and the weights of
 * events by stack and thread.
 *
 *	frames	0 Main | 1 Run | 2 Save
 *	nodes	0 root | 1 (Main, 0) | 2 (Run, 1) | 3 (Save, 1)
 *	cells	node 2, thread 0: 6 | node 3, thread 1: 3
 *
 * Invariant: only the merge of the pass changes it. A thread that reads it while the pass runs must
 * hold the pass (pass_hold()).
 */
#include "analysis/calltree/private.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

struct calltree *
calltree_new(struct trace *t, const struct calltree_options *o)
{
	struct calltree	*c = mem_zalloc(1, sizeof *c);
	const char	*events = calltree_weight_events(o->weight);

	c->t = t;
	c->o = *o;
	c->events = events != NULL ? filter_own(events) : NULL;
	c->by_ticks = o->weight->kind == WEIGH_BYTES && weight_has_ticks(t);
	c->has_types = (o->weight->kind == WEIGH_SAMPLES || o->weight->kind == WEIGH_TIME) &&
	    weight_has_types(t);
	nodes_init(&c->nodes, LIMIT_CALL_NODES);
	c->idle = mem_zalloc(1, sizeof *c->idle);
	spares_init(c->idle);
	if (o->samples)
		c->samples = scratch_new(sizeof(struct tree_sample));
	return c;
}

void
calltree_settle(struct calltree *c)
{
	for (struct worker *w = spares_take(c->idle); w != NULL; w = spares_take(c->idle))
		worker_free(w);
	hashtable_release(&c->frames.by_name);
	hashtable_release(&c->frames.by_text);
	hashtable_release(&c->nodes.by_key);
	hashtable_release(&c->cells.by);
}

void
calltree_free(struct calltree *c)
{
	if (c == NULL)
		return;
	calltree_settle(c);
	spares_release(c->idle);
	mem_free(c->idle);
	filter_free(c->events);
	frames_release(&c->frames);
	nodes_release(&c->nodes);
	cells_release(&c->cells);
	mem_free(c->last);
	mem_free(c->last_ts);
	scratch_free(c->samples);
	mem_free(c);
}

enum pass_order
calltree_order(const struct calltree *c)
{
	return c->o.weight->kind == WEIGH_TIME || c->o.samples ? PASS_TIME : PASS_ANY;
}

const struct filter *
calltree_filter(const struct calltree *c)
{
	return c->events != NULL ? c->events : c->o.filter;
}

uint32_t
calltree_add(struct calltree *c, uint32_t parent, const struct frame_name *name, double weight,
    uint64_t events)
{
	uint32_t	frame = frames_find(&c->frames, name, 0), node, cell;

	if (frame == FRAME_NONE)
		frame = frames_add(&c->frames, name, 0);
	node = nodes_child(&c->nodes, parent, frame);
	cell = cells_get(&c->cells, node, THREAD_OTHERS, false, LIMIT_CALL_CELLS);
	if (cell == CELL_NO)
		cell = cells_get(&c->cells, 0, THREAD_OTHERS, false, LIMIT_CALL_CELLS + 1);
	c->cells.v[cell].weight += weight;
	c->cells.v[cell].events += events;
	c->weight += weight;
	c->events_n += events;
	c->cut = c->cut || c->nodes.full;
	return node;
}

void
calltree_totals(const struct calltree *c, struct calltree_totals *out)
{
	*out = (struct calltree_totals){ .events = c->events_n, .weight = c->weight,
	    .part = c->part, .stackless = c->stackless, .costly = c->costly,
	    .stacks = c->nodes.n - 1, .frames = c->frames.n, .cut = c->cut };
}

size_t
calltree_cells(const struct calltree *c)
{
	return c->cells.n;
}

void
calltree_cell(const struct calltree *c, size_t i, struct calltree_cell *out)
{
	const struct weight_cell	*x = &c->cells.v[i];
	struct call_frame		 f;

	*out = (struct calltree_cell){ .thread = x->thread, .events = x->events };
	if (x->stack == 0)
		return;
	f = frames_at(&c->frames, c->nodes.v[x->stack].key);
	out->has_leaf = true;
	out->leaf = f.name;
	out->ip = f.ip;
}

static const char *
why_nothing(const struct calltree *c)
{
	switch (c->o.weight->kind) {
	case WEIGH_SAMPLES:
	case WEIGH_TIME:
		return "no samples: collect the provider Microsoft-DotNETCore-SampleProfiler "
		    "(--profile dotnet-sampled-thread-time)";
	case WEIGH_CPU:
		return "no CPU samples: dotnet-trace collect-linux records them";
	case WEIGH_SWITCHES:
		return "no context switches: dotnet-trace collect-linux records them";
	case WEIGH_BYTES:
		return "no allocations: collect Microsoft-Windows-DotNETRuntime with the keyword "
		    "GC at level verbose (--profile gc-verbose)";
	case WEIGH_EXCEPTIONS:
		return "no exceptions were thrown, or Microsoft-Windows-DotNETRuntime was not "
		    "collected with the keyword Exception";
	case WEIGH_SELF:
		return "no event begins a span";
	case WEIGH_HEAP:
		return "no walk of the heap (tnav record --profile heap records one)";
	case WEIGH_FIELD:
		return "no event has a number in that field";
	default:
		return "no events";
	}
}

const char *
calltree_remark(const struct calltree *c)
{
	if (c->cells.n == 0 && c->o.weight->kind == WEIGH_HEAP &&
	    weight_has_events(c->t, WEIGH_HEAP, false))
		return "no whole walk of the heap in this window";
	if (c->cells.n == 0 && calltree_weight_events(c->o.weight) != NULL &&
	    weight_has_events(c->t, c->o.weight->kind, c->by_ticks))
		return "no event with this weight in this window and filter";
	if (c->cells.n == 0)
		return why_nothing(c);
	if (c->cut)
		return "too many different stacks: the rest are counted at the last frame that "
		    "they share with the others";
	if (c->others)
		return "too many different addresses without a name: the rest are counted as one, "
		    "(other addresses)";
	return NULL;
}

const char *
calltree_part_name(const struct calltree *c)
{
	if (c->o.joined)
		return "in B";
	if (c->o.parted)
		return "in range";
	return c->has_types ? "external" : NULL;
}

/*
 * The stack and the label list of an event. The event has their numbers; the lists are in blocks
 * before it.
 *
 *	event -> record -> region -> its blocks -> the one with the number -> walk to the list
 *
 * The block is searched without the lock in a copied range of blocks: those of the region, as far
 * as it was committed when the copy was made. Blocks are committed before the events after them,
 * and blocks after an event don't count, so a copy never becomes wrong for the events that it is
 * for.
 *
 * Invariant: any thread may call this at any time. The lock is taken to copy a range; blocks are
 * searched and bytes are read without it.
 * Format: NetTrace V4, "StackBlock Object"; V6, "Label List Blocks".
 */
#include "engine/joined/joined.h"
#include "engine/view/decode.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/label.h"

typedef void (*step_fn)(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2]);

/* Arguments of a walk through the lists of a block. */
struct walker {
	const struct format	*f;
	struct span		 body;
	step_fn			 step;
};

static void
step_stack(const struct format *f, struct span body, uint32_t index, uint64_t walk[2])
{
	(void)f->ops->stack(f, body, index, walk);
}

static void
step_labels(const struct format *f, struct span body, uint32_t index, uint64_t walk[2])
{
	(void)f->ops->labels(f, body, index, walk, NULL, 0);
}

static void
walker_step(void *arg, uint32_t index, uint64_t walk[2])
{
	const struct walker	*w = arg;

	w->step(w->f, w->body, index, walk);
}

/* Find the block of the list: its body, the list's index in it, and a walk near the list. */
static bool
list_reach(struct trace *t, struct lists *l, struct list_block *b, uint32_t number, step_fn step,
    struct span *body, uint32_t *index, uint64_t walk[2])
{
	struct walker	w = { .f = &t->format, .step = step };

	if (b == NULL)
		return false;
	w.body = *body = source_span(t->source, b->off, b->len);
	*index = number - b->first;
	lists_walk(l, b, *index, walker_step, &w, walk);
	return true;
}

/* The stack in its block; b NULL: it has none. */
static struct span
stack_in(struct trace *t, struct list_block *b, uint32_t number)
{
	struct span	body;
	uint64_t	walk[2];
	uint32_t	index;

	if (!list_reach(t, &t->stacks, b, number, step_stack, &body, &index, walk))
		return (struct span){ NULL, 0 };
	return t->format.ops->stack(&t->format, body, index, walk);
}

/*
 * The end of the events of a region that the index has so far. Those that a growing frame may still
 * get are included: no block can be before them that the index does not have.
 */
static uint64_t
region_end(const struct trace *t, const struct region *r)
{
	const struct segment		*g;
	const struct event_frame	*f;

	if (r->seg0 + r->nseg < t->index.segments.n) {
		g = segvec_at(&t->index.segments, r->seg0 + r->nseg);
		return segment_off(t, g) - 1;
	}
	g = segvec_at(&t->index.segments, r->seg0 + r->nseg - 1);
	f = segvec_at(&t->index.frames, g->frame0 + g->nframes - 1);
	return f->off + f->head + f->len;
}

/* Set the range to the region of the event, up to what the index has of it. */
static void
range_enter(struct trace *t, const struct lists *l, const struct event *e, struct list_range *r)
{
	const struct region	*in;
	uint64_t		 first;

	if (e->off > r->after && e->off <= r->to)
		return;
	lock_take(t->lock);
	in = index_region(t, e->block);
	r->first = l == &t->stacks ? in->stack0 : in->label0;
	r->n = l == &t->stacks ? in->nstacks : in->nlabels;
	first = segment_off(t, segvec_at(&t->index.segments, in->seg0));
	r->after = first > 0 ? first - 1 : 0;
	r->to = region_end(t, in);
	if (r->to < e->off)
		r->to = e->off;
	lock_drop(t->lock);
	r->rises = lists_rise(l, r->first, r->n);
}

/* Narrow (*after, *to] to the range. */
static void
range_clamp(const struct list_range *r, uint64_t *after, uint64_t *to)
{
	if (*after < r->after)
		*after = r->after;
	if (*to > r->to)
		*to = r->to;
}

/* The block that has the number of one event's list; or NULL. */
static struct list_block *
block_find(struct trace *t, struct lists *l, const struct event *e, uint32_t number)
{
	struct list_range	 r = { .n = 0 };
	struct list_block	*b;
	uint64_t		 looked = 0;

	range_enter(t, l, e, &r);
	b = lists_find(l, r.first, r.n, e->off, number, &looked);
	atomic_fetch_add_explicit(&l->looked, looked, memory_order_relaxed);
	return b;
}

static struct span
stack_find(struct trace *t, const struct event *e)
{
	return stack_in(t, block_find(t, &t->stacks, e, e->stack), e->stack);
}

static size_t
addresses(const struct trace *t, struct span s, uint64_t *ips, size_t max)
{
	unsigned	size = t->format.info.pointer_size;
	size_t		n = s.len / size < max ? s.len / size : max;

	for (size_t i = 0; i < n; i++)
		ips[i] = size == 8 ? load_u64le(s.p + i * 8) : load_u32le(s.p + i * 4);
	return n;
}

size_t
trace_stack(struct trace *t, const struct event *e, uint64_t *ips, size_t max)
{
	struct event	own;

	if (e->stack == 0)
		return 0;
	t = event_home(t, &e, &own);
	return addresses(t, t->format.ops->own_stack != NULL ?
	    t->format.ops->own_stack(&t->format, e) : stack_find(t, e), ips, max);
}

/*
 * Go to the block of the event's stack. (after, to] becomes the range of events that find its
 * numbers in it: it is empty if later blocks before the event may have them too. False: there is no
 * block.
 */
static bool
reader_enter(struct trace *t, struct stack_reader *r, const struct event *e)
{
	struct list_range	*in = &r->range;
	struct list_block	*b;
	uint64_t		 looked = 0;

	range_enter(t, &t->stacks, e, in);
	b = lists_find(&t->stacks, in->first, in->n, e->off, e->stack, &looked);
	if (b == NULL)
		return false;
	if (b != r->block) {
		r->block = b;
		r->body = source_span(t->source, b->off, b->len);
		r->walk[0] = r->walk[1] = 0;
	}
	if (in->rises) {
		r->after = b->off;
		r->to = in->to;
	} else {
		lists_scope(&t->stacks, in->first, in->n, e->off, &r->after, &r->to);
		if (r->after != b->off)
			r->to = 0;
	}
	range_clamp(in, &r->after, &r->to);
	return true;
}

struct span
trace_stack_bytes(struct trace *t, struct stack_reader *r, const struct event *e)
{
	struct walker		 w = { .step = step_stack };
	struct list_block	*b;
	struct event		 own;
	uint32_t		 index;

	if (e->stack == 0)
		return (struct span){ NULL, 0 };
	if (r->source != event_source(e))
		*r = (struct stack_reader){ .source = event_source(e) };
	t = event_home(t, &e, &own);
	w.f = &t->format;
	b = r->block;
	if (t->format.ops->own_stack != NULL)
		return t->format.ops->own_stack(&t->format, e);
	if ((b == NULL || e->off <= r->after || e->off > r->to ||
	    e->stack - b->first >= b->count) && !reader_enter(t, r, e))
		return (struct span){ NULL, 0 };
	index = e->stack - r->block->first;
	if (index < r->walk[1] || index - r->walk[1] > LIST_STEP) {
		w.body = r->body;
		lists_walk(&t->stacks, r->block, index, walker_step, &w, r->walk);
	}
	return t->format.ops->stack(&t->format, r->body, index, r->walk);
}

size_t
trace_stack_next(struct trace *t, struct stack_reader *r, const struct event *e, uint64_t *ips,
    size_t max)
{
	struct span	s = trace_stack_bytes(t, r, e);
	struct event	own;

	return addresses(event_home(t, &e, &own), s, ips, max);
}

/*
 * Where the numbers of blocks rise, a number means the same stack in the whole range, from its
 * block on: below is the end of the numbers of the blocks before after.
 */
static void
scope_enter(struct trace *t, const struct event *e, struct source_scope *s, uint32_t *numbers)
{
	struct list_range	*in = &s->range;
	const struct list_block	*b;
	uint64_t		 was = in->after;

	range_enter(t, &t->stacks, e, in);
	if (!in->rises) {
		lists_scope(&t->stacks, in->first, in->n, e->off, &s->after, &s->to);
		s->below = UINT32_MAX;
		s->number = ++*numbers;
	} else {
		b = lists_newest(&t->stacks, in->first, in->n, e->off);
		s->after = b != NULL ? b->off : 0;
		s->to = in->to;
		s->below = b != NULL ? b->first + b->count : 0;
		if (!s->rises || in->after != was)
			s->number = ++*numbers;
	}
	s->rises = in->rises;
	range_clamp(in, &s->after, &s->to);
}

/* The scope of the source whose event.off begins at base becomes that of now. */
static void
scope_turn(struct stack_scope *s, uint64_t base)
{
	struct source_scope	*to = &s->kept[(base >> EVENT_SOURCE_SHIFT) % SCOPES_KEPT];
	struct source_scope	 kept = *to;

	s->kept[(s->now.base >> EVENT_SOURCE_SHIFT) % SCOPES_KEPT] = s->now;
	s->now = kept.base == base ? kept : (struct source_scope){ .base = base };
}

bool
trace_stack_scope(struct trace *t, const struct event *e, struct stack_scope *s)
{
	const struct event	*in = e;
	struct event		 own;
	uint64_t		 base = e->off & ~EVENT_OFFSET;

	if (base != s->now.base)
		scope_turn(s, base);
	if (stack_scope_has(s, e))
		return true;
	t = event_home(t, &in, &own);
	if (t->format.ops->own_stack != NULL)
		return false;
	scope_enter(t, in, &s->now, &s->numbers);
	s->now.after += base;
	s->now.to += base;
	return stack_scope_has(s, e);
}

bool
trace_label_scope(struct trace *t, const struct event *e, uint64_t *after, uint64_t *to)
{
	struct list_range	r = { .n = 0 };
	uint64_t		base = e->off & ~EVENT_OFFSET;
	struct event		own;

	t = event_home(t, &e, &own);
	if (t->format.ops->labels == NULL)
		return false;
	range_enter(t, &t->labels, e, &r);
	lists_scope(&t->labels, r.first, r.n, e->off, after, to);
	range_clamp(&r, after, to);
	*after += base;
	*to += base;
	return true;
}

size_t
trace_labels(struct trace *t, const struct event *e, struct label *out, size_t max)
{
	struct list_block	*b;
	struct span		 body;
	uint64_t		 walk[2];
	uint32_t		 index;
	struct event		 own;

	t = event_home(t, &e, &own);
	if (e->labels == 0 || t->format.ops->labels == NULL)
		return 0;
	b = block_find(t, &t->labels, e, e->labels);
	if (!list_reach(t, &t->labels, b, e->labels, step_labels, &body, &index, walk))
		return 0;
	return t->format.ops->labels(&t->format, body, index, walk, out, max);
}

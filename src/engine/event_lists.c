/*
 * The stack and the label list of an event. The event has their numbers; the lists are in blocks
 * before it.
 *
 *	event -> record -> region -> its blocks -> the one with the number -> walk to the list
 *
 * Invariant: any thread may call this at any time. The blocks are looked up under the lock; bytes
 * are read without it.
 * Format: NetTrace V4, "StackBlock Object"; V6, "Label List Blocks".
 */
#include "engine/index/index.h"
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

static struct span
stack_find(struct trace *t, const struct event *e)
{
	const struct region	*r;
	struct list_block	*b;

	lock_take(t->lock);
	r = index_region(t, e->block);
	b = lists_find(&t->stacks, r->stack0, r->nstacks, e->off, e->stack);
	lock_drop(t->lock);
	return stack_in(t, b, e->stack);
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
	if (e->stack == 0)
		return 0;
	return addresses(t, t->format.ops->own_stack != NULL ?
	    t->format.ops->own_stack(&t->format, e) : stack_find(t, e), ips, max);
}

/* The part of the file in which a number means the same list as at the event. Under the lock. */
static void
list_scope(struct trace *t, const struct lists *l, const struct event *e, uint64_t *after,
    uint64_t *to)
{
	const struct region	*r = index_region(t, e->block);
	const struct segment	*next;
	uint64_t		 first;

	if (l == &t->stacks)
		lists_scope(l, r->stack0, r->nstacks, e->off, after, to);
	else
		lists_scope(l, r->label0, r->nlabels, e->off, after, to);
	/* Only within the region, and up to what was read: more blocks may follow that. */
	first = segment_off(t, segvec_at(&t->index.segments, r->seg0));
	if (*after < first)
		*after = first - 1;
	if (r->seg0 + r->nseg < t->index.segments.n) {
		next = segvec_at(&t->index.segments, r->seg0 + r->nseg);
		if (*to >= segment_off(t, next))
			*to = segment_off(t, next) - 1;
	} else if (!t->progress.complete && *to > e->off) {
		*to = e->off;
	}
}

/*
 * Keep the stack's block for the next events, if it is the last one before the event: then their
 * numbers that are in this block are in no later one. Otherwise the reader keeps none. Returns the
 * stack's block, or NULL.
 */
static struct list_block *
reader_enter(struct trace *t, struct stack_reader *r, const struct event *e)
{
	const struct region	*in;
	struct list_block	*b;
	uint64_t		 newest, to;

	*r = (struct stack_reader){ .block = NULL };
	lock_take(t->lock);
	in = index_region(t, e->block);
	b = lists_find(&t->stacks, in->stack0, in->nstacks, e->off, e->stack);
	lists_scope(&t->stacks, in->stack0, in->nstacks, e->off, &newest, &to);
	if (b != NULL && b->off == newest) {
		list_scope(t, &t->stacks, e, &r->after, &r->to);
		r->block = b;
	}
	lock_drop(t->lock);
	if (r->block != NULL)
		r->body = source_span(t->source, b->off, b->len);
	return b;
}

size_t
trace_stack_next(struct trace *t, struct stack_reader *r, const struct event *e, uint64_t *ips,
    size_t max)
{
	struct walker		 w = { .f = &t->format, .step = step_stack };
	struct list_block	*b = r->block;
	uint32_t		 index;

	if (e->stack == 0)
		return 0;
	if (t->format.ops->own_stack != NULL)
		return trace_stack(t, e, ips, max);
	if (b == NULL || e->off <= r->after || e->off > r->to || e->stack - b->first >= b->count)
		b = reader_enter(t, r, e);
	if (r->block == NULL)
		return addresses(t, stack_in(t, b, e->stack), ips, max);
	index = e->stack - r->block->first;
	if (index < r->walk[1] || index - r->walk[1] > LIST_STEP) {
		w.body = r->body;
		lists_walk(&t->stacks, r->block, index, walker_step, &w, r->walk);
	}
	return addresses(t, t->format.ops->stack(&t->format, r->body, index, r->walk), ips, max);
}

bool
trace_stack_scope(struct trace *t, const struct event *e, struct stack_scope *s)
{
	if (stack_scope_has(s, e))
		return true;
	s->after = s->to = 0;
	if (t->format.ops->own_stack != NULL)
		return false;
	lock_take(t->lock);
	list_scope(t, &t->stacks, e, &s->after, &s->to);
	lock_drop(t->lock);
	s->number++;
	return stack_scope_has(s, e);
}

bool
trace_label_scope(struct trace *t, const struct event *e, uint64_t *after, uint64_t *to)
{
	if (t->format.ops->labels == NULL)
		return false;
	lock_take(t->lock);
	list_scope(t, &t->labels, e, after, to);
	lock_drop(t->lock);
	return true;
}

size_t
trace_labels(struct trace *t, const struct event *e, struct label *out, size_t max)
{
	const struct region	*r;
	struct list_block	*b;
	struct span		 body;
	uint64_t		 walk[2];
	uint32_t		 index;

	if (e->labels == 0 || t->format.ops->labels == NULL)
		return 0;
	lock_take(t->lock);
	r = index_region(t, e->block);
	b = lists_find(&t->labels, r->label0, r->nlabels, e->off, e->labels);
	lock_drop(t->lock);
	if (!list_reach(t, &t->labels, b, e->labels, step_labels, &body, &index, walk))
		return 0;
	return t->format.ops->labels(&t->format, body, index, walk, out, max);
}

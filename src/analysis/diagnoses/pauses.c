/*
 * Sums of collections.
 *
 *	suspension -> its first collection's reason -> paused_why
 *	collection -> sizes and promoted bytes -> heap, promoted
 *
 * Invariant: heap is in the order of the collections.
 */
#include "analysis/diagnoses/pauses.h"

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define MANY_PINS	300u

static enum gc_why
why_of(uint32_t reason)
{
	switch (reason) {		/* GCReason */
	case 0: case 5:			/* AllocSmall, OutOfSpaceSmallObjectHeap */
		return WHY_SMALL;
	case 4: case 6:			/* AllocLarge, OutOfSpaceLargeObjectHeap */
		return WHY_LARGE;
	default:
		return gc_is_induced(reason) ? WHY_INDUCED : WHY_OTHER;
	}
}

static double
sum(const struct by_generation *g)
{
	double	bytes = 0;

	for (unsigned i = 0; i < g->n && i < GC_GENERATIONS; i++)
		bytes += (double)g->v[i];
	return bytes;
}

static void
add_heap(struct pause_sums *p, const struct collection *c)
{
	double	size = sum(&c->size), unused = sum(&c->unused);

	if (!c->has_heap || size <= 0)
		return;
	ARRAY_ADD(p->heap, p->nheap, p->cap, (struct heap_size){
	    .at = (double)c->p.start / 1e9, .bytes = size,
	    .before = sum(&c->before), .old = c->gen >= 2 });
	if ((double)c->pinned > p->pinned)
		p->pinned = (double)c->pinned;
	if (c->pinned >= MANY_PINS && unused / size > p->fragmented && unused <= size)
		p->fragmented = unused / size;
}

static void
add_collection(struct pause_sums *p, const struct collection *c)
{
	enum gc_why	why = why_of(c->reason);

	p->n++;
	p->why[why]++;
	if (c->gen < 3)
		p->gen[c->gen]++;
	if (c->gen >= 2)
		p->why_gen2[why]++;
	p->promoted[0] += (double)c->promoted.v[0];
	if (c->gen >= 1)
		p->promoted[1] += (double)c->promoted.v[1];
	add_heap(p, c);
}

static void
add_suspension(struct pause_sums *p, const struct gc_collections *g, const struct suspension *x)
{
	double			 dur = (double)pair_dur(&x->p) / 1e9;
	const struct collection	*c;
	uint32_t		 number = x->first != 0 ? x->first : x->background;

	if (dur <= 0)
		return;
	c = number != 0 ? gc_collection(g, number) : NULL;
	p->paused += dur;
	p->paused_why[c != NULL ? why_of(c->reason) : WHY_OTHER] += dur;
	if (dur > p->longest)
		p->longest = dur;
}

static double
old_size(const struct collection *c)
{
	return c->size.n > 2 ? (double)c->size.v[2] : 0;
}

/* Count the method that requested it. */
static void
add_request(struct pause_sums *p, struct groups *requests, const struct gc_collections *g,
    const struct collection *c)
{
	uint64_t	*n;

	if (!c->cause.known || why_of(c->reason) != WHY_INDUCED)
		return;
	n = groups_get(requests, c->cause.method.words, 0);
	if (n == NULL || ++*n <= p->requests)
		return;
	p->requests = *n;
	p->requested_by = texts_at(g->state->texts, c->cause.method.words);
}

void
pauses_init(struct pause_sums *p, const struct gc_collections *g)
{
	const struct collection	*c, *first = NULL, *last = NULL;
	const struct suspension	*x;
	struct groups		*requests;

	*p = (struct pause_sums){ .n = 0 };
	if (g == NULL)
		return;
	requests = groups_new(sizeof(uint64_t), LIMIT_REPORT_GROUPS);
	for (uint32_t i = 0; (c = pairs_next(g->collections, &i)) != NULL;) {
		if (c->clr == 0 && !c->has_gen && !c->has_heap)
			continue;
		add_collection(p, c);
		add_request(p, requests, g, c);
		if (!c->has_heap)
			continue;
		first = first != NULL ? first : c;
		last = c;
	}
	groups_free(requests);
	if (first != NULL)
		p->stayed = old_size(last) - old_size(first);
	for (uint32_t i = 0; (x = pairs_next(g->suspensions, &i)) != NULL;)
		add_suspension(p, g, x);
}

void
pauses_release(struct pause_sums *p)
{
	mem_free(p->heap);
}

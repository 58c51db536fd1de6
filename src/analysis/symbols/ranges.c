/*
 * Ranges of addresses with times. A tree is built over the addresses where ranges begin and end.
 * Each node lists, as steps in time, the ranges that cover exactly its part.
 *
 *	address	|  A  |     B     |   C   |	leaves: between neighbouring bounds
 *		|    node: D over A and B |	a range lies in at most 2 log n nodes
 *	steps	t0: A  t1: nothing  t2: E	in each node, the latest that still holds
 *
 * An address is looked up in its leaf and the nodes above it, each by a binary search. The range
 * that begins last wins: code that is loaded where other code was replaces it.
 *
 * Invariant: there are at most 2 n log n steps, and 2 n if ranges do not overlap.
 */
#include "analysis/symbols/ranges.h"


#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

/* The tree under construction. */
struct tree_build {
	struct ranges		*r;
	const struct code_range	*v;
	uint32_t		*fill;		/* by node: where to put its next item */
	uint32_t		*item;		/* items of all nodes, in the order of nodes */
	uint32_t		*stack;		/* items in effect, the latest on top */
	size_t			 depth, steps_cap;
	size_t			 first;		/* first step of the current node */
	uint32_t		 near;		/* where the search for the next bound begins */
};

static void
make_bounds(struct ranges *r, const struct code_range *v, uint32_t n)
{
	uint32_t	nbounds = 0, kept = 0;

	r->bound = mem_alloc(((size_t)n * 2 + 1) * sizeof *r->bound);
	for (uint32_t i = 0; i < n; i++) {
		r->bound[nbounds++] = v[i].start;
		if (v[i].last != UINT64_MAX)
			r->bound[nbounds++] = v[i].last + 1;
	}
	sort_array(r->bound, nbounds, sizeof *r->bound, compare_u64);
	for (uint32_t i = 0; i < nbounds; i++)
		if (kept == 0 || r->bound[kept - 1] != r->bound[i])
			r->bound[kept++] = r->bound[i];
	r->n = kept;
}

/* The same as bounds_to(), if the result is known to be in [lo, hi]. */
static uint32_t
bounds_between(const struct ranges *r, uint64_t addr, size_t lo, size_t hi)
{
	BISECT(lo, hi, i, r->bound[i] <= addr);
	return (uint32_t)lo;
}

/* The number of bounds <= addr. */
static uint32_t
bounds_to(const struct ranges *r, uint64_t addr)
{
	return bounds_between(r, addr, 0, r->n);
}

/* The same, searched from a place nearby: code that is loaded later often lies just above. */
static uint32_t
bounds_near(const struct ranges *r, uint64_t addr, uint32_t near)
{
	uint32_t	step = 1, lo = near, hi = near;

	while (lo > 0 && r->bound[lo - 1] > addr) {
		hi = lo - 1;
		lo -= step < lo ? step : lo;
		step *= 2;
	}
	while (hi < r->n && r->bound[hi] <= addr) {
		lo = hi + 1;
		hi += step < r->n - hi ? step : r->n - hi;
		step *= 2;
	}
	return bounds_between(r, addr, lo, hi);
}

/* Count the range for the nodes that cover it, or, with put, add it to them. */
static void
place(struct tree_build *m, uint32_t i, bool put)
{
	const struct code_range	*v = &m->v[i];
	uint32_t		 first = bounds_near(m->r, v->start, m->near);
	uint32_t		 l = first - 1 + m->r->n, h;

	m->near = bounds_near(m->r, v->last, first);
	h = m->r->n + m->near;
	for (; l < h; l /= 2, h /= 2) {
		if (l & 1) {
			if (put)
				m->item[m->fill[l]] = i;
			m->fill[l++]++;
		}
		if (h & 1) {
			h--;
			if (put)
				m->item[m->fill[h]] = i;
			m->fill[h]++;
		}
	}
}

static void
emit(struct tree_build *m, int64_t ts, uint32_t item)
{
	struct ranges	*r = m->r;

	if (r->nsteps > m->first && r->step[r->nsteps - 1].ts == ts)
		r->nsteps--;
	if (r->nsteps > m->first && r->step[r->nsteps - 1].item == item)
		return;
	ARRAY_ADD(r->step, r->nsteps, m->steps_cap, (struct range_step){ .ts = ts, .item = item });
}

/* End items up to ts. */
static void
settle(struct tree_build *m, int64_t ts)
{
	while (m->depth > 0 && m->v[m->stack[m->depth - 1]].to <= ts) {
		int64_t	at = m->v[m->stack[m->depth - 1]].to;

		if (at == TIME_LAST)
			return;
		while (m->depth > 0 && m->v[m->stack[m->depth - 1]].to <= at)
			m->depth--;
		emit(m, at, m->depth > 0 ? m->stack[m->depth - 1] : RANGE_NONE);
	}
}

/* Turn the items [from, to) of a node into steps. */
static void
make_steps(struct tree_build *m, uint32_t from, uint32_t to)
{
	m->first = m->r->nsteps;
	m->depth = 0;
	for (uint32_t i = from; i < to; i++) {
		const struct code_range	*v = &m->v[m->item[i]];

		settle(m, v->from);
		if (v->to <= v->from)
			continue;
		emit(m, v->from, m->item[i]);
		m->stack[m->depth++] = m->item[i];
	}
	settle(m, TIME_LAST);
}

void
ranges_init(struct ranges *r, const struct code_range *v, uint32_t n)
{
	struct tree_build	m = { .r = r, .v = v };
	uint32_t		nodes, total = 0, most = 0, from = 0;

	*r = (struct ranges){ .n = 0 };
	if (n == 0)
		return;
	if (n > RANGES_MOST)
		n = RANGES_MOST;
	make_bounds(r, v, n);
	nodes = r->n * 2;
	m.fill = mem_zalloc(nodes, sizeof *m.fill);
	for (uint32_t i = 0; i < n; i++)
		place(&m, i, false);
	for (uint32_t k = 0; k < nodes; k++) {
		uint32_t	here = m.fill[k];

		m.fill[k] = total;
		total += here;
		if (here > most)
			most = here;
	}
	m.item = mem_alloc(((size_t)total + 1) * sizeof *m.item);
	for (uint32_t i = 0; i < n; i++)
		place(&m, i, true);
	m.stack = mem_alloc(((size_t)most + 1) * sizeof *m.stack);
	r->node = mem_alloc(((size_t)nodes + 1) * sizeof *r->node);
	for (uint32_t k = 0; k < nodes; k++) {
		r->node[k] = (uint32_t)r->nsteps;
		make_steps(&m, from, m.fill[k]);
		from = m.fill[k];
	}
	r->node[nodes] = (uint32_t)r->nsteps;
	mem_free(m.fill);
	mem_free(m.item);
	mem_free(m.stack);
}

void
ranges_release(struct ranges *r)
{
	mem_free(r->bound);
	mem_free(r->node);
	mem_free(r->step);
	*r = (struct ranges){ .n = 0 };
}

size_t
ranges_bytes(const struct ranges *r)
{
	return r->n * (sizeof *r->bound + 2 * sizeof *r->node) + r->nsteps * sizeof *r->step;
}

bool
ranges_bound(const struct ranges *r, uint64_t addr, uint64_t *bound)
{
	uint32_t	n = bounds_to(r, addr);

	if (n > 0)
		*bound = r->bound[n - 1];
	return n > 0;
}

static bool
later(uint32_t a, uint32_t b)
{
	return a != RANGE_NONE && (b == RANGE_NONE || a > b);
}

/* Look up a time in one node. */
static void
find_in_node(const struct range_step *step, uint32_t n, int64_t ts, struct range_hit *out)
{
	size_t		at = 0;
	uint32_t	item = RANGE_NONE;

	BISECT(at, n, i, step[i].ts <= ts);
	if (at < n && step[at].ts < out->to)
		out->to = step[at].ts;
	if (at < n && later(step[at].item, out->after))
		out->after = step[at].item;
	if (at == 0)
		return;
	if (step[at - 1].ts > out->from)
		out->from = step[at - 1].ts;
	item = step[at - 1].item;
	if (later(item, out->item))
		out->item = item;
	if (item == RANGE_NONE && at > 1 && later(step[at - 2].item, out->before))
		out->before = step[at - 2].item;
}

void
ranges_find(const struct ranges *r, uint64_t addr, int64_t ts, struct range_hit *out)
{
	uint32_t	below = bounds_to(r, addr);

	*out = (struct range_hit){ .item = RANGE_NONE, .before = RANGE_NONE, .after = RANGE_NONE,
	    .from = TIME_FIRST, .to = TIME_LAST };
	if (below == 0)
		return;
	for (uint32_t k = below - 1 + r->n; k > 0; k /= 2)
		if (r->node[k] < r->node[k + 1])
			find_in_node(r->step + r->node[k], r->node[k + 1] - r->node[k], ts, out);
}

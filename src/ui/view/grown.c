/*
 * Events by thread and time while the index grows.
 *
 *	piece	runs of events of a thread in ts >> shift	the shift of the bins at its begin
 *	merge	bins, by thread					their shift grows
 *
 * Invariant: each event of a merged piece is counted in one part of its thread. Threads beyond
 * LINES_MAX have no parts.
 */
#include "ui/view/grown.h"

#include <limits.h>
#include <stdatomic.h>

#include "tnav/base/mem.h"
#include "tnav/engine/bins.h"
#include "ui/view/counting.h"
#include "ui/view/time_buckets.h"
#include "ui/view/view.h"

#define LINES_MAX	2048u

struct grown_piece {
	unsigned	 shift;
	struct runs	 runs;
};

struct grown {
	struct counting	 counting;
	atomic_uint	 shift;		/* of bins, for the workers */
	struct bins	 bins;
};

struct grown *
grown_new(void)
{
	struct grown	*g = mem_zalloc(1, sizeof *g);

	bins_init(&g->bins, GROWN_CELLS);
	return g;
}

static void
grown_end(void *arg)
{
	struct grown	*g = arg;

	bins_release(&g->bins);
	mem_free(g);
}

/* Its last pass may still read the shift. */
void
grown_free(struct grown *g)
{
	struct view	*v = g != NULL ? g->counting.v : NULL;

	if (g == NULL)
		return;
	counting_release(&g->counting);
	if (v != NULL)
		trace_retire(v->t, grown_end, g);
	else
		grown_end(g);
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct grown		*g = arg;
	struct grown_piece	*p = mem_zalloc(1, sizeof *p);

	p->shift = atomic_load(&g->shift);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct grown_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++)
		runs_add(&p->runs, &b->ev[b->at[i]], b->ev[b->at[i]].ts >> p->shift);
}

static void
piece_free(void *state)
{
	mem_free(((struct grown_piece *)state)->runs.v);
	mem_free(state);
}

static int
piece_merge(void *arg, void *state)
{
	struct grown			*g = arg;
	const struct grown_piece	*p = state;

	for (size_t i = 0; i < p->runs.n; i++) {
		const struct thread_run	*r = &p->runs.v[i];
		int64_t			 ts = (int64_t)((uint64_t)r->bucket << p->shift);

		if (r->thread >= LINES_MAX)
			continue;
		while (r->thread >= g->bins.keys)
			bins_key(&g->bins);
		bins_cover(&g->bins, ts);
		bins_add(&g->bins, r->thread, ts, r->n);
	}
	atomic_store(&g->shift, g->bins.shift);
	return 0;
}

/* ---- used by the tally */

void
grown_want(struct grown *g, struct view *v)
{
	static const struct pass_ops	ops = { .begin = piece_begin, .add = piece_add,
					    .merge = piece_merge, .free = piece_free };

	if (!counting_follow(&g->counting))
		return;
	counting_halt(&g->counting);
	bins_release(&g->bins);
	bins_init(&g->bins, GROWN_CELLS);
	atomic_store(&g->shift, 0);
	counting_begin(&g->counting, v, COUNT_SHOWN, &ops, g);
}

bool
grown_busy(const struct grown *g)
{
	return g != NULL && counting_busy(&g->counting);
}

void
grown_step(struct grown *g, int64_t budget_ns)
{
	(void)counting_step(&g->counting, budget_ns);
}

#define NO_PART	UINT_MAX

/* The part of the window that contains the middle of one of the bins; NO_PART: none does. */
static unsigned
part_of(const struct bins *b, unsigned k, const struct grown_parts *to)
{
	int64_t	from = (int64_t)((uint64_t)(b->first + k) << b->shift);
	int64_t	last = from + (int64_t)((UINT64_C(1) << b->shift) - 1);

	if (from >= to->to || last < to->from)
		return NO_PART;		/* events outside the window may have been counted */
	return view_bucket(from + ((last - from) >> 1), to->from, to->to, to->n);
}

void
grown_take(const struct grown *g, const struct grown_parts *to)
{
	unsigned	part[GROWN_CELLS];
	uint64_t	n[GROWN_CELLS];

	for (unsigned k = 0; g->bins.any && k <= (uint64_t)(g->bins.last - g->bins.first); k++)
		part[k] = part_of(&g->bins, k, to);
	for (uint32_t i = 0; i < g->bins.keys; i++) {
		unsigned	bins = bins_get(&g->bins, i, n);

		for (unsigned k = 0; k < bins; k++) {
			if (i < to->lines)
				to->events[i] += n[k];
			if (part[k] == NO_PART)
				continue;
			to->all[part[k]] += n[k];
			if (i < to->lines)
				to->line[(size_t)i * to->n + part[k]] += (uint32_t)n[k];
		}
	}
}

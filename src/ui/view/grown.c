/*
 * Events by thread and time while the index grows.
 *
 *	ticks	... |  8..11  | 12..15 | 16..19 |	shift 2: a cell is 4 ticks, numbered ts >> 2
 *	line 0	    |   120   |   80   |	|	base 2: its first cell is number 2
 *	ts 500	    -> shift 3, 4 ... until all cells with events fit	base 1, 0 ...
 *
 * Invariant: each event of a merged piece is counted in one cell of its thread. Threads beyond
 * LINES_MAX have no cells. shift never decreases.
 */
#include "ui/view/grown.h"

#include <stdatomic.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/model/event.h"
#include "ui/view/counting.h"
#include "ui/view/part.h"
#include "ui/view/view.h"

#define LINES_MAX	2048u

/* Consecutive events of a piece on one thread, in one cell. */
struct grown_run {
	uint32_t	thread, n;
	int64_t		cell;		/* at the piece's shift */
};

struct grown_piece {
	unsigned	 shift;
	struct grown_run	*run;
	size_t		 n, cap;
};

struct grown {
	struct counting	 counting;
	atomic_uint	 shift;		/* changed only by merges */
	bool		 any;
	int64_t		 base, last;	/* first and last cell with events */
	uint32_t	*cell;		/* lines x GROWN_CELLS */
	uint32_t	 lines;
};

struct grown *
grown_new(void)
{
	return mem_zalloc(1, sizeof(struct grown));
}

static void
grown_end(void *arg)
{
	struct grown	*g = arg;

	mem_free(g->cell);
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

/* ---- cells */

/* Double the length of a cell. */
static void
double_cells(struct grown *g)
{
	int64_t	base = g->base >> 1;

	for (uint32_t i = 0; i < g->lines; i++) {
		uint32_t	*line = &g->cell[(size_t)i * GROWN_CELLS];

		for (unsigned k = 0; k < GROWN_CELLS; k++) {
			unsigned	to = (unsigned)(((g->base + k) >> 1) - base);
			uint32_t	n = line[k];

			line[k] = 0;
			line[to] += n;		/* to <= k */
		}
	}
	g->base = base;
	g->last >>= 1;
	atomic_store(&g->shift, atomic_load(&g->shift) + 1);
}

/* Let the cells begin earlier. Those at the end must be empty. */
static void
move_cells(struct grown *g, int64_t base)
{
	size_t	by = (size_t)(g->base - base);

	for (uint32_t i = 0; i < g->lines; i++) {
		uint32_t	*line = &g->cell[(size_t)i * GROWN_CELLS];

		memmove(line + by, line, (GROWN_CELLS - by) * sizeof *line);
		memset(line, 0, by * sizeof *line);
	}
	g->base = base;
}

static void
more_lines(struct grown *g, uint32_t lines)
{
	size_t	old = (size_t)g->lines * GROWN_CELLS, n = (size_t)lines * GROWN_CELLS;

	g->cell = mem_realloc(g->cell, n, sizeof *g->cell);
	memset(g->cell + old, 0, (n - old) * sizeof *g->cell);
	g->lines = lines;
}

static bool
fits(const struct grown *g, int64_t cell)
{
	int64_t	first = cell < g->base ? cell : g->base, last = cell > g->last ? cell : g->last;

	return (uint64_t)last - (uint64_t)first < GROWN_CELLS;
}

static void
add_run(struct grown *g, const struct grown_run *r, unsigned shift)
{
	int64_t	cell = r->cell >> (atomic_load(&g->shift) - shift);

	if (r->thread >= LINES_MAX)
		return;
	if (r->thread >= g->lines)
		more_lines(g, r->thread + 1);
	if (!g->any)
		g->base = g->last = cell;
	g->any = true;
	for (; !fits(g, cell); cell >>= 1)
		double_cells(g);
	if (cell < g->base)
		move_cells(g, cell);
	if (cell > g->last)
		g->last = cell;
	g->cell[(size_t)r->thread * GROWN_CELLS + (size_t)(cell - g->base)] += r->n;
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct grown	*g = arg;
	struct grown_piece	*p = mem_zalloc(1, sizeof *p);

	p->shift = atomic_load(&g->shift);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct grown_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];
		struct grown_run		*r = p->n > 0 ? &p->run[p->n - 1] : NULL;
		int64_t			 cell = e->ts >> p->shift;

		if (r == NULL || r->thread != e->thread || r->cell != cell) {
			p->run = mem_grow(p->run, &p->cap, p->n + 1, sizeof *p->run);
			r = &p->run[p->n++];
			*r = (struct grown_run){ .thread = e->thread, .cell = cell };
		}
		r->n++;
	}
}

static void
piece_free(void *state)
{
	mem_free(((struct grown_piece *)state)->run);
	mem_free(state);
}

static int
piece_merge(void *arg, void *state)
{
	struct grown_piece	*p = state;

	for (size_t i = 0; i < p->n; i++)
		add_run(arg, &p->run[i], p->shift);
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
	mem_free(g->cell);
	g->cell = NULL;
	g->lines = 0;
	g->any = false;
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

/* The part that contains the middle of a cell. False: none. */
static bool
part_of(const struct grown *g, unsigned k, const struct grown_parts *to, unsigned *part)
{
	unsigned	shift = atomic_load(&g->shift);
	int64_t		from = (int64_t)((uint64_t)(g->base + k) << shift);
	int64_t		last = from + (int64_t)((UINT64_C(1) << shift) - 1);

	*part = view_part(from + ((last - from) >> 1), to->from, to->to, to->n);
	return from < to->to && last >= to->from;
}

void
grown_take(const struct grown *g, const struct grown_parts *to)
{
	unsigned	part;

	for (unsigned k = 0; g->any && k <= (uint64_t)g->last - (uint64_t)g->base; k++) {
		/* Events outside the window may have been counted. */
		bool	inside = part_of(g, k, to, &part);

		for (uint32_t i = 0; i < g->lines; i++) {
			uint32_t	c = g->cell[(size_t)i * GROWN_CELLS + k];

			if (i < to->lines)
				to->events[i] += c;
			if (!inside)
				continue;
			to->all[part] += c;
			if (i < to->lines)
				to->line[(size_t)i * to->n + part] += c;
		}
	}
}

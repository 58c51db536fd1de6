/*
 * Spans as bars.
 *
 *	window	 |------------|------------|------------|
 *	depth 0	<[==========outer======================]		< it began before
 *	depth 1	   [inner]  [..doubtful..]        [next]
 *	share	  0.6         1            0.2
 *
 * A span gets the first free depth: below the open spans that contain it, and beside those that
 * overlap.
 *
 * Invariant: bars of one depth of a thread do not overlap, except at the last depth.
 */
#include "ui/draw/bars.h"

#include "tnav/base/mem.h"
#include "tnav/engine/bins.h"

#define CELLS_MAX	(4u << 20)	/* of all lanes */
#define NEST		16u
#define NAMES_MOST	1024u
#define NAME_CELLS	6u		/* least width of a bar with a name */

/* Ends of a thread's open spans, by depth. */
struct bar_nest {
	bool		open[NEST];
	int64_t		end[NEST];
};

uint32_t
bars_lines(uint32_t threads, unsigned n)
{
	uint32_t	most = CELLS_MAX / ((n > 0 ? n : 1) * BARS_DEPTHS);

	return threads < most ? threads : most;
}

void
bars_init(struct bars *b, int64_t from, int64_t to, unsigned n, uint32_t lines)
{
	size_t	cells = (size_t)lines * BARS_DEPTHS * n;

	*b = (struct bars){ .from = from, .to = to, .n = n, .lines = lines };
	b->share = mem_zalloc(cells + 1, sizeof *b->share);
	b->flags = mem_zalloc(cells + 1, sizeof *b->flags);
	b->nest = mem_zalloc((size_t)lines + 1, sizeof *b->nest);
	b->named = mem_zalloc(NAMES_MOST, sizeof *b->named);
}

void
bars_release(struct bars *b)
{
	mem_free(b->share);
	mem_free(b->flags);
	mem_free(b->nest);
	mem_free(b->named);
	*b = (struct bars){ .n = 0 };
}

static size_t
place(const struct bars *b, uint32_t thread, unsigned depth)
{
	return ((size_t)thread * BARS_DEPTHS + depth) * b->n;
}

const float *
bars_share(const struct bars *b, uint32_t thread, unsigned depth)
{
	return b->share + place(b, thread, depth);
}

const uint8_t *
bars_flags(const struct bars *b, uint32_t thread, unsigned depth)
{
	return b->flags + place(b, thread, depth);
}

static unsigned
cell_of(const struct bars *b, int64_t ts)
{
	return time_bucket(ts, b->from, b->to, b->n);
}

/* Add what the span covers of each cell. */
static void
cover(const struct bars *b, float *share, int64_t from, int64_t to)
{
	double		scale = b->n / (double)((uint64_t)b->to - (uint64_t)b->from);
	double		x, y;
	unsigned	last = cell_of(b, to);

	x = (double)((uint64_t)from - (uint64_t)b->from) * scale;
	y = (double)((uint64_t)to - (uint64_t)b->from) * scale;
	for (unsigned i = cell_of(b, from); i <= last; i++) {
		double	lo = x > i ? x : i, hi = y < i + 1 ? y : i + 1;

		if (hi > lo)
			share[i] += (float)(hi - lo);
	}
}

static unsigned
take_depth(struct bars *b, const struct bar *one)
{
	struct bar_nest	*nest = &b->nest[one->thread];
	unsigned	 depth = 0;

	while (depth < NEST && nest->open[depth] && nest->end[depth] > one->from)
		depth++;
	if (depth < NEST && one->to > one->from) {
		nest->open[depth] = true;
		nest->end[depth] = one->to;
	}
	return depth;
}

static void
keep_name(struct bars *b, const struct bar *one, unsigned depth, unsigned first, unsigned last)
{
	if (last - first < NAME_CELLS || b->nnamed == NAMES_MOST)
		return;
	b->named[b->nnamed++] = (struct named_bar){ .thread = one->thread, .name = one->name,
	    .depth = (uint16_t)depth, .first = (uint16_t)first, .n = (uint16_t)(last - first) };
}

static void
set_flags(struct bars *b, const struct bar *one, uint8_t *flags, unsigned first, unsigned last)
{
	for (unsigned i = first; i <= last; i++)
		flags[i] |= (uint8_t)(one->flags & BAR_DOUBTFUL);
	if ((one->flags & BAR_FROM_BEFORE) != 0 || one->from < b->from)
		flags[first] |= BAR_FROM_BEFORE;
	if ((one->flags & BAR_GOES_ON) != 0 || one->to > b->to)
		flags[last] |= BAR_GOES_ON;
}

void
bars_add(struct bars *b, const struct bar *one)
{
	unsigned	depth = take_depth(b, one), first, last;
	int64_t		from = one->from > b->from ? one->from : b->from;
	int64_t		to = one->to < b->to ? one->to : b->to;
	bool		is_point = one->to == one->from;

	if (depth >= b->depths)
		b->depths = depth < BARS_DEPTHS ? depth + 1 : BARS_DEPTHS;
	if (depth >= BARS_DEPTHS || to < from || (to == from && !is_point))
		return;
	first = cell_of(b, from);
	/* A span that ends where a cell begins covers nothing of it. */
	last = cell_of(b, is_point ? to : to - 1);
	if (!is_point)
		cover(b, b->share + place(b, one->thread, depth), from, to);
	set_flags(b, one, b->flags + place(b, one->thread, depth), first, last);
	if (one->from < b->to)
		keep_name(b, one, depth, first, cell_of(b, to));
}

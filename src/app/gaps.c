/*
 * The gaps that a subcommand prints, with their places between rows.
 *
 *	row 7 (after)	| gap |	row 8		placed before row 8
 */
#include "app/gaps.h"

#include "app/pass.h"
#include "tnav/base/buf.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/out/message.h"

static bool
neighbour_matches(struct run *s, int64_t ts, uint64_t off)
{
	struct event	e;
	uint64_t	row;

	return off != 0 && trace_row_of(s->t, ts, off, &row) == 1 &&
	    trace_event(s->t, row, &e) == 1 && filter_match(s->sel.eval, &e);
}

static bool
gap_meant(struct run *s, const struct gap *g)
{
	const struct pass_options	o = run_pass_options(s);

	if (!gap_touches(g, &o))
		return false;
	if (s->sel.eval == NULL)
		return true;
	return (g->has_prev && neighbour_matches(s, g->prev_ts, g->prev_off)) ||
	    neighbour_matches(s, g->to, g->next_off);
}

SORT_ORDER(by_row, struct placed_gap, RISING(row) RISING(gap))

size_t
run_gaps(struct run *s, struct gap **all, struct placed_gap **out)
{
	size_t			 n = trace_gaps(s->t, all), kept = 0;
	struct placed_gap	*p = mem_zalloc(n + 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		struct gap	*g = &(*all)[i];

		if (!gap_meant(s, g))
			continue;
		p[kept].gap = g;
		p[kept].looked = true;
		p[kept].has_after = g->has_prev &&
		    trace_row_of(s->t, g->prev_ts, g->prev_off, &p[kept].after) == 1;
		p[kept].row = p[kept].has_after ? p[kept].after + 1 :
		    trace_row_at(s->t, g->from);
		kept++;
	}
	*out = p;
	return kept;
}

void
gaps_sort_by_row(struct placed_gap *p, size_t n)
{
	sort_array(p, n, sizeof *p, by_row);
}

void
run_tell_unnumbered(struct run *s)
{
	if (!trace_has(s->t, HAS_NUMBERS))
		message_put("%s: the format has no sequence numbers: lost events cannot be "
		    "detected", run_name(s));
}

void
run_tell_loss(struct run *s)
{
	const struct pass_options	o = run_pass_options(s);
	uint64_t			lost = gaps_lost(s->t, &o);
	struct buf			n = { 0 };

	if (lost == 0)
		return;
	buf_grouped(&n, lost);
	message_put("%s: %s event%s lost%s: counts are lower bounds", run_name(s), buf_str(&n),
	    lost == 1 ? "" : "s", pass_is_bounded(&o) ? " in this time range" : "");
	buf_release(&n);
}

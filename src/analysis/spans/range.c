/*
 * The spans that are asked for.
 *
 *	records		|  1  |  2  |  3  |  4  |  5  |  6  |	in the order of their first events
 *	range		      from ------------------ to
 *	filter			 yes    no    yes
 *	taken			  2            4
 *
 * Where the rows of a trace are not in the order of time (Heph) all records are looked at.
 */
#include "analysis/spans/range.h"

struct span_range
span_range_of(const struct spans *s, const struct spans_table_of *of)
{
	return (struct span_range){ .s = s, .from = of->windowed ? of->from : INT64_MIN,
	    .to = of->windowed ? of->to : INT64_MAX };
}

static bool
is_filtered_out(const struct span_range *w, const struct span_record *r)
{
	uint64_t	row = r->row != SPAN_NO_ROW ? r->row : r->stop_row;
	struct event	e;

	return w->eval != NULL && (trace_event(w->s->t, row, &e) != 1 ||
	    !filter_match_row(w->eval, &e, row));
}

static bool
is_stopped(const struct span_range *w)
{
	return w->stop != NULL && atomic_load_explicit(w->stop, memory_order_relaxed);
}

/* Those of a run of records, of which the first is span i; false: the rest begins later, too. */
static bool
run_each(const struct span_range *w, uint64_t i, const struct span_record *r, size_t run,
    span_take_fn take, void *arg)
{
	bool	before = true;

	for (size_t k = 0; k < run && !is_stopped(w); k++, r++) {
		int64_t	at = r->row != SPAN_NO_ROW ? r->start : r->stop;

		before = at < w->to || w->to == INT64_MAX;
		if (!before && trace_ordered(w->s->t))
			return false;
		if ((r->flags & SPAN_CHOSEN) != 0 && at >= w->from && before &&
		    !is_filtered_out(w, r))
			take(arg, i + k, r);
	}
	return true;
}

void
span_range_each(const struct span_range *w, span_take_fn take, void *arg)
{
	uint64_t	count = spans_count(w->s), i = 0;
	size_t		run;

	if (w->from > INT64_MIN && trace_ordered(w->s->t))
		i = spans_from_moment(w->s, w->from, 0, 0);
	for (; i < count && !is_stopped(w); i += run) {
		const struct span_record	*r = scratch_run(w->s->record, i, &run);

		if (!run_each(w, i, r, run, take, arg))
			return;
	}
}

/*
 * Spans as they are read: by number, by the row of an event, with the gap that explains a state.
 *
 *	records	[0][1][2][3] ...	by the row of the first known event
 *	stops	[1][0][3] ...		by the row of the event that ends them
 *
 * Invariant: nothing here changes them, so that any thread may ask.
 */
#include "analysis/spans/private.h"
#include "analysis/spans/loss.h"
#include "analysis/spans/states.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

uint64_t
spans_count(const struct spans *s)
{
	return scratch_n(s->record);
}

size_t
spans_bytes(const struct spans *s)
{
	return scratch_n(s->record) * sizeof(struct span_record) +
	    scratch_n(s->stop) * sizeof(struct span_stop) + sizeof *s;
}

uint64_t
spans_found(const struct spans *s)
{
	return s->count;
}

const struct span_record *
spans_at(const struct spans *s, uint64_t i)
{
	return scratch_at(s->record, i);
}

bool
spans_dur(const struct spans *s, const struct span_record *r, int64_t *dur)
{
	if (r->state != SPAN_PAIRED)
		return false;
	*dur = spans_time(s, r->start, r->stop);
	return true;
}

uint32_t
spans_names(const struct spans *s)
{
	return names_n(s->names);
}

const struct span_name *
spans_name(const struct spans *s, uint32_t i)
{
	return names_at(s->names, i);
}

const char *
span_state_name(unsigned state)
{
	static const char *const	name[SPAN_STATES] = {
		[SPAN_PAIRED] = "paired", [SPAN_OPEN] = "open",
		[SPAN_LOST_IN_GAP] = "lostInGap", [SPAN_REPLACED] = "replaced",
		[SPAN_ORPHAN] = "orphan", [SPAN_ORPHAN_AFTER_GAP] = "orphanAfterGap",
		[SPAN_ORPHAN_WITHOUT_ID] = "orphanWithoutId",
	};

	return state < SPAN_STATES ? name[state] : "";
}

static uint64_t
first_row(const struct span_record *r)
{
	return r->row != SPAN_NO_ROW ? r->row : r->stop_row;
}

uint64_t
spans_from_row(const struct spans *s, uint64_t row)
{
	uint64_t	at = 0;

	BISECT(at, spans_count(s), i, first_row(spans_at(s, i)) < row);
	return at;
}

static bool
is_before(const struct span_record *r, int64_t ts, uint64_t off)
{
	int64_t	at = r->row != SPAN_NO_ROW ? r->start : r->stop;

	return at != ts ? at < ts : r->off < off;
}

uint64_t
spans_from_moment(const struct spans *s, int64_t ts, uint64_t off, uint64_t near)
{
	uint64_t	at = 0, n = spans_count(s), step = 1, row;

	/* Rows that break the order of time can't be searched for one. */
	if (!trace_ordered(s->t))
		return trace_row_of(s->t, ts, off, &row) == 1 ? spans_from_row(s, row) : n;
	if (near > 0 && near <= n && is_before(spans_at(s, near - 1), ts, off))
		at = near;
	for (; at + step < n && is_before(spans_at(s, at + step), ts, off); step *= 2)
		at += step;
	if (step < n - at)
		n = at + step;
	BISECT(at, n, i, is_before(spans_at(s, i), ts, off));
	return at;
}

/* Where it is last seen. */
static int64_t
end_of(const struct span_record *r)
{
	return r->state == SPAN_PAIRED || r->row == SPAN_NO_ROW ? r->stop : r->start;
}

void
reach_make(struct spans *s)
{
	uint64_t	n = spans_count(s);

	mem_free(s->reach);
	s->reach = mem_alloc((size_t)(n / SPAN_BLOCK + 1) * sizeof *s->reach);
	for (uint64_t i = 0; i < n; i += SPAN_BLOCK) {
		size_t				 run;
		const struct span_record	*r = scratch_run(s->record, i, &run);
		int64_t				 reach = end_of(r);

		for (size_t k = 1; k < run && k < SPAN_BLOCK; k++)
			reach = end_of(&r[k]) > reach ? end_of(&r[k]) : reach;
		s->reach[i / SPAN_BLOCK] = reach;
	}
}

uint64_t
spans_reaching(const struct spans *s, uint64_t i, int64_t ts)
{
	uint64_t	n = spans_count(s);

	while (i < n && s->reach[i / SPAN_BLOCK] < ts)
		i = (i / SPAN_BLOCK + 1) * SPAN_BLOCK;
	return i < n ? i : n;
}

static const struct span_record *
stopped_at(const struct spans *s, uint64_t i)
{
	const struct span_stop	*st = scratch_at(s->stop, i);

	return spans_at(s, st->span);
}

bool
spans_stop_at(const struct spans *s, uint64_t row, uint64_t *span)
{
	uint64_t	n = scratch_n(s->stop), at = 0;

	BISECT(at, n, i, stopped_at(s, i)->stop_row < row);
	if (at == n || stopped_at(s, at)->stop_row != row)
		return false;
	*span = ((const struct span_stop *)scratch_at(s->stop, at))->span;
	return true;
}

static bool
stops_before(const struct spans *s, uint64_t i, int64_t ts, uint64_t off)
{
	const struct span_stop	*st = scratch_at(s->stop, i);
	int64_t			 at = spans_at(s, st->span)->stop;

	return at != ts ? at < ts : st->off < off;
}

uint64_t
spans_stop_from(const struct spans *s, int64_t ts, uint64_t off)
{
	uint64_t	at = 0;

	BISECT(at, scratch_n(s->stop), i, stops_before(s, i, ts, off));
	return at;
}

const struct span_losses *
record_losses(const struct spans *s, const struct span_record *r)
{
	return s->losses[trace_thread_source(s->t, r->thread != EVENT_NONE ? r->thread :
	    r->stop_thread)];
}

bool
spans_gap(const struct spans *s, const struct span_record *r, struct span_gap *out)
{
	bool			by_thread = (r->flags & SPAN_BY_THREAD) != 0;
	const struct span_losses *losses = record_losses(s, r);
	struct loss_query	a = { .thread = EVENT_NONE };

	a.has_from = r->row != SPAN_NO_ROW;
	a.has_to = r->stop_row != SPAN_NO_ROW || (r->flags & SPAN_UNTIL) != 0;
	a.last = !a.has_from;
	if ((r->state == SPAN_PAIRED && !by_thread) || !losses_any(losses))
		return false;
	if (by_thread)
		a.thread = a.has_from && r->state != SPAN_PAIRED ? r->thread : r->stop_thread;
	if (a.has_from)
		a.from = trace_ns(s->t, r->start);
	if (a.has_to)
		a.to = trace_ns(s->t, r->stop);
	out->candidates = losses_find(losses, &a, &out->gap);
	return out->candidates > 0;
}

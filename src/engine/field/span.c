/*
 * Fields of the spans that an event begins or ends.
 *
 *	dur self span.name span.label span.state span.depth	spans that it begins
 *	stop.dur					spans that it ends
 *
 * An event may begin several spans: each is a value of its own, the longest first. If events have
 * durations themselves (Heph), dur is the event's own duration.
 *
 * Invariant: without a source no event has any of these fields, except for durations of events.
 */
#include "engine/field/span.h"

#include "engine/field/reader.h"

bool
field_is_span(const struct field_def *d, struct trace *t)
{
	return d->span != NULL && (d->needs == 0 || !trace_has(t, d->needs));
}

unsigned
span_infos(struct trace *t, const struct field_def *d, const struct event *e, uint64_t row,
    struct span_info *out)
{
	const struct span_source	*s = trace_lent(t, DERIVED_SPANS);

	if (s == NULL)
		return 0;
	return s->at(s->self, e, row, (d->flags & FIELD_STOP) != 0, out, SPANS_AT_EVENT);
}

struct cell
span_cell(struct trace *t, const struct field_def *d, const struct span_info *i, struct buf *text)
{
	struct cell	c = cell_none();

	d->span(t, i, text, &c);
	return c;
}

void
get_span(struct field_reader *r, const struct field_def *d, const struct event *e, struct cell *c)
{
	struct span_info	info[SPANS_AT_EVENT];
	unsigned		n = span_infos(r->t, d, e, r->event_row, info);

	if (n == 0)
		return;
	*c = span_cell(r->t, d, &info[0], &r->at->text);
	if (n > 1 && c->kind != CELL_NONE)
		c->show |= SHOW_MANY;
}

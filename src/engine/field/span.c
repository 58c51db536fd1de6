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
span_infos(struct trace *t, const struct event *e, uint64_t row, bool stop,
    struct span_info *out)
{
	const struct span_source	*s = trace_lent(t, DERIVED_SPANS);

	if (s == NULL)
		return 0;
	return s->at(s->self, e, row, stop, out, SPANS_AT_EVENT);
}

void
get_span(struct field_reader *r, const struct event *e, uint64_t row, bool stop,
    span_cell_fn fn, struct cell *c)
{
	struct span_info	info[SPANS_AT_EVENT];
	unsigned		n = span_infos(r->t, e, row, stop, info);

	if (n == 0)
		return;
	fn(r->t, &info[0], &r->at->text, c);
	if (n > 1 && c->kind != CELL_NONE)
		c->show |= SHOW_MANY;
}

void
span_dur(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t;
	(void)text;
	if (i->has_dur)
		*c = cell_dur(i->dur);
}

void
span_self(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t;
	(void)text;
	if (i->has_dur)
		*c = cell_dur(i->self);
}

void
span_name(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t;
	(void)text;
	*c = cell_str(i->name);
}

void
span_label(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	const struct span_source	*s = trace_lent(t, DERIVED_SPANS);
	size_t				 at = text->len;

	s->label(s->self, i->span, text);
	*c = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf_from(text, at) };
}

void
span_state(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t;
	(void)text;
	*c = cell_str(i->state);
}

void
span_depth(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t;
	(void)text;
	*c = cell_u64(i->depth);
}

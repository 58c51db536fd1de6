/*
 * Spans lent to the engine, for the fields dur, self, span.name and so on of events.
 *
 *	event (ts, off)	-> records with that first event	-> what it begins, longest first
 *			-> stops with that event		-> what it ends
 */

#include "analysis/spans/label.h"
#include "analysis/spans/private.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/field.h"

static void
info_fill(const struct spans *s, uint64_t span, struct span_info *out)
{
	const struct span_record	*r = spans_at(s, span);

	*out = (struct span_info){ .name = spans_name(s, r->name)->group, .span = span,
	    .state = span_state_name(r->state), .self = r->self, .depth = r->depth };
	if ((r->flags & SPAN_NATIVE) != 0)
		out->name = spans_name(s, r->name)->name;
	out->has_dur = spans_dur(s, r, &out->dur);
}

SORT_ORDER(by_length, struct span_info, FALLING(has_dur) FALLING(dur))

static unsigned
begun_at(const struct spans *s, const struct event *e, uint64_t row, struct span_info *out,
    unsigned max)
{
	uint64_t	i = row != ROW_UNKNOWN ? spans_from_row(s, row) :
			    spans_from_moment(s, e->ts, e->off, 0);
	unsigned	n = 0;

	for (; i < spans_count(s) && n < max; i++) {
		const struct span_record	*r = spans_at(s, i);

		if (r->off != e->off)
			break;
		if (r->row != SPAN_NO_ROW)
			info_fill(s, i, &out[n++]);
	}
	return n;
}

static unsigned
ended_at(const struct spans *s, const struct event *e, struct span_info *out, unsigned max)
{
	uint64_t	i = spans_stop_from(s, e->ts, e->off);
	unsigned	n = 0;

	for (; i < scratch_n(s->stop) && n < max; i++) {
		const struct span_stop		*st = scratch_at(s->stop, i);
		const struct span_record	*r = spans_at(s, st->span);

		if (st->off != e->off)
			break;
		if (r->row != SPAN_NO_ROW)
			info_fill(s, st->span, &out[n++]);
	}
	return n;
}

static void
source_label(void *self, uint64_t span, struct buf *out)
{
	const struct spans	*s = self;

	spans_label(s, spans_at(s, span), out);
}

static unsigned
source_at(void *self, const struct event *e, uint64_t row, bool stop, struct span_info *out,
    unsigned max)
{
	const struct spans	*s = self;
	unsigned		 n;

	if (e->type < s->nroles && (s->role[e->type] & (stop ? ROLE_STOP : ROLE_START)) == 0)
		return 0;
	n = stop ? ended_at(s, e, out, max) : begun_at(s, e, row, out, max);
	sort_array(out, n, sizeof *out, by_length);
	return n;
}

/* By name: a label may say another opcode. */
static uint8_t
role_of(const struct class_use *u)
{
	if (u->pair == PAIR_BY_NAME)
		return ROLE_START | ROLE_STOP;
	return u->stop ? ROLE_STOP : ROLE_START;
}

/* What types may begin and end: most events are of no such type. */
static void
roles_make(struct spans *s)
{
	uint32_t	n = trace_types(s->t);

	mem_free(s->role);
	s->role = mem_zalloc((size_t)n + 1, sizeof *s->role);
	s->nroles = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct type_class	*c = classes_get(s->classes, i);

		for (unsigned k = 0; k < c->n; k++)
			s->role[i] |= role_of(&c->use[k]);
	}
}

void
spans_prepare(struct spans *s)
{
	roles_make(s);
	s->source = (struct span_source){ .self = s, .at = source_at, .label = source_label };
}

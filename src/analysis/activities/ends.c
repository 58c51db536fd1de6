/*
 * Where the first start of an activity ends, as far as the activity's own events tell. The pass
 * that finds activities sees these, in any order; to pair all spans, the trace is read again, and
 * sorted.
 *
 *	activity A	Start X ... Stop X ... Start X ... Stop X
 *			at	    stop       again
 *
 * Only spans whose key is the activity alone are looked at. The first stop ends the first start by
 * every rule if it comes after it, is of its pair, and no second start comes before it. Without any
 * stop the start stays open, unless a stop that lacks its id may be its (spans/strays.c). All other
 * activities are left to pairing.
 *
 * Invariant: what is decided here is what pairing would find.
 */
#include "analysis/activities/private.h"
#include "analysis/spans/private.h"
#include "analysis/spans/states.h"
#include "tnav/base/array.h"

/* ---- types */

/* The one pair that events of the type belong to, if its key is the activity; or NULL. */
static const struct class_use *
use_by_activity(const struct type_class *c)
{
	const struct class_use	*u = c->use;

	return c->n == 1 && u->nparts == 1 && u->part[0].kind == PART_ACTIVITY && u->when == NULL ?
	    u : NULL;
}

/* The same, if events of the type start something. */
static const struct class_use *
start_by_activity(const struct type_class *c)
{
	const struct class_use	*u = use_by_activity(c);

	/* By name: the opcode of a first start is 1. */
	return u != NULL && (u->pair == PAIR_BY_NAME || !u->stop) ? u : NULL;
}

static bool
knows_activities(const struct type_class *c)
{
	for (unsigned i = 0; i < c->n; i++)
		for (unsigned k = 0; k < c->use[i].nparts; k++)
			if (c->use[i].part[k].kind == PART_ACTIVITY)
				return true;
	return false;
}

/* Starts with another opcode than 1 are none for activities. */
static enum end_role
role_by_opcode(const struct class_use *u, unsigned opcode)
{
	bool	stop = u->stop;

	if (u->pair == PAIR_BY_NAME && !class_by_opcode(u, opcode, &stop))
		return END_NOTHING;
	if (opcode != (stop ? 2 : 1))
		return END_MIXED;
	return stop ? END_STOP : END_START;
}

void
ends_roles(struct spans *s, uint32_t type, uint8_t role[END_OPCODES])
{
	const struct type_class	*c = spans_class(s, type);
	const struct class_use	*u = use_by_activity(c);

	for (unsigned i = 0; i < END_OPCODES; i++) {
		if (u != NULL)
			role[i] = (uint8_t)role_by_opcode(u, i);
		else
			role[i] = knows_activities(c) ? END_MIXED : END_NOTHING;
	}
}

/* ---- spans */

void
activity_span(const struct activities *a, struct activity *v, const struct span_record *r)
{
	v->has_span = true;
	v->state = r->state;
	v->end = r->stop;
	if (!spans_dur(a->own, r, &v->self))
		v->self = 0;
}

bool
activity_dur(const struct activities *a, const struct activity *v, int64_t *dur)
{
	const struct span_record	r = { .start = v->at.ts, .stop = v->end,
					    .state = v->state };

	return v->has_span && spans_dur(a->own, &r, dur);
}

/* ---- activities */

/* All was read: no other thread asks. */
static const struct type_class *
class_of(const struct activities *a, uint32_t type)
{
	return classes_get(a->own->classes, type);
}

/* The first stop ends the first start. */
static bool
is_paired(const struct activities *a, const struct activity *v)
{
	const struct class_use	*start, *stop;

	if (v->mixed || v->creator == ACTIVITY_NONE || v->stopper == ACTIVITY_NONE ||
	    !moment_before(&v->at, &v->stop) || v->stop.ts >= v->again)
		return false;
	start = start_by_activity(class_of(a, v->creator));
	stop = use_by_activity(class_of(a, v->stopper));
	return start != NULL && stop != NULL && start->pair == stop->pair &&
	    start->base == stop->base;
}

/* None of its stops lacks a start. */
static bool
is_whole(const struct activities *a, const struct activity *v)
{
	return !v->mixed && (v->stops == 0 || (v->stops == 1 && is_paired(a, v)));
}

/* Nothing ends the first start: no stop or start of its own, and no stop that has no id, or that of
   what is around it. */
static bool
is_open(const struct activities *a, const struct activity *v)
{
	const struct class_use	*start = start_by_activity(class_of(a, v->creator));
	const struct links	*l = &a->all.related;
	uint64_t		 at = 0;

	if (v->mixed || v->stopper != ACTIVITY_NONE || a->all.strays > 0 ||
	    trace_sources(a->t) > 1 || start == NULL ||
	    (start->rule == SPAN_ONE && v->again != INT64_MAX))
		return false;
	BISECT(at, l->n, i, l->v[i].a < v - a->all.v);
	for (; at < l->n && l->v[at].a == v - a->all.v; at++)
		if (!is_whole(a, &a->all.v[l->v[at].b]))
			return false;
	return true;
}

bool
ends_decide(struct activities *a, struct activity *v)
{
	struct span_record	r = { .start = v->at.ts, .stop_row = SPAN_NO_ROW };

	if (v->creator == ACTIVITY_NONE || class_of(a, v->creator)->n == 0)
		return true;
	if (is_paired(a, v)) {
		r.state = SPAN_PAIRED;
		r.stop = v->stop.ts;
	} else if (is_open(a, v)) {
		r.thread = v->thread;
		record_leave(a->own, &r);
	} else {
		return false;
	}
	activity_span(a, v, &r);
	return true;
}

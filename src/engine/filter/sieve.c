/*
 * Where in a trace a filter can't match.
 *
 *	record	[ types: 3 x A, 9 x B ]		A: no, B: no	-> none of its segments is decoded
 *		[segment][segment]
 *
 * Invariant: where it says no, filter_match() says no for every event.
 */
#include "engine/filter/sieve.h"

#include "tnav/base/mem.h"

#define TYPES_ASKED	TYPES_KEPT

struct sieve {
	const struct filter	*f;
	struct filter_eval	*eval;
	struct trace		*t;
	uint32_t		 record;	/* that may_be is about, + 1; 0: none yet */
	bool			 may_be;
};

struct sieve *
sieve_new(const struct filter *f, struct filter_eval *e, struct trace *t)
{
	struct sieve	*s = mem_zalloc(1, sizeof *s);

	s->f = f;
	s->eval = e;
	s->t = t;
	return s;
}

void
sieve_free(struct sieve *s)
{
	mem_free(s);
}

/* May an event of one of the record's types match? */
static bool
record_may(struct sieve *s, uint32_t record)
{
	uint32_t	type[TYPES_ASKED], n;

	lock_take(s->t->lock);
	const struct record	*r = segvec_at(&s->t->index.records, record);

	n = r->ntypes;
	for (uint32_t i = 0; n != TYPES_UNKNOWN && i < n; i++)
		type[i] = ((struct type_count *)segvec_at(&s->t->index.type_counts,
		    r->types0 + i))->type;
	lock_drop(s->t->lock);
	if (n == TYPES_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (filter_type_verdict(s->eval, type[i]) != 0)
			return true;
	return false;
}

bool
sieve_segment(struct sieve *s, const struct segment *g)
{
	if (s->record != g->record + 1) {
		s->may_be = record_may(s, g->record);
		s->record = g->record + 1;
	}
	return s->may_be;
}

uint32_t
sieve_events(struct sieve *s, const struct event *ev, uint32_t *at, uint32_t n)
{
	(void)s;
	(void)ev;
	(void)at;
	return n;
}

/*
 * Parents in other traces, by W3C ids.
 *
 *	A	//1/2		request		 ids of its Activity/Start: trace T, span S
 *	  A	//1/2/1		HttpRequestOut	 S
 *	    B	  //1/7		request		 its Activity/Start says: trace T, part of S
 *	      B	  //1/7/1	HttpRequestIn
 *
 * The request around the Activity/Start of the one that received it belongs to the span that sent
 * it. Only several joined traces are looked at: in one the runtime's own ids tell.
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "analysis/facts/facts.h"
#include "analysis/reports/remote.h"
#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

/* A span of a request: the entry of its activity, and of the one around it, or ACTIVITY_NONE. */
struct remote_span {
	struct request_ids	ids;
	uint32_t		own, around;
};

struct remotes {
	struct activities	*a;
	uint32_t		 source;
	struct remote_span	*v;
	size_t			 n, cap;
	struct hashtable	 sent;		/* by span */
	uint64_t		 seed;
};

static uint64_t
span_hash(const struct remotes *x, const uint8_t span[8])
{
	return hash_bytes(x->seed, span, sizeof x->v->ids.span);
}

static uint32_t
entry_of(const struct remotes *x, const uint8_t guid[16])
{
	uint8_t	id[24] = { [ACTIVITY_SOURCE] = (uint8_t)x->source };

	memcpy(id, guid, 16);
	return found_find(&x->a->all, ACTIVITY_ID, id);
}

static void
add_start(void *self, const struct fact *f)
{
	struct remotes		*x = self;
	struct remote_span	 s = { .own = ACTIVITY_NONE, .around = ACTIVITY_NONE };

	if (f->activity == NULL || !request_ids_read(x->a->t, f->ev, &s.ids))
		return;
	s.own = entry_of(x, f->activity);
	if (f->related != NULL)
		s.around = entry_of(x, f->related);
	if (s.own == ACTIVITY_NONE)
		return;
	x->v = mem_grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n] = s;
	if (!s.ids.server)
		hashtable_add(&x->sent, span_hash(x, s.ids.span), (uint32_t)x->n);
	x->n++;
}

/* The activity that sent it, of another trace; or ACTIVITY_NONE. */
static uint32_t
find_sent(const struct remotes *x, const struct remote_span *s)
{
	const struct activity	*v = x->a->all.v;
	uint64_t		 hash = span_hash(x, s->ids.parent);
	size_t			 at = 0;

	for (uint32_t *i; (i = hashtable_next(&x->sent, hash, &at)) != NULL; ) {
		const struct remote_span	*y = &x->v[*i];

		if (memcmp(y->ids.span, s->ids.parent, sizeof y->ids.span) == 0 &&
		    memcmp(y->ids.trace, s->ids.trace, sizeof y->ids.trace) == 0 &&
		    v[y->own].id[ACTIVITY_SOURCE] != v[s->own].id[ACTIVITY_SOURCE])
			return y->own;
	}
	return ACTIVITY_NONE;
}

static void
set_parents(struct remotes *x)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct remote_span	*s = &x->v[i];
		struct activity			*v = x->a->all.v;
		uint32_t			 sent = ACTIVITY_NONE, top = s->own;

		if (s->ids.server)
			sent = find_sent(x, s);
		if (s->around != ACTIVITY_NONE && v[s->own].parent == s->around)
			top = s->around;
		if (sent != ACTIVITY_NONE)
			v[top].parent = v[top].up = sent;
	}
}

void
remotes_find(struct activities *a)
{
	static const struct fact_def	 defs[] = {
		{ 0, "Microsoft-Diagnostics-DiagnosticSource", FACT_BY_NAME, "Activity/Start",
		    { NULL }, FACT_ACTIVITY, NULL },
		{ .provider = NULL },
	};
	struct remotes			 x = { .a = a, .seed = hash_seed() };
	const struct fact_reader	 reader = { .def = defs, .add = add_start, .self = &x };
	struct report_run		 run = { .t = a->t };
	struct pass_result		 result;

	if (trace_sources(a->t) == 1 || facts_count(defs, a->t) == 0)
		return;
	hashtable_init(&x.sent);
	for (; x.source < trace_sources(a->t); x.source++) {
		run.home = trace_source(a->t, x.source);
		run.o.source = x.source;
		(void)facts_read(&run, &reader, 1, &result);	/* nothing cancels it */
	}
	set_parents(&x);
	hashtable_release(&x.sent);
	mem_free(x.v);
}

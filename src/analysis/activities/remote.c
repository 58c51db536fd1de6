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
#include "analysis/activities/private.h"
#include "analysis/facts/facts.h"
#include "analysis/reports/remote.h"
#include "tnav/base/mem.h"

/* A request that was received: the entry of its activity, and of the one around it, or
   ACTIVITY_NONE. */
struct remote_span {
	struct request_ids	ids;
	uint32_t		own, around, source;
};

struct remotes {
	struct activities	*a;
	uint32_t		 source;
	struct remote_span	*v;		/* received */
	size_t			 n, cap;
	struct sent_spans	 sent;
};

static void
add_start(void *self, const struct fact *f)
{
	struct remotes		*x = self;
	struct remote_span	 s = { .around = ACTIVITY_NONE, .source = x->source };

	if (f->activity == NULL || !request_ids_read(x->a->t, f->ev, &s.ids))
		return;
	s.own = found_activity(&x->a->all, x->source, f->activity);
	if (f->related != NULL)
		s.around = found_activity(&x->a->all, x->source, f->related);
	if (s.own == ACTIVITY_NONE)
		return;
	if (!s.ids.server) {
		sent_add(&x->sent, &s.ids, x->source, s.own);
		return;
	}
	ARRAY_ADD(x->v, x->n, x->cap, s);
}

static void
set_parents(struct remotes *x)
{
	struct activity	*v = x->a->all.v;

	for (size_t i = 0; i < x->n; i++) {
		const struct remote_span	*s = &x->v[i];
		const struct sent_span		*by = sent_find(&x->sent, &s->ids, s->source);
		uint32_t			 top = s->own;

		if (s->around != ACTIVITY_NONE && v[s->own].parent == s->around)
			top = s->around;
		if (by != NULL)
			v[top].parent = v[top].up = by->number;
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
	struct remotes			 x = { .a = a };
	const struct fact_reader	 reader = { .def = defs, .add = add_start, .self = &x };
	struct report_run		 run = { .t = a->t };
	struct pass_result		 result;

	if (trace_sources(a->t) == 1 || facts_count(defs, a->t) == 0)
		return;
	for (; x.source < trace_sources(a->t); x.source++) {
		run.home = trace_source(a->t, x.source);
		run.o.source = x.source;
		(void)facts_read(&run, &reader, 1, &result);	/* nothing cancels it */
	}
	set_parents(&x);
	sent_release(&x.sent);
	mem_free(x.v);
}

/*
 * What the threads ran around a time, by their samples.
 *
 *	samples		  x       x |  pause  |  x       x
 *	of the thread		  ^ nearest: what it ran
 *
 * Invariant: at most RAN_ROWS rows are read, and RAN_THREADS threads are kept.
 */
#include "analysis/reports/ran.h"

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define RAN_ROWS	131072u
#define RAN_THREADS	1024u
#define MANAGED		2u		/* type of a sample */

enum { RAN_KINDS };

static const struct fact_def	samples[] = { RAN_FACTS };

struct ran_search {
	struct report_state	*s;
	int64_t			 from, to;
	struct ran		*v;
	size_t			 n;
};

static struct ran *
ran_of(struct ran_search *x, uint32_t thread, int64_t away)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].thread == thread)
			return x->v[i].away > away ? &x->v[i] : NULL;
	return x->n < RAN_THREADS ? &x->v[x->n++] : NULL;
}

static void
add_sample(void *arg, const struct fact *f)
{
	struct ran_search	*x = arg;
	uint64_t		 ips[LIMIT_STACK_FRAMES];
	struct fact		 with = *f;
	int64_t			 ns = trace_ns(x->s->run->t, f->ev->ts), away = 0;
	struct ran		*r;

	if (ns < x->from)
		away = sub_i64(x->from, ns);
	else if (ns > x->to)
		away = sub_i64(ns, x->to);
	r = ran_of(x, f->ev->thread, away);
	if (r == NULL)
		return;
	with.ips = ips;
	with.nips = trace_stack(x->s->run->t, f->ev, ips, LIMIT_STACK_FRAMES);
	*r = (struct ran){ .thread = f->ev->thread, .ts = f->ev->ts, .off = f->ev->off,
	    .managed = f->kind == OF_KERNEL || fact_u64(f, 0) == MANAGED, .away = away,
	    .method = fact_source(x->s, &with, collector_methods) };
}

size_t
ran_find(struct report_state *s, int64_t from, int64_t to, struct ran **out)
{
	struct trace		*t = s->run->t;
	struct ran_search	 x = { .s = s, .from = from, .to = to };
	uint64_t		 row = trace_row_at(t, trace_ts(t, sub_i64(from, RAN_NEAR_NS)));
	int64_t			 end = trace_ts(t, add_i64(to, RAN_NEAR_NS));
	struct event		 e;

	x.v = mem_zalloc(RAN_THREADS, sizeof *x.v);
	for (uint32_t n = 0; n < RAN_ROWS; n++, row++) {
		if (trace_event(t, row, &e) != 1 || e.ts > end)
			break;
		if (event_source(&e) == s->run->o.source)
			facts_event(t, samples, &e, add_sample, &x);
	}
	*out = x.v;
	return x.n;
}

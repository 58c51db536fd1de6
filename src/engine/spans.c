/*
 * The sources of spans and activities that were lent to a trace.
 */
#include "tnav/engine/spans.h"

#include "engine/index/index.h"

void
trace_set_spans(struct trace *t, const struct span_source *s)
{
	lock_take(t->lock);
	atomic_store(&t->spans, s);
	atomic_fetch_add(&t->generation, 1);
	lock_drop(t->lock);
}

void
trace_set_activities(struct trace *t, const struct activity_source *s)
{
	lock_take(t->lock);
	atomic_store(&t->activities, s);
	atomic_fetch_add(&t->generation, 1);
	lock_drop(t->lock);
}

const struct activity_source *
trace_activities(struct trace *t)
{
	return atomic_load_explicit(&t->activities, memory_order_acquire);
}

const struct span_source *
trace_spans(struct trace *t)
{
	return atomic_load_explicit(&t->spans, memory_order_acquire);
}

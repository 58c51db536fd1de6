/*
 * The sources of derived facts that were lent to a trace.
 */
#include "tnav/engine/derived.h"

#include "engine/index/index.h"

/* Names of frames change with each method that a live program compiles, and few rows show them:
   they do not count as a change of the trace. */
void
trace_lend(struct trace *t, enum derived kind, const void *source)
{
	lock_take(t->lock);
	atomic_store(&t->lent[kind], source);
	atomic_fetch_add(kind == DERIVED_SYMBOLS ? &t->namers : &t->generation, 1);
	lock_drop(t->lock);
}

const void *
trace_lent(struct trace *t, enum derived kind)
{
	return atomic_load_explicit(&t->lent[kind], memory_order_acquire);
}

uint64_t
trace_namer_generation(struct trace *t)
{
	return atomic_load_explicit(&t->namers, memory_order_acquire);
}

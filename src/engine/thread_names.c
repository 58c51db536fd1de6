/*
 * The source of words about threads that was lent to a trace.
 */
#include "tnav/engine/thread_names.h"

#include "engine/index/index.h"

const char *const	thread_roles[ROLES + 1] = {
	[ROLE_MAIN] = "main", [ROLE_FINALIZER] = "finalizer", [ROLE_SAMPLER] = "sampler",
	[ROLE_TIER] = "tiered JIT", [ROLE_POOL] = "pool worker", [ROLE_GC] = "GC",
	[ROLE_RUNDOWN] = "rundown",
};

void
trace_thread_names(struct trace *t, uint32_t thread, struct thread_names *out)
{
	const struct thread_names_source	*s = trace_lent(t, DERIVED_THREAD_NAMES);

	*out = (struct thread_names){ .name = NULL };
	if (s != NULL)
		(void)s->words(s->self, thread, out);
}

/*
 * The source of words about threads that was lent to a trace.
 */
#include "tnav/engine/who.h"

#include "engine/index/index.h"

const char *const	who_roles[ROLES + 1] = {
	[ROLE_MAIN] = "main", [ROLE_FINALIZER] = "finalizer", [ROLE_SAMPLER] = "sampler",
	[ROLE_TIER] = "tiered JIT", [ROLE_POOL] = "pool worker", [ROLE_GC] = "GC",
	[ROLE_RUNDOWN] = "rundown",
};

void
trace_who(struct trace *t, uint32_t thread, struct who_words *out)
{
	const struct who_source	*s = trace_lent(t, DERIVED_WHO);

	*out = (struct who_words){ .name = NULL };
	if (s != NULL)
		(void)s->words(s->self, thread, out);
}

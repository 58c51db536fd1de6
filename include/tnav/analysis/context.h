/*
 * The context of chosen events: other events of the trace by which these are understood. They name
 * the code in their stacks, and the modules and processes of the trace, or describe its types.
 */
#ifndef TNAV_ANALYSIS_CONTEXT_H
#define TNAV_ANALYSIS_CONTEXT_H

#include "tnav/engine/pass.h"

/* all: all names, not only those of the stacks of the chosen events. 0 or ERR_CANCELED. Free *out
   with mem_free() in both cases. */
int	context_choose(struct trace *t, const struct pass_options *chosen, bool all,
	    struct event **out, size_t *n);

#endif

/*
 * The context of chosen events: other events of the trace by which these are understood. They name
 * the code in their stacks, and the modules and processes of the trace, or describe its types.
 */
#ifndef TNAV_ANALYSIS_CONTEXT_H
#define TNAV_ANALYSIS_CONTEXT_H

#include "tnav/engine/pass.h"

struct context_options {
	bool			 all;	/* all names, not only those of the chosen events' stacks */
	/* The chosen events: */
	const struct filter	*filter;
	int64_t			 from, to;
	bool			 has_from, has_to;
	bool			(*tick)(void *arg, uint64_t done, uint64_t all);
	void			*tick_arg;
};

/* 0 or ERR_CANCELED. Free *out with mem_free() in both cases. */
int	context_choose(struct trace *t, const struct context_options *o, struct event **out,
	    size_t *n);

#endif

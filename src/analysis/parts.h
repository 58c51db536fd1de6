/*
 * One pass over the events that an expression selects, for results that do not depend on their
 * order: each piece of the trace has a part of the result, and the parts are merged.
 */
#ifndef ANALYSIS_PARTS_H
#define ANALYSIS_PARTS_H

#include "tnav/engine/trace.h"

struct part_ops {
	size_t	size;					/* of a part */
	void	(*begin)(void *part, void *arg);	/* the part is all zeros; any thread */
	void	(*event)(void *part, const struct event *e);	/* likewise */
	void	(*merge)(void *arg, void *part);	/* in the order of the file; one thread */
	void	(*release)(void *part);			/* what the part owns; any thread */
};

/* tick: as that of a pass, or NULL. Returns 0, or ERR_CANCELED: then not all parts were merged. */
int	parts_read(struct trace *t, const char *events, const struct part_ops *ops, void *arg,
	    bool (*tick)(void *arg, uint64_t done, uint64_t all), void *tick_arg);

#endif

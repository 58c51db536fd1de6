/*
 * The process that wrote the trace, as its events describe it, and the providers with their counts.
 * For each such type, the first event is read, if the counts by type show that there is one.
 */
#ifndef TNAV_ANALYSIS_ORIGIN_H
#define TNAV_ANALYSIS_ORIGIN_H

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"

#define ORIGIN_ROWS	65536u		/* at one time, that are looked at for an event */

/* Texts as the events have them, UTF-8, not cleaned; empty: nothing tells. */
struct origin {
	struct buf	command, os, arch;
	struct buf	runtime;	/* "10.0.12.0": the version of the base class library */
	struct buf	library;	/* the path of the runtime */
};

/* Of a complete index; to be released. */
void	origin_read(struct origin *o, struct trace *t);
void	origin_release(struct origin *o);

struct provider_count {
	const char	*name;		/* the trace's */
	uint64_t	 events;
};

/* All providers, most events first, then by name; mem_free(). Returns how many. */
size_t	provider_counts(struct trace *t, struct provider_count **out);

#endif

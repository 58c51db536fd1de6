/*
 * Spans and activities of events. The engine shows and compares them, but does not find them: their
 * finders (tnav/analysis/spans.h, activities.h) lend the trace a source.
 *
 *	event GCSuspendEEBegin	-> GC suspension, 3.1 ms; GC stopping threads, 0.2 ms
 *	event GCRestartEEEnd	-> (as a stop) GC suspension, 3.1 ms; GC resuming threads, 0.1 ms
 */
#ifndef TNAV_ENGINE_SPANS_H
#define TNAV_ENGINE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/model/activity.h"
#include "tnav/model/event.h"

#define SPANS_AT_EVENT	32u	/* the most spans that one event begins or ends */

struct span_info {
	const char	*name, *state;	/* "GC suspension"; "paired" */
	bool		 has_dur;
	int64_t		 dur, self;	/* ns, if has_dur */
	uint32_t	 depth;		/* number of spans of its thread around it */
	uint64_t	 span;		/* the source's id */
};

/* A source of spans. Its functions are called by any thread at any time. */
struct span_source {
	void		*self;
	/* The spans that the event begins, or (stop) ends, the longest first. row: of the event, or
	   ROW_UNKNOWN. Returns how many, at most max. */
	unsigned	(*at)(void *self, const struct event *e, uint64_t row, bool stop,
			    struct span_info *out, unsigned max);
	/* Append the label of a span: "GC #7 Gen2 Induced". */
	void		(*label)(void *self, uint64_t span, struct buf *out);
};

/* A source of the relations between activities. */
struct activity_source {
	void		*self;
	/* Is the activity of this source `top` itself, or was it caused by it? top: an id; or NULL,
	   and path is given, which an activity of each process may have. Called by any thread at
	   any time. */
	bool		(*within)(void *self, uint32_t source, const uint8_t id[16],
			    const uint8_t *top, const struct activity_path *path);
};

#endif

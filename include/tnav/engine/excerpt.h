/*
 * A part of a trace as a trace: the events of a window that match a filter, with what was lost
 * among them, and chosen events besides, by which others are understood. Of the whole trace it is
 * a repaired copy: all that can be read, in time order, without the damage.
 *
 * Times stay as they are. NetTrace V4 to V6 are written as they were, NetPerf V3 as V4.
 */
#ifndef TNAV_ENGINE_EXCERPT_H
#define TNAV_ENGINE_EXCERPT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"
#include "tnav/engine/redact.h"
#include "tnav/io/output.h"

struct excerpt_options {
	struct pass_options	 pass;		/* filter, window and tick */
	/* The part of the filter about threads: what was lost on others is left out. Or NULL. */
	const struct filter	*threads;
	/* Events to keep besides, in any order, without their stacks. */
	const struct event	*context;
	size_t			 ncontext;
	struct redact		*redact;	/* or NULL */
	const char		*note;		/* V6: the value of the key tnav.cut; or NULL */
};

struct excerpt_result {
	uint64_t		events, context;	/* written; of the context, those only */
	uint64_t		lost;			/* events that the result says are lost */
	uint64_t		bytes;
	uint64_t		texts;			/* different ones that were redacted */
	bool			texts_beyond;		/* ... and more, beyond the limit */
	/* With ERR_FORMAT: a text that should have been redacted, and where it stands. */
	char			leak[64];
	uint64_t		leak_off;
	struct pass_result	pass;
};

/* The terms of an expression that are about threads, compiled; NULL: there are none. */
struct filter	*excerpt_threads(struct trace *t, const char *text, int64_t now_ns);
/* Why this trace cannot be written, in words; NULL: it can. */
const char	*excerpt_refusal(struct trace *t);
/*
 * Complete index only. 0, ERR_CANCELED, or ERR_IO as output_step(). ERR_FORMAT: a text that was
 * redacted is in the result elsewhere; what was written is not to be used.
 */
int		 excerpt_write(struct trace *t, struct output *o,
		    const struct excerpt_options *opt, struct excerpt_result *r);

#endif

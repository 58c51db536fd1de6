/*
 * The state of a span.
 */
#ifndef ANALYSIS_SPANS_STATES_H
#define ANALYSIS_SPANS_STATES_H

#include "analysis/spans/marks.h"

/* What a mark says of the span that begins there. */
void		 mark_flags(const struct span_mark *k, struct span_record *r);
/* One event says all of the span; dur: ticks. */
void		 record_native(struct span_record *r, uint64_t dur);
/* The span ends at the mark; or another start throws it out at a time. */
void		 record_stop(const struct spans *s, struct span_record *r,
		    const struct span_mark *k);
void		 record_throw_out(const struct spans *s, struct span_record *r, int64_t ts);
/* It stays without a stop. */
void		 record_leave(const struct spans *s, struct span_record *r);
/* Losses of the trace that it is of. */
const struct span_losses *record_losses(const struct spans *s, const struct span_record *r);
/* May a gap hide the other end? */
bool		 record_has_gap(const struct spans *s, const struct span_record *r);

#endif

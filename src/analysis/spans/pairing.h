/*
 * Which start belongs to which stop: the one place that takes marks in the order of time.
 */
#ifndef ANALYSIS_SPANS_PAIRING_H
#define ANALYSIS_SPANS_PAIRING_H

#include "analysis/spans/marks.h"

struct pairing	*pairing_new(struct spans *s);
void		 pairing_free(struct pairing *p);
void		 pairing_add(struct pairing *p, const struct marks *m);
/* What a mark says of the span that begins there. */
void		 mark_flags(const struct span_mark *k, struct span_record *r);
/* The span ends at the mark; or another start throws it out at a time. */
void		 record_stop(const struct spans *s, struct span_record *r,
		    const struct span_mark *k);
void		 record_throw_out(const struct spans *s, struct span_record *r, int64_t ts);
/* It stays without a stop. */
void		 record_leave(const struct spans *s, struct span_record *r);
/* May so many more marks, with so many bytes of keys, be beyond what can be open at one time? */
bool		 pairing_may_fill(const struct pairing *p, uint64_t marks, size_t keys);
/* After the last mark: what is open stays without a stop. */
void		 pairing_end(struct pairing *p);

#endif

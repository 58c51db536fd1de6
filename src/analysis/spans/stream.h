/*
 * Sums of spans that are not kept.
 */
#ifndef ANALYSIS_SPANS_STREAM_H
#define ANALYSIS_SPANS_STREAM_H

#include "analysis/spans/private.h"

struct stream;
struct sums;

struct stream	*stream_new(struct spans *s);
void		 stream_free(struct stream *x);		/* NULL is fine */
/* For spans that are summed up elsewhere, by one thread; and how many these were, in the end. */
struct sums	*stream_part(const struct stream *x);
void		 stream_take(struct stream *x, struct sums *p, uint64_t found);
/* One that was summed up elsewhere, and that no other is around. */
void		 stream_pass(struct stream *x);
/* The next ones, in the order of time. */
void		 stream_add(struct stream *x, const struct span_record *r, size_t n);
/* Those that are records, after the last mark: what is open stays without a stop. */
void		 stream_records(struct stream *x, unsigned workers);
uint64_t	 stream_found(const struct stream *x);	/* chosen or not */
/* The sums, once all were added. They are the caller's. */
struct sums	*stream_end(struct stream *x, unsigned workers);

#endif

/*
 * Sums of spans that are not kept.
 */
#ifndef ANALYSIS_SPANS_STREAM_H
#define ANALYSIS_SPANS_STREAM_H

#include "analysis/spans/private.h"

struct stream;
struct sums;

struct stream	*stream_new(const struct spans *s);
void		 stream_free(struct stream *x);		/* NULL is fine */
/* The next ones, in the order of time. */
void		 stream_add(struct stream *x, const struct span_record *r, size_t n);
/* Take the records up to the first one whose end may still come, or (all) all of them, once all
   ends are known. They are forgotten. */
void		 stream_records(struct stream *x, bool all);
/* The sums, once all were added, which are the caller's; and how many they were, chosen or not. */
struct sums	*stream_end(struct stream *x, uint64_t *count);

#endif

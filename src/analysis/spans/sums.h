/*
 * What the spans of each name come to.
 */
#ifndef ANALYSIS_SPANS_SUMS_H
#define ANALYSIS_SPANS_SUMS_H

#include <stdatomic.h>

#include "analysis/spans/private.h"

/* Of the spans that are chosen and begin in [from, to), ticks. */
struct sums	*sums_new(const struct spans *s, int64_t from, int64_t to);
/* The same; less than all once stop is set. */
struct sums	*sums_until(const struct spans *s, int64_t from, int64_t to, atomic_bool *stop);
/* The same of spans as they come, each with its self when that is known. */
struct sums	*sums_begin(void);
void		 sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur);
void		 sums_put_self(struct sums *n, uint32_t name, int64_t self);
void		 sums_end(struct sums *n);

/* Sums of some spans, to be put to those of others. */
struct sums_part;
struct sums_part *sums_part_new(void);
void		 sums_part_free(struct sums_part *p);
void		 sums_part_clear(struct sums_part *p);
void		 sums_part_put(struct sums_part *p, const struct span_record *r, bool has,
		    int64_t dur);
void		 sums_part_self(struct sums_part *p, uint32_t name, int64_t self);
void		 sums_take(struct sums *n, const struct sums_part *p);

/* Once they are made. */
const struct sums *span_summing_sums(const struct span_summing *x);
/* All spans of a sum, whatever their state. */
uint64_t	 sum_all(const struct span_sum *m);
void		 sums_free(struct sums *n);
const struct span_sum	*sums_at(const struct sums *n, uint32_t i);
/* What could not be done for want of room, or NULL. */
const char	*sums_error(const struct sums *n);

#endif

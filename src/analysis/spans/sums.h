/*
 * What the spans of each name come to.
 */
#ifndef ANALYSIS_SPANS_SUMS_H
#define ANALYSIS_SPANS_SUMS_H

#include "analysis/spans/durs.h"
#include "analysis/spans/range.h"
#include "tnav/base/num.h"

struct sums {
	struct span_sum		*sum;		/* by name */
	size_t			 n, cap;
	struct durs		 durs;		/* empty once all is done */
	bool			 no_room;
};

/* Of the spans of a range; less than all once its stop is set. */
struct sums	*sums_of(const struct span_range *w);
/* Of spans as they come, each with its self when that is known. */
struct sums	*sums_begin(void);
void		 sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur);
void		 sums_put_self(struct sums *n, uint32_t name, int64_t self);
/* There are no more: find percentiles. */
void		 sums_end(struct sums *n);

/* All spans of a sum, whatever their state. */
uint64_t	 sum_all(const struct span_sum *m);
void		 sums_free(struct sums *n);
const struct span_sum	*sums_at(const struct sums *n, uint32_t i);
/* What could not be done for want of room, or NULL. */
const char	*sums_error(const struct sums *n);

#endif

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
	struct durs		 durs;
	struct dur_pool		*pool;		/* NULL: it is another's, or all is done */
	bool			 no_room;
};

/* Of the spans of a range; less than all once its stop is set. */
struct sums	*sums_of(const struct span_range *w);
/* Of spans as they come, each with its self when that is known; by one thread. */
struct sums	*sums_begin(void);
void		 sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur);
void		 sums_put_self(struct sums *n, uint32_t name, int64_t self);
/* Have the sum of a name. */
struct span_sum	*sums_add(struct sums *n, uint32_t name);

/* Both of one that has a sure duration; cross: it ends on another thread. */
static inline void
sums_put_both(struct sums *n, uint32_t name, int64_t dur, int64_t self, bool cross)
{
	struct span_sum	*m = name < n->n ? &n->sum[name] : sums_add(n, name);

	m->cross += cross;
	m->self = add_i64(m->self, self);
	durs_add(&n->durs, name, dur);
}

/* Those of another thread; they are taken once, when that is done with them, before sums_end(). */
struct sums	*sums_part(const struct sums *of);
void		 sums_take(struct sums *n, struct sums *part);
/* There are no more: find percentiles, in so many threads. */
void		 sums_end(struct sums *n, unsigned workers);

/* All spans of a sum, whatever their state. */
uint64_t	 sum_all(const struct span_sum *m);
void		 sums_free(struct sums *n);
const struct span_sum	*sums_at(const struct sums *n, uint32_t i);
/* What could not be done for want of room, or NULL. */
const char	*sums_error(const struct sums *n);

#endif

/*
 * What many durations come to, by group: their number, sum, least, greatest and percentiles.
 *
 *	struct dists *d = dists_new();
 *
 *	dists_add(d, group, dur_ns);		any number of times
 *	dists_end(d);
 *	dists_at(d, group)->p99
 */
#ifndef ANALYSIS_DISTS_H
#define ANALYSIS_DISTS_H

#include <stdint.h>

#include "analysis/ranks.h"
#include "tnav/base/buf.h"

struct dist {
	uint64_t	n;
	int64_t		total, min, max;	/* ns, saturated */
	struct ranks	rank;			/* by nearest rank; without values 0 */
};

struct dists;

struct dists	*dists_new(void);
void		 dists_free(struct dists *d);	/* NULL is fine */
/* Groups are numbers from 0 without large holes. */
void		 dists_add(struct dists *d, uint32_t group, int64_t dur);
void		 dists_end(struct dists *d);
/* Of a group without values: all 0. */
const struct dist *dists_at(const struct dists *d, uint32_t group);
/* What could not be done for want of room, or NULL. */
const char	*dists_error(const struct dists *d);

int64_t		 dist_mean(const struct dist *m);
/* {"count":2,"total":30,"min":10,...}; without values {"count":0,"total":0}. */
void		 dist_json(struct buf *b, const struct dist *m);

#endif

/*
 * Statistics of numbers: count, total, minimum, mean, maximum, and percentiles by nearest rank (the
 * k-th, k = ceil(p * n)).
 */
#ifndef ANALYSIS_DIST_H
#define ANALYSIS_DIST_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

/* A zeroed one is empty. */
struct dist {
	int64_t	*v;
	size_t	 n, cap;
	size_t	 sorted;		/* this many are sorted */
};

struct dist_figures {
	uint64_t	n;
	int64_t		total, min, mean, p50, p90, p99, p999, max;	/* total: saturated */
};

void	dist_add(struct dist *d, int64_t v);
void	dist_release(struct dist *d);
void	dist_figures(struct dist *d, struct dist_figures *out);
/* Append {"count":2,"total":9,"min":4,"mean":4,"p50":4, ... }; if empty, only the first two. */
void	dist_json(struct dist *d, struct buf *out);
void	dist_figures_json(const struct dist_figures *f, struct buf *out);

#endif

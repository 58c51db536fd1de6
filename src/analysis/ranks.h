/*
 * Percentiles by nearest rank of durations that lie one behind the other in a scratch file.
 */
#ifndef ANALYSIS_RANKS_H
#define ANALYSIS_RANKS_H

#include <stdint.h>

#include "tnav/io/scratch.h"

struct ranks {
	int64_t	p50, p90, p99, p999;
};

/*
 * Of the int64_t records [from, from + n), n > 0, which are put into another order. seed: nobody
 * who writes a file can make it slow.
 */
void	ranks_find(struct scratch *v, uint64_t seed, uint64_t from, uint64_t n,
	    struct ranks *out);

#endif

/*
 * What the threads ran around a time, by their samples.
 */
#ifndef ANALYSIS_REPORTS_RAN_H
#define ANALYSIS_REPORTS_RAN_H

#include "analysis/reports/common.h"

#define RAN_NEAR_NS	10000000	/* samples so far before and after count, too: the profiler
					   takes none while the program is stopped */

/* A thread at its sample that is nearest to the time. */
struct ran {
	uint32_t		thread;
	bool			managed;	/* else it waited or ran native code */
	int64_t			ts;		/* of the sample */
	uint64_t		off;
	int64_t			away;		/* ns from the time */
	struct method_text	method;		/* of the program, else the innermost one */
};

/* The threads around [from, to], in ns; in the order of their first samples. mem_free() *out.
   Returns their number. */
size_t	ran_find(struct report_state *s, int64_t from, int64_t to, struct ran **out);

#endif

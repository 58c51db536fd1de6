/*
 * How often something is computed again while a trace grows.
 *
 *	made of 100 ......... 125: again			a quarter more: linear in the trace
 *	made of 100 . 103, a second later: again		for at most a tenth of the time
 *
 * So the total cost is at most five times that of the last computation, plus an eighth of the time
 * for which the trace has grown: linear in both, for a trace of any size. Times are as
 * job_now_ns().
 */
#ifndef UI_VIEW_PACE_H
#define UI_VIEW_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_NS		INT64_C(1000000000)	/* least time between two computations */
#define PACE_SHARE	10	/* ... which is also this many times the duration of the last one */

struct pace {
	uint64_t	n;		/* amount when it was last begun */
	int64_t		begun, ended;
};

static inline void
pace_begin(struct pace *p, uint64_t n, int64_t now)
{
	p->n = n;
	p->begun = now;
}

static inline void
pace_end(struct pace *p, int64_t now)
{
	p->ended = now;
}

/* Is there a quarter more than when it was last begun? */
static inline bool
pace_grown(const struct pace *p, uint64_t n)
{
	return n > p->n && n - p->n > p->n / 4;
}

/* Was the last one so long ago that another one is cheap? */
static inline bool
pace_rested(const struct pace *p, int64_t now)
{
	int64_t	since = now - p->ended;

	return since >= PACE_NS && since / PACE_SHARE >= p->ended - p->begun;
}

#endif

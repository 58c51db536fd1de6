/*
 * How often something is made again while a trace grows.
 *
 *	made of 100 ......... 125: again			a quarter more: linear in the trace
 *	made of 100 . 103, a second later: again		for no more than a tenth of the time
 *
 * So what all makings take together is at most five times the last one and an eighth of the time
 * that the trace has grown for: linear in both, however large it gets. Times are job_now_ns().
 */
#ifndef UI_VIEW_PACE_H
#define UI_VIEW_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_NS		INT64_C(1000000000)	/* between two makings, at least */
#define PACE_SHARE	10	/* ... and so many times as long as the last one took */

struct pace {
	uint64_t	n;		/* what there was when it was begun last */
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

/* Is a quarter more there than when it was begun last? */
static inline bool
pace_grown(const struct pace *p, uint64_t n)
{
	return n > p->n && n - p->n > p->n / 4;
}

/* Is the last one so long ago that another one costs little? */
static inline bool
pace_rested(const struct pace *p, int64_t now)
{
	int64_t	since = now - p->ended;

	return since >= PACE_NS && since / PACE_SHARE >= p->ended - p->begun;
}

#endif

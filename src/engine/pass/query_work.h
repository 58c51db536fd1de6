/*
 * A query as its two halves see it: query.c is what the caller's thread asks, query_work.c what the
 * workers do. Private to the engine.
 */
#ifndef ENGINE_PASS_QUERY_WORK_H
#define ENGINE_PASS_QUERY_WORK_H

#include "engine/pass/decided.h"
#include "engine/pass/piece.h"
#include "tnav/base/job.h"
#include "tnav/engine/query.h"

#define QUERY_WORKERS	16u

enum query_waits { WAITS_NOT, WAITS_ANSWER, WAITS_ALL };

struct query_worker {
	struct query		*q;
	struct job		*job;		/* NULL: it was not needed yet */
	struct filter_eval	*eval;
	struct sieve		*sieve;
	uint32_t		*count;		/* scratch: events by type */
	uint64_t		 partly;	/* a part of the view from here has a verdict */

	/* Under the lock. */
	uint64_t		 row0, end;	/* of the view that it decides; end 0: none */
	uint64_t		 known;		/* rows of that view, so far */
	uint64_t		 costly;
};

struct query {
	struct trace		*t;
	struct filter		*f;		/* NULL: every row is a hit */
	uint64_t		 row0, row1, near;
	struct lock		*lock;
	struct query_worker	 worker[QUERY_WORKERS];
	unsigned		 nworkers;	/* that may be started */
	bool			 alone;		/* the machine gives no thread */
	atomic_bool		 nudge;		/* the workers are to look up */
	atomic_bool		 stop;		/* ... and to end */

	/* Under the lock. */
	bool			 want;
	unsigned		 idle;		/* workers without an order */
	enum query_waits	 waits;		/* who asks: wake it no sooner */
	bool			 asked, ask_bits;	/* the verdict on a row, or its bits */
	uint64_t		 ask;
	uint64_t		 up, down;	/* [down, up) is decided */
	uint64_t		 generation;
	struct decided		 d;
	uint64_t		 news;		/* changes with what is known */

	/* The caller's own. */
	int64_t			 patience;
	bool			 owed;		/* an answer, since it was told "not yet" */
};

/* The end of the rows there are now. */
static inline uint64_t
query_end(const struct query *q)
{
	return max_u64(q->row0, min_u64(q->row1, trace_rows(q->t)));
}

/* All of these under the lock. Rows that were not final may have moved since. */
void	query_refresh(struct query *q);
bool	query_all_decided(const struct query *q);
/* Is there a question without an answer? */
bool	query_is_asked(struct query *q);
/* Take an order and do it, without the lock; false: there is none. */
bool	query_work(struct query_worker *w);

/* A worker's thread; arg is the worker. */
void	query_worker_main(void *arg);

#endif

/*
 * The members of a query: query.c has the functions for the caller's thread, query_work.c those of
 * the workers. Private to the engine.
 */
#ifndef ENGINE_PASS_QUERY_WORK_H
#define ENGINE_PASS_QUERY_WORK_H

#include "engine/pass/decided.h"
#include "engine/pass/slice_hits.h"
#include "tnav/base/job.h"
#include "tnav/engine/query.h"

#define QUERY_WORKERS	16u

enum query_waits { WAITS_NOT, WAITS_ANSWER, WAITS_ALL };

struct query_worker {
	struct query		*q;
	struct job		*job;		/* NULL: not started */
	struct pass_worker	 pass;		/* pass.t is NULL: not made yet */
	uint8_t			 number;	/* from 1 on */

	/* Under the lock. */
	uint64_t		 row0;		/* of the last view that it has taken */
	uint64_t		 costly;
};

struct query {
	struct trace		*t;
	struct filter		*f;
	struct pass_options	 o;		/* with this filter */
	struct lock		*lock;
	struct query_worker	 worker[QUERY_WORKERS];
	unsigned		 nworkers;	/* the most that may be started */
	bool			 alone;		/* no thread could be started */
	atomic_bool		 nudge;		/* workers: check for new orders */
	atomic_bool		 stop;		/* workers: end */

	/* Under the lock. */
	bool			 want;
	unsigned		 idle;		/* workers without an order */
	enum query_waits	 waits;		/* what the caller's thread waits for */
	bool			 pending, ask_bits;	/* the hits of a row's view, or its bits */
	uint64_t		 ask;
	uint64_t		 generation;
	struct decided		 d;
	struct slice_hits	 counted;
	uint64_t		 news;		/* counts changes of the results */

	/* For the caller's thread only. */
	int64_t			 patience;
	bool			 owed;		/* the caller got "not yet" and needs an answer */
};

/* The end of the rows of the query that exist now. */
static inline uint64_t
query_end(const struct query *q)
{
	return max_u64(q->d.row0, min_u64(q->d.row1, trace_rows(q->t)));
}

/* All of these under the lock. Drop the results of rows that may have moved. */
void	query_refresh(struct query *q);
bool	query_all_decided(const struct query *q);
/* The view that the worker is deciding, or NULL. */
struct view_hits *query_view_of(const struct query_worker *w);
/* Is there a request without a result? */
bool	query_is_pending(struct query *q);
/* Take an order and do it, without the lock; false: there is none. */
bool	query_work(struct query_worker *w);

/* A worker's thread; arg is the worker. */
void	query_worker_main(void *arg);

#endif

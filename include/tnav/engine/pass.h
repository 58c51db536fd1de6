/*
 * Reading the events of a trace on all cores: the trace is cut into pieces, each piece fills a
 * state of its own, and the states are merged in the order of the pieces.
 *
 *	trace	| piece 0 | piece 1 | piece 2 | piece 3 |
 *	worker	  a: begin  b: begin  a: begin  b: begin	any thread, any time
 *		  add ...   add ...   add ...   add ...
 *	merge	  0, then 1, then 2, then 3			one thread, in this order
 *
 * Pieces depend on the trace alone, so the result of a pass does not depend on the number of
 * workers. Parts of the trace in which the filter cannot match are not decoded.
 *
 * States that stay take many pieces each, any of them, and are merged once, at the end:
 *
 *	worker	  a: begin  b: begin  a: add ...  b: add ...
 *	merge	  a and b, in any order, when all pieces are done
 *
 * The user sees to it that this makes no difference to the result.
 */
#ifndef TNAV_ENGINE_PASS_H
#define TNAV_ENGINE_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

enum pass_order {
	PASS_ANY,	/* in any order: neither sorted nor numbered by rows */
	PASS_TIME,	/* rows, in their order */
	PASS_FILE,	/* the file's order */
};

/* Events of a piece that are in the window and match. Valid during the call. */
struct pass_batch {
	const struct event	*ev;
	const uint32_t		*at;	/* ev[at[0]] ... ev[at[n - 1]], in their order */
	uint32_t		 n;
	/* PASS_TIME: used by pass_row(); ROW_UNKNOWN: no row is known. */
	uint64_t		 row0;
	const uint32_t		*rank;
};

/* The row of the i-th event, or ROW_UNKNOWN. */
static inline uint64_t
pass_row(const struct pass_batch *b, uint32_t i)
{
	if (b->row0 == ROW_UNKNOWN)
		return ROW_UNKNOWN;
	return b->row0 + (b->rank != NULL ? b->rank[i] : b->at[i]);
}

struct pass_ops {
	/* Make an empty state. All but merge are called by any thread, but for each state by one
	   at a time. */
	void	*(*begin)(void *arg);
	void	 (*add)(void *state, const struct pass_batch *b);
	/* Take the results of the next piece from its state; not 0: the pass ends. */
	int	 (*merge)(void *arg, void *state);
	void	 (*clear)(void *state);	/* empty it for another piece; NULL: it is freed instead */
	void	 (*free)(void *state);
	bool	 stays;		/* states stay: large ones are merged once, and not for each piece.
				   Not with resume, nor with memory */
};

/*
 * Passes in time order over a growing trace can keep the states of pieces whose rows are final. The
 * next pass merges them again and reads only the other rows. It must have the same filter and
 * window, and states with the same meaning.
 */
struct pass_keep {
	/* Copy a state before it is merged; the copy belongs to no pass. *bytes: its memory. */
	void	*(*keep)(const void *state, size_t *bytes);
	int	 (*again)(void *arg, void *kept);	/* as merge(), but kept stays */
	void	 (*forget)(void *kept);
};
struct pass_memory;
/* most: bytes that are kept; pieces beyond them are read each time. */
struct pass_memory *pass_memory_new(const struct pass_keep *ops, size_t most);
void		 pass_memory_clear(struct pass_memory *m);
void		 pass_memory_free(struct pass_memory *m);	/* NULL is fine */
bool		 pass_memory_full(const struct pass_memory *m);

/* Where a pass ended, and where the next one begins: a segment, or a row in PASS_TIME. */
struct pass_place {
	uint64_t	at;
	int64_t		ts;	/* PASS_TIME: the time of the last event before it */
};

struct pass_options {
	enum pass_order		 order;
	const struct filter	*filter;	/* NULL: every event */
	int64_t			 from, to;	/* ticks, [from, to) where the flags say so */
	bool			 has_from, has_to;
	/* PASS_TIME: rows [row0, row1) only; row1 0: all of them. */
	uint64_t		 row0, row1;
	/*
	 * The place to begin with, zeroed at first. It is updated with each merge, so that the next
	 * pass continues there: in PASS_ANY, with the events that were added since. NULL: from the
	 * beginning.
	 */
	struct pass_place	*resume;
	struct pass_memory	*memory;	/* PASS_TIME from row 0 on; or NULL */
	bool			 few_rows;	/* PASS_TIME: small pieces, for large states */
	unsigned		 workers;	/* 0: as many as the trace was opened with */
	/* Called by the merging thread from time to time; true ends the pass soon. Or NULL. */
	bool			(*tick)(void *arg, uint64_t done, uint64_t all);
	void			*tick_arg;
};

static inline bool
pass_is_bounded(const struct pass_options *o)
{
	return o->has_from || o->has_to;
}

/* Does the time from first to last touch the window? */
static inline bool
pass_touches(const struct pass_options *o, int64_t first, int64_t last)
{
	return (!o->has_from || last >= o->from) && (!o->has_to || first < o->to);
}

static inline bool
gap_touches(const struct gap *g, const struct pass_options *o)
{
	return pass_touches(o, g->from, g->to);
}

/* Is the time in the window? */
static inline bool
pass_has(const struct pass_options *o, int64_t ts)
{
	return pass_touches(o, ts, ts);
}

struct pass_result {
	uint64_t	costly;		/* events for which the filter was too costly */
	bool		lost;		/* events could not be read: the file changed */
};

/*
 * 0, ERR_CANCELED, or the result of merge(). If events could not be read, the pass continues after
 * them and sets result->lost. The caller's thread merges, and works as one of the workers.
 */
int	pass_run(struct trace *t, const struct pass_options *o, const struct pass_ops *ops,
	    void *arg, struct pass_result *result);

/*
 * The same in the background: a separate thread runs the pass, and merges under the lock that
 * pass_hold() takes. While it is held, only whole pieces have been merged.
 */
struct pass_job;
/* Takes the filter, which is that of the pass in place of the one in the options; or NULL. */
struct pass_job	*pass_start(struct trace *t, const struct pass_options *o, struct filter *f,
		    const struct pass_ops *ops, void *arg);
/* Cancels, waits for the end, frees; NULL is fine. */
void		 pass_stop(struct pass_job *p);
/*
 * Cancels without waiting. Call it after pass_hold(), instead of pass_release(). Nothing is merged
 * any more, and *resume of the options is the end of what was; but the other functions may still
 * be called. So the data of arg that they read must not change until pass_stop(), which any thread
 * may call now (trace_retire()).
 */
void		 pass_close(struct pass_job *p);
void		 pass_hold(struct pass_job *p);
void		 pass_release(struct pass_job *p);
/* Has it read all events? Then *result is set; otherwise pass_share() is the progress. */
bool		 pass_done(struct pass_job *p, struct pass_result *result);
/* Wait for the end, at most budget_ns; true: it has ended. Not under hold. */
bool		 pass_await(struct pass_job *p, int64_t budget_ns);
double		 pass_share(struct pass_job *p);	/* 0 to 1 */
/* Continue with the events that were added since: PASS_ANY with resume, when it is done. */
void		 pass_continue(struct pass_job *p);

#endif

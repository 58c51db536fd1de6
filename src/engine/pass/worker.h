/*
 * A worker of a pass, and the piece that it is at. Private to the engine.
 */
#ifndef ENGINE_PASS_WORKER_H
#define ENGINE_PASS_WORKER_H

#include "engine/filter/sieve.h"
#include "engine/view/order.h"
#include "engine/view/resolve.h"
#include "tnav/engine/pass.h"

struct open_slice;

struct piece {
	uint64_t		 seg0;		/* of segments: [seg0, seg0 + nseg), or */
	uint32_t		 nseg;
	struct open_slice	*slice;		/* of rows: events [from, to) of its view */
	uint32_t		 from, to;
	uint64_t		 row1;		/* after its last row, */
	bool			 final;		/* ... which won't move */
	uint64_t		 weight;	/* its share of the pass */
	void			*state;		/* NULL: nothing in it matched */
	uint64_t		 costly;
	bool			 done, lost;
};

/* What a thread needs to work on pieces. */
struct pass_worker {
	struct trace			*t;
	const struct pass_options	*o;
	const struct pass_ops		*ops;
	void				*arg;
	const atomic_bool		*stop;
	struct filter_eval		*eval;		/* NULL: no filter */
	struct sieve			*sieve;
	struct resolver			*resolver;
	struct decoded			 decoded;
	struct event			*ev;		/* SCAN_SEGMENT, of segments */
	uint32_t			*at;		/* SCAN_SEGMENT */
	struct order_room		 order;		/* of a slice whose matches are sought */
	struct region			 region;	/* of the record, + 1 */
	uint32_t			 record;
	void				(*tick)(void *arg);	/* now and then; or NULL */
	void				*tick_arg;
};

/* ops, arg, stop and tick are filled in already, the rest is zeroed. */
void	worker_init(struct pass_worker *w, struct trace *t, const struct pass_options *o,
	    bool by_rows);
void	worker_release(struct pass_worker *w);
/* Of n events, those in the window, as w->at. */
uint32_t worker_window(struct pass_worker *w, const struct event *ev, uint32_t n);
/* May an event of the segment match, and lie in the window? */
bool	worker_may(struct pass_worker *w, const struct segment *g);
/* Of w->ev, events of this segment, which was asked for last: those that match, as w->at. */
uint32_t worker_sift(struct pass_worker *w, const struct segment *g, uint32_t n);
/* Give those of w->at that match to the piece's state. */
void	worker_add(struct pass_worker *w, struct piece *pc, const struct event *ev, uint32_t n,
	    uint64_t row0);
/* Give these to it. */
void	worker_give(struct pass_worker *w, struct piece *pc, const struct pass_batch *b);
/* Can nothing at these times lie in the window? Both included. */
bool	window_misses(const struct pass_options *o, int64_t first, int64_t last);
/* Do all of these times lie in the window? Both included. */
bool	window_holds(const struct pass_options *o, int64_t first, int64_t last);

#endif

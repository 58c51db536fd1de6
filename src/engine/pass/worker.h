/*
 * A worker of a pass, and its piece. Private to the engine.
 */
#ifndef ENGINE_PASS_WORKER_H
#define ENGINE_PASS_WORKER_H

#include "engine/filter/sieve.h"
#include "engine/view/order.h"
#include "engine/view/resolve.h"
#include "tnav/base/spares.h"
#include "tnav/engine/pass.h"

struct open_slice;

/* The states of a pass: those of pieces that are done are used for other pieces. Any thread. */
struct piece_states {
	const struct pass_ops	*ops;
	void			*arg;
	struct spares		 spare;
};

void	states_init(struct piece_states *s, const struct pass_ops *ops, void *arg);
void	states_release(struct piece_states *s);
void	states_give(struct piece_states *s, void *state);	/* NULL is fine */
/* Keep a state that stays, as it is, for the next piece. NULL is fine. */
void	states_keep(struct piece_states *s, void *state);
/* Merge the states that stayed, until one ends the pass. */
int	states_merge(struct piece_states *s);

struct piece {
	uint64_t		 seg0;		/* of segments: [seg0, seg0 + nseg) */
	uint32_t		 nseg;
	struct open_slice	*slice;		/* of rows: events [from, to) of this slice */
	uint32_t		 from, to;
	struct pass_place	 end;		/* where the next piece begins */
	bool			 final;		/* its rows won't move */
	uint64_t		 weight;	/* its share of the pass */
	void			*state;		/* NULL: nothing in it matched */
	uint64_t		 costly;
	bool			 done, lost;
};

/* The data of a thread that works on pieces. */
struct pass_worker {
	struct trace			*t;
	const struct pass_options	*o;
	struct piece_states		*states;
	const atomic_bool		*stop;
	struct filter_eval		*eval;		/* NULL: no filter */
	struct sieve			*sieve;
	struct resolver			*resolver;
	struct decoded			 decoded;
	struct event			*ev;		/* SCAN_SEGMENT events, or NULL */
	uint32_t			*at;		/* SCAN_SEGMENT indexes of events */
	struct order_room		 order;		/* for sorting matches of a slice */
	void				(*tick)(void *arg);	/* called now and then; or NULL */
	void				*tick_arg;
};

/* states, stop and tick are set already, the rest is zeroed. */
void	worker_init(struct pass_worker *w, struct trace *t, const struct pass_options *o,
	    bool by_rows);
void	worker_release(struct pass_worker *w);
/* Set w->at to those of n events that are in the window. */
uint32_t worker_window(struct pass_worker *w, const struct event *ev, uint32_t n);
/* May an event of the segment match and be in the window? */
bool	worker_may(struct pass_worker *w, const struct segment *g);
/* Set w->at to those of n events that match; their segment is that of the last worker_may(). */
uint32_t worker_sift(struct pass_worker *w, const struct segment *g, const struct event *ev,
	    uint32_t n);
/* Add the events of w->at that match to the piece's state. */
void	worker_add(struct pass_worker *w, struct piece *pc, const struct event *ev, uint32_t n,
	    uint64_t row0);
/* Add these events to the piece's state. */
void	worker_give(struct pass_worker *w, struct piece *pc, const struct pass_batch *b);

#endif

/*
 * Going over the events that a subcommand is asked for.
 */
#ifndef APP_PASS_H
#define APP_PASS_H

#include "app/run.h"
#include "tnav/engine/pass.h"

/*
 * Give the selected events to the ops. 0 or what merge() gave. What can't be read is left out, and
 * told.
 */
int	run_pass(struct run *s, enum pass_order order, const struct pass_ops *ops, void *arg);

#define PIECE_MOST	(2u << 20)	/* bytes of rows that a piece writes ahead of its turn */
/* The same with another filter than that of the selection; the window stays. */
int	run_pass_filter(struct run *s, enum pass_order order, const struct filter *filter,
	    const struct pass_ops *ops, void *arg);

/* Ticks of a pass, whose argument is the run: progress, unless rows go to a terminal. */
bool	run_tick_reading(void *run, uint64_t done, uint64_t all);
bool	run_tick_pairing(void *run, uint64_t done, uint64_t all);
/* Say what a pass couldn't read, and add up what was too costly. */
void	run_take_result(struct run *s, const struct pass_result *r);

/* States that were merged, and serve for later pieces. Any thread. */
struct pool {
	struct lock	*lock;
	void		**v;
	size_t		 n, cap;
};
void	 pool_init(struct pool *p);
void	 pool_release(struct pool *p, void (*free_one)(void *state));
void	*pool_take(struct pool *p);		/* NULL: there is none */
void	 pool_give(struct pool *p, void *state);

#endif

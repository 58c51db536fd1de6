/*
 * The next run of a program that ends and starts again: it connects to the port again (--listen).
 *
 *	owner	next_run_want()		the run that was received has ended by itself
 *	tender	next_run_take()		what has connected is begun, while it is still suspended
 *	owner	next_run_has_begun()	goes on with it: next_run_go_on()
 *
 * The owner shows or writes what is received. The tender is the thread that serves the port.
 */
#ifndef APP_NEXT_RUN_H
#define APP_NEXT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct lock;

struct next_run {
	/* Begin to receive the next run. False: see why. NULL: only one run is received. */
	bool		(*begin)(void *self, struct buf *why);
	void		*self;
	struct lock	*lock;
	/* Protected by the lock: */
	enum next_run_state { NEXT_UNWANTED, NEXT_WANTED, NEXT_BEGUN } state;
	struct buf	 why;		/* why the latest run could not be received, or empty */
};

void	next_run_init(struct next_run *a);
void	next_run_release(struct next_run *a);

/* ---- called by the owner */

void	next_run_want(struct next_run *a);
void	next_run_want_no_more(struct next_run *a);
/* Take over what begin() has made. The next run is not wanted yet. */
void	next_run_go_on(struct next_run *a);
bool	next_run_has_begun(struct next_run *a);
/* Wait until a run has begun or could not begin, or until the time is over. */
void	next_run_wait(struct next_run *a, int64_t wait_ns);
/* Why the latest run could not be received. True once for each. */
bool	next_run_take_problem(struct next_run *a, struct buf *why);

/* ---- called by the tender */

/* Is the connected program received from now on? Waits briefly for the end of its previous run. */
bool	next_run_take(struct next_run *a);

#endif

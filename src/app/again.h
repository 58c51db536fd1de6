/*
 * The next run of a program that ends and starts again: it connects to the port again (--listen).
 *
 *	owner	again_want()		the run that was received has ended by itself
 *	tender	again_take()		what has connected is begun, while it is still suspended
 *	owner	again_has_begun()	goes on with it: again_go_on()
 *
 * The owner shows or writes what is received. The tender is the thread that serves the port.
 */
#ifndef APP_AGAIN_H
#define APP_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct lock;

struct again {
	/* Begin to receive the next run. False: see why. NULL: only one run is received. */
	bool		(*begin)(void *self, struct buf *why);
	void		*self;
	struct lock	*lock;
	/* Protected by the lock: */
	enum again_state { AGAIN_UNWANTED, AGAIN_WANTED, AGAIN_BEGUN } state;
	struct buf	 why;		/* why the latest run could not be received, or empty */
};

void	again_init(struct again *a);
void	again_release(struct again *a);

/* ---- called by the owner */

void	again_want(struct again *a);
void	again_want_no_more(struct again *a);
/* Take over what begin() has made. The next run is not wanted yet. */
void	again_go_on(struct again *a);
bool	again_has_begun(struct again *a);
/* Wait until a run has begun or could not begin, or until the time is over. */
void	again_wait(struct again *a, int64_t wait_ns);
/* Why the latest run could not be received. True once for each. */
bool	again_take_problem(struct again *a, struct buf *why);

/* ---- called by the tender */

/* Is the connected program received from now on? Waits briefly for the end of its previous run. */
bool	again_take(struct again *a);

#endif

/*
 * The next run of a program that ends and starts again: it connects to the port anew (--listen).
 *
 *	owner	again_want()		the run that was received has ended by itself
 *	tender	again_take()		what has connected is begun, while it is still suspended
 *	owner	again_has_begun()	goes on with it: again_go_on()
 *
 * The owner is who shows or writes what is received, the tender the thread that serves the port.
 */
#ifndef APP_AGAIN_H
#define APP_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct lock;

struct again {
	/* Begin to receive it; false: why says why not. NULL: one run is all. */
	bool		(*begin)(void *self, struct buf *why);
	void		*self;
	struct lock	*lock;
	/* Under the lock: */
	enum again_state { AGAIN_UNWANTED, AGAIN_WANTED, AGAIN_BEGUN } state;
	struct buf	 why;		/* the newest can't be received; empty: it can */
};

void	again_init(struct again *a);
void	again_release(struct again *a);

/* ---- of the owner */

void	again_want(struct again *a);
void	again_want_no_more(struct again *a);
/* What begin() has made is the owner's, and the next one is not wanted yet. */
void	again_go_on(struct again *a);
bool	again_has_begun(struct again *a);
/* Wait until one has begun or could not, or the time is over. */
void	again_wait(struct again *a, int64_t wait_ns);
/* Why the newest one could not be received: true once for each. */
bool	again_take_problem(struct again *a, struct buf *why);

/* ---- of the tender */

/* Is what has connected received from now on? Waits a little for the end of its last run. */
bool	again_take(struct again *a);

#endif

/*
 * What a thread does, by the frames of its stack.
 *
 *	Program.Run > Task.Wait > Monitor.Wait		own: Program.Run, below: Task.Wait
 *	WorkerThreadStart > Dispatch > ...		a pool thread that is blocked
 *
 * Waits for work are idle: of pool threads without work, of timers, of servers for connections, of
 * the main thread for the others, of the runtime's own threads.
 */
#ifndef ANALYSIS_CALLTREE_DOING_H
#define ANALYSIS_CALLTREE_DOING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/folding.h"

enum doing {
	DOING_IDLE,
	DOING_RUN,		/* managed code, which may be stopping for the sample */
	DOING_BLOCKED,		/* a pool thread that waits for something else than work */
	DOING_LOCK,		/* waits for a lock */
	DOING_THROW,		/* throws and catches */
	DOING_FINALIZE,
	DOING_OTHER,		/* outside managed code: waits, native code */
	DOINGS
};

/* What a method is: bits. */
#define METHOD_OWN	0x001u		/* of the program */
#define METHOD_WORKER	0x002u		/* the loop of a pool thread */
#define METHOD_QUEUE	0x200u		/* queues a work item */

#define FRAME_NO	UINT32_MAX

/* A stack from its outermost frame to some frame. */
struct doing_place {
	uint32_t	own;		/* innermost own frame, or FRAME_NO */
	uint32_t	below;		/* what it called; else what waits, or finalizes */
	unsigned	is;		/* of all methods up to here */
};

/* Rules for the program's own code, for doing_method(). */
struct folding	*doing_rules(void);
/* What the frame's method is. Not thread-safe, since the rules are not. */
unsigned	 doing_method(const struct folding *own, const struct folding_frame *f);
/* Does a method of this name wait, for work or for something else? */
bool		 doing_waits(struct span name);
/* Before the first frame. */
struct doing_place doing_start(void);
/* Add the next frame, a call from the last one. */
void		 doing_call(struct doing_place *p, uint32_t frame, unsigned is);
/* managed: the sample was taken in managed code. */
enum doing	 doing_at(const struct doing_place *p, bool managed);

#endif

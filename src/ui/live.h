/*
 * The viewer of a trace that is being received: the window of the last seconds, rates on the top
 * line, and what quitting means for the session.
 */
#ifndef UI_LIVE_H
#define UI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct ui;

/* What arrived in the last second. */
struct live_rate {
	int64_t		at;			/* the last measurement, as job_now_ns() */
	uint64_t	events, indexed, received;	/* until then; the latter in bytes */
	double		per_byte;		/* events */
	double		events_s, bytes_s;
};

/*
 * Measure again after a second. The index may lag behind the data while a filter runs, and catches
 * up later: so events are those in as many bytes of the index as were received. True: done.
 */
bool	live_rate_measure(struct live_rate *r, int64_t now, uint64_t events, uint64_t indexed,
	    uint64_t received);

void	live_begin(struct ui *ui);
/* Is it being received, or is some of it not indexed yet? */
bool	live_runs(const struct ui *ui);
/* Update the state of the session, at most a few times a second. True: it did, and the session
   goes on. */
bool	live_look(struct ui *ui, int64_t now);
/* Quit, to show the next run of the program. False: there is none. */
bool	live_go_on(struct ui *ui);
/* The list follows its end: move the window along, unless the user has chosen one. */
void	live_slide(struct ui *ui);
/* Append its part of the top line. False: nothing to show. */
bool	live_text(const struct ui *ui, struct buf *out);
/* Ask what to do with the session before quitting. False: no question is needed. */
bool	live_ask(struct ui *ui);
/* The viewer is quitting: stop the session. The received data stays. */
void	live_leave(struct ui *ui);
/* Is it impossible to show another trace now? If so, a message says why. */
bool	live_refuses(struct ui *ui);
/* Keep the stream under a name given by the user. */
void	live_keep(struct ui *ui, const char *path);

#endif

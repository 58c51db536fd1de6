/* The window of time: the rows of the trace in it. */
#ifndef UI_VIEW_WINDOW_H
#define UI_VIEW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/task.h"
#include "tnav/engine/pass.h"

struct view;

#define WINDOW_SMALL	32768u	/* rows: a key may wait for a query over this many */

struct window {
	bool		 whole;			/* the whole trace, and grows with it */
	bool		 any;			/* the trace has events */
	int64_t		 from, to;		/* ticks, half open */
	int64_t		 first, last;		/* times of the trace, in ticks */
	uint64_t	 row0, row1;
	uint64_t	 rows;			/* of the trace, when row0 and row1 were found */
	uint64_t	 head;			/* its first row that is kept, likewise */
};

struct buf;
struct trace;

/* A pass over its events that match: f may be NULL, and so may the task that runs it. */
static inline struct pass_options
window_pass(const struct window *w, const struct filter *f, struct task *task)
{
	return (struct pass_options){
		.filter = f, .has_from = !w->whole, .from = w->from, .has_to = !w->whole,
		.to = w->to, .tick = task != NULL ? task_tick : NULL, .tick_arg = task,
	};
}

/* Append its times: 12.241 ... 42.241 s. */
void	view_window_text(struct trace *t, const struct window *w, struct buf *out);
void	view_find_rows(struct view *v);			/* finds the rows of the window */
/* False: it is the window already. Its rows must be found afterwards. */
bool	view_window_choose(struct view *v, bool whole, int64_t from, int64_t to);
/* Why queries run again: for another window or filter, where what was still searched is given up;
   or for more rows, or facts that the filter needs, where it continues. */
enum asking { ASK_ANEW, ASK_AGAIN };
void	view_ask(struct view *v, enum asking how);
/* The same after finding the rows, and update the selection. */
void	view_list_changed(struct view *v, enum asking how);
/* These add a place to the history. False: nothing changed. */
bool	view_window(struct view *v, int64_t from, int64_t to);
void	view_window_all(struct view *v);
/* If the time is outside the window: centre the window on it, with the same length. */
void	view_window_reach(struct view *v, int64_t ts);
/* Set the window even if the trace does not reach it yet: for options at the start. */
void	view_window_fixed(struct view *v, int64_t from, int64_t to);

#endif

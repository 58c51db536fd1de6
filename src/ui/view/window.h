/*
 * The window of time: which rows of the trace lie in it.
 */
#ifndef UI_VIEW_WINDOW_H
#define UI_VIEW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct view;

#define WINDOW_SMALL	32768u	/* rows: a key may wait for what is asked of so many */

struct window {
	bool		 whole;			/* it is the trace, and grows with it */
	bool		 any;			/* the trace has events */
	int64_t		 from, to;		/* ticks, half open */
	int64_t		 first, last;		/* of the trace, ticks */
	uint64_t	 row0, row1;
	uint64_t	 rows;			/* of the trace, when these were found */
};

void	view_find_rows(struct view *v);			/* those of the window, as it is now */
/* False: it is the window already. Its rows are to be found. */
bool	view_window_choose(struct view *v, bool whole, int64_t from, int64_t to);
void	view_ask_anew(struct view *v);	/* the window or what is to be found is another */
void	view_window_changed(struct view *v);	/* both, and the selection stays or moves */
/* These remember the place for [. False: nothing changed. */
bool	view_window(struct view *v, int64_t from, int64_t to);
void	view_window_all(struct view *v);
/* Where the time lies outside: as long as before, the time in its middle. */
void	view_window_reach(struct view *v, int64_t ts);
/* Set the window whatever the trace has so far: for the options at the start. */
void	view_window_fixed(struct view *v, int64_t from, int64_t to);

#endif

/*
 * Rows about the past: what a writer puts at the head of a trace, and wherever it meets a process,
 * about the processes, mappings and symbols that were there before. Many of one time are one row of
 * the list until somebody opens them. It only affects the display: rows and indexes do not change.
 */
#ifndef UI_VIEW_PAST_H
#define UI_VIEW_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/view/change.h"

struct view;

#define PAST_RUNS	64u	/* about as many as rows of a screen */

struct past {
	struct view_changes	seen;		/* when the runs were found */
	bool			known, open;
	struct past_run {
		uint64_t	first, n;	/* rows of the trace; n is 0: none */
	} run[PAST_RUNS];			/* those found last */
	unsigned		next;
};

/* How many rows the row of the list at the index stands for, from *first on; 0: it is not about the
   past, or all of these are open. They open when the cursor is put on another one of them. */
uint64_t view_past(struct view *v, uint64_t index, uint64_t *first);
/* Show them one by one, or as one row again. */
void	view_past_open(struct view *v, bool open);
/* Are there such rows at the head of the trace, shown or not? */
bool	view_past_heads(struct view *v);
/* The index for a cursor that moves by indexes: it stops at such a row, and behind it. */
uint64_t view_past_skip(struct view *v, uint64_t cursor, uint64_t to);
/* Append what a row says that stands for n rows. */
void	view_past_text(uint64_t first, uint64_t n, struct buf *out);

#endif

/*
 * Rows about the past: what a writer puts at the head of a trace about the processes, mappings and
 * symbols that were there before. They are one row of the list until somebody opens them. It only
 * affects the display: rows and indexes do not change.
 */
#ifndef UI_VIEW_PAST_H
#define UI_VIEW_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/view/change.h"

struct view;

struct past {
	struct view_changes	seen;		/* when n was found */
	bool			known, open;
	uint64_t		n;		/* rows of the trace, from its first on */
};

/* How many rows the first row of the list stands for; 0: there is no such row. It opens when the
   cursor is put on another one of them. */
uint64_t view_past(struct view *v);
/* Show them one by one, or as one row again. */
void	view_past_open(struct view *v, bool open);
/* The index for a cursor that moves by indexes: it stops at the row, and behind it. */
uint64_t view_past_skip(struct view *v, uint64_t cursor, uint64_t to);
/* Append what the row says. */
void	view_past_text(struct view *v, struct buf *out);

#endif

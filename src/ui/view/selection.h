/*
 * The selection: an event of the list. Its row is looked up anew whenever rows may have moved.
 */
#ifndef UI_VIEW_SELECTION_H
#define UI_VIEW_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/query.h"
#include "tnav/model/event.h"

struct view;

struct selection {
	bool		 has, settling;	/* settling: the nearest row is being looked for */
	bool		 to_last;	/* it is to be the last event, but not all is there yet: */
	uint64_t	 due;		/* ... so many rows are to come */
	int64_t		 ts;
	uint64_t	 off, row;
};

uint64_t view_index(struct view *v);			/* in the list; 0 when there is none */
void	view_select(struct view *v, uint64_t index);		/* clamped */
/* The last one: also of events that are known of but are not rows yet, and of a filter that is not
   decided yet, as these come; until another one is selected. */
void	view_select_last(struct view *v);
void	view_select_last_anew(struct view *v);
void	view_select_row(struct view *v, uint64_t row);		/* the nearest that is shown */
/* The first that is shown at the row or from there on in the direction; else the nearest. */
void	view_select_toward(struct view *v, uint64_t row, int dir);
void	view_select_event(struct view *v, int64_t ts, uint64_t off);
int	view_selected(struct view *v, struct event *e);		/* 1, 0 */
/* Of the shown events at or around the selection take the nearest in time. */
void	view_settle(struct view *v, int64_t budget_ns);
/* What of the window's rows matches, found from the selection outward; now: what +5s counts from.
   NULL: it is no expression, and why (or NULL) says what is wrong. */
struct query *view_query(const struct view *v, struct span expr, int64_t now_ns, struct buf *why);
int64_t	view_now_ns(const struct view *v);		/* the selection's time, for +5s */

#endif

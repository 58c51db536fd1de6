/* The selection: an event of the list. Its row is looked up again when rows may have moved. */
#ifndef UI_VIEW_SELECTION_H
#define UI_VIEW_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/query.h"
#include "tnav/model/event.h"

struct view;

struct selected_row {
	bool		 has, settling;	/* settling: the nearest visible row is being searched */
	bool		 to_last;	/* the last event is to be selected, but some rows are
					   missing: */
	uint64_t	 due;		/* ... this many are expected */
	int64_t		 ts;
	uint64_t	 off, row;
};

uint64_t view_index(struct view *v);			/* in the list; 0 if there is none */
void	view_select(struct view *v, uint64_t index);		/* limited to the list */
/* Select the last event. This continues while rows arrive and while the filter runs, until
   another event is selected. */
void	view_select_last(struct view *v);
void	view_select_last_anew(struct view *v);
void	view_select_row(struct view *v, uint64_t row);		/* the nearest visible row */
/* The first visible row from this one on in the direction; if there is none, the nearest. */
void	view_select_toward(struct view *v, uint64_t row, int dir);
void	view_select_event(struct view *v, int64_t ts, uint64_t off);
int	view_selected(struct view *v, struct event *e);		/* 1, 0 */
/* Select the visible event nearest in time to the selection. */
void	view_settle(struct view *v, int64_t budget_ns);
/* Compile an expression. now_ns: base of +5s. NULL: it is not valid; the error is in why (or
   NULL). */
struct filter *view_compile(const struct view *v, struct span expr, int64_t now_ns,
	    struct buf *why);
/* The matching rows of the window, searched from the selection outward. NULL: likewise. */
struct query *view_query(struct view *v, struct span expr, int64_t now_ns, struct buf *why);
int64_t	view_now_ns(const struct view *v);		/* time of the selection, for +5s */

#endif

/*
 * Columns of the events as data: one table of kinds, and the set that a view shows, in its order.
 */
#ifndef UI_VIEW_COLUMN_H
#define UI_VIEW_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"
#include "ui/view/field.h"

struct column;

/* What a cell is made of. */
struct column_row {
	struct view		*v;
	const struct event	*e;
	const struct event	*before;	/* of the row above, or NULL */
	uint64_t		 row;
};

/* How a column stands. What it says is its field's, unless it has a function of its own. */
struct column_kind {
	const char	*name;		/* NULL: as its field */
	const char	*field;		/* in the filter language, or NULL */
	const char	*title, *help;	/* NULL: as its field's */
	int		 width;
	bool		 right;		/* aligned */
	bool		 fits;		/* as wide as its values; width: until some are seen */
	bool		 pinned;	/* stays where it is when the others scroll */
	int		 from_w;	/* by itself on panes so wide; 0: on all, -1: on none, */
	unsigned	 needs;		/* ... and of traces that have HAS_... */
	enum style	 style;
	bool		(*format)(const struct column *col, const struct column_row *r,
			    struct field_at *out);	/* NULL: by its field */
};

/* Beside those of enum trace_cap; they follow from the threads that were seen. */
#define HAS_NAMES	0x10000u	/* of threads */
#define HAS_PROCESSES	0x20000u	/* more than one */

struct column {
	const struct column_kind *kind;
	struct field_ref ref;		/* def NULL: it shows no field */
	char		*name;
	bool		 shown;
	/* Of one that is as wide as its values: what was seen so far. */
	int		 widest;
	bool		 numbers, words;
};

struct column_set {
	struct column	*v;
	size_t		 n, cap;
	int		 w;		/* of the pane when last drawn: what stands by itself */
	unsigned	 has;		/* HAS_...: what the trace has */
	bool		 chosen;	/* by a person: width and trace decide nothing */
};

void	columns_init(struct column_set *cs);
void	columns_release(struct column_set *cs);
/* The columns that stand by themselves where there is room and the trace has use for them. */
void	columns_default(struct column_set *cs);
/* "time,event,payload.Reason": show these, in this order. False: why says what is wrong. */
bool	columns_set(struct column_set *cs, const char *list, struct buf *why);
/* The same for the view's, with names as the filter reads and checks them. True: why may have a
   note. */
bool	columns_choose(struct view *v, const char *list, struct buf *why);
/* The list that columns_set() reads, of those that are shown. */
void	columns_text(const struct column_set *cs, struct buf *out);
/* Show or hide one; move one by dir places; both make the set one that was chosen. */
void	columns_toggle(struct column_set *cs, size_t i);
bool	columns_move(struct column_set *cs, size_t i, int dir);

const char	*column_name(const struct column *col);	/* event, payload.Reason */
const char	*column_title(const struct column *col);
const char	*column_help(const struct column *col);
/* Is one shown whose field has the flag? */
bool	columns_show(const struct column_set *cs, unsigned flag);
bool	column_shown(const struct column_set *cs, const struct column *col, int w);
/* Take note of how wide a value is, if the column goes by that. */
void	column_measure(struct column *col, const struct column_row *r, struct field_at *cell);
/* Do its cells end at the right? */
bool	column_right(const struct column *col);
/* Cells on a pane that is w wide, with one between it and the next; 0: all that are left. */
int	column_width(const struct column *col, struct view *v, int w);
/* The cell's text; false: it is empty. */
bool	column_cell(const struct column *col, const struct column_row *r, struct field_at *out);

#endif

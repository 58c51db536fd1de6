/* Columns of events as data: a table of kinds, and the ordered set that a view shows. */
#ifndef UI_VIEW_COLUMN_H
#define UI_VIEW_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"
#include "ui/view/field.h"

struct column;

/* The row of a cell. */
struct column_row {
	struct view		*v;
	const struct event	*e;
	const struct event	*before;	/* of the row above, or NULL */
	uint64_t		 row;
};

typedef bool	column_format(const struct column *col, const struct column_row *r,
		    struct field_at *out);

/* The display of a column. Its text is that of its field, unless it has a function. */
struct column_kind {
	const char	*name;		/* NULL: the field's */
	const char	*field;		/* in the filter language, or NULL */
	const char	*title;		/* NULL: the field's */
	int		 width;
	bool		 right;		/* right-aligned */
	bool		 pinned;	/* does not scroll with the others */
	int		 from_w;	/* shown by default on panes of this width; 0: on all,
					   -1: on none, ... */
	unsigned	 needs;		/* ... if the trace has HAS_... */
	enum style	 style;
	column_format	*format;	/* NULL: the field's */
	const char	*help;		/* NULL: the field's */
	bool		 fits;		/* as wide as its values; width: before any were seen */
};

extern const struct column_kind	column_kinds[];	/* columns.tsv */
extern const size_t		column_nkinds;
column_format	column_delta, column_file, column_event, column_payload;

/* In addition to enum trace_cap; determined from the threads of the trace. */
#define HAS_NAMES	0x10000u	/* of threads */
#define HAS_PROCESSES	0x20000u	/* several processes */
#define HAS_SOURCES	0x40000u	/* several traces */

struct column {
	const struct column_kind *kind;
	struct field_ref ref;		/* def NULL: no field */
	char		*name;		/* event, payload.Reason */
	bool		 shown;
	/* If it fits its values: the values so far. */
	int		 widest;
	bool		 numbers, words;
};

struct column_set {
	struct column	*v;
	size_t		 n, cap;
	int		 w;		/* width of the pane when last drawn, for defaults */
	unsigned	 has;		/* HAS_... of the trace */
	bool		 chosen;	/* by the user: width and trace do not matter */
};

void	columns_release(struct column_set *cs);
/* The default columns, depending on width and trace. Zero it before the first time. */
void	columns_default(struct column_set *cs);
/* Show these, in this order: "time,event,payload.Reason". False: the error is in why. */
bool	columns_set(struct column_set *cs, const char *list, struct buf *why);
/* The same for the view's columns; names are checked as in filters. True: why may have a note. */
bool	columns_choose(struct view *v, const char *list, struct buf *why);
/* The list of the shown columns, as columns_set() takes it. */
void	columns_text(const struct column_set *cs, struct buf *out);
/* Show or hide a column; move it by dir places. Both make the set a chosen one. */
void	columns_toggle(struct column_set *cs, size_t i);
bool	columns_move(struct column_set *cs, size_t i, int dir);

const char	*column_title(const struct column *col);
/* The derived facts that the shown columns need: NEEDS_... */
unsigned columns_need(const struct column_set *cs, struct trace *t);
bool	column_shown(const struct column_set *cs, const struct column *col, int w);
/* Take the width of a value into account, if the column fits its values. */
void	column_measure(struct column *col, const struct column_row *r, struct field_at *cell);
/* Is it right-aligned? */
bool	column_right(const struct column *col);
/* Its width on a pane of width w, with one cell between it and the next; 0: the rest. */
int	column_width(const struct column *col, struct view *v, int w);
/* The cell's text. False: it is empty. */
bool	column_cell(const struct column *col, const struct column_row *r, struct field_at *out);

#endif

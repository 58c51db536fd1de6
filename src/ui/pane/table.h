/*
 * The one table widget: a pane that gives a struct table is drawn, sorted, folded and walked
 * through here. Such a pane has .table and the functions below in its entry, and its private state
 * begins with a struct table_pane.
 */
#ifndef UI_PANE_TABLE_H
#define UI_PANE_TABLE_H

#include "tnav/analysis/table.h"
#include "tnav/base/regex.h"
#include "ui/pane/pane.h"

/* A line above the rows: what is so, and below it what to do. */
struct table_note {
	const char	*label;
	struct buf	 text;
	const char	*advice;		/* or NULL */
	enum tone	 tone;
};

/* Where a column stands, as last drawn. */
struct table_place {
	unsigned	col;
	int		x, w;
};

struct table_pane {
	const struct pane_ops	*ops;		/* set when the pane is made */
	struct list		 list;		/* of shown */
	uint32_t		*shown;		/* rows in order, without those that are folded */
	size_t			 nshown, cap;
	struct table_order	 order;
	bool			 made, resort;	/* made: the order is of the stamp below */
	uint64_t		 rows_stamp, stamp;
	unsigned		 by;		/* sorted by, when chosen */
	bool			 chosen, inverted;
	bool			 touched;	/* the cursor was moved: it stays on its row */
	uint64_t		 stood;		/* the id of the row under the cursor */
	uint64_t		*fold;		/* ids of rows that are not as at first */
	size_t			 nfold, fold_cap;
	uint64_t		 pick;		/* columns that were asked for, by bit; 0: none */
	int			 natural[TABLE_COLUMNS];	/* cells that they need */
	uint64_t		 fine;		/* columns of measures that need all decimals */
	struct table_place	 place[TABLE_COLUMNS];
	unsigned		 nplaces;
	int			 spark;		/* cells of the column of that kind, 0: none */
	int			 head;		/* lines above the rows, as last drawn */
	struct table_note	*note;		/* the pane's own, drawn above; or NULL */
	size_t			 nnotes;
	bool			 bare;		/* no titles above the columns */
	bool			 steady;	/* widths by all rows, which are few */
	unsigned		 whole;		/* column + 1 whose text stands below in full */
};

/* For the entry of a pane. */
void	table_pane_draw(void *self, struct view *v, struct canvas *c, struct rect r, bool focus);
bool	table_pane_move(void *self, struct view *v, struct move m);
bool	table_pane_enter(void *self, struct view *v);
bool	table_pane_field(void *self, struct view *v, struct field_at *out);
bool	table_pane_point(void *self, struct view *v, int y, int x);
bool	table_pane_sort(void *self, struct view *v, int step, const char *name);
void	table_pane_release(void *self);
/* It becomes another table: no order, choice or place of the old one is of use. */
void	table_pane_reset(struct table_pane *p);

/* For the pane itself. The row under the cursor, TABLE_NO_ROW: none; and the table. */
const struct table	*table_pane_table(struct table_pane *p, struct view *v);
size_t			 table_pane_row(struct table_pane *p, struct view *v);
/* The column that it is sorted by, TABLE_UNSORTED: as the rows came. */
unsigned		 table_pane_by(const struct table_pane *p, const struct table *t);
/*
 * The rows as they are printed: all that are shown but headings, or the one under the cursor; of
 * the columns those that are shown, else all that stand in files unless a person chose some.
 * False: there is none. release: mem_free() of order.row and col.
 */
struct table_rows {
	const struct table	*t;
	struct table_order	 order;
	unsigned		*col;
	size_t			 ncols;
};
bool			 table_pane_rows(struct table_pane *p, struct view *v, bool all,
			    bool shown, struct table_rows *out);
/* "tid,events": the columns that are shown; choose others. False: why says which is wrong. */
void			 table_pane_columns(struct table_pane *p, struct view *v, struct buf *out);
bool			 table_pane_choose(struct table_pane *p, struct view *v, const char *list,
			    struct buf *why);
/* Does a cell of the row on that line match? */
bool			 table_pane_matches(struct table_pane *p, struct view *v, size_t line,
			    const struct regex *re, struct regex_match *m);
void			 table_pane_drop_notes(struct table_pane *p);
void			 table_pane_stand(struct table_pane *p, struct view *v, size_t row);

#endif

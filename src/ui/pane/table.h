/*
 * The table widget. It draws, sorts and folds the struct table of a pane, and moves in it. Such a
 * pane has .table and the functions below in its entry, and its private state is a struct
 * table_pane, or begins with one. It is made and released with the pane.
 */
#ifndef UI_PANE_TABLE_H
#define UI_PANE_TABLE_H

#include "tnav/analysis/table.h"
#include "tnav/base/regex.h"
#include "ui/pane/pane.h"

/* A line above the rows: a statement, and below it advice. */
struct table_note {
	const char	*label;
	struct buf	 text;
	const char	*advice;		/* or NULL */
	enum tone	 tone;
};

#define TABLE_NOTES	8u

/* A table that has no rows, and why. */
#define TABLE_WITHOUT_ROWS(columns, n, why) \
	{ .column = (columns), .ncolumns = (n), .empty = (why) }

/* The place of a column, as last drawn. */
struct table_place {
	unsigned	col;
	int		x, w;
};

struct table_pane {
	const struct pane_ops	*ops;		/* set when the pane is made, ... */
	const char		*name;		/* ... as this is, ... */
	struct view		*v;		/* ... and this */
	/* For the pane: */
	struct table		 t;		/* a table of which it is the source */
	struct table		*built;		/* one that it has built, or NULL; freed after
						   what the pane releases */
	struct view_changes	 seen;		/* when it was built */
	struct buf		 text;		/* for the texts of one column */
	/* ... and for the widget: */
	struct list		 list;		/* its rows are those of shown */
	uint32_t		*shown;		/* rows in order, without those inside folded
						   ones */
	size_t			 nshown, cap;
	struct table_order	 order;
	bool			 made, resort;	/* made: the order belongs to the stamp below */
	uint64_t		 rows_stamp, stamp;
	unsigned		 by;		/* column to sort by, if chosen */
	bool			 chosen, inverted;
	bool			 touched;	/* the user has moved the cursor: it stays on its
						   row */
	uint64_t		 stood;		/* the id of the row under the cursor */
	uint64_t		*fold;		/* ids of rows that the user folded or unfolded */
	size_t			 nfold, fold_cap;
	uint64_t		 pick;		/* chosen columns, by bit; 0: none were chosen */
	int			 natural[TABLE_MOST];	/* widths that they need */
	int			 part[TABLE_MOST];		/* that the last parts of names
								   need */
	uint64_t		 common[TABLE_MOST];		/* hashes of the last texts */
	uint64_t		 common_known, varied;	/* columns that have a hash; with different
							   texts in their rows */
	uint64_t		 dull;		/* left out because all rows are the same */
	uint64_t		 fine;		/* columns of measures that need all decimals */
	uint64_t		 coarse;	/* ... but have values with which one is enough */
	struct table_place	 place[TABLE_MOST];
	unsigned		 nplaces;
	int			 head;		/* lines above the rows, as last drawn */
	int			 w;		/* of a list that pops up: its width, for
						   wrapping; 0: not yet known */
	struct table_note	 note[TABLE_NOTES];	/* of the pane, drawn above the rows */
	size_t			 nnotes;
	bool			 bare;		/* no titles */
	bool			 steady;	/* widths depend on all rows, which are few */
	unsigned		 whole;		/* column + 1 whose text is also shown in full,
						   below */
	bool			 yields;	/* ... if all rows fit, too */
};

/* Functions for the entry of a pane. */
void	table_pane_draw(void *self, struct view *v, struct canvas *c, struct rect r, bool focus);
/* The lines that all of it takes, with its title; INT_MAX: all that there are. */
int	table_pane_lines(void *self, struct view *v);
bool	table_pane_move(void *self, struct view *v, struct move m);
bool	table_pane_enter(void *self, struct view *v);
/* The evidence of the row under the cursor, whose filter is to release. False: it has none. */
bool	table_pane_evidence(struct table_pane *p, struct view *v, struct table_evidence *e);
/* Select the event that the row under the cursor stands for. False: there is none. */
bool	table_pane_select(void *self, struct view *v);
bool	table_pane_field(void *self, struct view *v, struct field_at *out);
bool	table_pane_point(void *self, struct view *v, int y, int x);
bool	table_pane_sort(void *self, struct view *v, const char *name);
void	table_pane_sorts(void *self, struct view *v, sort_offer *offer, void *arg);
/* Fold the row under the cursor, or unfold it; inside of a row that is open: go there. False: it
   is not part of a tree. */
bool	table_pane_toggle(struct table_pane *p, struct view *v);
/* Those that every such pane has; and those of one whose rows have an order and evidence, which may
   draw something else, too. */
#define TABLE_PANE_MOVES	\
	.move = table_pane_move, .point = table_pane_point
#define TABLE_PANE	\
	.draw = table_pane_draw, TABLE_PANE_MOVES
#define TABLE_PANE_SORTS	\
	.sort = table_pane_sort, .sorts = table_pane_sorts
#define TABLE_PANE_ROWS	\
	TABLE_PANE_MOVES, TABLE_PANE_SORTS, .enter = table_pane_enter, .field = table_pane_field
#define TABLE_PANE_SORTED	\
	.draw = table_pane_draw, TABLE_PANE_ROWS
/* The table becomes a different one: forget order, chosen columns and cursor. */
void	table_pane_reset(struct table_pane *p);
void	table_pane_release(struct table_pane *p);

/* Is the table to be built again, because one of these has changed? Then it is released. */
bool			 table_pane_stale(struct table_pane *p, unsigned depends);
/* For the pane: the table, and the row under the cursor (TABLE_NO_ROW: none). */
const struct table	*table_pane_table(struct table_pane *p, struct view *v);
size_t			 table_pane_row(struct table_pane *p, struct view *v);
/* The column that it is sorted by. TABLE_UNSORTED: the table's own order. */
unsigned		 table_pane_by(const struct table_pane *p, const struct table *t);
/* Write what is before it and "sorted by TITLE", or nothing if the rows are not sorted. */
void			 table_pane_put_sort(const struct table_pane *p, const struct table *t,
			    const char *before, struct buf *out);
/*
 * The rows to print: all visible rows except headings, or the row under the cursor. The columns:
 * those that are shown, or all that are written to files unless the user chose some. False: nothing
 * to print. To release: mem_free() order.row and col.
 */
struct table_rows {
	const struct table	*t;
	struct table_order	 order;
	unsigned		*col;
	size_t			 ncols;
};
bool			 table_pane_rows(struct table_pane *p, struct view *v, bool all,
			    bool shown, struct table_rows *out);
/* The shown columns as "tid,events"; and choosing others. False: the wrong one is in why. */
void			 table_pane_columns(struct table_pane *p, struct view *v, struct buf *out);
bool			 table_pane_choose(struct table_pane *p, struct view *v, const char *list,
			    struct buf *why);
/* Does a cell of the row on this line match? */
bool			 table_pane_matches(struct table_pane *p, struct view *v, size_t line,
			    const struct regex *re, struct regex_match *m);
/* Add a note, of which there are TABLE_NOTES at most, without a text; advice: or NULL. */
struct table_note	*table_pane_note(struct table_pane *p, const char *label, enum tone tone,
			    const char *advice);
void			 table_pane_drop_notes(struct table_pane *p);
/* Move the cursor to the row, which is unfolded. */
void			 table_pane_stand(struct table_pane *p, struct view *v, size_t row);

#endif

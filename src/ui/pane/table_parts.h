/* Functions that the parts of the table widget share. */
#ifndef UI_PANE_TABLE_PARTS_H
#define UI_PANE_TABLE_PARTS_H

#include "ui/pane/table.h"

#define MARGIN		2	/* before the columns: for the cursor and the fold mark */
#define BETWEEN		2	/* blanks between columns */
#define ORDER_W(ascii)	((ascii) ? 2 : 1)	/* width of the order mark before a title */
#define SHARE_BAR	8
#define SHARE_W		(SHARE_BAR + 8)
#define SHARE_BARE	7	/* "100.0 %" */

/* ---- table_rows.c */
bool	table_pane_up(const struct table_pane *p, const struct table *t);	/* ascending? */
bool	table_has_children(const struct table *t, size_t row);
/* Are the row's children shown? */
bool	table_pane_open(const struct table_pane *p, const struct table *t, size_t row);
/* Fold the row, or unfold it. */
void	table_pane_fold(struct table_pane *p, const struct table *t, size_t row);
/* Keep the cursor on its row when rows move. */
void	table_pane_remember(struct table_pane *p, const struct table *t);

/* ---- table_columns.c */
/* The i-th column on the screen, if all are shown. */
unsigned table_pane_nth(const struct table *t, unsigned i);
bool	table_is_number(const struct table *t, unsigned col);
/* The title of a column with its unit. */
void	table_pane_title(const struct table *t, unsigned col, struct buf *out);
bool	table_pane_shows(const struct table_pane *p, const struct table *t, unsigned col);
/* The cell and its displayed text, which is borrowed from the cell or in b. */
struct span table_pane_words(const struct table_pane *p, const struct view *v,
	    const struct table *t, size_t row, unsigned col, struct cell *c, struct buf *b);
/* Widths for the h rows on the screen. They only grow while the table stays the same. */
void	table_pane_measure(struct table_pane *p, struct view *v, const struct table *t, int h);
void	table_pane_place(struct table_pane *p, struct view *v, const struct table *t,
	    struct rect r);

#endif

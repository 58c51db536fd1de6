/* A row of the events pane: where its cells are, and how they are drawn. */
#ifndef UI_PANE_EVENTS_ROW_H
#define UI_PANE_EVENTS_ROW_H

#include "ui/view/column.h"
#include "ui/view/view.h"

#define ROW_SLOTS	32u

struct row_slot {
	size_t	col;		/* index in view.columns */
	int	x, w;
};

struct row_layout {
	struct row_slot	s[ROW_SLOTS];
	unsigned	n;
};

/* State that is kept between frames. */
struct row_view {
	size_t		 at;		/* the current column */
	size_t		 first;		/* first of the columns that scroll */
	int		 shift;		/* cells that the current column's text is scrolled */
	bool		 ready;		/* at was set */
	struct field_at	 cell;		/* scratch */
};

/* Place the columns, with the current one on the screen. */
void	row_layout(struct row_layout *l, struct row_view *rv, struct view *v, struct rect r);
void	row_heading(const struct row_layout *l, struct row_view *rv, struct view *v,
	    struct canvas *c, struct rect r, bool focus);
/* repeats: number of events in a run that is one row; 1: no run. */
void	row_draw(const struct row_layout *l, struct row_view *rv, const struct column_row *row,
	    struct canvas *c, struct rect r, int y, uint32_t repeats);
/* The number of cells by which the text in the current column is cut. */
int	row_cut(const struct row_layout *l, struct row_view *rv, const struct column_row *row);
/* Go to the next column to the right or left, or scroll in the current one's text. cut: cells of
   it that are cut, at most. */
bool	row_side(struct row_view *rv, struct view *v, int64_t n, int w, int cut);

#endif

/*
 * One row of the events pane: where its cells stand, and how they are drawn.
 */
#ifndef UI_PANE_EVENTS_ROW_H
#define UI_PANE_EVENTS_ROW_H

#include "ui/view/column.h"
#include "ui/view/view.h"

#define ROW_SLOTS	32u

struct row_slot {
	size_t	col;		/* of view.columns */
	int	x, w;
};

struct row_layout {
	struct row_slot	s[ROW_SLOTS];
	unsigned	n;
};

/* What stays from frame to frame. */
struct row_view {
	size_t		 at;		/* the current column */
	size_t		 first;		/* the first of those that scroll */
	int		 shift;		/* cells of the current column's text left out */
	bool		 ready;		/* row_view_init() was here */
	struct field_at	 cell;		/* scratch */
};

void	row_view_init(struct row_view *rv);
void	row_view_release(struct row_view *rv);
/* Place the columns so that the current one is on the screen. */
void	row_layout(struct row_layout *l, struct row_view *rv, struct view *v, struct rect r);
void	row_heading(const struct row_layout *l, struct row_view *rv, struct view *v,
	    struct canvas *c, struct rect r, bool focus);
/* repeats: of a run that stands as one row; 1: no run. */
void	row_draw(const struct row_layout *l, struct row_view *rv, const struct column_row *row,
	    struct canvas *c, struct rect r, int y, uint32_t repeats);
/* The cells of the row's text in the current column that do not fit. */
int	row_cut(const struct row_layout *l, struct row_view *rv, const struct column_row *row);
/* The next column to the right or left, or more of the current one's text; cut: the most that
   there is more of. */
bool	row_side(struct row_view *rv, struct view *v, int64_t n, int w, int cut);

#endif

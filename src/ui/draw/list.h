/* A virtual list: 64-bit rows, a cursor, and the first row on the screen. */
#ifndef UI_DRAW_LIST_H
#define UI_DRAW_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum move_kind { MOVE_LINES, MOVE_PAGES, MOVE_HALVES, MOVE_FIRST, MOVE_LAST, MOVE_TO,
		 MOVE_SIDE };

struct move {
	enum move_kind	kind;
	int64_t		n;		/* positive: down; MOVE_TO: the row */
};

struct list {
	uint64_t	n, top, cursor;
	int		h;		/* rows on the screen, as last drawn */
	bool		scrolls;	/* no cursor: moves scroll (help) */
};

/* Set the size. Afterwards top and cursor are valid, and the cursor is on the screen. */
void	list_fit(struct list *l, uint64_t n, int h);
/* False: it is already at that end. */
bool	list_move(struct list *l, struct move m);
/* Bring the row on the screen: if it is not there, to a third of its height. */
void	list_show(struct list *l, uint64_t row);
/* a + n within [0, last]. */
uint64_t list_add(uint64_t a, int64_t n, uint64_t last);

#endif

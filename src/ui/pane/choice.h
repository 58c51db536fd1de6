/* Rows of a table with a key for each row. */
#ifndef UI_PANE_CHOICE_H
#define UI_PANE_CHOICE_H

#include "ui/pane/table.h"

#define CHOICES_MOST	64u

struct menu_keys {
	char	key[CHOICES_MOST];	/* by row; '\0': none was free */
	size_t	n;
};

/* Add a row. It gets the first of these keys that is free. */
void	choice_add(struct menu_keys *c, const char *keys);
void	choice_cell(const struct menu_keys *c, size_t row, struct cell *out);
/* Move the cursor to the row with this key. False: there is none. */
bool	choice_stand(const struct menu_keys *c, struct table_pane *p, struct view *v, int32_t key);

#endif

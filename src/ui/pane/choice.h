/*
 * Rows of a table that a key each chooses.
 */
#ifndef UI_PANE_CHOICE_H
#define UI_PANE_CHOICE_H

#include "ui/pane/table.h"

#define CHOICES_MOST	64u

struct choice {
	char	key[CHOICES_MOST];	/* of each row; '\0': none was free */
	size_t	n;
};

bool	choice_is_free(const struct choice *c, char key);
/* One more row: it has the first of these keys that is free. */
void	choice_add(struct choice *c, const char *keys);
void	choice_cell(const struct choice *c, size_t row, struct cell *out);
/* Stand on the row of the key. False: it is none of these. */
bool	choice_stand(const struct choice *c, struct table_pane *p, struct view *v, int32_t key);

#endif

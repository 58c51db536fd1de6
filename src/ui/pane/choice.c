/*
 * Rows of a table with a key for each row.
 *
 *	keys	g  c  t  j ...		of row 0, 1, 2 ...
 *
 * Invariant: no two rows have the same key. No row has a key that moves in the table, continues a
 * search or closes the pane.
 */
#include "ui/pane/choice.h"

#include <assert.h>
#include <string.h>

static bool
choice_is_free(const struct menu_keys *c, char key)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->key[i] == key)
			return false;
	return strchr("jkqGnN", key) == NULL;
}

void
choice_add(struct menu_keys *c, const char *keys)
{
	assert(c->n < CHOICES_MOST);
	while (*keys != '\0' && !choice_is_free(c, *keys))
		keys++;
	c->key[c->n++] = *keys;
}

void
choice_cell(const struct menu_keys *c, size_t row, struct cell *out)
{
	*out = (struct cell){ .kind = CELL_TEXT, .text = { (const uint8_t *)&c->key[row], 1 } };
}

bool
choice_stand(const struct menu_keys *c, struct table_pane *p, struct view *v, int32_t key)
{
	for (size_t i = 0; i < c->n; i++) {
		if (key != c->key[i])
			continue;
		table_pane_stand(p, v, i);
		return true;
	}
	return false;
}

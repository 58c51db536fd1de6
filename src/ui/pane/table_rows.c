/*
 * The rows of a table on the screen: their order, folding, and the cursor.
 *
 *	table rows --order--> rows sorted --folds--> shown --list--> what is on the screen
 *
 * Invariant: once it was moved, the cursor belongs to a row (its id), not to a position.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "ui/pane/table_parts.h"

unsigned
table_pane_by(const struct table_pane *p, const struct table *t)
{
	return p->chosen && p->by < t->ncolumns ? p->by : t->sort - 1;
}

void
table_pane_put_sort(const struct table_pane *p, const struct table *t, const char *before,
    struct buf *out)
{
	unsigned	by = table_pane_by(p, t);

	if (by < t->ncolumns)
		buf_printf(out, "%ssorted by %s", before, table_title(t, by));
}

bool
table_pane_up(const struct table_pane *p, const struct table *t)
{
	unsigned	by = table_pane_by(p, t);

	return by >= t->ncolumns || table_sorts_up(t, by) != p->inverted;
}

static uint64_t
id_of(const struct table *t, size_t row)
{
	return t->id != NULL ? t->id(t->src, row) : row;
}

static size_t
find_fold(const struct table_pane *p, uint64_t id)
{
	size_t	i = 0;

	while (i < p->nfold && p->fold[i] != id)
		i++;
	return i;
}

bool
table_pane_open(const struct table_pane *p, const struct table *t, size_t row)
{
	bool	at_first = table_depth(t, row) < t->open_depth;

	return (find_fold(p, id_of(t, row)) == p->nfold) == at_first;
}

static void
stand_on_id(struct table_pane *p, const struct table *t, uint64_t id)
{
	for (size_t i = 0; i < p->nshown; i++)
		if (id_of(t, p->shown[i]) == id) {
			p->list.cursor = i;
			return;
		}
}

static bool
is_child(const struct table *t, size_t row, size_t of)
{
	for (row = t->parent(t->src, row); row != TABLE_NO_ROW && row >= of;
	    row = t->parent(t->src, row))
		if (row == of)
			return true;
	return false;
}

/* The rows in order, without those inside a folded row. */
static void
make_shown(struct table_pane *p, const struct table *t)
{
	if (p->order.n > p->cap)
		p->shown = mem_grow(p->shown, &p->cap, p->order.n, sizeof *p->shown);
	p->nshown = 0;
	for (size_t i = 0; i < p->order.n; ) {
		uint32_t	row = p->order.row[i++];

		p->shown[p->nshown++] = row;
		if (t->parent == NULL || i == p->order.n ||
		    t->parent(t->src, p->order.row[i]) != row || table_pane_open(p, t, row))
			continue;
		while (i < p->order.n && is_child(t, p->order.row[i], row))
			i++;
	}
	p->list.n = p->nshown;
	if (p->touched)
		stand_on_id(p, t, p->stood);
}

void
table_pane_remember(struct table_pane *p, const struct table *t)
{
	if (p->list.cursor < p->nshown)
		p->stood = id_of(t, p->shown[p->list.cursor]);
}

const struct table *
table_pane_table(struct table_pane *p, struct view *v)
{
	const struct table	*t = p->ops->table(p, v);

	if (p->made && !p->resort && p->rows_stamp == t->rows_stamp && p->order.n == t->nrows) {
		if (p->stamp != t->stamp)
			memset(p->natural, 0, sizeof p->natural);
		p->stamp = t->stamp;
		return t;
	}
	table_order_make(&p->order, t, table_pane_by(p, t), table_pane_up(p, t));
	memset(p->natural, 0, sizeof p->natural);
	p->fine = p->coarse = 0;
	p->made = true;
	p->resort = false;
	p->rows_stamp = t->rows_stamp;
	p->stamp = t->stamp;
	make_shown(p, t);
	list_fit(&p->list, p->nshown, p->list.h);
	return t;
}

size_t
table_pane_row(struct table_pane *p, struct view *v)
{
	(void)table_pane_table(p, v);
	return p->list.cursor < p->nshown ? p->shown[p->list.cursor] : TABLE_NO_ROW;
}

bool
table_has_children(const struct table *t, size_t row)
{
	return t->parent != NULL && row + 1 < t->nrows && t->parent(t->src, row + 1) == row;
}

void
table_pane_fold(struct table_pane *p, const struct table *t, size_t row)
{
	uint64_t	id = id_of(t, row);
	size_t		at = find_fold(p, id);

	if (at < p->nfold)
		p->fold[at] = p->fold[--p->nfold];
	else
		ARRAY_ADD(p->fold, p->nfold, p->fold_cap, id);
	p->touched = true;
	table_pane_remember(p, t);
	make_shown(p, t);
	list_fit(&p->list, p->nshown, p->list.h);
}

void
table_pane_stand(struct table_pane *p, struct view *v, size_t row)
{
	const struct table	*t = table_pane_table(p, v);

	if (row >= t->nrows)
		return;
	for (size_t up = row; t->parent != NULL && up != TABLE_NO_ROW; ) {
		up = t->parent(t->src, up);
		if (up != TABLE_NO_ROW && !table_pane_open(p, t, up))
			table_pane_fold(p, t, up);
	}
	p->touched = true;
	p->stood = id_of(t, row);
	stand_on_id(p, t, p->stood);
	list_fit(&p->list, p->nshown, p->list.h);	/* as a frame in between would */
}

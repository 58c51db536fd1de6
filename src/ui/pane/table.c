/*
 * The table widget: its keys.
 *
 *	table_rows.c	which rows, in which order, and the one under the cursor
 *	table_columns.c	which columns, what their cells say, how wide they are
 *	table_draw.c	the two on the screen
 */
#include "ui/pane/table.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/regex.h"
#include "ui/pane/table_parts.h"

/* Open or close the row under the cursor. Closing a row that is not open goes to its parent. */
static bool
unfold(struct table_pane *p, struct view *v, bool open)
{
	size_t			 row = table_pane_row(p, v), parent;
	const struct table	*t = table_pane_table(p, v);

	if (row == TABLE_NO_ROW || t->parent == NULL)
		return false;
	if (!table_has_children(t, row) || table_pane_open(p, t, row) == open) {
		parent = t->parent(t->src, row);
		if (open || parent == TABLE_NO_ROW)
			return false;
		table_pane_stand(p, v, parent);
		return true;
	}
	table_pane_fold(p, t, row);
	return true;
}

bool
table_pane_toggle(struct table_pane *p, struct view *v)
{
	size_t			 row = table_pane_row(p, v);
	const struct table	*t = table_pane_table(p, v);

	return row != TABLE_NO_ROW && t->parent != NULL &&
	    unfold(p, v, table_has_children(t, row) && !table_pane_open(p, t, row));
}

bool
table_pane_move(void *self, struct view *v, struct move m)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	bool			 moved;

	if (m.kind == MOVE_SIDE)
		return unfold(p, v, m.n > 0);
	moved = list_move(&p->list, m);
	p->touched = true;
	table_pane_remember(p, t);
	return moved;
}

static bool
follow(struct view *v, struct table_evidence *e)
{
	switch (e->kind) {
	case EVIDENCE_FILTER:
		if (e->alone)
			return view_set_filter(v, buf_str(&e->filter));
		return view_filter_add(v, buf_str(&e->filter));
	case EVIDENCE_EVENT:
		view_go_to(v, e->ts, e->off);
		if (v->filter.text != NULL && v->sel.off != e->off && !v->sel.settling)
			view_say(v, "that event is hidden by the filter: at the nearest event");
		return true;
	case EVIDENCE_INSIDE:
	case EVIDENCE_NONE:
		break;
	}
	return false;
}

bool
table_pane_evidence(struct table_pane *p, struct view *v, struct table_evidence *e)
{
	size_t			 row = table_pane_row(p, v);
	const struct table	*t = table_pane_table(p, v);

	*e = (struct table_evidence){ .kind = EVIDENCE_NONE };
	return row != TABLE_NO_ROW && t->evidence != NULL && t->evidence(t->src, row, e);
}

bool
table_pane_enter(void *self, struct view *v)
{
	struct table_pane	*p = self;
	struct table_evidence	 e;
	bool			 good = false;

	if (!table_pane_evidence(p, v, &e))
		view_say(v, "nothing in %s to go to", p->name);
	else
		good = follow(v, &e);
	buf_release(&e.filter);
	return good;
}

bool
table_pane_select(void *self, struct view *v)
{
	struct table_evidence	e;
	bool			is_event = table_pane_evidence(self, v, &e) &&
				    e.kind == EVIDENCE_EVENT && follow(v, &e);

	buf_release(&e.filter);
	return is_event;
}

bool
table_pane_field(void *self, struct view *v, struct field_at *out)
{
	struct table_pane	*p = self;
	size_t			 row = table_pane_row(p, v);
	const struct table	*t = table_pane_table(p, v);

	if (row == TABLE_NO_ROW || t->key == NULL ||
	    !t->key(t->src, row, &out->name, &out->value))
		return false;
	buf_add(&out->text, out->value.p, out->value.len);
	return true;
}

/* Can the table be sorted by the column? say: write a message if not. */
static bool
may_sort(const struct table_pane *p, struct view *v, const struct table *t, unsigned col, bool say)
{
	uint64_t	bit = col < TABLE_COLUMNS ? UINT64_C(1) << col : 0;

	if (t->idle & bit && (p->pick & bit) == 0 &&
	    (!say || t->column[col].tone == TONE_LOSS)) {
		if (say)
			view_say(v, "no lost events detected");
		return false;
	}
	if ((t->absent & bit) == 0 && (t->column[col].flags & COLUMN_NO_SORT) == 0)
		return true;
	if (say)
		view_refuse(v, "cannot sort by %s", t->column[col].name);
	return false;
}

/* The column with this name or title, of those that are shown, else of all. */
static unsigned
column_named(const struct table_pane *p, const struct table *t, const char *name, struct buf *why)
{
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (table_pane_shows(p, t, i) && (strcmp(t->column[i].name, name) == 0 ||
		    strcmp(table_title(t, i), name) == 0))
			return i;
	return table_find_column(t, name, strlen(name), why);
}

bool
table_pane_sort(void *self, struct view *v, const char *name)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	unsigned		 to = table_pane_by(p, t);
	struct buf		 why = { 0 };

	if (name != NULL) {
		to = column_named(p, t, name, &why);
		if (to == t->ncolumns)
			view_refuse(v, "%s", buf_str(&why));
		buf_release(&why);
		if (to == t->ncolumns || !may_sort(p, v, t, to, true))
			return false;
	} else if (to == TABLE_UNSORTED) {
		view_say(v, "the rows are unsorted (> sorts them)");
		return false;
	} else {
		p->inverted = !p->inverted;
	}
	table_pane_remember(p, t);
	p->by = to;
	p->chosen = to < t->ncolumns;
	p->resort = true;
	(void)table_pane_table(p, v);
	view_say(v, "%s sorted by %s%s", p->name, table_title(t, to),
	    p->inverted ? ", reversed" : "");
	return true;
}

/* The columns that are shown come first. */
void
table_pane_sorts(void *self, struct view *v, sort_offer *offer, void *arg)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	unsigned		 by = table_pane_by(p, t);

	if (by >= t->ncolumns)
		by = t->tie - 1;
	for (unsigned i = 0; i < 2 * t->ncolumns && !p->bare; i++) {
		unsigned	col = table_pane_nth(t, i % t->ncolumns);
		const char	*name = t->column[col].name, *title = table_title(t, col);

		if (table_pane_shows(p, t, col) == (i < t->ncolumns) &&
		    may_sort(p, v, t, col, false))
			offer(arg, name, strcmp(name, title) != 0 ? title : NULL,
			    col == by);
	}
}

/* A click on a title sorts by the column, or inverts the order. */
bool
table_pane_point(void *self, struct view *v, int y, int x)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	uint64_t		 at;

	if (y < p->head - 1 || p->nplaces == 0)
		return false;
	if (!p->bare && y == p->head - 1) {
		int	left = p->place[0].x - MARGIN;

		for (unsigned i = 0; i < p->nplaces; i++)
			if (x + left < p->place[i].x + p->place[i].w + BETWEEN)
				return table_pane_sort(p, v, p->place[i].col ==
				    table_pane_by(p, t) ? NULL : t->column[p->place[i].col].name);
		return false;
	}
	at = p->list.top + (uint64_t)(y - p->head);
	if (y < p->head || at >= p->nshown)
		return false;
	p->list.cursor = at;
	p->touched = true;
	table_pane_remember(p, t);
	return true;
}

/* ---- for printing and searching */

bool
table_pane_rows(struct table_pane *p, struct view *v, bool all, bool shown,
    struct table_rows *out)
{
	size_t		 at = table_pane_row(p, v);
	struct buf	 heading = { 0 };

	*out = (struct table_rows){ .t = table_pane_table(p, v) };
	out->order.row = mem_alloc((p->nshown + 1) * sizeof *out->order.row);
	out->col = mem_alloc((out->t->ncolumns + 1) * sizeof *out->col);
	for (size_t i = 0; i < p->nshown; i++)
		if ((all || p->shown[i] == at) && (out->t->heading == NULL ||
		    !out->t->heading(out->t->src, p->shown[i], &heading)))
			out->order.row[out->order.n++] = p->shown[i];
	buf_release(&heading);
	for (unsigned i = 0; i < out->t->ncolumns; i++)
		if (table_in_files(out->t, i) && ((p->pick == 0 && !shown) ||
		    table_pane_shows(p, out->t, i)))
			out->col[out->ncols++] = i;
	return out->order.n > 0;
}

/* 1,471,490 and 1.4 MiB also match as 1471490. */
static bool
number_matches(const struct cell *c, const struct regex *re, struct regex_match *m, struct buf *b)
{
	if (c->kind != CELL_U64 && c->kind != CELL_I64 && c->kind != CELL_BYTES)
		return false;
	buf_clear(b);
	if (c->kind == CELL_I64)
		buf_i64(b, c->i);
	else
		buf_u64(b, c->u);
	return regex_find(re, m, span_of_buf(b), 0, NULL, NULL) == 1;
}

static bool
row_matches(struct table_pane *p, struct view *v, const struct table *t, size_t row,
    const struct regex *re, struct regex_match *m)
{
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b = { 0 };
	bool		found;

	found = t->heading != NULL && t->heading(t->src, row, &b) &&
	    regex_find(re, m, span_of_buf(&b), 0, NULL, NULL) == 1;
	for (unsigned i = 0; i < t->ncolumns && !found; i++) {
		if (!table_pane_shows(p, t, i))
			continue;
		found = regex_find(re, m, table_pane_words(p, v, t, row, i, &c, &b), 0, NULL,
		    NULL) == 1 || number_matches(&c, re, m, &b);
	}
	buf_release(&b);
	return found;
}

bool
table_pane_matches(struct table_pane *p, struct view *v, size_t line, const struct regex *re,
    struct regex_match *m)
{
	const struct table	*t = table_pane_table(p, v);

	return line < p->nshown && row_matches(p, v, t, p->shown[line], re, m);
}

struct table_note *
table_pane_note(struct table_pane *p, const char *label, enum tone tone, const char *advice)
{
	struct table_note	*n = &p->note[p->nnotes++];

	*n = (struct table_note){ .label = label, .tone = tone, .advice = advice };
	return n;
}

void
table_pane_drop_notes(struct table_pane *p)
{
	for (size_t i = 0; i < p->nnotes; i++)
		buf_release(&p->note[i].text);
	p->nnotes = 0;
}

void
table_pane_reset(struct table_pane *p)
{
	p->list = (struct list){ .h = p->list.h };
	p->made = p->chosen = p->inverted = p->touched = false;
	p->nfold = 0;
	p->pick = 0;
	memset(p->natural, 0, sizeof p->natural);
}

bool
table_pane_stale(struct table_pane *p, unsigned depends)
{
	if (!view_changed(p->v, &p->seen, depends))
		return false;
	table_free(p->built);
	p->built = NULL;
	p->seen = p->v->changes;
	return true;
}

void
table_pane_release(struct table_pane *p)
{
	table_free(p->built);
	buf_release(&p->text);
	mem_free(p->shown);
	mem_free(p->fold);
	table_order_release(&p->order);
	table_pane_drop_notes(p);
}

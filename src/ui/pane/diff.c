/*
 * Two events compared: the pinned one and the selected one, field by field.
 *
 *	field		pinned		selected
 *	thread		5		6
 *	n		1		5		equal fields are left out
 *
 * Both have the lines of the details pane. Lines with equal names are the same field. A field of
 * only one event has an empty cell beside it.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/pane/details_tree.h"
#include "ui/pane/table.h"

#define AHEAD		64u	/* lines that are searched for equal names */
#define DEPTH_MOST	16u	/* names that are put before a line's own name */
#define NO_LINE		UINT32_MAX

enum { FIELD, PINNED, SELECTED, PINNED_COLUMNS };

static const struct table_column	columns[PINNED_COLUMNS] = {
	[FIELD] = { .name = "field", .kind = CELL_TEXT, .tone = TONE_DIM, .width = 10, .most = 28 },
	[PINNED] = { .name = "pinned", .kind = CELL_TEXT, .width = 12 },	/* as wide as: */
	[SELECTED] = { .name = "selected", .kind = CELL_TEXT, .tone = TONE_STRONG, .width = 12 },
};

struct diff_row {
	uint32_t	a, b;		/* lines of the two trees; NO_LINE: none */
};

struct diff {
	struct table_pane	 p;
	struct details_tree	 a, b;
	uint32_t		*up_a, *up_b;	/* by line: its parent, or NO_LINE */
	struct diff_row		*row;
	size_t			 n, cap, fields;
	bool			 alone;		/* nothing to compare: the pinned event is gone
						   or selected */
	int64_t			 ts;		/* time of the pinned event */
	uint64_t		 off, round;
};

/* ---- lines of two trees */

/* The parent of each line: the last line before it with less indentation. */
static uint32_t *
lines_up(const struct details_tree *t)
{
	uint32_t	*up = mem_zalloc((size_t)t->n + 1, sizeof *up);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t	k = i > 0 ? i - 1 : NO_LINE;

		while (k != NO_LINE && t->v[k].indent >= t->v[i].indent)
			k = up[k];
		up[i] = k;
	}
	return up;
}

static bool
is_title(const struct details_tree *t, uint32_t i)
{
	return t->v[i].indent == 0 && t->v[i].style == ST_TITLE;
}

/* The path of a line. "payload" is left out. */
static void
put_path(const struct details_tree *t, const uint32_t *up, uint32_t i, struct buf *out)
{
	uint32_t	chain[DEPTH_MOST];
	unsigned	n = 0;
	struct span	s;

	for (; i != NO_LINE && n < DEPTH_MOST; i = up[i])
		if (n == 0 || !is_title(t, i))
			chain[n++] = i;
	while (n-- > 0) {
		s = tree_span(&t->words, t->v[chain[n]].label);
		if (out->len > 0 && s.len > 0 && s.p[0] != '[')
			buf_putc(out, '.');
		buf_add(out, s.p, s.len);
	}
}

/* Compares names without building texts: each line is compared with several others. */
static bool
same_names(const struct diff *d, uint32_t i, uint32_t k)
{
	for (unsigned n = 0; n < DEPTH_MOST && i != NO_LINE && k != NO_LINE; n++) {
		const struct tree_line	*a = &d->a.v[i], *b = &d->b.v[k];

		if (n > 0 && is_title(&d->a, i) && is_title(&d->b, k))
			return true;
		if (a->indent != b->indent || !spans_equal(tree_span(&d->a.words, a->label),
		    tree_span(&d->b.words, b->label)))
			return false;
		i = d->up_a[i];
		k = d->up_b[k];
	}
	return true;
}

/* Offsets in the file always differ, so they are left out. */
static bool
is_place(const struct details_tree *t, uint32_t i)
{
	static const char *const	names[] = { "offset", "block", "ticks", "utc" };

	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (t->v[i].indent == 0 &&
		    spans_equal(tree_span(&t->words, t->v[i].label), span_of(names[k])))
			return true;
	return t->v[i].label.len == 0 || t->v[i].style == ST_TITLE;
}

static void
add_row(struct diff *d, uint32_t a, uint32_t b)
{
	if (is_place(a != NO_LINE ? &d->a : &d->b, a != NO_LINE ? a : b))
		return;
	d->fields++;
	if (a != NO_LINE && b != NO_LINE && spans_equal(tree_span(&d->a.words, d->a.v[a].text),
	    tree_span(&d->b.words, d->b.v[b].text)))
		return;
	ARRAY_ADD(d->row, d->n, d->cap, (struct diff_row){ a, b });
}

static void
compare(struct diff *d)
{
	uint32_t	i = 0, k = 0;

	for (; i < d->a.n; i++) {
		uint32_t	to = k;

		while (to < d->b.n && to - k < AHEAD && !same_names(d, i, to))
			to++;
		if (to == d->b.n || to - k == AHEAD) {
			add_row(d, i, NO_LINE);
			continue;
		}
		for (; k < to; k++)
			add_row(d, NO_LINE, k);
		add_row(d, i, k++);
	}
	for (; k < d->b.n; k++)
		add_row(d, NO_LINE, k);
}

static bool
pinned_event(struct view *v, struct event *e)
{
	uint64_t	row;

	return v->pinned.set && trace_row_of(v->t, v->pinned.ts, v->pinned.off, &row) == 1 &&
	    trace_event(v->t, row, e) == 1;
}

static void
make(struct diff *d, struct view *v)
{
	struct event	a, b;

	if (!table_pane_stale(&d->p, VIEW_INDEX | VIEW_SELECTION) &&
	    d->ts == v->pinned.ts && d->off == v->pinned.off)
		return;
	d->ts = v->pinned.ts;
	d->off = v->pinned.off;
	d->round++;
	d->n = d->fields = 0;
	d->alone = !pinned_event(v, &a) || view_selected(v, &b) != 1 ||
	    (a.ts == b.ts && a.off == b.off);
	if (d->alone)
		return;
	tree_make(&d->a, v, &a);
	tree_make(&d->b, v, &b);
	mem_free(d->up_a);
	mem_free(d->up_b);
	d->up_a = lines_up(&d->a);
	d->up_b = lines_up(&d->b);
	compare(d);
}

/* ---- the table */

static void
diff_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct diff			*d = src;
	const struct diff_row		*r = &d->row[row];
	const struct details_tree	*t = col == PINNED ? &d->a : &d->b;
	uint32_t			 line = col == PINNED ? r->a : r->b;

	*out = cell_none();
	if (col == FIELD) {
		buf_clear(&d->p.text);
		if (r->a != NO_LINE)
			put_path(&d->a, d->up_a, r->a, &d->p.text);
		else
			put_path(&d->b, d->up_b, r->b, &d->p.text);
		*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&d->p.text) };
	} else if (line != NO_LINE) {
		*out = (struct cell){ .kind = CELL_TEXT,
		    .text = tree_span(&t->words, t->v[line].text) };
	}
}

/* The field with the value of the selected event; if it has none, of the pinned one. */
static bool
diff_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct diff			*d = src;
	const struct diff_row		*r = &d->row[row];
	const struct details_tree	*t = r->b != NO_LINE ? &d->b : &d->a;
	const struct tree_line		*l = &t->v[r->b != NO_LINE ? r->b : r->a];

	buf_span(field, tree_span(&t->terms, l->name));
	buf_span(value, tree_span(&t->terms, l->value));
	return l->name.len > 0;
}

static const struct table *
diff_pane_table(void *arg, struct view *v)
{
	struct diff	*d = arg;

	make(d, v);
	d->p.t = (struct table){ .column = columns, .ncolumns = PINNED_COLUMNS, .nrows = d->n,
	    .stamp = d->round, .rows_stamp = d->round, .src = d, .cell = diff_cell,
	    .key = diff_key,
	    .empty = !v->pinned.set ? "no event is pinned    Alt-d pins the selected one" :
	    d->alone ? "this event is pinned: move to another one" :
	    "the two events are equal in every field" };
	return &d->p.t;
}

static void
diff_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct diff	*d = arg;
	struct event	 a, b;

	make(d, v);
	if (!pinned_event(v, &a))
		return;
	buf_puts(left, "pinned: ");
	view_secs(v, a.ts, left);
	if (d->alone || view_selected(v, &b) != 1)
		return;
	buf_puts(left, b.ts < a.ts ? ", selected: " : ", selected: +");
	units_dur(left, trace_dur(v->t, a.ts, b.ts), v->display.ascii);
	buf_printf(right, "%zu of %zu fields differ", d->n, d->fields);
}

static void
diff_release(void *arg)
{
	struct diff	*d = arg;

	tree_release(&d->a);
	tree_release(&d->b);
	mem_free(d->up_a);
	mem_free(d->up_b);
	mem_free(d->row);
}

const struct pane_ops	pane_diff = {
	.hints = "include exclude search close help",
	.size = sizeof(struct diff),
	.release = diff_release,
	.title = diff_title,
	.table = diff_pane_table,
	TABLE_PANE,
	.field = table_pane_field,
};

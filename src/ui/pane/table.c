/*
 * The table widget.
 *
 *	notes		format      NetTrace V4, closed			the pane's own
 *	titles		   tid  name       |events      lost  share lost
 *	shown[top]	>   25  worker      15,403   184,597  ########  92 %
 *			    incarnation 1               350		a child; its parent is open
 *
 *	table rows --order--> rows sorted --folds--> shown --list--> what is on the screen
 *
 * Cells are asked for on drawing, for the rows on the screen alone; those of all rows only to sort
 * them, when the rows or the order are others.
 *
 * Invariant: the cursor stands on a row (its id), not on a place, once it was moved.
 */
#include "ui/pane/table.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "ui/pane/density.h"
#include "ui/view/field.h"

#define MARGIN		2	/* in front of the columns: the cursor, and the mark of a fold */
#define BETWEEN		2	/* blanks between columns */
#define SHARE_BAR	8
#define SHARE_W		(SHARE_BAR + 8)
#define SPARK_MAX	120
#define WHOLE_LINES	4
#define ROWS_BESIDE	6	/* rows that there are room for besides */
#define INDENT		2

static const enum style	styles[] = {
	[TONE_NORMAL] = ST_NORMAL, [TONE_DIM] = ST_DIM, [TONE_STRONG] = ST_STRONG,
	[TONE_KEY] = ST_KEY, [TONE_TIME] = ST_TIME, [TONE_THREAD] = ST_THREAD,
	[TONE_EVENT] = ST_EVENT, [TONE_LOSS] = ST_GAP, [TONE_WARN] = ST_WARN,
	[TONE_ERROR] = ST_ERROR,
};

static bool
is_number(const struct table *t, unsigned col)
{
	switch (t->column[col].kind) {
	case CELL_U64:
	case CELL_I64:
	case CELL_F32:
	case CELL_F64:
	case CELL_HEX:
	case CELL_ADDRESS:
	case CELL_BYTES:
	case CELL_TIME:
	case CELL_DUR:
		return true;
	default:
		return false;
	}
}

/* ---- rows */

unsigned
table_pane_by(const struct table_pane *p, const struct table *t)
{
	return p->chosen && p->by < t->ncolumns ? p->by : t->sort;
}

static bool
sorts_up(const struct table_pane *p, const struct table *t)
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

/* Does the row show its children? */
static bool
is_open(const struct table_pane *p, const struct table *t, size_t row)
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

/* The rows in order, but for those below one that is folded. */
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
		    t->parent(t->src, p->order.row[i]) != row || is_open(p, t, row))
			continue;
		while (i < p->order.n && is_child(t, p->order.row[i], row))
			i++;
	}
	p->list.n = p->nshown;
	if (p->touched)
		stand_on_id(p, t, p->stood);
}

static void
remember(struct table_pane *p, const struct table *t)
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
	table_order_make(&p->order, t, table_pane_by(p, t), sorts_up(p, t));
	memset(p->natural, 0, sizeof p->natural);
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

void
table_pane_stand(struct table_pane *p, struct view *v, size_t row)
{
	const struct table	*t = table_pane_table(p, v);

	if (row >= t->nrows)
		return;
	p->touched = true;
	p->stood = id_of(t, row);
	stand_on_id(p, t, p->stood);
}

/* ---- what a cell is on the screen */

static void
put_float(struct buf *b, double f)
{
	if (f - f != 0)
		return;
	buf_printf(b, f < 10 && f > -10 ? "%.4f" : "%.1f", f);
}

static void
cell_words(struct view *v, const struct table_column *col, const struct cell *c, struct buf *b)
{
	switch (c->kind) {
	case CELL_U64:
	case CELL_BYTES:
		if (col->flags & COLUMN_ID)
			buf_u64(b, c->u);
		else
			buf_grouped(b, c->u);
		break;
	case CELL_I64:
		buf_i64(b, c->i);
		break;
	case CELL_BOOL:
		buf_puts(b, c->u ? "true" : "false");
		break;
	case CELL_F32:
	case CELL_F64:
		put_float(b, c->f);
		break;
	case CELL_HEX:
	case CELL_ADDRESS:
		buf_puts(b, "0x");
		buf_hex(b, c->u, 1);
		break;
	case CELL_TIME:
		view_time_ns(v, c->i, b);
		break;
	case CELL_DUR:
		units_dur(b, c->i, v->display.ascii);
		break;
	case CELL_SHARE:
		buf_printf(b, "%.1f %%", c->f * 100);
		break;
	default:
		break;
	}
}

/* The words of a text are borrowed from the cell, those of anything else are in b. */
static struct span
cell_span(struct view *v, const struct table_column *col, const struct cell *c, struct buf *b)
{
	switch (c->kind) {
	case CELL_NONE:
	case CELL_NULL:
		return c->word;
	case CELL_TEXT:
	case CELL_PLAIN:
	case CELL_RAW:
		return c->word.p != NULL ? c->word : c->text;
	case CELL_GUID:
	case CELL_BLOB:
		buf_clear(b);
		buf_bytes_hex(b, c->text.p, c->text.len);
		return span_of_buf(b);
	default:
		buf_clear(b);
		cell_words(v, col, c, b);
		return span_of_buf(b);
	}
}

/* ---- columns: which, where */

static bool
is_shown(const struct table_pane *p, const struct table *t, unsigned col)
{
	uint64_t	bit = UINT64_C(1) << col;

	if (t->absent & bit)
		return false;
	if (p->pick != 0)
		return (p->pick & bit) != 0;
	return (t->idle & bit) == 0 && (t->column[col].flags & COLUMN_ASKED) == 0;
}

/* Where one column alone stands in front of the numbers, a heading has to fit into it. */
static void
measure_heading(struct table_pane *p, const struct table *t, int w)
{
	unsigned	first = 0, next;

	while (first < t->ncolumns && !is_shown(p, t, first))
		first++;
	for (next = first + 1; next < t->ncolumns && !is_shown(p, t, next); )
		next++;
	if (next < t->ncolumns && is_number(t, next) && w > p->natural[first])
		p->natural[first] = w;
}

static void
measure_row(struct table_pane *p, struct view *v, const struct table *t, size_t row)
{
	enum text_mode	mode = v->display.ascii ? TEXT_ASCII : TEXT_UTF8;
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b;
	struct span	s;
	int		w;

	buf_init(&b);
	if (t->heading != NULL && t->heading(t->src, row, &b)) {
		measure_heading(p, t, (int)text_width(span_of_buf(&b), mode));
		buf_release(&b);
		return;
	}
	for (unsigned i = 0; i < t->ncolumns; i++) {
		if (!is_shown(p, t, i) || t->column[i].kind == CELL_SPARK ||
		    t->column[i].kind == CELL_SHARE)
			continue;
		t->cell(t->src, row, i, &c);
		s = cell_span(v, &t->column[i], &c, &b);
		s.len = s.len < LIMIT_TEXT_SHOWN ? s.len : LIMIT_TEXT_SHOWN;
		w = (int)text_width(s, mode);
		p->natural[i] = w > p->natural[i] ? w : p->natural[i];
	}
	buf_release(&b);
}

/* Widths by what is on the screen; they only grow while the table stays the same. */
static void
measure(struct table_pane *p, struct view *v, const struct table *t, int h)
{
	size_t	first = p->list.top, n = p->nshown;
	bool	fresh = p->natural[0] == 0;

	for (unsigned i = 0; i < t->ncolumns && p->natural[i] == 0; i++)
		p->natural[i] = (int)text_width(span_of(table_title(t, i)),
		    v->display.ascii ? TEXT_ASCII : TEXT_UTF8) + 1;	/* the mark of the order */
	for (size_t i = 0; p->steady && fresh && i < n; i++)
		measure_row(p, v, t, p->shown[i]);
	for (size_t i = first; !p->steady && i < n && i < first + (size_t)h; i++)
		measure_row(p, v, t, p->shown[i]);
}

/* The cells that a column needs, at least or to be whole. */
static int
wanted(const struct table_pane *p, const struct table *t, unsigned col, bool least)
{
	const struct table_column	*c = &t->column[col];
	int				 w = p->natural[col];

	if (c->kind == CELL_SHARE)
		return SHARE_W;
	if (c->kind == CELL_SPARK)
		return least || c->most >= 0 ? c->width : SPARK_MAX;
	if (c->kind != CELL_TEXT && c->kind != CELL_RAW)
		return w > c->width ? w : c->width;
	if (c->most > 0 && w > c->most)
		w = c->most;
	if (least && c->width > 0 && w > c->width)
		w = c->width;
	return w;
}

/* Of the columns that are shown leave out those of the greatest rank until the rest fits. */
static uint64_t
choose(const struct table_pane *p, const struct table *t, int room)
{
	uint64_t	set = 0;
	unsigned	worst = 0;
	int		w;

	for (unsigned i = 0; i < t->ncolumns; i++)
		if (is_shown(p, t, i))
			set |= UINT64_C(1) << i;
	do {
		w = -BETWEEN;
		worst = t->ncolumns;
		for (unsigned i = 0; i < t->ncolumns; i++) {
			if ((set >> i & 1) == 0)
				continue;
			w += wanted(p, t, i, true) + BETWEEN;
			if (t->column[i].rank > 0 && (worst == t->ncolumns ||
			    t->column[i].rank >= t->column[worst].rank))
				worst = i;
		}
		if (w > room && worst < t->ncolumns)
			set &= ~(UINT64_C(1) << worst);
	} while (w > room && worst < t->ncolumns);
	return set;
}

/* Give what is left to the columns that need more, then to the one that takes all. */
static void
widen(struct table_pane *p, const struct table *t, int left)
{
	for (unsigned i = 0; i < p->nplaces && left > 0; i++) {
		struct table_place	*at = &p->place[i];
		int			 more = wanted(p, t, at->col, false) - at->w;

		if (t->column[at->col].most < 0)
			continue;
		more = more > left ? left : more;
		at->w += more > 0 ? more : 0;
		left -= more > 0 ? more : 0;
	}
	for (unsigned i = 0; i < p->nplaces && left > 0; i++) {
		struct table_place	*at = &p->place[i];
		const struct table_column *col = &t->column[at->col];

		if (col->most >= 0)
			continue;
		at->w += left;
		left = 0;
		if (col->kind == CELL_SPARK && at->w > SPARK_MAX)
			at->w = SPARK_MAX;
	}
}

static void
place_columns(struct table_pane *p, const struct table *t, struct rect r)
{
	int		room = r.w - MARGIN, left = room + BETWEEN, x = r.x + MARGIN;
	uint64_t	set = choose(p, t, room);

	p->nplaces = 0;
	p->spark = 0;
	for (unsigned i = 0; i < t->ncolumns; i++) {
		if ((set >> i & 1) == 0)
			continue;
		p->place[p->nplaces++] = (struct table_place){ .col = i,
		    .w = wanted(p, t, i, true) };
		left -= wanted(p, t, i, true) + BETWEEN;
	}
	widen(p, t, left);
	for (unsigned i = 0; i < p->nplaces; i++) {
		p->place[i].x = x;
		if (x + p->place[i].w > r.x + r.w)
			p->place[i].w = r.x + r.w - x > 0 ? r.x + r.w - x : 0;
		x += p->place[i].w + BETWEEN;
		if (t->column[p->place[i].col].kind == CELL_SPARK)
			p->spark = p->place[i].w;
	}
}

/* ---- drawing */

static void
draw_titles(const struct table_pane *p, const struct table *t, struct canvas *c, int y)
{
	unsigned	by = table_pane_by(p, t);
	struct buf	b;

	buf_init(&b);
	for (unsigned i = 0; i < p->nplaces; i++) {
		const struct table_place	*at = &p->place[i];
		enum style			 st = at->col == by ? ST_STRONG : ST_DIM;

		buf_clear(&b);
		if (at->col == by)
			buf_puts(&b, sorts_up(p, t) ? "\xe2\x86\x91" : "\xe2\x86\x93");
		buf_puts(&b, table_title(t, at->col));
		if (at->w <= 0)
			continue;
		if (is_number(t, at->col))
			canvas_right(c, y, at->x, at->w, st, buf_str(&b));
		else
			(void)canvas_puts(c, y, at->x, at->w, st, buf_str(&b));
	}
	buf_release(&b);
}

/* Counts by part in cells; the highest is the row's own greatest. */
static void
draw_spark(struct canvas *c, int y, const struct table_place *at, const struct cell_spark *s)
{
	uint64_t	max = 0;

	for (uint32_t i = 0; i < s->n; i++)
		max = s->part[i] > max ? s->part[i] : max;
	for (int x = 0; x < at->w && s->n > 0; x++) {
		uint32_t	from = (uint32_t)((uint64_t)x * s->n / (uint64_t)at->w);
		uint32_t	to = (uint32_t)(((uint64_t)x + 1) * s->n / (uint64_t)at->w);
		uint64_t	n = s->part[from];
		float		lost = s->lost != NULL ? s->lost[from] : 0;

		for (uint32_t i = from + 1; i < to; i++) {
			n = s->part[i] > n ? s->part[i] : n;
			lost += s->lost != NULL ? s->lost[i] : 0;
		}
		if (from >= s->known)
			(void)canvas_puts(c, y, at->x + x, 1, ST_DIM, "\xc2\xb7");
		else
			density_column(c, y, at->x + x, 1, n, max, lost, DENSITY_MOSTLY);
	}
}

/* Nothing lost is no number, so that the losses stand out. */
static bool
is_no_loss(const struct table_column *col, const struct cell *c)
{
	return col->tone == TONE_LOSS && c->kind == CELL_U64 && c->u == 0;
}

/* from: what stands in front of it is a heading's. */
static void
draw_cell(struct view *v, const struct table *t, struct canvas *c, int y,
    const struct table_place *at, size_t row, int from)
{
	struct cell	cell = { .kind = CELL_NONE };
	enum style	st = styles[t->column[at->col].tone];
	enum tone	own = t->tone != NULL ? t->tone(t->src, row, at->col) : TONE_NORMAL;
	struct buf	b;
	struct span	s;
	int		w;

	t->cell(t->src, row, at->col, &cell);
	if (own != TONE_NORMAL)
		st = styles[own];
	if (cell.kind == CELL_SPARK) {
		draw_spark(c, y, at, &cell.spark);
		return;
	}
	if (is_no_loss(&t->column[at->col], &cell) || (cell.kind == CELL_SHARE && cell.f <= 0))
		return;
	buf_init(&b);
	s = cell_span(v, &t->column[at->col], &cell, &b);
	if (cell.kind == CELL_SHARE) {
		canvas_bar(c, y, at->x, SHARE_BAR, st, cell.f);
		canvas_right(c, y, at->x + SHARE_BAR, at->w - SHARE_BAR, st, buf_str(&b));
	} else if (is_number(t, at->col)) {
		w = (int)text_width(s, c->ascii ? TEXT_ASCII : TEXT_UTF8);
		w = w < at->w ? w : at->w;
		if (at->x + at->w - w >= from)
			(void)canvas_text(c, y, at->x + at->w - w, w, st, s);
	} else {
		(void)canvas_text(c, y, at->x, at->w, st, s);
	}
	buf_release(&b);
}

static bool
has_children(const struct table *t, size_t row)
{
	return t->parent != NULL && row + 1 < t->nrows && t->parent(t->src, row + 1) == row;
}

/* Is it of the columns that a heading leaves: numbers that count? */
static bool
beside_heading(const struct table *t, const struct table_place *at, int from)
{
	const struct table_column	*col = &t->column[at->col];

	if (is_number(t, at->col))
		return (col->flags & COLUMN_ID) == 0;
	return col->kind == CELL_SHARE && at->x >= from;
}

static void
draw_row(const struct table_pane *p, struct view *v, const struct table *t, struct canvas *c,
    struct rect r, int y, size_t row)
{
	int		indent = INDENT * (int)table_depth(t, row), used = r.x;
	struct buf	b;

	buf_init(&b);
	if (t->heading != NULL && t->heading(t->src, row, &b)) {
		indent = indent < r.w / 2 ? indent : r.w / 2;
		used += MARGIN + indent;
		used += canvas_buf(c, y, used, r.x + r.w - used,
		    indent > 0 ? ST_DIM : ST_STRONG, &b) + 1;
	}
	buf_release(&b);
	if (has_children(t, row))
		(void)canvas_puts(c, y, r.x + 1, 1, ST_DIM, is_open(p, t, row) ? "-" : "+");
	for (unsigned i = 0; i < p->nplaces; i++) {
		const struct table_place	*at = &p->place[i];

		if (at->w > 0 && (used == r.x || beside_heading(t, at, used)))
			draw_cell(v, t, c, y, at, row, used);
	}
}

static int
draw_notes(const struct table_pane *p, struct canvas *c, struct rect r)
{
	int	y = r.y, label = 0;

	for (size_t i = 0; i < p->nnotes; i++)
		label = (int)strlen(p->note[i].label) > label ? (int)strlen(p->note[i].label) :
		    label;
	label += MARGIN + BETWEEN;
	for (size_t i = 0; i < p->nnotes && y + ROWS_BESIDE < r.y + r.h; i++) {
		const struct table_note	*n = &p->note[i];

		(void)canvas_puts(c, y, r.x + MARGIN, label, ST_DIM, n->label);
		(void)canvas_buf(c, y++, r.x + label, r.w - label, styles[n->tone], &n->text);
		if (n->advice != NULL && y < r.y + r.h)
			(void)canvas_puts(c, y++, r.x + label, r.w - label, ST_DIM, n->advice);
	}
	y += p->nnotes > 0 && y + ROWS_BESIDE < r.y + r.h;	/* a blank line */
	return y - r.y;
}

/* A text of the chosen row in full, broken where the lines end. */
static void
draw_whole(struct canvas *c, struct rect r, struct span s)
{
	size_t	at = 0, w = r.w > 4 ? (size_t)r.w - 4 : 1;

	canvas_hline(c, r.y, r.x, r.w, ST_TITLE);
	for (int y = r.y + 1; y < r.y + r.h && at < s.len; y++) {
		size_t	n = s.len - at, fit = n;

		if (n > w)
			for (fit = w; fit > 1 && s.p[at + fit] != ' '; fit--)
				;
		if (n > w && fit == 1)
			fit = w;
		(void)canvas_text(c, y, r.x + MARGIN, r.w - MARGIN, ST_NORMAL,
		    (struct span){ s.p + at, fit });
		at += fit;
		at += at < s.len && s.p[at] == ' ';
	}
}

/* Gives the table as it is then. */
static const struct table *
draw_rows(struct table_pane *p, struct view *v, const struct table *t, struct canvas *c,
    struct rect r, bool focus)
{
	int	spark = p->spark;

	list_fit(&p->list, p->nshown, r.h);
	measure(p, v, t, r.h);
	place_columns(p, t, r);
	if (p->spark != spark)
		t = table_pane_table(p, v);	/* with as many parts as there is room for */
	for (int i = 0; i < r.h && p->list.top + (uint64_t)i < p->nshown; i++) {
		uint64_t	at = p->list.top + (uint64_t)i;

		draw_row(p, v, t, c, r, r.y + i, p->shown[at]);
		if (at == p->list.cursor && !p->list.scrolls)
			pane_cursor_row(c, r, r.y + i, focus);
	}
	return t;
}

void
table_pane_draw(void *self, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	int			 notes = draw_notes(p, c, r), titles = !p->bare, whole = 0;
	struct cell		 cell = { .kind = CELL_NONE };
	struct rect		 rows = r;

	p->head = notes + titles;
	rows.y += p->head;
	rows.h -= p->head;
	if (p->whole > 0 && t->nrows > 0 && rows.h >= ROWS_BESIDE)
		whole = WHOLE_LINES;
	rows.h = rows.h > whole ? rows.h - whole : 0;
	t = draw_rows(p, v, t, c, rows, focus);
	if (t->nrows == 0) {
		(void)canvas_puts(c, r.y + notes, r.x + MARGIN, r.w - MARGIN, ST_NORMAL,
		    t->empty != NULL ? t->empty : "");
		return;
	}
	if (titles)
		draw_titles(p, t, c, r.y + notes);
	if (whole == 0 || p->list.cursor >= p->nshown)
		return;
	t->cell(t->src, p->shown[p->list.cursor], p->whole - 1, &cell);
	if (cell.kind == CELL_TEXT)
		draw_whole(c, (struct rect){ rows.y + rows.h, r.x, whole, r.w }, cell.text);
}

/* ---- keys */

/* Show the children of the row under the cursor, or not; from a child go to its parent. */
static bool
unfold(struct table_pane *p, struct view *v, bool open)
{
	size_t			 row = table_pane_row(p, v), parent = TABLE_NO_ROW, at;
	const struct table	*t = table_pane_table(p, v);

	if (row == TABLE_NO_ROW || t->parent == NULL)
		return false;
	if (!has_children(t, row) || is_open(p, t, row) == open) {
		parent = t->parent(t->src, row);
		if (open || parent == TABLE_NO_ROW)
			return false;
		table_pane_stand(p, v, parent);
		return true;
	}
	at = find_fold(p, id_of(t, row));
	if (at < p->nfold) {
		p->fold[at] = p->fold[--p->nfold];
	} else {
		p->fold = mem_grow(p->fold, &p->fold_cap, p->nfold + 1, sizeof *p->fold);
		p->fold[p->nfold++] = id_of(t, row);
	}
	p->touched = true;
	remember(p, t);
	make_shown(p, t);
	list_fit(&p->list, p->nshown, p->list.h);
	return true;
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
	remember(p, t);
	return moved;
}

static bool
follow(struct view *v, const struct table_evidence *e)
{
	switch (e->kind) {
	case EVIDENCE_FILTER:
		if (e->alone)
			return view_set_filter(v, buf_str((struct buf *)&e->filter));
		return view_filter_add(v, buf_str((struct buf *)&e->filter));
	case EVIDENCE_EVENT:
		view_go_to(v, e->ts, e->off);
		return true;
	case EVIDENCE_NONE:
		break;
	}
	return false;
}

bool
table_pane_enter(void *self, struct view *v)
{
	struct table_pane	*p = self;
	size_t			 row = table_pane_row(p, v);
	const struct table	*t = table_pane_table(p, v);
	struct table_evidence	 e = { .kind = EVIDENCE_NONE };
	bool			 good = false;

	buf_init(&e.filter);
	if (row == TABLE_NO_ROW || t->evidence == NULL || !t->evidence(t->src, row, &e))
		view_say(v, "there is nothing in %s to go to from here", p->ops->name);
	else
		good = follow(v, &e);
	buf_release(&e.filter);
	return good;
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

/* May it be sorted by? why: say so. */
static bool
may_sort(const struct table_pane *p, struct view *v, const struct table *t, unsigned col, bool say)
{
	uint64_t	bit = UINT64_C(1) << col;

	if (t->idle & bit && (p->pick & bit) == 0 &&
	    (!say || t->column[col].tone == TONE_LOSS)) {
		if (say)
			view_say(v, "no events were lost, as far as the trace says");
		return false;
	}
	if ((t->absent & bit) == 0 && (t->column[col].flags & COLUMN_NO_SORT) == 0)
		return true;
	if (say)
		view_say(v, "%s has no order", t->column[col].name);
	return false;
}

/* The column that is so many steps beside, of those that can be sorted by and are not asked for. */
static unsigned
beside(const struct table_pane *p, struct view *v, const struct table *t, int step)
{
	unsigned	by = table_pane_by(p, t), to = by;

	if (by >= t->ncolumns)
		to = step > 0 ? t->ncolumns - 1 : 0;
	for (unsigned i = 0; i < t->ncolumns; i++) {
		to = (to + t->ncolumns + (unsigned)step) % t->ncolumns;
		if (may_sort(p, v, t, to, false) && (p->pick >> to & 1 ||
		    (t->column[to].flags & COLUMN_ASKED) == 0))
			return to;
	}
	return by;
}

bool
table_pane_sort(void *self, struct view *v, int step, const char *name)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	unsigned		 to = table_pane_by(p, t);
	struct buf		 why;

	if (name != NULL) {
		buf_init(&why);
		to = table_find_column(t, name, strlen(name), &why);
		if (to == t->ncolumns)
			view_say(v, "%s", buf_str(&why));
		buf_release(&why);
		if (to == t->ncolumns || !may_sort(p, v, t, to, true))
			return false;
	} else if (step != 0) {
		to = beside(p, v, t, step);
	} else if (to == TABLE_UNSORTED) {
		view_say(v, "the rows stand as they came (> sorts them)");
		return false;
	} else {
		p->inverted = !p->inverted;
	}
	remember(p, t);
	p->by = to;
	p->chosen = to < t->ncolumns;
	p->resort = true;
	(void)table_pane_table(p, v);
	if (to < t->ncolumns)
		view_say(v, "%s by %s%s", p->ops->name, t->column[to].name,
		    p->inverted ? ", the other way around" : "");
	return true;
}

/* A title sorts, and turns the order around where it is sorted already. */
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
				return table_pane_sort(p, v, 0, p->place[i].col ==
				    table_pane_by(p, t) ? NULL : t->column[p->place[i].col].name);
		return false;
	}
	at = p->list.top + (uint64_t)(y - p->head);
	if (y < p->head || at >= p->nshown)
		return false;
	p->list.cursor = at;
	p->touched = true;
	remember(p, t);
	return true;
}

/* ---- what is printed, chosen, searched */

bool
table_pane_rows(struct table_pane *p, struct view *v, bool all, struct table_rows *out)
{
	size_t		 at = table_pane_row(p, v);
	struct buf	 heading;

	*out = (struct table_rows){ .t = table_pane_table(p, v) };
	out->order.row = mem_alloc((p->nshown + 1) * sizeof *out->order.row);
	out->col = mem_alloc((out->t->ncolumns + 1) * sizeof *out->col);
	buf_init(&heading);
	for (size_t i = 0; i < p->nshown; i++)
		if ((all || p->shown[i] == at) && (out->t->heading == NULL ||
		    !out->t->heading(out->t->src, p->shown[i], &heading)))
			out->order.row[out->order.n++] = p->shown[i];
	buf_release(&heading);
	for (unsigned i = 0; i < out->t->ncolumns; i++)
		if (table_in_files(out->t, i) && (p->pick == 0 || is_shown(p, out->t, i)))
			out->col[out->ncols++] = i;
	return out->order.n > 0;
}

void
table_pane_columns(struct table_pane *p, struct view *v, struct buf *out)
{
	const struct table	*t = table_pane_table(p, v);
	const char		*comma = "";

	for (unsigned i = 0; i < t->ncolumns; i++) {
		if (!is_shown(p, t, i))
			continue;
		buf_printf(out, "%s%s", comma, t->column[i].name);
		comma = ",";
	}
}

bool
table_pane_choose(struct table_pane *p, struct view *v, const char *list, struct buf *why)
{
	const struct table	*t = table_pane_table(p, v);
	uint64_t		 pick = 0;

	while (*list != '\0') {
		size_t		len = strcspn(list, ", ");
		unsigned	col = t->ncolumns;

		if (len > 0)
			col = table_find_column(t, list, len, why);
		if (len > 0 && col == t->ncolumns)
			return false;
		if (len > 0)
			pick |= UINT64_C(1) << col;
		list += len + (list[len] != '\0');
	}
	p->pick = pick;
	memset(p->natural, 0, sizeof p->natural);
	return true;
}

static bool
row_matches(struct table_pane *p, struct view *v, const struct table *t, size_t row,
    struct regex_match *m)
{
	struct cell	c = { .kind = CELL_NONE };
	struct buf	b;
	bool		found;

	buf_init(&b);
	regex_match_begin(m);
	found = t->heading != NULL && t->heading(t->src, row, &b) &&
	    regex_find(p->sought, m, span_of_buf(&b), 0, NULL, NULL) == 1;
	for (unsigned i = 0; i < t->ncolumns && !found; i++) {
		if (!is_shown(p, t, i))
			continue;
		t->cell(t->src, row, i, &c);
		found = regex_find(p->sought, m, cell_span(v, &t->column[i], &c, &b), 0, NULL,
		    NULL) == 1;
	}
	buf_release(&b);
	return found;
}

bool
table_pane_search(struct table_pane *p, struct view *v, const char *pattern, int dir)
{
	const struct table	*t = table_pane_table(p, v);
	struct regex_match	*m;
	struct regex		*re;
	struct buf		 why;
	size_t			 at, n = p->nshown, i;

	if (pattern != NULL) {
		buf_init(&why);
		if (regex_new(&re, pattern, strlen(pattern), REGEX_SMART, &why, &at) < 0)
			view_say(v, "search: %s", buf_str(&why));
		buf_release(&why);
		if (re == NULL)
			return false;
		regex_free(p->sought);
		p->sought = re;
	}
	m = regex_match_new();
	at = (size_t)(p->list.scrolls ? p->list.top : p->list.cursor);
	for (i = 1; i <= n; i++)
		if (row_matches(p, v, t, p->shown[(at + (dir > 0 ? i : n - i)) % n], m))
			break;
	regex_match_free(m);
	if (i > n) {
		view_say(v, "no row of %s matches", p->ops->name);
		return true;
	}
	at = (at + (dir > 0 ? i : n - i)) % n;
	(void)p->ops->move(p, v, (struct move){ MOVE_TO, (int64_t)at });
	return true;
}

void
table_pane_drop_notes(struct table_pane *p)
{
	for (size_t i = 0; i < p->nnotes; i++)
		buf_release(&p->note[i].text);
	p->nnotes = 0;
}

void
table_pane_release(void *self)
{
	struct table_pane	*p = self;

	mem_free(p->shown);
	mem_free(p->fold);
	table_order_release(&p->order);
	table_pane_drop_notes(p);
	mem_free(p->note);
	regex_free(p->sought);
}

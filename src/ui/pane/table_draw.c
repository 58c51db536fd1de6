/*
 * Drawing a table.
 *
 *	notes		format      NetTrace V4, closed			the pane's own
 *	titles		   tid  name       |events      lost  share lost
 *	shown[top]	>   25  worker      15,403   184,597  ########  92 %
 *			    incarnation 1               350		a child; its parent is open
 *
 * Cells are requested when drawing, and only for the rows on the screen.
 */
#include <limits.h>
#include <string.h>

#include "tnav/analysis/cut.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "ui/pane/density.h"
#include "ui/pane/table_parts.h"

#define WHOLE_LINES	4
#define ROWS_BESIDE	3	/* lines of titles and rows that must fit besides */
#define NOTE_LINES	4	/* of a note at most, where there are rows */
#define INDENT		2

static const enum style	styles[] = {
	[TONE_NORMAL] = ST_NORMAL, [TONE_DIM] = ST_DIM, [TONE_STRONG] = ST_STRONG,
	[TONE_KEY] = ST_KEY, [TONE_TIME] = ST_TIME, [TONE_THREAD] = ST_THREAD,
	[TONE_EVENT] = ST_EVENT, [TONE_LOSS] = ST_GAP, [TONE_WARN] = ST_WARN,
	[TONE_ERROR] = ST_ERROR,
};

/* In ASCII a letter, separated from the title by a blank. */
static const char *
order_mark(const struct canvas *c, bool up)
{
	if (c->ascii)
		return up ? "^ " : "v ";
	return up ? "\xe2\x86\x91" : "\xe2\x86\x93";
}

/* Is it a column of shares without room for bars? */
static bool
is_bare(const struct table *t, const struct table_place *at)
{
	return t->column[at->col].kind == CELL_SHARE && at->w < SHARE_W;
}

static void
draw_titles(const struct table_pane *p, const struct table *t, struct canvas *c, int y)
{
	unsigned	by = table_pane_by(p, t);
	struct buf	b = { 0 };

	for (unsigned i = 0; i < p->nplaces; i++) {
		const struct table_place	*at = &p->place[i];
		enum style			 st = at->col == by ? ST_STRONG : ST_DIM;

		buf_clear(&b);
		if (at->col == by)
			buf_puts(&b, order_mark(c, table_pane_up(p, t)));
		table_pane_title(t, at->col, &b);
		if (at->w <= 0)
			continue;
		if (table_is_number(t, at->col) || is_bare(t, at))
			canvas_right(c, y, at->x, at->w, st, buf_str(&b));
		else
			(void)canvas_puts(c, y, at->x, at->w, st, buf_str(&b));
	}
	buf_release(&b);
}

/* The parts of a spark in a cell: at least one. */
struct spark_cell {
	uint32_t	from, parts;
	uint64_t	n;
	float		lost;
};

static struct spark_cell
spark_cell(const struct cell_spark *s, int x, int w)
{
	struct spark_cell	in = { .from = (uint32_t)((uint64_t)x * s->n / (uint64_t)w) };
	uint32_t		to = (uint32_t)(((uint64_t)x + 1) * s->n / (uint64_t)w);

	in.parts = to > in.from ? to - in.from : 1;
	for (uint32_t i = in.from; i < in.from + in.parts; i++) {
		in.n += s->part[i];
		in.lost += s->lost != NULL ? s->lost[i] : 0;
	}
	return in;
}

/* Counts by part in cells. The cell with the most events a part has the highest block. */
static void
draw_spark(struct canvas *c, int y, const struct table_place *at, const struct cell_spark *s)
{
	double	most = 0;

	for (int x = 0; x < at->w && s->n > 0; x++) {
		struct spark_cell	in = spark_cell(s, x, at->w);

		most = (double)in.n / in.parts > most ? (double)in.n / in.parts : most;
	}
	for (int x = 0; x < at->w && s->n > 0; x++) {
		struct spark_cell	in = spark_cell(s, x, at->w);

		if (in.from >= s->known)
			(void)canvas_puts(c, y, at->x + x, 1, ST_DIM, "\xc2\xb7");
		else
			density_column(c, y, at->x + x, 1, in.n, u64_of(most * in.parts + 0.5),
			    in.lost, DENSITY_MOSTLY);
	}
}

/* A loss of 0 is not written, so that losses stand out. */
static bool
is_no_loss(const struct table_column *col, const struct cell *c)
{
	return col->tone == TONE_LOSS && c->kind == CELL_U64 && c->u == 0;
}

/* from: the columns before this one belong to a heading. */
static void
draw_words(const struct table *t, struct canvas *c, int y, const struct table_place *at,
    enum style st, struct span s, int from)
{
	enum text_mode	mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	int		w = (int)text_width(s, mode);
	struct buf	name = { 0 };

	w = w < at->w ? w : at->w;
	if (t->column[at->col].flags & COLUMN_CODE) {
		cut_name(&name, s, mode, (size_t)at->w);
		(void)canvas_text(c, y, at->x, at->w, st, span_of_buf(&name));
	} else if (t->column[at->col].flags & COLUMN_MIDDLE) {
		(void)canvas_middle(c, y, at->x, at->w, st, s);
	} else if (!table_is_number(t, at->col)) {
		(void)canvas_text(c, y, at->x, at->w, st, s);
	} else if (at->x + at->w - w >= from) {
		(void)canvas_text(c, y, at->x + at->w - w, w, st, s);
	}
	buf_release(&name);
}

static void
draw_cell(const struct table_pane *p, struct view *v, const struct table *t, struct canvas *c,
    int y, const struct table_place *at, size_t row, int from)
{
	struct cell	cell = { .kind = CELL_NONE };
	enum tone	own = t->tone != NULL ? t->tone(t->src, row, at->col) : TONE_NORMAL;
	enum style	st = styles[own != TONE_NORMAL ? own : t->column[at->col].tone];
	struct buf	b = { 0 };
	struct span	s;

	s = table_pane_words(p, v, t, row, at->col, &cell, &b);
	if (cell.kind == CELL_SPARK) {
		draw_spark(c, y, at, &cell.spark);
	} else if (cell.kind == CELL_SHARE && cell.f > 0) {
		if (!is_bare(t, at))
			canvas_bar(c, y, at->x, SHARE_BAR, st, cell.f);
		canvas_right(c, y, at->x, at->w, st, buf_str(&b));
	} else if (cell.kind != CELL_SHARE && !is_no_loss(&t->column[at->col], &cell)) {
		draw_words(t, c, y, at, st, s, from);
	}
	buf_release(&b);
}

/* Is the column shown beside a heading? Numbers that are not ids are, and shares to its right. */
static bool
beside_heading(const struct table *t, const struct table_place *at, int from)
{
	const struct table_column	*col = &t->column[at->col];

	if (table_is_number(t, at->col))
		return (col->flags & COLUMN_ID) == 0;
	return col->kind == CELL_SHARE && at->x >= from;
}

static void
draw_row(const struct table_pane *p, struct view *v, const struct table *t, struct canvas *c,
    struct rect r, int y, size_t row)
{
	int		indent = INDENT * (int)table_depth(t, row), used = r.x;
	struct buf	b = { 0 };

	if (t->heading != NULL && t->heading(t->src, row, &b)) {
		indent = indent < r.w / 2 ? indent : r.w / 2;
		used += MARGIN + indent;
		used += canvas_buf(c, y, used, r.x + r.w - used,
		    indent > 0 ? ST_DIM : ST_STRONG, &b) + 1;
	}
	buf_release(&b);
	if (table_has_children(t, row))
		(void)canvas_puts(c, y, r.x + 1, 1, ST_DIM, table_pane_open(p, t, row) ? "-" : "+");
	for (unsigned i = 0; i < p->nplaces; i++) {
		const struct table_place	*at = &p->place[i];

		if (at->w > 0 && (used == r.x || beside_heading(t, at, used)))
			draw_cell(p, v, t, c, y, at, row, used);
	}
}

/*
 * The number of bytes of s for a line of this width, if the text is longer. The line is cut at its
 * last semicolon or comma if that is in its second half, so that a number and its unit stay
 * together.
 */
static size_t
line_of(struct span s, enum text_mode mode, size_t cells)
{
	size_t	len = text_line(s, mode, cells);

	for (size_t i = len; len < s.len && i > len / 2; i--)
		if (s.p[i - 1] == ';' || (s.p[i - 1] == ',' && s.p[i] == ' '))
			return i;
	return len;
}

/* Draw a note on at most so many lines, the last of which is above `end`. Returns the next line. */
static int
draw_note(const struct table_note *n, struct canvas *c, struct rect r, int x, int y, int lines,
    int end)
{
	enum text_mode	mode = c->ascii ? TEXT_ASCII : TEXT_UTF8;
	struct span	s = span_of_buf(&n->text), line = s;
	size_t		w = r.w > x ? (size_t)(r.w - x) : 1;

	do {
		line = s;
		if (lines > 1 && y + 1 < end)
			line.len = line_of(s, mode, w);
		(void)canvas_text(c, y++, r.x + x, r.w - x, styles[n->tone], line);
		s = text_rest(s, line.len);
		lines--;
	} while (s.len > 0);
	return y;
}

/* Where there are rows, they have room, and a note takes few lines: the first ones are whole, the
   others are counted. */
static int
draw_notes(const struct table_pane *p, const struct table *t, struct canvas *c, struct rect r)
{
	int	y = r.y, label = 0, beside = t->nrows > 0 ? ROWS_BESIDE : 1;
	int	lines = t->nrows > 0 ? NOTE_LINES : r.h;
	size_t	i = 0;
	struct buf more = { 0 };

	for (; i < p->nnotes; i++)
		label = (int)strlen(p->note[i].label) > label ? (int)strlen(p->note[i].label) :
		    label;
	label += MARGIN + BETWEEN;
	for (i = 0; i < p->nnotes; i++) {
		const struct table_note	*n = &p->note[i];
		bool			 last = i + 1 == p->nnotes;
		int			 others = t->nrows > 0 ? !last : (int)(p->nnotes - i) - 1;

		if (y + beside + (t->nrows > 0 && !last) >= r.y + r.h)
			break;
		(void)canvas_puts(c, y, r.x + MARGIN, label, ST_DIM, n->label);
		y = draw_note(n, c, r, label, y, lines, r.y + r.h - beside - others);
		if (n->advice != NULL && y < r.y + r.h)
			(void)canvas_puts(c, y++, r.x + label, r.w - label, ST_DIM, n->advice);
	}
	if (i < p->nnotes && y + beside < r.y + r.h) {
		buf_counts(&more, "+# more line{s}: z", p->nnotes - i);
		(void)canvas_puts(c, y++, r.x + label, r.w - label, ST_DIM, buf_str(&more));
		buf_release(&more);
	}
	y += p->nnotes > 0 && y + beside < r.y + r.h;	/* a blank line */
	return y - r.y;
}

/* The texts of the row that are cut above, then that of the column chosen by the pane. */
static void
put_whole(const struct table_pane *p, const struct table *t, size_t row, enum text_mode mode,
    struct buf *out)
{
	struct cell	cell = { .kind = CELL_NONE };

	for (unsigned i = 0; i < p->nplaces; i++) {
		const struct table_place	*at = &p->place[i];

		t->cell(t->src, row, at->col, &cell);
		if (at->col == p->whole - 1 || cell.kind != CELL_TEXT ||
		    text_width(cell.text, mode) <= (size_t)at->w)
			continue;
		buf_add(out, cell.text.p, cell.text.len);
		buf_puts(out, "; ");
	}
	t->cell(t->src, row, p->whole - 1, &cell);
	if (cell.kind == CELL_TEXT && cell.text.len > 0)
		buf_add(out, cell.text.p, cell.text.len);
	else if (out->len > 0)
		out->len -= 2;
}

/* Draw a text on as many lines as needed and available. */
static void
draw_lines(struct canvas *c, struct rect r, struct span s)
{
	size_t	w = r.w > 2 * MARGIN ? (size_t)(r.w - 2 * MARGIN) : 1;

	for (int y = r.y; y < r.y + r.h && s.len > 0; y++) {
		struct span	line = { s.p, line_of(s, c->ascii ? TEXT_ASCII : TEXT_UTF8, w) };

		(void)canvas_text(c, y, r.x + MARGIN, r.w - MARGIN, ST_NORMAL,
		    y + 1 < r.y + r.h ? line : s);
		s = text_rest(s, line.len);
	}
}

static void
draw_rows(struct table_pane *p, struct view *v, const struct table *t, struct canvas *c,
    struct rect r, bool focus)
{
	list_fit(&p->list, p->nshown, r.h);
	table_pane_measure(p, v, t, r.h);
	table_pane_place(p, v, t, r);
	for (int i = 0; i < r.h && p->list.top + (uint64_t)i < p->nshown; i++) {
		uint64_t	at = p->list.top + (uint64_t)i;

		draw_row(p, v, t, c, r, r.y + i, p->shown[at]);
		if (at == p->list.cursor && !p->list.scrolls)
			pane_cursor_row(c, r, r.y + i, focus);
	}
}

int
table_pane_lines(void *self, struct view *v)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	int			 beside = 1 + !p->bare + (p->whole > 0 ? WHOLE_LINES : 0);

	return p->nnotes > 0 || t->nrows > INT_MAX / 2 ? INT_MAX : (int)t->nrows + beside;
}

void
table_pane_draw(void *self, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct table_pane	*p = self;
	const struct table	*t = table_pane_table(p, v);
	int			 notes = draw_notes(p, t, c, r), titles = !p->bare, whole = 0;
	struct rect		 rows = r;
	struct buf		 text = { 0 };

	p->head = notes + titles;
	rows.y += p->head;
	rows.h -= p->head;
	if (p->whole > 0 && t->nrows > 0 &&
	    rows.h >= (p->yields ? (int)t->nrows + WHOLE_LINES : ROWS_BESIDE))
		whole = WHOLE_LINES;
	rows.h = rows.h > whole ? rows.h - whole : 0;
	draw_rows(p, v, t, c, rows, focus);
	if (t->nrows == 0) {
		draw_lines(c, (struct rect){ r.y + notes, r.x, r.h - notes, r.w },
		    span_of(t->empty != NULL ? t->empty : ""));
		return;
	}
	if (titles)
		draw_titles(p, t, c, r.y + notes);
	if (whole == 0 || p->list.cursor >= p->nshown)
		return;
	put_whole(p, t, p->shown[p->list.cursor], c->ascii ? TEXT_ASCII : TEXT_UTF8, &text);
	if (text.len > 0) {
		canvas_hline(c, rows.y + rows.h, r.x, r.w, ST_TITLE);
		draw_lines(c, (struct rect){ rows.y + rows.h + 1, r.x, whole - 1, r.w },
		    span_of_buf(&text));
	}
	buf_release(&text);
}

/*
 * One row of the events pane.
 *
 *	|>|   time  delta thread|event       payload.Reason payload   |
 *	   pinned: always here   first, ...: scroll with the current column
 *
 * Invariant: the current column is shown, and at least a part of it is on the screen.
 */
#include "ui/pane/events_row.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define SHIFT		16	/* cells that a key scrolls a text */
#define FRONT_MIN	4	/* least width of a name's beginning, if cut */
#define NOTE_SHARE	3	/* greatest share of the row for a note: 1/3 */
#define PART		16	/* visible cells of a column that are enough */
#define FLEX_INSIDE	40	/* width of the payload column if others follow it */

/* ---- columns */

/* The current column. At first, or if it was removed, it is that of the event. */
static void
find_current(struct row_view *rv, const struct column_set *cs, int w)
{
	size_t	any = 0;

	if (rv->ready && rv->at < cs->n && column_shown(cs, &cs->v[rv->at], w))
		return;
	rv->ready = true;
	rv->shift = 0;
	for (size_t i = cs->n; i > 0; i--) {
		if (!column_shown(cs, &cs->v[i - 1], w))
			continue;
		any = i - 1;
		if (strcmp(cs->v[any].name, "event") == 0)
			break;
	}
	rv->at = any;
}

/* Place the pinned columns, or those that scroll. Returns the x after the last one. */
static int
place(struct row_layout *l, struct view *v, struct rect r, size_t from, int x, bool pinned)
{
	const struct column_set	*cs = &v->display.columns;
	int			 end = r.x + r.w;

	for (size_t i = from; i < cs->n && x < end && l->n < ROW_SLOTS; i++) {
		const struct column	*col = &cs->v[i];
		int			 w = column_width(col, v, r.w);
		size_t			 next = i + 1;

		if (col->kind->pinned != pinned || !column_shown(cs, col, r.w))
			continue;
		while (next < cs->n && (cs->v[next].kind->pinned ||
		    !column_shown(cs, &cs->v[next], r.w)))
			next++;
		if (!pinned && next == cs->n)
			w = end - x + 1;		/* the last column gets the rest */
		else if (w == 0)
			w = FLEX_INSIDE;
		if (w > end - x + 1)
			w = end - x + 1;
		l->s[l->n++] = (struct row_slot){ i, x, w };
		x += w;
	}
	return x;
}

static const struct row_slot *
slot_of(const struct row_layout *l, size_t col)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->s[i].col == col)
			return &l->s[i];
	return NULL;
}

void
row_layout(struct row_layout *l, struct row_view *rv, struct view *v, struct rect r)
{
	const struct row_slot	*s;
	int			 want, x;
	unsigned		 npinned;

	v->display.columns.w = r.w;
	find_current(rv, &v->display.columns, r.w);
	if (rv->first > rv->at)
		rv->first = rv->at;
	l->n = 0;
	x = place(l, v, r, 0, r.x + 1, true);
	npinned = l->n;
	want = column_width(&v->display.columns.v[rv->at], v, r.w);
	want = want == 0 || want > PART ? PART : want;
	for (;;) {
		l->n = npinned;
		(void)place(l, v, r, rv->first, x, false);
		s = slot_of(l, rv->at);
		if ((s != NULL && s->w >= want) || rv->first >= rv->at)
			return;
		rv->first++;
	}
}

bool
row_side(struct row_view *rv, struct view *v, int64_t n, int w, int cut)
{
	const struct column_set	*cs = &v->display.columns;
	int			 dir = n < 0 ? -1 : 1;
	size_t			 at = rv->at;

	find_current(rv, cs, w);
	if (dir < 0 && rv->shift > 0) {
		rv->shift = rv->shift > SHIFT ? rv->shift - SHIFT : 0;
		return true;
	}
	for (at = rv->at + (size_t)dir; at < cs->n; at += (size_t)dir)
		if (column_shown(cs, &cs->v[at], w)) {
			rv->at = at;
			rv->shift = 0;
			if (dir < 0 && at < rv->first)
				rv->first = at;
			return true;
		}
	if (dir < 0 || rv->shift >= cut)
		return false;
	rv->shift = cut - rv->shift > SHIFT ? rv->shift + SHIFT : cut;
	return true;
}

void
row_heading(const struct row_layout *l, struct row_view *rv, struct view *v, struct canvas *c,
    struct rect r, bool focus)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct row_slot	*s = &l->s[i];
		const struct column	*col = &v->display.columns.v[s->col];
		enum style		 st = s->col == rv->at && focus ? ST_STRONG : ST_DIM;
		const char		*title = column_title(col);
		int			 len = (int)strlen(title), x = s->x;

		if (column_right(col) && len < s->w - 1)
			x += s->w - 1 - len;
		(void)canvas_text(c, r.y, x, s->x + s->w - 1 - x, st, span_of(title));
		if (s->col == rv->at && focus)
			canvas_mark(c, r.y, x, len < s->w - 1 ? len : s->w - 1, MARK_CURSOR_OFF);
	}
}

/* ---- search hits */

/* Mark the matches on the screen. Returns their number; -1: unknown. */
static int
mark_matches(struct view *v, struct canvas *c, struct rect r, int y)
{
	uint16_t		*x_of = mem_zalloc(CANVAS_READ(r.w), sizeof *x_of);
	struct glance_span	 span[GLANCE_SPANS];
	struct buf		 b = { 0 };
	int			 n;

	canvas_read(c, y, r.x, r.w, &b, x_of);
	n = glance_find(view_glance(v), span_of_buf(&b), span);
	for (int i = 0; i < n; i++)
		for (size_t k = span[i].from; k < span[i].to; k++)
			canvas_mark(c, y, x_of[k], 1, MARK_HIT);
	buf_release(&b);
	mem_free(x_of);
	return n;
}

/* If the text of a hit is not on the screen, its time is marked. */
static void
mark_hits(const struct row_layout *l, const struct column_row *row, struct canvas *c,
    struct rect r, int y)
{
	struct view	*v = row->v;

	if (v->search.hits == NULL || query_is_hit(v->search.hits, row->row) != 1)
		return;
	if (mark_matches(v, c, r, y) == 0 && l->n > 0)
		canvas_mark(c, y, l->s[0].x, l->s[0].w - 1, MARK_HIT);
}

/* ---- cells */

int
row_cut(const struct row_layout *l, struct row_view *rv, const struct column_row *row)
{
	const struct row_slot	*s = slot_of(l, rv->at);
	const struct column	*col = &row->v->display.columns.v[rv->at];

	if (s == NULL || col->kind->right || !column_cell(col, row, &rv->cell))
		return 0;
	return canvas_width(span_of_buf(&rv->cell.text), row->v->display.ascii) - (s->w - 1);
}

/* The text after its first cells. */
static struct span
skip_cells(const struct canvas *c, struct span s, int cells)
{
	const uint8_t		*p = s.p, *end = s.p + s.len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;

	while (cells > 0 && text_next(&p, end, c->ascii ? TEXT_ASCII : TEXT_UTF8, &scratch, &piece))
		cells -= (int)piece.cells;
	return (struct span){ p, (size_t)(end - p) };
}

/*
 * A name that does not fit is cut: first its provider, then the end of its task, so that its
 * beginning and its last part stay visible. With very little room its middle is cut.
 */
static void
draw_name(struct canvas *c, int y, int x, int w, enum style st, const struct field_at *f)
{
	struct span	own = span_of_buf(&f->text), front = { own.p, f->front };
	int		room;

	own = (struct span){ own.p + f->front, own.len - f->front };
	room = w - canvas_width(own, c->ascii);
	if (f->front_end) {
		own = (struct span){ own.p + 1, own.len - 1 };	/* without the slash */
	} else if (room < FRONT_MIN) {
		(void)canvas_middle(c, y, x, w, st, span_of_buf(&f->text));
		return;
	} else {
		(void)canvas_text(c, y, x, room, st, front);
		x += room;
		w -= room;
	}
	(void)canvas_text(c, y, x, w, st, own);
}

static void
draw_cell(struct row_view *rv, struct canvas *c, int y, const struct row_slot *s,
    const struct column *col, enum style st)
{
	struct span	text = span_of_buf(&rv->cell.text);
	int		x = s->x, w = s->w - 1, cells;

	if (column_right(col)) {
		canvas_right(c, y, x, w, st, buf_str(&rv->cell.text));
		return;
	}
	cells = canvas_width(text, c->ascii);
	if (s->col == rv->at && rv->shift > 0 && text.len > 0) {
		canvas_glyph(c, y, x, ST_DIM, GL_CUT);
		(void)canvas_text(c, y, x + 1, w - 1, st, skip_cells(c, text, rv->shift + 1));
	} else if (rv->cell.front > 0 && cells > w) {
		draw_name(c, y, x, w, st, &rv->cell);
	} else if (col->ref.def != NULL && (col->ref.def->flags & FIELD_MIDDLE) != 0) {
		(void)canvas_middle(c, y, x, w, st, text);
	} else {
		(void)canvas_text(c, y, x, w, st, text);
	}
}

/* Free w cells at the end of the row, with a blank on both sides. The text before them is cut. */
static void
make_room(struct canvas *c, struct rect r, int y, int w)
{
	int	x = r.x + r.w - w - 3;
	bool	cut = false;

	for (int i = x; i < r.x + r.w; i++)
		cut |= canvas_at(c, y, i) != NULL && canvas_at(c, y, i)->cp[0] != ' ';
	canvas_blank(c, (struct rect){ y, x, 1, w + 3 }, ST_NORMAL);
	if (cut)
		canvas_glyph(c, y, x, ST_NORMAL, GL_CUT);
}

static void
draw_repeats(struct canvas *c, struct rect r, int y, uint32_t repeats)
{
	struct buf	b = { 0 };
	int		w;

	buf_puts(&b, c->ascii ? "x" : "\xc3\x97");
	buf_grouped(&b, repeats);
	w = (int)b.len - !c->ascii;
	make_room(c, r, y, w);
	canvas_right(c, y, r.x, r.w, ST_STRONG, buf_str(&b));
	buf_release(&b);
}

/* Draw the letter of a mark before the row, and letter and note at its end. */
static void
draw_note(const struct column_row *row, struct canvas *c, struct rect r, int y)
{
	const struct mark	*m = marks_at(&row->v->marks, row->e->ts, row->e->off);
	struct buf		 b = { 0 };
	int			 w;

	if (m == NULL)
		return;
	buf_putc(&b, m->letter != '\0' ? m->letter : '-');
	(void)canvas_buf(c, y, r.x, 1, ST_STRONG, &b);
	if (m->note != NULL)
		buf_printf(&b, ": %s", m->note);
	w = canvas_width(span_of_buf(&b), c->ascii);
	w = w < r.w / NOTE_SHARE ? w : r.w / NOTE_SHARE;
	make_room(c, r, y, w);
	(void)canvas_buf(c, y, r.x + r.w - w - 1, w, ST_WARN, &b);
	buf_release(&b);
}

void
row_draw(const struct row_layout *l, struct row_view *rv, const struct column_row *row,
    struct canvas *c, struct rect r, int y, uint32_t repeats)
{
	enum style	rule;
	bool		ruled = rules_style(&row->v->display.rules, row->row, &rule);

	for (unsigned i = 0; i < l->n; i++) {
		const struct column	*col = &row->v->display.columns.v[l->s[i].col];

		enum style		 st = col->kind->style;

		if (st == ST_THREAD)
			st = display_thread_style(&row->v->display, row->e->thread);
		if (column_cell(col, row, &rv->cell))
			draw_cell(rv, c, y, &l->s[i], col, ruled ? rule : st);
	}
	if (repeats > 1)
		draw_repeats(c, r, y, repeats);
	else
		draw_note(row, c, r, y);
	mark_hits(l, row, c, r, y);
}

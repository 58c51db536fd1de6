/*
 * The selected event as a tree of all its values, and its bytes.
 *
 *	shown[0..n)	lines of the tree that are not within a closed one
 *	header bytes	a title and hex rows, made when drawn
 *	bytes		the payload, likewise; those of the line under the cursor are marked, and
 *			from a hex row the lines that its bytes belong to
 *
 * Where the cursor stands on the activity or on a label, the events that have it are counted.
 *
 * Invariant: the tree belongs to the event that was selected when it was made (seen). Lines that
 * the user opened or closed are remembered by their names, and so is the line of the cursor. Both
 * apply to the next event, too.
 */
#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/regex.h"
#include "tnav/base/text.h"
#include "ui/pane/pane.h"

#include "ui/pane/details_tree.h"
#include "ui/pane/labels.h"

#define TURNED_MAX	256u	/* lines opened or closed by the user that are remembered */

/* Where the user has put the cursor. */
struct cursor_place {
	bool		 set;
	unsigned	 kind;		/* of the row */
	uint64_t	 line, path;	/* ROW_LINE: hashes of its name and of its ancestors'
					   names */
	uint32_t	 nth;		/* the number among lines with equal names */
	bool		 payload;	/* other rows: payload or header */
	uint32_t	 off;
	uint64_t	 at, below;	/* row; number of rows above it on the screen */
};

struct details {
	struct list		 list;
	struct cursor_place	 spot;
	struct details_tree	 tree;
	uint32_t		*shown;
	size_t			 nshown, cap;
	uint64_t		 turned[TURNED_MAX];
	size_t			 nturned;
	struct span		 head;	/* the event's header in the file */
	struct view_changes seen;	/* when the tree was made */
	struct label_counting counts;
	int		 label_w;	/* width of the labels */
	unsigned	 step;		/* bytes per hex row */
};

/* ---- opening and closing */

static uint64_t
line_hash(const struct details *d, uint32_t i)
{
	struct span	s = tree_span(&d->tree.words, d->tree.v[i].label);

	return hash_more(d->tree.v[i].indent, s.p, s.len);
}

static bool
is_closed(const struct details *d, uint32_t i)
{
	const struct tree_line	*l = &d->tree.v[i];

	if (!l->opens)
		return false;
	for (size_t k = 0; k < d->nturned; k++)
		if (d->turned[k] == line_hash(d, i))
			return !l->closed;
	return l->closed;
}

static void
turn(struct details *d, uint32_t i)
{
	uint64_t	h = line_hash(d, i);

	for (size_t k = 0; k < d->nturned; k++)
		if (d->turned[k] == h) {
			d->turned[k] = d->turned[--d->nturned];
			return;
		}
	if (d->nturned == TURNED_MAX)
		d->nturned = 0;
	d->turned[d->nturned++] = h;
}

static void
find_shown(struct details *d)
{
	unsigned	hide = UINT16_MAX;	/* lines indented more than this are hidden */

	d->nshown = 0;
	for (uint32_t i = 0; i < d->tree.n; i++) {
		if (d->tree.v[i].indent > hide)
			continue;
		hide = is_closed(d, i) ? d->tree.v[i].indent : UINT16_MAX;
		ARRAY_ADD(d->shown, d->nshown, d->cap, i);
	}
}

/* Set the width of the labels, within limits. */
static void
measure(struct details *d)
{
	d->label_w = 8;
	for (size_t i = 0; i < d->tree.n; i++) {
		const struct tree_line	*l = &d->tree.v[i];
		size_t			 w = 2u * l->indent +
		    text_width(tree_span(&d->tree.words, l->label), TEXT_UTF8);

		if (l->text.len > 0 && w > (size_t)d->label_w)
			d->label_w = w > 28 ? 28 : (int)w;
	}
}

/* ---- rows: first those of the tree, then those of the bytes */

struct details_row {
	enum { ROW_LINE, ROW_TITLE, ROW_HEX }	kind;
	uint32_t	line;			/* ROW_LINE: line of the tree */
	bool		payload;		/* bytes of the payload, else of the header */
	uint32_t	off, len;		/* ROW_HEX */
};

static uint64_t
hex_rows(const struct details *d, struct span s)
{
	return s.len > 0 ? 1 + (s.len + d->step - 1) / d->step : 0;
}

static uint64_t
row_count(const struct details *d)
{
	return d->nshown + hex_rows(d, d->head) + hex_rows(d, d->tree.payload);
}

static struct details_row
row_at(const struct details *d, uint64_t at)
{
	struct details_row	r = { .kind = ROW_LINE };
	struct span		s = d->head;
	uint64_t		head = hex_rows(d, d->head);

	if (at < d->nshown) {
		r.line = d->shown[at];
		return r;
	}
	at -= d->nshown;
	if (at >= head) {
		at -= head;
		r.payload = true;
		s = d->tree.payload;
	}
	r.kind = at == 0 ? ROW_TITLE : ROW_HEX;
	if (at > 0) {
		r.off = (uint32_t)((at - 1) * d->step);
		r.len = s.len - r.off < d->step ? (uint32_t)s.len - r.off : d->step;
	}
	return r;
}

static struct details_row
row_here(const struct details *d)
{
	return row_at(d, d->list.cursor);
}

static bool
overlap(uint32_t a, uint32_t alen, uint32_t b, uint32_t blen)
{
	return alen > 0 && blen > 0 && a < b + blen && b < a + alen;
}

/* ---- keeping the cursor on its field */

static uint64_t
path_hash(const struct details *d, uint32_t i)
{
	uint64_t	h = line_hash(d, i), parent;
	unsigned	indent = d->tree.v[i].indent;

	while (i-- > 0 && indent > 0) {
		if (d->tree.v[i].indent >= indent)
			continue;
		indent = d->tree.v[i].indent;
		parent = line_hash(d, i);
		h = hash_pair(h, parent);
	}
	return h;
}

/* The number of earlier rows with the same names. */
static uint32_t
same_before(const struct details *d, uint64_t at, uint64_t line, uint64_t path)
{
	uint32_t	n = 0;

	for (uint64_t i = 0; i < at && i < d->nshown; i++)
		n += line_hash(d, d->shown[i]) == line && path_hash(d, d->shown[i]) == path;
	return n;
}

static void
note_spot(struct details *d)
{
	struct details_row	here = row_here(d);
	struct cursor_place	*s = &d->spot;

	*s = (struct cursor_place){ .set = true, .kind = here.kind, .payload = here.payload,
	    .off = here.off, .at = d->list.cursor, .below = d->list.cursor - d->list.top };
	if (here.kind != ROW_LINE || here.line >= d->tree.n)
		return;
	s->line = line_hash(d, here.line);
	s->path = path_hash(d, here.line);
	s->nth = same_before(d, d->list.cursor, s->line, s->path);
}

/* The row for the place where the user has put the cursor. */
static uint64_t
find_spot(const struct details *d)
{
	const struct cursor_place	*s = &d->spot;
	uint64_t			 head = hex_rows(d, d->head), at = d->nshown;
	uint32_t			 n = 0;

	for (uint64_t i = 0; s->kind == ROW_LINE && i < d->nshown; i++)
		if (line_hash(d, d->shown[i]) == s->line &&
		    path_hash(d, d->shown[i]) == s->path && n++ == s->nth)
			return i;
	if (s->kind == ROW_LINE)
		return s->at;
	at += s->payload ? head : 0;
	return s->kind == ROW_TITLE ? at : at + 1 + s->off / d->step;
}

static bool
make(struct details *d, struct view *v)
{
	struct event	e;
	uint64_t	at;

	if (view_selected(v, &e) != 1)
		return false;
	if (!view_changed(v, &d->seen, VIEW_INDEX | VIEW_SELECTION | VIEW_NAMES |
	    VIEW_SPANS))
		return true;
	tree_make(&d->tree, v, &e);
	d->head = trace_header_bytes(v->t, &e);
	find_shown(d);
	measure(d);
	d->seen = v->changes;
	if (!d->spot.set || d->step == 0)
		return true;
	at = find_spot(d);
	d->list.cursor = at;
	d->list.top = at > d->spot.below ? at - d->spot.below : 0;
	list_fit(&d->list, row_count(d), d->list.h);
	return true;
}

static void
details_follow(void *arg, struct view *v)
{
	(void)make(arg, v);
}

/* ---- activity and labels */

static bool
on_label(const struct details *d)
{
	struct details_row	here = row_here(d);

	return d->nshown > 0 && here.kind == ROW_LINE && tree_is_label(&d->tree, here.line);
}

/* Are events counted for the frame? */
static bool
counts(struct details *d, struct view *v)
{
	if (!on_label(d))
		return false;
	label_counting_follow(&d->counts, v, &d->tree);
	return true;
}

/* Draw how many events have the value of the line. Returns the cells that this takes. */
static int
draw_count(const struct details *d, struct canvas *c, struct rect r, int y, uint32_t line)
{
	struct span	name = tree_span(&d->tree.terms, d->tree.v[line].name);
	struct buf	b = { 0 };
	uint64_t	n;
	int		used = 0;

	if (!tree_is_label(&d->tree, line) || !label_counting_get(&d->counts, name, &n))
		return 0;
	buf_counts(&b, "# event{s}", n);
	used = canvas_cells(c, buf_str(&b)) + 2;
	canvas_right(c, y, r.x, r.w - 1, ST_NORMAL, buf_str(&b));
	buf_release(&b);
	return used;
}

/* Go to the activity, or the first label. */
static void
details_act(void *arg, struct view *v, int64_t what, const char *unused)
{
	struct details	*d = arg;

	(void)what;
	(void)unused;
	v->stopped = false;
	if (d->step == 0)
		d->step = 8;
	for (uint64_t i = 0; make(d, v) && i < d->nshown; i++)
		if (tree_is_label(&d->tree, d->shown[i])) {
			d->list.cursor = i;
			list_fit(&d->list, row_count(d), d->list.h);
			note_spot(d);
			return;
		}
	if (v->sel.has)
		view_say(v, "%s", trace_has(v->t, HAS_ACTIVITIES) ?
		    "no activity and no labels (:filter-add has activity)" :
		    "this format has no activities and no labels");
}

/* ---- drawing */

static void
draw_hex(struct details *d, struct canvas *c, struct rect r, int y, const struct details_row *row)
{
	struct details_row	 here = row_here(d);
	const struct tree_line	*l = here.kind == ROW_LINE && row->payload ?
				    &d->tree.v[here.line] : NULL;
	const uint8_t		*p = (row->payload ? d->tree.payload.p : d->head.p) + row->off;
	int			 x = r.x + 2, text_x;
	struct buf		 b = { 0 };

	buf_hex(&b, row->off, 4);
	x += canvas_buf(c, y, x, r.w - 2, ST_DIM, &b) + 2;
	text_x = x + 3 * (int)d->step + (int)d->step / 8;
	for (uint32_t i = 0; i < row->len; i++) {
		int	at = x + 3 * (int)i + (int)i / 8;
		char	shown[2] = { p[i] >= ' ' && p[i] < 127 ? (char)p[i] : '.', '\0' };

		buf_clear(&b);
		buf_hex(&b, p[i], 2);
		if (at + 2 > r.x + r.w)
			break;
		(void)canvas_buf(c, y, at, 2, ST_NORMAL, &b);
		if (text_x + (int)i < r.x + r.w)
			(void)canvas_puts(c, y, text_x + (int)i, 1, ST_DIM, shown);
		if (l != NULL && overlap(row->off + i, 1, l->off, l->len)) {
			canvas_mark(c, y, at, 2, MARK_CURSOR);
			if (text_x + (int)i < r.x + r.w)
				canvas_mark(c, y, text_x + (int)i, 1, MARK_CURSOR);
		}
	}
	buf_release(&b);
}

static void
draw_line(struct details *d, struct canvas *c, struct rect r, int y, uint32_t i, bool counted)
{
	const struct tree_line	*l = &d->tree.v[i];
	struct details_row	 here = row_here(d);
	int			 x = r.x + 1 + 2 * (l->indent < 12 ? l->indent : 12), used;
	int			 text_x = r.x + 1 + d->label_w + 2;

	used = canvas_text(c, y, x, r.w / 2, l->style == ST_TITLE ? ST_STRONG : ST_DIM,
	    tree_span(&d->tree.words, l->label));
	if (is_closed(d, i)) {
		(void)canvas_puts(c, y, x + used + 1, 3, ST_STRONG, "[+]");
		used += 4;
	}
	if (x + used + 1 > text_x)
		text_x = x + used + 1;
	if (l->label.len == 0)
		text_x = x;
	if (counted)
		r.w -= draw_count(d, c, r, y, i);
	used = canvas_text(c, y, text_x, r.x + r.w - text_x,
	    l->style == ST_TITLE ? ST_DIM : (enum style)l->style,
	    tree_span(&d->tree.words, l->text));
	if (here.kind == ROW_HEX && here.payload && !l->opens &&
	    overlap(here.off, here.len, l->off, l->len))
		canvas_mark(c, y, x, text_x + used - x, MARK_HIT);
}

static void
details_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct details	*d = arg;
	bool		 counted;

	if (!make(d, v)) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, "no event selected");
		return;
	}
	d->step = r.w >= 77 ? 16 : 8;
	list_fit(&d->list, row_count(d), r.h);
	counted = counts(d, v);
	for (int i = 0; i < r.h && d->list.top + (uint64_t)i < d->list.n; i++) {
		uint64_t		at = d->list.top + (uint64_t)i;
		struct details_row	row = row_at(d, at);

		if (row.kind == ROW_LINE)
			draw_line(d, c, r, r.y + i, row.line, counted);
		else if (row.kind == ROW_TITLE)
			(void)canvas_puts(c, r.y + i, r.x + 1, r.w - 1, ST_STRONG,
			    row.payload ? "bytes" : "header bytes");
		else
			draw_hex(d, c, r, r.y + i, &row);
		if (at == d->list.cursor)
			pane_cursor_row(c, r, r.y + i, focus);
	}
}

static void
details_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct details		*d = arg;
	struct event		 e;
	struct details_row	 here;

	if (view_selected(v, &e) != 1 || !make(d, v) || d->step == 0)
		return;
	buf_puts(left, trace_type(v->t, e.type)->name);
	here = row_here(d);
	if (counts(d, v)) {
		if (counting_busy(&d->counts.counting))
			buf_printf(right, "%u %% counted%s",
			    percent_of(counting_share(&d->counts.counting)),
			    v->stopped ? ", stopped: j resumes" : "");
		else
			buf_puts(right, v->window.whole ? "counted in the trace" :
			    "counted in this window");
		return;
	}
	if (here.kind == ROW_LINE && here.line < d->tree.n && d->tree.v[here.line].len > 0) {
		const struct tree_line	*l = &d->tree.v[here.line];

		buf_printf(right, "bytes %u..%u of ", l->off, l->off + l->len);
		buf_grouped(right, e.size);
	}
}

/* ---- keys */

/* Right opens; left closes, or goes to the parent line. */
static bool
side(struct details *d, int64_t n)
{
	struct details_row	here = row_here(d);

	if (here.kind != ROW_LINE || d->nshown == 0)
		return false;
	if (d->tree.v[here.line].opens && is_closed(d, here.line) == (n > 0)) {
		turn(d, here.line);
		find_shown(d);
		return true;
	}
	for (uint64_t i = d->list.cursor; n < 0 && i > 0; i--)
		if (d->tree.v[d->shown[i - 1]].indent < d->tree.v[here.line].indent) {
			d->list.cursor = i - 1;
			return true;
		}
	return false;
}

static bool
details_move(void *arg, struct view *v, struct move m)
{
	struct details	*d = arg;
	bool		 moved, again = false;

	if (!make(d, v) || d->step == 0)
		return false;
	list_fit(&d->list, row_count(d), d->list.h);
	/* If Esc stopped the counting, a key continues it. */
	again = v->stopped && on_label(d) && counting_busy(&d->counts.counting);
	if (again)
		v->stopped = false;
	moved = m.kind == MOVE_SIDE ? side(d, m.n) : list_move(&d->list, m);
	note_spot(d);
	return moved || again;
}

/* If the line can be opened: open or close it. Otherwise: back to the events. */
static bool
details_enter(void *arg, struct view *v)
{
	struct details		*d = arg;
	struct details_row	 here;

	if (!make(d, v) || d->step == 0)
		return true;
	here = row_here(d);
	if (here.kind != ROW_LINE || !d->tree.v[here.line].opens)
		return true;
	turn(d, here.line);
	find_shown(d);
	return false;
}

static bool
details_field(void *arg, struct view *v, struct field_at *out)
{
	struct details		*d = arg;
	const struct tree_line	*l;
	struct details_row	 here;
	struct span		 s;

	if (!make(d, v) || d->step == 0)
		return false;
	here = row_here(d);
	if (here.kind != ROW_LINE) {
		s = here.payload ? d->tree.payload : d->head;
		if (here.kind == ROW_TITLE)
			here.len = (uint32_t)s.len;
		out->raw = (struct span){ s.p + here.off, here.len };
		buf_bytes_hex(&out->text, out->raw.p, out->raw.len);
		return true;
	}
	l = &d->tree.v[here.line];
	buf_span(&out->name, tree_span(&d->tree.terms, l->name));
	buf_span(&out->value, tree_span(&d->tree.terms, l->value));
	buf_span(&out->text, tree_span(&d->tree.words, l->text));
	if (l->len > 0)
		out->raw = (struct span){ d->tree.payload.p + l->off, l->len };
	return true;
}

/* ---- lines for searches */

static struct list *
details_list(void *arg, struct view *v)
{
	struct details	*d = arg;

	if (make(d, v) && d->step > 0)
		list_fit(&d->list, row_count(d), d->list.h);
	else
		d->list.n = 0;
	return &d->list;
}

/* Matches the displayed name and value of a line. Rows of bytes are not searched. */
static bool
details_matches(void *arg, struct view *v, uint64_t line, const struct regex *re,
    struct regex_match *m)
{
	const struct details	*d = arg;
	const struct tree_line	*l;
	struct buf		 b = { 0 };
	bool			 found;

	(void)v;
	if (line >= d->nshown)
		return false;
	l = &d->tree.v[d->shown[line]];
	buf_span(&b, tree_span(&d->tree.words, l->label));
	buf_putc(&b, ' ');
	buf_span(&b, tree_span(&d->tree.words, l->text));
	found = regex_find(re, m, span_of_buf(&b), 0, NULL, NULL) == 1;
	buf_release(&b);
	return found;
}

static void
details_release(void *arg)
{
	struct details	*d = arg;

	label_counting_release(&d->counts);
	tree_release(&d->tree);
	mem_free(d->shown);
}

static bool
details_useful(void *arg, struct view *v, const char *command)
{
	struct details	*d = arg;

	return strcmp(command, "next-of-activity") != 0 ||
	    (make(d, v) && d->step > 0 && on_label(d));
}

const struct pane_ops	pane_details = {
	.hints = "include exclude next-of-activity tally copy-field raw close",
	.size = sizeof(struct details),
	.release = details_release,
	.title = details_title,
	.draw = details_draw,
	.follow = details_follow,
	.useful = details_useful,
	.act = details_act,
	.move = details_move,
	.list = details_list,
	.matches = details_matches,
	.enter = details_enter,
	.enters = "Open or close the value; on other lines, go back to the events.",
	.field = details_field,
};

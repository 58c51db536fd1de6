/*
 * The layout of the panes, and the lines around them. No code here is specific to one pane: the
 * table of panes has the zone of each.
 *
 *	narrow (80 x 24)		wide (200 x 50)
 *	top line			top line
 *	header				header
 *	strip				strip
 *	table			   }	main            | side
 *	main			   }	table  | bottom
 *	side or bottom		   }	bottom line
 *	bottom line			of } narrow has main and the one that was opened last
 *
 * A list to choose from pops up over the lower lines of these, which stay where they are.
 *
 * Invariant: the focused pane is shown, unless the screen is too small for any pane.
 */
#include "ui/layout.h"

#include <string.h>

#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/head.h"
#include "ui/command/command.h"
#include "ui/pane/table.h"
#include "ui/term/key.h"
#include "ui/follow.h"
#include "ui/header.h"
#include "ui/live.h"
#include "ui/shell.h"

#define WIDE_COLS	160
#define TALL_ROWS	40
#define TWO_ROWS	8	/* lines that two panes need above each other */
#define NAME_MIN	8	/* width that a file's name keeps on the top line */
#define TABLE_LEAST	6	/* lines of a table, wide screen */
#define TABLE_LEAST_NARROW 4	/* lines of a table, narrow screen */
#define TITLE_MIN	12	/* width of a title's text beside its count */
#define POPUP_LEAST	6	/* lines of a list that pops up, with its title */

const char *const	layout_names[LAYOUTS] = {
	[LAYOUT_AUTO] = "auto",		/* depends on the screen's size */
	[LAYOUT_SINGLE] = "single",	/* one pane below the timeline */
	[LAYOUT_SPLIT] = "split",	/* one more below or above it */
	[LAYOUT_WIDE] = "wide",		/* details beside the events */
};

static bool
is_wide(const struct ui *ui)
{
	return ui->panes.arrangement == LAYOUT_WIDE ||
	    (ui->panes.arrangement == LAYOUT_AUTO && ui->screen.cols >= WIDE_COLS);
}

static enum pane_zone
zone_of(enum pane_id id)
{
	return pane_table[id].zone;
}

static bool
overlay(enum pane_id id)
{
	return zone_of(id) == ZONE_OVERLAY;
}

/* The first pane of the zone; PANES: none. */
static enum pane_id
first_of(enum pane_zone zone)
{
	int	id = 0;

	while (id < PANES && pane_table[id].zone != zone)
		id++;
	return (enum pane_id)id;
}

enum pane_id
layout_home(void)
{
	return first_of(ZONE_MAIN);
}

/* Is the pane shown by default on a screen of this size? */
static bool
by_default(const struct ui *ui, enum pane_id id)
{
	switch (pane_table[id].when) {
	case WHEN_OPENED:
		break;
	case WHEN_WIDE:
		return is_wide(ui);
	case WHEN_LARGE:
		return is_wide(ui) && ui->screen.rows >= TALL_ROWS;
	case WHEN_ALWAYS:
		return true;
	}
	return false;
}

/* The pane to go back to from an overlay. Only from one that explains another, that may be an
   overlay, too. */
static enum pane_id
opened_from(const struct ui *ui, const struct pane *p)
{
	enum pane_id	from = ui->panes.focus;

	if (overlay(from) && p->ops->about == NULL)
		return ui->panes.pane[from].from;
	return from;
}

void
layout_open(struct ui *ui, enum pane_id id)
{
	struct pane	*p = &ui->panes.pane[id];

	if (ui->panes.tabbed == id)
		ui->panes.tabbed = PANES;	/* it was opened by its name */
	if (overlay(id) && ui->panes.focus != id)
		p->from = opened_from(ui, p);
	if (overlay(ui->panes.focus) && ui->panes.focus != id)
		ui->panes.pane[ui->panes.focus].open = false;	/* only one overlay is shown */
	/* The strip is always shown. If it is opened, it is large. */
	if (!p->open && (!by_default(ui, id) || zone_of(id) == ZONE_STRIP)) {
		p->open = true;
		p->opened = ++ui->panes.opened;
	}
	ui->panes.focus = id;
	layout_place(ui);
}

void
pane_act(struct ui *ui, enum pane_id id, int64_t what, const char *arg)
{
	ui->panes.pane[id].ops->act(ui->panes.pane[id].self, &ui->v, what, arg);
}

/* The pane that was opened last, among the focused one and those that are visible. A hidden pane
   is not closed. */
static struct pane *
opened_last(struct ui *ui)
{
	struct pane	*last = NULL;

	for (int i = 0; i < PANES; i++)
		if (ui->panes.pane[i].open &&
		    (ui->panes.pane[i].shown || i == (int)ui->panes.focus) &&
		    (last == NULL || ui->panes.pane[i].opened > last->opened))
			last = &ui->panes.pane[i];
	return last;
}

const char *
layout_last(struct ui *ui)
{
	struct pane	*last = opened_last(ui);

	if (ui->panes.maximised && !overlay(ui->panes.focus))
		return "the maximised pane";
	return last != NULL ? last->name : NULL;
}

/* The focused pane was closed: from an overlay, go back to where it was opened, else to the main
   pane. */
static void
go_back(struct ui *ui)
{
	enum pane_id	back = ui->panes.pane[ui->panes.focus].from;

	if (!overlay(ui->panes.focus)) {
		ui->panes.focus = layout_home();
	} else if (overlay(back)) {
		ui->panes.pane[back].open = true;
		ui->panes.focus = back;
	} else if (ui->panes.pane[back].open || by_default(ui, back)) {
		ui->panes.focus = back;
	} else {
		ui->panes.focus = layout_home();
	}
}

bool
layout_close_last(struct ui *ui)
{
	struct pane	*last = opened_last(ui);
	struct rect	 was;

	if (ui->panes.maximised && !overlay(ui->panes.focus)) {
		ui->panes.maximised = false;
		layout_place(ui);
		return true;
	}
	if (last == NULL)
		return false;
	was = last->at;
	last->open = false;
	if (last == &ui->panes.pane[ui->panes.tabbed])
		ui->panes.tabbed = PANES;
	if (last == &ui->panes.pane[ui->panes.focus])
		go_back(ui);
	layout_place(ui);
	/* A pane that is always shown stays. If it did not become smaller, say that it was
	   closed. */
	if (last->shown && last->at.y == was.y && last->at.h == was.h && last->at.w == was.w)
		view_say(&ui->v, "%s closed", last->name);
	return true;
}

bool
layout_arrange(struct ui *ui, const char *name)
{
	for (int i = 0; i < LAYOUTS; i++) {
		if (strcmp(name, layout_names[i]) != 0)
			continue;
		ui->panes.arrangement = (enum arrangement)i;
		ui->panes.maximised = false;
		if (!ui->panes.pane[ui->panes.focus].open && !overlay(ui->panes.focus) &&
		    !by_default(ui, ui->panes.focus))
			ui->panes.focus = layout_home();
		layout_place(ui);
		return true;
	}
	return false;
}

static bool
may_show(const struct ui *ui, enum pane_id id)
{
	/* The focused pane may be shown by default, on a larger screen. */
	return ui->panes.focus == id || ui->panes.pane[id].open || by_default(ui, id);
}

/* Is pane a nearer to pane `from` than b in this direction? */
static bool
is_nearer(unsigned from, int dir, unsigned a, unsigned b)
{
	bool	a_ahead = dir > 0 ? a > from : a < from, b_ahead = dir > 0 ? b > from : b < from;

	if (a_ahead != b_ahead)
		return a_ahead;
	return dir > 0 ? a < b : a > b;
}

/* The next pane in the order of <Tab>, among those on the screen, or among all. PANES: none. */
static enum pane_id
next_of(const struct ui *ui, int dir, bool all)
{
	unsigned	from = pane_table[ui->panes.focus].order;
	int		to = PANES;

	for (int i = 0; i < PANES; i++) {
		if (pane_table[i].order == 0 || i == (int)ui->panes.focus ||
		    (!all && !may_show(ui, (enum pane_id)i)))
			continue;
		if (to == PANES || is_nearer(from, dir, pane_table[i].order, pane_table[to].order))
			to = i;
	}
	return (enum pane_id)to;
}

/*
 * Move the focus among the panes on the screen. If there is only one, open the next pane. From a
 * pane that was opened in this way, the next one replaces it.
 */
void
layout_cycle(struct ui *ui, int dir)
{
	enum pane_id	from = ui->panes.focus, to;
	bool		on = from == ui->panes.tabbed;

	if (overlay(from))
		return;
	to = next_of(ui, dir, on);
	if (to == PANES)
		to = next_of(ui, dir, true);
	if (on) {
		ui->panes.pane[from].open = false;
		ui->panes.tabbed = PANES;
	}
	if (!may_show(ui, to)) {
		layout_open(ui, to);
		ui->panes.tabbed = to;
	}
	ui->panes.focus = to;
	layout_place(ui);
}

/* ---- places */

static void
place(struct ui *ui, enum pane_id id, struct rect r)
{
	ui->panes.pane[id].shown = r.h > 1;
	ui->panes.pane[id].titled = true;
	ui->panes.pane[id].at = (struct rect){ r.y + 1, r.x, r.h - 1, r.w };
}

/* The limit hi takes precedence over lo. */
static int
clamp(int n, int lo, int hi)
{
	n = n < lo ? lo : n;
	return n > hi ? hi : n;
}

/* The number of lines for a pane, between lo and hi. */
static int
lines_of(struct ui *ui, enum pane_id id, int lo, int hi)
{
	const struct pane	*p = &ui->panes.pane[id];

	if (p->ops->lines == NULL)
		return hi;
	return clamp(p->ops->lines(p->self, &ui->v, p->open), lo, hi);
}

/*
 * The pane to show among those that share a place: the focused one, else the one opened last, else
 * the one shown by default. PANES: none.
 */
static enum pane_id
latest_of(const struct ui *ui, unsigned zones)
{
	int	last = PANES;

	for (int i = 0; i < PANES; i++) {
		const struct pane	*p = &ui->panes.pane[i];

		if ((zones & 1u << pane_table[i].zone) == 0 || !may_show(ui, (enum pane_id)i))
			continue;
		if (i == (int)ui->panes.focus)
			return ui->panes.focus;
		if (last == PANES || (p->open && p->opened > ui->panes.pane[last].opened))
			last = i;
	}
	return (enum pane_id)last;
}

/* Is it a table with the focus? It is there for its rows. */
static bool
has_rows(const struct ui *ui, enum pane_id id)
{
	return id == ui->panes.focus && id < PANES && ui->panes.pane[id].ops->table != NULL;
}

/* The bottom: a table, and beside it a pane that was opened there, or only that one. */
static void
place_bottom(struct ui *ui, struct rect *m)
{
	enum pane_id	table = latest_of(ui, 1u << ZONE_TABLE);
	enum pane_id	other = latest_of(ui, 1u << ZONE_BOTTOM);
	bool		both = table != PANES && other != PANES;
	int		h = m->h / (has_rows(ui, other) ? 2 : 3), w = both ? m->w * 2 / 5 : 0;

	if (table == PANES && other == PANES)
		return;
	if (other == PANES)
		h = lines_of(ui, table, TABLE_LEAST, h);
	m->h -= h;
	if (other != PANES)
		place(ui, other, (struct rect){ m->y + m->h, m->x + w + both, h, m->w - w - both });
	if (table != PANES)
		place(ui, table, (struct rect){ m->y + m->h, m->x, h, both ? w : m->w });
}

static void
place_wide(struct ui *ui, struct rect m)
{
	int		side_w = m.w >= 190 ? 79 : m.w * 2 / 5;
	enum pane_id	side = latest_of(ui, 1u << ZONE_SIDE);

	if (m.h >= TWO_ROWS) {
		place_bottom(ui, &m);
	} else if (zone_of(ui->panes.focus) == ZONE_TABLE ||
	    zone_of(ui->panes.focus) == ZONE_BOTTOM) {
		place(ui, ui->panes.focus, m);
		return;
	}
	if (side != PANES) {
		place(ui, side, (struct rect){ m.y, m.x + m.w - side_w, m.h, side_w });
		m.w -= side_w + 1;
	}
	place(ui, layout_home(), m);
}

/* Below the strip only one pane: the focused one. */
static void
place_single(struct ui *ui, struct rect m)
{
	place(ui, zone_of(ui->panes.focus) == ZONE_STRIP ? layout_home() : ui->panes.focus, m);
}

/* A table with the focus gets most; else the events get half. */
static void
place_narrow(struct ui *ui, struct rect m)
{
	enum pane_id	with = latest_of(ui, 1u << ZONE_SIDE | 1u << ZONE_TABLE |
			    1u << ZONE_BOTTOM);
	int		h = has_rows(ui, with) ? m.h * 3 / 4 : m.h / 2;

	if (with == PANES) {
		place(ui, layout_home(), m);
		return;
	}
	if (m.h < TWO_ROWS) {
		place_single(ui, m);
		return;
	}
	if (zone_of(with) == ZONE_TABLE) {
		h = lines_of(ui, with, TABLE_LEAST_NARROW, m.h / 2);
		place(ui, with, (struct rect){ m.y, m.x, h, m.w });
		m.y += h;
	} else {
		h = lines_of(ui, with, m.h / 2, h);
		place(ui, with, (struct rect){ m.y + m.h - h, m.x, h, m.w });
	}
	m.h -= h;
	place(ui, layout_home(), m);
}

/* Is there a pane that takes lines from both the strip and the main pane? */
static bool
shares(struct ui *ui)
{
	return !is_wide(ui) && ui->panes.arrangement != LAYOUT_SINGLE &&
	    latest_of(ui, 1u << ZONE_SIDE | 1u << ZONE_TABLE | 1u << ZONE_BOTTOM) != PANES;
}

/* Including the title line; 1: no title. More on a tall screen, or if it was opened. */
static int
strip_lines(struct ui *ui, enum pane_id id)
{
	if (ui->panes.pane[id].open && ui->screen.rows > 9)
		return clamp(lines_of(ui, id, 5, ui->screen.rows / (shares(ui) ? 3 : 2)), 5,
		    ui->screen.rows - 8);
	if (ui->panes.pane[id].open)
		return 1;
	if (ui->screen.rows >= TALL_ROWS)
		return lines_of(ui, id, 6, ui->screen.rows / 4);
	return ui->screen.rows >= 30 ? 4 : 1;
}

static int
place_strip(struct ui *ui, struct rect m)
{
	enum pane_id	 id = first_of(ZONE_STRIP);
	struct pane	*p = &ui->panes.pane[id];
	int		 h = strip_lines(ui, id);

	if (h > 1) {
		place(ui, id, (struct rect){ m.y, m.x, h, m.w });
	} else {
		p->shown = true;
		p->titled = false;
		p->at = (struct rect){ m.y, m.x, 1, m.w };
	}
	return h;
}

/* Has the user opened no pane that takes lines from the main pane? */
static bool
main_alone(const struct ui *ui)
{
	unsigned	below = 1u << ZONE_TABLE | 1u << ZONE_BOTTOM;

	return !ui->panes.pane[first_of(ZONE_STRIP)].open &&
	    latest_of(ui, is_wide(ui) ? below : below | 1u << ZONE_SIDE) == PANES;
}

/* The lines that a list needs, with its title. Each list that pops up is a table. */
static int
popup_lines(struct ui *ui, const struct pane *p, struct rect m)
{
	int	lines;

	((struct table_pane *)p->self)->w = m.w;
	lines = p->ops->lines != NULL ? p->ops->lines(p->self, &ui->v, true) :
	    table_pane_lines(p->self, &ui->v);
	return clamp(lines, POPUP_LEAST, m.h);
}

/* The pane from which the list that pops up was opened. */
static enum pane_id
pane_below(const struct ui *ui)
{
	enum pane_id	id = ui->panes.focus;

	for (int i = 0; i < PANES && overlay(id); i++)
		id = ui->panes.pane[id].from;
	if (overlay(id) || !may_show(ui, id))
		return layout_home();
	return id;
}

static void
place_panes(struct ui *ui, struct rect m)
{
	int	strip;

	if (ui->panes.maximised) {
		place(ui, ui->panes.focus, m);
		return;
	}
	ui->panes.header = header_lines(ui, main_alone(ui));
	m.y += ui->panes.header;
	m.h -= ui->panes.header;
	strip = place_strip(ui, m);
	m.y += strip;
	m.h -= strip;
	if (ui->panes.arrangement == LAYOUT_SINGLE)
		place_single(ui, m);
	else if (is_wide(ui))
		place_wide(ui, m);
	else
		place_narrow(ui, m);
}

void
layout_place(struct ui *ui)
{
	struct rect	m = { 1, 0, ui->screen.rows - 2, ui->screen.cols };
	enum pane_id	focus = ui->panes.focus;
	int		h;

	ui->panes.placed = true;
	ui->panes.header = 0;
	for (int i = 0; i < PANES; i++)
		ui->panes.pane[i].shown = false;
	if (!overlay(focus)) {
		place_panes(ui, m);
		return;
	}
	ui->panes.focus = pane_below(ui);
	place_panes(ui, m);
	ui->panes.focus = focus;
	h = popup_lines(ui, &ui->panes.pane[focus], m);
	place(ui, focus, (struct rect){ m.y + m.h - h, m.x, h, m.w });
}

/* ---- drawing */

/* The list of a pane, as last drawn; NULL: it has none. */
static const struct list *
list_of(const struct pane *p, struct view *v)
{
	if (p->ops->table != NULL)
		return &((const struct table_pane *)p->self)->list;
	return p->ops->list != NULL ? p->ops->list(p->self, v) : NULL;
}

/* The count of n lines that ends a title: "whole trace, 35 rows". NULL: another text does. */
static char *
final_count(struct buf *title, uint64_t n)
{
	char		*count = title->p;
	struct buf	 b = { 0 };

	buf_grouped(&b, n);
	buf_putc(&b, ' ');
	if (title->len > 0)
		for (char *at = count; (at = strstr(at, ", ")) != NULL; count = at)
			at += 2;
	if (title->len == 0 || strncmp(count, buf_str(&b), b.len) != 0 ||
	    strncmp(count + b.len, "of ", 3) == 0)
		count = NULL;
	buf_release(&b);
	return count;
}

/*
 * Where a list is that is longer than the screen: "whole trace, 35 rows" becomes "whole trace, 16
 * of 35 rows"; without room for it, "16 of 35".
 */
static void
put_position(const struct canvas *c, const struct list *l, int room, struct buf *title)
{
	struct buf	 b = { 0 }, both = { 0 };
	char		*count;

	if (l == NULL || l->h <= 1 || l->n <= (uint64_t)l->h)	/* 1: it is not drawn as lines */
		return;
	(void)buf_str(title);
	buf_counts(&b, "# of #", 1 + (l->scrolls ? l->top + (uint64_t)l->h - 1 : l->cursor), l->n);
	count = final_count(title, l->n);
	if (count != NULL)
		buf_printf(&both, "%.*s%s%s", (int)(count - title->p), title->p, buf_str(&b),
		    count + strcspn(count, " "));
	else
		buf_printf(&both, "%s%s%s", title->p, title->len > 0 ? ", line " : "", buf_str(&b));
	if (canvas_cells(c, buf_str(&both)) <= room) {
		buf_release(&b);
		b = both;
	} else {
		buf_release(&both);
	}
	buf_release(title);
	*title = b;
}

/* "> events -- f: tid = 25 ------------------- 2,310 of 128,512" */
static void
draw_title(struct ui *ui, struct pane *p, bool focus)
{
	struct canvas	*c = &ui->screen.c;
	struct rect	 r = p->at;
	enum style	 st = focus ? ST_FOCUS : ST_TITLE;
	struct buf	 left = { 0 }, right = { 0 };
	int		 y = r.y - 1, x = r.x, n;

	if (p->ops->title != NULL)
		p->ops->title(p->self, &ui->v, &left, &right);
	buf_puts(&left, p->ops->caption != NULL ? p->ops->caption : "");
	if (p->ops->counts != NULL)
		buf_counts(&right, p->ops->counts, table_pane_table(p->self, &ui->v)->nrows);
	if (left.len == 0 && p == &ui->panes.pane[layout_home()] && ui->panes.header == 0)
		header_text(ui, &left);
	canvas_hline(c, y, r.x, r.w, st);
	if (focus)
		canvas_glyph(c, y, x, st, GL_POINTER);
	canvas_blank(c, (struct rect){ y, x + 1, 1, 1 }, st);
	x += 2 + canvas_puts(c, y, x + 2, r.w - 2, st, p->name);
	canvas_blank(c, (struct rect){ y, x, 1, 1 }, st);
	put_position(c, list_of(p, &ui->v), r.x + r.w - x - 8 - canvas_cells(c, buf_str(&left)),
	    &right);
	n = canvas_cells(c, buf_str(&right)) + 2;
	if (left.len > 0) {
		int	room = r.x + r.w - x - 4;

		if (right.len > 0 && room > n + TITLE_MIN)
			room -= n;	/* a long filter is cut, not the count */
		canvas_blank(c, (struct rect){ y, x + 1, 1, 1 }, st);
		x += 2 + canvas_puts(c, y, x + 2, room, st, buf_str(&left));
		canvas_blank(c, (struct rect){ y, x, 1, 1 }, st);
	}
	if (right.len > 0 && r.x + r.w - x > n + 1) {
		int	end = r.x + r.w - (r.x + r.w < c->cols);	/* a divider follows */

		canvas_blank(c, (struct rect){ y, end - n, 1, n }, st);
		canvas_right(c, y, r.x, end - 1 - r.x, st, buf_str(&right));
	}
	buf_release(&left);
	buf_release(&right);
}

/* The parts of the top line after the name. The higher the level, the shorter. */
static void
top_text(struct ui *ui, struct buf *b, int level)
{
	const char	*format = trace_info(ui->v.t)->format;

	if (level > 4)
		return;
	if (level > 0 && strncmp(format, "NetTrace ", 9) == 0)
		format += 9;
	if (level < 4)
		buf_printf(b, "  %s", format);
	buf_counts(b, level > 0 ? "  # ev" : "  # event{s}", trace_rows_kept(ui->v.t));
	if (ui->v.window.any && level < 3) {
		buf_puts(b, "  ");
		view_length(&ui->v, b);
	}
	if (level < 2)
		buf_counts(b, level > 0 ? "  # thr" : "  # thread{s}", trace_threads(ui->v.t));
}

static void
loss_text(struct ui *ui, struct buf *b)
{
	const struct loss	*l = &ui->v.gaps.loss;
	uint64_t		 off;
	bool			 unsure = !ui->v.complete || trace_cut(ui->v.t, &off);

	if (l->gaps > 0) {
		buf_counts(b, unsure ? "  ! at least # lost in # gap{s}" :
		    "  ! # lost in # gap{s}", l->lost, l->gaps);
	}
}

static void
state_text(struct ui *ui, struct buf *b)
{
	struct trace_progress	p;
	uint64_t		off;

	trace_progress(ui->v.t, &p);
	if (ui->live.by != NULL && live_text(ui, b))
		return;
	if (follow_words(ui) != NULL)
		buf_printf(b, "  [%s]", follow_words(ui));
	if (!ui->v.complete && ui->follow.on)
		return;
	if (!ui->v.complete && p.spooling) {
		buf_puts(b, "  [reading ");
		units_bytes(b, p.size);
		buf_puts(b, trace_arrives(ui->v.t) ? " so far: F follows]" : " so far]");
	} else if (!ui->v.complete) {
		buf_printf(b, "  [indexing %llu %% ", (unsigned long long)
		    (p.size > 0 ? (double)p.done * 100 / (double)p.size : 0));
		if (p.elapsed_ns > 0)
			units_bytes(b, (uint64_t)((double)p.done * 1e9 / (double)p.elapsed_ns));
		buf_puts(b, "/s]");
	} else if (diag_damaged(trace_diag(ui->v.t))) {
		buf_puts(b, trace_cut(ui->v.t, &off) ? "  [cut off: !]" : "  [damaged: !]");
	}
}

static void
restored_text(const struct ui *ui, struct buf *b)
{
	if (ui->restored.text.len > 0)
		buf_printf(b, "  [%.*s]", (int)ui->restored.text.len, ui->restored.text.p);
}

/* Losses and problems are never cut. Of the rest, the name is cut last. */
static void
draw_top(struct ui *ui)
{
	const char	*path = trace_path(ui->v.t), *slash = strrchr(path, '/');
	struct span	 name = span_of(slash != NULL && slash[1] != '\0' ? slash + 1 : path);
	struct canvas	*c = &ui->screen.c;
	int		 name_w = (int)text_width(name, c->ascii ? TEXT_ASCII : TEXT_UTF8);
	int		 used, state_w;
	struct buf	 text = { 0 }, loss = { 0 }, state = { 0 };
	int		 x, room, level = 0;

	loss_text(ui, &loss);
	restored_text(ui, &state);
	state_text(ui, &state);
	state_w = canvas_cells(c, buf_str(&state));
	do {
		buf_clear(&text);
		top_text(ui, &text, level);
		used = canvas_cells(c, buf_str(&text)) + canvas_cells(c, buf_str(&loss)) + state_w +
		    1;
		if (level == 4 && name_w > NAME_MIN)
			name_w = NAME_MIN;	/* a part of the name is cut before the counts */
	} while (name_w + used > ui->screen.cols && ++level < 6);
	if (!ui->v.complete && !ui->follow.on)
		used -= state_w;	/* a passing message: it takes the remaining room */
	room = used < ui->screen.cols - NAME_MIN ? ui->screen.cols - used : NAME_MIN;
	x = 1 + canvas_text(c, 0, 1, room, ST_TOP, name);
	x += canvas_puts(c, 0, x, ui->screen.cols - x, ST_TOP, buf_str(&text));
	(void)canvas_puts(c, 0, x, ui->screen.cols - x, ST_GAP, buf_str(&loss));
	canvas_right(c, 0, x, ui->screen.cols - x, ST_WARN, buf_str(&state));
	buf_release(&text);
	buf_release(&loss);
	buf_release(&state);
}

static bool
hint_useful(struct ui *ui, const struct pane *p, const struct command *cmd)
{
	if (strcmp(cmd->name, "next-gap") == 0)
		return ui->v.gaps.loss.gaps > 0 || !ui->v.complete;
	return p->ops->useful == NULL || p->ops->useful(p->self, &ui->v, cmd->name);
}

/* "f filter  / search": the commands that the focused pane names, with their current keys. */
static void
draw_hints(struct ui *ui, int y, int room)
{
	const struct pane	*p = &ui->panes.pane[ui->panes.focus];
	const char		*at = p->ops->hints;
	int			 x = 1, begin;
	struct canvas		*c = &ui->screen.c;
	struct buf		 b = { 0 };

	for (; *at != '\0'; at += strspn(at, " ")) {
		size_t			 len = strcspn(at, " "), name = strcspn(at, " =");
		const struct command	*cmd = command_by_name(at, name);
		struct span		 word = span_of(cmd->hint != NULL ? cmd->hint : "");

		if (name < len)
			word = (struct span){ (const uint8_t *)at + name + 1, len - name - 1 };
		at += len;
		buf_clear(&b);
		keymap_keys(&ui->keymap, cmd, SCOPE(ui->panes.focus), 1, &b);
		if (b.len == 0 || !hint_useful(ui, p, cmd))
			continue;	/* it has no key any more, or has no effect here */
		if (x + canvas_cells(c, buf_str(&b)) + (int)text_width(word, TEXT_UTF8) + 1 > room)
			break;
		begin = x;
		x += canvas_buf(c, y, x, room - x, ST_KEY, &b) + 1;
		x += canvas_text(c, y, x, room - x, ST_DIM, word);
		if (ui->screen.nhints < HINTS_MOST)
			ui->screen.hint[ui->screen.nhints++] = (struct hint){ begin, x, cmd };
		x += 2;
	}
	buf_release(&b);
}

static void
draw_bottom(struct ui *ui)
{
	struct canvas	*c = &ui->screen.c;
	int		 y = ui->screen.rows - 1, room = ui->screen.cols;
	struct buf	 b = { 0 };
	struct event	 e;
	int64_t		 from, to;

	ui->screen.nhints = 0;
	if (ui->typing.question.yes != NULL) {
		(void)canvas_buf(c, y, 1, room - 1, ST_STRONG, &ui->typing.question.text);
		return;
	}
	if (ui->typing.prompt.kind != PROMPT_NONE) {
		prompt_draw(&ui->typing.prompt, c, y);
		return;
	}
	if (ui->typing.count >= 0)
		buf_printf(&b, "%lld", (long long)ui->typing.count);
	if (ui->typing.prefix != TK_NONE)
		key_write(&b, ui->typing.prefix);
	if (b.len > 0)
		buf_puts(&b, "  ");
	if (view_range(&ui->v, &from, &to)) {
		buf_puts(&b, "range ");
		view_dur(&ui->v, from, to, &b);
		buf_puts(&b, "  ");
	}
	if (view_selected(&ui->v, &e) == 1) {
		buf_counts(&b, "row #  ", ui->v.sel.row);
		view_secs(&ui->v, e.ts, &b);
		buf_putc(&b, ' ');
	}
	room -= canvas_cells(c, buf_str(&b)) + 1;
	if ((ui->v.search.shown || ui_awaits(ui)) && ui->v.message.len == 0) {
		struct buf	s = { 0 };

		if (ui_awaits(ui))
			ui_await_text(ui, &s);
		else
			view_search_text(&ui->v, &s);
		(void)canvas_buf(c, y, 1, room - 1, ST_STRONG, &s);
		buf_release(&s);
	} else if (ui->v.message.len > 0) {
		int	cells = canvas_cells(c, buf_str(&ui->v.message));
		int	w = cells < room - 1 ? room - 1 : ui->screen.cols - 1;

		if (w > room)
			buf_clear(&b);		/* a long message takes the whole line */
		(void)canvas_puts(c, y, 1, w, ST_STRONG, buf_str(&ui->v.message));
	} else {
		draw_hints(ui, y, room);
	}
	canvas_right(c, y, 0, ui->screen.cols, ST_DIM, buf_str(&b));
	buf_release(&b);
}

/* The vertical line on the left of a pane, including its title. */
static void
draw_divider(struct canvas *c, const struct pane *p)
{
	if (p->shown && p->titled && p->at.x > 0)
		canvas_vline(c, p->at.y - 1, p->at.x - 1, p->at.h + 1, ST_TITLE);
}

/* Draw joints where it meets other lines. */
static void
join_divider(struct canvas *c, const struct pane *p)
{
	if (!p->shown || !p->titled || p->at.x == 0)
		return;
	for (int y = p->at.y - 1; y <= p->at.y + p->at.h; y++)
		canvas_join(c, y, p->at.x - 1);
}

static void
draw_pane(struct ui *ui, enum pane_id id)
{
	struct pane	*p = &ui->panes.pane[id];
	bool		 focus = ui->panes.focus == id;

	p->ops->draw(p->self, &ui->v, &ui->screen.c, p->at, focus);
	find_mark(ui, p);
	if (p->titled)
		draw_title(ui, p, focus);
	draw_divider(&ui->screen.c, p);
}

/* The list that has popped up, over the others. */
static void
draw_popup(struct ui *ui)
{
	const struct rect	*r = &ui->panes.pane[ui->panes.focus].at;

	canvas_erase(&ui->screen.c, r->y - 1, r->h + 1);
	draw_pane(ui, ui->panes.focus);
}

void
layout_draw(struct ui *ui)
{
	struct canvas	*c = &ui->screen.c;

	canvas_clear(c, ui->screen.rows, ui->screen.cols);
	if (ui->screen.rows < SHELL_MIN_ROWS || ui->screen.cols < SHELL_MIN_COLS) {
		(void)canvas_puts(c, 0, 0, ui->screen.cols, ST_NORMAL, "too small (need 40x8)");
		return;
	}
	if (overlay(ui->panes.focus))
		layout_place(ui);
	draw_top(ui);
	header_draw(ui, 1, ui->panes.header);
	view_frame_begin(&ui->v);
	for (int i = 0; i < PANES; i++)
		if (ui->panes.pane[i].shown && !overlay((enum pane_id)i))
			draw_pane(ui, (enum pane_id)i);
	for (int i = 0; i < PANES; i++)
		join_divider(c, &ui->panes.pane[i]);
	if (overlay(ui->panes.focus))
		draw_popup(ui);
	draw_bottom(ui);
}

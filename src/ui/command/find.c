/*
 * Searching in lines.
 *
 *	lines	0 1 2 [3 4 5 6] 7 8	all lines of the pane; [] is on the screen
 *	hits	    x     x     x	from the cursor on, else from the last hit
 *
 * Invariant: while a search is typed, `origin` is where it began. Each text is searched from there,
 * so that deleting a letter goes back to the hit before it.
 */
#include "ui/command/find.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/regex.h"
#include "tnav/base/text.h"
#include "ui/pane/table.h"
#include "ui/shell.h"

#define COUNTED_MOST	20000u		/* lines that are searched for the number of hits */
#define PLACES_MOST	64u		/* marked hits in a line */

void
find_release(struct find *f)
{
	regex_free(f->re);
	mem_free(f->pattern);
	mem_free(f->origin.pattern);
	*f = (struct find){ .re = NULL };
}

/* ---- lines */

static bool
has_lines(const struct pane *p)
{
	return p->ops->table != NULL || p->ops->matches != NULL;
}

bool
find_here(struct ui *ui)
{
	return has_lines(&ui->panes.pane[ui->panes.focus]);
}

static struct list *
lines_of(struct ui *ui, struct pane *p)
{
	struct table_pane	*t = p->self;

	if (p->ops->table == NULL)
		return p->ops->list(p->self, &ui->v);
	(void)table_pane_table(t, &ui->v);
	return &t->list;
}

static bool
line_matches(struct ui *ui, struct pane *p, uint64_t line, struct regex_match *m)
{
	regex_match_begin(m);
	if (p->ops->table != NULL)
		return table_pane_matches(p->self, &ui->v, (size_t)line, ui->find.re, m);
	return p->ops->matches(p->self, &ui->v, line, ui->find.re, m);
}

static void
stand_on(struct ui *ui, struct pane *p, struct list *l, uint64_t line)
{
	if (l->scrolls)
		list_show(l, line);
	else
		(void)p->ops->move(p->self, &ui->v, (struct move){ MOVE_TO, (int64_t)line });
}

/* ---- searching */

/* False: the pattern is wrong; the reason is in why. */
static bool
set_pattern(struct ui *ui, const char *pattern, struct buf *why)
{
	struct regex	*re;
	size_t		 at;

	if (regex_new(&re, pattern, strlen(pattern), REGEX_SMART, why, &at) < 0)
		return false;
	regex_free(ui->find.re);
	mem_free(ui->find.pattern);
	ui->find.re = re;
	ui->find.pattern = mem_strdup(pattern);
	ui->find.has = false;
	return true;
}

/* "/lost/  2 of 5" */
static void
say_hit(struct ui *ui, struct pane *p, const struct list *l, bool wrapped)
{
	struct regex_match	*m = regex_match_new();
	uint64_t		 all = 0, before = 0;

	view_say(&ui->v, "/%s/", ui->find.pattern);
	for (uint64_t i = 0; l->n <= COUNTED_MOST && i < l->n; i++) {
		if (!line_matches(ui, p, i, m))
			continue;
		all++;
		before += i <= ui->find.at;
	}
	regex_match_free(m);
	if (all > 0)
		buf_counts(&ui->v.message, "  # of #", before, all);
	buf_puts(&ui->v.message, wrapped ? "  search wrapped" : "");
}

/* Go to a line that matches. dir 0: this line or one after it. */
static bool
seek(struct ui *ui, int dir)
{
	struct pane		*p = &ui->panes.pane[ui->panes.focus];
	struct list		*l = lines_of(ui, p);
	struct find		*f = &ui->find;
	struct regex_match	*m = regex_match_new();
	bool			 known = f->has && f->pane == ui->panes.focus && l->scrolls &&
				    f->at >= l->top && f->at - l->top < (uint64_t)l->h;
	uint64_t		 from = known ? f->at : l->scrolls ? l->top : l->cursor, at = from;
	bool			 found = dir == 0 && l->n > 0 && line_matches(ui, p, at, m);

	for (uint64_t i = 0; i < l->n && !found; i++) {
		at = (at + (dir >= 0 ? 1 : l->n - 1)) % l->n;
		found = line_matches(ui, p, at, m);
	}
	regex_match_free(m);
	if (!found) {
		view_say(&ui->v, "no %s of %s matches /%s/", p->ops->table != NULL ? "row" :
		    "line", p->name, f->pattern);
		return false;
	}
	f->has = true;
	f->pane = ui->panes.focus;
	f->at = at;
	stand_on(ui, p, l, at);
	say_hit(ui, p, l, dir < 0 ? at >= from : dir > 0 ? at <= from : at < from);
	return true;
}

bool
find_first(struct ui *ui, const char *pattern)
{
	struct buf	why = { 0 };
	bool		good;

	good = set_pattern(ui, pattern, &why);
	if (good)
		(void)seek(ui, 0);
	else
		view_refuse(&ui->v, "search: %s", buf_str(&why));
	buf_release(&why);
	return good;
}

bool
find_next(struct ui *ui, int dir)
{
	if (ui->find.re == NULL || !find_here(ui))
		return false;
	(void)seek(ui, dir);
	return true;
}

bool
find_drop(struct ui *ui)
{
	bool	shown = ui->find.has && ui->panes.pane[ui->find.pane].shown;

	ui->find.has = false;
	return shown;
}

/* ---- marks of hits */

static void
mark_line(struct ui *ui, struct regex_match *m, int y, struct rect r)
{
	uint16_t	*x_of = mem_zalloc(CANVAS_READ(r.w), sizeof *x_of);
	struct canvas	*c = &ui->screen.c;
	size_t		 at = 0, from, to;
	struct buf	 b = { 0 };

	canvas_read(c, y, r.x, r.w, &b, x_of);
	regex_match_begin(m);
	for (unsigned i = 0; i < PLACES_MOST && at <= b.len; i++) {
		if (regex_find(ui->find.re, m, span_of_buf(&b), at, &from, &to) != 1)
			break;
		for (size_t k = from; k < to; k++)
			canvas_mark(c, y, x_of[k], 1, MARK_HIT);
		at = to > from ? to : to + 1;
	}
	buf_release(&b);
	mem_free(x_of);
}

void
find_mark(struct ui *ui, const struct pane *p)
{
	const struct table_pane	*t = p->self;
	struct regex_match	*m;
	int			 head = p->ops->table != NULL ? t->head : 0;

	if (!ui->find.has || ui->find.re == NULL || p != &ui->panes.pane[ui->find.pane])
		return;
	m = regex_match_new();
	for (int y = p->at.y + head; y < p->at.y + p->at.h; y++)
		mark_line(ui, m, y, p->at);
	regex_match_free(m);
}

/* ---- incremental search */

static void
begin(struct ui *ui)
{
	struct find_origin	*o = &ui->find.origin;
	struct view		*v = &ui->v;
	struct list		*l;

	mem_free(o->pattern);
	*o = (struct find_origin){ .on = true, .has = v->sel.has, .ts = v->sel.ts,
	    .off = v->sel.off };
	v->search.typed = !find_here(ui);
	if (find_here(ui)) {
		l = lines_of(ui, &ui->panes.pane[ui->panes.focus]);
		o->cursor = l->cursor;
		o->top = l->top;
	} else if (v->search.pattern != NULL) {
		o->pattern = mem_strdup(v->search.pattern);
	}
}

static void
go_back(struct ui *ui)
{
	struct pane		*p = &ui->panes.pane[ui->panes.focus];
	struct find_origin	*o = &ui->find.origin;
	struct list		*l;

	if (!find_here(ui)) {
		if (o->has && (ui->v.sel.ts != o->ts || ui->v.sel.off != o->off))
			view_select_event(&ui->v, o->ts, o->off);
		return;
	}
	l = lines_of(ui, p);
	if (!l->scrolls && o->cursor < l->n)
		stand_on(ui, p, l, o->cursor);
	l->top = o->top;
	list_fit(l, l->n, l->h);
	ui->find.has = false;
}

static void
search_as_before(struct ui *ui)
{
	const char	*pattern = ui->find.origin.pattern;

	if (pattern == NULL)
		view_search_drop(&ui->v, false);
	else if (!text_same(ui->v.search.pattern, pattern))
		(void)view_search(&ui->v, pattern);
	ui->v.search.shown = false;
}

static void
show_events(struct ui *ui, const char *text)
{
	struct view	*v = &ui->v;
	bool		 has_message = v->message.len > 0;	/* Enter has found an error */

	if (text_same(v->search.pattern, text))
		return;		/* another key: the cursor is there already */
	if (!view_search(v, text)) {
		search_as_before(ui);
		if (!has_message)	/* incomplete: the line above the prompt says so */
			buf_clear(&v->message);
	} else if (v->window.row0 < v->window.row1) {
		view_search_next(v, 2);
	}
}

static void
show_lines(struct ui *ui, const char *text)
{
	struct buf	why = { 0 };

	if (lines_of(ui, &ui->panes.pane[ui->panes.focus])->n <= COUNTED_MOST &&
	    set_pattern(ui, text, &why))
		(void)seek(ui, 0);
	buf_release(&why);
}

void
find_typed(struct ui *ui, const char *text)
{
	if (!ui->find.origin.on)
		begin(ui);
	if (find_here(ui)) {
		go_back(ui);
		if (text[0] != '\0')
			show_lines(ui, text);
	} else if (text[0] == '\0') {
		go_back(ui);
		search_as_before(ui);
	} else {
		if (!text_same(ui->v.search.pattern, text))
			go_back(ui);
		show_events(ui, text);
	}
}

void
find_typed_end(struct ui *ui, bool keep)
{
	if (!ui->find.origin.on)
		return;
	go_back(ui);
	if (!keep && !find_here(ui))
		search_as_before(ui);
	mem_free(ui->find.origin.pattern);
	ui->find.origin = (struct find_origin){ .on = false };
	ui->v.search.typed = false;
}

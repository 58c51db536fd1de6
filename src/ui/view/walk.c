/*
 * Steps from the selection to the next event that matches an expression: of this thread, of this
 * type, an exception. What a key cannot find immediately is searched in view_step(), until it is
 * found or the user presses Esc.
 *
 * Invariant: walk.q searches the rows of the view's window and filter. When these change, it is
 * given up (walk_forget).
 */
#include "ui/view/walk.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define SEEK_NS	4000000

void
walk_forget(struct walk *w)
{
	query_free(w->q);
	w->q = NULL;
	w->seeking = w->waits = false;
	w->more = 0;
}

void
walk_release(struct walk *w)
{
	walk_forget(w);
	mem_free(w->expr);
	buf_release(&w->what);
}

static bool
prepare(struct view *v, const char *expr)
{
	struct walk	*w = &v->walk;
	struct buf	 whole, why;

	if (w->q != NULL && strcmp(w->expr, expr) == 0 && !view_changed(v, &w->seen, VIEW_ROWS))
		return true;
	walk_forget(w);
	mem_free(w->expr);
	w->expr = mem_strdup(expr);
	w->seen = v->changes;
	buf_init(&whole);
	buf_init(&why);
	filter_join(&whole, (const char *const[]){ v->filter.text, expr }, 2);
	w->q = view_query(v, span_of_buf(&whole), v->filter.now_ns, &why);
	if (w->q == NULL)
		view_say(v, "%s", buf_str(&why));
	buf_release(&whole);
	buf_release(&why);
	return w->q != NULL;
}

void
view_walk_on(struct view *v)
{
	struct walk	*w = &v->walk;
	uint64_t	 row;
	int		 r;

	if (!w->seeking || w->q == NULL)
		return;
	r = query_seek(w->q, w->row, w->dir, SEEK_NS, &row);
	if (r == ERR_CANCELED)
		return;
	w->seeking = r == 1 && w->more > 0 && (w->dir > 0 || row > v->window.row0);
	if (r == 1) {
		if (w->told)
			buf_clear(&v->message);
		w->told = false;
		view_select_row(v, row);
		w->more -= w->seeking;
		w->row = w->dir > 0 ? row + 1 : row - 1;
		if (w->seeking || w->more == 0)
			return;
	}
	if (r == 0 && w->dir > 0 && !v->complete && !v->rests) {
		w->seeking = false;
		w->waits = true;
		if (!w->told)
			view_say(v, "no later %s yet: waiting for more events (Esc stops)",
			    buf_str(&w->what));
		w->told = true;
		return;
	}
	w->more = 0;
	view_say(v, "no %s %s%s", w->dir > 0 ? "later" : "earlier", buf_str(&w->what),
	    v->filter.text != NULL ? " in this filter" : v->window.whole ? "" : " in this window");
}

void
view_walk_more(struct view *v)
{
	struct walk	*w = &v->walk;
	unsigned	 more = w->more;
	char		*expr;

	if (!w->waits)
		return;
	expr = mem_strdup(w->expr);
	w->waits = false;
	w->seeking = prepare(v, expr) && (w->dir > 0 || v->sel.row > v->window.row0);
	/* Rows that are not final may have moved. */
	w->row = w->dir > 0 ? v->sel.row + 1 : v->sel.row - 1;
	w->more = w->seeking ? more : 0;
	mem_free(expr);
}

bool
view_walk(struct view *v, const char *expr, int dir, const char *what)
{
	struct walk	*w = &v->walk;
	bool		 same = (w->seeking || w->waits) && (w->dir > 0) == (dir > 0) &&
			    w->expr != NULL && strcmp(w->expr, expr) == 0;
	char		*name = mem_strdup(what);
	bool		 ok = prepare(v, expr);

	buf_clear(&w->what);
	buf_puts(&w->what, name);
	mem_free(name);
	if (!ok)
		return false;
	if (same && (w->seeking || w->waits)) {
		w->seeking = true;
		w->waits = false;
		w->more++;
		view_walk_on(v);
		return true;
	}
	w->more = 0;
	w->dir = dir < 0 ? -1 : 1;
	w->row = v->sel.row + (dir > 0);
	w->seeking = true;
	w->waits = w->told = false;
	v->stopped = false;
	if (dir < 0 && v->sel.row <= v->window.row0) {
		w->seeking = false;
		view_say(v, "no earlier %s", what);
		return false;
	}
	if (dir < 0)
		w->row = v->sel.row - 1;
	view_walk_on(v);
	return true;
}

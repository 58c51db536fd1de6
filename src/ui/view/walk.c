/*
 * Steps from the selection to the next event that matches an expression: of this thread, of this
 * type, an exception. What a key cannot find immediately is searched in view_step(), until it is
 * found or the user presses Esc.
 *
 * Invariant: walk.q searches the rows of the view's window and filter. When these change, it is
 * freed (walk_forget), and made again if the step goes on.
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

/* Seek from the selection: rows that are not final may have moved. False, after a
   message: there is no earlier row. */
static bool
from_selection(struct view *v)
{
	struct walk	*w = &v->walk;

	if (w->dir < 0 && v->sel.row <= v->window.row0) {
		view_say(v, "no earlier %s", buf_str(&w->what));
		return false;
	}
	w->row = w->dir > 0 ? v->sel.row + 1 : v->sel.row - 1;
	return true;
}

void
view_walk_on(struct view *v, int64_t budget_ns)
{
	struct walk	*w = &v->walk;
	uint64_t	 row;
	int		 r;

	if (!w->seeking || w->q == NULL)
		return;
	r = query_seek(w->q, w->row, w->dir, budget_ns, &row);
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
	if (r == 0 && w->dir > 0 && view_changed(v, &w->seen, VIEW_ROWS)) {
		w->waits = true;	/* in the rows that have arrived since */
		view_walk_more(v);
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
	char		*expr;

	if (!w->waits && !(w->seeking && w->q == NULL))
		return;
	expr = mem_strdup(w->expr);
	w->waits = false;
	w->seeking = prepare(v, expr) && from_selection(v);
	mem_free(expr);
}

bool
view_walk(struct view *v, const char *expr, int dir, const char *what)
{
	struct walk	*w = &v->walk;
	bool		 same = (w->seeking || w->waits) && (w->dir > 0) == (dir > 0) &&
			    w->expr != NULL && strcmp(w->expr, expr) == 0;
	char		*name = mem_strdup(what);

	w->seeking = w->waits = false;
	buf_clear(&w->what);
	buf_puts(&w->what, name);
	mem_free(name);
	if (!prepare(v, expr))
		return false;
	if (same) {
		w->more++;
	} else {
		w->dir = dir < 0 ? -1 : 1;
		w->more = 0;
		w->told = v->stopped = false;
	}
	if (!from_selection(v))
		return false;
	w->seeking = true;
	view_walk_on(v, SEEK_NS);
	return true;
}

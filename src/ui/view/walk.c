/*
 * Steps from the selection to the next event that an expression matches: of this thread, of this
 * type, an exception. What a key can't find at once goes on in view_step() until it is found or
 * Esc comes.
 *
 * Invariant: walk.q looks at the rows of the view's window and filter; when these change it is
 * given up (view_walk_forget).
 */
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define SEEK_NS	8000000

void
view_walk_forget(struct view *v)
{
	query_free(v->walk.q);
	v->walk.q = NULL;
	v->walk.seeking = false;
}

void
view_walk_release(struct view *v)
{
	view_walk_forget(v);
	mem_free(v->walk.expr);
	buf_release(&v->walk.what);
}

static bool
prepare(struct view *v, const char *expr)
{
	struct walk		*w = &v->walk;
	struct filter_error	 err;
	struct filter		*f;
	struct buf		 whole;
	int			 r;

	if (w->q != NULL && strcmp(w->expr, expr) == 0 && !view_changed(v, &w->seen, VIEW_ROWS))
		return true;
	view_walk_forget(v);
	mem_free(w->expr);
	w->expr = mem_strdup(expr);
	w->seen = v->changes;
	buf_init(&whole);
	filter_join(&whole, (const char *const[]){ v->filter, expr }, 2);
	filter_error_init(&err);
	r = filter_new(&f, whole.p, whole.len, v->t, false, view_now_ns(v), &err);
	if (r == 0)
		w->q = query_new(v->t, f, v->row0, v->row1, v->sel_row);
	else
		view_say(v, "%s", buf_str(&err.text));
	filter_error_release(&err);
	buf_release(&whole);
	return r == 0;
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
	w->seeking = false;
	if (r == 1) {
		view_select_row(v, row);
		return;
	}
	view_say(v, "no %s %s%s", w->dir > 0 ? "later" : "earlier", buf_str(&w->what),
	    v->filter != NULL ? " in this filter" : v->whole ? "" : " in this window");
}

bool
view_walk(struct view *v, const char *expr, int dir, const char *what)
{
	struct walk	*w = &v->walk;
	char		*name = mem_strdup(what);
	bool		 ok = prepare(v, expr);

	buf_clear(&w->what);
	buf_puts(&w->what, name);
	mem_free(name);
	if (!ok)
		return false;
	w->dir = dir < 0 ? -1 : 1;
	w->row = v->sel_row + (dir > 0);
	w->seeking = true;
	v->stopped = false;
	if (dir < 0 && v->sel_row <= v->row0) {
		w->seeking = false;
		view_say(v, "no earlier %s", what);
		return false;
	}
	if (dir < 0)
		w->row = v->sel_row - 1;
	view_walk_on(v);
	return true;
}

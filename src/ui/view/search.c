/*
 * Going from the selection to the next event that matches: a hit of the search, or the event of a
 * step: of this thread, of this type, an exception. What a key cannot find immediately is searched
 * in view_step(), until it is found or the user presses Esc.
 *
 *	key	seek -> found: selected
 *		     -> not yet: view_step() seeks on
 *		     -> none, but more rows will arrive: waits -> they do: seeks on
 *
 * Invariant: walk.q searches the rows of the view's window and filter. When these change, it is
 * freed (walk_forget), and made again if the step goes on.
 */
#include "ui/view/search.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "ui/view/view.h"

#define SEEK_NS	4000000

/* ---- on the way */

void
seek_stop(struct row_seek *s)
{
	s->seeking = s->waits = false;
}

static void
seek_begin(struct view *v, struct row_seek *s, int dir)
{
	*s = (struct row_seek){ .dir = dir };
	v->stopped = false;
}

/* No later row so far. True: more will arrive, and a message says so, once. */
static bool
seek_waits(struct view *v, struct row_seek *s, const char *before, const char *what,
    const char *after)
{
	if (v->complete || v->rests)
		return false;
	s->seeking = false;
	s->waits = true;
	if (!s->announced)
		view_say(v, "no later %s%s%s yet: waiting for more events (Esc stops)", before,
		    what, after);
	s->announced = true;
	return true;
}

/* The message about waiting, if there was one, is no longer true. */
static void
seek_hush(struct view *v, struct row_seek *s)
{
	if (s->announced)
		buf_clear(&v->message);
	s->announced = false;
}

/* ---- the search */

void
search_release(struct search *s)
{
	query_free(s->hits);
	glance_free(s->glance);
	mem_free(s->pattern);
	mem_free(s->last);
}

void
view_pattern_filter(const struct view *v, const char *pattern, struct buf *out)
{
	struct buf	b = { 0 };

	filter_quote_pattern(&b, pattern, strlen(pattern));
	filter_join(out, (const char *const[]){ v->filter.text, buf_str(&b) }, 2);
	buf_release(&b);
}

bool
view_search(struct view *v, const char *pattern)
{
	struct search	*s = &v->search;
	struct query	*q;
	struct buf	 expr = { 0 }, why = { 0 };

	view_pattern_filter(v, pattern, &expr);
	q = view_query(v, span_of_buf(&expr), v->filter.now_ns, &why);
	if (q != NULL) {
		query_free(s->hits);
		mem_free(s->pattern);
		s->pattern = mem_strdup(pattern);
		s->hits = q;
		view_change(v, VIEW_SEARCH);
		v->filter.row0 = v->window.row0;
		v->filter.row1 = v->window.row1;
	} else {
		view_refuse(v, "search: %s", buf_str(&why));
	}
	buf_release(&expr);
	buf_release(&why);
	return q != NULL;
}

void
view_search_drop(struct view *v, bool may_return)
{
	struct search	*s = &v->search;

	if (s->pattern == NULL)
		return;
	query_free(s->hits);
	mem_free(may_return ? s->last : s->pattern);
	if (may_return)
		s->last = s->pattern;
	s->hits = NULL;
	s->pattern = NULL;
	s->shown = false;
	seek_stop(&s->seek);
	view_change(v, VIEW_SEARCH);
}

bool
view_search_again(struct view *v)
{
	return v->search.hits != NULL ||
	    (v->search.last != NULL && view_search(v, v->search.last));
}

/* Seek from the row in a step, or including it (here). The first and the last row are
   neighbours. */
static void
seek_from(struct view *v, uint64_t row)
{
	struct search	*s = &v->search;

	s->wrapped = row <= v->window.row0 && s->seek.dir < 0;
	if (!s->here)
		row = s->seek.dir > 0 ? row + 1 : s->wrapped ? v->window.row1 - 1 : row - 1;
	s->seek.row = row;
}

static void
seek_ended(struct view *v, bool found)
{
	/* By filter and window. */
	static const char *const	where[2][2] = {
		{ "", "in this window " }, { "of this filter ", "in this window and filter " } };
	struct search			*s = &v->search;

	s->seek.seeking = false;
	s->shown = found;
	if (found) {
		seek_hush(v, &s->seek);
		return;
	}
	s->seek.announced = false;
	view_say(v, "no event %smatches /%s/", where[v->filter.text != NULL]
	    [!v->window.whole], s->pattern);
	filter_near_text(&v->message, v->t, s->pattern, strlen(s->pattern), v->sel.row);
}

void
view_search_more(struct view *v, bool anew)
{
	struct search	*s = &v->search;

	if (s->hits == NULL)
		seek_stop(&s->seek);
	if (!s->seek.waits && !(anew && s->seek.seeking))
		return;
	if (!anew && !v->complete && !v->rests)
		return;
	s->seek.waits = false;
	s->seek.seeking = true;
	seek_from(v, v->sel.row);
}

void
view_search_on(struct view *v, int64_t budget_ns)
{
	struct search	*s = &v->search;
	bool		 later = s->seek.dir > 0;
	uint64_t	 row;
	int		 r;

	if (s->hits == NULL)
		return;
	r = query_seek(s->hits, s->seek.row, s->seek.dir, budget_ns, &row);
	if (r == ERR_CANCELED)
		return;
	if (r == 1 && s->seek.more > 0) {
		s->seek.more--;
		s->here = false;
		view_select_row(v, row);
		seek_from(v, row);
	} else if (r == 1) {
		view_select_row(v, row);
		seek_ended(v, true);
	} else if (r == 0 && (s->wrapped || later) &&
	    seek_waits(v, &s->seek, "match of /", s->pattern, "/")) {
		return;
	} else if (s->wrapped || r < 0) {
		seek_ended(v, false);
	} else {
		s->wrapped = true;
		s->seek.row = later ? v->window.row0 : v->window.row1 - 1;
	}
}

void
view_search_next(struct view *v, int dir)
{
	struct search	*s = &v->search;

	if (s->hits == NULL)
		return;
	if ((s->seek.seeking || s->seek.waits) && s->seek.dir == dir) {
		s->seek.more++;
		if (s->seek.waits)
			return;
	} else {
		seek_begin(v, &s->seek, dir < 0 ? -1 : 1);
		s->here = dir == 2;
		s->seek.seeking = s->shown = true;
		seek_from(v, v->sel.row);
	}
	view_search_on(v, SEEK_NS);
}

struct glance *
view_glance(struct view *v)
{
	if (v->search.glance == NULL)
		v->search.glance = glance_new(v->t);
	glance_set_pattern(v->search.glance, v->search.pattern);
	return v->search.glance;
}

void
view_search_text(struct view *v, struct buf *out)
{
	struct search	*s = &v->search;

	buf_printf(out, "/%s/  ", s->pattern);
	if (s->seek.seeking) {
		buf_printf(out, "searching, %u %%  (Esc stops)", percent_of(query_share(s->hits)));
		return;
	}
	buf_counts(out, "# of #", query_index(s->hits, v->sel.row) + 1, query_hits(s->hits));
	if (!query_done(s->hits))
		buf_printf(out, ", %u %% searched", percent_of(query_share(s->hits)));
	if (s->wrapped)
		buf_puts(out, "  search wrapped");
}

/* ---- steps */

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
	struct buf	 whole = { 0 }, why = { 0 };

	if (w->q != NULL && strcmp(w->expr, expr) == 0 && !view_changed(v, &w->seen, VIEW_ROWS))
		return true;
	walk_forget(w);
	mem_free(w->expr);
	w->expr = mem_strdup(expr);
	w->seen = v->changes;
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

	if (w->seek.dir < 0 && v->sel.row <= v->window.row0) {
		view_say(v, "no earlier %s", buf_str(&w->what));
		return false;
	}
	w->seek.row = w->seek.dir > 0 ? v->sel.row + 1 : v->sel.row - 1;
	return true;
}

void
view_walk_on(struct view *v, int64_t budget_ns)
{
	struct walk	*w = &v->walk;
	struct row_seek	*s = &w->seek;
	bool		 later = s->dir > 0;
	uint64_t	 row;
	int		 r;

	if (!s->seeking || w->q == NULL)
		return;
	r = query_seek(w->q, s->row, s->dir, budget_ns, &row);
	if (r == ERR_CANCELED)
		return;
	s->seeking = r == 1 && s->more > 0 && (later || row > v->window.row0);
	if (r == 1) {
		seek_hush(v, s);
		view_select_row(v, row);
		s->more -= s->seeking;
		s->row = later ? row + 1 : row - 1;
		if (s->seeking || s->more == 0)
			return;
	}
	if (r == 0 && later && view_changed(v, &w->seen, VIEW_ROWS)) {
		s->waits = true;	/* in the rows that have arrived since */
		view_walk_more(v);
		return;
	}
	if (r == 0 && later && seek_waits(v, s, "", buf_str(&w->what), ""))
		return;
	s->more = 0;
	view_say(v, "no %s %s%s", later ? "later" : "earlier", buf_str(&w->what),
	    v->filter.text != NULL ? " in this filter" : v->window.whole ? "" : " in this window");
}

void
view_walk_more(struct view *v)
{
	struct walk	*w = &v->walk;
	char		*expr;

	if (!w->seek.waits && !(w->seek.seeking && w->q == NULL))
		return;
	expr = mem_strdup(w->expr);
	w->seek.waits = false;
	w->seek.seeking = prepare(v, expr) && from_selection(v);
	mem_free(expr);
}

bool
view_walk(struct view *v, const char *expr, int dir, const char *what)
{
	struct walk	*w = &v->walk;
	bool		 same = (w->seek.seeking || w->seek.waits) && w->seek.dir == dir &&
			    strcmp(w->expr, expr) == 0;
	char		*name = mem_strdup(what);

	seek_stop(&w->seek);
	buf_clear(&w->what);
	buf_puts(&w->what, name);
	mem_free(name);
	if (!prepare(v, expr))
		return false;
	if (same)
		w->seek.more++;
	else
		seek_begin(v, &w->seek, dir);
	if (!from_selection(v))
		return false;
	w->seek.seeking = true;
	view_walk_on(v, SEEK_NS);
	return true;
}

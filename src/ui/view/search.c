/*
 * Searches. A search is a query over the rows of the list; what a
 * key can't find at once goes on in view_step() until it is found or Esc comes.
 */
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/view/view.h"

#define SEEK_NS	8000000

void
view_pattern_filter(struct view *v, const char *pattern, struct buf *out)
{
	struct buf	b;

	buf_init(&b);
	filter_quote_pattern(&b, pattern, strlen(pattern));
	filter_join(out, (const char *const[]){ v->filter, buf_str(&b) }, 2);
	buf_release(&b);
}

bool
view_search(struct view *v, const char *pattern)
{
	struct search		*s = &v->search;
	struct filter_error	 err;
	struct filter		*f;
	struct buf		 expr;
	bool			 ok;

	buf_init(&expr);
	filter_error_init(&err);
	view_pattern_filter(v, pattern, &expr);
	ok = filter_new(&f, expr.p, expr.len, v->t, false, view_now_ns(v), &err) == 0;
	if (ok) {
		query_free(s->hits);
		mem_free(s->pattern);
		s->pattern = mem_strdup(pattern);
		s->hits = query_new(v->t, f, v->row0, v->row1, v->sel_row);
		view_change(v, VIEW_SEARCH);
		v->q_row0 = v->row0;
		v->q_row1 = v->row1;
	} else {
		view_say(v, "search: %s", buf_str(&err.text));
	}
	filter_error_release(&err);
	buf_release(&expr);
	return ok;
}

void
view_search_drop(struct view *v)
{
	struct search	*s = &v->search;

	query_free(s->hits);
	mem_free(s->pattern);
	s->hits = NULL;
	s->pattern = NULL;
	s->seeking = s->shown = false;
	view_change(v, VIEW_SEARCH);
}

static void
seek_ended(struct view *v, bool found)
{
	struct search	*s = &v->search;

	s->seeking = false;
	if (!found)
		view_say(v, "no event %smatches /%s/", v->filter == NULL ? v->whole ? "" :
		    "in this window " : v->whole ? "of this filter " :
		    "in this window and filter ", s->pattern);
	s->shown = found;
}

/*
 * dir 1 or -1 begins to seek behind or before the selection; 2 begins at the selection itself;
 * 0 goes on.
 */
void
view_search_next(struct view *v, int dir)
{
	struct search	*s = &v->search;
	uint64_t	 row;
	int		 r;

	if (s->hits == NULL)
		return;
	if (dir != 0) {
		s->dir = dir < 0 ? -1 : 1;
		s->seeking = s->shown = true;
		v->stopped = false;
		s->wrapped = v->sel_row <= v->row0 && dir < 0;
		s->row = dir == 2 ? v->sel_row : dir > 0 ? v->sel_row + 1 :
		    s->wrapped ? v->row1 - 1 : v->sel_row - 1;
	}
	r = query_seek(s->hits, s->row, s->dir, SEEK_NS, &row);
	if (r == ERR_CANCELED)
		return;
	if (r == 1) {
		view_select_row(v, row);
		seek_ended(v, true);
	} else if (s->wrapped || r < 0) {
		seek_ended(v, false);
	} else {
		s->wrapped = true;
		s->row = s->dir > 0 ? v->row0 : v->row1 - 1;
	}
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
	if (s->seeking) {
		buf_printf(out, "searching, %.0f %%  (Esc stops)", query_share(s->hits) * 100);
		return;
	}
	buf_grouped(out, query_index(s->hits, v->sel_row) + 1);
	buf_puts(out, " of ");
	buf_grouped(out, query_hits(s->hits));
	if (!query_done(s->hits))
		buf_printf(out, ", %.0f %% searched", query_share(s->hits) * 100);
	if (s->wrapped)
		buf_puts(out, "  search wrapped");
}

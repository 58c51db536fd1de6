/*
 * Searches. A search is a query over the rows of the list. What a key cannot find immediately is
 * searched in view_step(), until it is found or the user presses Esc.
 */
#include "ui/view/search.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/view/view.h"

#define SEEK_NS	4000000

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
	struct buf	b;

	buf_init(&b);
	filter_quote_pattern(&b, pattern, strlen(pattern));
	filter_join(out, (const char *const[]){ v->filter.text, buf_str(&b) }, 2);
	buf_release(&b);
}

bool
view_search(struct view *v, const char *pattern)
{
	struct search	*s = &v->search;
	struct query	*q;
	struct buf	 expr, why;

	buf_init(&expr);
	buf_init(&why);
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
view_search_drop(struct view *v)
{
	struct search	*s = &v->search;

	query_free(s->hits);
	if (s->pattern != NULL) {
		mem_free(s->last);
		s->last = s->pattern;
	}
	s->hits = NULL;
	s->pattern = NULL;
	s->seeking = s->shown = s->waits = false;
	view_change(v, VIEW_SEARCH);
}

void
view_search_cancel(struct view *v)
{
	char	*last = v->search.last;

	if (v->search.pattern == NULL)
		return;
	v->search.last = NULL;
	view_search_drop(v);
	mem_free(v->search.last);
	v->search.last = last;
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

	s->wrapped = row <= v->window.row0 && s->dir < 0;
	if (s->here)
		s->row = row;
	else
		s->row = s->dir > 0 ? row + 1 : s->wrapped ? v->window.row1 - 1 : row - 1;
}

static void
seek_ended(struct view *v, bool found)
{
	/* By filter and window. */
	static const char *const	where[2][2] = {
		{ "", "in this window " }, { "of this filter ", "in this window and filter " } };
	struct search			*s = &v->search;

	s->seeking = false;
	s->shown = found;
	if (found && s->told)
		buf_clear(&v->message);		/* the message about waiting */
	s->told = false;
	if (found)
		return;
	view_say(v, "no event %smatches /%s/", where[v->filter.text != NULL]
	    [!v->window.whole], s->pattern);
	filter_near_text(&v->message, v->t, s->pattern, strlen(s->pattern), v->sel.row);
}

/* No row so far, but more will arrive. */
static void
seek_waits(struct view *v)
{
	struct search	*s = &v->search;

	s->seeking = false;
	s->waits = true;
	if (!s->told)
		view_say(v, "no later match of /%s/ yet: waiting for more events (Esc stops)",
		    s->pattern);
	s->told = true;
}

void
view_search_more(struct view *v, bool anew)
{
	struct search	*s = &v->search;

	if (s->hits == NULL)
		s->seeking = s->waits = false;
	if (!s->waits && !(anew && s->seeking))
		return;
	if (!anew && !v->complete && !v->rests)
		return;
	s->waits = false;
	s->seeking = true;
	seek_from(v, v->sel.row);
}

void
view_search_on(struct view *v, int64_t budget_ns)
{
	struct search	*s = &v->search;
	uint64_t	 row;
	int		 r;

	if (s->hits == NULL)
		return;
	r = query_seek(s->hits, s->row, s->dir, budget_ns, &row);
	if (r == ERR_CANCELED)
		return;
	if (r == 1 && s->more > 0) {
		s->more--;
		s->here = false;
		view_select_row(v, row);
		seek_from(v, row);
	} else if (r == 1) {
		view_select_row(v, row);
		seek_ended(v, true);
	} else if (r == 0 && (s->wrapped || s->dir > 0) && !v->complete && !v->rests) {
		seek_waits(v);
	} else if (s->wrapped || r < 0) {
		seek_ended(v, false);
	} else {
		s->wrapped = true;
		s->row = s->dir > 0 ? v->window.row0 : v->window.row1 - 1;
	}
}

void
view_search_next(struct view *v, int dir)
{
	struct search	*s = &v->search;

	if (s->hits == NULL)
		return;
	if ((s->seeking || s->waits) && dir == s->dir) {
		s->more++;
		if (s->waits)
			return;
	} else {
		s->more = 0;
		s->waits = s->told = false;
		s->here = dir == 2;
		s->dir = dir < 0 ? -1 : 1;
		s->seeking = s->shown = true;
		v->stopped = false;
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
	if (s->seeking) {
		buf_printf(out, "searching, %.0f %%  (Esc stops)", query_share(s->hits) * 100);
		return;
	}
	buf_grouped(out, query_index(s->hits, v->sel.row) + 1);
	buf_puts(out, " of ");
	buf_grouped(out, query_hits(s->hits));
	if (!query_done(s->hits))
		buf_printf(out, ", %.0f %% searched", query_share(s->hits) * 100);
	if (s->wrapped)
		buf_puts(out, "  search wrapped");
}

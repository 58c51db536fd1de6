/*
 * Finding in the view: searches and gaps. A search is a query over the rows of the list; what a
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
		v->sought++;
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
	v->sought++;
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

/* ---- gaps */

static int
compare_anchor(const struct gap_anchor *a, int64_t ts, uint64_t off)
{
	if (a->ts != ts)
		return a->ts < ts ? -1 : 1;
	return (a->off > off) - (a->off < off);
}

/* The first of n anchors that is not before (or, with after, behind) the event. */
static size_t
anchor_bound(const struct gap_anchor *a, size_t n, int64_t ts, uint64_t off, bool after)
{
	size_t	lo = 0, hi = n;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;
		int	c = compare_anchor(&a[mid], ts, off);

		if (c < 0 || (after && c == 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct gap *
view_gap_before(const struct view *v, const struct event *e)
{
	size_t	i = anchor_bound(v->anchors, v->ngaps, e->ts, e->off, false);

	for (; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[v->anchors[i].gap];

		if (compare_anchor(&v->anchors[i], e->ts, e->off) != 0)
			break;
		if (g->next_off == e->off)
			return g;
	}
	return NULL;
}

const struct gap *
view_gap_after(const struct view *v, const struct event *e)
{
	size_t	i = anchor_bound(v->prevs, v->nprevs, e->ts, e->off, false);

	if (i == v->nprevs || compare_anchor(&v->prevs[i], e->ts, e->off) != 0)
		return NULL;
	return &v->gaps[v->prevs[i].gap];
}

size_t
view_gaps_alone(struct view *v, const struct event *a, const struct event *e,
    const struct gap **out, size_t max)
{
	size_t	i = a != NULL ? anchor_bound(v->anchors, v->ngaps, a->ts, a->off, true) : 0, n = 0;

	for (; v->q == NULL && i < v->ngaps && n < max; i++) {
		const struct gap_anchor	*at = &v->anchors[i];

		if (at->ts >= v->to || (e != NULL && compare_anchor(at, e->ts, e->off) > 0))
			break;
		if (at->off == 0 && at->ts >= v->from)
			out[n++] = &v->gaps[at->gap];
	}
	return n;
}

/* The row to stand on for this gap, if the view shows it, or may show it: then the nearest is. */
static bool
gap_row(struct view *v, const struct gap_anchor *a, uint64_t *row)
{
	if (a->off == 0 || trace_row_of(v->t, a->ts, a->off, row) != 1) {
		if (v->q != NULL)
			return false;
		*row = trace_row_at(v->t, a->ts);
	}
	if (*row < v->row0 || *row >= v->row1)
		return false;
	return v->q == NULL || query_is_hit(v->q, *row) != 0;
}

bool
view_gap_next(struct view *v, int dir, uint32_t thread)
{
	size_t	i = anchor_bound(v->anchors, v->ngaps, v->sel_ts, v->sel_off, dir > 0);
	size_t	hidden = 0;

	while (dir > 0 ? i < v->ngaps : i > 0) {
		const struct gap_anchor	*a = &v->anchors[dir > 0 ? i++ : --i];
		const struct gap	*g = &v->gaps[a->gap];
		struct buf		 text;
		uint64_t		 row;

		if (thread != EVENT_NONE && g->thread != thread)
			continue;
		if (!gap_row(v, a, &row)) {
			hidden++;
			continue;
		}
		if (dir > 0 ? row <= v->sel_row : row >= v->sel_row)
			continue;	/* one stands there already */
		view_remember(v);
		view_select_row(v, row);
		buf_init(&text);
		buf_puts(&text, "thread ");
		view_thread_text(v, g->thread, &text);
		buf_puts(&text, ": ");
		view_gap_text(v, g, &text);
		view_say(v, "%s", buf_str(&text));
		buf_release(&text);
		return true;
	}
	if (v->ngaps == 0) {
		view_say(v, "no events were lost, as far as the trace says");
		return false;
	}
	view_say(v, "no %s gap", dir > 0 ? "later" : "earlier");
	if (thread != EVENT_NONE) {
		buf_puts(&v->message, " on thread ");
		view_thread_text(v, thread, &v->message);
	}
	if (hidden > 0)
		buf_printf(&v->message, " in this window and filter (%zu outside)", hidden);
	return false;
}

void
view_gap_text(struct view *v, const struct gap *g, struct buf *out)
{
	buf_grouped(out, g->lost);
	buf_puts(out, g->lost == 1 ? " event lost " : " events lost ");
	if (g->why == GAP_START) {
		buf_puts(out, "before its first event");
	} else {
		buf_puts(out, "within ");
		units_dur(out, trace_ns(v->t, g->to) - trace_ns(v->t, g->from), v->ascii);
	}
	buf_puts(out, " (number ");
	buf_grouped(out, g->seq_from);
	if (g->seq_to != g->seq_from) {
		buf_puts(out, " \xe2\x80\xa6 ");
		buf_grouped(out, g->seq_to);
	}
	buf_putc(out, ')');
	if (g->why == GAP_BARRIER)
		buf_puts(out, ", seen at a sequence point");
	if (g->why == GAP_REMOVE)
		buf_puts(out, ", seen when the thread ended");
}

/* ---- words */

void
view_process_text(bool has_pid, uint64_t pid, struct buf *out)
{
	buf_puts(out, has_pid ? "process " : "no process");
	if (has_pid)
		buf_u64(out, pid);
}

void
view_thread_text(struct view *v, uint32_t thread, struct buf *out)
{
	struct thread_stat	st;

	if (thread >= trace_threads(v->t)) {
		buf_putc(out, '?');
		return;
	}
	trace_thread(v->t, thread, &st);
	if (st.has_tid) {
		buf_u64(out, st.tid);
	} else {
		buf_putc(out, '#');
		buf_u64(out, st.has_index ? st.thread_index : thread);
	}
}

void
view_block_text(struct view *v, const struct block *b, const struct event *e, struct buf *out)
{
	buf_puts(out, "0x");
	buf_hex(out, b->off, 1);
	buf_puts(out, ": ");
	buf_grouped(out, b->size);
	buf_puts(out, b->more ? " bytes, more than " : " bytes, ");
	buf_grouped(out, b->events);
	buf_puts(out, b->events == 1 ? " event" : " events within ");
	if (b->events > 1)
		units_dur(out, trace_ns(v->t, b->tmax) - trace_ns(v->t, b->tmin), v->ascii);
	buf_puts(out, b->one_thread ? ", thread " : ", several threads");
	if (b->one_thread)
		view_thread_text(v, e->capture, out);
}

void
view_secs(struct view *v, int64_t ts, struct buf *out)
{
	units_secs(out, trace_ns(v->t, ts), 6);
	buf_puts(out, " s");
}

void
view_length(struct view *v, struct buf *out)
{
	int64_t	ns;

	if (__builtin_sub_overflow(trace_ns(v->t, v->last), trace_ns(v->t, v->first), &ns))
		ns = INT64_MAX;
	if (ns < 1000000000) {
		units_dur(out, ns, v->ascii);
		return;
	}
	units_secs(out, ns, 3);
	buf_puts(out, " s");
}

/* 14:03:22.519123 of the day; where it is not known, seconds since the trace began. */
static void
time_of_day(struct view *v, int64_t ns, bool local, struct buf *out)
{
	const struct trace_info	*info = trace_info(v->t);
	int64_t			 utc;
	size_t			 at = out->len, day;
	char			*t;

	if (!info->has_sync_utc || __builtin_add_overflow(info->sync_utc, ns, &utc)) {
		units_secs(out, ns, 6);
		return;
	}
	if (local) {
		units_local(out, utc, 6);
		return;
	}
	units_utc(out, utc, 6);
	t = memchr(out->p + at, 'T', out->len - at);	/* the day is on the top line */
	if (t != NULL) {
		day = (size_t)(t + 1 - (out->p + at));
		memmove(out->p + at, t + 1, out->len - at - day);
		out->len -= day;
	}
}

void
view_time_ns(struct view *v, int64_t ns, struct buf *out)
{
	switch (v->time_format) {
	case TIME_LOCAL:
	case TIME_UTC:
		time_of_day(v, ns, v->time_format == TIME_LOCAL, out);
		break;
	case TIME_DELTA:
		if (__builtin_sub_overflow(ns, view_now_ns(v), &ns))
			ns = 0;
		buf_puts(out, ns >= 0 ? "+" : "");
		units_dur(out, ns, v->ascii);
		break;
	case TIME_TICKS:
		buf_i64(out, trace_ts(v->t, ns));
		break;
	case TIME_RELATIVE:
	case TIME_FORMATS:
		if (v->has_zero && __builtin_sub_overflow(ns, trace_ns(v->t, v->zero_ts), &ns))
			ns = 0;
		units_secs(out, ns, 6);
	}
}

void
view_time(struct view *v, int64_t ts, struct buf *out)
{
	if (v->time_format == TIME_TICKS)
		buf_i64(out, ts);	/* there may be several in a nanosecond */
	else
		view_time_ns(v, trace_ns(v->t, ts), out);
}

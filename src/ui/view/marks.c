/*
 * What a person marks in a trace: events by letter, and one range of times.
 *
 *	marks	a 1.604 s	b 1.605 s "before the loss"	c 2.1 s		by (ts, off)
 *	range	        [........)
 *
 * Invariant: a letter stands on one event, and an event has one mark.
 */
#include "ui/view/marks.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/view/view.h"

void
marks_release(struct marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		mem_free(m->v[i].note);
	mem_free(m->v);
	*m = (struct marks){ .n = 0 };
}

static int
compare(const struct mark *a, int64_t ts, uint64_t off)
{
	if (a->ts != ts)
		return a->ts < ts ? -1 : 1;
	return (a->off > off) - (a->off < off);
}

/* The first mark that is not before the event. */
static size_t
bound(const struct marks *m, int64_t ts, uint64_t off)
{
	size_t	i = 0;

	while (i < m->n && compare(&m->v[i], ts, off) < 0)
		i++;
	return i;
}

const struct mark *
marks_find(const struct marks *m, char letter)
{
	for (size_t i = 0; letter != '\0' && i < m->n; i++)
		if (m->v[i].letter == letter)
			return &m->v[i];
	return NULL;
}

void
marks_remove(struct marks *m, size_t i)
{
	if (i >= m->n)
		return;
	m->stamp++;
	mem_free(m->v[i].note);
	memmove(&m->v[i], &m->v[i + 1], (m->n - i - 1) * sizeof *m->v);
	m->n--;
}

static char
free_letter(const struct marks *m)
{
	for (char c = 'a'; c <= 'z'; c++)
		if (marks_find(m, c) == NULL)
			return c;
	return '\0';
}

const struct mark *
marks_set(struct marks *m, char letter, int64_t ts, uint64_t off, const char *note)
{
	const struct mark	*other = marks_find(m, letter);
	size_t			 i;

	if (other != NULL && compare(other, ts, off) != 0)
		marks_remove(m, (size_t)(other - m->v));
	i = bound(m, ts, off);
	m->stamp++;
	if (i == m->n || compare(&m->v[i], ts, off) != 0) {
		if (m->n == MARKS_MAX)
			return NULL;
		if (letter == '\0')
			letter = free_letter(m);
		m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
		memmove(&m->v[i + 1], &m->v[i], (m->n - i) * sizeof *m->v);
		m->v[i] = (struct mark){ .ts = ts, .off = off };
		m->n++;
	}
	if (letter != '\0')
		m->v[i].letter = letter;
	if (note != NULL) {
		mem_free(m->v[i].note);
		m->v[i].note = note[0] != '\0' ? mem_strdup(note) : NULL;
	}
	return &m->v[i];
}

/* One that was kept: it gets no letter of its own, and takes none from another. */
bool
marks_put(struct marks *m, char letter, int64_t ts, uint64_t off, const char *note)
{
	size_t	i = bound(m, ts, off);
	bool	there = i < m->n && compare(&m->v[i], ts, off) == 0;

	if (there || m->n == MARKS_MAX || marks_find(m, letter) != NULL)
		return marks_set(m, letter, ts, off, note) != NULL;
	m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	memmove(&m->v[i + 1], &m->v[i], (m->n - i) * sizeof *m->v);
	m->v[i] = (struct mark){ .letter = letter, .ts = ts, .off = off,
	    .note = note != NULL && note[0] != '\0' ? mem_strdup(note) : NULL };
	m->n++;
	return true;
}

const struct mark *
marks_next(const struct marks *m, int64_t ts, uint64_t off, int dir)
{
	size_t	i = bound(m, ts, off);

	if (dir < 0)
		return i > 0 ? &m->v[i - 1] : NULL;
	if (i < m->n && compare(&m->v[i], ts, off) == 0)
		i++;
	return i < m->n ? &m->v[i] : NULL;
}

/* ---- going there */

void
view_go_to(struct view *v, int64_t ts, uint64_t off)
{
	uint64_t	len = (uint64_t)v->to - (uint64_t)v->from;
	int64_t		from, to;

	view_remember(v);
	if (!v->whole && (ts < v->from || ts >= v->to)) {
		/* As long as before, the time in its middle. */
		if (__builtin_sub_overflow(ts, len / 2, &from))
			from = v->first;
		if (__builtin_add_overflow(from, len, &to))
			to = INT64_MAX;
		(void)view_window(v, from, to);
	}
	view_select_event(v, ts, off);
}

/* The last place that one stood at another event; so the next time it leads back here. */
bool
view_jump_back(struct view *v)
{
	for (size_t i = v->back.n; i-- > 0; ) {
		const struct place	*p = &v->back.v[i];

		if (!p->has_sel || (p->ts == v->sel_ts && p->off == v->sel_off))
			continue;
		view_go_to(v, p->ts, p->off);
		return true;
	}
	return false;
}

/* ---- the range */

bool
view_range(const struct view *v, int64_t *from, int64_t *to)
{
	int64_t	b = v->range.growing ? v->sel_ts : v->range.b;

	*from = v->range.a < b ? v->range.a : b;
	*to = v->range.a < b ? b : v->range.a;
	if (*to < INT64_MAX)
		++*to;		/* both ends are inside */
	return v->range.set;
}

static void
say_range(struct view *v, const char *end)
{
	int64_t		from, to;
	struct buf	b;

	(void)view_range(v, &from, &to);
	buf_init(&b);
	units_secs(&b, trace_ns(v->t, from), 6);
	buf_puts(&b, " s \xe2\x80\xa6 ");
	units_secs(&b, trace_ns(v->t, to), 6);
	buf_puts(&b, " s (");
	units_dur(&b, trace_ns(v->t, to) - trace_ns(v->t, from), v->ascii);
	view_say(v, "range %s)%s", buf_str(&b), end);
	buf_release(&b);
}

void
view_range_toggle(struct view *v)
{
	if (!v->has_sel) {
		view_say(v, "there is no event to begin a range at");
	} else if (v->range.set && v->range.growing) {
		v->range.b = v->sel_ts;
		v->range.growing = false;
		say_range(v, ": Enter zooms to it, Esc drops it");
	} else {
		v->range = (struct range){ .set = true, .growing = true, .a = v->sel_ts };
		view_say(v, "range: move, then v ends it and Enter zooms to it");
	}
}

void
view_range_set(struct view *v, int64_t from, int64_t to)
{
	v->range = (struct range){ .set = true, .a = from, .b = to > from ? to - 1 : from };
	say_range(v, ": Enter zooms to it, Esc drops it");
}

void
view_range_clear(struct view *v)
{
	v->range.set = v->range.growing = false;
}

bool
view_range_zoom(struct view *v)
{
	int64_t	from, to;

	if (!view_range(v, &from, &to))
		return false;
	view_range_clear(v);
	if (!view_window(v, from, to))
		view_say(v, "the window is that already");
	return true;
}

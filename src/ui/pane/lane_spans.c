/*
 * Spans in the lanes.
 *
 *	25 worker  ▂▃▅▇█▇▅▃▂▁ ▃▅▇▅ ▂▁	events
 *	           ◂█████▌  ▐████████▸	a span that began before the window; one that goes on
 *	             ▐██▌     ┄┄┄ ▐▌	nested in them; ┄ doubtful: the thread lost events
 *
 * Spans are walked in the order of their begins, for a limited time per turn. Blocks of spans that
 * ended before the window are skipped, so the cost depends on what the window shows.
 *
 * Invariant: the bars belong to the spans, the window and the width for which they were begun.
 */
#include "ui/pane/lane_spans.h"

#include <string.h>

#include "tnav/analysis/spans.h"
#include "tnav/base/job.h"
#include "tnav/engine/trace.h"

#define DEPENDS		(VIEW_WINDOW | VIEW_ROWS | VIEW_SPANS)
#define AT_ONCE_NS	INT64_C(8000000)	/* time limit for the first picture of a window */
#define LOOK		1024u			/* spans between two checks of the clock */
#define TOGETHER	32u			/* spans that begin at one event */
#define FULL		0.97f			/* a greater share fills the cell */

/* ---- from spans to bars */

/* False: it has no lane, or lies outside the window. */
static bool
bar_of(const struct lane_spans *s, const struct span_record *r, struct bar *out)
{
	const struct bars	*b = &s->bars;

	*out = (struct bar){ .thread = r->thread, .name = r->name, .from = r->start,
	    .to = r->stop };
	if (r->row == SPAN_NO_ROW) {
		out->thread = r->stop_thread;
		out->from = r->stop;
		out->flags = BAR_FROM_BEFORE;
	} else if (r->state != SPAN_PAIRED) {
		out->to = r->start;
		out->flags = BAR_GOES_ON;
	} else if (out->to <= out->from && out->from < INT64_MAX) {
		out->to = out->from + 1;
	}
	if ((r->flags & SPAN_DOUBTFUL) != 0)
		out->flags |= BAR_DOUBTFUL;
	return out->thread < b->lines && out->to >= b->from && out->from < b->to;
}

/* Add spans that begin at the same event, the longest first. */
static uint64_t
add_together(struct lane_spans *s, uint64_t i)
{
	uint64_t	off = spans_at(s->of, i)->off, from = i;
	struct bar	one[TOGETHER];
	unsigned	n = 0, k;

	for (; i < s->end && i - from < TOGETHER && spans_at(s->of, i)->off == off; i++) {
		struct bar	x;

		if (!bar_of(s, spans_at(s->of, i), &x))
			continue;
		for (k = n++; k > 0 && one[k - 1].to < x.to; k--)
			one[k] = one[k - 1];
		one[k] = x;
	}
	for (k = 0; k < n; k++)
		bars_add(&s->bars, &one[k]);
	return i;
}

/* True: there is more to do. */
static bool
step(void *self, int64_t budget_ns)
{
	struct lane_spans	*s = self;
	int64_t			 until = job_now_ns() + budget_ns;
	unsigned		 n = 0;

	while (s->at < s->end) {
		if (n++ % LOOK == LOOK - 1 && job_now_ns() >= until)
			break;
		s->at = spans_reaching(s->of, s->at, s->bars.from);
		if (s->at < s->end)
			s->at = add_together(s, s->at);
	}
	if (s->bars.depths > s->depths)
		s->depths = s->bars.depths;
	return s->at < s->end;
}

static void
begin(struct lane_spans *s, struct view *v, const struct spans *of, unsigned n)
{
	bars_release(&s->bars);
	if (s->of != of)
		s->depths = 0;
	s->of = of;
	bars_init(&s->bars, v->window.from, v->window.to, n,
	    bars_lines(trace_threads(v->t), n));
	s->at = 0;
	s->end = spans_from_row(of, v->window.row1);
	s->seen = v->changes;
	(void)step(s, AT_ONCE_NS);
}

bool
lane_spans_want(struct lane_spans *s, struct view *v, unsigned n)
{
	const struct spans	*of = v->deriving.now.of[DERIVED_SPANS];

	if (s->hidden || of == NULL || trace_has(v->t, HAS_DURATIONS) || n == 0 ||
	    !v->window.any)
		return false;
	if (s->of != of || s->bars.n != n || view_changed(v, &s->seen, DEPENDS))
		begin(s, v, of, n);
	if (s->at < s->end)
		view_await(v, step, s);
	return s->depths > 0;
}

void
lane_spans_switch(struct lane_spans *s, struct view *v, bool shown)
{
	const struct spans	*of = v->deriving.now.of[DERIVED_SPANS];

	if (trace_has(v->t, HAS_DURATIONS)) {
		view_say(v, "the lanes of this format always show spans");
		return;
	}
	s->hidden = shown;
	if (spans_count(of) == 0)
		view_say(v, "no event of this trace starts or ends a span");
	else
		view_say(v, s->hidden ? "lanes without spans" : "lanes with spans");
}

/* ---- drawing */

void
bar_cell(struct canvas *c, int y, int x, unsigned depth, float share, unsigned flags)
{
	enum style	st = depth % 2 == 0 ? ST_BAR : ST_DIM;
	unsigned	level = share >= FULL ? 8 : (unsigned)(share * 8);

	if (level == 0 && share > 0)
		level = 1;
	if ((flags & BAR_GOES_ON) != 0)
		canvas_glyph(c, y, x, ST_STRONG, GL_POINTER);
	else if ((flags & BAR_FROM_BEFORE) != 0)
		canvas_glyph(c, y, x, ST_STRONG, GL_POINTER_LEFT);
	else if ((flags & BAR_DOUBTFUL) != 0)
		canvas_glyph(c, y, x, ST_WARN, GL_DOTTED);
	else
		canvas_block(c, y, x, st, level);
}

/* The group of a span. If only the names of its events paired it, its own name. */
static const char *
words_of(const struct span_name *n)
{
	return strcmp(n->group, "EventSource") == 0 ? n->title : n->group;
}

static void
draw_names(const struct lane_spans *s, struct canvas *c, struct rect r, uint32_t thread)
{
	for (size_t i = 0; i < s->bars.nnamed; i++) {
		const struct named_bar	*n = &s->bars.named[i];

		if (n->thread == thread && n->depth < r.h && n->n > 2 && n->first + n->n <= r.w)
			(void)canvas_text(c, r.y + n->depth, r.x + n->first + 1, n->n - 2,
			    ST_IN_BAR, span_of(words_of(spans_name(s->of, n->name))));
	}
}

void
lane_spans_draw(const struct lane_spans *s, struct canvas *c, struct rect r, uint32_t thread,
    bool under)
{
	const struct bars	*b = &s->bars;

	if (thread >= b->lines || b->n != (unsigned)r.w)
		return;
	for (unsigned d = 0; d < (unsigned)r.h && d < BARS_DEPTHS; d++) {
		const float	*share = bars_share(b, thread, d);
		const uint8_t	*flags = bars_flags(b, thread, d);

		for (int x = 0; x < r.w; x++)
			if (!under || share[x] > 0 || flags[x] != 0)
				bar_cell(c, r.y + (int)d, r.x + x, d, share[x], flags[x]);
	}
	draw_names(s, c, r, thread);
}

/*
 * Lanes of the timeline.
 *
 *	 all                 128,512 ▂▃▅▇█▇▅▃▂▁   ▁▂▃▅▇▇▇▅▃▁      every event
 *	*  29                 12,279 ▁▁  ▁▁  ▁▁      ▁▁  ▁▁       pinned
 *	process 4711                                              if there are several
 *	>  25 .NET TP Worker  15,403 ▂▃▅▇█▚▚▚▂▁      ▃▅▇▇▇▅       ▚ lost
 *	    7 worker           4,210 ▐█████▌   ▐██▌               with durations: spans,
 *	                              ▐██▌ ▐▌                     and what is nested in them
 *	    8 worker             112 ▁▁▅▇▁   ▃▃▁▁▁  ▁▁            lit: an activity of the filter
 *
 *	rank	thread 0: 2, thread 1: 0, ...	the order, kept when the window changes
 *
 * Invariant: the order changes only on request, when a filter is set and counted, or when the index
 * is complete; never because of the window. The cursor stays on its lane, and the lane on its line.
 */
#include "ui/pane/lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/thread_names.h"

#define POINT		0.01f		/* drawn share of an event without duration */
#define HEIGHT_MOST	3		/* useful lines of a lane without spans */
#define LANES_FEW	4		/* lanes that stay visible although spans need room */
#define NO_THREAD	(EVENT_NONE - 1)
#define COUNT_LEAST	5		/* least width of a count: 1.2 M */

const char *const	lane_sort_names[LANES_SORTS] = {
	[LANES_EVENTS] = "events", [LANES_LOST] = "lost", [LANES_BUSY] = "busy",
	[LANES_NAME] = "name",
};

void
lanes_release(struct lanes *s)
{
	mem_free(s->v);
	mem_free(s->pin);
	mem_free(s->rank);
	mem_free(s->filter);
	bars_release(&s->spans.bars);
}

const struct lane *
lanes_cursor(const struct lanes *s)
{
	return s->list.cursor < s->n ? &s->v[s->list.cursor] : NULL;
}

/* ---- the order */

static bool
is_pinned(const struct lanes *s, uint64_t tid, uint64_t pid)
{
	for (size_t i = 0; i < s->npins; i++)
		if (s->pin[i].tid == tid && s->pin[i].pid == pid)
			return true;
	return false;
}

static int
compare_key(const struct lane_key *x, const struct lane_key *y)
{
	return x->name != NULL ? strcmp(x->name, y->name) :
	    (x->number < y->number) - (x->number > y->number);
}

SORT_ORDER(compare_pid, struct lane, RISING(no_pid) RISING(pid))

static int
compare(const void *a, const void *b)
{
	const struct lane	*x = a, *y = b;
	int			 r;

	if ((x->kind == LANE_ALL) != (y->kind == LANE_ALL))
		return x->kind == LANE_ALL ? -1 : 1;
	if (x->pinned != y->pinned)
		return x->pinned ? -1 : 1;
	if (!x->pinned && compare_pid(x, y) != 0) {
		r = compare_key(&x->process, &y->process);
		return r == 0 ? compare_pid(x, y) : x->flip ? -r : r;
	}
	if ((x->kind == LANE_PROCESS) != (y->kind == LANE_PROCESS))
		return x->kind == LANE_PROCESS ? -1 : 1;
	r = compare_key(&x->own, &y->own);
	if (r == 0)
		return (x->thread > y->thread) - (x->thread < y->thread);
	return x->flip ? -r : r;
}

/* How much of the window the thread was busy: the time in spans; without spans, cells with
   events. */
static double
busy(const struct tally *y, uint32_t thread)
{
	double	sum = 0;

	if (y->all == NULL || thread >= y->lines)
		return 0;
	for (unsigned i = 0; i < y->nparts; i++)
		sum += y->spans ? bars_share(&y->bars, thread, 0)[i] :
		    y->bins[(size_t)thread * y->nparts + i] > 0;
	return sum;
}

static void
add(struct lanes *s, struct lane lane)
{
	ARRAY_ADD(s->v, s->n, s->cap, lane);
}

static double
key_of(const struct lanes *s, const struct view *v, const struct lane *l)
{
	if (s->sort == LANES_LOST)
		return (double)l->lost + (double)l->events * 1e-12;
	return s->sort == LANES_BUSY && s->counted ? busy(&v->tallies.lanes, l->thread) :
	    (double)l->events;
}

/* Replace the losses of the whole trace by those of the window. */
static void
lost_in_window(const struct view *v, struct thread_stat *st, size_t n)
{
	for (size_t i = 0; i < n; i++)
		st[i].lost = 0;
	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];

		if (g->thread < n && g->to >= v->window.from && g->from < v->window.to)
			st[g->thread].lost += g->lost;
	}
}

static struct lane
lane_of(const struct lanes *s, const struct view *v, const struct thread_stat *st)
{
	const struct tally	*y = &v->tallies.lanes;
	struct lane		 l = { .kind = LANE_THREAD, .thread = st->thread,
				    .name = st->name, .events = st->c.events, .lost = st->lost,
				    .pid = s->grouped && st->has_pid ? st->pid : 0,
				    .no_pid = s->grouped && !st->has_pid, .tid = st->tid };
	struct thread_names	 words;

	trace_thread_names(v->t, st->thread, &words);
	l.called = words.process;
	if (l.name == NULL)
		l.name = words.name != NULL ? words.name : words.label;
	if (s->counted || y->grown)
		l.events = l.thread < y->threads ? y->events[l.thread] : 0;
	l.empty = s->counted && l.events == 0 && l.lost == 0 && busy(y, l.thread) <= 0;
	return l;
}

/* Add a heading for each process, sorted by a key that add_to() makes from its lanes' keys. */
static void
add_processes(struct lanes *s, void (*add_to)(struct lane_key *sum, const struct lane_key *own))
{
	size_t	n = s->n;

	sort_array(s->v, n, sizeof *s->v, compare_pid);
	for (size_t i = 0, end; i < n; i = end) {
		struct lane	h = { .kind = LANE_PROCESS, .pid = s->v[i].pid,
				    .no_pid = s->v[i].no_pid, .thread = EVENT_NONE,
				    .called = s->v[i].called, .flip = s->v[i].flip };
		bool		any = false;

		for (end = i; end < n && compare_pid(&s->v[end], &h) == 0; end++) {
			const struct lane	*l = &s->v[end];

			h.events += l->events;
			if (l->pinned)
				continue;
			if (any)
				add_to(&h.own, &l->own);
			else
				h.own = l->own;
			any = true;
		}
		for (size_t k = i; k < end; k++)
			s->v[k].process = h.own;
		h.process = h.own;
		if (any)
			add(s, h);
	}
}

/* Add numbers; of names keep the first. */
static void
add_up(struct lane_key *sum, const struct lane_key *own)
{
	sum->number += own->number;
	if (own->name != NULL && strcmp(own->name, sum->name) < 0)
		sum->name = own->name;
}

/* Keep the key of the first lane. */
static void
take_first(struct lane_key *first, const struct lane_key *own)
{
	if (own->number > first->number)
		first->number = own->number;
}

/* ---- the requested order */

static bool
needs_counts(const struct lanes *s, const struct view *v)
{
	return s->sort == LANES_BUSY || v->filter.text != NULL;
}

/* Must the order be made again? */
static bool
order_due(const struct lanes *s, const struct view *v, size_t n)
{
	if (!s->ranked || n > s->threads)
		return true;
	if (s->counted && (s->rough || !text_same(s->filter, v->filter.text)))
		return true;
	return view_changed(v, &s->index, VIEW_INDEX) &&
	    !view_order_stays(v, s->rows, s->threads, n);
}

static void
make_order(struct lanes *s, const struct view *v, const struct thread_stat *st, size_t n)
{
	uint32_t	at = 0;

	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct lane	l = lane_of(s, v, &st[i]);

		l.flip = s->inverted;
		l.own.number = key_of(s, v, &l);
		if (s->sort == LANES_NAME)
			l.own.name = l.name != NULL ? l.name : "\x7f";
		add(s, l);
	}
	if (s->grouped)
		add_processes(s, add_up);
	sort_array(s->v, s->n, sizeof *s->v, compare);
	s->rank = mem_grow(s->rank, &s->rank_cap, n + 1, sizeof *s->rank);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].kind == LANE_THREAD)
			s->rank[s->v[i].thread] = at++;
	mem_free(s->filter);
	s->filter = v->filter.text != NULL ? mem_strdup(v->filter.text) : NULL;
	s->rough = needs_counts(s, v) && !s->counted;
	s->index = v->changes;
	s->rows = trace_rows(v->t);
	s->threads = (uint32_t)n;
	s->ranked = true;
}

/* ---- the lanes in that order */

static bool
is_current(const struct lanes *s, const struct view *v)
{
	return s->loaded && !view_changed(v, &s->seen, VIEW_INDEX | VIEW_WINDOW | VIEW_NAMES) &&
	    (!v->tallies.lanes.done || !view_changed(v, &s->seen, VIEW_LANES));
}

static uint64_t
all_events(const struct thread_stat *st, size_t n)
{
	uint64_t	sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += st[i].c.events;
	return sum;
}

static void
make_lanes(struct lanes *s, const struct view *v, const struct thread_stat *st, size_t n)
{
	s->n = s->hidden = 0;
	for (size_t i = 0; i < n; i++) {
		struct lane	l = lane_of(s, v, &st[i]);

		l.pinned = is_pinned(s, l.tid, l.pid);
		l.own.number = -(double)s->rank[l.thread];
		if (s->hide && l.empty && !l.pinned)
			s->hidden++;
		else
			add(s, l);
	}
	if (s->grouped)
		add_processes(s, take_first);
	add(s, (struct lane){ .kind = LANE_ALL, .thread = EVENT_NONE,
	    .events = all_events(st, n) });
	sort_array(s->v, s->n, sizeof *s->v, compare);
}

static void
stand_on(struct lanes *s, const struct lane *stood)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].kind == stood->kind && s->v[i].thread == stood->thread &&
		    compare_pid(&s->v[i], stood) == 0)
			s->list.cursor = i;
	s->list.top = s->list.cursor > (uint64_t)s->line ? s->list.cursor - (uint64_t)s->line : 0;
}

void
lanes_load(struct lanes *s, struct view *v)
{
	const struct lane	*at = lanes_cursor(s);
	struct lane		 stood = at != NULL ? *at : (struct lane){ .kind = LANE_ALL,
				    .thread = EVENT_NONE };
	struct thread_stat	*st;
	size_t			 n;

	if (is_current(s, v))
		return;
	n = trace_thread_stats(v->t, &st);
	lost_in_window(v, st, n);
	s->counted = v->tallies.lanes.done && v->tallies.lanes.all != NULL;
	s->grouped = view_several_processes(st, n);
	if (order_due(s, v, n))
		make_order(s, v, st, n);
	make_lanes(s, v, st, n);
	mem_free(st);
	stand_on(s, &stood);
	s->seen = v->changes;
	s->loaded = true;
}

bool
lanes_sort(struct lanes *s, struct view *v, const char *name)
{
	int	to;

	for (to = 0; name != NULL && to < LANES_SORTS && strcmp(name, lane_sort_names[to]) != 0; )
		to++;
	if (to == LANES_SORTS) {
		view_say(v, "lanes can be sorted by events, lost, busy or name");
		return false;
	}
	if (to == LANES_LOST && v->gaps.loss.gaps == 0) {
		view_say(v, "no lost events detected");
		return false;
	}
	if (name == NULL)
		s->inverted = !s->inverted;
	else
		s->sort = (enum lane_sort)to;
	s->loaded = s->ranked = false;
	view_say(v, "lanes sorted by %s%s", lane_sort_names[s->sort],
	    s->inverted ? ", reversed" : "");
	return true;
}

void
lanes_sorts(const struct lanes *s, const struct view *v, sort_offer *offer, void *arg)
{
	for (int i = 0; i < LANES_SORTS; i++)
		if (i != LANES_LOST || v->gaps.loss.gaps > 0)
			offer(arg, lane_sort_names[i], NULL, i == (int)s->sort);
}

/* "NAME=25". False: it is something else. */
static bool
take_id(const char **s, const char *name, uint64_t *id)
{
	char	*end;

	if (strncmp(*s, name, strlen(name)) != 0)
		return false;
	*s += strlen(name);
	*id = strtoull(*s, &end, 10);
	if (**s < '0' || **s > '9')
		return false;
	*s = end + strspn(end, " ");
	return true;
}

static bool
take_pin(const struct lanes *s, const char *which, struct lane_pin *pin)
{
	const struct lane	*l = lanes_cursor(s);

	*pin = (struct lane_pin){ .pid = 0 };
	if (which[0] != '\0')
		return take_id(&which, "tid=", &pin->tid) &&
		    (which[0] == '\0' || take_id(&which, "pid=", &pin->pid)) && which[0] == '\0';
	if (l == NULL || l->kind != LANE_THREAD)
		return false;
	*pin = (struct lane_pin){ l->tid, l->pid };
	return true;
}

bool
lanes_pin(struct lanes *s, struct view *v, const char *which)
{
	struct lane_pin	pin;
	size_t		i = 0;

	if (!take_pin(s, which, &pin))
		return false;
	while (i < s->npins && (s->pin[i].tid != pin.tid || s->pin[i].pid != pin.pid))
		i++;
	if (i < s->npins) {
		s->pin[i] = s->pin[--s->npins];
		view_say(v, "lane unpinned");
	} else {
		ARRAY_ADD(s->pin, s->npins, s->pin_cap, pin);
		view_say(v, "lane pinned to the top");
	}
	s->loaded = false;
	return true;
}

void
lanes_keep(const struct lanes *s, keep_put *put, void *to)
{
	struct buf	b = { 0 };

	if (s->hide)
		put(to, "hide-empty", "");
	for (size_t i = 0; i < s->npins; i++) {
		buf_clear(&b);
		buf_printf(&b, "tid=%" PRIu64, s->pin[i].tid);
		if (s->pin[i].pid != 0)
			buf_printf(&b, " pid=%" PRIu64, s->pin[i].pid);
		put(to, "pin-lane", buf_str(&b));
	}
	buf_release(&b);
}

void
lanes_hide(struct lanes *s, struct view *v)
{
	s->hide = !s->hide;
	s->loaded = false;
	lanes_load(s, v);
	if (!s->hide)
		view_say(v, "all lanes are shown");
	else if (!s->counted)
		view_say(v, "empty lanes will be hidden once the window is counted");
	else if (s->hidden == 0)
		view_say(v, "no lane is empty in this window");
	else
		view_say(v, "%zu empty lane%s hidden", s->hidden,
		    s->hidden == 1 ? "" : "s");
}

/* ---- drawing */

/* Are there counts for the lanes, or are they being made for this window or filter? */
static bool
has_counts(const struct lanes *s, const struct view *v)
{
	return s->counted || v->tallies.lanes.grown ||
	    (v->window.whole && v->filter.text == NULL);
}

static void
put_count(const struct lanes *s, const struct view *v, const struct lane *l, int room,
    struct buf *out)
{
	uint64_t	n = l->events;

	if (l->kind == LANE_ALL && (v->filter.text != NULL || !v->window.whole))
		n = view_count(v);
	else if (!has_counts(s, v)) {
		buf_puts(out, v->display.ascii ? ".." : "\xe2\x80\xa6");
		return;
	}
	units_count_in(out, n, room > 0 ? (size_t)room : 0);
}

/* "process 6 python3", or "6 python3" if there is too little room. */
static int
draw_process(const struct lanes *s, struct view *v, struct canvas *c, struct rect r, int w,
    const struct lane *l)
{
	struct buf	b = { 0 }, count = { 0 };
	const char	*text;
	int		used;

	put_count(s, v, l, COUNT_LEAST, &count);
	w -= canvas_cells(c, buf_str(&count)) + 1;
	view_process_text(!l->no_pid, l->pid, &b);
	if (l->called != NULL)
		buf_printf(&b, " %s", l->called);
	text = buf_str(&b);
	if (!l->no_pid && canvas_cells(c, text) > w)
		text = strchr(text, ' ') + 1;
	used = canvas_text(c, r.y, r.x + 1, w, ST_DIM, span_of(text));
	buf_release(&count);
	buf_release(&b);
	return used;
}

/* The label of a lane: id, name, number of events, which is shortened for the name. */
static void
draw_label(const struct lanes *s, struct view *v, struct canvas *c, struct rect r, int label,
    const struct lane *l)
{
	int		w = label - 2, tid = (int)v->display.tid_width, used, room;
	struct buf	b = { 0 };

	if (l->pinned)
		(void)canvas_puts(c, r.y, r.x, 1, ST_STRONG, "*");
	if (l->kind == LANE_PROCESS) {
		used = draw_process(s, v, c, r, w, l);
	} else if (l->kind == LANE_ALL) {
		used = canvas_puts(c, r.y, r.x + 1, w, ST_STRONG, "all");
	} else {
		view_thread_text(v, l->thread, &b);
		canvas_right(c, r.y, r.x + 1, tid, display_thread_style(&v->display, l->thread),
		    buf_str(&b));
		used = tid;
	}
	buf_clear(&b);
	room = w - used - 1;
	if (l->name != NULL) {
		room -= canvas_cells(c, l->name) + 1;
		room = room > COUNT_LEAST ? room : COUNT_LEAST;
	}
	put_count(s, v, l, room, &b);
	canvas_right(c, r.y, r.x + 1, w, ST_DIM, buf_str(&b));
	room = w - used - 1 - canvas_cells(c, buf_str(&b)) - 1;
	if (l->name != NULL && room > 2)
		(void)canvas_text(c, r.y, r.x + 2 + tid, room, ST_NORMAL, span_of(l->name));
	buf_release(&b);
}

/* Draw names into the bars of long spans, each followed by a blank, since bars may touch. */
static void
draw_names(struct view *v, struct canvas *c, struct rect r, uint32_t thread)
{
	const struct tally	*tally = &v->tallies.lanes;

	for (size_t i = 0; i < tally->bars.nnamed; i++) {
		const struct named_bar	*s = &tally->bars.named[i];
		const char		*name = trace_type(v->t, s->name)->name;
		int			 y = r.y + s->depth, x = r.x + s->first;

		if (s->thread != thread || s->depth >= r.h || s->first + s->n > r.w)
			continue;
		x += canvas_text(c, y, x, s->n - 1, ST_IN_BAR, span_of(name));
		canvas_blank(c, (struct rect){ y, x, 1, 1 }, ST_IN_BAR);
	}
}

/* One line per depth, outer spans on top. */
static void
draw_spans(const struct tally *y, struct canvas *c, struct rect r, const struct lane *l,
    const uint64_t *bins)
{
	for (unsigned d = 0; d < (unsigned)r.h && d < BARS_DEPTHS; d++) {
		const float	*share = bars_share(&y->bars, l->thread, d);
		const uint8_t	*flags = bars_flags(&y->bars, l->thread, d);

		for (int x = 0; x < r.w; x++) {
			/* An event without duration gets a mark of its own. */
			bool	point = d == 0 && bins[x] > 0 && share[x] <= 0 &&
				    bars_share(&y->bars, l->thread, 1)[x] <= 0;

			bar_cell(c, r.y + (int)d, r.x + x, d, point ? POINT : share[x],
			    flags[x]);
		}
	}
}

static void
draw_all(const struct lanes *s, const struct tally *y, struct canvas *c, struct rect r,
    const uint64_t *coarse, const float *lost, bool counted)
{
	if (counted && (y->done || coarse == NULL))
		coarse = y->all;
	density_columns(c, r, coarse, s->around != NULL ? s->around->all : NULL, lost,
	    DENSITY_ONLY);
	if (counted && coarse == y->all)
		density_unknown(c, r.y + r.h - 1, r.x, y);
}

static bool
is_counted(const struct view *v, int w)
{
	const struct tally	*y = &v->tallies.lanes;

	return y->all != NULL && y->nparts == (unsigned)w && y->from == v->window.from &&
	    y->to == v->window.to;
}

static bool
holds(const struct lane *process, const struct lane *l)
{
	return l->kind == LANE_THREAD && compare_pid(process, l) == 0;
}

/* Events per cell, of a thread or of all threads of a process. */
static uint64_t *
bins_of(const struct lanes *s, const struct tally *y, const struct lane *l)
{
	uint64_t	*bins = mem_zalloc(y->nparts + 1, sizeof *bins);

	for (size_t i = 0; i < s->n; i++) {
		const struct lane	*one = &s->v[i];

		if (one->kind != LANE_THREAD || one->thread >= y->lines ||
		    (l->kind == LANE_PROCESS ? !holds(l, one) : one->thread != l->thread))
			continue;
		for (unsigned x = 0; x < y->nparts; x++)
			bins[x] += tally_bin(y, one->thread, x);
	}
	return bins;
}

/* Below the events if there is room, else over them. */
static void
draw_bars(const struct lanes *s, struct canvas *c, struct rect r, uint32_t thread)
{
	bool	below = r.h > 1;

	lane_spans_draw(&s->spans, c, (struct rect){ r.y + below, r.x, r.h - below, r.w },
	    thread, !below);
}

static void
draw_lane(const struct lanes *s, struct view *v, struct canvas *c, struct rect r,
    const struct lane *l, const uint64_t *coarse, const float *lost)
{
	const struct tally	*y = &v->tallies.lanes;
	bool			 counted = is_counted(v, r.w);
	bool			 bars = s->with_spans && l->kind == LANE_THREAD;
	uint64_t		*bins, *around = NULL;
	int			 h = r.h;

	if (l->kind == LANE_ALL) {
		draw_all(s, y, c, r, coarse, lost, counted);
		return;
	}
	if (!counted || (l->kind == LANE_THREAD && l->thread >= y->lines)) {
		density_columns(c, r, NULL, NULL, lost, DENSITY_MOSTLY);
		return;
	}
	bins = bins_of(s, y, l);
	if (s->around != NULL)
		around = bins_of(s, s->around, l);
	if (y->spans && !y->growing) {
		draw_spans(y, c, r, l, bins);
		draw_names(v, c, r, l->thread);
	} else {
		h = bars ? 1 : r.h;
		density_columns(c, (struct rect){ r.y, r.x, h, r.w }, bins, around, lost,
		    DENSITY_MOSTLY);
	}
	density_unknown(c, r.y + h - 1, r.x, y);
	if (bars && (around == NULL || r.h > 1))	/* bars would hide what is highlighted */
		draw_bars(s, c, r, l->thread);
	mem_free(bins);
	mem_free(around);
}

uint64_t
lanes_count(const struct lanes *s, const struct view *v, const struct lane *l, unsigned x)
{
	const struct tally	*y = &v->tallies.lanes;
	uint64_t		*bins, n;

	if (l->kind == LANE_ALL)
		return y->all[x];
	bins = bins_of(s, y, l);
	n = bins[x];
	mem_free(bins);
	return n;
}

/* The threads of a lane as rows of losses with this row number. Returns how many. */
static size_t
threads_of(const struct lanes *s, const struct lane *l, int row, struct lost_row *out)
{
	size_t	n = 0;

	if (l->kind != LANE_PROCESS) {
		out[0] = (struct lost_row){ l->thread, row };
		return 1;
	}
	for (size_t i = 0; i < s->n; i++)
		if (holds(l, &s->v[i]))
			out[n++] = (struct lost_row){ s->v[i].thread, row };
	return n;
}

struct lost_here
lanes_lost(const struct lanes *s, struct view *v, const struct lane *l, int x, int w)
{
	struct lost_row		*rows = mem_zalloc(s->n + 1, sizeof *rows);
	struct lost_here	 here = density_lost_here(v, rows, threads_of(s, l, 0, rows), x, w);

	mem_free(rows);
	return here;
}

int
lanes_height_most(struct view *v)
{
	return trace_has(v->t, HAS_DURATIONS) ? (int)BARS_DEPTHS : HEIGHT_MOST;
}

/* If there are few lanes and much room, lanes are taller. */
static int
height_of(const struct lanes *s, struct view *v, int room)
{
	int	h = s->n > 0 && !s->grouped ? room / (int)(s->n < 1000 ? s->n : 1000) : 1;
	int	most = lanes_height_most(v), least = 1;

	if (s->with_spans) {
		most = 1 + (int)s->spans.depths;
		least = room / LANES_FEW < most ? room / LANES_FEW : most;
	}
	h = h > most ? most : h;
	return h < least ? least : h < 1 ? 1 : h;
}

/* Losses in each cell of the lanes on the screen: `shown` rows of w cells. */
static float *
lost_of(const struct lanes *s, struct view *v, int shown, int w)
{
	float		*lost = mem_zalloc((size_t)shown * (size_t)w, sizeof *lost);
	struct lost_row	*rows = mem_zalloc((size_t)shown, sizeof *rows);
	struct lost_row	*threads = mem_zalloc(s->n + 1, sizeof *threads);

	for (int i = 0; i < shown; i++) {
		const struct lane	*l = &s->v[s->list.top + (uint64_t)i];

		rows[i] = (struct lost_row){ l->kind == LANE_PROCESS ? NO_THREAD : l->thread, i };
		if (l->kind == LANE_PROCESS)	/* its threads may also have rows of their own */
			density_lost(v, threads, threads_of(s, l, i, threads), lost, w);
	}
	density_lost(v, rows, (size_t)shown, lost, w);
	mem_free(rows);
	mem_free(threads);
	return lost;
}

void
lanes_draw(struct lanes *s, struct view *v, struct canvas *c, struct rect r, int label,
    const uint64_t *coarse, bool focus)
{
	int	 w = r.w - label, shown;
	float	*lost;

	s->around = view_tally_around(v, (unsigned)w);
	s->with_spans = lane_spans_want(&s->spans, v, (unsigned)w);
	s->height = height_of(s, v, r.h);
	shown = r.h / s->height;
	list_fit(&s->list, s->n, shown);
	s->line = (int)(s->list.cursor - s->list.top);
	if ((uint64_t)shown > s->n - s->list.top)
		shown = (int)(s->n - s->list.top);
	lost = lost_of(s, v, shown, w);
	for (int i = 0; i < shown; i++) {
		const struct lane	*l = &s->v[s->list.top + (uint64_t)i];
		struct rect		 at = { r.y + i * s->height, r.x, s->height, r.w };

		draw_label(s, v, c, at, label, l);
		draw_lane(s, v, c, (struct rect){ at.y, at.x + label, at.h, w }, l, coarse,
		    lost + (size_t)i * (size_t)w);
		if (i == s->line) {
			canvas_glyph(c, at.y, at.x, ST_STRONG, GL_POINTER);
			canvas_mark(c, at.y, at.x, label - 1,
			    focus ? MARK_CURSOR : MARK_CURSOR_OFF);
		}
	}
	mem_free(lost);
}

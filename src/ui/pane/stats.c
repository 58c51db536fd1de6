/*
 * Counts of what the window and the filter let through, by a field: Alt-7 and `=`.
 *
 *	name             events v     bytes   share          rate       first      last
 *	GC/Start          1,204      12,040   12 % ##        ..:##.     0.001 000  9.123 456
 *
 * What act() means: 0 tallies by the field that is named.
 *
 * Invariant: order[] has the lines of the census, sorted as they were at sorted_at rows; the
 * cursor stands on a line, not on a place.
 */
#include <stdlib.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/pane/pane.h"

#include "ui/view/census.h"

#define READY_NS	8000000		/* of a key's time that may go into counting */

enum stats_column { BY_VALUE, BY_EVENTS, BY_BYTES, BY_FIRST, BY_LAST, STATS_COLUMNS };

static const char *const	sort_names[STATS_COLUMNS] = {
	[BY_VALUE] = "value", [BY_EVENTS] = "events", [BY_BYTES] = "bytes", [BY_FIRST] = "first",
	[BY_LAST] = "last",
};

struct stats {
	struct list		 list;
	struct census		 c;
	uint32_t		*order;
	size_t			 norder, cap;
	uint64_t		 sorted_at;	/* census.at when it was sorted */
	enum stats_column	 by;
	bool			 up;		/* the least first */
	bool			 resort, touched;	/* touched: the cursor was moved */
};

struct sort_key {
	uint64_t	u;
	int64_t		i;
	const char	*text;
	uint32_t	line;
};

/* ---- sorting */

static int
by_key(const void *a, const void *b)
{
	const struct sort_key	*x = a, *y = b;
	int			 r = 0;

	if (x->text != NULL)
		r = strcmp(x->text, y->text);
	else if (x->u != y->u)
		r = x->u < y->u ? -1 : 1;
	else if (x->i != y->i)
		r = x->i < y->i ? -1 : 1;
	return r != 0 ? r : (x->line > y->line) - (x->line < y->line);
}

static struct sort_key
key_of(const struct stats *self, uint32_t line)
{
	const struct census_line	*l = &self->c.line[line];
	struct sort_key			 k = { .line = line };
	bool				 down = !self->up;

	switch (self->by) {
	case BY_VALUE:
		k.text = l->text;
		break;
	case BY_EVENTS:
		k.u = down ? UINT64_MAX - l->events : l->events;
		break;
	case BY_BYTES:
		k.u = down ? UINT64_MAX - l->bytes : l->bytes;
		break;
	case BY_FIRST:
		k.i = down ? l->first : -(l->first + 1);
		break;
	case BY_LAST:
		k.i = down ? -(l->last + 1) : l->last;
		break;
	case STATS_COLUMNS:
		break;
	}
	return k;
}

static void
sort(struct stats *self)
{
	size_t		 n = self->c.n;
	struct sort_key	*keys = mem_zalloc(n + 1, sizeof *keys);
	uint32_t	 stood = self->list.cursor < self->norder ?
			    self->order[self->list.cursor] : UINT32_MAX;

	for (size_t i = 0; i < n; i++)
		keys[i] = key_of(self, (uint32_t)i);
	qsort(keys, n, sizeof *keys, by_key);
	if (n > self->cap)
		self->order = mem_grow(self->order, &self->cap, n, sizeof *self->order);
	self->norder = n;
	for (size_t i = 0; i < n; i++) {
		size_t	at = self->by == BY_VALUE && self->up ? n - 1 - i : i;

		self->order[at] = keys[i].line;
		if (keys[i].line == stood && self->touched)
			self->list.cursor = at;
	}
	mem_free(keys);
	self->sorted_at = self->c.at;
	self->resort = false;
}

/* ---- what it counts */

static void
begin(struct stats *self, struct view *v, const char *field)
{
	char	*name = mem_strdup(field);

	census_start(&self->c, v, name);
	mem_free(name);
	self->norder = 0;
	self->list.cursor = self->list.top = 0;
	self->touched = false;
	self->resort = true;
}

/* Follow the view. A window that grows as the index does is counted anew when twice as large. */
static void
follow(struct stats *self, struct view *v)
{
	const struct census	*c = &self->c;
	bool			 grew = v->whole && c->field != NULL && c->row0 == v->row0 &&
				    census_same_filter(c, v) && c->row1 < v->row1;

	if (c->field == NULL) {
		self->by = BY_EVENTS;
		begin(self, v, "name");
	} else if (!census_is_current(c, v) &&
	    (!grew || v->complete || v->row1 - v->row0 >= 2 * (c->row1 - c->row0))) {
		begin(self, v, c->field);
	}
}

static bool
stats_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct stats	*self = arg;

	follow(self, v);
	if (v->stopped)
		return false;
	return census_step(&self->c, v, budget_ns);
}

/* As far as it is counted; a short trace is counted at once, so that keys typed ahead find it. */
static void
ready(struct stats *self, struct view *v)
{
	follow(self, v);
	if (self->c.at == self->c.row0 && !v->stopped)
		(void)census_step(&self->c, v, READY_NS);
	if (self->resort || self->sorted_at != self->c.at)
		sort(self);
	list_fit(&self->list, self->norder, self->list.h);
}

/* ---- drawing */

struct stats_places {
	int	value, events, bytes, share, rate, first, last, end;
};

static struct stats_places
places_of(struct rect r)
{
	struct stats_places	p = { .value = r.x + 1, .end = r.x + r.w };
	bool		wide = r.w >= 110;
	int		right = 12 + 12 + 17 + (wide ? (int)CENSUS_BINS + 2 + 28 : 0);

	p.events = p.end - right;
	if (p.events < p.value + 16)
		p.events = p.value + 16;
	p.bytes = p.events + 12;
	p.share = p.bytes + 12;
	p.rate = p.share + 17;
	p.first = p.rate + (int)CENSUS_BINS + 2;
	p.last = p.first + 14;
	return p;
}

/* A title, with the mark of the column that sorts. */
static void
title(struct stats *self, struct canvas *c, int y, int x, int w, enum stats_column col,
    const char *text)
{
	struct buf	b;
	bool		sorts = self->by == col;

	buf_init(&b);
	if (sorts)
		buf_puts(&b, self->up ? "\xe2\x86\x91" : "\xe2\x86\x93");
	buf_puts(&b, text);
	if (col == BY_VALUE)
		(void)canvas_puts(c, y, x, w, sorts ? ST_STRONG : ST_DIM, buf_str(&b));
	else
		canvas_right(c, y, x, w, sorts ? ST_STRONG : ST_DIM, buf_str(&b));
	buf_release(&b);
}

static void
draw_heading(struct stats *self, struct canvas *c, int y, const struct stats_places *p)
{
	title(self, c, y, p->value, p->events - p->value, BY_VALUE, self->c.field);
	title(self, c, y, p->events, 11, BY_EVENTS, "events");
	title(self, c, y, p->bytes, 11, BY_BYTES, "bytes");
	(void)canvas_puts(c, y, p->share, 15, ST_DIM, "share");
	if (p->last >= p->end)
		return;
	(void)canvas_puts(c, y, p->rate, CENSUS_BINS, ST_DIM, "rate");
	title(self, c, y, p->first, 13, BY_FIRST, "first");
	title(self, c, y, p->last, 13, BY_LAST, "last");
}

static void
put_number(struct canvas *c, int y, int x, uint64_t n)
{
	struct buf	b;

	buf_init(&b);
	buf_grouped(&b, n);
	canvas_right(c, y, x, 11, ST_NORMAL, buf_str(&b));
	buf_release(&b);
}

static void
draw_times(struct view *v, struct canvas *c, int y, const struct stats_places *p,
    const struct census_line *l)
{
	struct buf	b;
	uint32_t	max = 0;

	for (unsigned i = 0; i < CENSUS_BINS; i++)
		max = l->bins[i] > max ? l->bins[i] : max;
	for (unsigned i = 0; i < CENSUS_BINS && max > 0; i++) {
		unsigned	level = (unsigned)((double)l->bins[i] / max * 8 + 0.5);

		canvas_block(c, y, p->rate + (int)i, ST_BAR, l->bins[i] > 0 && level == 0 ? 1 :
		    level);
	}
	buf_init(&b);
	view_time(v, l->first, &b);
	canvas_right(c, y, p->first, 13, ST_TIME, buf_str(&b));
	buf_clear(&b);
	view_time(v, l->last, &b);
	canvas_right(c, y, p->last, 13, ST_TIME, buf_str(&b));
	buf_release(&b);
}

static void
draw_line(struct stats *self, struct view *v, struct canvas *c, int y, const struct stats_places *p,
    const struct census_line *l)
{
	double		share = self->c.events > 0 ?
			    (double)l->events / (double)self->c.events : 0;
	struct buf	b;

	(void)canvas_text(c, y, p->value, p->events - p->value - 1, ST_EVENT,
	    l->len > 0 ? (struct span){ (const uint8_t *)l->text, l->len } : span_of("(empty)"));
	put_number(c, y, p->events, l->events);
	put_number(c, y, p->bytes, l->bytes);
	canvas_bar(c, y, p->share, 8, ST_BAR, share);
	buf_init(&b);
	buf_printf(&b, "%.1f %%", share * 100);
	canvas_right(c, y, p->share + 8, 8, ST_NORMAL, buf_str(&b));
	buf_release(&b);
	if (p->last < p->end)
		draw_times(v, c, y, p, l);
}

static void
stats_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct stats	*self = arg;
	struct stats_places	 p = places_of(r);

	ready(self, v);
	list_fit(&self->list, self->norder, r.h - 1);
	draw_heading(self, c, r.y, &p);
	if (self->norder == 0)
		(void)canvas_puts(c, r.y + 1, r.x + 2, r.w - 2, ST_DIM,
		    !self->c.done ? "counting" : self->c.without > 0 ?
		    "no event here has this field" : "no events in this window and filter");
	for (int i = 0; i < r.h - 1 && self->list.top + (uint64_t)i < self->norder; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		draw_line(self, v, c, r.y + 1 + i, &p, &self->c.line[self->order[at]]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 1 + i, focus);
	}
}

/* Does the window hold a gap, so that counts are only what is left? */
static bool
has_gap(const struct view *v)
{
	for (size_t i = 0; i < v->ngaps; i++)
		if (v->gaps[i].to >= v->from && v->gaps[i].from < v->to)
			return true;
	return false;
}

static void
stats_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stats	*self = arg;
	uint64_t	 all = self->c.row1 - self->c.row0, done = self->c.at - self->c.row0;

	follow(self, v);
	buf_printf(left, "by %s, sorted by %s", self->c.field, sort_names[self->by]);
	if (has_gap(v))
		buf_puts(right, "at least ");
	buf_grouped(right, self->c.events);
	buf_puts(right, " in ");
	buf_grouped(right, self->c.n);
	if (self->c.without > 0) {
		buf_puts(right, ", ");
		buf_grouped(right, self->c.without);
		buf_puts(right, " without");
	}
	if (!self->c.done)
		buf_printf(right, ", %u %% counted", all > 0 ?
		    (unsigned)((double)done / (double)all * 100) : 0);
}

/* ---- keys */

static bool
stats_move(void *arg, struct view *v, struct move m)
{
	struct stats	*self = arg;

	ready(self, v);
	self->touched = true;
	return list_move(&self->list, m);
}

static const struct census_line *
line_at(struct stats *self, struct view *v)
{
	ready(self, v);
	if (self->list.cursor >= self->norder)
		return NULL;
	return &self->c.line[self->order[self->list.cursor]];
}

static bool
stats_field(void *arg, struct view *v, struct field_at *out)
{
	const struct census_line	*l = line_at(arg, v);

	if (l == NULL)
		return false;
	buf_puts(&out->name, ((struct stats *)arg)->c.field);
	buf_puts(&out->value, l->value);
	buf_add(&out->text, l->text, l->len);
	return true;
}

static bool
stats_enter(void *arg, struct view *v)
{
	struct stats			*self = arg;
	const struct census_line	*l = line_at(self, v);
	struct buf			 term;
	bool				 ok;

	if (l == NULL) {
		view_say(v, "there is nothing to filter by");
		return false;
	}
	buf_init(&term);
	ok = field_term(&term, self->c.field, l->value);
	if (!ok)
		view_say(v, "the filter can't ask for this value");
	ok = ok && view_filter_add(v, buf_str(&term));
	buf_release(&term);
	return ok;
}

static bool
stats_sort(void *arg, struct view *v, int step, const char *name)
{
	struct stats	*self = arg;
	int		 to = -1;

	for (int i = 0; i < STATS_COLUMNS && name != NULL; i++)
		if (strcmp(name, sort_names[i]) == 0)
			to = i;
	if (name != NULL && to < 0) {
		view_say(v, "sort by value, events, bytes, first or last");
		return false;
	}
	if (name == NULL && step == 0)
		self->up = !self->up;
	else
		self->by = (enum stats_column)(name != NULL ? to :
		    ((int)self->by + step + STATS_COLUMNS) % STATS_COLUMNS);
	self->resort = true;
	return true;
}

static void
stats_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct stats	*self = arg;

	(void)what;
	if (self->c.field == NULL)
		self->by = BY_EVENTS;
	v->stopped = false;
	begin(self, v, name);
}

static void
stats_release(void *arg)
{
	struct stats	*self = arg;

	census_release(&self->c);
	mem_free(self->order);
}

const struct pane_ops	pane_stats = {
	.name = "stats",
	.hints = "open=only exclude sort-next sort-invert close help",
	.size = sizeof(struct stats),
	.release = stats_release,
	.title = stats_title,
	.draw = stats_draw,
	.move = stats_move,
	.enter = stats_enter,
	.field = stats_field,
	.sort = stats_sort,
	.work = stats_work,
	.act = stats_act,
};

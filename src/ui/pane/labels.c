/*
 * What the selected event is labelled with: its activity, the related one, its V6 labels; and how
 * many events of the window and the filter have the same.
 *
 *	label          value                                          events
 *	activity       //1/30/2  4bf92f35-...                            214
 *	TraceId        4bf92f3577b34da6a3ce929d0e0e4736                1,102
 *
 * Invariant: lines belong to the labels that key holds; another event with the same ones keeps
 * its counts, so that walking one activity counts once.
 */
#include <string.h>

#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/label.h"
#include "tnav/model/activity.h"
#include "ui/pane/pane.h"

#define LINES_MAX	64u

struct label_line {
	struct field_at	 f;		/* raw: the bytes of an activity's id */
	struct buf	 more;		/* the GUID of a path */
	struct buf	 title;
	uint64_t	 events;
};

struct labels {
	struct list		 list;
	struct label_line	 line[LINES_MAX];
	struct field_ref	 ref[LINES_MAX];	/* of the lines */
	struct cell		 cell[LINES_MAX];	/* of the event that is looked at */
	size_t			 n, left_out;
	struct buf		 key;
	uint64_t		 at, row0, row1;
	struct view_changes	 seen;		/* when counting began */
	bool			 made, done;
};

/* ---- lines */

static struct label_line *
line_add(struct labels *self, const char *field, const char *title)
{
	struct label_line	*l;
	struct buf		 why;

	if (self->n == LINES_MAX) {
		self->left_out++;
		return NULL;
	}
	buf_init(&why);
	field_ref_release(&self->ref[self->n]);
	(void)field_ref_init(&self->ref[self->n], field, strlen(field), &why);
	buf_release(&why);
	l = &self->line[self->n++];
	field_at_clear(&l->f);
	buf_clear(&l->more);
	buf_clear(&l->title);
	buf_puts(&l->f.name, field);
	buf_puts(&l->title, title);
	l->events = 0;
	return l;
}

static void
add_header(struct labels *self, struct view *v, const struct event *e, const char *field)
{
	struct label_line	*l = line_add(self, field, field);

	if (!field_at_ref(&l->f, v, &self->ref[self->n - 1], e, ROW_UNKNOWN)) {
		self->n--;
		return;
	}
	if (l->f.text.len != l->f.value.len)
		buf_add(&l->more, l->f.value.p, l->f.value.len);
}

static void
add_label(struct labels *self, struct view *v, const struct event *e, const struct label *label)
{
	struct span		 key;
	struct buf		 name;
	struct label_line	*l;

	buf_init(&name);
	if (label_name(label, &key))
		filter_quote_name(&name, "label.", (const char *)key.p, key.len);
	for (size_t i = 0; i < self->n && name.len > 0; i++)
		if (strcmp(buf_str(&self->line[i].f.name), buf_str(&name)) == 0)
			buf_clear(&name);		/* a key given twice: its first */
	if (name.len > 0) {
		l = line_add(self, buf_str(&name), buf_str(&name) + strlen("label."));
		if (l != NULL)
			(void)field_at_ref(&l->f, v, &self->ref[self->n - 1], e, ROW_UNKNOWN);
	}
	buf_release(&name);
}

static void
add_all(struct labels *self, struct view *v, const struct event *e)
{
	struct label	*label = mem_zalloc(LIMIT_LABELS, sizeof *label);
	size_t		 n = trace_labels(v->t, e, label, LIMIT_LABELS);

	self->n = self->left_out = 0;
	add_header(self, v, e, "activity");
	add_header(self, v, e, "related");
	for (size_t i = 0; i < n; i++)
		add_label(self, v, e, &label[i]);
	mem_free(label);
}

static void
key_of(const struct labels *self, struct buf *out)
{
	for (size_t i = 0; i < self->n; i++) {
		const struct field_at	*f = &self->line[i].f;

		buf_add(out, f->name.p, f->name.len);
		buf_putc(out, '=');
		buf_add(out, f->value.p, f->value.len);
		buf_putc(out, '\n');
	}
}

static void
begin(struct labels *self, struct view *v)
{
	self->seen = v->changes;
	self->row0 = self->at = v->window.row0;
	self->row1 = v->window.row1;
	for (size_t i = 0; i < self->n; i++)
		self->line[i].events = 0;
	self->done = self->n == 0;
}

/* Lines of the selected event; false: there is none. */
static bool
make(struct labels *self, struct view *v)
{
	struct event	e;
	struct buf	key;
	uint64_t	was[LINES_MAX];
	bool		same;

	if (view_selected(v, &e) != 1)
		return false;
	for (size_t i = 0; i < self->n; i++)
		was[i] = self->line[i].events;
	buf_init(&key);
	add_all(self, v, &e);
	key_of(self, &key);
	same = self->made && strcmp(buf_str(&key), buf_str(&self->key)) == 0;
	for (size_t i = 0; i < self->n && same; i++)
		self->line[i].events = was[i];
	if (!same || view_changed(v, &self->seen, VIEW_ROWS | VIEW_FILTER))
		begin(self, v);
	buf_clear(&self->key);
	buf_add(&self->key, key.p, key.len);
	buf_release(&key);
	self->made = true;
	return true;
}

/* ---- counting */

/* All cells of the event are got at once: its labels are looked up a single time. */
static void
count(struct labels *self, struct view *v, const struct event *e, struct buf *text)
{
	field_get(v->reader, self->ref, self->n, e, ROW_UNKNOWN, self->cell);
	for (size_t i = 0; i < self->n; i++) {
		struct label_line	*l = &self->line[i];

		buf_clear(text);
		cell_text(text, &self->cell[i], v->display.ascii);
		if (self->cell[i].kind != CELL_NONE && text->len == l->f.text.len &&
		    (text->len == 0 || memcmp(text->p, l->f.text.p, text->len) == 0))
			l->events++;
	}
}

static bool
labels_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct labels	*self = arg;
	int64_t		 until = job_now_ns() + budget_ns;
	struct buf	 text;

	if (!make(self, v) || v->stopped)
		return false;
	buf_init(&text);
	while (!self->done && budget_ns > 0 && job_now_ns() < until) {
		const struct slice_view	*s;
		uint64_t		 end, shown;
		unsigned		 n;
		int			 got = 0;

		if (self->at < self->row1)
			got = trace_view_walk(v->t, &self->at, &s);
		self->done = got == 0;
		if (got <= 0)
			continue;
		n = query_hits_at(v->filter.q, self->at, &shown);
		end = s->row0 + s->n < self->row1 ? s->row0 + s->n : self->row1;
		end = end - self->at > n ? self->at + n : end;
		for (; self->at < end; self->at++, shown >>= 1) {
			const struct event	*e = &s->ev[self->at - s->row0];

			if (shown & 1)
				count(self, v, e, &text);
		}
		trace_view_put(v->t, s);
		if (n == 0)
			query_wait(v->filter.q, until - job_now_ns());
	}
	buf_release(&text);
	return !self->done;
}

/* ---- drawing */

static void
draw_line(struct canvas *c, struct rect r, int y, const struct label_line *l)
{
	struct buf	b;
	int		x = r.x + 20, w = r.w - 20 - 12;

	buf_init(&b);
	(void)canvas_buf(c, y, r.x + 2, 17, ST_DIM, &l->title);
	x += canvas_buf(c, y, x, w, ST_STRONG, &l->f.text) + 2;
	if (l->more.len > 0)
		(void)canvas_buf(c, y, x, r.x + r.w - 12 - x, ST_DIM, &l->more);
	buf_grouped(&b, l->events);
	canvas_right(c, y, r.x + r.w - 12, 11, ST_NORMAL, buf_str(&b));
	buf_release(&b);
}

static void
labels_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct labels	*self = arg;

	if (!make(self, v)) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, "no event is selected");
		return;
	}
	list_fit(&self->list, self->n, r.h - 1);
	if (self->n == 0) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM,
		    trace_has(v->t, HAS_ACTIVITIES) ?
		    "this event has no activity and no labels    :filter-add has activity" :
		    "traces of this format have no activities and no labels");
		return;
	}
	(void)canvas_puts(c, r.y, r.x + 2, 17, ST_DIM, "label");
	(void)canvas_puts(c, r.y, r.x + 20, 17, ST_DIM, "value");
	canvas_right(c, r.y, r.x + r.w - 12, 11, ST_DIM, "events");
	for (int i = 0; i < r.h - 1 && self->list.top + (uint64_t)i < self->n; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		draw_line(c, r, r.y + 1 + i, &self->line[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 1 + i, focus);
	}
}

static void
labels_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct labels	*self = arg;
	uint64_t	 all = self->row1 - self->row0;

	if (!make(self, v) || self->n == 0)
		return;
	buf_puts(left, v->window.whole ? "of the event, counted in the trace" :
	    "of the event, counted in this window");
	if (self->left_out > 0)
		buf_printf(right, "%zu more labels, ", self->left_out);
	if (!self->done)
		buf_printf(right, "%u %% counted%s", all > 0 ? (unsigned)
		    ((double)(self->at - self->row0) / (double)all * 100) : 0,
		    v->stopped ? ", stopped: j goes on" : "");
}

/* ---- keys */

static bool
labels_move(void *arg, struct view *v, struct move m)
{
	struct labels	*self = arg;
	bool		 again = v->stopped && !self->done;

	if (again)
		v->stopped = false;	/* Esc stopped the counting, a key takes it up */
	list_fit(&self->list, make(self, v) ? self->n : 0, self->list.h);
	return list_move(&self->list, m) || again;
}

static bool
labels_field(void *arg, struct view *v, struct field_at *out)
{
	struct labels		*self = arg;
	const struct field_at	*f;

	if (!make(self, v) || self->list.cursor >= self->n)
		return false;
	f = &self->line[self->list.cursor].f;
	buf_add(&out->name, f->name.p, f->name.len);
	buf_add(&out->value, f->value.p, f->value.len);
	buf_add(&out->text, f->text.p, f->text.len);
	out->raw = f->raw;
	return true;
}

static bool
labels_enter(void *arg, struct view *v)
{
	struct labels	*self = arg;
	struct buf	 term;
	bool		 ok;

	if (!make(self, v) || self->list.cursor >= self->n) {
		view_say(v, "there is no label to filter by");
		return false;
	}
	buf_init(&term);
	ok = field_term(&term, buf_str(&self->line[self->list.cursor].f.name),
	    buf_str(&self->line[self->list.cursor].f.value)) &&
	    view_filter_add(v, buf_str(&term));
	buf_release(&term);
	return ok;
}

static void
labels_release(void *arg)
{
	struct labels	*self = arg;

	for (size_t i = 0; i < LINES_MAX; i++) {
		field_ref_release(&self->ref[i]);
		field_at_release(&self->line[i].f);
		buf_release(&self->line[i].more);
		buf_release(&self->line[i].title);
	}
	buf_release(&self->key);
}

const struct pane_ops	pane_labels = {
	.name = "labels",
	.hints = "open=only next-of-activity copy-field close help",
	.size = sizeof(struct labels),
	.release = labels_release,
	.title = labels_title,
	.draw = labels_draw,
	.move = labels_move,
	.enter = labels_enter,
	.field = labels_field,
	.work = labels_work,
};

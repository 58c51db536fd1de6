/*
 * How many events in the window match the filter and have the activity, the related activity or a
 * V6 label of the selected event: what the details show beside these.
 *
 *	activity	//1/30/2		  214
 *	label.TraceId	4bf92f3577b3...		1,102
 *
 * Invariant: `key` holds the labels that are counted. Another event with the same labels keeps the
 * counts, so moving within an activity counts only once.
 */
#include "ui/pane/labels.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"

#define DEPENDS		(VIEW_INDEX | VIEW_SELECTION)

/* The fields and texts to count. It does not change, since all threads read it, and is retired
   when something else is counted. */
struct label_request {
	struct label_counting	*self;		/* where to merge the counts */
	struct trace		*t;
	struct field_ref	 ref[LABEL_LINES];
	struct buf		 text[LABEL_LINES];
	size_t			 n;
	bool			 ascii;
};

/* ---- lines */

static void
line_add(struct label_counting *self, const struct event *e, const char *field)
{
	struct field_at	*f = &self->line[self->n];

	if (self->n == LABEL_LINES)
		return;
	field_at_clear(f);
	if (!field_at_name(f, self->v, field, e, ROW_UNKNOWN))
		return;
	buf_puts(&f->name, field);
	self->n++;
}

static void
add_label(struct label_counting *self, const struct event *e, const struct label *label)
{
	struct span	key;
	struct buf	name = { 0 };
	bool		twice = false;

	if (!label_name(label, &key))
		return;
	filter_quote_name(&name, "label.", (const char *)key.p, key.len);
	for (size_t i = 0; i < self->n; i++)	/* of a repeated key, the first value is here */
		twice |= strcmp(buf_str(&self->line[i].name), buf_str(&name)) == 0;
	if (!twice)
		line_add(self, e, buf_str(&name));
	buf_release(&name);
}

static void
find_lines(struct label_counting *self, const struct event *e)
{
	struct label	*label = mem_zalloc(LIMIT_LABELS, sizeof *label);
	size_t		 n = trace_labels(self->v->t, e, label, LIMIT_LABELS);

	line_add(self, e, "activity");
	line_add(self, e, "related");
	for (size_t i = 0; i < n; i++)
		add_label(self, e, &label[i]);
	mem_free(label);
}

static void
key_of(struct label_counting *self, struct buf *out)
{
	for (size_t i = 0; i < self->n; i++)
		buf_printf(out, "%s=%s\n", buf_str(&self->line[i].name),
		    buf_str(&self->line[i].value));
}

/* ---- counting */

struct label_counts {
	const struct label_request	*want;
	struct field_reader		*reader;
	struct buf			 text;
	uint64_t			 events[LABEL_LINES];
	struct cell			 cell[LABEL_LINES];
};

static void *
part_begin(void *arg)
{
	struct label_counts	*p = mem_zalloc(1, sizeof *p);

	p->want = arg;
	p->reader = field_reader_new(p->want->t, &field_at_options);
	return p;
}

static bool
is_text(const struct label_counts *p, size_t i)
{
	const struct buf	*want = &p->want->text[i];

	return p->cell[i].kind != CELL_NONE &&
	    spans_equal(span_of_buf(&p->text), span_of_buf(want));
}

/* Get all cells of an event together, so that its labels are looked up once. */
static void
part_add(void *state, const struct pass_batch *b)
{
	struct label_counts	*p = state;

	for (uint32_t k = 0; k < b->n; k++) {
		field_get(p->reader, p->want->ref, p->want->n, &b->ev[b->at[k]], ROW_UNKNOWN,
		    p->cell);
		for (size_t i = 0; i < p->want->n; i++) {
			buf_clear(&p->text);
			cell_text(&p->text, &p->cell[i], p->want->ascii);
			p->events[i] += is_text(p, i);
		}
	}
}

static void
part_free(void *state)
{
	struct label_counts	*p = state;

	field_reader_free(p->reader);
	buf_release(&p->text);
	mem_free(p);
}

static int
part_merge(void *arg, void *state)
{
	struct label_request	*want = arg;

	for (size_t i = 0; i < want->n; i++)
		want->self->events[i] += ((struct label_counts *)state)->events[i];
	return 0;
}

static struct label_request *
wanted_new(struct label_counting *self, struct view *v)
{
	struct label_request	*w = mem_zalloc(1, sizeof *w);
	struct buf		 why = { 0 };

	w->self = self;
	w->t = v->t;
	w->ascii = v->display.ascii;
	w->n = self->n;
	for (size_t i = 0; i < self->n; i++) {
		const struct field_at	*f = &self->line[i];

		(void)field_ref_init(&w->ref[i], f->name.p, f->name.len, &why);
		buf_add(&w->text[i], f->text.p, f->text.len);
	}
	buf_release(&why);
	return w;
}

static void
wanted_end(void *arg)
{
	struct label_request	*w = arg;

	for (size_t i = 0; i < w->n; i++) {
		field_ref_release(&w->ref[i]);
		buf_release(&w->text[i]);
	}
	mem_free(w);
}

static void
begin(struct label_counting *self, struct view *v)
{
	static const struct pass_ops	ops = { .begin = part_begin, .add = part_add,
					    .merge = part_merge, .free = part_free };
	struct label_request		*want = wanted_new(self, v);

	memset(self->events, 0, sizeof self->events);
	counting_begin(&self->counting, v, &(struct counting_request){ .of = COUNT_SHOWN,
	    .ops = &ops, .arg = want, .end = wanted_end, .owned = want });
	self->counting.done = self->n == 0;
}

/* ---- interface */

void
label_counting_release(struct label_counting *self)
{
	counting_release(&self->counting);
	for (size_t i = 0; i < LABEL_LINES; i++)
		field_at_release(&self->line[i]);
	buf_release(&self->key);
}

void
label_counting_follow(struct label_counting *self, struct view *v)
{
	struct event	e;
	struct buf	key = { 0 };

	if (self->v == NULL || view_changed(v, &self->seen, DEPENDS)) {
		self->v = v;
		self->seen = v->changes;
		self->n = 0;
		if (view_selected(v, &e) == 1)
			find_lines(self, &e);
	}
	key_of(self, &key);
	if (counting_follow(&self->counting) || strcmp(buf_str(&key), buf_str(&self->key)) != 0)
		begin(self, v);
	counting_want(&self->counting);
	buf_clear(&self->key);
	buf_add(&self->key, key.p, key.len);
	buf_release(&key);
}

bool
label_counting_get(const struct label_counting *self, struct span field, uint64_t *events)
{
	for (size_t i = 0; i < self->n; i++)
		if (spans_equal(span_of_buf(&self->line[i].name), field)) {
			*events = self->events[i];
			return true;
		}
	return false;
}

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

#include "tnav/base/mem.h"

/* The fields and texts to count. It does not change, since all threads read it, and is retired
   when something else is counted. */
struct label_request {
	struct label_counting	*self;		/* where to merge the counts */
	struct trace		*t;
	struct field_ref	 ref[LABEL_LINES];
	struct buf		 name[LABEL_LINES], text[LABEL_LINES];
	size_t			 n;
	bool			 ascii;
};

static struct span
name_of(const struct details_tree *t, size_t line)
{
	return tree_span(&t->terms, t->v[line].name);
}

bool
tree_is_label(const struct details_tree *t, size_t line)
{
	struct span	name = name_of(t, line);

	return spans_equal(name, span_of("activity")) || spans_equal(name, span_of("related")) ||
	    span_begins(name, "label.");
}

static void
put_key(const struct details_tree *t, struct buf *out)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!tree_is_label(t, i))
			continue;
		buf_span(out, name_of(t, i));
		buf_putc(out, '=');
		buf_span(out, tree_span(&t->terms, t->v[i].value));
		buf_putc(out, '\n');
	}
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
request_new(struct label_counting *self, struct view *v, const struct details_tree *t)
{
	struct label_request	*w = mem_zalloc(1, sizeof *w);
	struct field_at		 f = { 0 };
	struct event		 e;
	bool			 has = view_selected(v, &e) == 1;

	w->self = self;
	w->t = v->t;
	w->ascii = v->display.ascii;
	for (size_t i = 0; has && i < t->n && w->n < LABEL_LINES; i++) {
		struct buf	why = { 0 };

		if (!tree_is_label(t, i))
			continue;
		buf_span(&w->name[w->n], name_of(t, i));
		(void)field_ref_init(&w->ref[w->n], w->name[w->n].p, w->name[w->n].len, &why);
		field_at_clear(&f);
		(void)field_at_ref(&f, v, &w->ref[w->n], &e, ROW_UNKNOWN);
		buf_add(&w->text[w->n++], f.text.p, f.text.len);
		buf_release(&why);
	}
	field_at_release(&f);
	return w;
}

static void
request_end(void *arg)
{
	struct label_request	*w = arg;

	for (size_t i = 0; i < w->n; i++) {
		field_ref_release(&w->ref[i]);
		buf_release(&w->name[i]);
		buf_release(&w->text[i]);
	}
	mem_free(w);
}

static void
begin(struct label_counting *self, struct view *v, const struct details_tree *t)
{
	static const struct pass_ops	ops = { .begin = part_begin, .add = part_add,
					    .merge = part_merge, .free = part_free };
	struct label_request		*want = request_new(self, v, t);

	self->request = want;
	memset(self->events, 0, sizeof self->events);
	counting_begin(&self->counting, v, &(struct counting_request){ .of = COUNT_SHOWN,
	    .ops = &ops, .arg = want, .end = request_end, .owned = want });
	self->counting.done = want->n == 0;
}

/* ---- interface */

void
label_counting_release(struct label_counting *self)
{
	counting_release(&self->counting);
	buf_release(&self->key);
}

void
label_counting_follow(struct label_counting *self, struct view *v, const struct details_tree *t)
{
	struct buf	key = { 0 };

	put_key(t, &key);
	if (counting_follow(&self->counting) || strcmp(buf_str(&key), buf_str(&self->key)) != 0)
		begin(self, v, t);
	counting_want(&self->counting);
	buf_release(&self->key);
	self->key = key;
}

bool
label_counting_get(const struct label_counting *self, struct span field, uint64_t *events)
{
	for (size_t i = 0; i < self->request->n; i++)
		if (spans_equal(span_of_buf(&self->request->name[i]), field)) {
			*events = self->events[i];
			return true;
		}
	return false;
}

/*
 * The values of a field one by one, each as a cell of its own.
 *
 *	list.id		[{"id":300},{"id":7}]	->  U64 300, U64 7
 *	list		[{"id":300},{"id":7}]	->  RAW {"id":300}, RAW {"id":7}
 *	rows		[[1,2],[],[3]]		->  U64 1, U64 2, U64 3
 *
 * Invariant: the values are those that a filter compares, in the same order. The cells of
 * field_get() stay valid.
 */
#include "engine/field/reader.h"
#include "engine/field/span.h"

struct value_visit {
	struct field_reader	*r;
	field_cell_fn		 fn;
	void			*arg;
	int			 result;	/* the first result of fn that is not 0 */
};

static int
give(struct value_visit *x, struct cell *c)
{
	if (x->r->opt.words == WORDS_BARE)
		c->word = (struct span){ NULL, 0 };
	x->result = x->fn(x->arg, c);
	return x->result;
}

/* ---- payloads */

/* A value inside an object that is a value of the field. */
static int
each_nested(struct value_visit *x, const struct value *v)
{
	struct field_slot	*s = &x->r->each;
	struct cell		 c;

	reader_nested(x->r, s, &s->text, v);
	if (s->open > 0)
		return 0;
	c = (struct cell){ .kind = CELL_RAW, .text = span_of_buf(&s->text) };
	return give(x, &c);
}

static int
each_found(struct value_visit *x, const struct value *v)
{
	struct field_slot	*s = &x->r->each;
	struct cell		 c;

	if (v->kind == VK_ARRAY || v->kind == VK_NULL)
		return 0;
	buf_clear(&s->text);
	s->cut = false;
	if (v->kind == VK_OBJECT) {
		reader_nested(x->r, s, &s->text, v);
		return 0;
	}
	field_value_cell(&c, v, x->r->opt.words, &s->text);
	return give(x, &c);
}

static int
each_value(void *arg, const struct value *v)
{
	struct value_visit	*x = arg;

	if (x->r->each.open > 0)
		return each_nested(x, v);
	return v->kind == VK_ARRAY_END ? 0 : each_found(x, v);
}

static void
each_payload(struct value_visit *x, const struct field_ref *f, const struct event *e)
{
	struct field_slot	*s = &x->r->each;
	const struct program	*p = reader_program(x->r, s, f->path, reader_type(x->r, e->type));

	s->open = 0;
	(void)program_walk(p, trace_payload(x->r->t, e), each_value, x);
}

/* ---- labels and stacks */

static void
each_label(struct value_visit *x, const struct field_ref *f, const struct event *e)
{
	struct span		 name = span_of(f->path);
	const struct label_set	*s = reader_labels(x->r, e);
	struct cell		 c;

	for (size_t i = label_find(s, 0, name); i < s->n && x->result == 0;
	    i = label_find(s, i + 1, name)) {
		buf_clear(&x->r->each.text);
		c = label_cell(&s->v[i], &x->r->each.text);
		(void)give(x, &c);
	}
}

static int
give_cell(void *arg, const struct cell *c)
{
	struct value_visit	*x = arg;
	struct cell		 one = *c;

	(void)give(x, &one);
	return x->result;
}

static void
each_frame(struct value_visit *x, const struct event *e)
{
	const uint64_t	*ips;
	size_t		 n = field_stack(x->r, e, &ips);

	for (size_t i = 0; i < n && x->result == 0; i++)
		(void)give(x, &(struct cell){ .kind = CELL_ADDRESS, .u = ips[i] });
}

/* ---- all of them */

static void
each_span(struct value_visit *x, const struct field_ref *f, const struct event *e, uint64_t row)
{
	struct span_info	info[SPANS_AT_EVENT];
	unsigned		n = span_infos(x->r->t, f->def, e, row, info);

	for (unsigned i = 0; i < n && x->result == 0; i++) {
		struct cell	c;

		buf_clear(&x->r->each.text);
		c = span_cell(x->r->t, f->def, &info[i], &x->r->each.text);
		if (c.kind != CELL_NONE)
			(void)give(x, &c);
	}
}

static void
each_header(struct value_visit *x, const struct field_ref *f, const struct event *e, uint64_t row)
{
	struct field_slot	*at = x->r->at;
	struct cell		 c = { .kind = CELL_NONE };

	if (!field_in_trace(f->def, x->r->t))
		return;
	buf_clear(&x->r->each.text);
	buf_clear(&x->r->each.word);
	x->r->at = &x->r->each;
	x->r->event_row = row;
	if (f->def->kind == FIELD_FRAME)
		reader_frame(x->r, e, f->frame, &c);
	else
		f->def->get(x->r, e, &c);
	x->r->at = at;
	if (c.kind != CELL_NONE || c.word.p != NULL)
		(void)give(x, &c);
}

bool
field_is_list(const struct field_ref *f, const struct cell *c)
{
	if ((c->show & SHOW_MANY) != 0)
		return true;
	return c->kind == CELL_RAW && (f->def->kind == FIELD_PAYLOAD ||
	    f->def->kind == FIELD_LABEL || f->def->class == CLASS_STACK ||
	    f->def->class == CLASS_FRAMES);
}

int
field_each(struct field_reader *r, const struct field_ref *f, const struct event *e, uint64_t row,
    field_cell_fn fn, void *arg)
{
	struct value_visit	x = { .r = r, .fn = fn, .arg = arg };

	field_turn(r);
	if (f->def->kind == FIELD_PAYLOAD)
		each_payload(&x, f, e);
	else if (f->def->kind == FIELD_LABEL)
		each_label(&x, f, e);
	else if (f->def->class == CLASS_STACK)
		each_frame(&x, e);
	else if (f->def->class == CLASS_FRAMES)
		(void)reader_frame_names(r, e, frames_are_modules(f->def), give_cell, &x);
	else if (field_is_span(f->def, r->t))
		each_span(&x, f, e, row);
	else
		each_header(&x, f, e, row);
	return x.result;
}

/*
 * The reader of fields: cells of an event by name.
 *
 *	fields	tid     payload.a.x       label.n
 *	slots	[text]  [text, list]      [text]	what each cell borrows
 *		 get()   its program       labels, looked up once
 *
 * Invariant: a cell borrows from the trace, from its own slot, or from the reader's data of the
 * event. So all cells of an event are valid until the next call.
 */
#include <stdio.h>
#include <string.h>

#include "engine/field/delta.h"
#include "engine/field/reader.h"
#include "engine/field/span.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

static inline void
slot_clear(struct field_slot *s)
{
	s->text.len = s->word.len = s->list.len = 0;
	s->open = s->values = 0;
	s->cut = false;
	s->bytes = (struct span){ NULL, 0 };
}

static void
slot_release(struct field_slot *s)
{
	buf_release(&s->text);
	buf_release(&s->word);
	buf_release(&s->list);
}

void
field_turn(struct field_reader *r)
{
	r->has_labels = r->has_decoded = false;
	r->extra = EXTRA_UNKNOWN;
}

/* Prepare slots for n fields of the next event. */
static void
slots_ready(struct field_reader *r, size_t n)
{
	if (n > 0)
		r->slot = array_reach(r->slot, &r->nslots, n - 1, sizeof *r->slot);
	field_turn(r);
	for (size_t i = 0; i < n; i++)
		slot_clear(&r->slot[i]);
}

struct field_reader *
field_reader_new(struct trace *t, const struct field_options *o)
{
	struct field_reader	*r = mem_zalloc(1, sizeof *r);

	r->t = t;
	if (o != NULL)
		r->opt = *o;
	r->who_at = trace_generation(t);
	slots_ready(r, 1);
	return r;
}

void
field_reader_free(struct field_reader *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->nslots; i++)
		slot_release(&r->slot[i]);
	slot_release(&r->each);
	for (size_t i = 0; i < r->nprograms; i++)
		field_programs_release(&r->programs[i]);
	mem_free(r->programs);
	mem_free(r->type);
	reader_row_release(r);
	mem_free(r->slot);
	mem_free(r->who);
	mem_free(r->labels);
	mem_free(r->ips);
	frame_texts_free(r->texts);
	delta_memo_free(r->delta);
	buf_release(&r->decoded);
	mem_free(r);
}

/* ---- labels */

static void
get_label(struct field_reader *r, const struct field_ref *f, const struct event *e,
    struct cell *c)
{
	const struct label_set	*s = reader_labels(r, e);
	struct field_slot	*at = r->at;
	struct span		 key = { (const uint8_t *)f->path, strlen(f->path) };
	size_t			 i = label_find(s, 0, key);

	if (i == s->n)
		return;
	*c = label_cell(&s->v[i], &at->text);
	if (label_find(s, i + 1, key) == s->n)
		return;
	label_values_json(s, &at->list, i, key);
	*c = (struct cell){ .kind = CELL_RAW, .text = span_of_buf(&at->list) };
}

/* ---- values of payloads */

/* A number, with its word from the built-in table. */
static void
number_cell(struct cell *c, const struct value *v, enum field_words words, struct buf *text)
{
	size_t	at = text->len;

	c->kind = v->kind == VK_INT ? CELL_I64 : CELL_U64;
	c->u = v->u;
	if (v->field->flags & FIELD_HEX || v->field->kind == FK_PTR)
		c->show = SHOW_HEX;
	if (v->field->map == NULL || (words != WORDS_ALL && words != WORDS_INSTEAD) ||
	    !value_number_words(text, v))
		return;
	c->word = span_of_buf_from(text, at);
	if (words == WORDS_INSTEAD) {
		c->kind = CELL_TEXT;
		c->text = c->word;
	}
}

/* A value with a special text: a date, or a float that is not a number. */
static void
plain_cell(struct cell *c, const struct value *v, struct buf *text)
{
	size_t	at = text->len;

	value_text(text, v);
	c->kind = CELL_PLAIN;
	c->text = span_of_buf_from(text, at);
}

void
field_value_cell(struct cell *c, const struct value *v, enum field_words words, struct buf *text)
{
	size_t	at = text->len;

	*c = cell_null();
	switch (v->kind) {
	case VK_BOOL:
		c->kind = CELL_BOOL;
		c->u = v->u != 0;
		break;
	case VK_UINT: case VK_INT:
		number_cell(c, v, words, text);
		break;
	case VK_F32: case VK_F64:
		if (v->f - v->f != 0) {		/* JSON has no number for it */
			plain_cell(c, v, text);
			break;
		}
		c->kind = v->kind == VK_F32 ? CELL_F32 : CELL_F64;
		c->f = v->f;
		/* Attributes have no declared type: ".0" shows that a value is a float. */
		if (v->field->kind == FK_HEPH_F64)
			c->show = SHOW_POINT;
		break;
	case VK_GUID:
		c->kind = CELL_GUID;
		c->text = v->bytes;
		break;
	case VK_BYTES:
		c->kind = CELL_BLOB;
		c->text = v->bytes;
		break;
	case VK_TEXT16: case VK_TEXT8:
		value_text(text, v);
		c->kind = CELL_TEXT;
		c->text = span_of_buf_from(text, at);
		break;
	case VK_FILETIME: case VK_SYSTEMTIME:
		plain_cell(c, v, text);
		break;
	case VK_NULL: case VK_OBJECT: case VK_OBJECT_END: case VK_ARRAY: case VK_ARRAY_END:
		break;
	}
}

/* ---- payloads */

struct pick {
	struct field_reader	*r;
	struct field_slot	*s;
	struct cell		*cell;
	struct span		 payload;
};

/* Append a nested value; a comma comes first unless a container has just begun. */
void
reader_nested(const struct field_reader *r, struct field_slot *s, struct buf *b,
    const struct value *v)
{
	bool	opens = v->kind == VK_OBJECT || v->kind == VK_ARRAY;
	bool	end = v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END;
	bool	inside = s->open > 0;

	s->open += opens;
	s->open -= end;
	if (s->cut)
		return;
	if (r->opt.most > 0 && b->len > r->opt.most) {
		buf_puts(b, "\xe2\x80\xa6");
		s->cut = true;
		return;
	}
	if (!end && inside && b->p[b->len - 1] != '{' && b->p[b->len - 1] != '[')
		buf_putc(b, ',');
	if (!end && inside && !v->element) {
		json_text8(b, v->name);
		buf_putc(b, ':');
	}
	if (opens)
		buf_putc(b, v->kind == VK_OBJECT ? '{' : '[');
	else if (end)
		buf_putc(b, v->kind == VK_OBJECT_END ? '}' : ']');
	else
		value_json(b, v, r->opt.words == WORDS_INSTEAD);
}

/* The buffer for a value that is not the first: the list, which begins with the first one. */
static struct buf *
next_in_list(struct field_slot *s, const struct cell *first)
{
	if (s->values == 2) {
		buf_putc(&s->list, '[');
		cell_json(&s->list, first);
	}
	buf_putc(&s->list, ',');
	return &s->list;
}

static void
pick_found(struct pick *k, const struct value *v)
{
	struct field_slot	*s = k->s;
	bool			 first = s->values++ == 0;
	struct buf		*b = first ? &s->text : next_in_list(s, k->cell);

	if (first)
		s->bytes = (struct span){ k->payload.p + v->off, v->len };
	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY)
		reader_nested(k->r, s, b, v);
	else if (first)
		field_value_cell(k->cell, v, k->r->opt.words, b);
	else
		value_json(b, v, k->r->opt.words == WORDS_INSTEAD);
}

/* A value inside a container that is a value of the field. */
static void
pick_nested(struct pick *k, const struct value *v)
{
	struct field_slot	*s = k->s;
	bool			 first = s->values == 1;

	reader_nested(k->r, s, first ? &s->text : &s->list, v);
	if (s->open > 0 || !first)
		return;
	*k->cell = (struct cell){ .kind = CELL_RAW, .text = span_of_buf(&s->text) };
	s->bytes.len = v->len;
}

static int
pick_value(void *arg, const struct value *v)
{
	struct pick	*k = arg;

	if (k->s->open > 0)
		pick_nested(k, v);
	else
		pick_found(k, v);
	return 0;
}

static void
pick(struct field_reader *r, struct field_slot *s, const struct field_ref *f,
    const struct event *e, struct cell *c)
{
	const struct program	*p = reader_program(r, s, f->path, reader_type(r, e->type));
	struct pick		 k = { .r = r, .s = s, .cell = c };

	if (program_absent(p))
		return;
	k.payload = trace_payload(r->t, e);
	(void)program_walk(p, k.payload, pick_value, &k);
	if (s->values < 2)
		return;
	buf_putc(&s->list, ']');
	*c = (struct cell){ .kind = CELL_RAW, .text = span_of_buf(&s->list) };
}

/* ---- all of them */

/* A field of the header, or of spans; the cell is CELL_NONE. */
static void
reader_header(struct field_reader *r, const struct field_def *d, const struct event *e,
    struct cell *c)
{
	if (d->span != NULL && field_is_span(d, r->t))
		get_span(r, d, e, c);
	else
		d->get(r, e, c);
}

void
field_get(struct field_reader *r, const struct field_ref *f, size_t n, const struct event *e,
    uint64_t row, struct cell *cells)
{
	slots_ready(r, n);
	r->event_row = row;
	for (size_t i = 0; i < n; i++) {
		const struct field_def	*d = f[i].def;

		cells[i] = (struct cell){ .kind = CELL_NONE };
		r->at = &r->slot[i];
		if (d->kind == FIELD_PAYLOAD)
			pick(r, r->at, &f[i], e, &cells[i]);
		else if (d->kind == FIELD_LABEL)
			get_label(r, &f[i], e, &cells[i]);
		else if (d->kind == FIELD_FRAME)
			reader_frame(r, e, f[i].frame, &cells[i]);
		else if (d->needs == 0 || field_in_trace(d, r->t))
			reader_header(r, d, e, &cells[i]);
	}
	for (size_t i = 0; i < n && r->opt.words == WORDS_BARE; i++)
		cells[i].word = (struct span){ NULL, 0 };
}

void
field_get_next(struct field_reader *r, const struct field_def *d, bool also,
    const struct event *e, uint64_t row, struct cell *c)
{
	r->at = &r->slot[0];
	r->at->text.len = r->at->word.len = 0;
	r->event_row = row;
	*c = cell_none();
	if (also)
		d->also(r, e, c);
	else
		reader_header(r, d, e, c);
}

void
field_get_header(struct field_reader *r, const struct field_def *d, bool also,
    const struct event *e, uint64_t row, struct cell *c)
{
	field_turn(r);
	field_get_next(r, d, also, e, row, c);
}

struct span
field_bytes(const struct field_reader *r, size_t i)
{
	return r->slot[i].bytes;
}

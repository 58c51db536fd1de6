/*
 * The labels of an event: search by key, and JSON.
 *
 * Invariant: each key is in the JSON once, at its first occurrence, with all its values.
 * Format: doc/tnav.1.in, "JSON LINES".
 */
#include "tnav/engine/label.h"

#include <string.h>

#include "tnav/base/text.h"
#include "tnav/model/value.h"

#define SPAN_ID	8u		/* bytes */

void
labels_load(struct label_set *s, struct trace *t, const struct event *e)
{
	if (e->labels != 0 && e->labels == s->number && e->off > s->after && e->off <= s->to)
		return;
	s->n = 0;
	s->number = 0;
	s->loads++;
	if (e->labels == 0 || !trace_has(t, HAS_LABELS))
		return;
	s->n = trace_labels(t, e, s->v, LIMIT_LABELS);
	if (trace_label_scope(t, e, &s->after, &s->to))
		s->number = e->labels;
}

bool
labels_override(const struct label_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].kind >= LABEL_OPCODE)
			return true;
	return false;
}

bool
label_guid(const struct label *l, size_t n, enum label_kind kind, uint8_t guid[16])
{
	static const uint8_t	none[16];

	for (size_t i = 0; i < n; i++) {
		if (l[i].kind != kind || l[i].text.len != 16 ||
		    memcmp(l[i].text.p, none, 16) == 0)
			continue;
		memcpy(guid, l[i].text.p, 16);
		return true;
	}
	return false;
}

bool
labels_guid(const struct label_set *s, enum label_kind kind, uint8_t guid[16])
{
	return label_guid(s->v, s->n, kind, guid);
}

bool
label_name(const struct label *l, struct span *name)
{
	switch (l->kind) {
	case LABEL_TRACE:
		*name = span_of("TraceId");
		return true;
	case LABEL_SPAN:
		*name = span_of("SpanId");
		return true;
	case LABEL_TEXT: case LABEL_NUMBER:
		*name = l->key;
		return true;
	default:
		return false;
	}
}

size_t
label_find(const struct label_set *s, size_t from, struct span name)
{
	struct span	other;

	for (; from < s->n; from++)
		if (label_name(&s->v[from], &other) && spans_equal(other, name))
			break;
	return from;
}

/* A span id as eight bytes, in the order in which its hex digits are written. */
static struct span
span_id(struct buf *text, uint64_t number)
{
	size_t	at = text->len;

	for (unsigned i = SPAN_ID; i-- > 0;)
		buf_putc(text, (char)(number >> 8 * i));
	return (struct span){ (const uint8_t *)text->p + at, SPAN_ID };
}

struct cell
label_cell(const struct label *l, struct buf *text)
{
	size_t	at = text->len;

	switch (l->kind) {
	case LABEL_NUMBER:
		return cell_i64((int64_t)l->number);
	case LABEL_SPAN:
		return (struct cell){ .kind = CELL_BLOB, .text = span_id(text, l->number) };
	case LABEL_TEXT:
		text_from_utf8(text, l->text);
		return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf_from(text, at) };
	default:
		return (struct cell){ .kind = CELL_BLOB, .text = l->text };
	}
}

static void
put_json(struct buf *out, const struct label *l)
{
	struct cell	c;
	struct buf	text = { 0 };

	c = label_cell(l, &text);
	cell_json(out, &c);
	buf_release(&text);
}

void
label_values_json(const struct label_set *s, struct buf *out, size_t i, struct span name)
{
	size_t	next = label_find(s, i + 1, name);

	if (next == s->n) {
		put_json(out, &s->v[i]);
		return;
	}
	buf_putc(out, '[');
	put_json(out, &s->v[i]);
	for (; next < s->n; next = label_find(s, next + 1, name)) {
		buf_putc(out, ',');
		put_json(out, &s->v[next]);
	}
	buf_putc(out, ']');
}

bool
labels_json(const struct label_set *s, struct buf *out)
{
	struct span	name;
	bool		any = false;

	for (size_t i = 0; i < s->n; i++) {
		if (!label_name(&s->v[i], &name) || label_find(s, 0, name) < i)
			continue;
		buf_putc(out, any ? ',' : '{');
		any = true;
		json_text8(out, name);
		buf_putc(out, ':');
		label_values_json(s, out, i, name);
	}
	if (any)
		buf_putc(out, '}');
	return any;
}

bool
label_text(const struct label *l, struct buf *out)
{
	struct span	name;
	struct cell	c;
	struct buf	text = { 0 };

	if (!label_name(l, &name))
		return false;
	text_from_utf8(out, name);
	buf_putc(out, '=');
	c = label_cell(l, &text);
	cell_text(out, &c, false);
	buf_release(&text);
	return true;
}

void
labels_text(const struct label_set *s, struct buf *out)
{
	struct span	name;
	bool		any = false;

	for (size_t i = 0; i < s->n; i++) {
		if (!label_name(&s->v[i], &name))
			continue;
		buf_puts(out, any ? " " : out->len > 0 ? " [" : "[");
		any = true;
		(void)label_text(&s->v[i], out);
	}
	if (any)
		buf_putc(out, ']');
}

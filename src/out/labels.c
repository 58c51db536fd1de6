/*
 * The labels of an event: one object in JSON, words in text, cells by key.
 *
 *	TRACE 16 bytes, TEXT phase one, NUMBER n 1, NUMBER n 2, OPCODE 42
 *	  ->  {"TraceId":"0102...","phase":"one","n":[1,2]}
 *
 * Activity ids and what overrides a header field have their places among the header fields, and
 * are not said again here. doc/tnav.1, "JSON LINES".
 */
#include <string.h>

#include "out/event_private.h"
#include "tnav/model/value.h"

void
labels_load(struct event_out *x, const struct event *e)
{
	x->nlabels = 0;
	if (x->labelled && e->labels != 0)
		x->nlabels = trace_labels(x->t, e, x->label, LIMIT_LABELS);
}

bool
labels_override(const struct event_out *x)
{
	for (size_t i = 0; i < x->nlabels; i++)
		if (x->label[i].kind >= LABEL_OPCODE)
			return true;
	return false;
}

static struct span
span_of(const char *s)
{
	return (struct span){ (const uint8_t *)s, strlen(s) };
}

/* False: the label has no name of its own. */
static bool
label_name(const struct label *l, struct span *name)
{
	switch (l->kind) {
	case LABEL_TRACE:
		*name = span_of("TraceId");
		return true;
	case LABEL_SPAN:
		*name = span_of("SpanId");
		return true;
	case LABEL_TEXT:
	case LABEL_NUMBER:
		*name = l->key;
		return true;
	default:
		return false;
	}
}

/* The first label from .. to - 1 of that name; to if there is none. */
static size_t
label_find(const struct event_out *x, size_t from, size_t to, struct span name)
{
	struct span	other;

	for (size_t i = from; i < to; i++)
		if (label_name(&x->label[i], &other) && other.len == name.len &&
		    (name.len == 0 || memcmp(other.p, name.p, name.len) == 0))
			return i;
	return to;
}

/* Ids as hex digits, numbers as they are, texts as JSON has them, or bare. */
static void
put_label(struct buf *out, const struct label *l, bool json)
{
	const char	*quote = json && l->kind != LABEL_NUMBER ? "\"" : "";

	if (l->kind == LABEL_TEXT && json) {
		json_text8(out, l->text);
		return;
	}
	buf_puts(out, quote);
	if (l->kind == LABEL_TEXT)
		text_from_utf8(out, l->text);
	else if (l->kind == LABEL_NUMBER)
		buf_i64(out, (int64_t)l->number);
	else if (l->kind == LABEL_SPAN)
		buf_hex(out, l->number, 16);
	else
		buf_bytes_hex(out, l->text.p, l->text.len);
	buf_puts(out, quote);
}

/* All values of the name, the first of which is the label i: one, or an array. */
static void
put_values(struct event_out *x, struct buf *out, size_t i, struct span name)
{
	size_t	n = x->nlabels, next = label_find(x, i + 1, n, name);

	if (next == n) {
		put_label(out, &x->label[i], true);
		return;
	}
	buf_putc(out, '[');
	put_label(out, &x->label[i], true);
	for (; next < n; next = label_find(x, next + 1, n, name)) {
		buf_putc(out, ',');
		put_label(out, &x->label[next], true);
	}
	buf_putc(out, ']');
}

bool
labels_json(struct event_out *x, struct buf *out)
{
	struct span	name;
	bool		any = false;

	for (size_t i = 0; i < x->nlabels; i++) {
		if (!label_name(&x->label[i], &name) || label_find(x, 0, i, name) < i)
			continue;
		buf_putc(out, any ? ',' : '{');
		any = true;
		json_text8(out, name);
		buf_putc(out, ':');
		put_values(x, out, i, name);
	}
	if (any)
		buf_putc(out, '}');
	return any;
}

void
labels_text(struct event_out *x, struct buf *out)
{
	struct span	name;
	bool		any = false;

	for (size_t i = 0; i < x->nlabels; i++) {
		if (!label_name(&x->label[i], &name))
			continue;
		buf_puts(out, any ? " " : out->len > 0 ? " [" : "[");
		any = true;
		text_from_utf8(out, name);
		buf_putc(out, '=');
		put_label(out, &x->label[i], false);
	}
	if (any)
		buf_putc(out, ']');
}

struct cell
label_cell(struct event_out *x, const char *key, struct buf *text)
{
	struct span	name = span_of(key);
	size_t		i = label_find(x, 0, x->nlabels, name);

	if (i == x->nlabels)
		return (struct cell){ .kind = CELL_NONE };
	if (label_find(x, i + 1, x->nlabels, name) < x->nlabels) {
		put_values(x, text, i, name);
		return cell_raw(text->p, text->len);
	}
	if (x->label[i].kind == LABEL_NUMBER)
		return cell_i64((int64_t)x->label[i].number);
	put_label(text, &x->label[i], false);
	return (struct cell){ .kind = CELL_TEXT,
	    .text = { (const uint8_t *)text->p, text->len } };
}

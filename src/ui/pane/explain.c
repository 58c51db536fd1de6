/*
 * An explanation of the selected event: its type, its fields, and the source of the description.
 *
 *	raw	label TAB text of any length LF		the texts
 *	text	label TAB text LF			the same in lines of the pane's width
 *		TAB its second line LF
 *
 * Invariant: all lines of the text are made here: names of the trace are cleaned before they are
 * added, so they contain no line ends.
 */
#include <string.h>

#include "tnav/base/regex.h"
#include "tnav/base/text.h"
#include "tnav/model/docs.h"
#include "tnav/model/keywords.h"
#include "tnav/model/value.h"
#include "ui/draw/canvas.h"
#include "ui/pane/pane.h"

#define LABEL_W	14		/* least width; a longer label has a line of its own */
#define MARGIN	2
#define ROOM	10		/* least width of a text */
#define DEPTH	4u		/* of nested objects */

struct explain {
	struct list	list;
	struct buf	raw, text;
	int		w, label_w;	/* widths of the pane and of the labels */
};

static const char *
kind_words(enum field_kind k)
{
	static const char *const	words[FK_KINDS] = {
		[FK_BOOL8] = "boolean", [FK_BOOL32] = "boolean", [FK_CHAR16] = "character",
		[FK_CHAR8] = "character", [FK_U8] = "8-bit number", [FK_I8] = "signed 8-bit number",
		[FK_U16] = "16-bit number", [FK_I16] = "signed 16-bit number",
		[FK_U32] = "32-bit number", [FK_I32] = "signed 32-bit number",
		[FK_U64] = "64-bit number", [FK_I64] = "signed 64-bit number", [FK_PTR] = "address",
		[FK_F32] = "32-bit float", [FK_F64] = "64-bit float", [FK_GUID] = "GUID",
		[FK_DATETIME] = "date and time", [FK_DECIMAL] = "decimal",
		[FK_VARU] = "number", [FK_VARI] = "signed number", [FK_UTF16Z] = "text",
		[FK_UTF8Z] = "text", [FK_STR16] = "text", [FK_BYTES] = "bytes",
		[FK_PAD] = "padding", [FK_OBJECT] = "object", [FK_HEPH_U64] = "64-bit number",
		[FK_HEPH_I64] = "signed 64-bit number", [FK_HEPH_F64] = "64-bit float",
		[FK_HEPH_STR] = "text", [FK_ATTRIBUTES] = "attributes: each with its name and type",
	};

	return words[k] != NULL ? words[k] : "value";
}

/* A text of the trace, as part of a line. */
static void
put_name(struct buf *out, const char *name, bool ascii)
{
	(void)text_clean(out, span_of(name), ascii ? TEXT_ASCII : TEXT_UTF8, SIZE_MAX);
}

static void
put_field(struct buf *out, const struct field *f, unsigned depth, bool ascii)
{
	buf_printf(out, "%*s", (int)(2 * depth), "");
	put_name(out, f->name, ascii);
	buf_putc(out, '\t');
	if (f->array != AK_NONE)
		buf_puts(out, f->flags & FIELD_TEXT ? "text of " : "array of ");
	buf_puts(out, kind_words(f->kind));
	if (f->map != NULL)
		buf_printf(out, ", %s%s", f->map->bits ? "a combination of " : "", f->map->name);
	if (f->flags & (FIELD_OPTIONAL | FIELD_IF_FITS))
		buf_puts(out, " (may be absent)");
	buf_putc(out, '\n');
	for (uint32_t i = 0; f->map != NULL && i < f->map->n; i++) {
		buf_puts(out, "\t  ");
		value_name_text(out, f, i);
		buf_putc(out, '\n');
	}
	for (uint32_t i = 0; i < f->nfields && depth < DEPTH; i++)
		put_field(out, &f->fields[i], depth + 1, ascii);
}

/* A line, unless it is empty. */
static void
put_line(struct buf *out, const char *label, const char *text, bool ascii)
{
	if (text == NULL)
		return;
	buf_printf(out, "%s\t", label);
	put_name(out, text, ascii);
	buf_putc(out, '\n');
}

static void
put_span(struct buf *out, const char *label, struct span text, bool ascii)
{
	buf_printf(out, "%s\t", label);
	(void)text_clean(out, text, ascii ? TEXT_ASCII : TEXT_UTF8, SIZE_MAX);
	buf_putc(out, '\n');
}

/* The texts of the built-in table for the event and its keywords. */
static void
put_words(struct buf *out, const struct event_type *ty, bool ascii)
{
	const char		*at = NULL;
	struct event_doc	 doc;
	struct keyword		 k;

	if (doc_find(ty, &doc))
		put_span(out, "means", doc.text, ascii);
	while (keyword_next_of(&at, ty->provider, ty->keywords, &k)) {
		buf_puts(out, "keyword\t");
		buf_add(out, k.name.p, k.name.len);
		buf_puts(out, ": ");
		buf_add(out, k.text.p, k.text.len);
		buf_putc(out, '\n');
	}
}

/* The value of a header field, if all events of the type have the same one. */
static void
put_header(struct buf *out, struct view *v, const struct event_type *ty, const char *name)
{
	const struct event	any = { .type = ty->index, .thread = EVENT_NONE,
				    .capture = EVENT_NONE };
	struct field_at		f;

	field_at_init(&f);
	if (field_at_name(&f, v, name, &any, ROW_UNKNOWN))
		put_line(out, name, buf_str(&f.text), v->display.ascii);
	field_at_release(&f);
}

static void
put_type(struct buf *out, struct view *v, const struct event_type *ty)
{
	static const char *const	header[] = {
		"name", "event", "provider", "id", "version", "level", "opcode", "keywords",
	};

	for (size_t i = 0; i < sizeof header / sizeof *header; i++)
		put_header(out, v, ty, header[i]);
	put_words(out, ty, v->display.ascii);
	put_line(out, "task", ty->task_word, v->display.ascii);
	put_line(out, "description", ty->description, v->display.ascii);
	put_line(out, "message", ty->message, v->display.ascii);
	put_line(out, "decoded with", schema_source_words(ty->source), v->display.ascii);
	if (ty->missing)
		buf_puts(out, "\tthe trace has no metadata for these events\n");
	buf_puts(out, "\n");
	for (uint32_t i = 0; i < ty->nfields; i++)
		put_field(out, &ty->fields[i], 0, v->display.ascii);
	if (ty->nfields == 0)
		buf_puts(out, "\tno fields: the payload is shown as bytes\n");
}

/* Wrap one line of raw. */
static void
wrap(struct explain *self, struct span label, struct span s, enum text_mode mode)
{
	size_t	indent = 0, n, room;
	int	w = self->w - MARGIN - self->label_w;

	while (indent < s.len && s.p[indent] == ' ')
		indent++;
	room = w > ROOM ? (size_t)w : ROOM;
	room = indent + ROOM < room ? room - indent : ROOM;
	s = (struct span){ s.p + indent, s.len - indent };
	buf_add(&self->text, label.p, label.len);
	if (label.len > 0 && s.len > 0 && text_width(label, mode) >= (size_t)self->label_w)
		buf_putc(&self->text, '\n');
	do {
		n = text_line(s, mode, room);
		buf_printf(&self->text, "\t%*s", (int)indent, "");
		buf_add(&self->text, s.p, n);
		buf_putc(&self->text, '\n');
		s = text_rest(s, n);
	} while (s.len > 0);
}

static bool
next_line(const char **p, struct span *label, struct span *text)
{
	size_t	len = strcspn(*p, "\n"), tab = strcspn(*p, "\t\n");

	*label = (struct span){ (const uint8_t *)*p, tab };
	*text = (struct span){ label->p + tab + (tab < len), len - tab - (tab < len) };
	*p += len + ((*p)[len] == '\n');
	return len > 0 || **p != '\0';
}

/* Labels are as wide as the widest, up to half of the pane's width. */
static void
wrap_all(struct explain *self, enum text_mode mode)
{
	const char	*p = buf_str(&self->raw);
	struct span	 label, text;
	size_t		 widest = LABEL_W - 1;

	while (next_line(&p, &label, &text))
		widest = text_width(label, mode) > widest ? text_width(label, mode) : widest;
	if (widest >= (size_t)self->w / 2)
		widest = self->w > 2 * LABEL_W ? (size_t)self->w / 2 - 1 : LABEL_W - 1;
	self->label_w = (int)widest + 1;
	buf_clear(&self->text);
	p = buf_str(&self->raw);
	while (next_line(&p, &label, &text))
		wrap(self, label, text, mode);
}

static void
make(struct explain *self, struct view *v)
{
	struct event	e;

	buf_clear(&self->raw);
	if (view_selected(v, &e) == 1)
		put_type(&self->raw, v, trace_type(v->t, e.type));
	else
		buf_puts(&self->raw, "\tno event is selected\n");
	wrap_all(self, v->display.ascii ? TEXT_ASCII : TEXT_UTF8);
}

/* The label is the part of the line before the tab. */
static void
draw_line(const struct explain *self, struct canvas *c, struct rect r, int y, struct span s,
    size_t label)
{
	int	x = r.x + MARGIN;

	(void)canvas_text(c, y, x, r.w - MARGIN, ST_DIM, (struct span){ s.p, label });
	x += self->label_w;
	if (label < s.len)
		(void)canvas_text(c, y, x, r.x + r.w - x, ST_NORMAL,
		    (struct span){ s.p + label + 1, s.len - label - 1 });
}

static void
explain_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct explain	*self = arg;
	const char	*s;
	uint64_t	 n = 0, i = 0;

	(void)focus;
	self->w = r.w;
	make(self, v);
	for (s = buf_str(&self->text); *s != '\0'; s++)
		n += *s == '\n';
	self->list.scrolls = true;
	list_fit(&self->list, n, r.h);
	for (s = buf_str(&self->text); *s != '\0'; i++) {
		size_t	len = strcspn(s, "\n"), label = strcspn(s, "\t\n");
		int	y = r.y + (int)(i - self->list.top);

		if (i >= self->list.top && y < r.y + r.h)
			draw_line(self, c, r, y, (struct span){ (const uint8_t *)s, len }, label);
		s += len + (s[len] == '\n');
	}
}

static void
explain_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	(void)v;
	(void)right;
	buf_puts(left, "q closes");
}

static bool
explain_move(void *arg, struct view *v, struct move m)
{
	(void)v;
	return list_move(&((struct explain *)arg)->list, m);
}

static struct list *
explain_list(void *arg, struct view *v)
{
	(void)v;
	return &((struct explain *)arg)->list;
}

static bool
explain_matches(void *arg, struct view *v, uint64_t line, const struct regex *re,
    struct regex_match *m)
{
	const char	*s = buf_str(&((struct explain *)arg)->text);

	(void)v;
	for (; line > 0 && *s != '\0'; line--)
		s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n');
	return regex_find(re, m, (struct span){ (const uint8_t *)s, strcspn(s, "\n") }, 0, NULL,
	    NULL) == 1;
}

static void
explain_release(void *arg)
{
	struct explain	*self = arg;

	buf_release(&self->raw);
	buf_release(&self->text);
}

const struct pane_ops	pane_explain = {
	.name = "explain",
	.hints = "close help",
	.size = sizeof(struct explain),
	.release = explain_release,
	.title = explain_title,
	.draw = explain_draw,
	.move = explain_move,
	.list = explain_list,
	.matches = explain_matches,
};

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

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/model/docs.h"
#include "tnav/model/keywords.h"
#include "tnav/model/value.h"
#include "ui/pane/table_parts.h"

#define WIDTH	80		/* until it is known */
#define LABEL_W	14		/* least width; a longer label has a line of its own */
#define ROOM	10		/* least width of a text */
#define DEPTH	4u		/* of nested objects */

enum { LABEL, TEXT, EXPLAIN_COLUMNS };

static const struct table_column	columns[EXPLAIN_COLUMNS] = {
	[LABEL] = { .name = "field", .kind = CELL_TEXT, .tone = TONE_DIM },
	[TEXT] = { .name = "text", .kind = CELL_TEXT, .width = ROOM, .most = -1 },
};

struct explain {
	struct table_pane	 p;
	struct table_column	 column[EXPLAIN_COLUMNS];
	struct buf		 raw, text;
	size_t			*line;		/* by row: where it begins in text */
	size_t			 n, cap, round;
	int			 w;		/* width for which text was made */
	size_t			 label_w;
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
	struct field_at		f = { 0 };

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

/* A line of the text: at its end the next one begins. */
static void
add_line(struct explain *self)
{
	buf_putc(&self->text, '\n');
	self->line = mem_grow(self->line, &self->cap, self->n + 2, sizeof *self->line);
	self->line[self->n++ + 1] = self->text.len;
}

/* Wrap one line of raw. */
static void
wrap(struct explain *self, struct span label, struct span s, enum text_mode mode)
{
	size_t	indent = 0, n, room, beside = MARGIN + self->label_w + BETWEEN;

	while (indent < s.len && s.p[indent] == ' ')
		indent++;
	room = (size_t)self->w > beside + ROOM + indent ? (size_t)self->w - beside - indent : ROOM;
	s = (struct span){ s.p + indent, s.len - indent };
	buf_add(&self->text, label.p, label.len);
	if (label.len > 0 && s.len > 0 && text_width(label, mode) > self->label_w)
		add_line(self);
	do {
		n = text_line(s, mode, room);
		buf_printf(&self->text, "\t%*s", (int)indent, "");
		buf_add(&self->text, s.p, n);
		add_line(self);
		s = text_rest(s, n);
	} while (s.len > 0);
}

/* The two parts of a line, and its length. */
static size_t
parts_of(const char *line, struct span *label, struct span *text)
{
	size_t	len = strcspn(line, "\n"), tab = strcspn(line, "\t\n");

	*label = (struct span){ (const uint8_t *)line, tab };
	*text = (struct span){ label->p + tab + (tab < len), len - tab - (tab < len) };
	return len;
}

/* Labels are as wide as the widest, up to half of the pane's width. */
static void
wrap_all(struct explain *self, enum text_mode mode)
{
	size_t		half = (size_t)self->w / 2, len;
	struct span	label, text;

	self->label_w = LABEL_W;
	for (const char *p = buf_str(&self->raw); *p != '\0'; p += len + (p[len] == '\n')) {
		len = parts_of(p, &label, &text);
		if (text_width(label, mode) > self->label_w)
			self->label_w = text_width(label, mode);
	}
	if (self->label_w > half)
		self->label_w = half > LABEL_W ? half : LABEL_W;
	buf_clear(&self->text);
	self->line = mem_grow(self->line, &self->cap, 1, sizeof *self->line);
	self->line[0] = self->n = 0;
	for (const char *p = buf_str(&self->raw); *p != '\0'; p += len + (p[len] == '\n')) {
		len = parts_of(p, &label, &text);
		wrap(self, label, text, mode);
	}
}

static void
make(struct explain *self, struct view *v, int w)
{
	struct event	e;

	if (!table_pane_stale(&self->p, VIEW_INDEX | VIEW_SELECTION) && self->w == w)
		return;
	self->w = w;
	self->round++;
	buf_clear(&self->raw);
	if (view_selected(v, &e) == 1)
		put_type(&self->raw, v, trace_type(v->t, e.type));
	else
		buf_puts(&self->raw, "\tno event is selected\n");
	wrap_all(self, v->display.ascii ? TEXT_ASCII : TEXT_UTF8);
}

static void
explain_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct explain	*self = src;
	struct span	 part[EXPLAIN_COLUMNS];

	(void)parts_of(buf_str(&self->text) + self->line[row], &part[LABEL], &part[TEXT]);
	*out = (struct cell){ .kind = CELL_TEXT, .text = part[col] };
}

static const struct table *
explain_table(void *arg, struct view *v)
{
	struct explain	*self = arg;

	make(self, v, self->p.w > 0 ? self->p.w : WIDTH);
	memcpy(self->column, columns, sizeof columns);
	self->column[LABEL].width = self->column[LABEL].most = (int)self->label_w;
	self->p.bare = self->p.steady = self->p.list.scrolls = true;
	self->p.t = (struct table){ .column = self->column, .ncolumns = EXPLAIN_COLUMNS,
	    .nrows = self->n, .stamp = self->round, .rows_stamp = self->round, .src = self,
	    .cell = explain_cell };
	return &self->p.t;
}

static void
explain_release(void *arg)
{
	struct explain	*self = arg;

	buf_release(&self->raw);
	buf_release(&self->text);
	mem_free(self->line);
}

const struct pane_ops	pane_explain = {
	.hints = "search close help",
	.size = sizeof(struct explain),
	.release = explain_release,
	.caption = "q closes",
	.table = explain_table,
	.draw = table_pane_draw,
	.move = table_pane_move,
};

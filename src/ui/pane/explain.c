/*
 * What the thing under the cursor is: the kind of the event, what its fields are, and who says so.
 */
#include <string.h>

#include "tnav/model/keywords.h"
#include "ui/pane/pane.h"

#define LABEL_W	14
#define DEPTH	4u		/* of objects inside objects */

struct explain {
	struct list	list;
	struct buf	text;		/* label TAB text LF ... */
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
		[FK_UTF8Z] = "text", [FK_STR16] = "text", [FK_BYTES] = "bytes", [FK_PAD] = "filler",
		[FK_OBJECT] = "object", [FK_HEPH_U64] = "64-bit number",
		[FK_HEPH_I64] = "signed 64-bit number", [FK_HEPH_F64] = "64-bit float",
		[FK_HEPH_STR] = "text", [FK_ATTRIBUTES] = "attributes: each with its name and type",
	};

	return words[k] != NULL ? words[k] : "value";
}

static void
put_field(struct buf *out, const struct field *f, unsigned depth)
{
	buf_printf(out, "%*s%s\t", (int)(2 * depth), "", f->name);
	if (f->array != AK_NONE)
		buf_puts(out, f->flags & FIELD_TEXT ? "text of " : "array of ");
	buf_puts(out, kind_words(f->kind));
	if (f->map != NULL)
		buf_printf(out, ", %s%s", f->map->bits ? "a sum of " : "", f->map->name);
	if (f->flags & (FIELD_OPTIONAL | FIELD_IF_FITS))
		buf_puts(out, " (may be absent)");
	buf_putc(out, '\n');
	for (uint32_t i = 0; f->map != NULL && i < f->map->n; i++)
		buf_printf(out, "\t  %llu %s\n", (unsigned long long)f->map->values[i].value,
		    f->map->values[i].name);
	for (uint32_t i = 0; i < f->nfields && depth < DEPTH; i++)
		put_field(out, &f->fields[i], depth + 1);
}

static void
put_type(struct buf *out, const struct event_type *ty)
{
	const char	*level = level_name(ty->level);

	buf_printf(out, "event\t%s%s%s%s\n", ty->name, ty->event != NULL ? " (" : "",
	    ty->event != NULL ? ty->event : "", ty->event != NULL ? ")" : "");
	buf_printf(out, "provider\t%s\n", ty->provider);
	buf_printf(out, "id\t%u, version %u\n", ty->id, ty->version);
	buf_printf(out, "level\t%u %s\n", ty->level, level != NULL ? level : "");
	if (ty->has_opcode || ty->opcode_word != NULL)
		buf_printf(out, "opcode\t%u %s\n", ty->opcode,
		    ty->opcode_word != NULL ? ty->opcode_word : "");
	if (ty->task_word != NULL)
		buf_printf(out, "task\t%s\n", ty->task_word);
	buf_printf(out, "keywords\t0x%llx", (unsigned long long)ty->keywords);
	keyword_words(out, ty->provider, ty->keywords);
	buf_putc(out, '\n');
	if (ty->description != NULL)
		buf_printf(out, "description\t%s\n", ty->description);
	if (ty->message != NULL)
		buf_printf(out, "message\t%s\n", ty->message);
	buf_printf(out, "fields by\t%s\n", schema_source_words(ty->source));
	if (ty->missing)
		buf_puts(out, "\tthe trace has such events but does not say what they are\n");
	buf_puts(out, "\n");
	for (uint32_t i = 0; i < ty->nfields; i++)
		put_field(out, &ty->fields[i], 0);
	if (ty->nfields == 0)
		buf_puts(out, "\tit has no fields: the payload is shown as bytes\n");
}

static void
make(struct explain *self, struct view *v)
{
	struct event	e;

	buf_clear(&self->text);
	if (view_selected(v, &e) == 1)
		put_type(&self->text, trace_type(v->t, e.type));
	else
		buf_puts(&self->text, "\tno event is selected\n");
}

/* The first bytes of the line, up to its tab, are its label. */
static void
draw_line(struct canvas *c, struct rect r, int y, struct span s, size_t label)
{
	int	x = r.x + 2;
	int	w = canvas_text(c, y, x, r.w - 2, ST_DIM, (struct span){ s.p, label });

	x += w < LABEL_W ? LABEL_W : w + 1;
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
	make(self, v);
	for (s = buf_str(&self->text); *s != '\0'; s++)
		n += *s == '\n';
	self->list.scrolls = true;
	list_fit(&self->list, n, r.h);
	for (s = buf_str(&self->text); *s != '\0'; i++) {
		size_t	len = strcspn(s, "\n"), label = strcspn(s, "\t\n");
		int	y = r.y + (int)(i - self->list.top);

		if (i >= self->list.top && y < r.y + r.h)
			draw_line(c, r, y, (struct span){ (const uint8_t *)s, len }, label);
		s += len + (s[len] == '\n');
	}
}

static void
explain_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	(void)v;
	(void)right;
	buf_puts(left, "what the event is; q closes");
}

static bool
explain_move(void *arg, struct view *v, struct move m)
{
	(void)v;
	return list_move(&((struct explain *)arg)->list, m);
}

static void
explain_release(void *arg)
{
	buf_release(&((struct explain *)arg)->text);
}

const struct pane_ops	pane_explain = {
	.name = "explain",
	.hints = "close help",
	.size = sizeof(struct explain),
	.release = explain_release,
	.title = explain_title,
	.draw = explain_draw,
	.move = explain_move,
};

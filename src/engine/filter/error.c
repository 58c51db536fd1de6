/*
 * The first error of an expression, or one warning, and its place.
 *
 *	provider = Kestrl		unknown provider "Kestrl" (near: Kestrel)
 *	           ^ column
 *
 * Invariant: the text is clean and short, whatever the expression contains.
 */
#include <stdarg.h>

#include "engine/filter/parse.h"
#include "tnav/base/err.h"
#include "tnav/base/text.h"

void
filter_error_release(struct filter_error *e)
{
	buf_release(&e->text);
}

size_t
filter_error_column(const struct filter_error *e, const char *text)
{
	size_t	column = 1;

	for (size_t i = 0; i < e->column && text[i] != '\0'; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return column;
}

static void __attribute__((format(printf, 3, 0)))
set_error(struct filter_error *e, size_t column, const char *fmt, va_list ap)
{
	struct buf	b = { 0 };

	buf_vprintf(&b, fmt, ap);
	e->column = column;
	buf_clear(&e->text);
	(void)text_clean(&e->text, span_of_buf(&b), TEXT_UTF8, 200);
	buf_release(&b);
}

bool
parse_fail(struct parser *p, int err, size_t column, const char *fmt, ...)
{
	va_list	ap;

	if (p->result != ERR_OK)
		return false;
	p->result = err;
	va_start(ap, fmt);
	set_error(p->err, column, fmt, ap);
	va_end(ap);
	return false;
}

void
parse_note(struct parser *p, size_t column, const char *fmt, ...)
{
	va_list	ap;

	if (p->result != ERR_OK || p->err->text.len > 0 || p->t == NULL)
		return;
	va_start(ap, fmt);
	set_error(p->err, column, fmt, ap);
	va_end(ap);
}

/* Does the caller know that the trace lacks the name there? */
static bool
is_skipped(const struct filter_error *e, size_t column)
{
	size_t	i = 0;

	while (i < e->nskip && e->skip[i] != column)
		i++;
	return i < e->nskip;
}

bool
parse_complain(struct parser *p, size_t column, struct buf *text)
{
	bool	good = true;

	if (is_skipped(p->err, column))
		good = true;
	else if (p->strict)
		good = parse_fail(p, ERR_USAGE, column, "%s", buf_str(text));
	else
		parse_note(p, column, "%s", buf_str(text));
	buf_release(text);
	return good;
}

bool
parse_unknown(struct parser *p, size_t column, enum name_kind kind, const char *what,
    const char *name)
{
	struct buf	b = { 0 };

	if (!p->strict && p->err->text.len > 0)
		return true;	/* one warning is enough */
	buf_printf(&b, "unknown %s \"%s\"%s", what, name,
	    trace_index_done(p->t) ? "" : " so far");
	names_near(&b, p->t, kind, name);
	return parse_complain(p, column, &b);
}

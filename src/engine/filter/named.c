/*
 * Fields that are named outside an expression, checked as in an expression. Unknown ones are
 * refused, so that a misspelt name is not mistaken for a field that no event has; a field that no
 * event has is reported.
 *
 *	-e Reson,dur  ->  has payload.Reson or has dur  ->  unknown field "Reson" (near: Reason)
 */
#include <string.h>

#include "engine/filter/ast.h"

/* Add "has FIELD"; nothing for fields that all events have, or that only dump uses. */
static void
put_question(struct buf *out, const struct field_ref *f)
{
	const struct field_def	*d = f->def;
	const char		*path = f->path;

	if (d->flags & (FIELD_DUMP | FIELD_ZERO))
		return;
	buf_puts(out, out->len > 0 ? " or has " : "has ");
	if (d->kind == FIELD_HEADER)
		buf_puts(out, d->name);
	else if (d->kind == FIELD_FRAME)
		buf_puts(out, path);
	else
		filter_quote_name(out, d->kind == FIELD_LABEL ? "label." : "payload.", path,
		    strlen(path));
}

int
filter_check_fields(struct trace *t, const struct field_list *l, bool strict,
    struct filter_error *err)
{
	struct filter	*f = NULL;
	struct buf	 text = { 0 };
	int		 r = 0;

	for (size_t i = 0; i < l->n; i++)
		put_question(&text, &l->v[i]);
	if (text.len > 0 && trace_rows(t) > 0)
		r = filter_new(&f, text.p, text.len, t, strict, 0, err);
	filter_free(f);
	buf_release(&text);
	return r;
}

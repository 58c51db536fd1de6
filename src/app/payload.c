/*
 * The fields that the command line names: unknown ones are refused, so that a misspelt name is not
 * taken for a field that no event happens to have; those that no event has are told.
 *
 *	-e Reson,dur  ->  has payload.Reson or has dur  ->  no field "Reson" (near: Reason)
 */
#include "app/payload.h"

#include <string.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/engine/filter.h"
#include "tnav/out/message.h"

/* Add what asks for the field; nothing for what is always there, or made for dump. */
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
	else
		filter_quote_name(out, d->kind == FIELD_LABEL ? "label." : "payload.", path,
		    strlen(path));
}

int
run_check_fields(struct run *s, const struct field_list *l, const char *option)
{
	struct filter_error	 e;
	struct filter		*f = NULL;
	struct buf		 text;
	int			 err = 0;

	if (trace_rows(s->t) == 0)
		return 0;
	filter_error_init(&e);
	buf_init(&text);
	for (size_t i = 0; i < l->n; i++)
		put_question(&text, &l->v[i]);
	if (text.len > 0)
		err = filter_new(&f, text.p, text.len, s->t, true, 0, &e);
	if (e.text.len > 0)
		message_put("%s: %s", option, buf_str(&e.text));
	else if (err < 0)
		message_put("%s: %s", option, err_text(err));
	filter_free(f);
	buf_release(&text);
	filter_error_release(&e);
	return err < 0 ? EXIT_USAGE : 0;
}

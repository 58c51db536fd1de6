/*
 * Payload fields on the command line: unknown ones are refused, those that no event has are
 * reported.
 */
#include "app/payload.h"

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/engine/filter.h"
#include "tnav/out/message.h"

/* Of several files, each judges the list; one without events says nothing about names. */
static struct missing_names *
begin_names(struct run *s, const struct field_list *l, const char *option)
{
	struct missing_names	*names;
	struct buf		 of = { 0 };

	if (!s->many || trace_rows(s->t) == 0)
		return NULL;
	buf_puts(&of, option);
	for (size_t i = 0; i < l->n; i++)
		buf_printf(&of, " %s", l->names[i]);
	names = missing_begin(&s->filters.missing, buf_str(&of));
	buf_release(&of);
	return names;
}

static bool
skip_name(struct missing_names *names, const char *option, struct filter_error *e)
{
	struct buf	why = { 0 };
	bool		skipped;

	buf_printf(&why, "%s: %s", option, buf_str(&e->text));
	skipped = missing_skip(names, e, buf_str(&why));
	buf_release(&why);
	return skipped;
}

int
run_check_fields(struct run *s, const struct field_list *l, const char *option)
{
	struct missing_names	*names = begin_names(s, l, option);
	struct filter_error	 e = { 0 };
	int			 err;

	do
		err = filter_check_fields(s->t, l, true, &e);
	while (err < 0 && names != NULL && skip_name(names, option, &e));
	if (e.text.len > 0)
		message_put("%s%s: %s", buf_str(&s->where), option, buf_str(&e.text));
	else if (err < 0)
		message_put("%s%s: %s", buf_str(&s->where), option, err_text(err));
	filter_error_release(&e);
	if (err >= 0)
		(void)run_need(s, field_list_needs(l, s->t));
	return err < 0 ? EXIT_USAGE : 0;
}

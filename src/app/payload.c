/*
 * The fields of payloads that the command line names: unknown ones are refused, so that a misspelt
 * name is not taken for a field that no event happens to have.
 */
#include "app/payload.h"

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/model/path.h"
#include "tnav/out/message.h"

static bool
field_known(struct trace *t, const char *name)
{
	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*ty = trace_type(t, i);

		if (path_in_type(name, ty))
			return true;
	}
	return false;
}

/* What the filter's parser says of an unknown field: it knows the near names. */
static void
tell_unknown(struct run *s, const char *name, const char *option)
{
	struct filter_error	 e;
	struct filter		*f = NULL;
	struct buf		 text;

	filter_error_init(&e);
	buf_init(&text);
	buf_printf(&text, "has %s", name);
	if (filter_new(&f, text.p, text.len, s->t, true, 0, &e) == ERR_USAGE && e.text.len > 0)
		message_put("%s: %s", option, buf_str(&e.text));
	else
		message_put("%s: no event has a field '%s'", option, name);
	filter_free(f);
	buf_release(&text);
	filter_error_release(&e);
}

int
run_check_fields(struct run *s, const struct field_list *l, const char *option)
{
	if (trace_rows(s->t) == 0)
		return 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct field_ref	*f = &l->v[i];

		if (f->def->kind != FIELD_PAYLOAD || field_known(s->t, f->path))
			continue;
		tell_unknown(s, f->path, option);
		return EXIT_USAGE;
	}
	return 0;
}

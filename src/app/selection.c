/*
 * Which events a subcommand is asked for: their own times and the filter decide.
 */
#include "app/selection.h"

#include <inttypes.h>
#include <string.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/out/message.h"

static int
compile_filter(struct filter **f, struct trace *t, const char *text, const char *where)
{
	struct filter_error	e;
	int			err;

	filter_error_init(&e);
	err = filter_new(f, text, strlen(text), t, true, 0, &e);
	if (err < 0)
		message_put("%s-f: column %zu: %s; see `tnav help filter`", where,
		    filter_error_column(&e, text),
		    e.text.len > 0 ? buf_str(&e.text) : err_text(err));
	else if (e.text.len > 0)
		message_put("%s-f: %s", where, buf_str(&e.text));
	filter_error_release(&e);
	return err < 0 ? EXIT_USAGE : 0;
}

int
selection_check(const struct options *o)
{
	struct filter	*f = NULL;
	int		 code = 0;

	if (o->text[OPT_FILTER] != NULL)
		code = compile_filter(&f, NULL, o->text[OPT_FILTER], "");
	filter_free(f);
	return code;
}

static int
parse_bound(struct trace *t, const char *where, const char *option, const char *text, int64_t *ts)
{
	int64_t	ns;

	if (filter_parse_time(t, text, strlen(text), 0, &ns) != 0) {
		message_put("%s%s: '%s' is not a time; write 2.1s, 1500ms or "
		    "2026-02-01T03:04:05Z", where, option, text);
		return EXIT_USAGE;
	}
	*ts = trace_ts(t, ns);
	return 0;
}

int
selection_init(struct selection *sel, struct trace *t, const struct options *o,
    const char *where)
{
	int	code = 0;

	memset(sel, 0, sizeof *sel);
	sel->from = INT64_MIN;
	sel->to = INT64_MAX;
	sel->has_from = o->given[OPT_FROM];
	sel->has_to = o->given[OPT_TO];
	if (o->text[OPT_FILTER] != NULL)
		code = compile_filter(&sel->filter, t, o->text[OPT_FILTER], where);
	if (sel->filter != NULL)
		sel->eval = filter_eval_new(sel->filter, t);
	if (code == 0 && sel->has_from)
		code = parse_bound(t, where, "--from", o->text[OPT_FROM], &sel->from);
	if (code == 0 && sel->has_to)
		code = parse_bound(t, where, "--to", o->text[OPT_TO], &sel->to);
	return code;
}

void
selection_release(struct selection *sel)
{
	filter_eval_free(sel->eval);
	filter_free(sel->filter);
	memset(sel, 0, sizeof *sel);
}

bool
selection_is_part(const struct selection *sel)
{
	return sel->eval != NULL || sel->has_from || sel->has_to;
}

void
selection_tell(const struct selection *sel, const char *where)
{
	uint64_t	costly = sel->costly;

	if (sel->eval != NULL)
		costly += filter_costly(sel->eval);
	if (costly > 0)
		message_put("%s-f: the expression was too costly on %" PRIu64 " events, which "
		    "count as not matching", where, costly);
}

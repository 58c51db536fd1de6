/* The events that a subcommand reads, selected by time and by the filter. */
#include "app/selection.h"

#include <inttypes.h>
#include <string.h>

#include "app/exit.h"
#include "tnav/analysis/report.h"
#include "tnav/base/buf.h"
#include "tnav/out/message.h"

static int
parse_bound(struct trace *t, const char *where, const char *option, const char *text, int64_t *ts)
{
	int64_t	ns;

	if (filter_parse_time(t, text, strlen(text), 0, &ns) != 0)
		return exit_usage("%s%s: not a time: '%s' (2.1s, 1500ms, 2026-02-01T03:04:05Z)",
		    where, option, text);
	*ts = trace_ts(t, ns);
	return 0;
}

int
selection_window(struct trace *t, const char *where, const char *option, const char *text,
    int64_t *from, int64_t *to)
{
	const char	*dots = strstr(text, "..");
	struct buf	 first = { 0 };
	int		 code;

	if (dots == NULL)
		return exit_usage("%s%s: not a window: '%s' (2.1s..2.5s)", where, option, text);
	buf_add(&first, text, (size_t)(dots - text));
	code = parse_bound(t, where, option, buf_str(&first), from);
	if (code == 0)
		code = parse_bound(t, where, option, dots + 2, to);
	if (code == 0 && *from >= *to)
		code = exit_usage("%s%s: %s does not start before it ends", where, option, text);
	buf_release(&first);
	return code;
}

/* Report that all events are before or after the time range. */
static void
tell_range(const struct selection *sel, struct trace *t, const char *where)
{
	int64_t	first, last;

	if (!trace_range(t, &first, &last) || (sel->from <= last && sel->to > first))
		return;
	message_note("%sno event is in this time range; the trace has events from %.9fs to %.9fs",
	    where, (double)trace_ns(t, first) / 1e9, (double)trace_ns(t, last) / 1e9);
}

int
selection_init(struct selection *sel, struct trace *t, const struct options *o, bool second,
    struct expressions *x, const char *where)
{
	bool		own = second && (o->given[OPT_B_FROM] || o->given[OPT_B_TO]);
	enum option_id	from = own ? OPT_B_FROM : OPT_FROM, to = own ? OPT_B_TO : OPT_TO;
	const char	*from_name = own ? "--b-from" : "--from";
	const char	*to_name = own ? "--b-to" : "--to";
	int		code;
	bool		of_rows = o->command->report != NULL &&
			    o->command->report->rows_filtered;

	memset(sel, 0, sizeof *sel);
	sel->from = INT64_MIN;
	sel->to = INT64_MAX;
	sel->has_from = o->given[from];
	sel->has_to = o->given[to];
	code = expressions_compile(x, &sel->filter, of_rows ? NULL : t, where, &sel->noted);
	if (code == 0 && sel->filter != NULL && !of_rows)
		sel->eval = filter_eval_new(sel->filter, t);
	if (code == 0 && sel->has_from)
		code = parse_bound(t, where, from_name, o->text[from], &sel->from);
	if (code == 0 && sel->has_to)
		code = parse_bound(t, where, to_name, o->text[to], &sel->to);
	if (code == 0 && sel->has_from && sel->has_to && sel->from >= sel->to)
		message_put("%s%s %s is not before %s %s: no event is in between", where,
		    from_name, o->text[from], to_name, o->text[to]);
	else if (code == 0 && !o->given[OPT_FOLLOW])
		tell_range(sel, t, where);
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

/* Events that took the filter too much work, in passes and in the current evaluator. */
static uint64_t
costly_on(const struct selection *sel)
{
	return sel->costly + (sel->eval != NULL ? filter_costly(sel->eval) : 0);
}

void
selection_tell_none(const struct selection *sel, const char *where)
{
	bool	in_time = sel->has_from || sel->has_to;

	if (sel->filter != NULL && !sel->noted && costly_on(sel) == 0)
		message_note("%s-f: matches no event%s", where,
		    in_time ? " in this time range" : "");
}

void
selection_tell(const struct selection *sel, const char *where)
{
	uint64_t	costly = costly_on(sel);

	if (costly > 0)
		message_put("%s-f: the expression was too costly for %" PRIu64 " events, which "
		    "count as not matching", where, costly);
}

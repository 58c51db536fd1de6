/* What help says about a report, and how to collect what it needs. */
#include "analysis/reports/tables.h"

#include <string.h>

#include "tnav/analysis/report.h"

const char *
report_text(const struct report *r)
{
	for (size_t i = 0; i < report_nhelps; i++)
		if (strcmp(report_helps[i].report, r->name) == 0)
			return report_helps[i].text;
	return NULL;
}

/* Its next need after this one; NULL: the first one, and that there is none. */
static const struct report_need *
next_need(const struct report *r, const struct report_need *n)
{
	for (n = n != NULL ? n + 1 : report_needed; n < report_needed + report_nneeded; n++)
		if (strcmp(n->report, r->name) == 0)
			return n;
	return NULL;
}

/* "PROVIDER:KEYWORDS:LEVEL,...", as --providers takes it. */
static void
put_providers(const struct report *r, struct buf *out)
{
	const struct report_need	*first = next_need(r, NULL);

	for (const struct report_need *n = first; n != NULL; n = next_need(r, n))
		buf_printf(out, "%s%s", n != first ? "," : "", n->providers);
}

/*
 * Could a session with these providers have recorded a trace like this one with what is needed?
 * NetPerf is written by .NET Core 2, which no tool attaches to. Its events have no ids.
 */
static bool
by_session(const struct report_need *first, struct trace *t)
{
	return trace_has(t, HAS_IDS) && trace_has(t, HAS_NUMBERS) && first->command == NULL;
}

void
report_advice(const struct report *r, struct trace *t, struct buf *out)
{
	const struct report_need	*first = next_need(r, NULL);

	if (!trace_has(t, HAS_IDS)) {	/* providers are missing, too */
		buf_puts(out, "the format has no .NET events");
	} else if (first->command != NULL) {
		buf_puts(out, first->command);
	} else {
		buf_puts(out, by_session(first, t) ? "collect --providers " :
		    "set COMPlus_EnableEventPipe=1 COMPlus_EventPipeConfig=");
		put_providers(r, out);
	}
}

void
report_how(const struct report *r, struct trace *t, struct buf *out)
{
	const struct report_need	*first = next_need(r, NULL);

	if (first == NULL)
		return;
	buf_puts(out, "it needs these events: ");
	for (const struct report_need *n = first; n != NULL; n = next_need(r, n))
		buf_printf(out, "%s%s", n != first ? "; " : "", n->events);
	buf_putc(out, '\n');
	if (!by_session(first, t)) {
		report_advice(r, t, out);
		buf_putc(out, '\n');
		return;
	}
	buf_puts(out, "tnav record --providers ");
	put_providers(r, out);
	buf_puts(out, " PID\ndotnet-trace collect --providers ");
	put_providers(r, out);
	buf_puts(out, " -p PID\n");
}

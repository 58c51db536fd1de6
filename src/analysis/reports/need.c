/* How to collect what a report needs. */
#include "analysis/reports/need.h"

void
report_need_providers(const struct report_need *need, struct buf *out)
{
	for (const struct report_need *n = need; n->provider != NULL; n++) {
		buf_printf(out, "%s%s:%s:%u", n != need ? "," : "", n->provider,
		    n->keywords != NULL ? n->keywords : "0xffffffffffffffff", n->level);
		if (n->arguments != NULL)
			buf_printf(out, ":%s", n->arguments);
	}
}

/* NetPerf is written by .NET Core 2, which no tool attaches to. Its events have no ids. */
bool
report_need_session(const struct report_need *need, struct trace *t)
{
	return trace_has(t, HAS_IDS) && trace_has(t, HAS_NUMBERS) && need->command == NULL;
}

void
report_need_advice(const struct report_need *need, struct trace *t, struct buf *out)
{
	if (!trace_has(t, HAS_IDS)) {	/* providers are missing, too */
		buf_puts(out, "the format has no .NET events");
	} else if (need->command != NULL) {
		buf_puts(out, need->command);
	} else {
		buf_puts(out, report_need_session(need, t) ? "collect --providers " :
		    "set COMPlus_EnableEventPipe=1 COMPlus_EventPipeConfig=");
		report_need_providers(need, out);
	}
}

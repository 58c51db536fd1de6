/*
 * Providers that were requested by name and have sent no event: perhaps the program has none of
 * that name. A runtime accepts any name, and waits for a provider that has it.
 *
 *	--providers, --counters -> names - providers of the trace's events -> messages, near names
 */
#include "app/unheard.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/engine/trace.h"
#include "tnav/live/assemblies.h"
#include "tnav/live/choice.h"
#include "tnav/model/keywords.h"
#include "tnav/model/schema.h"
#include "tnav/out/message.h"

static bool
is_heard(struct trace *t, const struct type_stat *stat, size_t n, const char *provider)
{
	for (size_t i = 0; i < n; i++)
		if (stat[i].c.events > 0 &&
		    strcmp(trace_type(t, stat[i].type)->provider, provider) == 0)
			return true;
	return false;
}

/* Append how the program spells the name. */
static bool
put_spelling(struct buf *out, const char *name, uint64_t pid)
{
	struct buf	spelling = { 0 };
	bool		any;

	any = pid != 0 && assemblies_spelling(pid, name, &spelling);
	if (any)
		buf_printf(out, " (near: %s, in the program's assemblies)", buf_str(&spelling));
	buf_release(&spelling);
	return any;
}

/* Append known providers, or some in the trace, with a similar name; and how it must be written. */
static void
put_near(struct buf *out, const char *name, uint64_t pid, struct trace *t,
    const struct type_stat *stat, size_t n)
{
	const struct schema_row	*s;
	struct near		 near;
	struct keyword		 k;
	const char		*at = NULL;

	near_init(&near, name, 0);
	while (keyword_next(&at, &k))
		near_consider(&near, "", 0, (const char *)k.provider.p, k.provider.len);
	for (uint32_t i = 0; (s = schema_row_at(i)) != NULL; i++) {
		if (strcmp(s->provider, name) == 0)
			return;		/* the program may not have written any */
		near_text(&near, s->provider);
	}
	for (size_t i = 0; i < n; i++)
		near_text(&near, trace_type(t, stat[i].type)->provider);
	if (!put_spelling(out, name, pid))
		near_put(&near, out);
	buf_puts(out, "; names are case-sensitive, `tnav providers PID` lists those that write");
}

void
unheard_tell(struct choice *c, struct trace *t, uint64_t pid, bool so_far)
{
	struct type_stat	*stat;
	size_t			 n = trace_type_stats(t, &stat);
	struct buf		 text = { 0 };
	const char		*name;

	for (size_t i = 0; (name = choice_named(c, i)) != NULL; i++) {
		if (is_heard(t, stat, n, name))
			continue;
		buf_clear(&text);
		put_near(&text, name, pid, t, stat, n);
		message_note("no event of %s%s%s", name, so_far ? " so far" : "", buf_str(&text));
	}
	buf_release(&text);
	mem_free(stat);
}

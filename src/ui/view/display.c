/*
 * Display settings: formats, columns, colours, and what depends on the threads of the trace.
 */
#include "ui/view/display.h"

#include "tnav/analysis/origin.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

const char *const	time_format_names[TIME_FORMATS] = {
	[TIME_RELATIVE] = "relative", [TIME_LOCAL] = "local", [TIME_UTC] = "utc",
	[TIME_DELTA] = "delta", [TIME_TICKS] = "ticks",
};

void
display_init(struct display *d, unsigned has, bool ascii)
{
	*d = (struct display){ .ascii = ascii, .tid_width = 3 };
	columns_default(&d->columns);
	d->columns.has = has;
}

void
display_release(struct display *d)
{
	columns_release(&d->columns);
	rules_release(&d->rules);
}

bool
view_several_processes(const struct thread_stat *st, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (st[i].has_pid && st[0].has_pid && st[i].pid != st[0].pid)
			return true;
	return false;
}

static void
measure_threads(struct display *d, struct trace *t)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(t, &st);

	for (size_t i = 0; i < n; i++) {
		unsigned	digits = 1;

		uint64_t	id = st[i].has_tid ? st[i].tid : st[i].thread_index;

		for (; id > 9 && id != UINT32_MAX; id /= 10)	/* that one is displayed as - */
			digits++;
		if (digits > d->tid_width)
			d->tid_width = digits;
		if (st[i].name != NULL)
			d->columns.has |= HAS_NAMES;
	}
	if (trace_sources(t) > 1)
		d->columns.has |= HAS_SOURCES;
	if (view_several_processes(st, n))
		d->columns.has |= HAS_PROCESSES;
	mem_free(st);
}

static void
count_providers(struct display *d, struct trace *t)
{
	struct provider_count	*p;

	if (d->several_providers)
		return;		/* it never changes back */
	d->several_providers = provider_counts(t, &p) > 1 && p[1].events > 0;
	mem_free(p);
}

void
display_follow(struct display *d, struct trace *t)
{
	measure_threads(d, t);
	count_providers(d, t);
}

enum style
display_thread_style(const struct display *d, uint32_t thread)
{
	if (!d->color_threads)
		return ST_THREAD;
	return (enum style)(ST_RED + (int)(thread % (ST_CYAN - ST_RED + 1)));
}

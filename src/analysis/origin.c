/*
 * The process that wrote the trace, as its events describe it.
 *
 *	counts by type -> type with a first event -> row of that time -> payload -> texts
 *
 * Invariant: at most ORIGIN_ROWS rows are read for each such type of event, once.
 */
#include "tnav/analysis/origin.h"

#include <string.h>

#include "analysis/facts/facts.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define COMMAND_MOST	4096u	/* bytes of a command line that are read */

/* The events that say it, each in versions of its own; the last one is of system-wide tools, which
   write it with the command of each process. */
enum origin_event { ORIGIN_KINDS };

enum { ORIGIN_FIELDS };
static const struct fact_def	defs[] = { ORIGIN_FACTS };

/* What an earlier event has provided is kept. */
static void
take_fact(void *arg, const struct fact *f)
{
	struct origin	*o = arg;
	struct buf	*const text[] = { &o->command, &o->os, &o->arch, &o->library };
	bool		 version = o->runtime.len == 0;

	for (unsigned i = COMMAND; i < RUNTIME_VERSION; i++)
		if (text[i]->len == 0 && fact_text(f, i).len > 0)
			buf_add(text[i], fact_text(f, i).p, fact_text(f, i).len);
	for (unsigned i = RUNTIME_VERSION; version && fact_has(f, i); i++) {
		if (o->runtime.len > 0)
			buf_putc(&o->runtime, '.');
		buf_u64(&o->runtime, fact_u64(f, i));
	}
}

/* Read the type's first event, among the rows of its time. */
static void
take_first(struct origin *o, struct trace *t, const struct type_stat *st)
{
	uint64_t	row = trace_row_at(t, st->c.first);
	struct event	e;

	for (uint32_t n = 0; n < ORIGIN_ROWS; n++, row++) {
		if (trace_event(t, row, &e) != 1 || e.ts != st->c.first)
			return;
		if (e.type == st->type) {
			facts_event(t, defs, &e, take_fact, o);
			return;
		}
	}
}

/* Among the types of an event (one for each version), the one whose event came first; how many
   events they have. */
static const struct type_stat *
first_of(struct trace *t, const struct type_stat *st, size_t n, enum origin_event of,
    uint64_t *events)
{
	const struct type_stat	*first = NULL;

	*events = 0;
	for (size_t i = 0; i < n; i++) {
		const struct fact_def	*d = facts_match(defs, trace_type(t, st[i].type));

		if (st[i].c.events == 0 || d == NULL || d->kind != of)
			continue;
		*events += st[i].c.events;
		if (first == NULL || st[i].c.first < first->c.first)
			first = &st[i];
	}
	return first;
}

static uint64_t
count_processes(struct trace *t)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(t, &st), pids = 0;
	uint64_t		*pid = mem_zalloc(n, sizeof *pid), found = 0;

	for (size_t i = 0; i < n; i++)
		if (st[i].has_pid)
			pid[pids++] = st[i].pid;
	sort_array(pid, pids, sizeof *pid, compare_u64);
	for (size_t i = 0; i < pids; i++)
		if (i == 0 || pid[i - 1] != pid[i])
			found++;
	mem_free(pid);
	mem_free(st);
	return found == 0 && trace_info(t)->has_pid ? 1 : found;
}

void
origin_release(struct origin *o)
{
	buf_release(&o->command);
	buf_release(&o->os);
	buf_release(&o->arch);
	buf_release(&o->runtime);
	buf_release(&o->library);
}

void
origin_read(struct origin *o, struct trace *t)
{
	const struct type_stat	*first;
	struct type_stat	*st;
	size_t			 n;
	uint64_t		 events;

	o->processes = count_processes(t);
	if (o->processes > 1) {
		origin_release(o);
		return;
	}
	n = trace_type_stats(t, &st);
	for (unsigned i = INFO; i <= PROCESS; i++) {
		first = first_of(t, st, n, (enum origin_event)i, &events);
		if (first == NULL || (o->read & 1u << i) != 0 ||
		    (i == PROCESS && (o->command.len > 0 || events != 1)))
			continue;
		o->read |= 1u << i;
		take_first(o, t, first);
	}
	mem_free(st);
}

/* ---- providers */

SORT_ORDER(by_name, struct provider_count, COMPARED(strcmp, name))

SORT_ORDER(by_events, struct provider_count, FALLING(events) COMPARED(strcmp, name))

size_t
provider_counts(struct trace *t, struct provider_count **out)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(t, &st), found = 0;
	struct provider_count	*p = mem_zalloc(n, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		p[i].name = trace_type(t, st[i].type)->provider;
		p[i].events = st[i].c.events;
	}
	sort_array(p, n, sizeof *p, by_name);
	for (size_t i = 0; i < n; i++) {
		if (found > 0 && strcmp(p[found - 1].name, p[i].name) == 0)
			p[found - 1].events += p[i].events;
		else
			p[found++] = p[i];
	}
	sort_array(p, found, sizeof *p, by_events);
	mem_free(st);
	*out = p;
	return found;
}

struct span
command_program(struct span s)
{
	uint8_t	end = ' ';
	size_t	n = 0, from = 0;

	if (s.len == 0)
		return s;
	if (s.p[0] == '"') {
		end = '"';
		s.p++;
		s.len--;
	}
	for (; n < s.len && n < COMMAND_MOST && s.p[n] != end; n++)
		if (s.p[n] == '/' || s.p[n] == '\\')
			from = n + 1;
	return (struct span){ s.p + from, n - from };
}

struct span
command_name(struct span s)
{
	static const char	end[] = ".dll";
	size_t			n = sizeof end - 1;

	for (size_t i = 0, from = 0; i <= s.len; i++) {
		if (i < s.len && s.p[i] == '/')
			from = i + 1;
		if (i < s.len && s.p[i] != ' ')
			continue;
		if (i - from > n && memcmp(s.p + i - n, end, n) == 0)
			return (struct span){ s.p + from, i - from - n };
		from = i + 1;
	}
	return command_program(s);
}

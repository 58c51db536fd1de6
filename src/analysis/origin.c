/*
 * The process that wrote the trace, as its events describe it.
 *
 *	counts by type -> type with a first event -> row of that time -> payload -> texts
 *
 * Invariant: at most ORIGIN_ROWS rows are read for each such type of event, once.
 */
#include "tnav/analysis/origin.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/model/value.h"

static bool
span_is(struct span s, const char *word)
{
	return s.len == strlen(word) && memcmp(s.p, word, s.len) == 0;
}

static struct buf *
text_of(struct origin *o, struct span name)
{
	if (span_is(name, "CommandLine"))
		return &o->command;
	if (span_is(name, "OSInformation"))
		return &o->os;
	if (span_is(name, "ArchInformation"))
		return &o->arch;
	if (span_is(name, "RuntimeDllPath"))
		return &o->library;
	return NULL;
}

static bool
is_version(struct span name)
{
	return span_is(name, "BclMajorVersion") || span_is(name, "BclMinorVersion") ||
	    span_is(name, "BclBuildNumber") || span_is(name, "BclQfeNumber");
}

/* Fills in an origin; what an earlier event has provided is kept. */
struct filling {
	struct origin	*o;
	bool		 versions;	/* versions of the runtime are still missing */
};

static int
take_value(void *arg, const struct value *v)
{
	struct filling	*f = arg;
	struct buf	*b;

	if (v->depth != 0 || v->element)
		return 0;
	if (v->kind == VK_UINT && f->versions && is_version(v->name)) {
		b = &f->o->runtime;
		if (b->len > 0)
			buf_putc(b, '.');
		buf_u64(b, v->u);
		return 0;
	}
	if (v->kind != VK_TEXT16 && v->kind != VK_TEXT8)
		return 0;
	b = text_of(f->o, v->name);
	if (b != NULL && b->len == 0)
		value_text(b, v);
	return 0;
}

static void
take_event(struct origin *o, struct trace *t, const struct event *e)
{
	struct filling		f = { .o = o, .versions = o->runtime.len == 0 };
	struct payload_result	res;

	(void)payload_walk(trace_type(t, e->type), trace_payload(t, e), take_value, &f, &res);
}

/* The type's first event, among the rows of its time. */
static bool
find_first(struct trace *t, const struct type_stat *st, struct event *e)
{
	uint64_t	row = trace_row_at(t, st->c.first);

	for (uint32_t n = 0; n < ORIGIN_ROWS; n++, row++) {
		if (trace_event(t, row, e) != 1 || e->ts != st->c.first)
			return false;
		if (e->type == st->type)
			return true;
	}
	return false;
}

/* System-wide tools write such an event with the command of each process. */
#define SYSTEM	"Universal.System"	/* ExistingProcess: id 0, ProcessCreate: id 1 */
#define PROCESS_READ	0x80u		/* in origin.read; the lower bits are those of kind[] */

static int
take_process(void *arg, const struct value *v)
{
	struct origin	*o = arg;

	if (v->depth == 0 && !v->element && (v->kind == VK_TEXT16 || v->kind == VK_TEXT8) &&
	    span_is(v->name, "Name") && o->command.len == 0)
		value_text(&o->command, v);
	return 0;
}

/* The command of the process, if there is such an event of only one. */
static void
take_only_process(struct origin *o, struct trace *t, const struct type_stat *st, size_t n)
{
	const struct type_stat	*only = NULL;
	uint64_t		 events = 0;
	struct payload_result	 res;
	struct event		 e;

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, st[i].type);

		if (st[i].c.events == 0 || type->id > 1 || strcmp(type->provider, SYSTEM) != 0)
			continue;
		events += st[i].c.events;
		only = &st[i];
	}
	if (events != 1)
		return;
	o->read |= PROCESS_READ;
	if (find_first(t, only, &e))
		(void)payload_walk(trace_type(t, e.type), trace_payload(t, &e), take_process, o,
		    &res);
}

struct kind {
	const char	*provider;
	uint32_t	 id;
};

static const struct kind	kind[] = {
	{ "Microsoft-DotNETCore-EventPipe", 1 },		/* ProcessInfo */
	{ "Microsoft-Windows-DotNETRuntime", 187 },		/* Runtime/Start */
	{ "Microsoft-Windows-DotNETRuntimeRundown", 187 },
};

/* Among the types of a kind (one for each version), the one whose event came first. */
static const struct type_stat *
first_of(struct trace *t, const struct type_stat *st, size_t n, const struct kind *k)
{
	const struct type_stat	*found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, st[i].type);

		if (st[i].c.events == 0 || type->id != k->id ||
		    strcmp(type->provider, k->provider) != 0)
			continue;
		if (found == NULL || st[i].c.first < found->c.first)
			found = &st[i];
	}
	return found;
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
origin_init(struct origin *o)
{
	buf_init(&o->command);
	buf_init(&o->os);
	buf_init(&o->arch);
	buf_init(&o->runtime);
	buf_init(&o->library);
	o->processes = 0;
	o->read = 0;
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
	struct type_stat	*st;
	size_t			 n;
	struct event		 e;

	o->processes = count_processes(t);
	if (o->processes > 1) {
		origin_release(o);
		return;
	}
	n = trace_type_stats(t, &st);
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
		const struct type_stat	*first = first_of(t, st, n, &kind[i]);

		if (first == NULL || (o->read & 1u << i) != 0)
			continue;
		o->read |= 1u << i;
		if (find_first(t, first, &e))
			take_event(o, t, &e);
	}
	if (o->command.len == 0 && (o->read & PROCESS_READ) == 0)
		take_only_process(o, t, st, n);
	mem_free(st);
}

/* ---- providers */

static int
by_name(const void *a, const void *b)
{
	const struct provider_count	*x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int
by_events(const void *a, const void *b)
{
	const struct provider_count	*x = a, *y = b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	return by_name(a, b);
}

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

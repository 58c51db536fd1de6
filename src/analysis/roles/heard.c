/*
 * One pass over the events that describe threads and processes.
 *
 *	ThreadCreated, ThreadDC			what the runtime made a thread for
 *	ThreadName, ProcessCreate, ProcessInfo	names
 *	all others				what their thread does: a bit of its own
 *
 * Only these types are requested, so the pass skips the parts of the file without them.
 *
 * Invariant: bits are set in any order and never cleared, so the result does not depend on the
 * number of workers.
 * Format: clr/events.tsv of the shared data.
 */
#include "analysis/roles/heard.h"

#include <string.h>

#include "analysis/parts.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define RUNDOWN		"Microsoft-Windows-DotNETRuntimeRundown"
#define SAMPLER		"Microsoft-DotNETCore-SampleProfiler"
#define EVENT_PIPE	"Microsoft-DotNETCore-EventPipe"
#define FRAMEWORK	"System.Diagnostics.Eventing.FrameworkEventSource"
#define MONO		"Microsoft-DotNETRuntimeMonoProfiler"
#define SYSTEM		"Universal.System"
#define TEXT_MOST	256u	/* bytes of a name */
#define COMMAND_MOST	4096u	/* bytes of a command line that are read */
#define NAMES_MOST	(1u << 20)	/* limit of names: a file may be full of short ones */
#define GC_PREPARES	6u	/* reason SuspendForGCPrep: a background collection */

static const char	interesting[] =
    "provider = \"" RUNTIME "\" and id in (9, 13, 14, 50, 51, 57, 62, 85, 202, 283, 284) or "
    "provider = \"" RUNDOWN "\" and id in (145, 146, 159) or "
    "provider = \"" SAMPLER "\" and id = 0 or provider = \"" EVENT_PIPE "\" and id = 1 or "
    "provider = \"" FRAMEWORK "\" and id = 31 or provider = \"" MONO "\" and id = 61 or "
    "provider = \"" SYSTEM "\" and name in (ExistingProcess, ProcessCreate)";

enum about {
	ABOUT_NOTHING, ABOUT_CREATED, ABOUT_THREAD_NAME, ABOUT_PROCESS, ABOUT_COMMAND,
	ABOUT_SUSPEND, ABOUT_MARK, ABOUT_SAMPLE, ABOUT_DEED,
};

static const struct kind {
	const char	*provider;
	uint32_t	 id;		/* 0: match by name */
	const char	*name;
	enum about	 about;
	uint32_t	 deed;
} kinds[] = {
	{ RUNTIME, 9, NULL, ABOUT_SUSPEND, DID_COLLECT },
	{ RUNTIME, 13, NULL, ABOUT_DEED, DID_FINALIZE },
	{ RUNTIME, 14, NULL, ABOUT_DEED, DID_FINALIZE },
	{ RUNTIME, 50, NULL, ABOUT_DEED, DID_POOL },
	{ RUNTIME, 51, NULL, ABOUT_DEED, DID_POOL },
	{ RUNTIME, 57, NULL, ABOUT_DEED, DID_POOL },
	{ RUNTIME, 62, NULL, ABOUT_DEED, DID_POOL },
	{ RUNTIME, 85, NULL, ABOUT_CREATED, 0 },
	{ RUNTIME, 202, NULL, ABOUT_MARK, DID_COLLECT },
	{ RUNTIME, 283, NULL, ABOUT_DEED, DID_TIER },
	{ RUNTIME, 284, NULL, ABOUT_DEED, DID_TIER },
	{ RUNDOWN, 145, NULL, ABOUT_DEED, DID_RUNDOWN },
	{ RUNDOWN, 146, NULL, ABOUT_DEED, DID_RUNDOWN },
	{ RUNDOWN, 159, NULL, ABOUT_CREATED, 0 },
	{ SAMPLER, 0, NULL, ABOUT_SAMPLE, DID_SAMPLE },
	{ EVENT_PIPE, 1, NULL, ABOUT_COMMAND, 0 },
	{ FRAMEWORK, 31, NULL, ABOUT_DEED, DID_POOL },
	{ MONO, 61, NULL, ABOUT_THREAD_NAME, 0 },
	{ SYSTEM, 0, "ExistingProcess", ABOUT_PROCESS, 0 },
	{ SYSTEM, 0, "ProcessCreate", ABOUT_PROCESS, 0 },
	{ NULL, 0, NULL, ABOUT_NOTHING, 0 },
};

/* The payload values that are needed. */
enum want {
	WANT_FLAGS, WANT_INDEX, WANT_OS_ID, WANT_NAME, WANT_COMMAND, WANT_THREAD,
	WANT_THREAD_NAME, WANT_REASON, WANT_HEAP, WANTS
};

static const char *const	wanted[WANTS] = {
	"Flags", "ManagedThreadIndex", "OSThreadID", "Name", "CommandLine", "ThreadID",
	"ThreadName", "Reason", "HeapNum",
};

/* Those of an event: a range of them, since other fields would be searched for in vain. */
static const struct {
	unsigned	first, n;
} wants[] = {
	[ABOUT_CREATED] = { WANT_FLAGS, 3 },
	[ABOUT_PROCESS] = { WANT_NAME, 1 },
	[ABOUT_COMMAND] = { WANT_COMMAND, 1 },
	[ABOUT_THREAD_NAME] = { WANT_THREAD, 2 },
	[ABOUT_SUSPEND] = { WANT_REASON, 1 },
	[ABOUT_MARK] = { WANT_HEAP, 1 },
	[ABOUT_DEED] = { 0, 0 },
};

struct hearing {
	struct trace		*t;
	struct heard		*all;
	const struct kind	**of;		/* by type; NULL: not needed */
	uint32_t		 ntypes;
	struct field_ref	 ref[WANTS];
};

/* The state of a piece. */
struct part {
	struct hearing		*h;
	struct field_reader	*reader;
	struct heard		 own;		/* `did` is unused here */
};

/* ---- types */

static bool
is_kind(const struct kind *k, const struct event_type *type)
{
	if (strcmp(k->provider, type->provider) != 0)
		return false;
	if (k->name == NULL)
		return k->id == type->id;
	return strcmp(k->name, type->name) == 0 ||
	    (type->event != NULL && strcmp(k->name, type->event) == 0);
}

static const struct kind *
kind_of(const struct event_type *type)
{
	for (const struct kind *k = kinds; k->provider != NULL; k++)
		if (is_kind(k, type))
			return k;
	return NULL;
}

static void
plan(struct hearing *h)
{
	h->ntypes = trace_types(h->t);
	h->of = mem_zalloc((size_t)h->ntypes + 1, sizeof *h->of);
	for (uint32_t i = 0; i < h->ntypes; i++)
		h->of[i] = kind_of(trace_type(h->t, i));
}

uint64_t
heard_events(struct trace *t)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(t, &st);
	uint64_t		 told = 0;

	for (size_t i = 0; i < n; i++)
		if (st[i].c.events > 0 && kind_of(trace_type(t, st[i].type)) != NULL)
			told += st[i].c.events;
	mem_free(st);
	return told;
}

bool
heard_names_threads(struct trace *t)
{
	uint32_t	n = trace_types(t);

	for (uint32_t i = 0; i < n; i++) {
		const struct kind	*k = kind_of(trace_type(t, i));

		if (k != NULL && k->about == ABOUT_THREAD_NAME)
			return true;
	}
	return false;
}

/* ---- events */

/* Is it known already that the thread did this? */
static bool
knows_deed(const struct part *p, uint32_t thread, uint32_t deed)
{
	const struct heard	*all = p->h->all;

	return thread < all->nthreads &&
	    (atomic_load_explicit(&all->did[thread], memory_order_relaxed) & deed) == deed;
}

static void
note_deed(struct part *p, uint32_t thread, uint32_t deed)
{
	struct heard	*all = p->h->all;

	if (thread < all->nthreads)
		atomic_fetch_or_explicit(&all->did[thread], deed, memory_order_relaxed);
}

static uint64_t
pid_of(struct part *p, const struct event *e)
{
	const struct field_who	*w = field_who(p->reader, e->thread);

	return w != NULL && w->has_pid ? w->pid : NO_PID;
}

static bool
number_of(const struct cell *c, uint64_t *v)
{
	if (c->kind != CELL_U64 && c->kind != CELL_I64 && c->kind != CELL_HEX &&
	    c->kind != CELL_ADDRESS)
		return false;
	*v = c->u;
	return true;
}

static void
add_created(struct part *p, const struct event *e, const struct cell *c)
{
	struct heard		*h = &p->own;
	struct heard_thread	 t = { .pid = pid_of(p, e) };
	uint64_t		 flags, index;

	if (!number_of(&c[WANT_OS_ID], &t.tid) || !number_of(&c[WANT_FLAGS], &flags) ||
	    !number_of(&c[WANT_INDEX], &index))
		return;
	t.flags = (uint32_t)flags;
	t.index = (uint32_t)index;
	h->thread = mem_grow(h->thread, &h->thread_cap, h->nthread + 1, sizeof *h->thread);
	h->thread[h->nthread++] = t;
}

/* The base name of the program at the beginning of a command line. */
static struct span
program_of(struct span s)
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

static void
add_name(struct part *p, const struct event *e, enum heard_of of, const struct cell *c,
    uint64_t tid)
{
	struct heard	*h = &p->own;
	struct span	 s;
	size_t		 n;

	if (c->kind != CELL_TEXT)
		return;
	s = of == HEARD_COMMAND ? program_of(c->text) : c->text;
	n = s.len < TEXT_MOST ? s.len : TEXT_MOST;
	while (n > 0 && n < s.len && (s.p[n] & 0xc0) == 0x80)
		n--;
	if (n == 0)
		return;
	h->name = mem_grow(h->name, &h->name_cap, h->nname + 1, sizeof *h->name);
	h->name[h->nname++] = (struct heard_name){ .of = of, .pid = pid_of(p, e), .tid = tid,
	    .ts = e->ts, .at = h->text.len, .len = n };
	buf_add(&h->text, s.p, n);
}

static void
add_payload(struct part *p, const struct event *e, const struct kind *k)
{
	struct cell	c[WANTS];
	uint64_t	v = 0;
	unsigned	first = wants[k->about].first;

	field_get(p->reader, p->h->ref + first, wants[k->about].n, e, ROW_UNKNOWN, c + first);
	switch (k->about) {
	case ABOUT_CREATED:
		add_created(p, e, c);
		break;
	case ABOUT_PROCESS:
		add_name(p, e, HEARD_PROCESS, &c[WANT_NAME], 0);
		break;
	case ABOUT_COMMAND:
		add_name(p, e, HEARD_COMMAND, &c[WANT_COMMAND], 0);
		break;
	case ABOUT_THREAD_NAME:
		if (number_of(&c[WANT_THREAD], &v))
			add_name(p, e, HEARD_THREAD, &c[WANT_THREAD_NAME], v);
		break;
	case ABOUT_SUSPEND:
		if (number_of(&c[WANT_REASON], &v) && v == GC_PREPARES)
			note_deed(p, e->thread, k->deed);
		break;
	case ABOUT_MARK:
		if (number_of(&c[WANT_HEAP], &v) && v > 0)
			note_deed(p, e->thread, k->deed);
		break;
	default:
		break;
	}
}

static void
add_event(void *part, const struct event *e)
{
	struct part		*p = part;
	const struct kind	*k = e->type < p->h->ntypes ? p->h->of[e->type] : NULL;
	uint32_t		 thread;

	if (k == NULL)
		return;
	thread = k->about == ABOUT_SAMPLE ? e->capture : e->thread;
	if (k->deed != 0 && knows_deed(p, thread, k->deed))
		return;
	if (k->about == ABOUT_DEED)
		note_deed(p, thread, k->deed);
	else if (k->about != ABOUT_SAMPLE)
		add_payload(p, e, k);
	else if (e->capture != e->thread)
		note_deed(p, thread, k->deed);
}

/* ---- the pass */

static void
part_begin(void *part, void *arg)
{
	static const struct field_options	fo = { .words = WORDS_BARE, .no_rows = true };
	struct part				*p = part;

	p->h = arg;
	p->reader = field_reader_new(p->h->t, &fo);
	buf_init(&p->own.text);
}

static void
part_release(void *part)
{
	struct part	*p = part;

	field_reader_free(p->reader);
	heard_release(&p->own);
}

static void
part_merge(void *arg, void *part)
{
	struct hearing		*h = arg;
	struct heard		*to = h->all;
	const struct heard	*from = &((const struct part *)part)->own;

	to->thread = mem_grow(to->thread, &to->thread_cap, to->nthread + from->nthread,
	    sizeof *to->thread);
	for (size_t i = 0; i < from->nthread; i++)
		to->thread[to->nthread++] = from->thread[i];
	to->name = mem_grow(to->name, &to->name_cap, to->nname + from->nname, sizeof *to->name);
	for (size_t i = 0; i < from->nname && to->nname < NAMES_MOST; i++) {
		to->name[to->nname] = from->name[i];
		to->name[to->nname++].at += to->text.len;
	}
	buf_add(&to->text, from->text.p, from->text.len);
}

static const struct part_ops	part_ops = {
	.size = sizeof(struct part), .begin = part_begin, .event = add_event,
	.merge = part_merge, .release = part_release,
};

static int
run(struct hearing *h, const struct roles_options *o)
{
	int	err;

	for (unsigned i = 0; i < WANTS; i++)
		field_ref_payload(&h->ref[i], wanted[i]);
	err = parts_read(h->t, interesting, &part_ops, h, o->tick, o->arg);
	for (unsigned i = 0; i < WANTS; i++)
		field_ref_release(&h->ref[i]);
	return err;
}

int
hear(struct trace *t, struct heard *out, const struct roles_options *o)
{
	struct hearing	h = { .t = t, .all = out };
	int		err = ERR_OK;

	*out = (struct heard){ .nthreads = trace_threads(t) };
	out->did = mem_zalloc((size_t)out->nthreads + 1, sizeof *out->did);
	buf_init(&out->text);
	plan(&h);
	if (heard_events(t) > 0)
		err = run(&h, o);
	mem_free(h.of);
	return err;
}

void
heard_release(struct heard *h)
{
	mem_free(h->did);
	mem_free(h->thread);
	mem_free(h->name);
	buf_release(&h->text);
}

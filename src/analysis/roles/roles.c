/*
 * Roles and names of threads.
 *
 *	(process, thread id)	-> the trace's threads of that id	a binary search (and of
 *								joined traces by source)
 *	(process)		-> its name				likewise
 *	thread			-> words: name, role, process, comm	by index
 *
 * A role given by an event takes precedence over one that follows from what the thread did; the
 * latter is marked as derived. The first thread of a process has the process's id, or is the
 * runtime's first.
 *
 * Invariant: nothing changes once roles_new() is done.
 */
#include "tnav/analysis/roles.h"

#include <string.h>

#include "analysis/roles/comms.h"
#include "analysis/roles/thread_events.h"
#include "tnav/base/arena.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"

/* A thread, to be found by its id. */
struct thread_place {
	uint64_t	pid, tid;
	uint32_t	source, thread;
};

struct process_name {
	uint32_t	source;
	uint64_t	pid;
	enum name_owner	of;
	int64_t		ts;
	const char	*text;
};

struct roles {
	struct thread_names_source	 source;	/* the first: it is lent */
	struct trace			*t;
	struct thread_names		*words;	/* by thread */
	uint32_t			 n;
	struct arena			 texts;
};

/* What is shown if the role is derived. */
static const char *const	derived_label[ROLES] = {
	[ROLE_MAIN] = "(main)", [ROLE_FINALIZER] = "(finalizer)", [ROLE_SAMPLER] = "(sampler)",
	[ROLE_TIER] = "(tiered JIT)", [ROLE_POOL] = "(pool worker)", [ROLE_GC] = "(GC)",
	[ROLE_RUNDOWN] = "(rundown)",
};

static void
set_given(struct thread_names *w, int role)
{
	w->role = w->label = thread_roles[role];
	w->derived = false;
}

static void
set_derived(struct thread_names *w, int role)
{
	if (w->role != NULL)
		return;
	w->role = thread_roles[role];
	w->label = derived_label[role];
	w->derived = true;
}

/* ---- threads by their ids */

SORT_ORDER(by_id, struct thread_place, RISING(source) RISING(pid) RISING(tid) RISING(thread))

static bool
same_id(const struct thread_place *a, const struct thread_place *b)
{
	return a->source == b->source && a->pid == b->pid && a->tid == b->tid;
}

static size_t
make_places(const struct thread_stat *st, size_t n, struct thread_place **out)
{
	struct thread_place	*v = mem_alloc((n + 1) * sizeof *v);
	size_t			 kept = 0;

	for (size_t i = 0; i < n; i++)
		if (st[i].has_tid)
			v[kept++] = (struct thread_place){ st[i].has_pid ? st[i].pid : NO_PID,
			    st[i].tid, st[i].source, (uint32_t)i };
	sort_array(v, kept, sizeof *v, by_id);
	*out = v;
	return kept;
}

/* The first place of the id, or n. */
static size_t
find_place(const struct thread_place *v, size_t n, uint32_t source, uint64_t pid, uint64_t tid)
{
	const struct thread_place	key = { pid, tid, source, 0 };
	size_t				at = 0;

	BISECT(at, n, i, by_id(&v[i], &key) < 0);
	return at < n && same_id(&v[at], &key) ? at : n;
}

/* ---- from events */

static void
take_created(struct thread_names *w, const struct created_thread *h)
{
	if (h->flags & FLAG_FINALIZER)
		set_given(w, ROLE_FINALIZER);
	else if (h->flags & FLAG_POOL)
		set_given(w, ROLE_POOL);
	else if (h->flags & FLAG_COLLECTOR)
		set_given(w, ROLE_GC);
	else if (h->index == 1)
		set_derived(w, ROLE_MAIN);
}

/* An id may be used again: its newest description counts. For the first place of each id, the
   number of that description + 1. */
static size_t *
newest_threads(const struct thread_events *h, const struct thread_place *v, size_t n)
{
	size_t	*newest = mem_zalloc(n + 1, sizeof *newest);

	for (size_t i = 0; i < h->nthread; i++)
		newest[find_place(v, n, h->thread[i].source, h->thread[i].pid,
		    h->thread[i].tid)] = i + 1;
	return newest;
}

static size_t *
newest_names(const struct thread_events *h, const struct thread_place *v, size_t n)
{
	size_t	*newest = mem_zalloc(n + 1, sizeof *newest);

	for (size_t i = 0; i < h->nname; i++)
		if (h->name[i].of == NAME_OF_THREAD)
			newest[find_place(v, n, h->name[i].source, h->name[i].pid,
			    h->name[i].tid)] = i + 1;
	return newest;
}

static void
take_threads(struct roles *r, const struct thread_events *h, const struct thread_place *v, size_t n)
{
	size_t	*newest = newest_threads(h, v, n), first = 0;

	for (size_t k = 0; k < n; k++) {
		if (!same_id(&v[first], &v[k]))
			first = k;
		if (newest[first] > 0)
			take_created(&r->words[v[k].thread], &h->thread[newest[first] - 1]);
	}
	mem_free(newest);
}

static const char *
text_of(struct roles *r, const struct thread_events *h, const struct given_name *name)
{
	return arena_strndup(&r->texts, h->text.p + name->at, name->len);
}

static void
take_thread_names(struct roles *r, const struct thread_events *h, const struct thread_place *v,
    size_t n)
{
	size_t		*newest = newest_names(h, v, n), first = 0;
	const char	*text = NULL;

	for (size_t k = 0; k < n; k++) {
		if (k == 0 || !same_id(&v[first], &v[k])) {
			first = k;
			text = newest[k] > 0 ? text_of(r, h, &h->name[newest[k] - 1]) : NULL;
		}
		r->words[v[k].thread].name = text;
	}
	mem_free(newest);
}

/* ---- processes */

/* By process; then commands before names from the system; then by time. The last entry of a
   process is used. */
SORT_ORDER(by_process, struct process_name, RISING(source) RISING(pid)
    FALLING(of == NAME_OF_COMMAND) RISING(ts) COMPARED(strcmp, text))

static const char *
find_process(const struct process_name *v, size_t n, uint32_t source, uint64_t pid)
{
	size_t	after = 0;

	BISECT(after, n, i, v[i].source < source || (v[i].source == source && v[i].pid <= pid));
	return after > 0 && v[after - 1].source == source && v[after - 1].pid == pid ?
	    v[after - 1].text : NULL;
}

static void
take_processes(struct roles *r, const struct thread_events *h, const struct thread_stat *st)
{
	struct process_name	*v = mem_alloc((h->nname + 1) * sizeof *v);
	size_t			 n = 0;

	for (size_t i = 0; i < h->nname; i++)
		if (h->name[i].of != NAME_OF_THREAD)
			v[n++] = (struct process_name){ h->name[i].source,
			    h->name[i].pid, h->name[i].of, h->name[i].ts,
			    text_of(r, h, &h->name[i]) };
	sort_array(v, n, sizeof *v, by_process);
	for (uint32_t i = 0; i < r->n; i++)
		r->words[i].process = find_process(v, n, st[i].source,
		    st[i].has_pid ? st[i].pid : NO_PID);
	mem_free(v);
}

/* ---- derived */

static void
derive(struct thread_names *w, const struct thread_stat *st, uint32_t did)
{
	static const struct { uint32_t deed; int role; } follows[] = {
		{ DID_FINALIZE, ROLE_FINALIZER }, { DID_SAMPLE, ROLE_SAMPLER },
		{ DID_TIER, ROLE_TIER }, { DID_POOL, ROLE_POOL }, { DID_COLLECT, ROLE_GC },
		{ DID_RUNDOWN, ROLE_RUNDOWN },
	};

	/* Kernels write 0 for themselves, and the greatest number for an unknown id. */
	if (st->has_pid && st->has_tid && st->tid == st->pid && st->tid != 0 &&
	    st->tid != UINT32_MAX)
		set_derived(w, ROLE_MAIN);
	for (size_t i = 0; i < sizeof follows / sizeof *follows; i++)
		if (did & follows[i].deed)
			set_derived(w, follows[i].role);
}

/* A kernel name is shown, in brackets, if the thread has no other label and the name differs
   from that of the process, which is the kernel's default name for a thread. */
static void
take_comms(struct roles *r, const struct comms *c, const struct thread_stat *st)
{
	struct buf	b = { 0 };

	for (uint32_t i = 0; i < r->n; i++) {
		struct thread_names	*w = &r->words[i];
		struct span		 comm = comms_of(c, &st[i]);

		if (comm.len == 0)
			continue;
		buf_clear(&b);
		text_from_utf8(&b, comm);
		w->comm = arena_strndup(&r->texts, buf_str(&b), b.len);
		if (w->label != NULL || (w->process != NULL && strcmp(w->process, w->comm) == 0))
			continue;
		buf_clear(&b);
		buf_printf(&b, "(%s)", w->comm);
		w->label = arena_strndup(&r->texts, buf_str(&b), b.len);
	}
	buf_release(&b);
}

/* ---- the whole */

static bool
roles_words(void *self, uint32_t thread, struct thread_names *out)
{
	const struct roles	*r = self;

	if (thread >= r->n)
		return false;
	*out = r->words[thread];
	return true;
}

static void
make(struct roles *r, const struct thread_events *h, const struct comms *c)
{
	struct thread_stat	*st;
	struct thread_place	*v;
	size_t			 n = trace_thread_stats(r->t, &st), places;

	r->n = n < h->nthreads ? (uint32_t)n : h->nthreads;	/* without later ones */
	r->words = mem_zalloc((size_t)r->n + 1, sizeof *r->words);
	places = make_places(st, r->n, &v);
	take_threads(r, h, v, places);
	take_thread_names(r, h, v, places);
	take_processes(r, h, st);
	for (uint32_t i = 0; i < r->n; i++)
		derive(&r->words[i], &st[i], h->did[i]);
	take_comms(r, c, st);
	mem_free(v);
	mem_free(st);
}

struct roles *
roles_new(struct trace *t, const struct pass_options *o, bool comms)
{
	struct roles	*r = mem_zalloc(1, sizeof *r);
	struct comms	 c = { .n = 0 };
	struct thread_events	 h;
	int		 err;

	r->t = t;
	r->source = (struct thread_names_source){ .self = r, .words = roles_words };
	err = thread_events_read(t, &h, o);
	if (err >= 0 && comms)
		err = comms_read(t, &c, o);
	if (err >= 0)
		make(r, &h, &c);
	thread_events_release(&h);
	comms_release(&c);
	if (err >= 0)
		return r;
	roles_free(r);
	return NULL;
}

void
roles_free(struct roles *r)
{
	if (r == NULL)
		return;
	mem_free(r->words);
	arena_release(&r->texts);
	mem_free(r);
}

uint64_t
roles_bytes(const struct roles *r)
{
	return r->n * sizeof *r->words + r->texts.total;
}

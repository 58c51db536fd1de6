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
#include "analysis/roles/thread_events.h"

#include "analysis/facts/facts.h"
#include "tnav/analysis/origin.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"

#define TEXT_MOST	256u	/* bytes of a name */
#define NAMES_MOST	(1u << 20)	/* limit of names: a file may be full of short ones */
#define GC_PREPARES	6u	/* reason SuspendForGCPrep: a background collection */

/* What an event is about: what its thread did is the kind itself, enum deed, or ... */
enum thread_event {
	ABOUT_CREATED = DID_RUNDOWN + 1, ABOUT_THREAD_NAME, ABOUT_PROCESS, ABOUT_COMMAND,
	ABOUT_SUSPEND, ABOUT_MARK, ABOUT_SAMPLE,
};

enum { ROLES_FIELDS };
static const struct fact_def	defs[] = { ROLES_FACTS };

/* The state of a piece. */
struct thread_piece {
	struct thread_events		*all;
	struct thread_events		 own;		/* `did` is unused here */
};

uint64_t
roles_events(struct trace *t)
{
	return facts_count(defs, t);
}

bool
roles_name_threads(struct trace *t)
{
	static const struct fact_def	names[] = { THREAD_NAMES_FACTS };

	return facts_count(names, t) > 0;
}

/* ---- events */

/* What the event says that its thread did, as far as its type tells. */
static uint32_t
deed_of(unsigned kind)
{
	switch (kind) {
	case ABOUT_SUSPEND: case ABOUT_MARK:
		return DID_COLLECT;
	case ABOUT_SAMPLE:
		return DID_SAMPLE;
	default:
		return kind <= DID_RUNDOWN ? kind : 0;
	}
}

static uint32_t
doer_of(unsigned kind, const struct event *e)
{
	return kind == ABOUT_SAMPLE ? e->capture : e->thread;
}

/* Is it known already that the thread did this? */
static bool
knows_deed(void *part, unsigned kind, const struct event *e)
{
	const struct thread_events	*all = ((struct thread_piece *)part)->all;
	uint32_t		 deed = deed_of(kind), thread = doer_of(kind, e);

	return deed != 0 && thread < all->nthreads &&
	    (atomic_load_explicit(&all->did[thread], memory_order_relaxed) & deed) != 0;
}

static void
note_deed(struct thread_piece *p, const struct fact *f)
{
	struct thread_events	*all = p->all;
	uint32_t	 thread = doer_of(f->kind, f->ev);

	if (thread < all->nthreads)
		atomic_fetch_or_explicit(&all->did[thread], deed_of(f->kind),
		    memory_order_relaxed);
}

static uint64_t
pid_of(const struct fact *f)
{
	return f->who != NULL && f->who->has_pid ? f->who->pid : NO_PID;
}

static void
add_created(struct thread_piece *p, const struct fact *f)
{
	struct thread_events	*h = &p->own;

	if (!fact_has(f, CREATED_TID) || !fact_has(f, CREATED_FLAGS) ||
	    !fact_has(f, CREATED_INDEX))
		return;
	ARRAY_ADD(h->thread, h->nthread, h->thread_cap, (struct created_thread){ .pid = pid_of(f),
	    .tid = fact_bits(f, CREATED_TID), .source = event_source(f->ev),
	    .flags = (uint32_t)fact_bits(f, CREATED_FLAGS),
	    .index = (uint32_t)fact_bits(f, CREATED_INDEX) });
}

static void
add_name(struct thread_piece *p, const struct fact *f, enum name_owner of, uint64_t tid)
{
	struct thread_events	*h = &p->own;
	struct span	 text = fact_text(f, NAME_TEXT);
	struct span	 s = of == NAME_OF_COMMAND ? command_program(text) : text;
	size_t		 n = s.len < TEXT_MOST ? s.len : TEXT_MOST;

	while (n > 0 && n < s.len && (s.p[n] & 0xc0) == 0x80)
		n--;
	if (n == 0)
		return;
	ARRAY_ADD(h->name, h->nname, h->name_cap, (struct given_name){
	    .of = of, .pid = pid_of(f), .tid = tid, .source = event_source(f->ev), .ts = f->ev->ts,
	    .at = h->text.len, .len = n });
	buf_add(&h->text, s.p, n);
}

static void
add_fact(void *part, const struct fact *f)
{
	struct thread_piece	*p = part;

	switch (f->kind) {
	case ABOUT_CREATED:
		add_created(p, f);
		break;
	case ABOUT_PROCESS:
		add_name(p, f, NAME_OF_PROCESS, 0);
		break;
	case ABOUT_COMMAND:
		add_name(p, f, NAME_OF_COMMAND, 0);
		break;
	case ABOUT_THREAD_NAME:
		if (fact_has(f, NAME_TID))
			add_name(p, f, NAME_OF_THREAD, fact_bits(f, NAME_TID));
		break;
	case ABOUT_SUSPEND:
		if (fact_bits(f, 0) == GC_PREPARES)
			note_deed(p, f);
		break;
	case ABOUT_MARK:
		if (fact_bits(f, 0) > 0)
			note_deed(p, f);
		break;
	case ABOUT_SAMPLE:
		if (f->ev->capture != f->ev->thread)
			note_deed(p, f);
		break;
	default:
		note_deed(p, f);
		break;
	}
}

/* ---- the pass */

static void
part_begin(void *part, void *arg)
{
	struct thread_piece	*p = part;

	p->all = arg;
}

static void
part_release(void *part)
{
	thread_events_release(&((struct thread_piece *)part)->own);
}

static void
part_merge(void *arg, void *part)
{
	struct thread_events		*to = arg;
	const struct thread_events	*from = &((const struct thread_piece *)part)->own;

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

static const struct fact_parts	parts = {
	.def = defs, .size = sizeof(struct thread_piece), .who = true, .begin = part_begin,
	.skips = knows_deed, .add = add_fact, .merge = part_merge, .release = part_release,
};

int
thread_events_read(struct trace *t, struct thread_events *out, const struct pass_options *o)
{
	*out = (struct thread_events){ .nthreads = trace_threads(t) };
	out->did = mem_zalloc((size_t)out->nthreads + 1, sizeof *out->did);
	if (roles_events(t) == 0)
		return ERR_OK;
	return facts_parts(t, &parts, out, o);
}

void
thread_events_release(struct thread_events *h)
{
	mem_free(h->did);
	mem_free(h->thread);
	mem_free(h->name);
	buf_release(&h->text);
}

/*
 * Comparing a term with the stacks of events. The same stacks occur again and again, and the same
 * frames occur in different stacks, so results are cached.
 *
 *	event -> number of its stack -> known?	yes: the cached result
 *		 frames -> address -> known?	yes: the cached result
 *		 name, module, address -> the term's pattern
 *
 * Both caches are direct-mapped: a new entry replaces the old one in its slot, so no file can make
 * them grow or slow. A number identifies a stack only within a scope, see trace_stack_scope(); a
 * new scope clears all numbers. The name of a frame is valid for a process and a range of time;
 * another namer clears everything.
 *
 * Invariant: a cached result is charged like a search, and is searched again if the budget of the
 * event is not enough. So the hits do not depend on the caches.
 */
#include "engine/filter/stacks.h"

#include "tnav/base/mem.h"
#include "tnav/engine/naming.h"

#define STACKS		8192u		/* slots; powers of two */
#define ADDRESSES	8192u

/* A cached result, and its charge to the event's budget. */
struct outcome {
	uint32_t	charge;
	bool		known, present, hit;
	uint32_t	process;
	int64_t		from, to;	/* valid at ticks [from, to) */
};

struct stack_slot {
	uint32_t	number, scope;
	struct outcome	o;
};

struct outcome_slot {
	uint64_t	address;
	uint64_t	generation;	/* of the namer */
	bool		caller;		/* not the innermost frame */
	struct outcome	o;
};

struct stack_memo {
	struct trace		*t;
	struct field_reader	*reader;
	struct stack_scope	 scope;
	const struct stack_namer *namer;	/* of this generation; or NULL */
	uint64_t		 generation;
	bool			 names;		/* the term needs names of frames */
	uint32_t		 process;	/* of the event */
	int64_t			 from, to;	/* times for which the frames so far are valid */
	struct buf		 text;		/* scratch: a frame */
	struct stack_slot	 stack[STACKS];
	struct outcome_slot	 address[ADDRESSES];
};

bool
term_needs_names(const struct filter_term *term)
{
	const struct field_def	*d = term->ref.def;

	if ((field_needs(&term->ref, NULL) & NEEDS_SYMBOLS) != 0)
		return true;
	if (d->class != CLASS_STACK)
		return false;
	for (size_t i = 0; term->op == FO_EQ && i < term->nlits; i++)
		if (term->lits[i].num.kind == NUM_NONE)
			return true;
	return term->op == FO_TEXT;
}

struct stack_memo *
stack_memo_new(struct trace *t, struct field_reader *r)
{
	struct stack_memo	*m = mem_zalloc(1, sizeof *m);

	m->t = t;
	m->reader = r;
	return m;
}

void
stack_memo_free(struct stack_memo *m)
{
	if (m == NULL)
		return;
	buf_release(&m->text);
	mem_free(m);
}

/* Use a cached result; false: there is none, or it must be searched again. */
static bool
recall(struct stack_memo *m, struct probe *p, const struct outcome *o, int64_t ts)
{
	if (!o->known || o->process != m->process || ts < o->from ||
	    (ts >= o->to && o->to != INT64_MAX) ||
	    !regex_match_charge(probe_match(p->env), o->charge))
		return false;
	time_narrow(&m->from, &m->to, o->from, o->to);
	p->present |= o->present;
	p->hit |= o->hit;
	return true;
}

/* The budget before a search. */
struct budget {
	uint64_t	bound, steps;
};

static struct budget
budget_of(const struct probe *p)
{
	const struct regex_match	*m = probe_match(p->env);

	return (struct budget){ regex_match_bound(m), regex_match_steps(m) };
}

/* The result of the probe, to be cached. known: false if it took steps that must be counted. */
static struct outcome
outcome_of(const struct stack_memo *m, const struct probe *p, struct budget before, int64_t from,
    int64_t to)
{
	struct budget	now = budget_of(p);

	return (struct outcome){ .known = now.steps == before.steps && !p->env->limit_hit,
	    .charge = (uint32_t)(before.bound - now.bound), .present = p->present, .hit = p->hit,
	    .process = m->process, .from = from, .to = to };
}

/* Probe a name of the frame, unless another one has matched. */
static void
probe_name(struct probe *p, struct span name)
{
	if (name.p != NULL && !p->hit)
		probe_span(p, name);
}

/* Probe all names of the frame: raw and clean name, module, module+0x12, address. */
static void
probe_called(struct stack_memo *m, struct probe *p, const struct frame_name *f, uint64_t address)
{
	const struct field_def	*d = p->term->ref.def;

	if (d->class == CLASS_FRAMES) {
		probe_name(p, frames_are_modules(d) ? f->module : f->raw);
		probe_name(p, frames_are_modules(d) ? f->module : f->clean);
		return;
	}
	probe_name(p, f->raw);
	probe_name(p, f->clean);
	if (f->raw.p == NULL && f->has_offset && !p->hit) {
		buf_clear(&m->text);
		frame_text(&m->text, f, address, FRAME_RAW);
		probe_name(p, span_of_buf(&m->text));
	}
	if (!p->hit)
		probe_address(p, address);
}

static void
probe_frame(struct stack_memo *m, struct probe *p, const struct event *e, uint64_t address,
    unsigned depth)
{
	struct outcome_slot	*s = &m->address[(address ^ address >> 13) % ADDRESSES];
	struct frame_name	 f;
	struct budget		 before;

	if (!m->names) {
		probe_address(p, address);	/* a number against a number */
		return;
	}
	if (s->address == address && s->caller == (depth > 0) &&
	    s->generation == m->generation && recall(m, p, &s->o, e->ts))
		return;
	before = budget_of(p);
	(void)trace_name_frame(m->t, e, address, depth, true, &f);
	probe_called(m, p, &f, address);
	time_narrow(&m->from, &m->to, f.from, f.to);
	*s = (struct outcome_slot){ .address = address, .caller = depth > 0,
	    .generation = m->generation, .o = outcome_of(m, p, before, f.from, f.to) };
}

static void
probe_frames(struct stack_memo *m, struct probe *p, const struct event *e)
{
	const uint64_t	*ips;
	uint64_t	 innermost;
	size_t		 n;

	if (p->term->op == FO_HAS && !m->names) {
		p->present = p->hit = trace_stack(m->t, e, &innermost, 1) > 0;
		return;
	}
	n = field_stack(m->reader, e, &ips);
	if (p->term->ref.def->kind == FIELD_FRAME) {
		if (p->term->ref.frame < n)
			probe_frame(m, p, e, ips[p->term->ref.frame], p->term->ref.frame);
		return;
	}
	for (size_t i = 0; i < n && !p->hit; i++)
		probe_frame(m, p, e, ips[i], (unsigned)i);
}

/* Get the current namer, and the event's process. */
static void
look_for_namer(struct stack_memo *m, const struct probe *p, const struct event *e)
{
	uint64_t	generation = trace_namer_generation(m->t);

	m->from = INT64_MIN;
	m->to = INT64_MAX;
	m->process = 0;
	m->names = term_needs_names(p->term);
	if (!m->names)
		return;
	if (generation != m->generation) {
		m->generation = generation;
		stack_scope_end(&m->scope);
	}
	m->namer = trace_lent(m->t, DERIVED_SYMBOLS);
	if (m->namer != NULL)
		m->process = m->namer->process(m->namer->self, e);
}

void
stack_memo_probe(struct stack_memo *m, struct probe *p, const struct event *e)
{
	struct stack_slot	*s = &m->stack[stack_place(e) % STACKS];
	struct budget		 before;

	if (e->stack == 0)
		return;
	look_for_namer(m, p, e);
	if (!trace_stack_scope(m->t, e, &m->scope)) {
		probe_frames(m, p, e);
		return;
	}
	if (s->number == e->stack && s->scope == m->scope.now.number && recall(m, p, &s->o, e->ts))
		return;
	before = budget_of(p);
	probe_frames(m, p, e);
	s->number = e->stack;
	s->scope = m->scope.now.number;
	s->o = outcome_of(m, p, before, m->from, m->to);
}

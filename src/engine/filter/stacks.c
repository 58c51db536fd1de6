/*
 * A term and the stacks of events: the same stacks come again and again, and the same frames in
 * different stacks.
 *
 *	event -> number of its stack -> known?	yes: what was found then
 *		 frames -> address -> known?	yes: likewise
 *		 text of the address -> the term's pattern
 *
 * Both memories are direct-mapped: what takes a slot drives out what was there, so that no file can
 * make them grow or slow. A number means the same stack within a scope only, see
 * trace_stack_scope(); a new scope forgets all numbers.
 *
 * Invariant: what is remembered is charged as if it had been searched, and searched again where the
 * budget of the event has not so much left; so the hits don't depend on what is remembered.
 */
#include "engine/filter/stacks.h"

#include "tnav/base/mem.h"

#define STACKS		8192u		/* slots; powers of two */
#define ADDRESSES	8192u

/* What was found, and what it took of the event's budget. */
struct outcome {
	uint32_t	charge;
	bool		known, present, hit;
};

struct stack_slot {
	uint32_t	number, scope;
	struct outcome	o;
};

struct address_slot {
	uint64_t	address;
	struct outcome	o;
};

struct stack_memo {
	struct trace		*t;
	struct field_reader	*reader;
	uint64_t		 after, to;	/* payload offsets of the scope */
	uint32_t		 scope;		/* its number, from 1 on */
	struct stack_slot	 stack[STACKS];
	struct address_slot	 address[ADDRESSES];
};

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
	mem_free(m);
}

/* Take over what was found before; false: nothing was, or it must be found again. */
static bool
recall(struct probe *p, const struct outcome *o)
{
	if (!o->known || !regex_match_charge(probe_match(p->env), o->charge))
		return false;
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

/* What the probe has found, unless it took steps that have to be counted. */
static struct outcome
outcome_of(const struct probe *p, struct budget before)
{
	struct budget	now = budget_of(p);

	return (struct outcome){ .known = now.steps == before.steps && !p->env->limit_hit,
	    .charge = (uint32_t)(before.bound - now.bound), .present = p->present, .hit = p->hit };
}

static void
probe_frame(struct stack_memo *m, struct probe *p, uint64_t address)
{
	struct address_slot	*s;
	struct budget		 before;

	if (p->term->op != FO_TEXT) {
		probe_address(p, address);	/* a number against a number */
		return;
	}
	s = &m->address[(address ^ address >> 13) % ADDRESSES];
	if (s->address == address && recall(p, &s->o))
		return;
	before = budget_of(p);
	probe_address(p, address);
	s->address = address;
	s->o = outcome_of(p, before);
}

static void
probe_frames(struct stack_memo *m, struct probe *p, const struct event *e)
{
	const uint64_t	*ips;
	uint64_t	 innermost;
	size_t		 n;

	if (p->term->op == FO_HAS) {
		p->present = p->hit = trace_stack(m->t, e, &innermost, 1) > 0;
		return;
	}
	n = field_stack(m->reader, e, &ips);
	for (size_t i = 0; i < n && !p->hit; i++)
		probe_frame(m, p, ips[i]);
}

/* Does the event lie in the scope, or in a new one? False: numbers say nothing. */
static bool
scope_holds(struct stack_memo *m, const struct event *e)
{
	if (e->off > m->after && e->off <= m->to)
		return true;
	m->after = m->to = 0;
	if (!trace_stack_scope(m->t, e, &m->after, &m->to))
		return false;
	m->scope++;
	return e->off > m->after && e->off <= m->to;
}

void
stack_memo_probe(struct stack_memo *m, struct probe *p, const struct event *e)
{
	struct stack_slot	*s = &m->stack[e->stack % STACKS];
	struct budget		 before;

	if (e->stack == 0)
		return;
	if (!scope_holds(m, e)) {
		probe_frames(m, p, e);
		return;
	}
	if (s->number == e->stack && s->scope == m->scope && recall(p, &s->o))
		return;
	before = budget_of(p);
	probe_frames(m, p, e);
	s->number = e->stack;
	s->scope = m->scope;
	s->o = outcome_of(p, before);
}

/*
 * Nesting, by one walk over the records in the order of time, with a stack a thread.
 *
 *	A |-------------------|		stack	A
 *	B   |----|				A B	B in A: A.self loses B
 *	C          |------------|		C	A ends before C: nothing more lies in A
 *
 * What ends earlier than a younger span is taken off the stack: whatever it could still hold, the
 * younger one holds, too, and is nearer. So the stack's ends never grow, each span is pushed and
 * popped once, and the innermost span around a new one is on top.
 *
 * Invariant: a span has children only if it begins and ends on one thread; self is dur less the
 * union of them.
 */
#include "analysis/spans/nesting.h"

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

#define RUN_MOST	65536u		/* spans that begin together and are put into order */

/* How much of a span others take. All zero but for reached, INT64_MIN: nothing so far. */
struct nest_cover {
	int64_t		reached;	/* ns: children cover the time up to here, ... */
	int64_t		covered;	/* ... so much of it */
};

struct nest {
	uint64_t	span;
	uint64_t	end;		/* row, or time of a native one */
	int64_t		dur;		/* ns */
	struct nest_cover cover;
};

struct nest_stack {
	struct nest	*v;
	size_t		 n, cap;
};

/* A span that begins where others may. */
struct run_entry {
	uint64_t	end, span;
	int64_t		start, stop;	/* ticks */
	int64_t		dur;
	uint32_t	thread;
};

struct nesting {
	struct trace		*t;
	nest_fn			 ended;
	void			*arg;
	struct nest_stack	*thread;
	uint32_t		 nthreads;
	struct run_entry	*run;		/* spans that begin at one event, or time */
	size_t			 nrun, run_cap;
	uint64_t		 begin;		/* where */
};

/* Where it ends, in the order of what is sorted by: rows, or times that are moved above 0. */
static uint64_t
end_of(const struct span_record *r)
{
	if ((r->flags & SPAN_NATIVE) == 0)
		return r->stop_row;
	return (uint64_t)r->stop + (UINT64_C(1) << 63);
}

/* Spans begin together at one event; native ones at one time. */
static uint64_t
begin_of(const struct span_record *r)
{
	return (r->flags & SPAN_NATIVE) != 0 ? (uint64_t)r->start : r->row;
}

static bool
can_nest(const struct span_record *r)
{
	return r->state == SPAN_PAIRED && r->thread == r->stop_thread && r->thread != EVENT_NONE;
}

/* The time from a to b, ns, is a child's; children come in the order of their starts. */
static void
nest_cover_add(struct nest_cover *c, int64_t a, int64_t b)
{
	if (a < c->reached)
		a = c->reached;
	if (b <= a)
		return;
	c->reached = b;
	c->covered = add_i64(c->covered, sub_i64(b, a));
}

/* What is left of a duration. */
static int64_t
nest_self(int64_t dur, const struct nest_cover *c)
{
	int64_t	self;

	return __builtin_sub_overflow(dur, c->covered, &self) ? 0 : self;
}

static void
stack_pop(struct nesting *n, struct nest_stack *st)
{
	struct nest	*top = &st->v[--st->n];

	n->ended(n->arg, top->span, nest_self(top->dur, &top->cover), st->n);
}

static void
nest_one(struct nesting *n, const struct run_entry *e)
{
	struct nest_stack	*st = &n->thread[e->thread];

	while (st->n > 0 && st->v[st->n - 1].end < e->end)
		stack_pop(n, st);
	if (st->n > 0)
		nest_cover_add(&st->v[st->n - 1].cover, trace_ns(n->t, e->start),
		    trace_ns(n->t, e->stop));
	if (st->n == LIMIT_SPANS_OPEN) {
		n->ended(n->arg, e->span, e->dur, st->n);
		return;
	}
	if (st->n == st->cap)
		st->v = mem_grow(st->v, &st->cap, st->n + 1, sizeof *st->v);
	st->v[st->n++] = (struct nest){ .span = e->span, .end = e->end, .dur = e->dur,
	    .cover.reached = INT64_MIN };
}

/* The longer first; then as they stand, which is by group. */
static int
by_end(const void *a, const void *b)
{
	const struct run_entry	*x = *(struct run_entry *const *)a;
	const struct run_entry	*y = *(struct run_entry *const *)b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void
run_nest(struct nesting *n)
{
	struct run_entry	**e;

	if (n->nrun == 1) {
		nest_one(n, n->run);
		n->nrun = 0;
		return;
	}
	e = mem_zalloc(n->nrun + 1, sizeof *e);
	for (size_t i = 0; i < n->nrun; i++)
		e[i] = &n->run[i];
	sort_array(e, n->nrun, sizeof *e, by_end);
	for (size_t i = 0; i < n->nrun; i++)
		nest_one(n, e[i]);
	mem_free(e);
	n->nrun = 0;
}

void
nesting_add(struct nesting *n, const struct span_record *r, uint64_t span, int64_t dur)
{
	if (!can_nest(r) || r->thread >= n->nthreads) {
		n->ended(n->arg, span, dur, 0);
		return;
	}
	if (n->nrun > 0 && (n->nrun == RUN_MOST || n->begin != begin_of(r)))
		run_nest(n);
	n->begin = begin_of(r);
	if (n->nrun == n->run_cap)
		n->run = mem_grow(n->run, &n->run_cap, n->nrun + 1, sizeof *n->run);
	n->run[n->nrun++] = (struct run_entry){ .end = end_of(r), .span = span,
	    .start = r->start, .stop = r->stop, .dur = dur, .thread = r->thread };
}

struct nesting *
nesting_new(struct trace *t, nest_fn ended, void *arg)
{
	struct nesting	*n = mem_zalloc(1, sizeof *n);

	n->t = t;
	n->ended = ended;
	n->arg = arg;
	n->nthreads = trace_threads(t);
	n->thread = mem_zalloc((size_t)n->nthreads + 1, sizeof *n->thread);
	return n;
}

void
nesting_end(struct nesting *n)
{
	if (n->nrun > 0)
		run_nest(n);
	for (uint32_t i = 0; i < n->nthreads; i++)
		while (n->thread[i].n > 0)
			stack_pop(n, &n->thread[i]);
}

void
nesting_free(struct nesting *n)
{
	if (n == NULL)
		return;
	for (uint32_t i = 0; i < n->nthreads; i++)
		mem_free(n->thread[i].v);
	mem_free(n->thread);
	mem_free(n->run);
	mem_free(n);
}

/* ---- of records */

static void
record_ended(void *arg, uint64_t span, int64_t self, size_t depth)
{
	struct span_record	*r = scratch_at(((struct spans *)arg)->record, span);

	r->self = self;
	r->depth = depth < UINT16_MAX ? (uint16_t)depth : UINT16_MAX;
}

void
nesting_make(struct spans *s)
{
	struct nesting	*n = nesting_new(s->t, record_ended, s);
	uint64_t	 count = scratch_n(s->record);
	size_t		 run;

	for (uint64_t i = 0; i < count; i += run) {
		const struct span_record	*r = scratch_run(s->record, i, &run);

		for (size_t k = 0; k < run; k++) {
			int64_t	dur = 0;

			(void)spans_dur(s, &r[k], &dur);
			nesting_add(n, &r[k], i + k, dur);
		}
	}
	nesting_end(n);
	nesting_free(n);
}

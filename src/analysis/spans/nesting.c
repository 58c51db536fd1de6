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
#include "tnav/base/sort.h"

#define RUN_MOST	65536u		/* spans that begin together and are put into order */

struct nest {
	uint64_t	span;
	uint64_t	end;		/* row, or time of a native one */
	int64_t		reached;	/* ns: children cover the time up to here, ... */
	int64_t		covered;	/* ... so much of it */
};

struct nest_stack {
	struct nest	*v;
	size_t		 n, cap;
};

struct nesting {
	struct spans		*s;
	struct nest_stack	*thread;
	uint32_t		 nthreads;
	uint64_t		*run;		/* spans that begin at one event, or time */
	struct span_record	*first;		/* of them */
	size_t			 nrun, run_cap;
};

static struct span_record *
record_at(const struct nesting *n, uint64_t i)
{
	return scratch_at(n->s->record, i);
}

/* Where it ends, in the order of what is sorted by: rows, or times that are moved above 0. */
static uint64_t
end_of(const struct span_record *r)
{
	if ((r->flags & SPAN_NATIVE) == 0)
		return r->stop_row;
	return (uint64_t)r->stop + (UINT64_C(1) << 63);
}

static bool
can_nest(const struct span_record *r)
{
	return r->state == SPAN_PAIRED && r->thread == r->stop_thread && r->thread != EVENT_NONE;
}

static void
stack_pop(struct nesting *n, struct nest_stack *st)
{
	struct nest		*top = &st->v[--st->n];
	struct span_record	*r = record_at(n, top->span);

	if (__builtin_sub_overflow(r->self, top->covered, &r->self))
		r->self = 0;
}

/* The parent's time from a to b is a child's. */
static void
cover(struct nest *up, int64_t a, int64_t b)
{
	int64_t	more;

	if (a < up->reached)
		a = up->reached;
	if (b <= a)
		return;
	up->reached = b;
	if (__builtin_sub_overflow(b, a, &more) ||
	    __builtin_add_overflow(up->covered, more, &up->covered))
		up->covered = INT64_MAX;
}

static void
nest_one(struct nesting *n, struct span_record *r, uint64_t span)
{
	struct nest_stack	*st = &n->thread[r->thread];
	struct trace		*t = n->s->t;
	uint64_t		 end = end_of(r);

	while (st->n > 0 && st->v[st->n - 1].end < end)
		stack_pop(n, st);
	r->depth = st->n < UINT16_MAX ? (uint16_t)st->n : UINT16_MAX;
	if (st->n > 0)
		cover(&st->v[st->n - 1], trace_ns(t, r->start), trace_ns(t, r->stop));
	if (st->n == LIMIT_SPANS_OPEN)
		return;
	if (st->n == st->cap)
		st->v = mem_grow(st->v, &st->cap, st->n + 1, sizeof *st->v);
	st->v[st->n++] = (struct nest){ .span = span, .end = end, .reached = INT64_MIN };
}

struct run_entry {
	uint64_t	end, span;
};

/* The longer first; then as they stand, which is by group. */
static int
by_end(const void *a, const void *b)
{
	const struct run_entry	*x = a, *y = b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->span < y->span ? -1 : x->span > y->span;
}

static void
run_nest(struct nesting *n)
{
	struct run_entry	*e;

	if (n->nrun == 1) {
		nest_one(n, n->first, n->run[0]);
		n->nrun = 0;
		return;
	}
	e = mem_zalloc(n->nrun + 1, sizeof *e);
	for (size_t i = 0; i < n->nrun; i++)
		e[i] = (struct run_entry){ .span = n->run[i],
		    .end = end_of(record_at(n, n->run[i])) };
	sort_array(e, n->nrun, sizeof *e, by_end);
	for (size_t i = 0; i < n->nrun; i++)
		nest_one(n, record_at(n, e[i].span), e[i].span);
	mem_free(e);
	n->nrun = 0;
}

/* Do both begin at one event; of native ones, at one time? */
static bool
begin_together(const struct span_record *a, const struct span_record *b)
{
	if ((b->flags & SPAN_NATIVE) != 0)
		return a->start == b->start;
	return a->row == b->row;
}

static void
self_first(struct nesting *n, struct span_record *r)
{
	int64_t	dur = 0;

	(void)spans_dur(n->s, r, &dur);
	r->self = dur;
	r->depth = 0;
}

static void
nest_next(struct nesting *n, struct span_record *r, uint64_t i)
{
	self_first(n, r);
	if (!can_nest(r) || r->thread >= n->nthreads)
		return;
	if (n->nrun > 0 && (n->nrun == RUN_MOST || !begin_together(n->first, r)))
		run_nest(n);
	if (n->nrun == 0)
		n->first = r;
	if (n->nrun == n->run_cap)
		n->run = mem_grow(n->run, &n->run_cap, n->nrun + 1, sizeof *n->run);
	n->run[n->nrun++] = i;
}

void
nesting_make(struct spans *s)
{
	struct nesting	n = { .s = s, .nthreads = trace_threads(s->t) };
	uint64_t	count = scratch_n(s->record);
	size_t		run;

	n.thread = mem_zalloc((size_t)n.nthreads + 1, sizeof *n.thread);
	for (uint64_t i = 0; i < count; i += run) {
		struct span_record	*r = scratch_run(s->record, i, &run);

		for (size_t k = 0; k < run; k++)
			nest_next(&n, &r[k], i + k);
	}
	if (n.nrun > 0)
		run_nest(&n);
	for (uint32_t i = 0; i < n.nthreads; i++) {
		while (n.thread[i].n > 0)
			stack_pop(&n, &n.thread[i]);
		mem_free(n.thread[i].v);
	}
	mem_free(n.thread);
	mem_free(n.run);
}

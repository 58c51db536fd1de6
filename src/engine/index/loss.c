/*
 * Loss: what the numbers of a thread's events say of events that are not in the file.
 *
 *	numbers   1 2 3  7 8   | 10 |  1 2        P = a sequence point that lists 10
 *	lost            3     2 at P              the 1 begins another life of the id
 *
 * A thread id has lives: the system gives a dead thread's id to a new one, whose numbers begin at 1
 * again. Each id has open lives with their last numbers. An event one above a last continues that
 * life; one further above the last of the youngest life that it can continue tells what was lost;
 * number 1 begins a life; a fall to n > 1 begins one that lost n - 1. A sequence point lists each
 * living life's number: numbers and lasts are paired largest to largest, unlisted lives are over.
 * All of it is "at least": a life that was lost whole leaves no trace.
 *
 *	events	A7  . . . . . . . . . A20	A lost 8..12 between A7 and P, for P lists 12 for A,
 *	point	       P: A12			... and 13..19 between P and A20
 *
 * A sequence point that lists a life's last number proves that nothing behind it was lost until
 * then: a gap begins there, and not at the life's last event.
 *
 * Invariant: a thread's lost is the sum of its gaps' (also of those beyond LIMIT_GAPS, which are
 * counted and not kept).
 * Format: NetTrace V4, "Event Sequence Numbers"; spec/real-files, "Loss can be told exactly".
 */
#include <stdlib.h>
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "engine/index/index.h"

void
loss_init(struct losses *l)
{
	segvec_init(&l->gaps, sizeof(struct gap));
	segvec_init(&l->marks, sizeof(struct lost_mark));
}

void
loss_release(struct losses *l)
{
	segvec_release(&l->gaps);
	segvec_release(&l->marks);
	mem_free(l->entries);
}

size_t
loss_memory(const struct losses *l)
{
	return segvec_bytes(&l->gaps) + segvec_bytes(&l->marks);
}

static struct decl_rec *
decl_at(struct trace *t, uint32_t decl)
{
	return segvec_at(&t->names.decls, decl);
}

/* Lives that the last barrier did not list are over. */
static void
lives_refresh(struct trace *t, struct decl_rec *r)
{
	if (r->stamp != t->loss.barriers && t->format.lives)
		r->nlives = 0;
	r->stamp = t->loss.barriers;
}

static struct life *
life_add(struct trace *t, struct decl_rec *r)
{
	struct thread_rec	*thread = segvec_at(&t->names.threads, r->thread);
	struct life		*l;

	if (r->nlives == LIMIT_LIVES) {
		memmove(r->life, r->life + 1, (LIMIT_LIVES - 1) * sizeof *r->life);
		r->nlives--;
	}
	r->life = mem_grow(r->life, &r->cap, r->nlives + 1, sizeof *r->life);
	l = &r->life[r->nlives++];
	memset(l, 0, sizeof *l);
	l->number = 1;
	if (t->format.lives) {
		l->number = ++thread->births;
		thread->s.lives = l->number;
	}
	return l;
}

static void
gap_add(struct trace *t, const struct gap *g)
{
	struct thread_rec	*r = segvec_at(&t->names.threads, g->thread);

	r->s.lost += g->lost;
	r->s.gaps++;
	t->loss.sum.lost += g->lost;
	t->loss.sum.gaps++;
	if (t->loss.sum.kept < LIMIT_GAPS) {
		*(struct gap *)segvec_add(&t->loss.gaps) = *g;
		t->loss.sum.kept++;
	}
}

/* From when on could something of this life be lost that is known at ts? */
static void
gap_from(const struct trace *t, const struct life *l, struct gap *g)
{
	g->has_prev = l->seen;
	g->prev_ts = l->ts;
	g->prev_off = l->off;
	g->from = l->seen ? l->reached : t->barrier_ts;
	if (g->from > g->to)
		g->from = g->to;
}

/* Does number n follow last by going up? Numbers wrap around 2^32. */
static bool
goes_up(const struct trace *t, uint32_t last, uint32_t n)
{
	uint32_t	step = n - last;

	if (!t->format.lives)
		return step != 0 && step < 1u << 31;
	/* With lives a small number after a large one is a new life, but close to the wrap. */
	return n > last || (step != 0 && step < 1u << 24 && last > UINT32_MAX - (1u << 24));
}

static struct life *
life_choose(const struct trace *t, const struct decl_rec *r, uint32_t n)
{
	struct life	*next = NULL;

	/* Of several, the one of the latest event: else it would matter where a run was split. */
	for (uint32_t i = 0; i < r->nlives; i++)
		if (r->life[i].last + 1 == n && (next == NULL || next->number != r->recent))
			next = &r->life[i];
	if (next != NULL)
		return next;
	if (n == 1 && t->format.lives)
		return NULL;
	for (uint32_t i = r->nlives; i-- > 0; )
		if (goes_up(t, r->life[i].last, n))
			return &r->life[i];
	return NULL;
}

/* The number of an event that continues no life: a new one, or nothing that can be explained. */
static struct life *
life_begin(struct trace *t, struct decl_rec *r, const struct seq_run *run)
{
	struct life	*l;

	if (!t->format.lives && r->nlives > 0) {
		diag_add(t->diag, SEV_NOTE, FIND_SEQUENCE, run->off_first, 0,
		    "an event's number is below that of its thread's event before");
		l = &r->life[r->nlives - 1];
		l->last = run->first - 1;
		return l;
	}
	l = life_add(t, r);
	if (r->base || run->first == 0)
		l->last = run->first - 1;
	return l;
}

void
loss_run(struct trace *t, uint32_t decl, const struct seq_run *run)
{
	struct decl_rec	*r = decl_at(t, decl);
	struct life	*l;
	struct gap	 g = { .thread = r->thread, .to = run->ts_first,
			    .next_off = run->off_first, .seq_to = run->first - 1 };
	uint64_t	 before;

	if (decl + 1 == t->names.over_decl)
		return;			/* many threads' */
	lives_refresh(t, r);
	l = life_choose(t, r, run->first);
	if (l == NULL)
		l = life_begin(t, r, run);
	before = l->pending;
	g.seq_from = l->last + 1;
	g.lost = run->first - g.seq_from;
	if (g.lost > 0) {
		g.life = l->number;
		g.why = l->seen || l->last > 0 ? GAP_NUMBERS : GAP_START;
		gap_from(t, l, &g);
		gap_add(t, &g);
		before += g.lost;
	}
	if (before > 0 && t->loss.marks.n < LIMIT_GAPS)
		*(struct lost_mark *)segvec_add(&t->loss.marks) =
		    (struct lost_mark){ run->off_first, before };
	l->pending = 0;
	l->seen = true;
	r->recent = l->number;
	l->last = run->first + run->n - 1;
	l->ts = run->ts_last;
	l->reached = run->ts_last;
	l->off = run->off_last;
}

static int
entry_compare(const void *pa, const void *pb)
{
	const struct barrier_entry	*a = pa, *b = pb;

	if (a->decl != b->decl)
		return a->decl < b->decl ? -1 : 1;
	return a->number > b->number ? -1 : a->number < b->number;
}

static int
life_by_last(const void *pa, const void *pb)
{
	const struct life	*a = pa, *b = pb;

	return a->last > b->last ? -1 : a->last < b->last;
}

static int
life_by_number(const void *pa, const void *pb)
{
	const struct life	*a = pa, *b = pb;

	return a->number < b->number ? -1 : a->number > b->number;
}

/* Somebody at time ts knows that this life has reached a number. */
static void
life_reached(struct trace *t, uint32_t thread, struct life *l, uint32_t number, enum gap_why why,
    int64_t ts)
{
	struct gap	g = { .thread = thread, .life = l->number, .why = why, .to = ts,
			    .seq_from = l->last + 1, .seq_to = number, .lost = number - l->last };

	if (number == l->last || !goes_up(t, l->last, number))
		return;
	gap_from(t, l, &g);
	gap_add(t, &g);
	l->pending += g.lost;
	l->last = number;
}

/* The listed numbers of one id, largest first, against its lives. */
static void
barrier_decl(struct trace *t, const struct barrier_entry *e, size_t n, int64_t ts)
{
	struct decl_rec	*r = decl_at(t, e->decl);

	lives_refresh(t, r);
	if (r->nlives > 1)
		qsort(r->life, r->nlives, sizeof *r->life, life_by_last);
	if (n > LIMIT_LIVES)
		n = LIMIT_LIVES;
	for (size_t i = 0; i < n; i++) {
		struct life	*l = i < r->nlives ? &r->life[i] : life_add(t, r);

		if (r->base && !l->seen && l->last == 0)
			l->last = e[i].number;
		life_reached(t, r->thread, l, e[i].number, GAP_BARRIER, ts);
		if (l->last == e[i].number && l->reached < ts)
			l->reached = ts;
	}
	if (r->nlives > n && t->format.lives)
		r->nlives = (uint32_t)n;
	if (r->nlives > 1)
		qsort(r->life, r->nlives, sizeof *r->life, life_by_number);
}

void
loss_barrier(struct trace *t, int64_t ts)
{
	size_t	n = t->loss.nentries, i = 0, j;

	if (n > 0)
		qsort(t->loss.entries, n, sizeof *t->loss.entries, entry_compare);
	for (; i < n; i = j) {
		for (j = i + 1; j < n && t->loss.entries[j].decl == t->loss.entries[i].decl; j++)
			;
		if (t->loss.entries[i].decl + 1 != t->names.over_decl)
			barrier_decl(t, &t->loss.entries[i], j - i, ts);
	}
	t->loss.barriers++;
	for (i = 0; i < n; i++)
		decl_at(t, t->loss.entries[i].decl)->stamp = t->loss.barriers;
	t->loss.nentries = 0;
}

void
loss_remove(struct trace *t, uint32_t decl, uint32_t number)
{
	struct decl_rec	*r = decl_at(t, decl);
	int64_t		 last = t->progress.tmax;
	struct life	*l;

	if (r->nlives == 0 && r->base)
		return;
	l = r->nlives > 0 ? &r->life[r->nlives - 1] : life_add(t, r);
	/* A removal has no time: what is lost was lost before the latest event so far. */
	life_reached(t, r->thread, l, number, GAP_REMOVE, l->seen && l->ts > last ? l->ts :
	    last > t->barrier_ts ? last : t->barrier_ts);
}

uint64_t
loss_mark_at(const struct trace *t, uint64_t off)
{
	uint64_t	lo = 0, hi = t->loss.marks.n;

	while (lo < hi) {
		uint64_t	mid = lo + (hi - lo) / 2;

		if (((struct lost_mark *)segvec_at(&t->loss.marks, mid))->off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

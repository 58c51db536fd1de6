/*
 * Lost events, which are not in the file, found by the sequence numbers of each thread.
 *
 *	numbers   1 2 3  7 8   | 10 |  1 2        P = a sequence point that lists 10
 *	lost            3     2 at P              the 1 begins another incarnation of the id
 *
 * A thread id has incarnations: the system gives the id of a thread that has ended to a new one,
 * whose numbers begin at 1 again. Each id has open incarnations with their last numbers. An event
 * continues the incarnation whose last number is one less. A greater number continues the youngest
 * possible incarnation, and the numbers between are lost. Number 1 begins an incarnation. A smaller
 * number n > 1 begins one that lost n - 1 events. A sequence point lists the number of each living
 * incarnation: these and the last numbers are paired from the largest down, and incarnations that
 * are not listed have ended. All losses are "at least": an incarnation all of whose events were
 * lost is not noticed.
 *
 *	events	A7  . . . . . . . . . A20	A lost 8..12 between A7 and P, as P lists 12 for A,
 *	point	       P: A12			... and 13..19 between P and A20
 *
 * A sequence point that lists an incarnation's last number proves that nothing was lost between
 * that event and the sequence point. So a later gap begins at the sequence point, not at the event.
 *
 * Invariant: the lost events of a thread are the sum over its gaps, including those beyond
 * LIMIT_GAPS, which are counted but not kept.
 * Format: NetTrace V4, "Event Sequence Numbers"; doc/formats/nettrace4.md.
 */
#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "engine/index/index.h"

void
loss_release(struct losses *l)
{
	segvec_release(&l->gaps);
	segvec_release(&l->marks);
	segvec_release(&l->turns);
	segvec_release(&l->ended);
	mem_free(l->entries);
}

size_t
loss_memory(const struct losses *l)
{
	return segvec_bytes(&l->gaps) + segvec_bytes(&l->marks) + segvec_bytes(&l->turns) +
	    segvec_bytes(&l->ended);
}

static struct decl_rec *
decl_at(struct trace *t, uint32_t decl)
{
	return segvec_at(&t->names.decls, decl);
}

/* Keep a mark, unless there are too many for a file of this size: only a cut would know less. */
static void
mark_life(struct segvec *marks, uint32_t decl, const struct incarnation *l, uint64_t off)
{
	if (marks->n < LIMIT_ANY_FILE + off / LIMIT_DECL_BYTES)
		*(struct life_mark *)segvec_add(marks, sizeof(struct life_mark)) =
		    (struct life_mark){ off, decl, l->number };
}

/* Incarnations of a declaration have ended. */
static void
lives_end(struct trace *t, uint32_t decl, const struct incarnation *l, uint32_t n)
{
	for (; n > 0; n--, l++)
		mark_life(&t->loss.ended, decl, l, l->off);
}

/* Remove the incarnations that the last barrier did not list. */
static void
lives_refresh(struct trace *t, uint32_t decl, struct decl_rec *r)
{
	if (r->stamp != t->loss.barriers && t->format.reuses_ids) {
		lives_end(t, decl, r->inc, r->ninc);
		r->ninc = 0;
	}
	r->stamp = t->loss.barriers;
}

static struct incarnation *
incarnation_add(struct trace *t, uint32_t decl, struct decl_rec *r)
{
	struct thread_rec	*thread = segvec_at(&t->names.threads, r->thread);
	struct incarnation		*l;

	if (r->ninc == LIMIT_INCARNATIONS) {
		lives_end(t, decl, r->inc, 1);
		memmove(r->inc, r->inc + 1, (LIMIT_INCARNATIONS - 1) * sizeof *r->inc);
		r->ninc--;
	}
	r->inc = mem_grow(r->inc, &r->cap, r->ninc + 1, sizeof *r->inc);
	l = &r->inc[r->ninc++];
	memset(l, 0, sizeof *l);
	l->number = 1;
	if (t->format.reuses_ids) {
		l->number = ++thread->births;
		thread->s.incarnations = l->number;
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
		*(struct gap *)segvec_add(&t->loss.gaps, sizeof *g) = *g;
		t->loss.sum.kept++;
	}
}

/* Set the time from which events of this incarnation may be lost. */
static void
gap_from(const struct trace *t, const struct incarnation *l, struct gap *g)
{
	g->has_prev = l->seen;
	g->prev_ts = l->ts;
	g->prev_off = l->off;
	g->from = l->seen ? l->reached : t->barrier_ts;
	if (g->from > g->to)
		g->from = g->to;
}

/* Is n a later number than last in the same incarnation? Numbers wrap around at 2^32. */
static bool
goes_up(const struct trace *t, uint32_t last, uint32_t n)
{
	uint32_t	step = n - last;

	if (!t->format.reuses_ids)
		return step != 0 && step < 1u << 31;
	/* A small number after a large one is a new incarnation, except near the wrap. */
	return n > last || (step != 0 && step < 1u << 24 && last > UINT32_MAX - (1u << 24));
}

static struct incarnation *
incarnation_choose(const struct trace *t, const struct decl_rec *r, uint32_t n)
{
	struct incarnation	*next = NULL;

	/* If several match, the one of the latest event, so that splitting a run has no effect. */
	for (uint32_t i = 0; i < r->ninc; i++)
		if (r->inc[i].last + 1 == n && (next == NULL || next->number != r->recent))
			next = &r->inc[i];
	if (next != NULL)
		return next;
	if (n == 1 && t->format.reuses_ids)
		return NULL;
	for (uint32_t i = r->ninc; i-- > 0; )
		if (goes_up(t, r->inc[i].last, n))
			return &r->inc[i];
	return NULL;
}

/* An event continues no incarnation: begin a new one, or report a number without explanation. */
static struct incarnation *
incarnation_begin(struct trace *t, uint32_t decl, struct decl_rec *r, const struct seq_run *run)
{
	struct incarnation	*l;

	if (!t->format.reuses_ids && r->ninc > 0) {
		diag_add(t->diag, SEV_NOTE, FIND_SEQUENCE, run->off_first, 0,
		    "an event has a lower sequence number than the previous event of its thread");
		l = &r->inc[r->ninc - 1];
		l->last = run->first - 1;
		return l;
	}
	l = incarnation_add(t, decl, r);
	if (r->base || run->first == 0)
		l->last = run->first - 1;
	return l;
}

void
loss_run(struct trace *t, uint32_t decl, const struct seq_run *run)
{
	struct decl_rec	*r = decl_at(t, decl);
	struct incarnation	*l;
	struct gap	 g = { .thread = r->thread, .decl = decl, .to = run->ts_first,
			    .next_off = run->off_first, .seq_to = run->first - 1 };
	uint64_t	 before;

	if (decl + 1 == t->names.over_decl)
		return;			/* it stands for many threads */
	lives_refresh(t, decl, r);
	l = incarnation_choose(t, r, run->first);
	if (l == NULL)
		l = incarnation_begin(t, decl, r, run);
	before = l->pending;
	g.seq_from = l->last + 1;
	g.lost = run->first - g.seq_from;
	if (g.lost > 0) {
		g.incarnation = l->number;
		g.why = l->seen || l->last > 0 ? GAP_NUMBERS : GAP_START;
		gap_from(t, l, &g);
		gap_add(t, &g);
		before += g.lost;
	}
	if (before > 0 && t->loss.marks.n < LIMIT_GAPS)
		*(struct lost_mark *)segvec_add(&t->loss.marks, sizeof(struct lost_mark)) =
		    (struct lost_mark){ run->off_first, before };
	l->pending = 0;
	l->seen = true;
	/* That a first incarnation begins needs no mark. */
	if (t->format.reuses_ids && l->number != r->recent && (l->number > 1 || r->recent > 0))
		mark_life(&t->loss.turns, decl, l, run->off_first);
	r->recent = l->number;
	l->last = run->first + run->n - 1;
	l->ts = run->ts_last;
	l->reached = run->ts_last;
	l->off = run->off_last;
}

SORT_ORDER(entry_compare, struct barrier_entry, RISING(decl) FALLING(number))

SORT_ORDER(incarnation_by_last, struct incarnation, FALLING(last))

SORT_ORDER(incarnation_by_number, struct incarnation, RISING(number))

/* A barrier or a removal at time ts shows that this incarnation has reached a number. */
static void
incarnation_reached(struct trace *t, uint32_t decl, struct incarnation *l, uint32_t number,
    enum gap_why why, int64_t ts)
{
	struct gap	g = { .thread = decl_at(t, decl)->thread, .decl = decl,
			    .incarnation = l->number, .why = why, .to = ts,
			    .seq_from = l->last + 1, .seq_to = number, .lost = number - l->last };

	if (number == l->last || !goes_up(t, l->last, number))
		return;
	gap_from(t, l, &g);
	gap_add(t, &g);
	l->pending += g.lost;
	l->last = number;
}

/* Pair the listed numbers of one id, largest first, with its incarnations. */
static void
barrier_decl(struct trace *t, const struct barrier_entry *e, size_t n, int64_t ts)
{
	struct decl_rec	*r = decl_at(t, e->decl);

	lives_refresh(t, e->decl, r);
	sort_array(r->inc, r->ninc, sizeof *r->inc, incarnation_by_last);
	if (n > LIMIT_INCARNATIONS)
		n = LIMIT_INCARNATIONS;
	for (size_t i = 0; i < n; i++) {
		struct incarnation	*l = i < r->ninc ? &r->inc[i] :
					    incarnation_add(t, e->decl, r);

		if (r->base && !l->seen && l->last == 0)
			l->last = e[i].number;
		incarnation_reached(t, e->decl, l, e[i].number, GAP_BARRIER, ts);
		if (l->last == e[i].number && l->reached < ts)
			l->reached = ts;
	}
	if (r->ninc > n && t->format.reuses_ids) {
		lives_end(t, e->decl, r->inc + n, r->ninc - (uint32_t)n);
		r->ninc = (uint32_t)n;
	}
	sort_array(r->inc, r->ninc, sizeof *r->inc, incarnation_by_number);
}

void
loss_barrier(struct trace *t, int64_t ts)
{
	size_t	n = t->loss.nentries, i = 0, j;

	sort_array(t->loss.entries, n, sizeof *t->loss.entries, entry_compare);
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
	struct incarnation	*l;

	if (r->ninc == 0 && r->base)
		return;
	l = r->ninc > 0 ? &r->inc[r->ninc - 1] : incarnation_add(t, decl, r);
	/* A removal has no time: the events were lost before the latest event so far. */
	incarnation_reached(t, decl, l, number, GAP_REMOVE, l->seen && l->ts > last ? l->ts :
	    last > t->barrier_ts ? last : t->barrier_ts);
}

uint64_t
loss_mark_at(const struct trace *t, uint64_t off)
{
	uint64_t	at = 0;

	BISECT(at, t->loss.marks.n, i,
	    ((struct lost_mark *)segvec_at(&t->loss.marks, i))->off < off);
	return at;
}

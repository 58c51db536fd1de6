/*
 * Events that two sources both have, since two sessions of one program ran at the same time: those
 * of `record --rotate`, each of which begins before the one before it ends.
 *
 *	A	| ... a7  a8  a9  |			a9 and b2 are one event: the program wrote
 *	B	         | b1  b2  b3 ... |		it into both files
 *	joined	| ... a7  a8  a9  b3 ... |
 *
 * A program gives an event to its sessions one after the other, each with a time and a number of
 * its own. So of the events of one thread, in the order of their times in both files, the two of a
 * pair are neighbours, and their numbers differ by as much as those of all other pairs of the
 * thread: by how much, most pairs that are close in time say. A pair has one thread, type and
 * payload, and that difference. An event that one of the files has lost has no pair. If two events
 * have the difference and are not one, it is not that of the thread, which has no pairs then.
 *
 * Invariant: of a pair, the event of the later source is left out; no other event ever is. In doubt
 * an event is shown twice. The cost is that of the events of the time that two files share. Where
 * these are more than LIMIT_REPEATS in both, all are shown twice, and a finding says so.
 */
#include <string.h>

#include "engine/joined/joined.h"
#include "tnav/base/idmap.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/base/units.h"

#define NEAR_NS		1000000		/* between the times of a pair, if it is not held up */
#define AROUND_NS	100000000	/* ... and if it is, at ends of files */

/* Of a thread that lost events: two equal votes may be wrong. Where it lost them does not matter,
   since losses at the end of a file leave no mark. */
#define VOTES_LOSSY	3u

/* One of the two files, read in the order of time. */
struct meeting_side {
	struct trace			*t;
	const struct slice_view		*v;
	uint64_t			 row;
	int64_t				 until;		/* ticks */
	struct thread_stat		*thread;	/* by index */
	size_t				 nthread;
};

/* An event of a thread, and the side that has it; side 2: none. */
struct sighting {
	struct event	e;
	unsigned	side;
};

/* A thread that writes events. */
struct writer_thread {
	struct sighting	last;		/* its latest event that is in no pair yet */
	struct sighting	before;		/* the one before, if it may be a pair with last */
	uint32_t	apart;		/* the number in B less that in A, of most pairs so far */
	uint32_t	votes;
	bool		lossy;		/* events of it were lost: one vote may be a chance */
	bool		doubted;
};

/* An event that is left out if its writer was not doubted. */
struct likely_repeat {
	struct repeat	r;
	uint32_t	writer;
};

/* The time that two sources have in common, walked over twice: to vote, then to pair. */
struct meeting {
	struct meeting_side	 side[2];
	struct joined_source	*later;		/* the source of side 1 */
	struct idmap		 threads;	/* (tid, pid) -> index of writer */
	struct writer_thread	*writer;
	size_t			 n, cap;
	struct likely_repeat	*likely;
	size_t			 nlikely, likely_cap;
	int64_t			 near;		/* ticks */
	bool			 voted;		/* the differences are known */
};

/* ---- which sources */

/* Is B of the program of A, and does it begin after A does, but before A has ended? */
static bool
is_later(const struct joined_source *a, const struct joined_source *b)
{
	const struct trace_info	*ia = trace_info(a->t), *ib = trace_info(b->t);
	int64_t			 a0, a1, b0, b1, around = units_ns_ticks(AROUND_NS, 0, ia->freq);

	if (!ia->has_pid || !ib->has_pid || ia->pid != ib->pid || !joined_same_boot(ia, ib) ||
	    !clock_same(&a->clock, &b->clock) || (ia->has & ib->has & HAS_NUMBERS) == 0)
		return false;
	return trace_range(a->t, &a0, &a1) && trace_range(b->t, &b0, &b1) && a0 < b0 &&
	    b0 <= add_i64(a1, around);
}

/* ---- reading both in the order of time */

static void
side_begin(struct meeting_side *s, struct trace *t, int64_t from, int64_t until)
{
	*s = (struct meeting_side){ .t = t, .row = trace_row_at(t, from), .until = until };
	s->nthread = trace_thread_stats(t, &s->thread);
}

static void
side_view_put(struct meeting_side *s)
{
	if (s->v != NULL)
		trace_view_put(s->t, s->v);
	s->v = NULL;
}

/* Its next event, or NULL. */
static const struct event *
side_event(struct meeting_side *s)
{
	const struct event	*e;

	if (s->v != NULL && s->row - s->v->row0 >= s->v->n)
		side_view_put(s);
	if (s->v == NULL && trace_view_get(s->t, s->row, &s->v) != 1) {
		s->v = NULL;		/* the end, or what can't be read: no pairs beyond */
		return NULL;
	}
	e = &s->v->ev[s->row - s->v->row0];
	return e->ts <= s->until ? e : NULL;
}

static void
side_end(struct meeting_side *s)
{
	side_view_put(s);
	mem_free(s->thread);
}

/* ---- pairs */

static const struct thread_stat *
thread_of(const struct meeting *p, const struct sighting *s, uint32_t thread)
{
	return &p->side[s->side].thread[thread];
}

static bool
same_thread(const struct thread_stat *a, const struct thread_stat *b)
{
	return a->has_tid == b->has_tid && a->tid == b->tid;
}

static bool
same_type(const struct event_type *a, const struct event_type *b)
{
	return a->id == b->id && a->version == b->version &&
	    strcmp(a->provider, b->provider) == 0 && strcmp(a->name, b->name) == 0;
}

static bool
same_payload(const struct meeting *p, const struct sighting *a, const struct sighting *b)
{
	struct span	x = trace_payload(p->side[a->side].t, &a->e);
	struct span	y = trace_payload(p->side[b->side].t, &b->e);

	return x.len == a->e.size && spans_equal(x, y);
}

static uint32_t
numbers_apart(const struct sighting *a, const struct sighting *b)
{
	return a->side == 1 ? a->e.seq - b->e.seq : b->e.seq - a->e.seq;
}

static int64_t
ticks_apart(const struct sighting *a, const struct sighting *b)
{
	int64_t	d = sub_i64(b->e.ts, a->e.ts);

	return d < 0 ? sub_i64(0, d) : d;
}

static bool
are_alike(const struct meeting *p, const struct sighting *a, const struct sighting *b)
{
	return a->e.size == b->e.size &&
	    same_thread(thread_of(p, a, a->e.thread), thread_of(p, b, b->e.thread)) &&
	    same_type(trace_type(p->side[a->side].t, a->e.type),
	    trace_type(p->side[b->side].t, b->e.type)) && same_payload(p, a, b);
}

/* May two events of one writer be one? */
static bool
is_pair(const struct meeting *p, struct writer_thread *w, const struct sighting *a,
    const struct sighting *b)
{
	bool	alike;

	if (a->side == b->side || a->side > 1 || b->side > 1)
		return false;
	if (!p->voted)
		return ticks_apart(a, b) <= p->near && are_alike(p, a, b);
	if (w->votes < (w->lossy ? VOTES_LOSSY : 1) || numbers_apart(a, b) != w->apart)
		return false;
	alike = are_alike(p, a, b);
	w->doubted |= !alike;
	return alike;
}

/* The difference that more than half of all pairs have wins. */
static void
vote(struct writer_thread *w, uint32_t apart)
{
	if (w->votes == 0)
		w->apart = apart;
	if (w->apart == apart)
		w->votes++;
	else
		w->votes--;
}

static void
pair_found(struct meeting *p, struct writer_thread *w, const struct sighting *a,
    const struct sighting *b)
{
	const struct event	*e = a->side == 1 ? &a->e : &b->e;

	if (!p->voted) {
		vote(w, numbers_apart(a, b));
		return;
	}
	ARRAY_ADD(p->likely, p->nlikely, p->likely_cap, (struct likely_repeat){
	    { e->off, e->size, e->type, e->thread }, (uint32_t)(w - p->writer) });
}

/* Leave out what was found in the later source. */
static void
leave_out(const struct meeting *p)
{
	struct repeats	*r = &p->later->repeats;

	for (size_t i = 0; i < p->nlikely; i++) {
		if (p->writer[p->likely[i].writer].doubted)
			continue;
		ARRAY_ADD(r->v, r->n, r->cap, p->likely[i].r);
	}
}

/* End of a writer: a pair that waits for a closer one is a pair. */
static void
writer_settle(struct meeting *p, struct writer_thread *w)
{
	if (w->before.side <= 1)
		pair_found(p, w, &w->before, &w->last);
	w->before.side = w->last.side = 2;
}

/* The next event of a writer. Of two pairs that share an event, the closer one counts. */
static void
writer_add(struct meeting *p, struct writer_thread *w, const struct sighting *now)
{
	bool	waits = w->before.side <= 1, pair = is_pair(p, w, &w->last, now);

	w->lossy |= (now->e.flags & EVENT_LOST) != 0;
	if (waits && !(pair && ticks_apart(&w->last, now) < ticks_apart(&w->before, &w->last))) {
		writer_settle(p, w);
		pair = false;
	}
	w->before.side = 2;
	if (pair)
		w->before = w->last;
	w->last = *now;
}

static struct writer_thread *
writer_get(struct meeting *p, const struct thread_stat *t)
{
	uint32_t	i;

	if (!idmap_get(&p->threads, t->tid, 0, &i)) {
		i = (uint32_t)p->n;
		ARRAY_ADD(p->writer, p->n, p->cap, (struct writer_thread){
		    .last.side = 2, .before.side = 2 });
		idmap_set(&p->threads, t->tid, 0, i);
	}
	return &p->writer[i];
}

/* Go over the time that both have. */
static void
meeting_run(struct meeting *p, const atomic_bool *stop)
{
	while (!atomic_load(stop)) {
		const struct event		*e[2] = { side_event(&p->side[0]),
						    side_event(&p->side[1]) };
		struct sighting			 now = { .side = 0 };
		const struct thread_stat	*who;

		if (e[0] == NULL && e[1] == NULL)
			break;
		now.side = e[0] == NULL || (e[1] != NULL && e[1]->ts < e[0]->ts);
		now.e = *e[now.side];
		p->side[now.side].row++;
		who = thread_of(p, &now, now.e.capture);
		if (who->has_tid)
			writer_add(p, writer_get(p, who), &now);
	}
	for (size_t i = 0; i < p->n; i++)
		writer_settle(p, &p->writer[i]);
}

/* Are the events that both have between these times no more than what is left for all pairs of
   files? Takes them from it. */
static bool
are_few(struct trace *a, struct trace *b, int64_t from, int64_t until, uint64_t *left)
{
	uint64_t	na = trace_rows(a) - trace_row_at(a, from);
	uint64_t	nb = trace_row_at(b, until);
	uint64_t	n = na < nb ? na : nb;

	if (n > *left)
		return false;
	*left -= n;
	return true;
}

static bool
begin_together(struct trace *a, struct trace *b)
{
	int64_t	from, other, last;

	return trace_range(a, &from, &last) && trace_range(b, &other, &last) && from == other;
}

/* Files of a program in which no event is twice are one rotation; so a copy of a file is not. */
static void
same_program(struct joined *j, uint32_t a, uint32_t b)
{
	uint32_t	one = j->source[a].program, two = j->source[b].program;

	for (uint32_t i = 0; i < j->n; i++)
		for (uint32_t k = 0; k < j->n && j->source[i].program == one; k++)
			if (j->source[k].program == two && k != i &&
			    begin_together(j->source[i].t, j->source[k].t))
				return;
	for (uint32_t i = 0; i < j->n; i++)
		if (j->source[i].program == one || j->source[i].program == two)
			j->source[i].program = one < two ? one : two;
}

/* False: there are too many events. */
static bool
pair_sources(struct trace *t, struct joined_source *a, struct joined_source *b, uint64_t *left)
{
	int64_t		freq = trace_info(a->t)->freq, from, until, none;
	int64_t		around = units_ns_ticks(AROUND_NS, 0, freq);
	struct meeting	p = { .later = b, .near = units_ns_ticks(NEAR_NS, 0, freq) };

	(void)trace_range(b->t, &from, &none);
	(void)trace_range(a->t, &none, &until);
	if (!are_few(a->t, b->t, from, until, left)) {
		diag_add(t->diag, SEV_NOTE, FIND_LIMIT, 0, 0, "too many events to tell which are "
		    "in both %s and %s: these are shown twice", trace_path(a->t),
		    trace_path(b->t));
		return false;
	}
	for (unsigned turn = 0; turn < 2; turn++) {
		p.voted = turn == 1;
		side_begin(&p.side[0], a->t, sub_i64(from, around), until);
		side_begin(&p.side[1], b->t, from, add_i64(until, around));
		meeting_run(&p, &t->cancel);
		side_end(&p.side[0]);
		side_end(&p.side[1]);
	}
	leave_out(&p);
	idmap_release(&p.threads);
	mem_free(p.likely);
	mem_free(p.writer);
	return true;
}

SORT_ORDER(repeat_compare, struct repeat, RISING(off))

/* Sort them; an event that two earlier sources have is left out once. */
static void
repeats_sort(struct repeats *r)
{
	size_t	n = 0;

	sort_array(r->v, r->n, sizeof *r->v, repeat_compare);
	for (size_t i = 0; i < r->n; i++)
		if (n == 0 || r->v[i].off != r->v[n - 1].off)
			r->v[n++] = r->v[i];
	r->n = n;
}

void
joined_repeats(struct trace *t)
{
	struct joined	*j = t->joined;
	uint64_t	 left = j->how.repeats > 0 ? j->how.repeats : LIMIT_REPEATS;

	for (uint32_t i = 0; i < j->n; i++)
		for (uint32_t k = 0; k < j->n && !atomic_load(&t->cancel); k++)
			if (i != k && is_later(&j->source[i], &j->source[k]) &&
			    pair_sources(t, &j->source[i], &j->source[k], &left))
				same_program(j, i, k);
	for (uint32_t i = 0; i < j->n; i++)
		repeats_sort(&j->source[i].repeats);
}

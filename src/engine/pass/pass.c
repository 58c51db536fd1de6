/*
 * The driver of a pass: it hands out the pieces and merges them in order.
 *
 *	ring	[done][done][working][working][free][free]
 *		 ^ merged next        ^ taken next
 *
 * All threads take pieces. The caller's thread merges finished ones before it takes another. Taking
 * a piece needs a free place in the ring, so only a few pieces wait to be merged.
 *
 * States that stay are not in the ring: they go from piece to piece, and are merged after all.
 *
 * Invariant: a piece is merged when all pieces before it have been. Nothing is merged once stop is
 * true.
 */
#include "engine/pass/run.h"

#include "engine/filter/ast.h"
#include "engine/index/head.h"
#include "engine/pass/memory.h"
#include "engine/pass/piece.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define TICK_NS		20000000	/* between two ticks */
#define RING_AHEAD	2u		/* places in the ring, besides one for each worker */
#define SEGMENTS_USUAL	16u		/* segments of a usual piece in any order */

struct pass {
	struct trace			*t;
	const struct pass_options	*o;
	struct piece_states		 states;
	atomic_bool			*stop;
	struct pass_gate		*gate;		/* or NULL */
	struct lock			*lock;
	bool				 by_rows;
	struct segment_cut		 segments;
	struct row_cut			 rows;
	struct piece			*ring;
	size_t				 size;
	uint64_t			 taken, merged;	/* pieces */
	uint64_t			 done, all;	/* sums of weights */
	int64_t				 ticked;
	int				 err;
	struct pass_result		 result;
};

/* ---- the caller's thread */

static void
pass_tick(void *arg)
{
	struct pass	*p = arg;
	uint64_t	 done;
	int64_t		 now;

	if (p->o->tick == NULL)
		return;
	now = job_now_ns();
	if (now - p->ticked < TICK_NS)
		return;
	p->ticked = now;
	lock_take(p->lock);
	done = p->done + p->rows.passed;
	lock_drop(p->lock);
	if (p->o->tick(p->o->tick_arg, done, p->all))
		atomic_store(p->stop, true);
}

/* Merge the piece's state and set where the next pass begins: both or neither. */
static void
merge_piece(struct pass *p, const struct piece *pc)
{
	struct pass_gate	*g = p->gate;
	bool			 open = true;

	if (g != NULL) {
		lock_take(g->hold);
		open = !g->closed;
	}
	if (open && pc->state != NULL)
		p->err = p->states.ops->merge(p->states.arg, pc->state);
	if (open && p->o->resume != NULL)
		*p->o->resume = pc->end;
	if (open && g != NULL && g->resume != NULL)
		*g->resume = *p->o->resume;
	if (g != NULL)
		lock_drop(g->hold);
	states_give(&p->states, pc->state);
}

/* Merge the next piece if it is done. Called with the lock held; drops it while merging. */
static bool
merge_next(struct pass *p)
{
	struct piece	*pc = &p->ring[p->merged % p->size];
	bool		 keeps;

	if (p->merged == p->taken || !pc->done)
		return false;
	keeps = p->o->memory != NULL && pc->final && !p->result.lost && !pc->lost;
	lock_drop(p->lock);
	if (keeps)
		memory_keep(p->o->memory, pc->state, pc->end.at);
	merge_piece(p, pc);
	pass_tick(p);
	lock_take(p->lock);
	if (p->err != 0)
		atomic_store(p->stop, true);
	p->result.costly += pc->costly;
	p->result.lost |= pc->lost;
	p->done += pc->weight;
	p->merged++;
	lock_wake(p->lock);
	return true;
}

/* ---- all threads */

/* Work on a piece. Called with the lock held; drops it while working. */
static void
piece_work(struct pass *p, struct pass_worker *w, struct piece *pc)
{
	const struct slice_view	*unused = NULL;

	p->taken++;
	lock_drop(p->lock);
	if (p->by_rows)
		row_piece_run(w, pc);
	else
		segment_piece_run(w, pc);
	if (p->states.ops->stays) {
		states_keep(&p->states, pc->state);
		pc->state = NULL;
	}
	lock_take(p->lock);
	pc->done = true;
	if (p->by_rows)
		unused = slice_left(pc);
	lock_wake(p->lock);
	if (unused == NULL)
		return;
	lock_drop(p->lock);
	trace_view_put(p->t, unused);
	lock_take(p->lock);
}

static void
slice_work(struct pass *p, struct pass_worker *w, struct open_slice *s)
{
	lock_drop(p->lock);
	slice_open(w, s, p->rows.sifts);
	lock_take(p->lock);
	slice_opened(&p->rows, s);
	p->result.lost |= s->lost;
	p->result.costly += s->costly;
	lock_wake(p->lock);
}

/* Do the next task; ROWS_WAIT: others are working on it; ROWS_END: there is none left to take. */
static enum row_task
work_next(struct pass *p, struct pass_worker *w)
{
	struct piece		*pc = &p->ring[p->taken % p->size];
	struct open_slice	*s;
	enum row_task		 task = ROWS_PIECE;

	if (p->taken - p->merged == p->size)
		return ROWS_WAIT;
	if (p->by_rows)
		task = row_cut_next(&p->rows, p->t, p->o, pc, &s);
	else if (!segment_cut_next(&p->segments, p->t, pc))
		task = ROWS_END;
	if (task == ROWS_PIECE)
		piece_work(p, w, pc);
	else if (task == ROWS_OPEN)
		slice_work(p, w, s);
	return task;
}

static void
pass_wait(struct pass *p, const struct pass_worker *w)
{
	if (w->tick == NULL || p->o->tick == NULL) {
		lock_wait(p->lock);
		return;
	}
	(void)lock_wait_until(p->lock, job_now_ns() + TICK_NS);
	lock_drop(p->lock);
	pass_tick(p);
	lock_take(p->lock);
}

static void
worker_loop(struct pass *p, struct pass_worker *w)
{
	lock_take(p->lock);
	while (!atomic_load(p->stop)) {
		enum row_task	task;

		if (w->tick != NULL && merge_next(p))
			continue;
		task = work_next(p, w);
		if (task == ROWS_END && (w->tick == NULL || p->merged == p->taken))
			break;
		if (task == ROWS_END || task == ROWS_WAIT)
			pass_wait(p, w);
	}
	lock_wake(p->lock);
	lock_drop(p->lock);
}

/* The loop of a thread. Only the caller's thread ticks and merges. */
static void
work(struct pass *p, bool caller)
{
	struct pass_worker	w = { .states = &p->states, .stop = p->stop };

	if (caller) {
		w.tick = pass_tick;
		w.tick_arg = p;
	}
	worker_init(&w, p->t, p->o, p->by_rows);
	worker_loop(p, &w);
	worker_release(&w);
}

static void
worker_main(void *arg)
{
	work(arg, false);
}

/* ---- the whole */

/* Choose pieces of rows or of segments. A filter that needs rows would have to look up the row of
   each event of a segment, so it gets pieces of rows. */
static void
pass_cut(struct pass *p)
{
	const struct pass_options	*o = p->o;
	uint64_t			 first = 0;

	p->by_rows = o->order == PASS_TIME ||
	    (o->order == PASS_ANY && o->resume == NULL && filter_needs_rows(o->filter));
	if (p->by_rows) {
		row_cut_init(&p->rows, p->t, o);
		if (o->memory != NULL && p->rows.row < memory_upto(o->memory))
			p->rows.row = memory_upto(o->memory);
		if (o->resume != NULL && p->rows.row < o->resume->at)
			p->rows.row = o->resume->at;
		p->all = p->rows.end > p->rows.row ? p->rows.end - p->rows.row : 0;
		return;
	}
	if (o->resume != NULL)
		first = o->resume->at;
	segment_cut_init(&p->segments, p->t, first, o->order == PASS_FILE);
	p->all = p->segments.end - p->segments.next;
}

/* As many threads as there is work for. */
static unsigned
workers_of(const struct pass *p)
{
	unsigned	n = p->o->workers != 0 ? p->o->workers : p->t->workers;
	uint64_t	pieces = p->all;

	if (p->by_rows)
		pieces = p->all / SCAN_SEGMENT + 1;
	else if (p->o->order == PASS_ANY)
		pieces = p->all / SEGMENTS_USUAL + 1;
	if (n > LIMIT_WORKERS)
		n = LIMIT_WORKERS;
	return pieces < n ? (unsigned)pieces : n;
}

static void
pass_all(struct pass *p)
{
	struct job	*jobs[LIMIT_WORKERS] = { NULL };
	unsigned	 n = workers_of(p);

	p->size = n + RING_AHEAD;
	p->ring = mem_zalloc(p->size, sizeof *p->ring);
	for (unsigned i = 1; i < n; i++)
		jobs[i] = job_start_apart(i - 1, worker_main, p);
	work(p, true);
	for (unsigned i = 1; i < n; i++)
		job_join(jobs[i]);
	for (; p->merged < p->taken; p->merged++)
		states_give(&p->states, p->ring[p->merged % p->size].state);
	mem_free(p->ring);
}

/* Merge the kept results of the rows before those of this pass. */
static void
merge_remembered(struct pass *p)
{
	struct pass_memory	*m = p->o->memory;

	for (size_t i = 0; m != NULL && i < memory_states(m) && !atomic_load(p->stop); i++) {
		p->err = memory_again(m, p->states.arg, i);
		pass_tick(p);
		if (p->err != 0)
			atomic_store(p->stop, true);
	}
}

/* The pass has ended: note its end, since rows without a match have no pieces. */
static void
remember_end(struct pass *p)
{
	struct pass_memory	*m = p->o->memory;
	uint64_t		 final = p->rows.now.final;

	if (m == NULL || atomic_load(p->stop) || p->result.lost)
		return;
	if (p->rows.end < final)
		final = p->rows.end;
	if (final > memory_upto(m))
		memory_keep(m, NULL, final);
}

int
pass_run_until(struct trace *t, const struct pass_options *o, const struct pass_ops *ops,
    void *arg, atomic_bool *stop, struct pass_gate *gate, struct pass_result *result)
{
	struct pass	p = { .t = t, .o = o, .stop = stop, .gate = gate };
	unsigned	turn = head_enter(t);

	p.lock = lock_new(LOCK_WORK);
	states_init(&p.states, ops, arg);
	pass_cut(&p);
	merge_remembered(&p);
	if (p.all > 0 && !atomic_load(stop))
		pass_all(&p);
	if (ops->stays && !atomic_load(stop))
		p.err = states_merge(&p.states);
	remember_end(&p);
	if (p.by_rows)
		row_cut_release(&p.rows, t);
	states_release(&p.states);
	lock_free(p.lock);
	head_leave(t, turn);
	*result = p.result;
	return p.err == 0 && atomic_load(stop) ? ERR_CANCELED : p.err;
}

int
pass_run(struct trace *t, const struct pass_options *o, const struct pass_ops *ops, void *arg,
    struct pass_result *result)
{
	atomic_bool	stop = false;

	return pass_run_until(t, o, ops, arg, &stop, NULL, result);
}

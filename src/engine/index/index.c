/*
 * The index builder: one walk over the frames of the file, scans of their events in parallel, and a
 * committer that adds everything in file order.
 *
 *	committer   frames a ticket, frames a ticket, ... | scans one itself | commits the oldest
 *	workers     take the oldest ticket that waits and scan it
 *
 *	ring  [done][done][scanning][scanning][ready][ready][free]...
 *	       ^ committed next                        ^ framed last
 *
 * A ticket is a record's worth of neighbouring frames: data frames, event frames, at most one
 * barrier, which is its last. Open frames (Heph) are scanned by the thread that walks them.
 *
 *	file     | accepted ... | whole | whole | half |	it is still being written
 *	committed                    committed early ^ scanned up to here: struct tail
 *
 * When no more bytes arrive for a moment, the frames after the accepted ones are committed too
 * (tail_take), if a user wants them. The frame that reaches the end is framed again when the file
 * has grown, and its scan continues where it was. If a file is not followed, its end is judged when
 * it is reached. If the file is followed later, the judgement is taken back.
 *
 * Invariant: what is committed depends on the file alone, not on the number of workers or on their
 * speed: tickets are cut by bytes and frames, and committed in file order by one thread.
 */
#include "engine/index/index.h"

#include <assert.h>

#include "engine/index/commit.h"
#include "engine/index/regions.h"
#include "engine/index/ticket.h"
#include "engine/index/walk.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define MAP_AHEAD	(1u << 20)	/* bytes that are read ahead at once */
#define IDLE_NS		((int64_t)10000000)	/* without new bytes: the source is idle */

struct indexer {
	struct trace	*t;
	struct lock	*lock;
	struct ticket	*ring;
	size_t		 size, head, n;		/* head: the oldest ticket; n: how many in use */
	uint64_t	 off;			/* of the next frame to walk to */
	struct frame	 ahead;			/* a frame that did not fit the last ticket */
	struct frame	 last;			/* the last frame of the walk */
	struct walk_end	 end;			/* set when the walk has ended */
	uint64_t	 mapped;		/* open frames were read ahead up to here */
	bool		 open, has_ahead, walked, stop;
};

void
index_changed(struct trace *t)
{
	atomic_fetch_add(&t->generation, 1);
	if (t->news == NULL)
		return;
	lock_take(t->news->lock);
	t->news->n++;
	lock_wake(t->news->lock);
	lock_drop(t->news->lock);
}

/* ---- the arrays of the index */

void
index_release(struct index *x)
{
	for (uint64_t i = 0; i < x->regions.n; i++)
		mem_free(((struct region *)segvec_at(&x->regions, i))->touch);
	segvec_release(&x->records);
	segvec_release(&x->type_counts);
	thread_counts_release(&x->thread_counts);
	segvec_release(&x->frames);
	segvec_release(&x->states);
	segvec_release(&x->segments);
	segvec_release(&x->regions);
	segvec_release(&x->slices);
}

size_t
index_memory(const struct index *x)
{
	const struct segvec	*v[] = { &x->records, &x->type_counts, &x->frames, &x->states,
				    &x->segments, &x->regions, &x->slices };
	size_t			 n = thread_counts_bytes(&x->thread_counts);

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		n += segvec_bytes(v[i]);
	return n;
}

/* ---- scanning, in any thread */

static void
ticket_take(struct indexer *x, struct ticket *k)
{
	k->state = TICKET_SCANNING;
	lock_drop(x->lock);
	source_ahead(x->t->source, k->off, k->end - k->off);
	ticket_scan(x->t, k);
	lock_take(x->lock);
	k->state = TICKET_DONE;
	lock_wake(x->lock);
}

static struct ticket *
ticket_ready(struct indexer *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct ticket	*k = &x->ring[(x->head + i) % x->size];

		if (k->state == TICKET_READY)
			return k;
	}
	return NULL;
}

static void
worker_run(void *arg)
{
	struct indexer	*x = arg;

	lock_take(x->lock);
	while (!x->stop) {
		struct ticket	*k = ticket_ready(x);

		if (k != NULL)
			ticket_take(x, k);
		else
			lock_wait(x->lock);
	}
	lock_drop(x->lock);
}

/* ---- filling tickets, in the committer's thread */

/* The walk reads the bytes of open frames: read them ahead. */
static void
walk_ahead(struct indexer *x)
{
	if (!x->open || x->off + MAP_AHEAD / 2 < x->mapped)
		return;
	if (x->mapped < x->off)
		x->mapped = x->off;
	source_ahead(x->t->source, x->mapped, MAP_AHEAD);
	x->mapped += MAP_AHEAD;
}

/*
 * The walk has returned the frame of the tail, of which there is more now. False: all of it was
 * committed already. If it turns out to be a different frame, what was committed stays.
 */
static bool
tail_goes_on(struct indexer *x, const struct frame *fr)
{
	struct tail	*e = &x->t->tail;
	bool		 same = fr->kind == e->fr.kind && fr->body == e->fr.body && !e->fr.open &&
			    fr->len >= e->fr.len;

	e->taken = false;
	if (e->fr.cut && !e->scanned)
		return true;		/* none of its events was committed */
	if (same && e->scanned)
		return true;
	if (!same || fr->len != e->fr.len)
		x->off = e->fr.next;
	return false;
}

/* Add a frame to a ticket. False: it was committed before. */
static bool
ticket_put(struct indexer *x, struct ticket *k, const struct frame *fr)
{
	const struct tail	*e = &x->t->tail;
	bool			 tail = e->taken && e->off == fr->off;

	if (tail && !tail_goes_on(x, fr))
		return false;
	if (tail && e->scanned)
		ticket_resume(k, fr, e);
	else
		ticket_add(k, fr);
	if (fr->open) {
		x->open = true;
		ticket_scan(x->t, k);
		assert(!k->paused);
		x->off = k->end = fr->body + k->at.pos;
	}
	return true;
}

/* Fill a free ticket with frames of the walk; false: there are none, or none yet. */
static bool
ticket_fill(struct indexer *x, struct ticket *k)
{
	bool	any = false;

	ticket_init(k);
	ticket_clear(k);
	while (!x->walked && !k->has_barrier) {
		struct frame	fr;

		walk_ahead(x);
		if (x->has_ahead) {
			fr = x->ahead;
			x->has_ahead = false;
		} else if (walk_frame(x->t, &x->off, &fr, &x->end) != 1) {
			x->walked = x->end.how != WALK_NOT_YET;
			break;			/* commit what has arrived, to show it */
		}
		x->last = fr;
		if (any && !fr.open && fr.next - k->off > RECORD_BYTES && k->events.n > 0) {
			x->ahead = fr;
			x->has_ahead = true;
			break;
		}
		if (!any)
			k->off = fr.off;
		if (!ticket_put(x, k, &fr))
			continue;
		any = true;
		if (k->events.n + k->data.n >= RECORD_FRAMES || k->end - k->off >= RECORD_BYTES)
			break;
	}
	return any;
}

static void
take_in(struct trace *t, struct ticket *k)
{
	commit_ticket(t, k);
	if (t->close_now)
		region_close(t);
	else
		(void)region_publish(t, false);
	index_changed(t);
}

/* ---- the end of the file, so far or final, in the committer's thread; no ticket is in use */

/* Keep the frame at which the file ends, and the state of its scan. */
static void
tail_keep(struct indexer *x, const struct ticket *k, const struct frame *fr)
{
	x->t->tail = (struct tail){ .off = fr->off, .taken = true, .fr = *fr };
	if (!fr->cut || !k->begun)
		return;
	x->t->tail.scanned = true;
	x->t->tail.at = k->at;
	x->t->tail.begin = k->begin;
	x->t->tail.least = k->scan.frame_min;
	x->t->tail.greatest = k->scan.frame_max;
}

/* Commit one frame by itself. */
static void
frame_take(struct indexer *x, const struct frame *fr)
{
	struct trace	*t = x->t;
	struct ticket	*k = &x->ring[x->head];

	ticket_init(k);
	ticket_clear(k);
	k->off = fr->off;
	if (ticket_put(x, k, fr)) {
		if (!fr->open)
			ticket_scan(t, k);
		take_in(t, k);
	}
	if (fr->next == source_size(t->source) && !fr->open)
		tail_keep(x, k, fr);
}

/* Commit the frames after the accepted ones, except for damage and frames that are too short. */
static void
tail_take(struct indexer *x)
{
	uint64_t	size = source_size(x->t->source);
	struct frame	fr;

	while (x->off < size && walk_look(x->t, x->off, &fr) == 1) {
		if (fr.cut && (fr.kind != FRAME_EVENTS || fr.next < size))
			break;
		fr.growing = fr.cut;
		x->off = fr.next;
		frame_take(x, &fr);
		if (x->t->tail.taken && x->t->tail.off == fr.off) {
			x->off = fr.off;
			break;
		}
	}
}

/*
 * Does an end mark follow the last frame of a followed file? Then no more will come. There are only
 * a few frames from here on, because earlier ones are accepted.
 */
static bool
is_end_marked(struct indexer *x)
{
	uint64_t	size = source_size(x->t->source), at = x->off;
	struct frame	fr;
	int		r = 1;

	if (!x->t->progress.following)
		return false;
	for (; r == 1 && at < size; at = fr.next) {
		r = walk_look(x->t, at, &fr);
		if (r == 1 && fr.cut)
			return false;
	}
	return r == 0;
}

void
index_seen(struct trace *t, uint64_t size)
{
	/* Changed before for those who see the new size, and after for those who are told of it. */
	atomic_fetch_add(&t->generation, 1);
	lock_take(t->lock);
	t->progress.seen = size;
	lock_wake(t->lock);
	atomic_fetch_add(&t->generation, 1);
	if (t->bell != NULL)
		bell_ring(t->bell);
	lock_drop(t->lock);
	if (t->news != NULL)
		index_changed(t);
}

/* Wait until the walk can go on. */
static void
indexer_wait(struct indexer *x)
{
	struct trace	*t = x->t;
	uint64_t	 seen = UINT64_MAX, taken = UINT64_MAX;

	(void)region_publish(t, true);
	while (!walk_ready(t, x->off) && !atomic_load(&t->cancel)) {
		uint64_t	size = source_size(t->source);
		int64_t		until = size == seen ? INT64_MAX : job_now_ns() + IDLE_NS;

		source_wait(t->source, size, until);
		if (size == seen || source_size(t->source) != size)
			continue;
		if (is_end_marked(x)) {
			source_stop(t->source);
			break;
		}
		if (t->eager && taken != size)
			tail_take(x);
		taken = size;
		if (region_publish(t, true)) {
			seen = size;
			index_seen(t, size);
		}
	}
}

/* The walk has ended and all whole frames are committed: judge the end of the file. */
static void
indexer_end(struct indexer *x)
{
	struct trace	*t = x->t;

	diag_judge(t->diag);
	lock_take(t->lock);
	walk_judge(t, &x->end);
	t->progress.closed = x->end.how == WALK_CLOSED;
	lock_drop(t->lock);
	if (x->end.how == WALK_CUT) {
		frame_take(x, &x->end.fr);
	} else if (x->end.how == WALK_OPEN && x->last.next == x->end.off && !x->last.open) {
		t->tail = (struct tail){ .off = x->last.off, .taken = true, .fr = x->last };
	} else {
		t->tail = (struct tail){ .off = x->end.off };
	}
}

/* ---- the committer's loop */

/* Fill tickets while there are free ones; false: none was filled, the lock was never dropped. */
static bool
indexer_fill(struct indexer *x)
{
	bool	done = false;

	if (x->n == 0 && !x->walked && !x->has_ahead && !walk_ready(x->t, x->off)) {
		lock_drop(x->lock);
		indexer_wait(x);
		lock_take(x->lock);
	}
	while (x->n < x->size && !x->walked && (x->has_ahead || walk_ready(x->t, x->off))) {
		struct ticket	*k = &x->ring[(x->head + x->n) % x->size];
		bool		 any;

		lock_drop(x->lock);
		any = ticket_fill(x, k);
		lock_take(x->lock);
		done = true;
		if (!any)
			break;
		k->state = k->frame < k->events.n ? TICKET_READY : TICKET_DONE;
		x->n++;
		if (k->state == TICKET_READY)
			lock_wake(x->lock);
	}
	return done;
}

static void
indexer_loop(struct indexer *x)
{
	lock_take(x->lock);
	while (!atomic_load(&x->t->cancel)) {
		struct ticket	*k;

		if (x->n < x->size / 2 + 1)
			indexer_fill(x);
		if (x->n == 0 && x->walked)
			break;
		if (x->n == 0)
			continue;
		k = &x->ring[x->head];
		if (k->state == TICKET_DONE) {
			lock_drop(x->lock);
			take_in(x->t, k);
			lock_take(x->lock);
			k->state = TICKET_FREE;
			x->head = (x->head + 1) % x->size;
			x->n--;
			continue;
		}
		k = ticket_ready(x);
		if (k != NULL)
			ticket_take(x, k);
		else if (!indexer_fill(x))
			lock_wait(x->lock);
	}
	lock_drop(x->lock);
	if (x->walked && !atomic_load(&x->t->cancel))
		indexer_end(x);
	lock_take(x->lock);
	x->stop = true;
	lock_wake(x->lock);
	lock_drop(x->lock);
}

void
index_ended(struct trace *t, bool complete)
{
	lock_take(t->lock);
	t->progress.complete = complete;
	t->progress.following = false;
	t->progress.ended_ns = job_now_ns();
	lock_wake(t->lock);
	lock_drop(t->lock);
	index_changed(t);
}

static void
index_finish(struct trace *t)
{
	bool	canceled = atomic_load(&t->cancel);

	if (source_error(t->source) != NULL)
		diag_add(t->diag, SEV_WARN, FIND_UNREADABLE, source_size(t->source), 0, "%s",
		    source_error(t->source));
	t->closed_by_end = !canceled && t->open.events > 0;
	if (t->closed_by_end)		/* if not, its lists are for events that may still come */
		region_close(t);
	index_ended(t, !canceled);
}

void
index_run(struct trace *t)
{
	struct indexer	x = { .t = t, .off = t->tail.off, .size = t->workers * 8 + 2 };
	struct job	*jobs[LIMIT_WORKERS] = { NULL };

	if (t->workers == 1)
		x.size = 1;		/* frame, scan and commit while it is in the CPU cache */
	x.lock = lock_new(LOCK_TICKETS);
	x.ring = mem_zalloc(x.size, sizeof *x.ring);
	lock_take(t->lock);
	if (!t->again)
		region_open(t);
	lock_drop(t->lock);
	lock_take(x.lock);
	if (!t->again)
		indexer_fill(&x);	/* before other threads change the address space too */
	lock_drop(x.lock);
	for (unsigned i = 1; i < t->workers; i++)
		jobs[i] = job_start_apart(i - 1, worker_run, &x);
	indexer_loop(&x);
	for (unsigned i = 1; i < t->workers; i++)
		job_join(jobs[i]);
	index_finish(t);		/* before the memory is freed, which takes a while */
	for (size_t i = 0; i < x.size; i++)
		ticket_release(&x.ring[i]);
	mem_free(x.ring);
	lock_free(x.lock);
}

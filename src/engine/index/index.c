/*
 * The index builder: one walk over the frames of the file, scans of their events beside it, and a
 * committer that takes everything in file order.
 *
 *	committer   frames a ticket, frames a ticket, ... | scans one itself | commits the oldest
 *	workers     take the oldest ticket that waits and scan it
 *
 *	ring  [done][done][scanning][scanning][ready][ready][free]...
 *	       ^ committed next                        ^ framed last
 *
 * A ticket is a record's worth of neighbouring frames: data frames, event frames, at most one
 * barrier, which is its last. Frames that are open (Heph) are scanned by who walks them.
 *
 * Invariant: what is committed depends on the file alone, not on the number of workers or on who
 * was faster: tickets are cut by bytes and frames, and committed in file order by one thread.
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

#define MAP_AHEAD	(1u << 20)	/* bytes whose pages are asked for at once */

struct indexer {
	struct trace	*t;
	struct lock	*lock;
	struct ticket	*ring;
	size_t		 size, head, n;		/* head: the oldest; n: not free */
	uint64_t	 off;			/* of the next frame to walk to */
	struct frame	 ahead;			/* a frame that did not fit the last ticket */
	uint64_t	 mapped;		/* of open frames: their pages were asked for */
	bool		 open, has_ahead, walked, stop;
};

/* ---- what is kept */

void
index_init(struct index *x)
{
	segvec_init(&x->records, sizeof(struct record));
	segvec_init(&x->type_counts, sizeof(struct type_count));
	segvec_init(&x->thread_counts, sizeof(struct thread_count));
	segvec_init(&x->frames, sizeof(struct event_frame));
	segvec_init(&x->states, sizeof(struct decode_state));
	segvec_init(&x->segments, sizeof(struct segment));
	segvec_init(&x->regions, sizeof(struct region));
	segvec_init(&x->slices, sizeof(struct slice));
}

void
index_release(struct index *x)
{
	for (uint64_t i = 0; i < x->regions.n; i++)
		mem_free(((struct region *)segvec_at(&x->regions, i))->touch);
	segvec_release(&x->records);
	segvec_release(&x->type_counts);
	segvec_release(&x->thread_counts);
	segvec_release(&x->frames);
	segvec_release(&x->states);
	segvec_release(&x->segments);
	segvec_release(&x->regions);
	segvec_release(&x->slices);
}

size_t
index_memory(const struct index *x)
{
	const struct segvec	*v[] = { &x->records, &x->type_counts, &x->thread_counts,
				    &x->frames, &x->states, &x->segments, &x->regions,
				    &x->slices };
	size_t			 n = 0;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		n += segvec_bytes(v[i]);
	return n;
}

/* ---- scanning: any thread */

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

/* ---- filling: the committer */

/* Open frames are read as they are cut: ask for the pages before the walk. */
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

/* Fill a free ticket from the walk; false: there is nothing more. */
static bool
ticket_fill(struct indexer *x, struct ticket *k)
{
	bool	any = false;

	ticket_init(k, x->t->seed);
	ticket_clear(k);
	while (!x->walked && !k->has_barrier) {
		struct frame	fr;

		if (any && !x->has_ahead && !walk_ready(x->t, x->off))
			break;			/* show what has arrived */
		walk_ahead(x);
		if (x->has_ahead) {
			fr = x->ahead;
			x->has_ahead = false;
		} else if (walk_frame(x->t, &x->off, &fr) != 1) {
			x->walked = true;
			break;
		}
		if (any && !fr.open && fr.next - k->off > RECORD_BYTES && k->events.n > 0) {
			x->ahead = fr;
			x->has_ahead = true;
			break;
		}
		if (!any)
			k->off = fr.off;
		any = true;
		ticket_add(k, &fr);
		if (fr.open) {
			x->open = true;
			ticket_scan(x->t, k);
			assert(!k->paused);
			x->off = k->end = fr.body + k->at.pos;
		}
		if (k->events.n + k->data.n >= RECORD_FRAMES || k->end - k->off >= RECORD_BYTES)
			break;
	}
	return any;
}

/* ---- the committer's loop */

static void
take_in(struct trace *t, struct ticket *k)
{
	commit_ticket(t, k);
	if (t->close_now)
		region_close(t);
	else
		region_publish(t, false);
	atomic_fetch_add(&t->generation, 1);
}

/* Cut tickets while there is room; false: nothing was done and the lock was held throughout. */
static bool
indexer_fill(struct indexer *x)
{
	bool	done = false;

	if (x->n == 0 && !x->walked && !x->has_ahead && !walk_ready(x->t, x->off)) {
		lock_drop(x->lock);
		region_publish(x->t, true);
		lock_take(x->lock);
	}
	while (x->n < x->size && !x->walked &&
	    (x->n == 0 || x->has_ahead || walk_ready(x->t, x->off))) {
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
		if (x->n == 0)
			break;
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
	x->stop = true;
	lock_wake(x->lock);
	lock_drop(x->lock);
}

static void
index_finish(struct trace *t)
{
	bool	canceled = atomic_load(&t->cancel);

	if (source_error(t->source) != NULL)
		diag_add(t->diag, SEV_WARN, FIND_UNREADABLE, source_size(t->source), 0, "%s",
		    source_error(t->source));
	if (!canceled)
		region_close(t);
	lock_take(t->lock);
	t->progress.complete = !canceled;
	t->progress.ended_ns = job_now_ns();
	lock_wake(t->lock);
	lock_drop(t->lock);
	atomic_fetch_add(&t->generation, 1);
}

void
index_run(struct trace *t)
{
	struct indexer	x = { .t = t, .off = t->first, .size = t->workers * 8 + 2 };
	struct job	*jobs[LIMIT_WORKERS] = { NULL };

	if (t->workers == 1)
		x.size = 1;		/* frame, scan, commit: while it is in the cache */
	x.lock = lock_new();
	x.ring = mem_zalloc(x.size, sizeof *x.ring);
	lock_take(t->lock);
	region_open(t);
	lock_drop(t->lock);
	lock_take(x.lock);
	indexer_fill(&x);		/* while nobody else wants the address space changed */
	lock_drop(x.lock);
	for (unsigned i = 1; i < t->workers; i++)
		jobs[i] = job_start_apart(i - 1, worker_run, &x);
	indexer_loop(&x);
	for (unsigned i = 1; i < t->workers; i++)
		job_join(jobs[i]);
	index_finish(t);		/* nobody waits for the memory to be given back */
	for (size_t i = 0; i < x.size; i++)
		ticket_release(&x.ring[i]);
	mem_free(x.ring);
	lock_free(x.lock);
}

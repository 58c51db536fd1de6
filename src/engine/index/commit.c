/*
 * The committer takes tickets in file order: metadata, stacks, labels, threads, then the summary
 * of the events, then the barrier.
 *
 *	ticket   data frames | scan: counts, runs, segments, bad places | barrier
 *	index    names, lists | records, frames, segments, loss          | region's end
 *
 * Invariant: only one thread does this, under the trace's lock. The result depends on the file
 * alone.
 */
#include "engine/index/commit.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/count.h"

/* ---- data frames: struct commit_ops */

static void
on_stacks(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len)
{
	struct trace	*t = arg;

	t->open.nstacks += lists_add(&t->stacks, t->open.stack0, first, count, off, len);
}

static void
on_labels(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len)
{
	struct trace	*t = arg;

	t->open.nlabels += lists_add(&t->labels, t->open.label0, first, count, off, len);
}

static void
on_thread_remove(void *arg, uint64_t index, uint32_t number, uint64_t off)
{
	struct trace	*t = arg;
	uint32_t	 decl;

	if (index_decl(t, index, off, t->names.flush_off, &decl))
		loss_remove(t, decl, number);
	else
		diag_add(t->diag, SEV_WARN, FIND_THREAD, off, 0,
		    "a thread is removed that was never declared");
}

static void
on_barrier(void *arg, int64_t ts, uint64_t off)
{
	struct trace	*t = arg;

	if (t->has_barrier && ts < t->barrier_ts)
		diag_add(t->diag, SEV_NOTE, FIND_TIME, off, 0,
		    "a sequence point is earlier than the one before it");
	t->barrier_now = ts;
	t->barrier_off = off;
	t->loss.nentries = 0;
}

static void
on_barrier_thread(void *arg, uint64_t raw, uint32_t number)
{
	struct trace	*t = arg;
	struct losses	*l = &t->loss;
	uint32_t	 decl = index_decl_get(t, raw, t->barrier_off);

	ARRAY_ADD(l->entries, l->nentries, l->entries_cap, (struct barrier_entry){ decl, number });
}

static void
on_barrier_end(void *arg, unsigned flush, uint64_t next)
{
	struct trace	*t = arg;

	loss_barrier(t, t->barrier_now);
	if (flush & BARRIER_FLUSH_THREADS)
		t->names.flush_off = next;
	if (flush & BARRIER_FLUSH_TYPES)
		t->names.epoch++;
	t->barrier_ts = t->barrier_now;
	t->has_barrier = true;
	t->close_now = true;
}

const struct commit_ops	index_commit_ops = {
	.type_known = names_type_known,
	.type = names_type,
	.stacks = on_stacks,
	.barrier = on_barrier,
	.barrier_thread = on_barrier_thread,
	.barrier_end = on_barrier_end,
	.thread = names_thread,
	.thread_remove = on_thread_remove,
	.labels = on_labels,
};

/* ---- results of a scan */

static void
add_count(struct count *c, const struct id_count *e)
{
	count_merge(c, &(struct count){ .events = e->events, .bytes = e->bytes,
	    .first = e->first, .last = e->last });
}

const struct region *
index_region(const struct trace *t, uint32_t record)
{
	const struct record	*r = segvec_at(&t->index.records, record);

	return r->region < t->index.regions.n ? segvec_at(&t->index.regions, r->region) : &t->open;
}

static struct record *
record_get(struct trace *t, struct ticket *k)
{
	struct record	*r;

	if (k->has_record)
		return segvec_at(&t->index.records, k->record);
	k->record = t->index.records.n;
	k->has_record = true;
	r = segvec_add(&t->index.records, sizeof *r);
	r->types0 = t->index.type_counts.n;
	r->region = (uint32_t)t->index.regions.n;
	t->open.nrecords++;
	return r;
}

static void
commit_order(struct trace *t, const struct scan *s)
{
	if (!t->has_barrier || s->tmin >= t->barrier_ts)
		return;
	t->progress.disordered = true;
	diag_add(t->diag, SEV_NOTE, FIND_ORDER, s->run[0].off_first, 0,
	    "events are earlier than the sequence point before them");
}

/* Count events by type in the record. A query of types alone needs only these counts. */
static void
record_type(struct trace *t, struct record *r, uint32_t type, uint64_t n)
{
	if (r->ntypes == TYPES_UNKNOWN)
		return;
	if (r->ntypes == TYPES_KEPT) {
		r->ntypes = TYPES_UNKNOWN;
		return;
	}
	*(struct type_count *)segvec_add(&t->index.type_counts, sizeof(struct type_count)) =
	    (struct type_count){ type, (uint32_t)n };
	r->ntypes++;
}

static void
commit_counts(struct trace *t, const struct scan *s, struct record *r)
{
	struct thread_count	kept[THREADS_KEPT];
	uint32_t		n = 0;

	for (size_t i = 0; i < s->types.n; i++) {
		const struct id_count	*c = &s->types.entry[i];
		uint32_t		 type = index_type(t, t->names.epoch, c->id, c->off);

		add_count(&((struct type_rec *)segvec_at(&t->names.types, type))->c, c);
		record_type(t, r, type, c->events);
	}
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct id_count	*c = &s->threads.entry[i];
		uint32_t		 decl = index_decl_get(t, c->id, c->off);
		struct decl_rec		*d = segvec_at(&t->names.decls, decl);
		struct thread_rec	*thread = segvec_at(&t->names.threads, d->thread);

		if (i < THREADS_KEPT)
			kept[n++] = (struct thread_count){ .first = c->first, .last = c->last,
			    .thread = d->thread, .n = (uint32_t)c->events };
		add_count(&thread->s.c, c);
	}
	if (n > 0)
		thread_counts_add(&t->index.thread_counts, kept, n);
}

/* Report it if the largest label list number in events does not exist. Lists count from 1. */
static void
commit_labels(struct trace *t, const struct scan *s)
{
	uint64_t	looked = 0;

	if (s->label_most == 0 || lists_find(&t->labels, t->open.label0, t->open.nlabels,
	    UINT64_MAX, s->label_most, &looked) != NULL)
		return;
	diag_add(t->diag, SEV_WARN, FIND_LABEL, s->label_off, 0,
	    "events refer to label lists that are not in the file");
}

static void
commit_runs(struct trace *t, const struct scan *s)
{
	struct {
		uint64_t	raw;
		uint32_t	decl;		/* + 1 */
	}	memo[16] = { { 0, 0 } };

	for (size_t i = 0; i < s->nrun && index_has(t, HAS_NUMBERS); i++) {
		const struct seq_run	*run = &s->run[i];
		unsigned		 at = (unsigned)(run->capture % 16);

		/* Declared threads can be declared again anywhere in the file. */
		if (memo[at].decl == 0 || memo[at].raw != run->capture || t->format.declares) {
			memo[at].raw = run->capture;
			memo[at].decl = index_decl_get(t, run->capture, run->off_first) + 1;
		}
		loss_run(t, memo[at].decl - 1, run);
	}
}

static void
commit_waiting(struct trace *t, const struct waiting_frame *h)
{
	struct event_frame	*f = segvec_add(&t->index.frames, sizeof *f);
	uint64_t		 tail = h->f.next - h->f.body - h->f.len;

	*f = (struct event_frame){ .off = h->f.off, .len = h->f.len,
	    .head = (uint32_t)(h->f.body - h->f.off), .cut = h->f.cut,
	    .tail = (uint16_t)(tail < UINT16_MAX ? tail : UINT16_MAX) };
}

/*
 * Set the first frame of a segment: one of the held frames from *at on, or frame0 - 1, the last one
 * committed before. A frame without events is not held, though a segment may have begun in it. A
 * frame that was still being written when it was first scanned is held again.
 */
static void
segment_place(struct trace *t, const struct ticket *k, const struct scan_segment *g,
    uint64_t frame0, size_t *at, struct segment *e)
{
	const struct event_frame	*before = NULL;
	bool				 inside;

	if (frame0 > 0)
		before = segvec_at(&t->index.frames, frame0 - 1);
	while (*at < k->nhold && k->hold[*at].f.off < g->frame_off)
		++*at;
	e->frame0 = frame0 + *at;
	inside = *at < k->nhold && k->hold[*at].f.off == g->frame_off &&
	    k->hold[*at].begin != g->state[0];
	if (before != NULL && before->off == g->frame_off && !inside) {
		e->frame0 = frame0 - 1;
		inside = true;
	}
	if (!inside)
		return;
	memcpy(segvec_add(&t->index.states, sizeof g->state), g->state, sizeof g->state);
	e->state = t->index.states.n;
}

static void
commit_segments(struct trace *t, struct ticket *k)
{
	const struct scan	*s = &k->scan;
	uint64_t		 frame0 = t->index.frames.n;
	struct segment		*last = NULL;
	size_t			 at = 0;

	for (size_t i = 0; i < k->nhold; i++)
		commit_waiting(t, &k->hold[i]);
	for (size_t i = 0; i < s->nseg; i++) {
		const struct scan_segment	*g = &s->seg[i];
		struct segment			*e;

		if (g->n == 0)
			continue;
		e = segvec_add(&t->index.segments, sizeof *e);
		*e = (struct segment){ .tmin = g->tmin, .tmax = g->tmax, .n = g->n,
		    .record = (uint32_t)k->record };
		segment_place(t, k, g, frame0, &at, e);
		if (last != NULL)
			last->nframes = (uint32_t)(e->frame0 - last->frame0) + (e->state != 0);
		last = e;
		t->open.nseg++;
	}
	if (last != NULL)
		last->nframes = (uint32_t)(t->index.frames.n - last->frame0);
}

/* Commit the scan of a ticket, or the part of it up to a pause. */
static void
commit_scan(struct trace *t, struct ticket *k)
{
	struct scan	*s = &k->scan;
	struct region	*g = &t->open;

	for (size_t i = 0; i < s->nbad; i++)
		diag_add(t->diag, SEV_WARN, FIND_BAD_BLOCK, s->bad[i].off, s->bad[i].bytes, "%s",
		    s->bad[i].text);
	for (size_t i = 0; i < s->nrow; i++)
		t->format.ops->commit_row(&t->format, 0, s->row[i]);
	if (s->events == 0)
		return;
	commit_counts(t, s, record_get(t, k));
	commit_segments(t, k);
	commit_runs(t, s);
	commit_order(t, s);
	commit_labels(t, s);
	g->events += s->events;
	g->tmin = s->tmin < g->tmin ? s->tmin : g->tmin;
	g->tmax = s->tmax > g->tmax ? s->tmax : g->tmax;
	t->progress.tmin = s->tmin < t->progress.tmin ? s->tmin : t->progress.tmin;
	t->progress.tmax = s->tmax > t->progress.tmax ? s->tmax : t->progress.tmax;
	t->progress.events += s->events;
}

static void
commit_frame(struct trace *t, const struct frame *fr)
{
	t->format.ops->commit(&t->format, fr, source_span(t->source, fr->body, fr->len));
}

void
index_publish_info(struct trace *t)
{
	const struct trace_info	*was = atomic_load_explicit(&t->info, memory_order_relaxed);
	const struct trace_info	*now = &t->format.info;
	struct trace_info	*copy;

	/* Each version is another format. */
	if (was != NULL && was->format == now->format &&
	    was->has_sync_utc == now->has_sync_utc && was->sync_utc == now->sync_utc)
		return;
	copy = arena_alloc(&t->arena, sizeof *copy);
	*copy = *now;
	atomic_store_explicit(&t->info, copy, memory_order_release);
}

void
commit_ticket(struct trace *t, struct ticket *k)
{
	lock_take(t->lock);
	for (size_t i = 0; i < k->data.n; i++)
		commit_frame(t, &k->data.f[i]);
	for (;;) {
		if (k->lost)
			diag_add(t->diag, SEV_ERROR, FIND_SHRUNK, k->off, k->end - k->off,
			    source_rewritten(t->source) ?
			    "the file was rewritten while it was being read; the rest is left out" :
			    "the file shrank while it was being read; the lost part is left out");
		else
			commit_scan(t, k);
		cost_add(&t->costs.index_events, k->scan.events);
		scan_reset(&k->scan);
		k->nhold = 0;
		if (!k->paused || k->lost)
			break;
		lock_drop(t->lock);
		ticket_scan(t, k);
		lock_take(t->lock);
	}
	if (k->has_barrier)
		commit_frame(t, &k->barrier);
	index_publish_info(t);
	cost_add(&t->costs.index_frames, k->data.n + k->events.n + k->has_barrier);
	cost_add(&t->costs.index_bytes, k->end - k->off);
	t->progress.committed = k->end;
	lock_drop(t->lock);
}

/*
 * An opened trace for its users: opening, time, rows, parts of events, snapshots.
 *
 * Invariant: data of the index is read under the lock, or is immutable once its address was read
 * under the lock.
 */
#include "tnav/engine/trace.h"

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/reaper.h"
#include "tnav/base/units.h"
#include "engine/index/regions.h"
#include "engine/joined/joined.h"
#include "engine/view/cache.h"

#define CACHE_BYTES	(32u << 20)
#define HEAD_BYTES	4096u	/* wait for so much of spooled input: the stream header */
#define FED_BYTES	64u	/* ... of a feed: enough to tell whether it is a trace */
#define HEAD_NS		((int64_t)50000000)	/* ... but not longer without new bytes */

/* ---- opening and indexing */

static struct trace *
trace_new(struct source *s, const char *path, const struct trace_options *opt)
{
	struct trace	*t = mem_zalloc(1, sizeof *t);

	t->source = s;
	t->path = mem_strdup(path);
	t->diag = diag_new();
	t->lock = lock_new(LOCK_TRACE);
	t->eager = opt != NULL && opt->eager;
	t->fed = (opt != NULL && opt->feed != NULL) || (s != NULL && source_arrives(s));
	t->workers = opt != NULL && opt->workers ? opt->workers : job_cpus();
	if (t->workers > LIMIT_WORKERS)
		t->workers = LIMIT_WORKERS;
	t->reaper = reaper_new();
	t->blocks = block_cache_new();
	atomic_store(&t->state, 1);
	t->cache = view_cache_new(opt != NULL && opt->cache_bytes ? opt->cache_bytes : CACHE_BYTES);
	t->progress.tmin = INT64_MAX;
	t->progress.tmax = INT64_MIN;
	t->format = (struct format){
		.source = s, .diag = t->diag, .arena = &t->arena, .up = &index_commit_ops,
		.up_arg = t, .searched = &t->costs.searched,
	};
	return t;
}

struct trace *
trace_over(struct joined *j, const char *path, const struct trace_options *opt)
{
	struct trace	*t = trace_new(NULL, path, opt);

	t->joined = j;
	return t;
}

/* Wait for the stream header, or until no more of it arrives for a moment. */
static void
head_wait(struct source *s)
{
	uint64_t	before = UINT64_MAX, size = source_size(s);

	while (size < HEAD_BYTES && !source_complete(s) && (size == 0 || size != before)) {
		before = size;
		source_wait(s, size, size == 0 ? INT64_MAX : job_now_ns() + HEAD_NS);
		size = source_size(s);
	}
}

static void
joined_free(struct joined *j)
{
	for (uint32_t i = 0; j != NULL && i < j->n; i++) {
		struct joined_source	*s = &j->source[i];

		trace_close(s->t);
		mem_free(s->repeats.v);
		mem_free(s->missing);
		segvec_release(&s->type);
		segvec_release(&s->thread);
	}
	if (j == NULL)
		return;
	segvec_release(&j->types);
	segvec_release(&j->threads);
	mem_free(j->ahead.v);
	mem_free(j->open.v);
	mem_free(j->late.v);
	lock_free(j->news.lock);
	lock_free(j->follow);
	mem_free(j->source);
	mem_free(j->shift);
	mem_free(j);
}

/* Free everything except the source. */
static void
trace_free(struct trace *t)
{
	reaper_free(t->reaper);
	view_cache_free(t->cache);
	block_cache_free(t->blocks);
	index_release(&t->index);
	lists_release(&t->stacks);
	lists_release(&t->labels);
	names_release(&t->names);
	loss_release(&t->loss);
	mem_free(t->scratch);
	mem_free(t->open_slices.s);
	for (size_t i = 0; i < t->nold_touch; i++)
		mem_free(t->old_touch[i]);
	mem_free(t->old_touch);
	arena_release(&t->arena);
	diag_free(t->diag);
	bell_free(t->bell);
	lock_free(t->lock);
	joined_free(t->joined);
	mem_free(t->path);
	mem_free(t);
}

/* Read the available part of the stream header. On failure the caller still owns the source. */
static int
head_read(struct trace **out, struct source *s, const char *path,
    const struct trace_options *opt, struct buf *why)
{
	const struct format_ops	*ops;
	struct trace		*t;
	int			 err;

	ops = format_choose(s, opt != NULL ? opt->input_format : NULL, why, &err);
	if (ops == NULL)
		return err;
	t = trace_new(s, path, opt);
	t->format.ops = ops;
	err = ops->open(&t->format, &t->tail.off, why);
	if (err < 0) {
		trace_free(t);
		return err;
	}
	t->barrier_ts = t->format.info.sync_ts;
	index_publish_info(t);
	*out = t;
	return ERR_OK;
}

static int
trace_begin(struct trace **out, struct source *s, const char *path,
    const struct trace_options *opt, struct buf *why)
{
	size_t		len = why->len;
	uint64_t	size;
	int		err;

	*out = NULL;
	for (;;) {
		head_wait(s);
		size = source_size(s);
		why->len = len;
		err = head_read(out, s, path, opt, why);
		if (err >= 0 || source_complete(s) || size >= HEAD_BYTES ||
		    (err == ERR_FORMAT && opt != NULL && opt->feed != NULL && size >= FED_BYTES))
			break;
		source_wait(s, size, INT64_MAX);	/* it may only be incomplete */
	}
	if (err < 0)
		source_close(s);
	return err;
}

int
trace_open(struct trace **out, const char *path, const struct trace_options *opt, struct buf *why)
{
	const struct trace_feed	*feed = opt != NULL ? opt->feed : NULL;
	struct source		*s;
	int			 err;

	*out = NULL;
	if (feed != NULL)
		err = source_open_feed(&s, feed->fd, &feed->feed, why);
	else
		err = source_open(&s, path, why);
	return err < 0 ? err : trace_begin(out, s, path, opt, why);
}

int
trace_open_memory(struct trace **out, struct span bytes, const struct trace_options *opt,
    struct buf *why)
{
	return trace_begin(out, source_of_memory(bytes), "memory", opt, why);
}

/* End the index soon. */
static void
trace_cancel(struct trace *t)
{
	atomic_store(&t->cancel, true);
	for (uint32_t i = 0; t->joined != NULL && i < t->joined->n; i++) {
		trace_cancel(t->joined->source[i].t);
		index_changed(t->joined->source[i].t);	/* wakes the thread of the whole */
	}
	if (t->source != NULL)
		source_stop(t->source);
}

void
trace_close(struct trace *t)
{
	struct source	*s;

	if (t == NULL)
		return;
	s = t->source;
	trace_cancel(t);
	job_join(t->job);
	trace_free(t);
	if (s != NULL)
		source_close(s);
}

void
trace_retire(struct trace *t, void (*end)(void *arg), void *arg)
{
	reaper_give(t->reaper, end, arg);
}

void
trace_settle(struct trace *t)
{
	reaper_settle(t->reaper);
}

static void
index_job(void *arg)
{
	struct trace	*t = arg;

	if (t->joined != NULL)
		t->joined->ops->index(t);
	else
		index_run(t);
}

static void
index_begin(struct trace *t, bool inside)
{
	if (t->started)
		return;
	t->started = true;
	lock_take(t->lock);		/* of joined traces, others look while they begin */
	t->progress.started_ns = job_now_ns();
	lock_drop(t->lock);
	if (!inside)
		t->job = job_start(index_job, t);
	if (t->job == NULL)
		index_job(t);
}

void
trace_index_start(struct trace *t)
{
	/* Show the rows of slow input even if no more of it arrives before rows are requested. */
	if (t->source != NULL && !source_complete(t->source) && t->news == NULL)
		atomic_store(&t->want_rows, true);
	index_begin(t, false);
}

bool
trace_index_wait(struct trace *t, int timeout_ms)
{
	int64_t	until = job_now_ns() + (int64_t)timeout_ms * 1000000;

	/* With one worker and no timeout, the caller's thread builds the index itself. */
	index_begin(t, timeout_ms < 0 && t->workers == 1);
	if (timeout_ms < 0) {
		lock_take(t->lock);
		while (t->progress.ended_ns == 0)
			lock_wait(t->lock);
		lock_drop(t->lock);
	}
	lock_take(t->lock);
	while (timeout_ms > 0 && t->progress.ended_ns == 0 && lock_wait_until(t->lock, until))
		;
	lock_drop(t->lock);
	return trace_index_done(t);
}

bool
trace_index_done(struct trace *t)
{
	bool	done;

	lock_take(t->lock);
	done = t->progress.complete;
	lock_drop(t->lock);
	return done;
}

/* ---- a file that grows */

/* Continue the index at the end of the file, and take back the findings about that end. */
static void
index_again(struct trace *t)
{
	bool	closed = t->closed_by_end;

	diag_unjudge(t->diag);
	lock_take(t->lock);
	region_open_again(t);
	t->again = true;
	t->progress.complete = t->progress.cut = false;
	t->progress.following = true;
	t->progress.seen = UINT64_MAX;
	t->progress.ended_ns = 0;
	t->not_before = 0;
	lock_drop(t->lock);
	if (closed && t->joined != NULL)
		t->joined->ops->open_again(t);
	atomic_fetch_add(&t->generation, 1);
	t->job = job_start(index_job, t);
	if (t->job != NULL)
		return;
	trace_end_feed(t);		/* wakes the threads that wait for more */
	index_job(t);
}

/* From now on, if its index has not ended. */
static bool
follow_arriving(struct trace *t)
{
	bool	runs;

	lock_take(t->lock);
	runs = t->progress.ended_ns == 0;
	if (runs) {
		t->progress.following = true;
		t->progress.seen = UINT64_MAX;
	}
	lock_drop(t->lock);
	atomic_fetch_add(&t->generation, 1);
	return runs;
}

/* Follow the files of a complete joined trace that are not closed. False: there are none. */
static bool
follow_files(struct trace *t, struct buf *why)
{
	bool	any = false;

	for (uint32_t i = 0; i < t->joined->n; i++) {
		struct trace	*one = t->joined->source[i].t;

		buf_clear(why);
		if (trace_follow(one, true, why))
			any = true;
		else
			buf_printf(why, " (%s)", trace_path(one));
	}
	return any;
}

/* Go on after the index was complete. */
static bool
follow_again(struct trace *t, struct buf *why)
{
	if (t->joined != NULL)
		return follow_files(t, why);
	return t->fed || source_follow(t->source, why);
}

bool
trace_follow(struct trace *t, bool on, struct buf *why)
{
	struct trace_progress	p;

	trace_progress(t, &p);
	if (!on) {
		if (p.following)
			trace_end_feed(t);
		return true;
	}
	if (p.following)
		return true;
	if (t->started && t->fed && !p.complete && follow_arriving(t))
		return true;
	if (t->started && !p.complete) {
		buf_puts(why, "the file is still being read");
		return false;
	}
	if (p.closed || (t->fed && t->started)) {
		buf_puts(why, t->joined != NULL ?
		    "all traces are closed: no more events will come" :
		    "the trace is closed: no more events will come");
		return false;
	}
	/* The index may be complete while its thread is still ending and uses the source. */
	job_join(t->job);
	t->job = NULL;
	if (t->joined != NULL)
		t->joined->ended = false;	/* no thread runs */
	if ((t->joined == NULL || t->started) && !follow_again(t, why))
		return false;
	if (t->news != NULL)
		t->workers = 1;		/* one thread for each of the joined traces */
	if (t->eager || t->news != NULL)	/* of their rows, those of the whole are shown */
		atomic_store(&t->want_rows, t->news == NULL);
	if (t->started)
		index_again(t);
	else
		t->progress.following = true;
	return true;
}

bool
trace_arrives(struct trace *t)
{
	return t->source != NULL && source_arrives(t->source) && !trace_index_done(t);
}

bool
trace_can_follow(struct trace *t)
{
	struct trace_progress	p;

	trace_progress(t, &p);
	for (uint32_t i = 0; t->joined != NULL && i < t->joined->n; i++)
		if (trace_can_follow(t->joined->source[i].t))
			return true;
	return !p.closed && !t->fed && t->joined == NULL && source_can_follow(t->source);
}

void
trace_end_feed(struct trace *t)
{
	struct joined	*j = t->joined;

	if (t->source != NULL)
		source_stop(t->source);
	if (j == NULL)
		return;
	lock_take(j->follow);
	j->ended = true;
	for (uint32_t i = 0; i < j->n; i++)
		trace_end_feed(j->source[i].t);
	lock_drop(j->follow);
}

void
trace_await(struct trace *t, uint64_t rows, int timeout_ms)
{
	int64_t	until = job_now_ns() + (int64_t)timeout_ms * 1000000;
	bool	more = true;

	lock_take(t->lock);
	while (more && t->progress.ended_ns == 0 && t->progress.rows <= rows)
		more = lock_wait_until(t->lock, until);
	lock_drop(t->lock);
}

static enum trace_change
change_of(enum source_change c)
{
	static const enum trace_change	what[] = {
		[SOURCE_SAME] = TRACE_SAME, [SOURCE_GREW] = TRACE_GREW,
		[SOURCE_SHRANK] = TRACE_SHRANK, [SOURCE_REWRITTEN] = TRACE_REWRITTEN,
		[SOURCE_REPLACED] = TRACE_REPLACED,
		[SOURCE_REMOVED] = TRACE_REMOVED,
	};

	return what[c];
}

/* The most that any source has changed. */
static enum trace_change
joined_look(struct trace *t, enum trace_change (*look)(struct trace *t))
{
	enum trace_change	most = TRACE_SAME;

	for (uint32_t i = 0; i < t->joined->n; i++) {
		enum trace_change	one = look(t->joined->source[i].t);

		most = one > most ? one : most;
	}
	return most;
}

enum trace_change
trace_look(struct trace *t)
{
	if (t->joined != NULL)
		return joined_look(t, trace_look);
	return change_of(source_look(t->source));
}

bool
trace_removed(const struct trace *t)
{
	for (uint32_t i = 0; t->joined != NULL && i < t->joined->n; i++)
		if (trace_removed(t->joined->source[i].t))
			return true;
	return t->source != NULL && source_removed(t->source);
}

const char *
trace_feed_error(struct trace *t)
{
	if (t->source == NULL)		/* those of joined traces are findings */
		return NULL;
	return source_complete(t->source) ? source_error(t->source) : NULL;
}

enum trace_change
trace_refresh(struct trace *t)
{
	enum trace_change	change;

	if (t->joined != NULL)
		change = joined_look(t, trace_refresh);
	else
		change = change_of(source_refresh(t->source));
	if (change != TRACE_SAME)
		atomic_fetch_add(&t->state, 1);		/* views that failed are tried again */
	return change;
}

static void
joined_progress(struct trace *t, struct trace_progress *p)
{
	p->done = p->events = 0;
	for (uint32_t i = 0; i < t->joined->n; i++) {
		struct trace_progress	one;

		trace_progress(t->joined->source[i].t, &one);
		p->done += one.done;
		p->events += one.events;
		p->spooling |= i == atomic_load(&t->joined->reading) && one.spooling;
	}
}

void
trace_progress(struct trace *t, struct trace_progress *p)
{
	const struct progress	*now = &t->progress;

	uint64_t		 size = trace_size(t);

	lock_take(t->lock);
	*p = (struct trace_progress){
		.done = now->complete ? size : now->committed,
		.size = size,
		.events = now->events,
		.rows_final = now->rows,
		.final = now->final,
		.elapsed_ns = (now->ended_ns ? now->ended_ns : job_now_ns()) - now->started_ns,
		.sort_ns = now->sort_ns,
		.complete = now->complete,
		.spooling = !now->following && t->source != NULL &&
		    !source_complete(t->source),
		.following = now->following,
		.all_shown = now->following && now->seen == size,
		.seen = now->seen,
		.closed = now->closed,
	};
	lock_drop(t->lock);
	if (t->joined != NULL)
		joined_progress(t, p);
}

static void
joined_costs(struct trace *t, struct trace_costs *out)
{
	for (uint32_t i = 0; i < t->joined->n; i++) {
		struct trace_costs	one;

		trace_costs(t->joined->source[i].t, &one);
		out->index_frames += one.index_frames;
		out->index_events += one.index_events;
		out->index_bytes += one.index_bytes;
		out->searched_bytes += one.searched_bytes;
		out->view_events += one.view_events;
		out->view_bytes += one.view_bytes;
	}
}

void
trace_costs(struct trace *t, struct trace_costs *out)
{
	*out = (struct trace_costs){
		.index_frames = atomic_load(&t->costs.index_frames),
		.index_events = atomic_load(&t->costs.index_events),
		.index_bytes = atomic_load(&t->costs.index_bytes),
		.searched_bytes = atomic_load(&t->costs.searched),
		.view_events = atomic_load(&t->costs.view_events),
		.view_bytes = atomic_load(&t->costs.view_bytes),
	};
	if (t->joined != NULL)
		joined_costs(t, out);
}

uint64_t
trace_generation(struct trace *t)
{
	return atomic_load(&t->generation);
}

int
trace_bell(struct trace *t)
{
	int	fd = -1;

	lock_take(t->lock);
	if (t->bell == NULL && t->progress.following)
		t->bell = bell_new();
	if (t->bell != NULL)
		fd = bell_fd(t->bell);
	lock_drop(t->lock);
	return fd;
}

bool
trace_heard(struct trace *t)
{
	bool	heard;

	lock_take(t->lock);
	heard = t->bell != NULL && bell_heard(t->bell);
	lock_drop(t->lock);
	return heard;
}

const struct trace_info *
trace_info(struct trace *t)
{
	return atomic_load_explicit(&t->info, memory_order_acquire);
}

const char *
trace_path(struct trace *t)
{
	return t->path;
}

bool
trace_is_file(struct trace *t, const char *path)
{
	if (t->joined == NULL)
		return source_is_file(t->source, path);
	for (uint32_t i = 0; i < t->joined->n; i++)
		if (trace_is_file(t->joined->source[i].t, path))
			return true;
	return false;
}

uint64_t
trace_size(struct trace *t)
{
	uint64_t	n = 0;

	if (t->joined == NULL)
		return source_size(t->source);
	for (uint32_t i = 0; i < t->joined->n; i++)
		n += trace_size(t->joined->source[i].t);
	return n;
}

bool
trace_has(struct trace *t, unsigned caps)
{
	return index_has(t, caps);
}

struct diag *
trace_diag(struct trace *t)
{
	return t->diag;
}

bool
trace_cut(struct trace *t, uint64_t *off)
{
	bool	cut;

	lock_take(t->lock);
	cut = t->progress.cut;
	*off = t->progress.cut_off;
	lock_drop(t->lock);
	return cut;
}

bool
trace_clean(struct trace *t)
{
	return trace_index_done(t) && !diag_damaged(t->diag);
}

/* ---- time */

int64_t
trace_ns(struct trace *t, int64_t ts)
{
	return units_ticks_ns(ts, t->format.info.sync_ts, t->format.info.freq);
}

int64_t
trace_dur(struct trace *t, int64_t from, int64_t to)
{
	return sub_i64(trace_ns(t, to), trace_ns(t, from));
}

int64_t
trace_ts(struct trace *t, int64_t ns)
{
	return units_ns_ticks(ns, t->format.info.sync_ts, t->format.info.freq);
}

bool
trace_range(struct trace *t, int64_t *first, int64_t *last)
{
	bool	any;

	lock_take(t->lock);
	*first = t->head.row > 0 ? t->head.ts : t->progress.tmin;
	*last = t->progress.tmax;
	any = t->progress.events > 0;
	lock_drop(t->lock);
	return any;
}

/* What joined traces take besides their index, and what their sources take. */
static size_t
joined_memory(const struct joined *j)
{
	size_t	n = segvec_bytes(&j->types) + segvec_bytes(&j->threads);

	for (uint32_t i = 0; i < j->n; i++)
		n += segvec_bytes(&j->source[i].type) + segvec_bytes(&j->source[i].thread) +
		    j->source[i].repeats.cap * sizeof(struct repeat);
	return n;
}

size_t
trace_memory(struct trace *t)
{
	size_t	n;

	lock_take(t->lock);
	n = t->arena.total + index_memory(&t->index) + lists_bytes(&t->stacks) +
	    lists_bytes(&t->labels) + names_memory(&t->names) + loss_memory(&t->loss);
	n += t->joined != NULL ? joined_memory(t->joined) : 0;
	lock_drop(t->lock);
	for (uint32_t i = 0; t->joined != NULL && i < t->joined->n; i++)
		n += trace_memory(t->joined->source[i].t);
	return n + view_cache_bytes(t->cache);
}

const char *
trace_format_name(unsigned i)
{
	return format_at(i) == NULL ? NULL : format_at(i)->name;
}

const char *
trace_format_title(unsigned i)
{
	return format_at(i) == NULL ? NULL : format_at(i)->title;
}

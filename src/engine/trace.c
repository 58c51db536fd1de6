/*
 * An opened trace as its users see it: opening, time, rows, parts of events, snapshots.
 *
 * Invariant: whatever is read of the index is read under the lock, or is immutable once its place
 * was learned under the lock.
 */
#include "tnav/engine/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "engine/index/index.h"
#include "engine/view/cache.h"

#define CACHE_BYTES	(32u << 20)
#define HEAD_BYTES	4096u	/* of spooled input to wait for: the stream header */

/* ---- opening and indexing */

static void
vectors_init(struct trace *t)
{
	segvec_init(&t->records, sizeof(struct record));
	segvec_init(&t->type_counts, sizeof(struct type_count));
	segvec_init(&t->thread_counts, sizeof(struct thread_count));
	segvec_init(&t->frames, sizeof(struct event_frame));
	segvec_init(&t->states, sizeof(struct decode_state));
	segvec_init(&t->segments, sizeof(struct segment));
	segvec_init(&t->regions, sizeof(struct region));
	segvec_init(&t->slices, sizeof(struct slice));
	segvec_init(&t->types, sizeof(struct type_rec));
	segvec_init(&t->threads, sizeof(struct thread_rec));
	segvec_init(&t->decls, sizeof(struct decl_rec));
	segvec_init(&t->binds, sizeof(struct bind_rec));
	lists_init(&t->stacks);
	lists_init(&t->labels);
	segvec_init(&t->gaps, sizeof(struct gap));
	segvec_init(&t->marks, sizeof(struct lost_mark));
	idmap_init(&t->type_ids, t->seed);
	idmap_init(&t->thread_ids, t->seed);
	hashtable_init(&t->contents);
	idmap_init(&t->identities, t->seed);
}

static struct trace *
trace_new(struct source *s, const char *path, const struct trace_options *opt)
{
	struct trace	*t = mem_zalloc(1, sizeof *t);

	t->source = s;
	t->path = mem_strdup(path);
	t->diag = diag_new();
	t->lock = lock_new();
	t->seed = hash_seed();
	arena_init(&t->arena);
	vectors_init(t);
	t->workers = opt != NULL && opt->workers ? opt->workers : job_cpus();
	if (t->workers > LIMIT_WORKERS)
		t->workers = LIMIT_WORKERS;
	t->blocks = block_cache_new();
	atomic_store(&t->state, 1);
	t->cache = view_cache_new(opt != NULL && opt->cache_bytes ? opt->cache_bytes : CACHE_BYTES);
	t->tmin = INT64_MAX;
	t->tmax = INT64_MIN;
	t->format = (struct format){
		.source = s, .diag = t->diag, .arena = &t->arena, .up = &index_commit_ops,
		.up_arg = t, .seed = t->seed, .searched = &t->costs.searched,
	};
	return t;
}

static int
trace_begin(struct trace **out, struct source *s, const char *path,
    const struct trace_options *opt, struct buf *why)
{
	const struct format_ops	*ops;
	struct trace		*t;
	int			 err;

	*out = NULL;
	while (source_size(s) < HEAD_BYTES && !source_complete(s))
		source_wait(s, source_size(s));
	ops = format_choose(s, opt != NULL ? opt->input_format : NULL, why, &err);
	if (ops == NULL) {
		source_close(s);
		return err;
	}
	t = trace_new(s, path, opt);
	t->format.ops = ops;
	err = ops->open(&t->format, &t->first, why);
	if (err < 0) {
		trace_close(t);
		return err;
	}
	t->barrier_ts = t->format.info.sync_ts;
	index_publish_info(t);
	*out = t;
	return ERR_OK;
}

int
trace_open(struct trace **out, const char *path, const struct trace_options *opt, struct buf *why)
{
	struct source	*s;
	int		 err = source_open(&s, path, why);

	*out = NULL;
	return err < 0 ? err : trace_begin(out, s, path, opt, why);
}

int
trace_open_memory(struct trace **out, struct span bytes, const struct trace_options *opt,
    struct buf *why)
{
	return trace_begin(out, source_of_memory(bytes), "memory", opt, why);
}

void
trace_close(struct trace *t)
{
	if (t == NULL)
		return;
	atomic_store(&t->cancel, true);
	source_stop(t->source);
	job_join(t->job);
	view_cache_free(t->cache);
	block_cache_free(t->blocks);
	loss_release(t);
	mem_free(t->scratch);
	for (uint64_t i = 0; i < t->binds.n; i++)
		mem_free(((struct bind_rec *)segvec_at(&t->binds, i))->decl);
	for (uint64_t i = 0; i < t->regions.n; i++)
		mem_free(((struct region *)segvec_at(&t->regions, i))->touch);
	segvec_release(&t->records);
	segvec_release(&t->type_counts);
	segvec_release(&t->thread_counts);
	segvec_release(&t->frames);
	segvec_release(&t->states);
	segvec_release(&t->segments);
	segvec_release(&t->regions);
	segvec_release(&t->slices);
	segvec_release(&t->types);
	segvec_release(&t->threads);
	segvec_release(&t->decls);
	segvec_release(&t->binds);
	lists_release(&t->stacks);
	lists_release(&t->labels);
	segvec_release(&t->gaps);
	segvec_release(&t->marks);
	idmap_release(&t->type_ids);
	idmap_release(&t->thread_ids);
	hashtable_release(&t->contents);
	idmap_release(&t->identities);
	mem_free(t->open_slices.s);
	arena_release(&t->arena);
	diag_free(t->diag);
	lock_free(t->lock);
	source_close(t->source);
	mem_free(t->path);
	mem_free(t);
}

static void
index_job(void *arg)
{
	index_run(arg);
}

static void
index_begin(struct trace *t, bool inside)
{
	if (t->started)
		return;
	t->started = true;
	t->started_ns = job_now_ns();
	if (!inside)
		t->job = job_start(index_job, t);
	if (t->job == NULL)
		index_run(t);
}

void
trace_index_start(struct trace *t)
{
	/* What has come of slow input is shown even if nothing more comes before rows are asked. */
	if (!source_complete(t->source))
		atomic_store(&t->want_rows, true);
	index_begin(t, false);
}

bool
trace_index_wait(struct trace *t, int timeout_ms)
{
	const struct timespec	nap = { 0, 1000000 };

	/* Nobody else has work to do: a thread for it would only cost. */
	index_begin(t, timeout_ms < 0 && t->workers == 1);
	if (timeout_ms < 0) {
		lock_take(t->lock);
		while (t->ended_ns == 0)
			lock_wait(t->lock);
		lock_drop(t->lock);
	}
	for (int64_t end = job_now_ns() + (int64_t)timeout_ms * 1000000;
	    timeout_ms > 0 && !trace_index_done(t) && job_now_ns() < end; )
		nanosleep(&nap, NULL);
	return trace_index_done(t);
}

bool
trace_index_done(struct trace *t)
{
	bool	done;

	lock_take(t->lock);
	done = t->complete;
	lock_drop(t->lock);
	return done;
}

void
trace_index_cancel(struct trace *t)
{
	atomic_store(&t->cancel, true);
	source_stop(t->source);
}

enum trace_change
trace_refresh(struct trace *t)
{
	static const enum trace_change	what[] = {
		[SOURCE_SAME] = TRACE_SAME, [SOURCE_GREW] = TRACE_GREW,
		[SOURCE_SHRANK] = TRACE_SHRANK, [SOURCE_REPLACED] = TRACE_REPLACED,
	};
	enum source_change		change = source_refresh(t->source);

	if (change != SOURCE_SAME)
		atomic_fetch_add(&t->state, 1);		/* views that failed are tried again */
	return what[change];
}

void
trace_progress(struct trace *t, struct trace_progress *p)
{
	lock_take(t->lock);
	*p = (struct trace_progress){
		.done = t->complete ? source_size(t->source) : t->committed,
		.size = source_size(t->source),
		.events = t->events,
		.rows_final = t->rows,
		.elapsed_ns = (t->ended_ns ? t->ended_ns : job_now_ns()) - t->started_ns,
		.sort_ns = t->sort_ns,
		.complete = t->complete,
		.spooling = !source_complete(t->source),
	};
	lock_drop(t->lock);
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
}

uint64_t
trace_generation(struct trace *t)
{
	return atomic_load(&t->generation);
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
	return source_is_file(t->source, path);
}

uint64_t
trace_size(struct trace *t)
{
	return source_size(t->source);
}

bool
trace_has(struct trace *t, unsigned caps)
{
	return (t->format.info.has & caps) == caps;
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
	cut = t->cut;
	*off = t->cut_off;
	lock_drop(t->lock);
	return cut;
}

bool
trace_clean(struct trace *t)
{
	return trace_index_done(t) && !diag_damaged(t->diag);
}

/* ---- time */

static int64_t
saturate(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static __int128
div_floor(__int128 a, __int128 b)
{
	__int128	q = a / b;

	return q - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t
trace_ns(struct trace *t, int64_t ts)
{
	const struct trace_info	*in = &t->format.info;
	__int128		 d = (__int128)ts - in->sync_ts;

	return saturate(in->freq == 1000000000 ? d : div_floor(d * 1000000000, in->freq));
}

int64_t
trace_ts(struct trace *t, int64_t ns)
{
	const struct trace_info	*in = &t->format.info;

	return saturate(in->sync_ts - div_floor(-(__int128)ns * in->freq, 1000000000));
}

bool
trace_range(struct trace *t, int64_t *first, int64_t *last)
{
	bool	any;

	lock_take(t->lock);
	*first = t->tmin;
	*last = t->tmax;
	any = t->events > 0;
	lock_drop(t->lock);
	return any;
}

/* ---- parts of an event */

struct span
trace_payload(struct trace *t, const struct event *e)
{
	return source_span(t->source, e->off, e->size);
}

struct span
trace_header_bytes(struct trace *t, const struct event *e)
{
	return source_span(t->source, e->off - e->head, e->head);
}

static const uint8_t	no_guid[16];	/* all zero: none */

static bool
guid_at(struct trace *t, const struct event *e, uint32_t back, uint8_t guid[16])
{
	struct span	b = { NULL, 0 };

	if (back != 0 && back <= e->off)
		b = source_span(t->source, e->off - back, 16);
	if (b.len < 16 || memcmp(b.p, no_guid, 16) == 0)
		return false;
	memcpy(guid, b.p, 16);
	return true;
}

/* An activity id by its label (V6). */
static bool
guid_label(struct trace *t, const struct event *e, enum label_kind kind, uint8_t guid[16])
{
	struct label	l[LIMIT_LABELS];
	size_t		n = e->labels ? trace_labels(t, e, l, LIMIT_LABELS) : 0;

	for (size_t i = 0; i < n; i++) {
		if (l[i].kind != kind || l[i].text.len != 16 ||
		    memcmp(l[i].text.p, no_guid, 16) == 0)
			continue;
		memcpy(guid, l[i].text.p, 16);
		return true;
	}
	return false;
}

bool
trace_activity(struct trace *t, const struct event *e, uint8_t guid[16])
{
	if (t->format.ops->labels != NULL)
		return guid_label(t, e, LABEL_ACTIVITY, guid);
	return trace_has(t, HAS_ACTIVITIES) && guid_at(t, e, e->activity_back, guid);
}

bool
trace_related(struct trace *t, const struct event *e, uint8_t guid[16])
{
	if (t->format.ops->labels != NULL)
		return guid_label(t, e, LABEL_RELATED, guid);
	return trace_has(t, HAS_ACTIVITIES) && guid_at(t, e, e->related_back, guid);
}

void
trace_event_meta(struct trace *t, const struct event *e, struct event_meta *out)
{
	const struct event_type	*type = trace_type(t, e->type);
	struct label		 l[LIMIT_LABELS];
	size_t			 n;

	*out = (struct event_meta){ .version = type->version, .level = type->level,
	    .opcode = type->opcode, .has_opcode = type->has_opcode, .keywords = type->keywords };
	if (t->format.ops->labels == NULL || e->labels == 0)
		return;
	n = trace_labels(t, e, l, LIMIT_LABELS);
	for (size_t i = 0; i < n; i++) {
		if (l[i].kind == LABEL_OPCODE) {
			out->opcode = (uint8_t)l[i].number;
			out->has_opcode = true;
		} else if (l[i].kind == LABEL_KEYWORDS) {
			out->keywords = l[i].number;
		} else if (l[i].kind == LABEL_LEVEL) {
			out->level = (uint8_t)l[i].number;
		} else if (l[i].kind == LABEL_VERSION) {
			out->version = (uint32_t)l[i].number;
		}
	}
}

bool
trace_thread_indexes(struct trace *t, const struct event *e, uint64_t *thread, uint64_t *capture)
{
	if (!t->format.declares)
		return false;
	lock_take(t->lock);
	*thread = ((struct decl_rec *)segvec_at(&t->decls, e->thread_decl))->index;
	*capture = ((struct decl_rec *)segvec_at(&t->decls, e->capture_decl))->index;
	lock_drop(t->lock);
	return true;
}

bool
trace_event_extra(struct trace *t, const struct event *e, struct event_extra *out)
{
	if (t->format.ops->extra == NULL)
		return false;
	t->format.ops->extra(&t->format, e, out);
	return true;
}

uint64_t
trace_event_lost(struct trace *t, const struct event *e)
{
	uint64_t	at, lost = 0;

	if ((e->flags & EVENT_LOST) == 0)
		return 0;
	lock_take(t->lock);
	at = loss_mark_at(t, e->off);
	if (at < t->marks.n) {
		const struct lost_mark	*m = segvec_at(&t->marks, at);

		lost = m->off == e->off ? m->lost : 0;
	}
	lock_drop(t->lock);
	return lost;
}

/* ---- types and threads */

uint32_t
trace_types(struct trace *t)
{
	uint32_t	n;

	lock_take(t->lock);
	n = (uint32_t)t->types.n;
	lock_drop(t->lock);
	return n;
}

const struct event_type *
trace_type(struct trace *t, uint32_t type)
{
	const struct event_type	*p;

	lock_take(t->lock);
	p = ((struct type_rec *)segvec_at(&t->types, type))->t;
	lock_drop(t->lock);
	return p;
}

uint32_t
trace_threads(struct trace *t)
{
	uint32_t	n;

	lock_take(t->lock);
	n = (uint32_t)t->threads.n;
	lock_drop(t->lock);
	return n;
}

void
trace_thread(struct trace *t, uint32_t thread, struct thread_stat *out)
{
	lock_take(t->lock);
	*out = ((struct thread_rec *)segvec_at(&t->threads, thread))->s;
	lock_drop(t->lock);
}

/* ---- snapshots */

size_t
trace_type_stats(struct trace *t, struct type_stat **out)
{
	size_t	n;

	lock_take(t->lock);
	n = (size_t)t->types.n;
	*out = mem_zalloc(n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = (struct type_stat){
			(uint32_t)i, ((struct type_rec *)segvec_at(&t->types, i))->c };
	lock_drop(t->lock);
	return n;
}

size_t
trace_thread_stats(struct trace *t, struct thread_stat **out)
{
	size_t	n;

	lock_take(t->lock);
	n = (size_t)t->threads.n;
	*out = mem_zalloc(n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = ((struct thread_rec *)segvec_at(&t->threads, i))->s;
	lock_drop(t->lock);
	return n;
}

static int
gap_compare(const void *pa, const void *pb)
{
	const struct gap	*a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->life != b->life)
		return a->life < b->life ? -1 : 1;
	return a->seq_from < b->seq_from ? -1 : a->seq_from > b->seq_from;
}

size_t
trace_gaps(struct trace *t, struct gap **out)
{
	size_t	n;

	lock_take(t->lock);
	n = (size_t)t->gaps.n;
	*out = mem_zalloc(n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = *(struct gap *)segvec_at(&t->gaps, i);
	lock_drop(t->lock);
	qsort(*out, n, sizeof **out, gap_compare);
	return n;
}

void
trace_loss(struct trace *t, struct loss *out)
{
	lock_take(t->lock);
	*out = t->loss;
	lock_drop(t->lock);
}

/* Events that lie somewhere between two times, over the bins of [from, to): as if evenly. */
struct spread {
	double	a, b;		/* where they begin and end, in bins */
	size_t	lo, hi;		/* the bins that they touch */
};

static bool
spread_begin(struct spread *s, int64_t first, int64_t last, int64_t from, int64_t to, size_t nbins)
{
	double	width = (double)to - (double)from;

	s->a = ((double)first - (double)from) / width * (double)nbins;
	s->b = ((double)last - (double)from) / width * (double)nbins;
	if (s->b < 0 || s->a >= (double)nbins)
		return false;
	s->lo = s->a > 0 ? (size_t)s->a : 0;
	s->hi = s->b < (double)nbins - 1 ? (size_t)s->b : nbins - 1;
	if (s->b - s->a < 1)
		s->hi = s->lo;
	return true;
}

/* How many of n lie in bin i. */
static uint64_t
spread_part(const struct spread *s, uint64_t n, size_t i)
{
	double	len = s->b - s->a;
	double	p = s->a > (double)i ? s->a : (double)i;
	double	q = s->b < (double)i + 1 ? s->b : (double)i + 1;

	if (len < 1)
		return n;
	/* Differences of rounded sums: what is spread adds up to n again. */
	return q <= p ? 0 : (uint64_t)((double)n * ((q - s->a) / len) + 0.5) -
	    (uint64_t)((double)n * ((p - s->a) / len) + 0.5);
}

void
trace_density(struct trace *t, int64_t from, int64_t to, uint64_t *bins, size_t n)
{
	struct spread	s;

	memset(bins, 0, n * sizeof *bins);
	if (n == 0 || to <= from)
		return;
	lock_take(t->lock);
	for (uint64_t i = 0; i < t->segments.n; i++) {
		const struct segment	*g = segvec_at(&t->segments, i);

		if (!spread_begin(&s, g->tmin, g->tmax, from, to, n))
			continue;
		for (size_t k = s.lo; k <= s.hi; k++)
			bins[k] += spread_part(&s, g->n, k);
	}
	lock_drop(t->lock);
}

void
trace_thread_density(struct trace *t, int64_t from, int64_t to, uint32_t threads, uint32_t *bins,
    size_t n)
{
	struct spread	s;

	memset(bins, 0, threads * n * sizeof *bins);
	if (n == 0 || to <= from)
		return;
	lock_take(t->lock);
	for (uint64_t i = 0; i < t->thread_counts.n; i++) {
		const struct thread_count	*c = segvec_at(&t->thread_counts, i);

		if (c->thread >= threads ||
		    !spread_begin(&s, c->first, c->last, from, to, n))
			continue;
		for (size_t k = s.lo; k <= s.hi; k++)
			bins[c->thread * n + k] += (uint32_t)spread_part(&s, c->n, k);
	}
	lock_drop(t->lock);
}

size_t
trace_memory(struct trace *t)
{
	const struct segvec	*v[] = { &t->records, &t->type_counts, &t->thread_counts,
				    &t->frames, &t->states, &t->segments,
				    &t->regions, &t->slices, &t->types,
				    &t->threads, &t->decls, &t->binds, &t->gaps, &t->marks };
	size_t			 n;

	lock_take(t->lock);
	n = t->arena.total + idmap_bytes(&t->type_ids) + idmap_bytes(&t->thread_ids) +
	    hashtable_bytes(&t->contents) + idmap_bytes(&t->identities);
	n += lists_bytes(&t->stacks) + lists_bytes(&t->labels);
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		n += segvec_bytes(v[i]);
	lock_drop(t->lock);
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

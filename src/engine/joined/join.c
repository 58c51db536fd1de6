/*
 * Traces joined: one index over those of the sources.
 *
 *	segments	| those of source 0, in file order | those of source 1 | ...
 *	region		| all of them: cut into slices by time, as any region is
 *	slice		| the events of all sources between two moments
 *
 * An event that two files of one program have is left out of the later one (repeats.c).
 *
 * An event's place is (time, source, offset), since event.off has the source in its highest bits.
 * So slices, views, passes and queries are those of a single trace. What lies in a file is read by
 * the source's own functions (event_home(), segment_home()).
 *
 * Invariant: sources are complete when the index is made, and don't change afterwards.
 */
#include <string.h>

#include "engine/index/regions.h"
#include "engine/joined/joined.h"
#include "engine/view/decode.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"

/* ---- making the index */

static void
count_to(struct count *n, const struct clock_map *c)
{
	if (n->events == 0)
		return;
	n->first = clock_to(c, n->first);
	n->last = clock_to(c, n->last);
}

/* What a source's index has, copied without the lock of the whole. */
struct snapshot {
	struct type_stat	*type;
	struct thread_stat	*thread;
	struct gap		*gap;
	size_t			 ntype, nthread, ngap;
	struct loss		 loss;
	bool			 any;		/* it has events, at */
	int64_t			 first, last;
};

static void
snapshot_take(struct snapshot *x, struct trace *s)
{
	x->ntype = trace_type_stats(s, &x->type);
	x->nthread = trace_thread_stats(s, &x->thread);
	x->ngap = trace_gaps(s, &x->gap);
	trace_loss(s, &x->loss);
	x->any = trace_range(s, &x->first, &x->last);
}

/* Take what is left out from its counts. Its first and last times stay. */
static void
snapshot_lessen(struct snapshot *x, const struct repeats *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct count	*type = &x->type[r->v[i].type].c;
		struct count	*thread = &x->thread[r->v[i].thread].c;

		type->events--;
		type->bytes -= r->v[i].size;
		thread->events--;
		thread->bytes -= r->v[i].size;
	}
}

static void
snapshot_release(struct snapshot *x)
{
	mem_free(x->type);
	mem_free(x->thread);
	mem_free(x->gap);
}

static void
add_types(struct trace *t, struct joined_source *s, const struct snapshot *x)
{
	s->type0 = (uint32_t)t->names.types.n;
	for (size_t i = 0; i < x->ntype; i++) {
		struct type_rec		*r = segvec_add(&t->names.types);
		struct event_type	*own = arena_alloc(&t->arena, sizeof *own);

		*own = *trace_type(s->t, (uint32_t)i);
		own->index = s->type0 + (uint32_t)i;
		*r = (struct type_rec){ .t = own, .c = x->type[i].c };
		count_to(&r->c, &s->clock);
	}
}

static void
add_threads(struct trace *t, struct joined_source *s, const struct snapshot *x, uint32_t source)
{
	s->thread0 = (uint32_t)t->names.threads.n;
	for (size_t i = 0; i < x->nthread; i++) {
		struct thread_rec	*r = segvec_add(&t->names.threads);

		*r = (struct thread_rec){ .s = x->thread[i] };
		r->s.thread = s->thread0 + (uint32_t)i;
		r->s.source = source;
		count_to(&r->s.c, &s->clock);
	}
}

static void
add_losses(struct trace *t, const struct joined_source *s, const struct snapshot *x, uint64_t base)
{
	for (size_t i = 0; i < x->ngap; i++) {
		struct gap	*g = segvec_add(&t->loss.gaps);

		*g = x->gap[i];
		g->thread += s->thread0;
		g->from = clock_to(&s->clock, g->from);
		g->to = clock_to(&s->clock, g->to);
		g->prev_ts = clock_to(&s->clock, g->prev_ts);
		if (g->has_prev)
			g->prev_off += base;
		if (g->next_off != 0)
			g->next_off += base;
	}
	t->loss.sum.lost += x->loss.lost;
	t->loss.sum.gaps += x->loss.gaps;
	t->loss.sum.kept += x->loss.kept;
	for (uint64_t i = 0; i < s->t->loss.marks.n; i++) {
		struct lost_mark	*m = segvec_add(&t->loss.marks);

		*m = *(const struct lost_mark *)segvec_known(&s->t->loss.marks, i);
		m->off += base;
	}
}

/* How many events of a segment are left out. */
static size_t
segment_repeats(const struct joined_source *s, uint64_t i)
{
	const struct segvec	*v = &s->t->index.segments;
	uint64_t		 to = UINT64_MAX;

	if (s->repeats.n == 0)
		return 0;
	if (i + 1 < v->n)
		to = segment_off(s->t, segvec_known(v, i + 1));
	return repeats_between(&s->repeats, segment_off(s->t, segvec_known(v, i)), to);
}

static void
add_segments(struct trace *t, const struct joined_source *s, const struct snapshot *x,
    uint32_t source)
{
	int64_t	first = clock_to(&s->clock, x->first), last = clock_to(&s->clock, x->last);

	for (uint64_t i = 0; i < s->t->index.segments.n; i++) {
		struct segment	g = *(const struct segment *)segvec_known(&s->t->index.segments, i);

		g.repeats = (uint16_t)segment_repeats(s, i);
		if (g.repeats >= g.n)
			continue;
		g.n -= g.repeats;
		g.source = (uint16_t)source;
		g.tmin = clock_to(&s->clock, g.tmin);
		g.tmax = clock_to(&s->clock, g.tmax);
		*(struct segment *)segvec_add(&t->index.segments) = g;
		t->open.events += g.n;
	}
	if (!x->any)
		return;
	t->open.tmin = first < t->open.tmin ? first : t->open.tmin;
	t->open.tmax = last > t->open.tmax ? last : t->open.tmax;
}

static void
add_findings(struct trace *t, struct trace *s)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(s), &list);

	for (size_t i = 0; i < n; i++)
		diag_add_times(t->diag, list[i].severity, list[i].kind, list[i].off,
		    list[i].bytes, list[i].count, "%s: %s", trace_path(s), list[i].text);
	mem_free(list);
}

/* All of it appears at once, in an open region. */
static void
add_sources(struct trace *t)
{
	struct joined	*j = t->joined;
	struct snapshot	*x = mem_zalloc(j->n, sizeof *x);

	for (uint32_t i = 0; i < j->n; i++) {
		snapshot_take(&x[i], j->source[i].t);
		snapshot_lessen(&x[i], &j->source[i].repeats);
		add_findings(t, j->source[i].t);
	}
	lock_take(t->lock);
	region_open(t);
	for (uint32_t i = 0; i < j->n; i++) {
		struct joined_source	*s = &j->source[i];

		add_types(t, s, &x[i]);
		add_threads(t, s, &x[i], i);
		add_losses(t, s, &x[i], (uint64_t)i << EVENT_SOURCE_SHIFT);
		add_segments(t, s, &x[i], i);
	}
	t->open.nseg = t->index.segments.n;
	t->progress.events = t->open.events;
	t->progress.tmin = t->open.tmin;
	t->progress.tmax = t->open.tmax;
	lock_drop(t->lock);
	for (uint32_t i = 0; i < j->n; i++)
		snapshot_release(&x[i]);
	mem_free(x);
}

/* One source after the other, each with all workers. */
static bool
index_sources(struct trace *t)
{
	struct joined	*j = t->joined;

	for (uint32_t i = 0; i < j->n && !atomic_load(&t->cancel); i++) {
		atomic_store(&j->reading, i);
		(void)trace_index_wait(j->source[i].t, -1);
	}
	return !atomic_load(&t->cancel);
}

static void
joined_index(struct trace *t)
{
	bool	whole = index_sources(t);

	if (whole) {
		joined_clocks(t);
		joined_repeats(t);
		add_sources(t);
		region_close(t);
	}
	lock_take(t->lock);
	t->progress.complete = whole;
	t->progress.ended_ns = job_now_ns();
	lock_wake(t->lock);
	lock_drop(t->lock);
	atomic_fetch_add(&t->generation, 1);
}

/* ---- joining */

/* The names of the files, without folders. */
static void
join_names(struct buf *out, struct trace *const *source, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_puts(out, i > 0 ? " + " : "");
		buf_puts(out, text_base_name(trace_path(source[i])));
	}
}

/* What the whole says of itself. The clock is that of the first, in the finest unit of all. */
static void
join_info(struct trace *t)
{
	const struct joined	*j = t->joined;
	const struct trace_info	*first = trace_info(j->source[0].t);
	struct trace_info	*all = &t->format.info;
	struct clock_map	 c = { .div = first->freq };

	*all = *first;
	all->nkv = 0;
	all->kv = NULL;
	for (uint32_t i = 1; i < j->n; i++) {
		const struct trace_info	*one = trace_info(j->source[i].t);

		all->has |= one->has;
		if (one->freq > all->freq)
			all->freq = one->freq;
		if (one->pointer_size > all->pointer_size)
			all->pointer_size = one->pointer_size;
		if (strcmp(one->format, first->format) != 0)
			all->format = "several formats";
		if (one->version != first->version)
			all->version = 0;
		all->has_pid &= one->has_pid && one->pid == first->pid;
	}
	c.mul = all->freq;
	all->sync_ts = clock_to(&c, first->sync_ts);
}

/* Can they be joined? */
static int
join_check(struct trace *const *source, size_t n, struct buf *why)
{
	if (n > SOURCES_MOST) {
		buf_printf(why, "at most %u traces can be joined", SOURCES_MOST);
		return ERR_LIMIT;
	}
	for (size_t i = 1; i < n; i++) {
		if (trace_has(source[i], HAS_DURATIONS) == trace_has(source[0], HAS_DURATIONS))
			continue;
		buf_puts(why, "a Heph trace and one of .NET events cannot be one list");
		return ERR_UNSUPPORTED;
	}
	return ERR_OK;
}

int
trace_join(struct trace **out, struct trace *const *source, size_t n,
    const struct trace_join *how, const struct trace_options *opt, struct buf *why)
{
	int		 err = join_check(source, n, why);
	struct joined	*j;
	struct buf	 path = { 0 };

	*out = NULL;
	for (size_t i = 0; i < n && err < 0; i++)
		trace_close(source[i]);
	if (err < 0)
		return err;
	j = mem_zalloc(1, sizeof *j);
	j->how = *how;
	j->index = joined_index;
	j->n = (uint32_t)n;
	j->source = mem_zalloc(n, sizeof *j->source);
	for (size_t i = 0; i < n; i++)
		j->source[i].t = source[i];
	if (how->shift != NULL) {
		j->shift = mem_alloc(n * sizeof *j->shift);
		memcpy(j->shift, how->shift, n * sizeof *j->shift);
	}
	join_names(&path, source, n);
	*out = trace_over(j, buf_str(&path), opt);
	buf_release(&path);
	join_info(*out);
	index_publish_info(*out);
	return ERR_OK;
}

/* ---- sources */

uint32_t
trace_sources(struct trace *t)
{
	return t->joined != NULL ? t->joined->n : 1;
}

struct trace *
trace_source(struct trace *t, uint32_t source)
{
	return t->joined != NULL ? t->joined->source[source].t : t;
}

uint32_t
trace_type_source(struct trace *t, uint32_t type)
{
	uint64_t	after = 1;

	if (t->joined == NULL)
		return 0;
	BISECT(after, t->joined->n, i, t->joined->source[i].type0 <= type);
	return (uint32_t)after - 1;
}

uint32_t
trace_thread_source(struct trace *t, uint32_t thread)
{
	uint64_t	after = 1;

	if (t->joined == NULL)
		return 0;
	BISECT(after, t->joined->n, i, t->joined->source[i].thread0 <= thread);
	return (uint32_t)after - 1;
}

enum trace_clock
trace_source_clock(struct trace *t, uint32_t source)
{
	return t->joined != NULL && trace_index_done(t) ? t->joined->source[source].by : CLOCK_AUTO;
}

int64_t
trace_source_ts(struct trace *t, uint32_t source, int64_t ts)
{
	return t->joined != NULL ? clock_to(&t->joined->source[source].clock, ts) : ts;
}

int64_t
trace_source_since(struct trace *t, uint32_t source, int64_t ts)
{
	int64_t	from = INT64_MIN, to = INT64_MAX;

	while (from < to) {
		int64_t	middle = from + (int64_t)(((uint64_t)to - (uint64_t)from) / 2);

		if (trace_source_ts(t, source, middle) < ts)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

size_t
trace_source_gaps(struct trace *t, uint32_t source, struct gap **out)
{
	size_t	n = trace_gaps(t, out), kept = 0;

	if (t->joined == NULL)
		return n;
	for (size_t i = 0; i < n; i++)
		if (trace_thread_source(t, (*out)[i].thread) == source)
			(*out)[kept++] = (*out)[i];
	return kept;
}

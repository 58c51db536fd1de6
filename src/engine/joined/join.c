/*
 * Several traces joined: making one of them, and what is asked of its sources.
 *
 *	trace_join()	sources -> struct trace without a file; its index: grow.c
 */
#include <string.h>

#include "engine/joined/joined.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"

#define SILENT_NS	INT64_C(10000000000)

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

static const struct joined_ops	joined_ops = {
	.index = joined_index, .open_again = joined_open_again,
	.type_stats = joined_type_stats, .thread_stats = joined_thread_stats,
	.thread = joined_thread, .gaps = joined_gaps, .loss = joined_loss,
};

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
	j->how.silent_ns = how->silent_ns > 0 ? how->silent_ns : SILENT_NS;
	j->ops = &joined_ops;
	j->n = (uint32_t)n;
	j->source = mem_zalloc(n, sizeof *j->source);
	j->news.lock = lock_new(LOCK_LEAF);
	j->follow = lock_new(LOCK_TASK);
	for (size_t i = 0; i < n; i++) {
		j->source[i].t = source[i];
		j->source[i].program = (uint32_t)i;
		source[i]->news = &j->news;
	}
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
trace_source_program(struct trace *t, uint32_t source)
{
	return t->joined != NULL ? t->joined->source[source].program : source;
}

uint32_t
trace_type_source(struct trace *t, uint32_t type)
{
	return t->joined == NULL ? 0 :
	    ((const struct source_index *)segvec_known(&t->joined->types, type))->source;
}

uint32_t
trace_thread_source(struct trace *t, uint32_t thread)
{
	return t->joined == NULL ? 0 :
	    ((const struct source_index *)segvec_known(&t->joined->threads, thread))->source;
}

enum trace_clock
trace_source_clock(struct trace *t, uint32_t source)
{
	return t->joined != NULL ? t->joined->source[source].by : CLOCK_AUTO;
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

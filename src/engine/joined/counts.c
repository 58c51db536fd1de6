/*
 * Counts, gaps and losses of joined traces: those that the sources have now, as those of the whole.
 *
 *	type of the whole	-> source, index there -> its count, less what is left out
 *
 * So nothing is counted twice, and nothing is copied as the sources grow. Of a type or thread, the
 * index of the whole has the count of the events that are left out (repeats.c).
 *
 * Invariant: the lock of the whole and that of a source are not held at a time.
 */
#include "engine/joined/joined.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

/* Its events, at times of the whole, without those that are left out. */
static void
count_of_whole(struct count *n, const struct count *out, const struct clock_map *c)
{
	n->events -= out->events < n->events ? out->events : n->events;
	n->bytes -= out->bytes < n->bytes ? out->bytes : n->bytes;
	if (n->events == 0)
		return;
	n->first = clock_to(c, n->first);
	n->last = clock_to(c, n->last);
}

static const struct source_index *
index_of(const struct segvec *v, size_t i)
{
	return segvec_known(v, i);
}

size_t
joined_type_stats(struct trace *t, struct type_stat **out)
{
	const struct joined	 *j = t->joined;
	size_t			  n = joined_number(t, &j->types);
	struct type_stat	**of = mem_zalloc(j->n, sizeof *of);

	*out = mem_zalloc(n + 1, sizeof **out);
	for (uint32_t i = 0; i < j->n && n > 0; i++)
		(void)trace_type_stats(j->source[i].t, &of[i]);
	for (size_t i = 0; i < n; i++) {
		const struct source_index	*from = index_of(&j->types, i);
		const struct type_rec	*r = segvec_known(&t->names.types, i);

		(*out)[i] = (struct type_stat){ (uint32_t)i, of[from->source][from->index].c };
		count_of_whole(&(*out)[i].c, &r->c, &j->source[from->source].clock);
	}
	for (uint32_t i = 0; i < j->n; i++)
		mem_free(of[i]);
	mem_free(of);
	return n;
}

/* What a source says of a thread, as the whole does. */
static void
thread_of_whole(struct trace *t, size_t i, struct thread_stat *s)
{
	const struct source_index	*from = index_of(&t->joined->threads, i);
	const struct thread_rec	*r = segvec_known(&t->names.threads, i);

	s->thread = (uint32_t)i;
	s->source = from->source;
	count_of_whole(&s->c, &r->s.c, &t->joined->source[from->source].clock);
}

size_t
joined_thread_stats(struct trace *t, struct thread_stat **out)
{
	const struct joined	 *j = t->joined;
	size_t			  n = joined_number(t, &j->threads);
	struct thread_stat	**of = mem_zalloc(j->n, sizeof *of);

	*out = mem_zalloc(n + 1, sizeof **out);
	for (uint32_t i = 0; i < j->n && n > 0; i++)
		(void)trace_thread_stats(j->source[i].t, &of[i]);
	for (size_t i = 0; i < n; i++) {
		const struct source_index	*from = index_of(&j->threads, i);

		(*out)[i] = of[from->source][from->index];
		thread_of_whole(t, i, &(*out)[i]);
	}
	for (uint32_t i = 0; i < j->n; i++)
		mem_free(of[i]);
	mem_free(of);
	return n;
}

void
joined_thread(struct trace *t, uint32_t thread, struct thread_stat *out)
{
	const struct source_index	*from = index_of(&t->joined->threads, thread);

	trace_thread(t->joined->source[from->source].t, from->index, out);
	thread_of_whole(t, thread, out);
}

/* A gap of a source, whose offsets begin at base. */
static void
gap_of_whole(struct gap *g, const struct joined_source *s, uint64_t base)
{
	g->thread = *(const uint32_t *)segvec_known(&s->thread, g->thread);
	g->from = clock_to(&s->clock, g->from);
	g->to = clock_to(&s->clock, g->to);
	g->prev_ts = clock_to(&s->clock, g->prev_ts);
	if (g->has_prev)
		g->prev_off += base;
	if (g->next_off != 0)
		g->next_off += base;
}

size_t
joined_gaps(struct trace *t, struct gap **out)
{
	size_t	n = 0, cap = 0;

	*out = NULL;
	for (uint32_t i = 0; i < t->joined->n; i++) {
		const struct joined_source	*s = joined_source(t, i);
		size_t				 threads = joined_number(t, &s->thread);
		struct gap			*own;
		size_t				 found = trace_gaps(s->t, &own);

		for (size_t k = 0; k < found; k++) {
			if (own[k].thread >= threads)
				continue;	/* the whole does not have it yet */
			gap_of_whole(&own[k], s, (uint64_t)i << EVENT_SOURCE_SHIFT);
			ARRAY_ADD(*out, n, cap, own[k]);
		}
		mem_free(own);
	}
	return n;
}

void
joined_loss(struct trace *t, struct loss *out)
{
	*out = (struct loss){ .lost = 0 };
	for (uint32_t i = 0; i < t->joined->n; i++) {
		const struct joined_source	*s = joined_source(t, i);
		struct loss			 one;

		if (joined_number(t, &s->thread) == 0)
			continue;		/* the whole has nothing of it yet */
		trace_loss(s->t, &one);
		out->lost += one.lost;
		out->gaps += one.gaps;
		out->kept += one.kept;
	}
}

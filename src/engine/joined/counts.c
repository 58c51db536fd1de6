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

size_t
joined_type_stats(struct trace *t, struct type_stat **out)
{
	size_t	n = number_now(t, &t->joined->types);

	*out = mem_zalloc(n + 1, sizeof **out);
	for (uint32_t i = 0; i < t->joined->n; i++) {
		const struct joined_source	*s = joined_source(t, i);
		size_t				 known = number_now(t, &s->type);
		struct type_stat		*own;

		(void)trace_type_stats(s->t, &own);
		for (size_t k = 0; k < known; k++) {
			uint32_t		 type = number_in_whole(&s->type, k);
			const struct type_rec	*r = segvec_known(&t->names.types, type);

			if (type >= n)
				break;		/* it came since then, as those after it */
			(*out)[type] = (struct type_stat){ type, own[k].c };
			count_of_whole(&(*out)[type].c, &r->c, &s->clock);
		}
		mem_free(own);
	}
	return n;
}

/* What a source says of a thread, as the whole does. */
static void
thread_of_whole(struct trace *t, uint32_t thread, uint32_t source, struct thread_stat *s)
{
	const struct thread_rec	*r = segvec_known(&t->names.threads, thread);

	s->thread = thread;
	s->source = source;
	count_of_whole(&s->c, &r->s.c, &joined_source(t, source)->clock);
}

size_t
joined_thread_stats(struct trace *t, struct thread_stat **out)
{
	size_t	n = number_now(t, &t->joined->threads);

	*out = mem_zalloc(n + 1, sizeof **out);
	for (uint32_t i = 0; i < t->joined->n; i++) {
		const struct joined_source	*s = joined_source(t, i);
		size_t				 known = number_now(t, &s->thread);
		struct thread_stat		*own;

		(void)trace_thread_stats(s->t, &own);
		for (size_t k = 0; k < known; k++) {
			uint32_t	thread = number_in_whole(&s->thread, k);

			if (thread >= n)
				break;
			(*out)[thread] = own[k];
			thread_of_whole(t, thread, i, &(*out)[thread]);
		}
		mem_free(own);
	}
	return n;
}

void
joined_thread(struct trace *t, uint32_t thread, struct thread_stat *out)
{
	const struct source_index	*from = segvec_known(&t->joined->threads, thread);

	trace_thread(joined_source(t, from->source)->t, from->index, out);
	thread_of_whole(t, thread, from->source, out);
}

/* A gap of a source, whose offsets begin at base. */
static void
gap_of_whole(struct gap *g, const struct joined_source *s, uint64_t base)
{
	g->thread = number_in_whole(&s->thread, g->thread);
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
		size_t				 threads = number_now(t, &s->thread);
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

		if (number_now(t, &s->thread) == 0)
			continue;		/* the whole has nothing of it yet */
		trace_loss(s->t, &one);
		out->lost += one.lost;
		out->gaps += one.gaps;
		out->kept += one.kept;
	}
}

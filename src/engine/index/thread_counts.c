/*
 * Counts by thread and their sums.
 *
 *	commit  1  2  3 .. 8		9 .. 16
 *		 \ |  |   /		 \   /
 *		  group 1 of level 1	  group 2		made when its last commit is added
 */
#include "engine/index/thread_counts.h"

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

void
thread_counts_release(struct thread_counts *x)
{
	for (unsigned k = 0; k < COUNT_LEVELS; k++) {
		segvec_release(&x->count[k]);
		segvec_release(&x->group[k]);
	}
	mem_free(x->place);
}

size_t
thread_counts_bytes(const struct thread_counts *x)
{
	size_t	n = x->places * sizeof *x->place;

	for (unsigned k = 0; k < COUNT_LEVELS; k++)
		n += segvec_bytes(&x->count[k]) + segvec_bytes(&x->group[k]);
	return n;
}

static void
widen(int64_t *first, int64_t *last, int64_t other_first, int64_t other_last)
{
	*first = other_first < *first ? other_first : *first;
	*last = other_last > *last ? other_last : *last;
}

static void
sum_count(struct thread_counts *x, struct segvec *to, struct count_group *g,
    const struct thread_count *c)
{
	struct thread_count	*sum;
	uint32_t		*place;

	x->place = array_reach(x->place, &x->places, c->thread, sizeof *x->place);
	place = &x->place[c->thread];
	if (*place == 0) {
		*(struct thread_count *)segvec_add(to, sizeof *c) = *c;
		*place = ++g->n;
		return;
	}
	sum = segvec_at(to, g->count0 + *place - 1);
	widen(&sum->first, &sum->last, c->first, c->last);
	sum->n += c->n;
}

/* Add up the counts of the newest COUNT_GROUP groups of the level below. */
static void
sum_group(struct thread_counts *x, unsigned level)
{
	struct segvec		*to = &x->count[level], *from = &x->count[level - 1];
	struct segvec		*below = &x->group[level - 1];
	struct count_group	*g = segvec_add(&x->group[level], sizeof *g);
	const struct count_group *part = segvec_at(below, below->n - COUNT_GROUP);
	uint64_t		 all = 0;

	*g = (struct count_group){ .first = part->first, .last = part->last, .count0 = to->n,
	    .summed = true };
	for (unsigned i = 0; i < COUNT_GROUP; i++) {
		part = segvec_at(below, below->n - COUNT_GROUP + i);
		widen(&g->first, &g->last, part->first, part->last);
		g->summed &= part->summed;
		all += part->n;
	}
	g->summed &= x->summed + all <= x->count[0].n;
	for (unsigned i = 0; i < COUNT_GROUP && g->summed; i++) {
		part = segvec_at(below, below->n - COUNT_GROUP + i);
		for (uint32_t k = 0; k < part->n; k++)
			sum_count(x, to, g, segvec_at(from, part->count0 + k));
	}
	for (uint32_t k = 0; k < g->n; k++) {
		const struct thread_count	*c = segvec_at(to, g->count0 + k);

		x->place[c->thread] = 0;
	}
	x->summed += g->n;
}

void
thread_counts_add(struct thread_counts *x, const struct thread_count *c, uint32_t n)
{
	struct count_group	*g = segvec_add(&x->group[0], sizeof *g);

	*g = (struct count_group){ .first = c->first, .last = c->last,
	    .count0 = x->count[0].n, .n = n, .summed = true };
	for (uint32_t i = 0; i < n; i++) {
		widen(&g->first, &g->last, c[i].first, c[i].last);
		*(struct thread_count *)segvec_add(&x->count[0], sizeof *c) = c[i];
	}
	for (unsigned k = 1; k < COUNT_LEVELS && x->group[k - 1].n % COUNT_GROUP == 0; k++)
		sum_group(x, k);
}

/*
 * The numbers of an excerpt's events.
 *
 *	first[decl] -> v[] incarnation 1, 2, 3 of it -> before[gap .. gap_end) what it lost
 *
 * While a declaration has several open incarnations, a number that skips some could be taken for
 * one of another incarnation. Then each event gets the next number, and what was lost is told by
 * the next sequence point, which lists them all. Readers pair the numbers of a list with those of
 * the incarnations from the largest down, so one that has ended is listed until its number is the
 * least. After a flush of threads (V6), a thread's first
 * number tells nothing, so its loss is told by the second.
 *
 * Invariant: a gap is counted once: before the first event of its incarnation that is written from
 * its place on, or at the next sequence point.
 */
#include "engine/excerpt/numbering.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

SORT_ORDER(turn_compare, struct life_mark, RISING(decl) RISING(off))

SORT_ORDER(gap_by_life, struct numbered_gap, RISING(life) RISING(off))

SORT_ORDER(gap_by_time, struct numbered_gap, RISING(to))

static void
life_last(struct numbering *l, uint32_t decl, uint32_t number, uint64_t off)
{
	size_t	at = l->first[decl] + number - 1;

	if (at < l->first[decl + 1] && off > l->v[at].last_off)
		l->v[at].last_off = off;
}

/* How many incarnations a declaration has; at least 1. */
static size_t
count_lives(const struct trace *t, const struct decl_rec *d)
{
	const struct thread_rec	*r = segvec_at(&t->names.threads, d->thread);

	return t->format.reuses_ids && r->births > 1 ? r->births : 1;
}

void
numbering_init(struct numbering *l, struct trace *t)
{
	bool	numbered = index_has(t, HAS_NUMBERS);

	memset(l, 0, sizeof *l);
	l->decls = (uint32_t)t->names.decls.n;
	l->first = mem_zalloc(l->decls + 1, sizeof *l->first);
	l->open_of = mem_zalloc(l->decls + 1, sizeof *l->open_of);
	l->least = mem_zalloc(l->decls + 1, sizeof *l->least);
	for (uint32_t i = 0; i < l->decls; i++)
		l->first[i + 1] = l->first[i] + count_lives(t, segvec_at(&t->names.decls, i));
	l->n = l->first[l->decls];
	l->v = mem_zalloc(l->n + 1, sizeof *l->v);
	for (uint32_t i = 0; i < l->decls; i++) {
		const struct decl_rec	*d = segvec_at(&t->names.decls, i);

		for (size_t k = l->first[i]; k < l->first[i + 1]; k++) {
			l->v[k].decl = i;
			l->v[k].last_off = numbered ? 0 : UINT64_MAX;
		}
		for (uint32_t k = 0; k < d->ninc; k++)
			life_last(l, i, d->inc[k].number, d->inc[k].off);
	}
	for (uint64_t i = 0; i < t->loss.ended.n; i++) {
		const struct life_mark	*m = segvec_at(&t->loss.ended, i);

		life_last(l, m->decl, m->number, m->off);
	}
	l->nturn = (size_t)t->loss.turns.n;
	l->turn = mem_zalloc(l->nturn + 1, sizeof *l->turn);
	for (size_t i = 0; i < l->nturn; i++)
		l->turn[i] = *(struct life_mark *)segvec_at(&t->loss.turns, i);
	sort_array(l->turn, l->nturn, sizeof *l->turn, turn_compare);
	l->before = mem_zalloc((size_t)t->loss.gaps.n + 1, sizeof *l->before);
	l->at = mem_zalloc((size_t)t->loss.gaps.n + 1, sizeof *l->at);
}

void
numbering_release(struct numbering *l)
{
	mem_free(l->v);
	mem_free(l->first);
	mem_free(l->turn);
	mem_free(l->before);
	mem_free(l->by_off);
	mem_free(l->at);
	mem_free(l->open);
	mem_free(l->open_of);
	mem_free(l->least);
}

void
numbering_add_gap(struct numbering *l, const struct gap *g)
{
	size_t		at = l->first[g->decl] + g->incarnation - 1;
	struct numbered_gap	gap = { .off = g->next_off, .to = g->to, .lost = g->lost,
				    .removes = g->why == GAP_REMOVE };

	if (at >= l->first[g->decl + 1])
		at = l->first[g->decl];
	gap.life = (uint32_t)at;
	l->v[at].gaps++;
	if (g->next_off != 0)
		l->before[l->nbefore++] = gap;
	else
		l->at[l->nat++] = gap;
}

struct off_place {
	uint64_t	off;
	uint32_t	at;
};

SORT_ORDER(place_compare, struct off_place, RISING(off))

void
numbering_sort(struct numbering *l)
{
	struct off_place	*p = mem_zalloc(l->nbefore + 1, sizeof *p);

	sort_array(l->before, l->nbefore, sizeof *l->before, gap_by_life);
	sort_array(l->at, l->nat, sizeof *l->at, gap_by_time);
	for (size_t i = 0; i < l->nbefore; i++) {
		struct numbered_life	*x = &l->v[l->before[i].life];

		if (x->gap_end == 0)
			x->gap = i;
		x->gap_end = i + 1;
		p[i] = (struct off_place){ l->before[i].off, (uint32_t)i };
	}
	sort_array(p, l->nbefore, sizeof *p, place_compare);
	l->by_off = mem_zalloc(l->nbefore + 1, sizeof *l->by_off);
	for (size_t i = 0; i < l->nbefore; i++)
		l->by_off[i] = p[i].at;
	mem_free(p);
}

uint32_t
numbering_of(const struct numbering *l, uint32_t decl, uint64_t off)
{
	size_t	first = l->first[decl], at = 0;

	if (l->first[decl + 1] - first == 1)
		return (uint32_t)first;
	BISECT(at, l->nturn, i, l->turn[i].decl < decl ||
	    (l->turn[i].decl == decl && l->turn[i].off <= off));
	if (at == 0 || l->turn[at - 1].decl != decl ||
	    first + l->turn[at - 1].number > l->first[decl + 1])
		return (uint32_t)first;
	return (uint32_t)first + l->turn[at - 1].number - 1;
}

static void
life_open(struct numbering *l, uint32_t life)
{
	struct numbered_life	*x = &l->v[life];

	if (x->open)
		return;
	x->open = true;
	l->open_of[x->decl]++;
	ARRAY_ADD(l->open, l->nopen, l->open_cap, life);
}

static void
gap_count(struct numbering *l, struct numbered_gap *g)
{
	struct numbered_life	*x = &l->v[g->life];

	if (g->counted)
		return;
	g->counted = true;
	x->gaps--;
	x->pending += g->lost;
	l->lost += g->lost;
	life_open(l, g->life);
}

uint32_t
numbering_next(struct numbering *l, uint32_t life, uint64_t off, bool counts)
{
	struct numbered_life	*x = &l->v[life];

	while (counts && x->gap < x->gap_end && l->before[x->gap].off <= off)
		gap_count(l, &l->before[x->gap++]);
	life_open(l, life);
	if (counts && l->open_of[x->decl] == 1 && (x->n > 0 || !l->flushed)) {
		x->n += (uint32_t)x->pending;
		x->pending = 0;
	}
	return ++x->n;
}

void
numbering_count_before(struct numbering *l, uint64_t off)
{
	for (; l->next_off < l->nbefore; l->next_off++) {
		struct numbered_gap	*g = &l->before[l->by_off[l->next_off]];

		if (g->off >= off)
			break;
		gap_count(l, g);
	}
}

void
numbering_count_at(struct numbering *l)
{
	gap_count(l, &l->at[l->next_at++]);
}

bool
numbering_pending(const struct numbering *l)
{
	for (size_t i = 0; i < l->nopen; i++)
		if (l->v[l->open[i]].pending > 0)
			return true;
	return false;
}

/* Has the incarnation ended, for a point before the events from off on? */
static bool
is_over(const struct numbered_life *x, uint64_t off)
{
	return x->pending == 0 && x->gaps == 0 && x->last_off < off;
}

void
numbering_reach(struct numbering *l, uint64_t off)
{
	size_t	kept = 0;

	for (size_t i = 0; i < l->nopen; i++)
		l->least[l->v[l->open[i]].decl] = UINT32_MAX;
	for (size_t i = 0; i < l->nopen; i++) {
		const struct numbered_life	*x = &l->v[l->open[i]];

		if (!is_over(x, off) && x->n < l->least[x->decl])
			l->least[x->decl] = x->n;
	}
	for (size_t i = 0; i < l->nopen; i++) {
		struct numbered_life	*x = &l->v[l->open[i]];

		if (is_over(x, off) && x->n <= l->least[x->decl]) {
			x->open = false;
			l->open_of[x->decl]--;
			continue;
		}
		x->n += (uint32_t)x->pending;
		x->pending = 0;
		l->open[kept++] = l->open[i];
	}
	l->nopen = kept;
}

void
numbering_remove(struct numbering *l, uint32_t decl)
{
	size_t	kept = 0;

	for (size_t i = 0; i < l->nopen; i++) {
		struct numbered_life	*x = &l->v[l->open[i]];

		if (x->decl != decl) {
			l->open[kept++] = l->open[i];
			continue;
		}
		x->n = 0;
		x->open = false;
		l->open_of[decl]--;
	}
	l->nopen = kept;
}

void
numbering_flush(struct numbering *l)
{
	for (size_t i = 0; i < l->nopen; i++) {
		struct numbered_life	*x = &l->v[l->open[i]];

		x->n = 0;
		x->open = false;
		l->open_of[x->decl] = 0;
	}
	l->nopen = 0;
	l->flushed = true;
}

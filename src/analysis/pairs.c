/*
 * Pairs of events.
 *
 *	record	[pair | the report's] [pair | ...]		in a scratch file
 *	space	key -> the latest open record -> same -> ...	a stack, linked by numbers
 *	queue	key -> the last -> same: the first -> ... -> the last		a ring
 *	nest	thread -> top -> below -> below			both ways
 *
 * Invariant: the cost of an event does not depend on the number of open records; each is taken from
 * a nest once.
 */
#include "analysis/pairs.h"

#include <string.h>

#include "analysis/reports/common.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

struct pairs {
	struct scratch	*record;
	size_t		 size;
	void		*spare;		/* the record that is given where there is no room */
	unsigned	 spaces;
	struct groups	*open[PAIRS_SPACES];	/* uint32_t: number of the latest, or top, one */
	uint64_t	 dropped;
};

struct pairs *
pairs_new(size_t size, unsigned spaces)
{
	struct pairs	*p = mem_zalloc(1, sizeof *p);

	p->record = scratch_new(size);
	p->size = size;
	p->spare = mem_zalloc(1, size);
	p->spaces = spaces;
	for (unsigned i = 0; i < spaces; i++)
		p->open[i] = groups_new(sizeof(uint32_t), LIMIT_SPANS_OPEN);
	return p;
}

void
pairs_free(struct pairs *p)
{
	if (p == NULL)
		return;
	scratch_free(p->record);
	mem_free(p->spare);
	for (unsigned i = 0; i < p->spaces; i++)
		groups_free(p->open[i]);
	mem_free(p);
}

void *
pairs_add(struct pairs *p, const struct fact *f)
{
	struct pair	*x = scratch_n(p->record) < UINT32_MAX ? scratch_add(p->record) : NULL;

	if (x != NULL) {
		x->number = (uint32_t)scratch_n(p->record);
	} else {
		p->dropped++;
		x = memset(p->spare, 0, p->size);
	}
	x->ts = f->ev->ts;
	x->row = f->row;
	x->off = f->ev->off;
	x->thread = f->ev->thread;
	x->stop_thread = EVENT_NONE;
	x->chosen = f->chosen;
	return x;
}

uint32_t
pairs_n(const struct pairs *p)
{
	return (uint32_t)scratch_n(p->record);
}

void *
pairs_at(const struct pairs *p, uint32_t number)
{
	return number > 0 ? scratch_at(p->record, number - 1) : NULL;
}

void *
pairs_next(const struct pairs *p, uint32_t *i)
{
	while (*i < scratch_n(p->record)) {
		struct pair	*x = pairs_at(p, ++*i);

		if (x->chosen)
			return x;
	}
	return NULL;
}

/* ---- by key */

static bool
is_open(const void *entry)
{
	return *(const uint32_t *)entry != 0;
}

/* Where the number of the latest open one of the key stands. NULL: there are too many, or the
   record is the spare one. */
static uint32_t *
open_get(struct pairs *p, unsigned space, struct group_key key, const struct pair *x)
{
	return x->number != 0 ? groups_get_live(p->open[space], key.a, key.b, is_open) : NULL;
}

void
pairs_enter(struct pairs *p, unsigned space, struct group_key key, void *record, bool stack)
{
	struct pair	*x = record;
	uint32_t	*open = open_get(p, space, key, x);

	if (open == NULL)
		return;
	if (stack)
		x->same = *open;
	*open = x->number;
}

/* The place of the latest open one; NULL: there is none. */
static uint32_t *
open_find(struct pairs *p, unsigned space, struct group_key key)
{
	uint32_t		*open = groups_find(p->open[space], key.a, key.b);
	const struct pair	*x;

	if (open == NULL)
		return NULL;
	for (x = pairs_at(p, *open); x != NULL && x->left; x = pairs_at(p, *open))
		*open = x->same;
	return open;
}

void *
pairs_latest(struct pairs *p, unsigned space, struct group_key key)
{
	const uint32_t	*open = open_find(p, space, key);

	return open != NULL ? pairs_at(p, *open) : NULL;
}

void *
pairs_take(struct pairs *p, unsigned space, struct group_key key)
{
	uint32_t	*open = open_find(p, space, key);
	struct pair	*x = open != NULL ? pairs_at(p, *open) : NULL;

	if (x != NULL)
		*open = x->same;
	return x;
}

void
pairs_append(struct pairs *p, unsigned space, struct group_key key, void *record)
{
	struct pair	*x = record, *last;
	uint32_t	*open = open_get(p, space, key, x);

	if (open == NULL)
		return;
	last = pairs_at(p, *open);
	x->same = last != NULL ? last->same : x->number;
	if (last != NULL)
		last->same = x->number;
	*open = x->number;
}

void *
pairs_take_first(struct pairs *p, unsigned space, struct group_key key)
{
	uint32_t	*open = groups_find(p->open[space], key.a, key.b);
	struct pair	*last = open != NULL ? pairs_at(p, *open) : NULL, *first;

	if (last == NULL)
		return NULL;
	first = pairs_at(p, last->same);
	last->same = first->same;
	if (first == last)
		*open = 0;
	return first;
}

void *
pairs_start(struct pairs *p, const struct fact *f)
{
	struct pair	*x = pairs_add(p, f);

	x->start = f->ns;
	x->has_start = true;
	return x;
}

void *
pairs_stop(struct pairs *p, const struct fact *f, void *record)
{
	struct pair	*x = record != NULL ? record : pairs_add(p, f);

	x->stop = f->ns;
	x->stop_thread = f->ev->thread;
	x->has_stop = true;
	return x;
}

/* ---- nests */

void
pairs_nest(struct pairs *p, unsigned space, uint32_t thread, void *record)
{
	struct pair	*x = record, *below;
	uint32_t	*top = open_get(p, space, pair_key(thread, 0), x);

	if (top == NULL)
		return;
	below = pairs_at(p, *top);
	x->below = *top;
	x->nests = true;
	*top = x->number;
	if (below != NULL)
		below->above = *top;
}

/* Unlink it from its neighbours. */
static void
nest_remove(struct pairs *p, uint32_t *top, struct pair *x)
{
	struct pair	*below = pairs_at(p, x->below), *above = pairs_at(p, x->above);

	if (above != NULL)
		above->below = x->below;
	else
		*top = x->below;
	if (below != NULL)
		below->above = x->above;
	x->nests = false;
}

void
pairs_unnest(struct pairs *p, unsigned space, uint32_t thread, void *record,
    enum pairs_above how)
{
	struct pair	*x = record, *below;
	uint32_t	*top = groups_find(p->open[space], thread, 0);

	if (!x->nests || top == NULL)
		return;
	while (how != ABOVE_STAYS && *top != x->number) {
		struct pair	*above = pairs_at(p, *top);

		nest_remove(p, top, above);
		above->left = how == ABOVE_IS_LEFT;
	}
	nest_remove(p, top, x);
	below = pairs_at(p, x->below);
	if (below != NULL)
		below->nested = add_i64(below->nested, sub_i64(x->stop, x->start));
}

void *
pairs_top(struct pairs *p, unsigned space, uint32_t thread)
{
	return pairs_latest(p, space, pair_key(thread, 0));
}

/* ---- rows */

uint64_t
pairs_beyond(const struct pairs *p, unsigned space)
{
	return groups_beyond(p->open[space]);
}

uint64_t
pairs_dropped(const struct pairs *p)
{
	return p->dropped;
}

void
pairs_remark(const struct pairs *p, struct rows *r)
{
	rows_remark(r, p->dropped, EVENTS_DROPPED);
}

int64_t
pair_dur(const struct pair *p)
{
	return pair_is_paired(p) ? sub_i64(p->stop, p->start) : 0;
}

int64_t
pair_self(const struct pair *p)
{
	return pair_is_paired(p) ? sub_i64(pair_dur(p), p->nested) : 0;
}

const char *
pair_state(const struct pair *p)
{
	if (pair_is_paired(p))
		return "paired";
	if (!p->has_start)
		return "orphan";
	return p->left ? "left" : "open";
}

/* Events that were lost may explain what is missing: after a start, or before a stop. */
static void
put_gap(struct rows *r, const struct report_run *run, const struct pair_columns *c,
    const struct pair *p)
{
	struct loss_query	a = { .thread = c->any_thread ? EVENT_NONE : p->thread,
				    .has_from = p->has_start, .from = p->start,
				    .has_to = p->has_stop, .to = p->stop, .last = !p->has_start };

	if (c->gap != 0 && (c->doubt ? p->has_start : !pair_is_paired(p)))
		report_gap(run, r, c->gap, &a);
}

void
row_pair(struct rows *r, const struct report_run *run, const struct pair_columns *c,
    const struct pair *p)
{
	row_known(r, c->start, p->has_start, cell_time(p->start));
	if (c->dur != 0)
		row_known(r, c->dur, pair_is_paired(p), cell_dur(pair_dur(p)));
	if (c->self != 0)
		row_known(r, c->self, pair_is_paired(p), cell_dur(pair_self(p)));
	row_put(r, c->tid, report_tid(run, p->has_start || c->stop_tid == 0 ? p->thread :
	    EVENT_NONE));
	if (c->stop_tid != 0)
		row_put(r, c->stop_tid, report_tid(run, p->stop_thread));
	row_put(r, c->row, cell_u64(p->row));
	if (c->state != 0)
		row_str(r, c->state, pair_state(p));
	put_gap(r, run, c, p);
	row_event(r, p->ts, p->off);
}

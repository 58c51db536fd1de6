/*
 * Stops without an activity id of their own. A start within a span of its own name, of an activity
 * that isn't recursive, makes the runtime forget the outer one. At the outer stop it then writes
 * the id of what is around both, which the start has as its related id; or none.
 *
 *	thread 12	start A	 start B  stop B  stop -	A: by its thread, as only A fits
 *	thread 13	start C	 start D  start E  stop E  stop -  stop -	C or D: none
 *
 * A start fits if no stop has its id, it is of the name and the thread, and has the stop's id, if
 * there is one, as its related id. If a lost event can be the other end of either, they aren't
 * paired. All ends must be known for that. Of a stop that isn't paired the state says whether a
 * start of its name is left that may be its. Once C and D have had as many stops as they are, they
 * are over, and no later stop is compared with them.
 *
 * Invariant: a start that has a stop of its own is not given another.
 */
#include "analysis/spans/strays.h"

#include <string.h>

#include "analysis/spans/states.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NONE		UINT32_MAX
#define FIT_MOST	64u		/* starts that are looked at; of more none fits */

/* Starts of one name and thread: those before the stop at hand are in a list. */
struct stray_group {
	uint64_t	head;
	uint32_t	thread;
	size_t		from, n, seen;
	uint32_t	first, last, open;	/* open: how many are in the list */
	uint32_t	owned;			/* stops that any start of the list may own */
};

/* A stop that was paired: its record is given up. */
struct stray_pair {
	uint64_t	stop, start;
};

struct strays {
	struct spans		*s;
	const struct scratch	*stop;
	struct stray_start	*v;
	struct stray_group	*group;
	struct stray_pair	*pair;
	size_t			 n, ngroups, npairs;
};

static int
by_place(uint64_t head, uint32_t thread, uint64_t head2, uint32_t thread2)
{
	if (head != head2)
		return head < head2 ? -1 : 1;
	return thread < thread2 ? -1 : thread > thread2;
}

SORT_ORDER(by_start, struct stray_start, RISING(head) RISING(thread) RISING(span))

static void
groups_make(struct strays *y)
{
	struct stray_group	*g = NULL;

	for (size_t i = 0; i < y->n; i++) {
		const struct stray_start	*v = &y->v[i];

		if (g == NULL || g->head != v->head || g->thread != v->thread) {
			g = &y->group[y->ngroups++];
			*g = (struct stray_group){ .head = v->head, .thread = v->thread, .from = i,
			    .first = NONE, .last = NONE };
		}
		g->n++;
	}
}

/* The first group at this place or behind it: its number, or that of groups. */
static size_t
group_from(const struct strays *y, uint64_t head, uint32_t thread)
{
	size_t	at = 0;

	BISECT(at, y->ngroups, i,
	    by_place(y->group[i].head, y->group[i].thread, head, thread) < 0);
	return at;
}

/* Its list has all starts before the stop. */
static void
group_reach(struct strays *y, struct stray_group *g, uint64_t stop)
{
	for (; g->seen < g->n && y->v[g->from + g->seen].span < stop; g->seen++) {
		uint32_t	i = (uint32_t)(g->from + g->seen);

		y->v[i].next = NONE;
		if (g->last != NONE)
			y->v[g->last].next = i;
		else
			g->first = i;
		g->last = i;
		g->open++;
	}
}

static void
group_remove(struct strays *y, struct stray_group *g, uint32_t i)
{
	uint32_t	before = NONE;

	for (uint32_t k = g->first; k != i; k = y->v[k].next)
		before = k;
	if (before == NONE)
		g->first = y->v[i].next;
	else
		y->v[before].next = y->v[i].next;
	if (g->last == i)
		g->last = before;
	g->open--;
}

/* All starts of its list are over, though none of them is known to belong to a certain stop. */
static void
group_clear(struct stray_group *g)
{
	g->first = g->last = NONE;
	g->open = g->owned = 0;
}

/* How many fit; *only is one of them. */
static unsigned
count_fitting(struct strays *y, const struct stray_group *g, const struct stray_stop *stop,
    uint32_t *only)
{
	unsigned	n = 0;

	if (g->open > FIT_MOST)
		return FIT_MOST;
	for (uint32_t i = g->first; i != NONE; i = y->v[i].next) {
		const struct around_id	*a = &y->v[i].around;

		if (stop->around.has &&
		    !(a->has && memcmp(stop->around.id, a->id, sizeof a->id) == 0))
			continue;
		*only = i;
		n++;
	}
	return n;
}

/* No lost event can be its stop. */
static bool
is_open(const struct spans *s, uint64_t span)
{
	struct span_record	r = *spans_at(s, span);

	record_leave(s, &r);
	return r.state == SPAN_OPEN;
}

static void
end_start(struct strays *y, uint32_t i, uint64_t stop)
{
	struct span_record	*end = scratch_at(y->s->record, stop);
	struct span_record	*r = scratch_at(y->s->record, y->v[i].span);

	y->v[i].ended = true;
	record_stop(y->s, r, &(struct span_mark){ .row = end->stop_row, .ts = end->stop,
	    .thread = end->stop_thread, .by_thread = true });
	r->flags |= SPAN_BY_START;
	end->state = SPAN_GONE;
	y->pair[y->npairs++] = (struct stray_pair){ .stop = stop, .start = y->v[i].span };
}

static void
stop_one(struct strays *y, const struct stray_stop *stop, struct span_record *r)
{
	size_t			 at = group_from(y, stop->head, r->stop_thread);
	struct stray_group	*g = &y->group[at];
	uint32_t		 only = NONE;
	unsigned		 n;

	if (at == y->ngroups || r->stop_thread == EVENT_NONE ||
	    g->head != stop->head || g->thread != r->stop_thread)
		return;
	group_reach(y, g, stop->span);
	n = count_fitting(y, g, stop, &only);
	if (n == 1 && is_open(y->s, y->v[only].span)) {
		group_remove(y, g, only);
		end_start(y, only, stop->span);
	} else if (n > 0) {
		r->state = SPAN_ORPHAN_WITHOUT_ID;
		g->owned += n > 1 && n == g->open;
	}
	if (g->owned > 0 && g->owned >= g->open)
		group_clear(g);
}

/* ---- what is left */

/* Keep the oldest start of each name that is left, where the groups were. */
static void
keep_oldest(struct strays *y)
{
	struct stray_group	*last = NULL;

	y->ngroups = 0;
	for (size_t i = 0; i < y->n; i++) {
		const struct stray_start	*v = &y->v[i];

		if (v->ended)
			continue;
		if (last == NULL || last->head != v->head) {
			last = &y->group[y->ngroups++];
			*last = (struct stray_group){ .head = v->head, .from = (size_t)v->span };
		}
		last->from = v->span < last->from ? (size_t)v->span : last->from;
	}
}

/* A stop without any id: the start may be on another thread. */
static void
tell_apart(struct strays *y, const struct stray_stop *stop, struct span_record *r)
{
	size_t	i = group_from(y, stop->head, 0);

	if (!stop->around.has && i < y->ngroups && y->group[i].head == stop->head &&
	    y->group[i].from < stop->span)
		r->state = SPAN_ORPHAN_WITHOUT_ID;
}

/* Those whose start can't be a lost event. */
static void
each_stray(struct strays *y,
    void (*fn)(struct strays *, const struct stray_stop *, struct span_record *))
{
	uint64_t	first = scratch_first(y->s->record), count = scratch_n(y->stop);

	for (uint64_t i = 0; i < count; i++) {
		const struct stray_stop	*stop = scratch_at(y->stop, i);
		struct span_record	*r;

		if (stop->span < first)
			continue;
		r = scratch_at(y->s->record, stop->span);
		if (r->state == SPAN_ORPHAN)
			fn(y, stop, r);
	}
}

/* How many of the pairs have a stop before this one. */
static size_t
pairs_before(const struct strays *y, uint64_t stop)
{
	size_t	at = 0;

	BISECT(at, y->npairs, i, y->pair[i].stop < stop);
	return at;
}

/* Close up the records that are left. */
static void
records_pack(struct strays *y)
{
	struct scratch	*record = y->s->record;
	uint64_t	 count = scratch_n(record), to = y->pair[0].stop;

	for (uint64_t i = to; i < count; i++)
		if (spans_at(y->s, i)->state != SPAN_GONE)
			*(struct span_record *)scratch_at(record, to++) = *spans_at(y->s, i);
	scratch_cut(record, to);
}

/* Stops refer to the new numbers, those that were paired to their starts. */
static void
stops_renumber(struct strays *y)
{
	uint64_t	count = scratch_n(y->s->stop);

	for (uint64_t i = 0; i < count; i++) {
		struct span_stop	*st = scratch_at(y->s->stop, i);
		size_t			 k = pairs_before(y, st->span);

		if (k < y->npairs && y->pair[k].stop == st->span) {
			st->span = y->pair[k].start;
			k = pairs_before(y, st->span);
		}
		st->span -= k;
	}
}

void
strays_end(struct spans *s, struct stray_start *v, size_t n, const struct scratch *stop)
{
	struct strays	y = { .s = s, .stop = stop, .v = v, .n = n };

	y.group = mem_zalloc(n + 1, sizeof *y.group);
	y.pair = mem_zalloc(n + 1, sizeof *y.pair);
	sort_array(v, n, sizeof *v, by_start);
	groups_make(&y);
	each_stray(&y, stop_one);
	keep_oldest(&y);
	each_stray(&y, tell_apart);
	/* Where only sums are needed, nobody refers to a record by its number. */
	if (y.npairs > 0 && s->stream == NULL) {
		records_pack(&y);
		stops_renumber(&y);
	}
	mem_free(y.group);
	mem_free(y.pair);
}

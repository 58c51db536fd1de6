/*
 * The time from the previous event of the same thread, for each event of a stretch.
 *
 *	stretch		before: 7 at 15		rows: 7 at 21, 8 at 22, 7 at 22
 *	ns					6      none     1
 *
 * A reader keeps the deltas of one stretch, because a walk in time order reads one event after
 * another.
 *
 * Invariant: the kept rows are those of the trace. The ends of the stretch are checked again
 * whenever the trace may have changed.
 */
#include "engine/field/delta.h"

#include "engine/field/reader.h"
#include "engine/stretches.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define NO_DELTA	INT64_MIN

/* The time of a thread's last event, valid while `load` is that of the memo. */
struct last_time {
	int64_t		ns;
	uint32_t	load;
};

struct delta_memo {
	uint64_t	 row0;
	uint32_t	 n;
	int64_t		*ns;		/* by row */
	size_t		 cap;
	struct last_time *last;		/* by thread */
	size_t		 nlast;
	uint32_t	 loads;
	uint64_t	 at;		/* 1 + trace_generation() of the last check */
};

void
delta_memo_free(struct delta_memo *m)
{
	if (m == NULL)
		return;
	mem_free(m->ns);
	mem_free(m->last);
	mem_free(m);
}

/* ---- loading */

static bool
is_at(struct trace *t, uint64_t row, const struct order_key *p)
{
	struct event	e;

	return trace_event(t, row, &e) == 1 && e.ts == p->ts && e.off == p->off;
}

/* Are the rows of the stretch still the same? Events are only added to a trace, never removed. */
static bool
is_in_place(struct trace *t, const struct stretch *s)
{
	return is_at(t, s->row0, &s->first) && is_at(t, s->row0 + s->n - 1, &s->last);
}

static void
set_last(struct delta_memo *m, uint32_t thread, int64_t ns)
{
	m->last = array_reach(m->last, &m->nlast, thread, sizeof *m->last);
	m->last[thread] = (struct last_time){ ns, m->loads };
}

static int64_t
delta_to(struct delta_memo *m, const struct event *e, int64_t now)
{
	int64_t	ns = NO_DELTA;

	if (e->thread == EVENT_NONE)
		return NO_DELTA;
	if (e->thread < m->nlast && m->last[e->thread].load == m->loads &&
	    (__builtin_sub_overflow(now, m->last[e->thread].ns, &ns) || ns == NO_DELTA))
		ns = INT64_MAX;
	set_last(m, e->thread, now);
	return ns;
}

static void
load_rows(struct delta_memo *m, struct trace *t)
{
	uint64_t	end = m->row0 + m->n;

	for (uint64_t row = m->row0; row < end; ) {
		const struct slice_view	*v;
		int			 r = trace_view_walk(t, &row, &v);

		if (r == 0)
			break;
		if (r < 0)
			continue;
		for (; row < end && row - v->row0 < v->n; row++) {
			const struct event	*e = &v->ev[row - v->row0];

			m->ns[row - m->row0] = delta_to(m, e, trace_ns(t, e->ts));
		}
		trace_view_put(t, v);
	}
}

static void
load(struct delta_memo *m, struct trace *t, const struct deltas *d, const struct stretch *s)
{
	m->row0 = s->row0;
	m->n = s->n;
	m->loads++;
	m->ns = mem_grow(m->ns, &m->cap, s->n, sizeof *m->ns);
	for (uint32_t i = 0; i < s->n; i++)
		m->ns[i] = NO_DELTA;
	for (uint32_t i = 0; i < s->nbefore; i++)
		set_last(m, d->before[s->before + i].thread,
		    trace_ns(t, d->before[s->before + i].ts));
	load_rows(m, t);
}

/* ---- reading */

static bool
is_kept(const struct delta_memo *m, uint64_t row)
{
	return m->n > 0 && row >= m->row0 && row - m->row0 < m->n;
}

/* Load the stretch of the row if it is not kept. False: the row has no stretch. */
static bool
look(struct delta_memo *m, struct trace *t, uint64_t row)
{
	const struct deltas	*d = trace_lent(t, DERIVED_DELTAS);
	const struct stretch	*s = d != NULL ? deltas_stretch(d, row) : NULL;
	uint64_t		 now = trace_generation(t) + 1;
	bool			 kept = is_kept(m, row) && s != NULL && s->row0 == m->row0;

	if (s == NULL || !is_in_place(t, s)) {
		m->n = 0;
		return false;
	}
	/* New deltas have the same stretches, but the last one may have grown. */
	if (!kept || m->n != s->n || m->at == 0)
		load(m, t, d, s);
	m->at = now;
	return true;
}

bool
reader_delta(struct field_reader *r, const struct event *e, uint64_t row, int64_t *ns)
{
	struct delta_memo	*m = r->delta;

	if (trace_lent(r->t, DERIVED_DELTAS) == NULL ||
	    (row == ROW_UNKNOWN && trace_row_of(r->t, e->ts, e->off, &row) <= 0))
		return false;
	if (m == NULL)
		m = r->delta = mem_zalloc(1, sizeof *m);
	if ((!is_kept(m, row) || m->at != trace_generation(r->t) + 1) && !look(m, r->t, row))
		return false;
	*ns = m->ns[row - m->row0];
	return *ns != NO_DELTA;
}

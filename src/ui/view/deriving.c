/*
 * Derived facts in the background, in groups: the facts of a group are made by one task, one after
 * the other.
 *
 *	group		 begins
 *	who, symbols	 always, when no data arrives		-> later: comms, which takes longer
 *	spans, activities  needed, index complete or followed
 *	deltas		 needed, likewise
 *
 *	due -> task: derive_make() -> user's thread: derive_lend() -> more events: due again
 *	Esc while nothing of the group is made yet -> dropped; begun again at the next request
 *
 * A followed trace is read again at the pace of task.h, by the number of events that say something
 * about the facts. Earlier facts stay, since others may be reading them; while they take much
 * memory, only a quarter more events or the end of the trace is worth another reading.
 *
 * Invariant: only the user's thread lends. What was lent lives until deriving_release().
 */
#include "ui/view/deriving.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define AT_ONCE		4096u	/* rows that are read quickly for names, without a thread */
#define SPARE_BYTES	(64u << 20)	/* limit of memory for replaced facts of a group */

static const struct derived_group {
	unsigned	kinds, later;
	bool		always;		/* nobody has to need them, and Esc does not stop them */
} groups[DERIVED_GROUPS] = {		/* that of names is the first */
	{ .kinds = NEEDS_SYMBOLS | NEEDS_WHO, .later = NEEDS_COMMS, .always = true },
	{ .kinds = NEEDS_SPANS | NEEDS_ACTIVITIES },
	{ .kinds = NEEDS_DELTAS },
};

void
deriving_init(struct deriving *d, struct view *v)
{
	d->v = v;
	for (size_t i = 0; i < DERIVED_GROUPS; i++) {
		d->making[i].of = &groups[i];
		d->making[i].d = d;
		d->making[i].needed = groups[i].always;
	}
}

void
deriving_set_files(struct deriving *d, const struct symbols_files *f)
{
	d->files = f != NULL ? *f : (struct symbols_files){ .perf_map = NULL };
}

void
deriving_set_other(struct deriving *d, bool meanwhile, struct trace *t)
{
	if (meanwhile)
		d->loads = t;
	else
		d->earlier = t;
	d->anew = true;
}

void
deriving_need(struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < DERIVED_GROUPS; i++)
		if ((needs & groups[i].kinds) != 0)
			d->making[i].needed = true;
}

/* ---- the task */

static void
make(void *arg)
{
	struct derivation		*m = arg;
	const struct derive_options	 o = { .pass.tick = task_tick,
					    .pass.tick_arg = &m->task,
					    .files = m->d->files, .why = &m->d->why };
	struct pass_result		 result;

	m->good = true;
	for (unsigned k = 0; k < DERIVEDS && m->good; k++) {
		if ((m->kinds & NEEDS(k)) == 0)
			continue;
		m->good = derive_make(k, &m->made.of[k], &m->made, m->d->v->t, &o,
		    &result) == ERR_OK;
		m->task.step++;
	}
}

/* Start the task for those kinds of a set that the trace has. */
static void
start(struct derivation *m, unsigned kinds)
{
	m->kinds = m->task.steps = 0;
	for (unsigned k = 0; k < DERIVEDS; k++) {
		if ((kinds & NEEDS(k)) == 0 || !derive_any(k, m->d->v->t, &m->d->files))
			continue;
		m->kinds |= NEEDS(k);
		m->task.steps++;
	}
	if (m->kinds != 0)
		task_start(&m->task, m->of->always && m->rows <= AT_ONCE ? TASK_HERE :
		    TASK_BEHIND, make, m);
}

/* ---- when */

/* Rows of all traces that are read. */
static uint64_t
rows_of(const struct deriving *d)
{
	return trace_rows(d->v->t) + (d->loads != NULL ? trace_rows(d->loads) : 0);
}

static uint64_t
events_of(const struct derivation *m)
{
	uint64_t	n = 0;

	for (unsigned k = 0; k < DERIVEDS; k++)
		if ((m->of->kinds & NEEDS(k)) != 0)
			n += derive_events(k, m->d->v->t);
	if ((m->of->kinds & NEEDS_SYMBOLS) != 0 && m->d->loads != NULL)
		n += derive_events(DERIVED_SYMBOLS, m->d->loads);
	return n;
}

static bool
is_anew(const struct derivation *m)
{
	return m->d->anew && (m->of->kinds & NEEDS_SYMBOLS) != 0;
}

/* Are there events that were not read for it? */
static bool
is_stale(const struct derivation *m)
{
	const struct view	*v = m->d->v;

	if (!m->needed || (v->stopped && !m->complete && !m->of->always))
		return false;
	if (is_anew(m) || (v->complete && !m->whole))
		return true;
	return rows_of(m->d) > m->rows && events_of(m) > m->pace.n;
}

static bool
is_due(const struct derivation *m)
{
	const struct view	*v = m->d->v;
	bool			 ready = v->complete || (m->of->always ? v->rests : v->following);

	if (!ready || !is_stale(m))
		return false;
	return v->complete || is_anew(m) || pace_grown(&m->pace, events_of(m)) ||
	    (m->spare < SPARE_BYTES && pace_rested(&m->pace, job_now_ns()));
}

static void
begin(struct derivation *m)
{
	struct deriving	*d = m->d;

	m->whole = d->v->complete;
	m->rows = rows_of(d);
	pace_begin(&m->pace, events_of(m), job_now_ns());
	if (is_anew(m)) {
		d->files.earlier = d->earlier;
		d->files.loads = d->loads;
		d->anew = false;
	}
	if ((m->of->kinds & NEEDS_SYMBOLS) != 0)
		buf_clear(&d->why);
	start(m, m->of->kinds);
}

/* ---- what was made */

/* Lend it, and keep it. */
static unsigned
take(struct derivation *m)
{
	struct deriving	*d = m->d;
	unsigned	 gives = 0;

	for (unsigned k = 0; k < DERIVEDS; k++) {
		void	*made = m->made.of[k];

		if (made == NULL)
			continue;
		m->spare += derive_bytes(k, d->now.of[k]);
		ARRAY_ADD(d->all, d->n, d->cap, (struct lent_fact){ k, made });
		d->now.of[k] = made;
		derive_lend(k, made, d->v->t);
		gives |= derive_gives(k);
		m->made.of[k] = NULL;
	}
	m->complete = true;
	return gives;
}

static unsigned
making_step(struct derivation *m)
{
	unsigned	gives;

	if (m->d->v->stopped && !m->complete && !m->of->always)
		atomic_store(&m->task.stop, true);
	if (!m->task.runs && is_due(m))
		begin(m);
	if (!task_take(&m->task))
		return 0;
	pace_end(&m->pace, job_now_ns());
	if (atomic_load(&m->task.stop))		/* maybe too late: all was made */
		m->good = m->whole = false;
	if (!m->good) {
		derive_drop(&m->made, NULL);
		return 0;
	}
	gives = take(m);
	if ((m->kinds & m->of->later) == 0)
		start(m, m->of->later);
	return gives;
}

unsigned
deriving_step(struct deriving *d)
{
	unsigned	gives = 0;

	for (size_t i = 0; i < DERIVED_GROUPS; i++)
		gives |= making_step(&d->making[i]);
	return gives;
}

const char *
deriving_why(struct deriving *d)
{
	const struct derivation	*m = &d->making[0];

	if (d->reason_shown || d->why.len == 0 || (m->task.runs && (m->kinds & NEEDS_SYMBOLS) != 0))
		return NULL;
	d->reason_shown = true;
	return buf_str(&d->why);
}

/* ---- about groups */

static bool
is_about(const struct derivation *m, unsigned needs)
{
	return (m->of->kinds & needs) != 0;
}

static bool
is_busy(const struct derivation *m)
{
	return m->task.runs ? (m->kinds & m->of->kinds) != 0 : is_due(m);
}

void
deriving_wait(struct deriving *d, unsigned needs, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	for (size_t i = 0; i < DERIVED_GROUPS; i++)
		if (is_about(&d->making[i], needs))
			(void)task_wait(&d->making[i].task, until - job_now_ns());
}

struct derived_state
deriving_state(const struct deriving *d, unsigned needs)
{
	struct derived_state	s = { .made = true };

	for (size_t i = 0; i < DERIVED_GROUPS; i++) {
		const struct derivation	*m = &d->making[i];
		bool			 busy;

		if (!is_about(m, needs))
			continue;
		busy = is_busy(m);
		if (busy && !s.busy)
			s.percent = task_percent(&m->task);
		s.busy |= busy;
		s.made &= m->complete;
		s.first |= busy && !m->complete;
	}
	return s;
}

bool
deriving_behind(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < DERIVED_GROUPS; i++) {
		const struct derivation	*m = &d->making[i];

		if (is_about(m, needs) && (m->task.runs || is_stale(m)))
			return true;
	}
	return false;
}

void
deriving_release(struct deriving *d)
{
	for (size_t i = 0; i < DERIVED_GROUPS; i++) {
		task_release(&d->making[i].task);
		derive_drop(&d->making[i].made, NULL);
	}
	for (unsigned k = 0; k < DERIVEDS; k++)
		derive_lend(k, NULL, d->v->t);
	while (d->n-- > 0)
		derive_free(d->all[d->n].kind, d->all[d->n].made);
	mem_free(d->all);
	buf_release(&d->why);
}

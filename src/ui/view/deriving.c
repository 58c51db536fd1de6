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
 * Invariant: only the user's thread lends. What was lent lives until deriving_free().
 */
#include "ui/view/deriving.h"

#include <string.h>

#include "tnav/analysis/derive.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/task.h"
#include "ui/view/view.h"

#define AT_ONCE		4096u	/* rows that are read quickly for names, without a thread */
#define SPARE_BYTES	(64u << 20)	/* limit of memory for replaced facts of a group */

static const struct group {
	unsigned	kinds, later;
	bool		always;		/* nobody has to need them, and Esc does not stop them */
} groups[] = {				/* that of names is the first */
	{ .kinds = NEEDS_SYMBOLS | NEEDS_WHO, .later = NEEDS_COMMS, .always = true },
	{ .kinds = NEEDS_SPANS | NEEDS_ACTIVITIES },
	{ .kinds = NEEDS_DELTAS },
};

#define GROUPS	(sizeof groups / sizeof *groups)

/* A group. */
struct derivation {
	const struct group	*of;
	struct deriving		*d;
	bool			 needed, complete;
	bool			 whole;		/* the index was complete when it was last begun */
	struct task		 task;
	unsigned		 kinds;		/* that the task makes */
	struct derived_facts	 made;		/* by the task */
	bool			 good;		/* ... all of them */
	uint64_t		 rows;		/* when it was last seen to be up to date */
	struct pace		 pace;		/* by derive_events() */
	uint64_t		 spare;		/* bytes of replaced facts */
};

/* A fact that was lent. */
struct lent {
	enum derived	 kind;
	void		*made;
};

struct deriving {
	struct view		*v;
	struct trace		*t;
	struct derivation	 making[GROUPS];
	struct derived_facts	 now;
	struct lent		*all;		/* also those that were replaced */
	size_t			 n, cap;
	struct symbols_files	 files;
	struct trace		*earlier, *loads;	/* added to files at the next reading */
	bool			 anew;		/* ... which is soon, since they are new */
	struct buf		 why;		/* problems with files; the task's while it runs */
	bool			 reason_shown;
};

struct deriving *
deriving_new(struct view *v)
{
	struct deriving	*d = mem_zalloc(1, sizeof *d);

	d->v = v;
	d->t = v->t;
	for (size_t i = 0; i < GROUPS; i++) {
		d->making[i].of = &groups[i];
		d->making[i].d = d;
		d->making[i].needed = groups[i].always;
	}
	return d;
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
	for (size_t i = 0; i < GROUPS; i++)
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
		m->good = derive_make(k, &m->made.of[k], &m->made, m->d->t, &o, &result) == ERR_OK;
		m->task.step++;
	}
}

/* Start the task for those kinds of a set that the trace has. */
static void
start(struct derivation *m, unsigned kinds)
{
	m->kinds = m->task.steps = 0;
	for (unsigned k = 0; k < DERIVEDS; k++) {
		if ((kinds & NEEDS(k)) == 0 || !derive_any(k, m->d->t, &m->d->files))
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
	return trace_rows(d->t) + (d->loads != NULL ? trace_rows(d->loads) : 0);
}

static uint64_t
events_of(const struct derivation *m)
{
	uint64_t	n = 0;

	for (unsigned k = 0; k < DERIVEDS; k++)
		if ((m->of->kinds & NEEDS(k)) != 0)
			n += derive_events(k, m->d->t);
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
		ARRAY_ADD(d->all, d->n, d->cap, (struct lent){ k, made });
		d->now.of[k] = made;
		derive_lend(k, made, d->t);
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

	for (size_t i = 0; i < GROUPS; i++)
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

void *
deriving_get(const struct deriving *d, enum derived kind)
{
	return d->now.of[kind];
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

bool
deriving_has(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < GROUPS; i++)
		if (is_about(&d->making[i], needs) && !d->making[i].complete)
			return false;
	return true;
}

void
deriving_wait(struct deriving *d, unsigned needs, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	for (size_t i = 0; i < GROUPS; i++)
		if (is_about(&d->making[i], needs))
			(void)task_wait(&d->making[i].task, until - job_now_ns());
}

bool
deriving_busy(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < GROUPS; i++)
		if (is_about(&d->making[i], needs) && is_busy(&d->making[i]))
			return true;
	return false;
}

bool
deriving_first(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < GROUPS; i++) {
		const struct derivation	*m = &d->making[i];

		if (is_about(m, needs) && !m->complete && is_busy(m))
			return true;
	}
	return false;
}

bool
deriving_behind(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < GROUPS; i++) {
		const struct derivation	*m = &d->making[i];

		if (is_about(m, needs) && (m->task.runs || is_stale(m)))
			return true;
	}
	return false;
}

unsigned
deriving_percent(const struct deriving *d, unsigned needs)
{
	for (size_t i = 0; i < GROUPS; i++)
		if (is_about(&d->making[i], needs) && is_busy(&d->making[i]))
			return task_percent(&d->making[i].task);
	return 0;
}

void
deriving_free(struct deriving *d)
{
	for (size_t i = 0; i < GROUPS; i++) {
		task_release(&d->making[i].task);
		derive_drop(&d->making[i].made, NULL);
	}
	for (unsigned k = 0; k < DERIVEDS; k++)
		derive_lend(k, NULL, d->t);
	while (d->n-- > 0)
		derive_free(d->all[d->n].kind, d->all[d->n].made);
	mem_free(d->all);
	buf_release(&d->why);
	mem_free(d);
}

/*
 * The doctor: examines, leaves out what is explained, ranks.
 *
 *	deadlock	yes, explains lock-convoy	1
 *	lock-convoy	(explained)
 *	cpu-bound	yes, a load			2
 *
 * Invariant: the order depends on the trace alone: obstacles before loads, then by the share of the
 * time that they explain, then as in the table.
 */
#include "analysis/diagnoses/doctor.h"

#include <assert.h>

#include "tnav/base/mem.h"

#define DIAGNOSES	32u		/* at most */

struct doctor {
	const struct report_run	*run;
	struct signs		 signs;
	struct diagnosis	 v[DIAGNOSES];
	size_t			 n;
	bool			 too_short;	/* nothing was examined */
	bool			 any;		/* the trace has events of .NET programs */
	bool			 samples, collections, ticks, counters;
};

struct doctor *
doctor_new(const struct report_run *run)
{
	struct doctor	*d = mem_zalloc(1, sizeof *d);

	d->run = run;
	signs_init(&d->signs, run);
	return d;
}

static void
diagnosis_release(struct diagnosis *d)
{
	buf_release(&d->cause);
	buf_release(&d->text);
	buf_release(&d->command);
	buf_release(&d->filter);
}

void
doctor_free(struct doctor *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->n; i++)
		diagnosis_release(&d->v[i]);
	signs_release(&d->signs);
	mem_free(d);
}

struct fact_reader
doctor_reader(struct doctor *d)
{
	return (struct fact_reader){ .def = signs_facts, .add = signs_add, .self = &d->signs };
}

size_t
doctor_n(const struct doctor *d)
{
	return d->n;
}

const struct diagnosis *
doctor_diagnosis(const struct doctor *d, size_t i)
{
	return &d->v[i];
}

/* ---- examining */

/* What makes numbers uncertain, as a sentence; or NULL. */
static const char *
uncertain(const struct exam *e)
{
	struct loss	loss;
	uint64_t	off;

	trace_loss(e->run->home, &loss);
	if (loss.lost > 0)
		return " Events were lost: numbers are lower bounds.";
	if (trace_cut(e->run->home, &off))
		return " The end of the trace is missing, and names with it.";
	if (diag_damaged(trace_diag(e->run->home)))
		return " The trace is damaged: numbers are lower bounds.";
	return NULL;
}

static bool
examine_one(const struct exam *e, const struct diagnosis_def *def, struct diagnosis *d)
{
	*d = (struct diagnosis){ .def = def, .since = e->first, .until = e->last };
	if (!def->examine(e, d)) {
		diagnosis_release(d);
		return false;
	}
	if (d->report == NULL)
		evidence_report(d, def->report, def->by);
	d->share = d->share > 1 ? 1 : d->share < 0 ? 0 : d->share;
	if (uncertain(e) != NULL) {
		buf_puts(&d->text, uncertain(e));
		d->certainty = d->certainty == CERTAIN ? LIKELY : POSSIBLE;
	}
	return true;
}

static bool
comes_before(const struct diagnosis *a, const struct diagnosis *b)
{
	if (a->def->load != b->def->load)
		return b->def->load;
	return a->share > b->share;
}

/* Keep it in order; those that were there go first among equals. */
static void
keep(struct doctor *d, const struct diagnosis *x)
{
	size_t	at = d->n++;

	for (; at > 0 && comes_before(x, &d->v[at - 1]); at--)
		d->v[at] = d->v[at - 1];
	d->v[at] = *x;
}

/* Does an illness that was found explain it? */
static bool
is_explained(const bool *ill, const char *id)
{
	for (size_t i = 0; i < diagnosis_ndefs; i++)
		if (ill[i] && exam_names(diagnosis_defs[i].explains, id))
			return true;
	return false;
}

/* Is the report one of events that only .NET programs write, and are there any? */
static bool
is_of_program(const struct doctor *d, const struct report_work *w)
{
	const struct fact_def	*f = w->report->fact;

	if (f == NULL || f->provider == NULL || facts_count(f, d->run->home) == 0)
		return false;
	for (; f->provider != NULL; f++)
		if (span_begins(span_of(f->provider), "Universal."))
			return false;
	return true;
}

void
doctor_examine(struct doctor *d, const struct report_work *part, unsigned nparts)
{
	struct diagnosis	 v[DIAGNOSES];
	struct exam		 e;
	struct table		*counters;
	bool			 ill[DIAGNOSES];

	d->too_short = !exam_init(&e, d->run, &d->signs, part, nparts);
	if (d->too_short) {
		exam_release(&e);
		return;
	}
	d->samples = d->any = e.wall.rounds > 0;
	for (unsigned i = 0; i < nparts; i++)
		d->any |= is_of_program(d, &part[i]);
	d->ticks = d->signs.ticks_n > 0;
	/* Ticks are of the same keyword, at a higher level: then there were none. */
	d->collections = d->signs.stopping.n > 0 || e.pauses.n > 0 || d->ticks;
	counters = exam_rows(&e, "counters", "series");
	d->counters = counters != NULL;
	table_free(counters);
	assert(diagnosis_ndefs <= DIAGNOSES);
	for (size_t i = 0; i < diagnosis_ndefs; i++)
		ill[i] = examine_one(&e, &diagnosis_defs[i], &v[i]);
	for (size_t i = 0; i < diagnosis_ndefs; i++)
		if (ill[i] && is_explained(ill, diagnosis_defs[i].id))
			diagnosis_release(&v[i]);
		else if (ill[i])
			keep(d, &v[i]);
	exam_release(&e);
}

void
doctor_verdict(const struct doctor *d, struct buf *out)
{
	if (d->n > 0)
		return;
	if (d->too_short)
		buf_puts(out, "Nothing was examined: the events cover less than 0.1 s.");
	else if (!d->any)
		buf_puts(out, "Nothing was examined: there are no events here by which a .NET "
		    "program could be judged. Record it with --profile diagnose.");
	else
		buf_puts(out, "Nothing is wrong, as far as this was recorded.");
}

void
doctor_missing(const struct doctor *d, struct buf *out)
{
	const struct {
		bool		 there;
		const char	*what;
	} need[] = {
		{ d->samples, "what threads do (samples of stacks)" },
		{ d->collections, "garbage collections" },
		{ d->ticks, "allocations" },
		{ d->counters, "counters of the runtime" },
	};
	unsigned	n = 0;

	for (unsigned i = 0; i < sizeof need / sizeof *need; i++) {
		if (need[i].there || !d->any || d->run->filtered)
			continue;
		buf_puts(out, n++ == 0 ? "Not recorded: " : ", ");
		buf_puts(out, need[i].what);
	}
	if (n > 0)
		buf_puts(out, ". Record with --profile diagnose to have them examined.");
}

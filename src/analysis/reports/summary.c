/*
 * One page about a trace: what it is, what stands out in it, and what was not collected.
 *
 *	the other reports, in one pass -> their rows -> rules -> remarks, places where time went
 *	samples, with a pass of its own -> ...
 *
 *	kind	 what                  value                       remark
 *	trace	 process               ./demo gc                   pid 12
 *	remark	 longest pause of GC   4.831 ms                    ... -> the event
 *	time	 running in            Shop.Price()               managedShare 23.4 %, managed 321
 *	report	 Garbage collections   60 collections (...)        paused 33.564 ms, ...
 *	missing	 Lock contention       not in this trace           collect ...
 *
 * A rule examines the rows of one kind of one report. doc/reports.md lists the rules with their
 * thresholds and reasons.
 *
 * Invariant: a remark comes with its number, and with the event or filter that shows it.
 */
#include <string.h>

#include "analysis/calltree/doing.h"
#include "analysis/diagnoses/doctor.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/tables.h"
#include "analysis/reports/totals.h"
#include "tnav/analysis/origin.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/greatest.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"
#include "tnav/engine/head.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/trace.h"

#define PAGE_WIDTH	80u	/* of the diagnoses, where there is no terminal */
#define PROVIDERS_SHOWN	4u
#define LOST_FILTER	"lost > 0"	/* the first event after each gap */

#define PLACES_EACH	3u
#define PLACES_LOOKED	12u	/* at: some are there already, of another report */
#define PLACES_MOST	64u

/* ---- reading */

struct summary {
	const struct report_run	*run;
	struct report_work	 part[FACT_READERS];	/* other reports, whose rows are used */
	uint64_t		 events[FACT_READERS];
	unsigned		 n;
	double			 seconds;
	uint64_t		 remarks, present, missing;
	struct doctor		*doctor;
	struct spans		*spans;
	uint64_t		 place[PLACES_MOST];	/* offsets of events of places */
	size_t			 nplaces;
	struct buf		 value, remark;		/* of the next row: put() uses them up */
};

/* If there are CPU samples, the report cpu is enough: both would read each sample twice. */
static bool
may_read(const struct report_run *run, const struct report *r)
{
	return r->fact != NULL && (!run->o.diagnoses || exam_reads(r->name)) &&
	    (r != &report_samples || facts_count(report_cpu.fact, run->home) == 0);
}

static void
summary_begin(struct report_state *state)
{
	struct summary			*s = state->own;
	const struct report_run		*run = state->run;
	int64_t				 first, last;

	s->run = run;
	s->doctor = doctor_new(run);
	if (report_times(run, &first, &last))
		s->seconds = ((double)last - (double)first) / 1e9;
	for (unsigned i = 0; i < run->nreports && s->n < FACT_READERS; i++) {
		const struct report	*r = run->reports[i];

		if (r == &report_summary)
			continue;
		s->part[s->n].report = r;
		s->events[s->n] = r->fact != NULL ? facts_count(r->fact, run->home) : 0;
		if (s->events[s->n] > 0 && may_read(run, r))
			report_work_begin(&s->part[s->n], r, run);
		s->n++;
	}
}

static void
summary_release(struct report_state *state)
{
	struct summary	*s = state->own;

	for (unsigned i = 0; i < s->n; i++)
		report_work_release(&s->part[i]);
	spans_free(s->spans);
	doctor_free(s->doctor);
	buf_release(&s->value);
	buf_release(&s->remark);
}

static int
collect_spans(struct summary *s, struct pass_result *result)
{
	const struct spans_options	so = { .pass = s->run->o.pass };
	struct pass_result		own = { .lost = false };
	int				err;

	s->spans = spans_new(s->run->t);
	err = spans_build(s->spans, &so, &own);
	result->lost |= own.lost;
	result->costly += own.costly;
	return err;
}

static int
summary_collect(struct report_state *state, struct pass_result *result)
{
	struct summary		*s = state->own;
	struct fact_reader	 doctor = doctor_reader(s->doctor);
	int			 err;

	err = report_works_read(s->run, s->part, s->n, &doctor, result);
	return err == 0 && !s->run->o.diagnoses ? collect_spans(s, result) : err;
}

/* ---- what is wrong */

static void
put_diagnosis(struct rows *r, const struct diagnosis *d, unsigned rank)
{
	static const char *const	certainty[] = { "certain", "likely", "possible" };
	struct buf			text = { 0 }, command = { 0 }, value = { 0 };

	put_number(&value, d->value);
	buf_printf(&text, "%s ", d->def->title);
	buf_span(&text, span_of_buf(&d->text));
	buf_printf(&text, " %s", d->def->why);
	buf_puts(&command, "tnav ");
	buf_span(&command, span_of_buf(&d->command));
	buf_puts(&command, " FILE");
	row_begin(r, "diagnosis");
	row_str(r, SU_ID, d->def->id);
	row_put(r, SU_RANK, cell_u64(rank));
	row_str(r, SU_WHAT, d->def->title);
	row_str(r, SU_CERTAINTY, certainty[d->certainty]);
	row_put(r, SU_SHARE, cell_share(d->share, 1));
	row_put(r, SU_NUMBER, cell_f64(d->value));
	row_text(r, SU_VALUE, span_of_buf(&value));
	row_str(r, SU_UNIT, d->def->unit);
	row_text(r, SU_CAUSE, span_of_buf(&d->cause));
	row_put(r, SU_SINCE, cell_time(d->since));
	row_put(r, SU_UNTIL, cell_time(d->until));
	row_text(r, SU_EVIDENCE, span_of_buf(&command));
	row_text(r, SU_REMARK, span_of_buf(&d->text));
	row_text(r, SU_TEXT, span_of_buf(&text));
	row_str(r, SU_OPENS, d->report);
	if (d->filter.len > 0) {
		buf_clear(&text);
		buf_span(&text, span_of_buf(&d->filter));
		row_filter(r, buf_str(&text));
	}
	buf_release(&value);
	buf_release(&command);
	buf_release(&text);
}

static uint64_t
window_rows(const struct summary *s)
{
	const struct pass_options	*o = &s->run->o.pass;
	uint64_t			 from = run_row_at(s->run, o->has_from ? o->from :
					    INT64_MIN);
	uint64_t			 to = o->has_to ? run_row_at(s->run, o->to) :
					    trace_rows(s->run->home);

	return to > from ? to - from : 0;
}

/* "webapp, 10.2 s, .NET 10.0.12, 2 processors, 136,189 events, none lost" */
static void
put_examined(struct summary *s, struct buf *out)
{
	const struct trace_info	*info = trace_info(s->run->home);
	struct loss		 loss;
	struct origin		 o = { 0 };

	origin_read(&o, s->run->home);
	if (o.command.len > 0) {
		buf_span(out, command_name(span_of_buf(&o.command)));
		buf_puts(out, ", ");
	}
	units_dur_short(out, i64_of(s->seconds * 1e9), s->run->o.ascii);
	if (o.runtime.len > 0) {
		buf_puts(out, ", .NET ");
		buf_span(out, span_of_buf(&o.runtime));
	}
	if (info->processors > 0)
		buf_counts(out, ", # processor{s}", info->processors);
	if (!s->run->filtered)
		buf_counts(out, ", # event{s}", window_rows(s));
	trace_loss(s->run->home, &loss);
	if (loss.lost > 0)
		buf_counts(out, ", # lost", loss.lost);
	else if (trace_has(s->run->home, HAS_NUMBERS))
		buf_puts(out, ", none lost");
	origin_release(&o);
}

/* A cell of what was made in the buffer, which is empty then; null if nothing was. */
static void
put_made(struct rows *r, unsigned col, struct buf *made)
{
	if (made->len > 0)
		row_text(r, col, span_of_buf(made));
	else
		row_null(r, col);
	buf_clear(made);
}

/* The diagnoses, then what could not be examined. */
static void
put_diagnoses(struct summary *s, struct rows *r)
{
	size_t	n;

	doctor_examine(s->doctor, s->part, s->n);
	n = doctor_n(s->doctor);
	for (size_t i = 0; i < n; i++)
		put_diagnosis(r, doctor_diagnosis(s->doctor, i), (unsigned)i + 1);
	row_begin(r, "examined");
	row_str(r, SU_WHAT, "program");
	put_examined(s, &s->value);
	put_made(r, SU_VALUE, &s->value);
	doctor_verdict(s->doctor, &s->value);
	if (s->value.len > 0)
		put_made(r, SU_TEXT, &s->value);
	row_put(r, SU_DIAGNOSES, cell_u64(n));
	doctor_missing(s->doctor, &s->remark);
	put_made(r, SU_REMARK, &s->remark);
}

/* ---- what kind of trace it is */

/* A row with the value and the remark that were made. */
static void
put(struct summary *s, struct rows *r, const char *kind, const char *what)
{
	row_begin(r, kind);
	row_str(r, SU_WHAT, what);
	put_made(r, SU_VALUE, &s->value);
	if (s->remark.len > 0)
		put_made(r, SU_REMARK, &s->remark);
}

static void
put_words(struct summary *s, struct rows *r, const char *kind, const char *what,
    const char *value, const char *remark)
{
	buf_puts(&s->value, value);
	buf_puts(&s->remark, remark);
	put(s, r, kind, what);
}

/* Is the report of a part of the trace? */
static bool
is_partial(const struct summary *s)
{
	return pass_is_bounded(&s->run->o.pass) || s->run->filtered;
}

static void
put_time(struct buf *out, struct trace *t, int64_t ts)
{
	units_secs(out, trace_ns(t, ts), 3);
	buf_puts(out, " s");
}

/* What the rows after those of the trace are about. */
static void
put_window(struct summary *s, struct rows *r)
{
	const struct pass_options	*o = &s->run->o.pass;
	uint32_t			 source = s->run->o.source;
	struct trace			*t = s->run->t;
	int64_t				 from, to;

	if (!trace_range(s->run->home, &from, &to))
		return;
	from = o->has_from ? o->from : trace_source_ts(t, source, from);
	to = o->has_to ? o->to : trace_source_ts(t, source, to) + 1;
	if (s->run->filtered)
		buf_puts(&s->value, "events that the filter matches");
	else
		buf_counts(&s->value, "# event{s}", window_rows(s));
	buf_puts(&s->value, " in ");
	units_dur(&s->value, trace_dur(t, from, to), s->run->o.ascii);
	put_time(&s->remark, t, from);
	buf_puts(&s->remark, " to ");
	put_time(&s->remark, t, to);
	buf_puts(&s->remark, "; remarks, times and reports are about this part");
	put(s, r, "trace", "window");
}

static void
put_trace(struct summary *s, struct rows *r)
{
	struct trace			*t = s->run->home;
	const struct trace_info		*info = trace_info(t);
	int64_t				 first, last, dur = 0;

	buf_counts(&s->value, "# event{s}", trace_rows_kept(t));
	if (trace_range(t, &first, &last)) {
		dur = trace_dur(t, first, last);
		buf_puts(&s->value, " in ");
		units_dur(&s->value, dur, s->run->o.ascii);
	}
	buf_counts(&s->remark, "# thread{s}", trace_threads(t));
	buf_printf(&s->remark, ", %s", info->format);
	if (dur > 0)
		buf_counts(&s->remark, ", # events a second",
		    (uint64_t)((double)trace_rows_kept(t) / (double)dur * 1e9 + 0.5));
	if (info->has_sync_utc) {
		buf_puts(&s->remark, ", started ");
		units_utc(&s->remark, info->sync_utc, 3);
	}
	put(s, r, "trace", is_partial(s) ? "whole trace" : "trace");
}

/* What was made as the remark is the value, under its own name, if there is no other. */
static void
put_first(struct summary *s, struct rows *r, const char *name, const char *other)
{
	bool	has = s->value.len > 0;

	if (!has && s->remark.len == 0)
		return;
	if (!has) {
		buf_span(&s->value, span_of_buf(&s->remark));
		buf_clear(&s->remark);
	}
	put(s, r, "trace", has ? name : other);
}

static void
put_origin(struct summary *s, struct rows *r)
{
	const struct trace_info	*info = trace_info(s->run->home);
	struct origin		 o = { 0 };

	origin_read(&o, s->run->home);
	buf_span(&s->value, span_of_buf(&o.command));
	if (info->has_pid) {
		buf_puts(&s->remark, "pid ");
		buf_u64(&s->remark, info->pid);
	}
	if (info->has_pid && info->processors > 0)
		buf_counts(&s->remark, ", # processor{s}", info->processors);
	put_first(s, r, "process", "process");
	buf_span(&s->value, span_of_buf(&o.runtime));
	buf_span(&s->remark, span_of_buf(&o.os));
	if (o.arch.len > 0)
		buf_printf(&s->remark, "%s%s", s->remark.len > 0 ? ", " : "", buf_str(&o.arch));
	put_first(s, r, "runtime", "system");
	origin_release(&o);
}

static void
put_providers(struct summary *s, struct rows *r)
{
	struct provider_count	*p;
	size_t			 n = provider_counts(s->run->home, &p), shown = 0;

	if (n > 0)
		buf_counts(&s->value, "# provider{s}", n);
	for (; shown < n && shown < PROVIDERS_SHOWN && p[shown].events > 0; shown++) {
		buf_printf(&s->remark, "%s%s ", shown > 0 ? ", " : "",
		    p[shown].name[0] != '\0' ? p[shown].name : "(no name)");
		buf_grouped(&s->remark, p[shown].events);
	}
	if (shown < n)
		buf_printf(&s->remark, ", %zu more", n - shown);
	if (n > 0)
		put(s, r, "trace", is_partial(s) ? "collected in total" : "collected");
	mem_free(p);
}

/* Enter goes to this event. */
static void
put_event(struct summary *s, struct rows *r, int64_t ts, uint64_t off)
{
	uint64_t	row;

	if (trace_row_of(s->run->t, ts, off, &row) != 1)
		return;
	row_event(r, ts, off);
	buf_puts(&s->value, "row = ");
	buf_u64(&s->value, row);
	put_made(r, SU_EVIDENCE, &s->value);
}

/* The events after gaps; if there are none, an event before a gap. */
static void
put_gaps(struct summary *s, struct rows *r)
{
	struct gap	*v;
	size_t		 n = trace_source_gaps(s->run->t, s->run->o.source, &v);
	size_t		 ended = 0, begun = 0;

	while (ended < n && v[ended].next_off == 0)
		ended++;
	while (begun < n && !v[begun].has_prev)
		begun++;
	if (ended < n) {
		row_filter(r, LOST_FILTER);
		row_str(r, SU_EVIDENCE, LOST_FILTER);
	} else if (begun < n) {
		put_event(s, r, v[begun].prev_ts, v[begun].prev_off);
	}
	mem_free(v);
}

/* The last event that could be read. */
static void
put_last_event(struct summary *s, struct rows *r)
{
	const struct report_run	*run = s->run;
	uint64_t		 rows = trace_rows(run->home);
	struct event		 e;

	if (rows > 0 && trace_event(run->home, rows - 1, &e) == 1)
		put_event(s, r, trace_source_ts(run->t, run->o.source, e.ts),
		    e.off | (uint64_t)run->o.source << EVENT_SOURCE_SHIFT);
}

/* Losses and damage always stand out. */
static void
put_losses(struct summary *s, struct rows *r)
{
	struct trace	*t = s->run->home;
	struct loss	 loss;
	uint64_t	 off;

	trace_loss(t, &loss);
	if (loss.lost > 0) {
		buf_counts(&s->value, "# event{s} in # gap{s}", loss.lost, loss.gaps);
		put_words(s, r, "remark", is_partial(s) ? "lost in total" : "lost events", "",
		    "make every count here a lower bound; tnav gaps lists them");
		put_gaps(s, r);
		s->remarks++;
	}
	if (trace_cut(t, &off)) {
		put_words(s, r, "remark", "the file is cut", "no end mark",
		    "means that the last events and the names after them are missing");
		put_last_event(s, r);
		s->remarks++;
	} else if (diag_damaged(trace_diag(t))) {
		put_words(s, r, "remark", "the file is damaged", "parts of it",
		    "could not be read; tnav check lists them");
		s->remarks++;
	}
}

/* ---- what stands out */

struct best_row {
	long double	value;
	size_t		row;
};

/* Is it one of the rows that the rule counts? */
static bool
is_counted(const struct cell *c, const struct finding_rule *rule)
{
	long double	v;

	if (rule->how == RULE_ROWS_WITH)
		return c->kind == CELL_TEXT && span_begins(c->text, rule->text);
	return table_number(c, &v) && v >= (long double)rule->over;
}

/* The first row that matches the rule, and the number of such rows. */
static bool
count_rows(const struct table *t, unsigned col, const struct finding_rule *rule,
    struct best_row *out)
{
	*out = (struct best_row){ .row = 0 };
	for (size_t i = 0; i < t->nrows; i++) {
		struct cell	c = table_cell_at(t, i, col);

		if (!is_counted(&c, rule))
			continue;
		if (out->value == 0)
			out->row = i;
		out->value++;
	}
	return out->value > 0;
}

static bool
is_greater(const void *a, const void *b)
{
	const struct best_row	*x = a, *y = b;

	return x->value != y->value ? x->value > y->value : x->row < y->row;
}

/* The rows with the greatest numbers in the column, at most `most`, greatest first. */
static void
find_greatest(const struct table *t, unsigned col, size_t most, struct greatest *out)
{
	struct best_row	f;

	greatest_init(out, sizeof f, most, is_greater);
	for (f.row = 0; col < t->ncolumns && f.row < t->nrows; f.row++) {
		struct cell	c = table_cell_at(t, f.row, col);

		if (table_number(&c, &f.value))
			greatest_keep(out, &f);
	}
	greatest_sort(out);
}

/* Apply a rule. False: nothing matches. */
static bool
look(const struct table *t, unsigned col, const struct finding_rule *rule, enum rule_how how,
    struct best_row *out)
{
	struct greatest	g;
	bool		any;

	if (how == RULE_ROWS_WITH || how == RULE_ROWS_OVER)
		return count_rows(t, col, rule, out);
	find_greatest(t, col, 1, &g);
	any = g.n > 0;
	*out = (struct best_row){ .row = 0 };
	if (any)
		*out = *(const struct best_row *)greatest_at(&g, 0);
	greatest_release(&g);
	return any;
}

/* Put the evidence of a row: where Enter goes, and the same as a filter expression. */
static void
put_evidence(struct summary *s, struct rows *r, const struct table *t, size_t row)
{
	struct table_evidence	e = { .kind = EVIDENCE_NONE };

	if (t->evidence != NULL && row < t->nrows && t->evidence(t->src, row, &e)) {
		if (e.kind != EVIDENCE_FILTER) {
			put_event(s, r, e.ts, e.off);
		} else if (e.filter.len > 0) {
			row_filter(r, buf_str(&e.filter));
			row_text(r, SU_EVIDENCE, span_of_buf(&e.filter));
		}
	}
	buf_release(&e.filter);
}

static void
put_value(struct summary *s, struct rows *r, const struct finding_rule *rule, enum cell_kind kind,
    double v)
{
	struct cell	c = cell_f64(v);

	if (rule->how == RULE_OF_THE_TIME)
		c.kind = CELL_SHARE;
	else if (rule->how == RULE_GREATEST && (kind == CELL_DUR || kind == CELL_TIME))
		c = cell_dur(i64_of(v));
	else if (rule->how == RULE_GREATEST && kind == CELL_SHARE)
		c.kind = CELL_SHARE;
	else if (rule->how != RULE_A_SECOND)
		c = cell_u64(u64_of(v));
	else if (kind == CELL_BYTES || kind == CELL_F64)	/* the latter are estimated */
		c = cell_bytes(u64_of(v));
	row_put(r, SU_NUMBER, c);
	c.show |= SHOW_GROUPED;
	if (c.kind == CELL_BYTES)
		buf_counts(&s->value, "# bytes", c.u);
	else
		cell_text(&s->value, &c, s->run->o.ascii);
	put_made(r, SU_VALUE, &s->value);
}

/* The words behind a number, in the form for it. */
static void
put_behind(struct summary *s, struct rows *r, const char *words, double v)
{
	for (const char *p = words; *p != '\0'; p++) {
		if (*p == '{')
			p = buf_form(&s->remark, p + 1, u64_of(v) == 1);
		else
			buf_putc(&s->remark, *p);
	}
	put_made(r, SU_REMARK, &s->remark);
}

static void
show_row(struct summary *s, struct rows *r, const struct report_work *p,
    const struct finding_rule *rule, const struct table *t, size_t row)
{
	struct table	*show;
	struct best_row	 f;
	unsigned	 col;

	if (rule->show_kind == NULL) {
		put_evidence(s, r, t, row);
		return;
	}
	show = rows_table(p->rows, rule->show_kind);
	col = table_find_column(show, rule->show_column, strlen(rule->show_column), NULL);
	if (col < show->ncolumns && look(show, col, rule, RULE_GREATEST, &f))
		put_evidence(s, r, show, f.row);
	table_free(show);
}

/* The id of the diagnosis that says more than the rule, or NULL. */
static const char *
covering(const struct summary *s, const struct finding_rule *rule)
{
	for (size_t i = 0; i < doctor_n(s->doctor); i++) {
		const char	*id = doctor_diagnosis(s->doctor, i)->def->id;

		if (exam_names(rule->covered_by, id))
			return id;
	}
	return NULL;
}

/* False: it does not stand out. */
static bool
apply(struct summary *s, struct rows *r, const struct finding_rule *rule)
{
	const struct report_work	*p = report_work_find(s->part, s->n, rule->report);
	struct table			*t;
	struct best_row			 f;
	unsigned			 col;
	double				 v;
	bool				 found = false;

	if (p == NULL)
		return false;
	t = rows_table(p->rows, rule->kind);
	col = table_find_column(t, rule->column, strlen(rule->column), NULL);
	if (col < t->ncolumns && look(t, col, rule, rule->how, &f)) {
		v = (double)f.value;
		if (rule->how == RULE_A_SECOND)
			v = s->seconds > 0 ? v / s->seconds : 0;
		if (rule->how == RULE_OF_THE_TIME)
			v = s->seconds > 0 ? v / 1e9 / s->seconds : 0;
		found = v >= rule->threshold;
		if (found) {
			row_begin(r, "remark");
			row_str(r, SU_WHAT, rule->what);
			put_value(s, r, rule, t->column[col].kind, v);
			put_behind(s, r, rule->remark, v);
			show_row(s, r, p, rule, t, f.row);
			if (covering(s, rule) != NULL)
				row_str(r, SU_COVERED, covering(s, rule));
			s->remarks++;
		}
	}
	table_free(t);
	return found;
}

/* Of rules for the same thing the first that finds something is enough. */
static void
apply_rules(struct summary *s, struct rows *r)
{
	const char	*applied = "";

	for (size_t i = 0; i < finding_nrules; i++)
		if (strcmp(finding_rules[i].what, applied) != 0 && apply(s, r, &finding_rules[i]))
			applied = finding_rules[i].what;
}

/* ---- where time went */

/* A sentence about the row, with names as they are in the trace, and clean. */
static void
put_named(struct summary *s, struct rows *r, unsigned col, const char *format, struct table *t,
    size_t row)
{
	bool	ascii = s->run->o.ascii;

	sentence_put(t, row, format, ascii, &s->value);
	t->raw_names = true;
	sentence_put(t, row, format, ascii, &s->remark);
	t->raw_names = false;
	if (s->remark.len > 0 && !spans_equal(span_of_buf(&s->value), span_of_buf(&s->remark)))
		row_clean_name(r, col, span_of_buf(&s->value), span_of_buf(&s->remark));
	else
		put_made(r, col, &s->remark);
	buf_clear(&s->value);
	buf_clear(&s->remark);
}

/* Note the event that the row is about. False: another row is about it already. */
static bool
note_event(struct summary *s, const struct table *t, size_t row)
{
	struct table_evidence	e = { .kind = EVIDENCE_NONE };
	bool			shown = false;

	if (t->evidence != NULL && t->evidence(t->src, row, &e) && e.kind == EVIDENCE_EVENT) {
		for (size_t i = 0; i < s->nplaces; i++)
			shown |= s->place[i] == e.off;
		if (!shown && s->nplaces < PLACES_MOST)
			s->place[s->nplaces++] = e.off;
	}
	buf_release(&e.filter);
	return !shown;
}

static void
put_place(struct summary *s, struct rows *r, const struct evidence_place *p, struct table *t,
    size_t row)
{
	row_begin(r, "time");
	row_str(r, SU_WHAT, p->what);
	put_named(s, r, SU_VALUE, p->who, t, row);
	put_named(s, r, SU_REMARK, p->figures, t, row);
	put_evidence(s, r, t, row);
}

/* Is the row about a method that waits? It is in managed code, but does not run. */
static bool
waits(struct table *t, size_t row)
{
	struct cell	c = table_cell_at(t, row, table_find_column(t, "method", strlen("method"),
			    NULL));

	return c.kind == CELL_TEXT && doing_waits(c.text);
}

/* Put the rows of the table, which is freed, with the greatest values. */
static void
put_places(struct summary *s, struct rows *r, const struct evidence_place *p, struct table *t)
{
	unsigned	col = table_find_column(t, p->column, strlen(p->column), NULL);
	unsigned	enough = table_find_column(t, p->enough_of, strlen(p->enough_of), NULL);
	struct greatest	g;
	struct cell	c;
	long double	v;
	unsigned	n = 0;

	find_greatest(t, col, PLACES_LOOKED, &g);
	for (size_t i = 0; i < g.n && n < PLACES_EACH; i++) {
		const struct best_row	*f = greatest_at(&g, i);

		c = table_cell_at(t, f->row, enough);
		if (!table_number(&c, &v) || v < (long double)p->enough ||
		    f->value < (long double)p->least)
			break;
		if ((p->runs && waits(t, f->row)) || !note_event(s, t, f->row))
			continue;
		put_place(s, r, p, t, f->row);
		n++;
	}
	greatest_release(&g);
	table_free(t);
}

static void
put_times(struct summary *s, struct rows *r)
{
	for (size_t i = 0; i < evidence_nplaces; i++) {
		const struct evidence_place	*p = &evidence_places[i];
		const struct report_work	*part = NULL;

		if (p->report != NULL)
			part = report_work_find(s->part, s->n, p->report);
		if (part != NULL)
			put_places(s, r, p, rows_table(part->rows, p->kind));
		else if (p->report == NULL)
			put_places(s, r, p, spans_table(s->spans, &(struct spans_table_of){
			    .list = true, .titles = true, .longest = PLACES_LOOKED }));
	}
}

/* ---- the reports */

#define TOTALS_MOST	2u	/* lines of totals after the first; the report has all */

static void
put_report(struct summary *s, struct rows *r, struct report_work *p)
{
	const char	*line;
	size_t		 len;
	unsigned	 n = 0;

	line = buf_str(&p->totals);
	len = strcspn(line, "\n");
	buf_add(&s->value, line, len);
	for (const char *at = line + len; *at != '\0'; at++)
		if (*at != '\n')
			buf_putc(&s->remark, *at);
		else if (s->remark.len > 0 && ++n == TOTALS_MOST)
			break;
		else if (at[1] != '\0' && s->remark.len > 0)
			buf_puts(&s->remark, "; ");
	put(s, r, "report", p->report->title);
	s->present++;
}

static void
put_present(struct summary *s, struct rows *r)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct report_work	*p = &s->part[i];

		if (p->rows != NULL && rows_n(p->rows) > 0) {
			put_report(s, r, p);
		} else if (s->events[i] > 0 && p->rows == NULL) {
			buf_counts(&s->value, "# event{s}", s->events[i]);
			put_words(s, r, "report", p->report->title, "",
			    "not summarised here; see the report");
			s->present++;
		}
	}
}

/* Put what each report lacks; a single row if the format has no events for any report. */
static void
put_missing(struct summary *s, struct rows *r)
{
	bool	all = !trace_has(s->run->home, HAS_IDS);

	for (unsigned i = 0; i < s->n; i++) {
		const struct report	*p = s->part[i].report;

		if (s->events[i] > 0 || p->fact == NULL)
			continue;
		s->missing++;
		if (all && s->missing > 1)
			continue;
		report_advice(p, s->run->home, &s->remark);
		put_words(s, r, "missing", all ? "all reports" : p->title, "not in this trace", "");
	}
}

static void
summary_rows(struct report_state *state, struct rows *r)
{
	struct summary	*s = state->own;

	for (unsigned i = 0; i < s->n; i++)
		if (s->part[i].s != NULL)
			report_work_fill(&s->part[i]);
	put_diagnoses(s, r);
	if (s->run->o.diagnoses)
		return;
	if (is_partial(s))
		put_window(s, r);
	put_trace(s, r);
	put_origin(s, r);
	put_providers(s, r);
	put_losses(s, r);
	apply_rules(s, r);
	if (s->remarks == 0 && doctor_n(s->doctor) == 0)
		put_words(s, r, "remark", "nothing stands out", "by the rules",
		    "that doc/reports.md lists with their thresholds");
	put_times(s, r);
	put_present(s, r);
	put_missing(s, r);
	row_begin(r, "summary");
	row_put(r, SU_REMARKS, cell_u64(s->remarks));
	row_put(r, SU_REPORTS, cell_u64(s->present));
	row_put(r, SU_MISSING, cell_u64(s->missing));
}

/* ---- as a page */

static const struct page_group {
	const char	*kind, *heading;
	const char	*between;	/* the value and the remark; NULL: the remark alone */
} page_groups[] = {
	{ "remark", "What stands out", " " },
	{ "time", "Where time went", ", " },
	{ "report", "What happened", "; " },
	{ "trace", "The trace", "; " },
	{ "missing", "Not in this trace", NULL },	/* that says the heading */
};

/* "Induced collections: 59 were requested by the program" */
static void
put_sentence(const struct table *t, size_t row, const struct page_group *g, struct buf *out)
{
	struct span	what = exam_text_at(t, row, SU_WHAT);
	struct span	value = exam_text_at(t, row, SU_VALUE);
	struct span	remark = exam_text_at(t, row, SU_REMARK);

	if (what.len > 0 && *what.p >= 'a' && *what.p <= 'z') {
		buf_putc(out, (char)(*what.p - 'a' + 'A'));
		what = (struct span){ what.p + 1, what.len - 1 };
	}
	buf_span(out, what);
	buf_puts(out, ": ");
	if (g->between != NULL)
		buf_span(out, value);
	if (g->between != NULL && value.len > 0 && remark.len > 0)
		buf_puts(out, g->between);
	buf_span(out, remark);
}

/* Go on to the next row of the kind, from this one on. False: there is none. */
static bool
next_of(const struct table *t, const char *kind, size_t *row)
{
	while (*row < t->nrows && !spans_equal(exam_text_at(t, *row, SU_KIND), span_of(kind)))
		++*row;
	return *row < t->nrows;
}

static void
put_items(const struct table *t, const struct page_group *g, bool evidence,
    struct page *out)
{
	bool	any = false;

	for (size_t row = 0; next_of(t, g->kind, &row); row++) {
		struct span	shown = exam_text_at(t, row, SU_EVIDENCE);

		if (exam_text_at(t, row, SU_COVERED).len > 0)
			continue;
		if (!any)
			page_heading(out, g->heading);
		page_item(out, row);
		put_sentence(t, row, g, &out->text);
		any = true;
		if (evidence && shown.len > sizeof "row" && memcmp(shown.p, "row", 3) == 0) {
			buf_puts(&out->text, "  [");
			buf_span(&out->text, shown);
			buf_putc(&out->text, ']');
		}
	}
}

/* The sentence why, without those before it: the text is title, sentences, why. */
static struct span
why_of(const struct table *t, size_t row)
{
	struct span	text = exam_text_at(t, row, SU_TEXT);
	size_t		before = exam_text_at(t, row, SU_WHAT).len + 2 +
			    exam_text_at(t, row, SU_REMARK).len;

	return before < text.len ? (struct span){ text.p + before, text.len - before } :
	    (struct span){ NULL, 0 };
}

static void
put_illness(const struct table *t, size_t row, unsigned number, struct page *out)
{
	page_numbered(out, row, number);
	buf_span(&out->text, exam_text_at(t, row, SU_WHAT));
	page_paragraph(out, row);
	buf_span(&out->text, exam_text_at(t, row, SU_REMARK));
	page_paragraph(out, row);
	buf_puts(&out->text, "Why: ");
	buf_span(&out->text, why_of(t, row));
	page_command(out, row);
	buf_puts(&out->text, "See: ");
	buf_span(&out->text, exam_text_at(t, row, SU_EVIDENCE));
}

static void
put_apart(const struct table *t, size_t row, unsigned col, struct page *out)
{
	page_apart(out, row);
	buf_span(&out->text, exam_text_at(t, row, col));
}

static void
put_illnesses(const struct table *t, struct page *out)
{
	unsigned	n = 0;

	for (size_t row = 0; next_of(t, "diagnosis", &row); row++)
		put_illness(t, row, ++n, out);
	for (size_t row = 0; next_of(t, "examined", &row); row++) {
		if (n == 0)
			put_apart(t, row, SU_TEXT, out);
		if (exam_text_at(t, row, SU_REMARK).len > 0)
			put_apart(t, row, SU_REMARK, out);
	}
}

/* The program and the trace in one line. */
static void
put_head(const struct table *t, struct page *out)
{
	for (size_t row = 0; next_of(t, "examined", &row); row++)
		put_apart(t, row, SU_VALUE, out);
}

void
report_diagnoses_page(const struct table *t, bool evidence, struct page *out)
{
	(void)evidence;
	out->width = PAGE_WIDTH;
	put_head(t, out);
	put_illnesses(t, out);
}

static void
summary_page(const struct table *t, bool evidence, struct page *out)
{
	put_head(t, out);
	put_illnesses(t, out);
	for (size_t i = 0; i < sizeof page_groups / sizeof *page_groups; i++)
		put_items(t, &page_groups[i], evidence, out);
}

const struct report	report_summary = {
	.title = "Summary",
	TABLES_OF(summary, SU),
	.page = summary_page,
	.needs = NEEDS_SYMBOLS | NEEDS_WHO,
	.own = sizeof(struct summary),
	.begin = summary_begin,
	.release = summary_release,
	.collect = summary_collect,
	.rows = summary_rows,
};

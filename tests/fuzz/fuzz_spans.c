/*
 * Fuzz target: spans and activities of a whole trace of any format: keys of payloads and lists of
 * arguments, pairs, gaps, nesting, sums, tables, ids and parents. Corpus: tests/fuzz/corpus/spans.
 */
#include "fuzz_trace.h"

#include <stdlib.h>

#include "tnav/analysis/activities.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/engine/spans.h"
#include "tnav/engine/trace.h"

#define ROWS		256u

static uint64_t
first_row(const struct span_record *r)
{
	return r->row != SPAN_NO_ROW ? r->row : r->stop_row;
}

static void
check_span(const struct spans *s, uint64_t i)
{
	const struct span_record	*r = spans_at(s, i);
	struct span_gap			 gap;
	int64_t				 dur;

	check(r->state < SPAN_STATES && r->name < spans_names(s));
	check(i == 0 || first_row(spans_at(s, i - 1)) <= first_row(r));
	check(spans_dur(s, r, &dur) == (r->state == SPAN_PAIRED));
	check((r->row == SPAN_NO_ROW) == (r->state >= SPAN_ORPHAN));
	if (r->state == SPAN_PAIRED && dur >= 0)
		check(r->self >= 0 && r->self <= dur && span_bucket(dur) < SPAN_BUCKETS &&
		    span_bucket_from(span_bucket(dur)) <= dur);
	if (r->state == SPAN_PAIRED && (r->flags & SPAN_NATIVE) == 0)
		check(r->stop_row >= r->row);
	if (r->state == SPAN_LOST_IN_GAP || r->state == SPAN_ORPHAN_AFTER_GAP ||
	    (r->flags & SPAN_DOUBTFUL) != 0)
		check(spans_gap(s, r, &gap) && gap.candidates > 0);
	check(spans_reaching(s, i, INT64_MIN) == i);
}

static void
check_spans(struct spans *s)
{
	uint64_t	n = spans_count(s), summed = 0;

	for (uint64_t i = 0; i < n; i++)
		check_span(s, i);
	for (uint32_t k = 0; k < spans_names(s); k++) {
		const struct span_sum	*m = spans_sum(s, k);

		for (unsigned i = 0; i < SPAN_STATES; i++)
			summed += m->states[i];
		check(m->n == 0 || (m->min <= m->p50 && m->p50 <= m->p90 && m->p90 <= m->p99 &&
		    m->p99 <= m->p999 && m->p999 <= m->max));
	}
	check(summed == n);
	(void)spans_remark(s);
}

/* What stands above an activity stands before it. */
static void
check_activities(struct activities *a)
{
	uint32_t	n = activities_count(a);

	for (uint32_t i = 0; i < n; i++) {
		const struct activity	*v = activities_at(a, i), *up;

		check((v->up == ACTIVITY_NONE) == (v->depth == 0));
		if (v->up == ACTIVITY_NONE)
			continue;
		up = activities_entry(a, v->up);
		check(v->depth == up->depth + 1 && i > 0);
	}
	(void)activities_remark(a);
}

/* Each is within itself, and within what stands above it. */
/* With only the spans that they need they are the same. */
static void
check_complete(struct trace *t, const struct activities *all)
{
	const struct pass_options	 o = { .workers = 1 };
	struct pass_result		 result;
	struct activities		*a = NULL;
	const char			*remark = NULL;

	check(activities_new(&a, t, &o, &result) == ERR_OK);
	check(activities_complete(a, &o, &remark) == ERR_OK);
	check(activities_count(a) == activities_count(all));
	for (uint32_t i = 0; i < activities_count(a); i++) {
		const struct activity	*x = activities_at(a, i), *y = activities_at(all, i);

		check(x->has_span == y->has_span && x->state == y->state && x->end == y->end);
		check(x->self == y->self && x->critical == y->critical && x->head == y->head);
		check(!x->critical || (x->way_from == y->way_from && x->way == y->way));
	}
	activities_free(a);
}

static void
check_within(struct trace *t, const struct activities *a)
{
	const struct activity_source	*src = trace_lent(t, DERIVED_ACTIVITIES);
	uint32_t			 n = activities_count(a);

	for (uint32_t i = 0; i < n; i++) {
		const struct activity	*v = activities_at(a, i);

		if (v->kind != ACTIVITY_ID)
			continue;
		check(src->within(src->self, 0, v->id, v->id, NULL));
		if (v->up != ACTIVITY_NONE && activities_entry(a, v->up)->kind == ACTIVITY_ID)
			check(src->within(src->self, 0, v->id, activities_entry(a, v->up)->id, NULL));
	}
}

static void
read_table(struct table *t)
{
	struct buf	out = { 0 };

	for (size_t row = 0; row < t->nrows && row < ROWS; row++) {
		for (unsigned col = 0; col < t->ncolumns; col++) {
			struct cell	c = { .kind = CELL_NONE };

			t->cell(t->src, row, col, &c);
			buf_clear(&out);
			cell_json(&out, &c);
			cell_text(&out, &c, true);
		}
		if (t->parent != NULL)
			check(t->parent(t->src, row) == TABLE_NO_ROW ||
			    t->parent(t->src, row) < row);
	}
	buf_release(&out);
	table_free(t);
}

static void
read_events(struct trace *t)
{
	struct span_info	 info[SPANS_AT_EVENT];
	const struct span_source	*src = trace_lent(t, DERIVED_SPANS);
	struct event		 e;

	for (uint64_t row = 0; row < ROWS && trace_event(t, row, &e) == 1; row++)
		for (int stop = 0; stop < 2; stop++)
			check(src->at(src->self, &e, row, stop != 0, info, SPANS_AT_EVENT) <=
			    SPANS_AT_EVENT);
}

static void
look(struct trace *t)
{
	const struct spans_options	 so = { .pass.workers = 1 };
	const struct pass_options	 ao = { .workers = 1 };
	struct pass_result		 result;
	struct spans			*s = spans_new(t);
	struct activities		*a = NULL;

	check(spans_build(s, &so, &result) == ERR_OK);
	check_spans(s);
	check(activities_new(&a, t, &ao, &result) == ERR_OK);
	activities_join(a, s);
	check_activities(a);
	check_complete(t, a);
	spans_prepare(s);
	activities_prepare(a);
	trace_lend(t, DERIVED_SPANS, s);
	trace_lend(t, DERIVED_ACTIVITIES, a);
	check_within(t, a);
	read_events(t);
	read_table(spans_table(s, &(struct spans_table_of){ .list = true, .names = true }));
	read_table(spans_table(s, &(struct spans_table_of){ .list = true, .longest = 10 }));
	if (spans_names(s) > 0)
		read_table(span_buckets_table(s, &(struct spans_table_of){ .name = 0 }));
	read_table(activities_table(a, ACTIVITIES_SUMMARY | ACTIVITIES_INDENT |
	    ACTIVITIES_LINE));
	trace_lend(t, DERIVED_ACTIVITIES, NULL);
	trace_lend(t, DERIVED_SPANS, NULL);
	activities_free(a);
	spans_free(s);
}

FUZZ_TRACE(look)

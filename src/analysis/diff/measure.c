/*
 * A trace as rows of a side. Nothing is grouped here: rows are made by what stands.
 *
 *	events		a counter with DIFF_SLICES slices
 *	spans		all pairs, made once for all requests
 *	a report	its rows; of a report without times one for each slice
 *	a call tree	one for each slice
 */
#include "tnav/analysis/diff_measure.h"

#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/err.h"
#include "tnav/base/num.h"
#include "tnav/engine/bins.h"
#include "tnav/engine/field.h"

#define KEYS_MAX	(1u << 18)
#define TEXT_MAX	1024u

/* The window, of the times of its events. */
static struct diff_window
window_of(const struct diff_measuring *m)
{
	struct diff_window	w = { .name = m->name };
	int64_t			first, last;

	w.lost = gaps_lost(m->t, &m->pass);
	if (!trace_range(m->t, &first, &last))
		first = last = 0;
	w.from = m->pass.has_from && m->pass.from > first ? m->pass.from : first;
	w.to = m->pass.has_to && m->pass.to <= last ? sub_i64(m->pass.to, 1) : last;
	return w;
}

static void
take_result(struct diff_measuring *m, const struct pass_result *r)
{
	m->result.costly += r->costly;
	m->result.lost = m->result.lost || r->lost;
}

static int
run(struct diff_measuring *m, const struct pass_options *o, const struct pass_ops *ops, void *arg)
{
	struct pass_result	result;
	int			err = pass_run(m->t, o, ops, arg, &result);

	take_result(m, &result);
	return err;
}

/* ---- events */

/* Do events of one type always have the same key? */
static bool
of_types(const struct field_list *by, struct trace *t)
{
	for (size_t i = 0; i < by->n; i++)
		if (field_ref_of(&by->v[i], t) != OF_TYPE)
			return false;
	return trace_has(t, HAS_IDS);
}

static int
count(struct sides *d, struct diff_measuring *m, const struct diff_window *w,
    const struct field_list *by, bool sources)
{
	struct counter		*c = counter_new(m->t, by, &(struct count_options){
				    .fields.words = WORDS_BARE, .keys = KEYS_MAX, .text = TEXT_MAX,
				    .valued = true, .each = true, .bins = true,
				    .slices = DIFF_SLICES, .slices_from = w->from,
				    .slices_to = w->to });
	struct pass_options	 o = m->pass;
	int			 err;

	o.order = field_list_has(by, FIELD_ROWS) ? PASS_TIME : PASS_ANY;
	err = run(m, &o, &counter_ops, c);
	if (err == ERR_OK)
		diff_add_counter(d, c, sources);
	counter_free(c);
	return err;
}

static int
measure_events(struct sides *d, const struct diff_request *r, struct diff_measuring *m,
    const struct diff_window *w)
{
	struct field_list	by = { .n = 0 };
	struct buf		text = { 0 };
	bool			sources;
	int			err;

	buf_puts(&text, diff_events_by(r));
	err = field_list_init(&by, buf_str(&text), m->why);
	sources = err == ERR_OK && of_types(&by, m->t);
	if (sources) {
		field_list_release(&by);
		buf_puts(&text, ",provider,level");
		err = field_list_init(&by, buf_str(&text), m->why);
	}
	if (err == ERR_OK)
		err = count(d, m, w, &by, sources);
	field_list_release(&by);
	buf_release(&text);
	return err;
}

/* ---- spans */

/* All spans, or those that match the filter. */
static int
pair(struct diff_measuring *m, bool filtered, struct spans **out)
{
	struct spans_options	 o = { .pass = m->pass };
	struct spans		**kept = &m->spans[filtered && m->pass.filter != NULL];
	struct pass_result	 result;
	int			 err;

	*out = *kept;
	if (*kept != NULL)
		return ERR_OK;
	if (!filtered)
		o.pass.filter = NULL;
	*kept = spans_new(m->t);
	err = spans_build(*kept, &o, &result);
	if (err != ERR_OK) {
		spans_free(*kept);
		*kept = NULL;
		return err;
	}
	take_result(m, &result);
	if (spans_remark(*kept) != NULL)
		buf_printf(m->why, "%s\n", spans_remark(*kept));
	*out = *kept;
	return ERR_OK;
}

static int
measure_spans(struct sides *d, struct diff_measuring *m)
{
	struct spans	*spans;
	int		 err = pair(m, true, &spans);

	if (err == ERR_OK)
		diff_add_spans(d, spans);
	return err;
}

/* Count the spans that others are counted per. */
static int
measure_wholes(struct sides *d, const struct diff_request *r, struct diff_measuring *m)
{
	struct spans	*spans;
	int		 err = pair(m, false, &spans);

	if (err != ERR_OK || diff_add_wholes(d, spans, r->span) > 0)
		return err;
	buf_printf(m->why, "--per: no span is named '%.100s'; `tnav spans` lists the names\n",
	    r->span);
	return ERR_USAGE;
}

void
diff_measured(struct diff_measuring *m)
{
	for (unsigned i = 0; i < 2; i++) {
		spans_free(m->spans[i]);
		m->spans[i] = NULL;
	}
}

/* ---- by slices */

/* The ends of a slice, as a window of a pass. False: it is empty. */
static bool
slice_window(const struct diff_window *w, unsigned slice, int64_t *from, int64_t *to)
{
	*from = time_bucket_start(slice, w->from, w->to, DIFF_SLICES);
	*to = slice + 1 < DIFF_SLICES ?
	    time_bucket_start(slice + 1, w->from, w->to, DIFF_SLICES) : add_i64(w->to, 1);
	return *from < *to;
}

/* Add the rows of the report in this window. */
static int
add_report(struct sides *d, const struct diff_request *r, struct diff_measuring *m,
    const struct report_options *o)
{
	struct report_made	*made = NULL;
	struct pass_result	 result;
	struct table		*t;
	int			 err = report_make(&made, r->of->report, m->t, o, &result);

	if (err == ERR_OK)
		take_result(m, &result);
	if (err == ERR_OK && r->of->means) {
		diff_add_series(d, made, report_part_find(r->of->report, r->of->kind,
		    strlen(r->of->kind)), &r->columns);
	} else if (err == ERR_OK) {
		t = report_table(made, REPORT_ALL);
		diff_add_table(d, t, &r->columns);
		table_free(t);
	}
	report_free(made);
	return err;
}

static int
measure_report(struct sides *d, struct diff_request *r, struct diff_measuring *m,
    const struct diff_window *w)
{
	const struct report	*report = r->of->report;
	struct report_options	 o = { .pass = m->pass, .ascii = true,
				    .diagnoses = r->of->judging == DIFF_BY_PRESENCE };
	int			 err = ERR_OK;

	r->columns.source.provider = report_provider(report, m->t, &r->columns.source.level);
	if (!o.diagnoses && !m->quiet && !report_present(report, m->t))
		buf_printf(m->why, "the trace has no events for the report %s\n", report->name);
	if (r->of->time != NULL || r->of->means || r->of->judging != DIFF_BY_NOISE)
		return add_report(d, r, m, &o);
	o.pass.has_from = o.pass.has_to = true;
	for (unsigned i = 0; i < DIFF_SLICES && err == ERR_OK; i++) {
		r->columns.slice = i;
		if (slice_window(w, i, &o.pass.from, &o.pass.to))
			err = add_report(d, r, m, &o);
	}
	return err;
}

/* Add the tree of this window. */
static int
add_tree(struct sides *d, const struct diff_request *r, struct diff_measuring *m,
    const struct pass_options *window, unsigned slice)
{
	const struct calltree_options		 of = { .weight = &r->weight,
						    .filter = window->filter };
	const struct calltree_shape_options	 so = { .form = FORM_TOP_DOWN };
	struct calltree				*c = calltree_new(m->t, &of);
	struct pass_options			 o = *window;
	struct calltree_shape			*shape;
	int					 err;

	o.order = calltree_order(c);
	o.filter = calltree_filter(c);
	err = run(m, &o, &calltree_ops, c);
	calltree_settle(c);
	if (err == ERR_OK) {
		shape = calltree_shape_new(c, &so);
		diff_add_shape(d, shape, slice);
		calltree_shape_free(shape);
	}
	calltree_free(c);
	return err;
}

/* A tree for each slice, so that it is known how each node varies. */
static int
measure_tree(struct sides *d, struct diff_request *r, struct diff_measuring *m,
    const struct diff_window *w)
{
	struct pass_options	o = m->pass;
	int			err = ERR_OK;

	o.has_from = o.has_to = true;
	if (!r->weighed)
		err = calltree_weight_init(&r->weight, calltree_weight_usual(m->t), m->why);
	r->weighed = true;
	for (unsigned i = 0; i < DIFF_SLICES && err == ERR_OK; i++)
		if (slice_window(w, i, &o.from, &o.to))
			err = add_tree(d, r, m, &o, i);
	return err;
}

int
diff_measure(struct sides *d, struct diff_request *r, struct diff_measuring *m)
{
	struct diff_window	w = window_of(m);
	int			err = ERR_OK;

	diff_begin(d, m->t, &w);
	if (r->per == DIFF_PER_SPAN)
		err = measure_wholes(d, r, m);
	if (err != ERR_OK)
		return err;
	switch (r->what) {
	case DIFF_EVENTS:
		return measure_events(d, r, m, &w);
	case DIFF_SPANS:
		return measure_spans(d, m);
	case DIFF_REPORT:
		return measure_report(d, r, m, &w);
	case DIFF_TREE:
		return measure_tree(d, r, m, &w);
	}
	return ERR_USAGE;
}

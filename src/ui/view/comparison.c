/*
 * The comparison of the view.
 *
 *	task	open B, index, names -> events of A and B -> taken -> diagnoses and spans -> taken
 *	another window or filter -> events of A and B again; B stays open
 *	Esc	stops the task; the next step begins again
 *
 * Invariant: while the task runs, `next` and the opening of B belong to it.
 */
#include "ui/view/comparison.h"

#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "ui/view/view.h"

#define AT_ONCE_NS	200000000	/* the user waits this long for a fast one */
#define WAIT_MS		50		/* between looks whether it is stopped */

enum comparison_does { OPENING, READING, NAMING, COUNTING, FINDING };

static const struct {
	const char	*name;
	enum diff_what	 what;
	const char	*report, *by;	/* REPORT */
	enum diff_per	 per;
} parts[COMPARED_PARTS] = {
	[PART_DIAGNOSES] = { "diagnosis", DIFF_REPORT, "summary", "unit,id", DIFF_PER_NONE },
	[PART_REQUESTS] = { "request", DIFF_REPORT, "requests", "side,route", DIFF_PER_SECOND },
	[PART_EVENTS] = { .name = "event", .what = DIFF_EVENTS },
	[PART_SPANS] = { .name = "span", .what = DIFF_SPANS },
	[PART_METHODS] = { "method", DIFF_REPORT, "samples", "module,method", DIFF_PER_EVENT },
};

static void
parts_release(struct sides *part[COMPARED_PARTS])
{
	for (unsigned i = 0; i < COMPARED_PARTS; i++) {
		diff_free(part[i]);
		part[i] = NULL;
	}
}

static void
close_b(struct comparison *c)
{
	struct compared_trace	*b = &c->b;

	if (b->t != NULL)
		trace_settle(b->t);
	derive_drop(&b->facts, b->t);
	trace_close(b->t);
	*b = (struct compared_trace){ .t = NULL };
}

static void
halt(struct comparison *c)
{
	task_halt(&c->task);
	filter_free(c->filter);
	filter_free(c->filter_b);
	mem_free(c->text);
	c->filter = c->filter_b = NULL;
	c->text = NULL;
}

void
comparison_end(struct comparison *c)
{
	halt(c);
	parts_release(c->next);
	parts_release(c->shown);
	close_b(c);
	mem_free(c->path);
	c->path = NULL;
	c->with = WITH_NOTHING;
	c->open = false;
	buf_clear(&c->why);
	c->stamp++;
}

void
comparison_release(struct comparison *c)
{
	comparison_end(c);
	task_release(&c->task);
	buf_release(&c->why);
}

void
comparison_begin(struct comparison *c, const char *path, const struct trace_options *o)
{
	comparison_end(c);
	c->with = path != NULL ? WITH_FILE : WITH_RANGE;
	c->path = path != NULL ? mem_strdup(path) : NULL;
	c->o = o != NULL ? *o : (struct trace_options){ .input_format = NULL };
	c->o.feed = NULL;
	c->o.eager = false;
	c->requested = true;
}

/* ---- the task */

static int
open_b(struct comparison *c)
{
	struct trace_progress	p;
	struct buf		why = { 0 };
	int			err;

	if (c->b.t == NULL) {
		atomic_store(&c->doing, OPENING);
		err = trace_open(&c->b.t, c->path, &c->o, &why);
		if (err != ERR_OK)
			buf_printf(&c->why, "%s: %s", c->path, buf_str(&why));
		buf_release(&why);
		if (err != ERR_OK)
			return err;
		trace_index_start(c->b.t);
	}
	atomic_store(&c->doing, READING);
	while (!trace_index_wait(c->b.t, WAIT_MS)) {
		trace_progress(c->b.t, &p);
		if (task_tick(&c->task, p.done, p.size))
			return ERR_CANCELED;
	}
	return ERR_OK;
}

/* Names, and what else the diagnoses of B need. */
static int
derive_b(struct comparison *c)
{
	const struct derive_options	 o = { .pass.tick = task_tick,
					    .pass.tick_arg = &c->task };
	struct compared_trace		*b = &c->b;
	struct pass_result		 result;
	unsigned			 needs = derive_with(NEEDS_NAMES |
					    report_needs(&report_summary, b->t));
	int				 err = ERR_OK;

	atomic_store(&c->doing, NAMING);
	for (unsigned k = 0; k < DERIVEDS && err == ERR_OK; k++) {
		if ((needs & NEEDS(k)) == 0 || b->facts.of[k] != NULL ||
		    !derive_any(k, b->t, &o.files))
			continue;
		err = derive_make(k, &b->facts.of[k], &b->facts, b->t, &o, &result);
		if (err == ERR_OK)
			derive_lend(k, b->facts.of[k], b->t);
		needs &= ~derive_gives(k);
	}
	b->ready = err == ERR_OK;
	return err;
}

/* The filter for B: it may name fields that B does not have. */
static int
compile_b(const char *text, struct trace *t, struct filter **out, struct buf *why)
{
	struct filter_error	e = { 0 };
	int			err;

	*out = NULL;
	if (text == NULL)
		return ERR_OK;
	err = filter_new(out, text, strlen(text), t, true, 0, &e);
	if (err != ERR_OK && why != NULL)
		buf_printf(why, "the filter does not fit B: %s", buf_str(&e.text));
	filter_error_release(&e);
	return err;
}

static int
measure(struct comparison *c, enum compared_part part, struct diff_measuring *a,
    struct diff_measuring *b)
{
	struct diff_request	 r = { .what = parts[part].what, .by = parts[part].by,
				    .per = parts[part].per, .windows = c->with == WITH_RANGE };
	const unsigned		 traces[2] = { c->windows, 1 };
	struct sides		*d;
	size_t			 all;
	int			 err = ERR_OK;

	if (r.what == DIFF_REPORT)
		r.of = diff_report_find(parts[part].report, NULL);
	d = diff_open(&r, traces, &c->why);
	for (unsigned i = 0; i < c->windows && err == ERR_OK; i++) {
		a->pass.from = c->from[i];
		a->pass.to = c->to[i];
		diff_measured(a);
		err = diff_measure(d, &r, a);
	}
	if (err == ERR_OK)
		err = diff_measure(d, &r, b);
	if (err == ERR_OK)
		(void)diff_changed(d, &all);	/* judged here, not in a frame */
	else
		diff_free(d);
	c->next[part] = err == ERR_OK ? d : NULL;
	return err;
}

static int
measure_parts(struct comparison *c)
{
	struct buf		remarks = { 0 };
	struct diff_measuring	a = { .t = c->v->t, .name = text_base_name(trace_path(c->v->t)),
				    .pass = { .filter = c->filter, .has_from = c->bounded,
				    .has_to = c->bounded, .tick = task_tick, .tick_arg = &c->task },
				    .why = &remarks };
	struct diff_measuring	b = a;
	int			err = ERR_OK;

	if (c->with == WITH_FILE) {
		b.t = c->b.t;
		b.name = text_base_name(c->path);
		b.pass.filter = c->filter_b;
		b.pass.has_from = b.pass.has_to = false;
	} else {
		a.name = "the rest";
		b.name = "the range";
		b.pass.from = c->from[c->windows];
		b.pass.to = c->to[c->windows];
	}
	atomic_store(&c->doing, c->first ? COUNTING : FINDING);
	for (unsigned i = 0; i < COMPARED_PARTS && err == ERR_OK; i++)
		if ((i == PART_EVENTS) == c->first)
			err = measure(c, i, &a, &b);
	diff_measured(&a);
	diff_measured(&b);
	buf_release(&remarks);
	return err;
}

static void
make(void *arg)
{
	struct comparison	*c = arg;

	c->err = ERR_OK;
	if (c->with == WITH_FILE && !c->b.ready)
		c->err = open_b(c);
	if (c->err == ERR_OK && c->with == WITH_FILE && !c->b.ready)
		c->err = derive_b(c);
	if (c->err == ERR_OK && c->with == WITH_FILE && c->filter_b == NULL)
		c->err = compile_b(c->text, c->b.t, &c->filter_b, &c->why);
	if (c->err == ERR_OK)
		c->err = measure_parts(c);
}

/* ---- when */

/* The windows of A and, WITH_RANGE, that of the range behind them. False: there is no range, or
   nothing beside it. */
static bool
find_windows(struct comparison *c)
{
	const struct window	*w = &c->v->window;
	int64_t			 from, to;

	c->windows = 0;
	c->bounded = !w->whole || c->with == WITH_RANGE;
	c->range_from = c->range_to = 0;
	if (c->with == WITH_FILE) {
		c->from[0] = w->from;
		c->to[0] = w->to;
		c->windows = 1;
		return true;
	}
	if (!view_range(c->v, &from, &to) || from >= to)
		return false;
	c->range_from = from;
	c->range_to = to;
	if (w->from < from) {
		c->from[c->windows] = w->from;
		c->to[c->windows++] = from < w->to ? from : w->to;
	}
	if (to < w->to) {
		c->from[c->windows] = to > w->from ? to : w->from;
		c->to[c->windows++] = w->to;
	}
	c->from[c->windows] = from;
	c->to[c->windows] = to;
	return c->windows > 0;
}

static void
start(struct comparison *c)
{
	c->task.steps = 1;
	task_start(&c->task, TASK_APART, make, c);
}

static void
begin(struct comparison *c)
{
	struct view	*v = c->v;

	halt(c);
	parts_release(c->next);
	c->seen = v->changes;
	c->requested = false;
	c->whole = v->complete;
	c->first = true;
	buf_clear(&c->why);
	if (!find_windows(c) || !view_filter_again(v, &c->filter)) {
		parts_release(c->shown);
		c->stamp++;
		return;
	}
	c->text = v->filter.text != NULL ? mem_strdup(v->filter.text) : NULL;
	start(c);
}

static bool
is_other(const struct comparison *c)
{
	int64_t	from, to;

	if (c->requested || view_changed(c->v, &c->seen, VIEW_SCOPE) ||
	    (c->v->complete && !c->whole))
		return true;
	if (c->with != WITH_RANGE || c->v->range.growing)
		return false;
	if (!view_range(c->v, &from, &to))
		from = to = 0;
	return from != c->range_from || to != c->range_to;
}

static bool
is_ready(const struct comparison *c)
{
	const struct view	*v = c->v;

	return (v->complete || (v->following && trace_rows(v->t) > 0)) &&
	    !deriving_state(&v->deriving, NEEDS_NAMES).busy;
}

/* The events are shown as soon as they are there. */
static void
take_over(struct comparison *c)
{
	if (!task_take(&c->task))
		return;
	c->stamp++;
	c->open = c->b.ready;
	if (c->err != ERR_OK) {
		parts_release(c->next);
		if (c->first)
			parts_release(c->shown);
		if (c->err != ERR_CANCELED && c->why.len == 0)
			buf_puts(&c->why, err_text(c->err));
		return;
	}
	for (unsigned i = 0; i < COMPARED_PARTS; i++) {
		if (!c->first && c->next[i] == NULL)
			continue;
		diff_free(c->shown[i]);
		c->shown[i] = c->next[i];
		c->next[i] = NULL;
	}
	if (!c->first)
		return;
	c->first = false;
	start(c);
}

void
comparison_follow(struct comparison *c)
{
	if (c->with == WITH_NOTHING)
		return;
	if (c->v->stopped) {
		if (c->task.runs) {
			halt(c);
			parts_release(c->next);
			buf_clear(&c->why);
			c->err = ERR_CANCELED;
			c->requested = true;
			c->stamp++;
		}
		return;
	}
	if (is_other(c) && is_ready(c)) {
		begin(c);
		(void)task_wait(&c->task, AT_ONCE_NS);
	}
	take_over(c);
	if (c->task.runs)
		view_await_task(c->v, &c->task);
}

/* ---- results */

/* Few programs have requests. */
static bool
is_listed(struct sides *d, enum compared_part part)
{
	size_t	all;

	if (d == NULL || part != PART_REQUESTS)
		return d != NULL;
	(void)diff_changed(d, &all);
	return all > 0;
}

size_t
comparison_parts(const struct comparison *c, struct diff_merge *out)
{
	size_t	n = 0;

	for (unsigned i = 0; i < COMPARED_PARTS; i++)
		if (is_listed(c->shown[i], i))
			out[n++] = (struct diff_merge){ .what = parts[i].name, .d = c->shown[i],
			    .events = i == PART_EVENTS };
	return n;
}

bool
comparison_busy(const struct comparison *c)
{
	return c->task.runs || (c->with != WITH_NOTHING && !c->v->stopped && is_other(c));
}

void
comparison_doing(const struct comparison *c, struct buf *out)
{
	static const char *const	does[] = {
		[OPENING] = "opening B", [READING] = "reading B", [NAMING] = "finding names of B",
		[COUNTING] = "counting", [FINDING] = "finding diagnoses and spans",
	};

	if (c->task.runs)
		buf_printf(out, "%s, %u %%", does[atomic_load(&c->doing)], task_percent(&c->task));
	else if (comparison_busy(c))
		buf_puts(out, "waiting for the index");
}

struct trace *
comparison_trace(const struct comparison *c)
{
	return c->open ? c->b.t : NULL;
}

struct filter *
comparison_filter(const struct comparison *c)
{
	struct filter	*f;

	(void)compile_b(c->v->filter.text, c->b.t, &f, NULL);
	return f;
}

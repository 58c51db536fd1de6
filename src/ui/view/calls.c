/*
 * The call tree of the view.
 *
 *	window, filter, weight, names -> counting (a pass in the background) -> tree
 *	events so far doubled, or the end -> stamp -> shapes of the panes are made again (shaping.c)
 *
 * Of another trace, B, a task fills a tree of its own, which is joined to this one when the pass
 * has ended. Of the heap, which no pass counts, a task makes the weights.
 *
 * Invariant: the tree, its weight and its filter are retired after the pass that fills it, so they
 * live longer. The pass does not merge while a shape is made.
 */
#include "ui/view/calls.h"

#include <string.h>

#include "tnav/analysis/heap.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

void
calls_init(struct calls *c, struct view *v)
{
	c->v = v;
	c->rules = folding_new();
	(void)folding_add(c->rules, "idle", NULL);
}

static void
tree_end(void *arg)
{
	struct calls_tree	*of = arg;

	calltree_free(of->tree);
	heap_weights_free(of->heap);
	filter_free(of->filter);
	calltree_weight_release(&of->weight);
	mem_free(of->name);
	mem_free(of);
}

static bool
weighs_heap(const struct calls *c)
{
	return c->of != NULL && c->of->weight.kind == WEIGH_HEAP;
}

static void
halt_beside(struct calls *c)
{
	struct calls_beside	*x = &c->beside;

	task_halt(&x->task);
	heap_weights_free(x->heap);
	calltree_free(x->tree);
	filter_free(x->filter);
	x->heap = NULL;
	x->tree = NULL;
	x->filter = NULL;
}

static void
forget(struct calls *c)
{
	shapings_forget(&c->shapings);
	halt_beside(c);
	if (weighs_heap(c))
		tree_end(c->of);	/* no pass owns it */
	c->of = NULL;
	counting_forget(&c->counting);
}

void
calls_release(struct calls *c)
{
	forget(c);
	counting_release(&c->counting);
	task_release(&c->beside.task);
	folding_free(c->rules);
	mem_free(c->name);
}

/* The range to compare. If there is none, its end is before its start. */
static void
look_at_range(const struct calls *c, int64_t *from, int64_t *to)
{
	*from = *to = 0;
	if (c->comparing == COMPARE_NOT || c->comparing == COMPARE_OTHER ||
	    !view_range(c->v, from, to))
		*from = *to = 0;
	else if (c->comparing == COMPARE_KEPT && *from == c->kept_from && *to == c->kept_to)
		*from = *to = 0;
}

static struct trace *
other_trace(const struct calls *c)
{
	return c->comparing == COMPARE_OTHER ? comparison_trace(&c->v->comparison) : NULL;
}

static void
take_usual(struct calls *c)
{
	if (c->chosen)
		return;
	mem_free(c->name);
	c->name = mem_strdup(c->counts ? "count" : calltree_weight_usual(c->v->t));
}

/* Are there stacks, but none with the default weight? */
static bool
finds_nothing(const struct calls *c)
{
	struct calltree_totals	t;

	calltree_totals(c->of->tree, &t);
	return !c->chosen && !c->counts && t.events == 0 && !calls_busy(c);
}

static struct calls_tree *
tree_new(const struct calls *c)
{
	struct calls_tree	*of = mem_zalloc(1, sizeof *of);
	struct calltree_options	 o = { .weight = &of->weight };
	struct buf		 why = { 0 };

	of->name = mem_strdup(c->name);
	(void)calltree_weight_init(&of->weight, of->name, &why);
	buf_release(&why);
	/* By time, an event that the filter rejects still ends the time of the previous one, so
	   the tree evaluates the filter. */
	if (of->weight.kind == WEIGH_TIME)
		(void)view_filter_again(c->v, &of->filter);
	o.filter = of->filter;
	o.joined = c->joins != NULL && of->weight.kind != WEIGH_HEAP;
	o.parted = c->parted || o.joined;
	o.part_from = c->from;
	o.part_to = c->to;
	o.against = c->comparing == COMPARE_KEPT;
	o.against_from = c->kept_from;
	o.against_to = c->kept_to;
	of->tree = calltree_new(c->v->t, &o);
	return of;
}

static void
begin(struct calls *c)
{
	struct counting_request	by = { .of = COUNT_SHOWN, .ops = &calltree_ops, .end = tree_end };

	forget(c);
	take_usual(c);
	look_at_range(c, &c->from, &c->to);
	c->joins = other_trace(c);
	c->parted = c->from < c->to;
	c->names = trace_namer_generation(c->v->t);
	c->of = tree_new(c);
	c->parted = c->parted || (c->joins != NULL && !weighs_heap(c));
	c->beside.done = c->joins == NULL && !weighs_heap(c);
	c->events_then = 0;
	c->number++;
	c->stamp++;
	if (weighs_heap(c)) {
		counting_release(&c->counting);		/* one that was given up does not go on */
		c->beside.seen = c->v->changes;
		return;
	}
	by.arg = c->of->tree;
	by.owned = c->of;
	by.events = calltree_weight_events(&c->of->weight);
	if (c->of->weight.field.def != NULL)
		by.needs = field_needs(&c->of->weight.field, c->v->t);
	if (c->of->weight.kind == WEIGH_TIME) {
		by.of = COUNT_ALL;
		by.by_rows = true;
		by.row0 = c->v->window.row0;
	}
	counting_begin(&c->counting, c->v, &by);
	if (!c->v->stopped)
		(void)counting_first_step(&c->counting);
}

static bool
is_void(struct calls *c)
{
	int64_t	from, to;

	if (weighs_heap(c))
		return view_changed(c->v, &c->beside.seen, VIEW_SCOPE);
	if (c->of == NULL || counting_follow(&c->counting) ||
	    c->names != trace_namer_generation(c->v->t))
		return true;
	if (c->joins != other_trace(c))
		return true;
	look_at_range(c, &from, &to);
	return from != c->from || to != c->to;
}

/* Count. The tree must not change while a shape is made. */
static bool
step(void *self, int64_t budget_ns)
{
	struct calls	*c = self;

	if (shapings_busy(&c->shapings))
		shapings_wait(&c->shapings, budget_ns);
	else
		(void)counting_step(&c->counting, budget_ns);
	return calls_busy(c);
}

/* ---- beside the pass, by a task */

static void
make_heap(void *arg)
{
	struct calls_beside		*x = arg;
	const struct report_options	 o = { .pass = x->o };
	struct pass_result		 result;

	if (heap_weights_make(&x->heap, x->t, &o, &result) != ERR_OK)
		x->heap = NULL;
}

static void
make_other(void *arg)
{
	struct calls_beside		*x = arg;
	const struct calltree_options	 o = { .weight = x->weight, .filter = x->filter };
	struct pass_result		 result;

	x->tree = calltree_new(x->t, &o);
	x->o.order = calltree_order(x->tree);
	x->o.filter = calltree_filter(x->tree);
	if (pass_run(x->t, &x->o, &calltree_ops, x->tree, &result) != ERR_OK) {
		calltree_free(x->tree);
		x->tree = NULL;
	}
}

static void
begin_beside(struct calls *c)
{
	struct calls_beside	*x = &c->beside;
	bool			 heap = weighs_heap(c);

	x->t = heap ? c->v->t : c->joins;
	if (heap) {
		x->o = window_pass(&c->v->window, NULL, &x->task);
		x->events = report_events(&report_heap, x->t);
	} else {
		x->o = (struct pass_options){ .tick = task_tick, .tick_arg = &x->task };
		x->weight = &c->of->weight;
		x->filter = comparison_filter(&c->v->comparison);
	}
	x->task.steps = !heap;
	task_start(&x->task, TASK_APART, heap ? make_heap : make_other, x);
}

/* Fill the tree once its weights are there; again if another walk has come. */
static void
follow_heap(struct calls *c)
{
	struct calls_beside	*x = &c->beside;

	if (c->v->stopped) {
		halt_beside(c);
		return;
	}
	if (x->done && c->v->following && x->events != report_events(&report_heap, c->v->t))
		begin(c);
	if (!x->done && !x->task.runs && (c->v->complete || c->v->following))
		begin_beside(c);
	if (shapings_busy(&c->shapings) || !task_take(&x->task))
		return;
	c->of->heap = x->heap;
	x->heap = NULL;
	if (c->of->heap != NULL)
		heap_weights_fill(c->of->heap, c->of->tree);
	x->done = true;
	c->stamp++;
}

/* Join the other trace's tree when this one is complete. */
static void
follow_other(struct calls *c)
{
	struct calls_beside	*x = &c->beside;

	if (x->done || c->v->stopped)
		return;
	if (!x->task.runs && x->tree == NULL)
		begin_beside(c);
	if (x->task.runs && !task_take(&x->task))
		return;
	if (counting_busy(&c->counting) || shapings_busy(&c->shapings))
		return;
	if (x->tree != NULL)
		calltree_join(c->of->tree, x->tree);
	halt_beside(c);
	x->done = true;
	c->stamp++;
}

/* Begin again if something has changed. Are there so many more events that shapes should be made
   again? */
static void
follow(struct calls *c)
{
	struct calltree_totals	t;

	if (is_void(c)) {
		c->counts = false;
		begin(c);
	}
	if (weighs_heap(c)) {
		follow_heap(c);
		return;
	}
	follow_other(c);
	if (c->v->stopped || shapings_busy(&c->shapings))
		return;
	if (finds_nothing(c)) {
		c->counts = true;
		begin(c);
	}
	calltree_totals(c->of->tree, &t);
	if (t.events > c->events_then * 2 || (!calls_busy(c) && t.events != c->events_then)) {
		c->events_then = t.events;
		c->stamp++;
	}
}

bool
calls_busy(const struct calls *c)
{
	return counting_busy(&c->counting) || shapings_busy(&c->shapings) ||
	    (c->of != NULL && !c->beside.done && !c->v->stopped);
}

double
calls_share(const struct calls *c)
{
	return weighs_heap(c) ? task_percent(&c->beside.task) / 100.0 :
	    counting_share(&c->counting);
}

const struct calltree *
calls_tree(const struct calls *c)
{
	return c->of != NULL ? c->of->tree : NULL;
}

/* ---- shapes */

void
calls_shape_drop(struct calls_shape *s)
{
	calltree_shape_free(s->shape);
	s->shape = NULL;
}

void
calls_shape_release(struct calls_shape *s)
{
	calls_shape_drop(s);
	shaping_release(s);
}

bool
calls_follow(struct calls *c, struct calls_shape *s, struct calltree_shape_options *o)
{
	bool			 gone = false;
	struct calltree_shape	*made = NULL;

	if (c->comparing == COMPARE_OTHER)
		comparison_follow(&c->v->comparison);
	follow(c);
	if (s->number != c->number || c->of == NULL) {
		gone = s->shape != NULL;
		calls_shape_drop(s);
	}
	s->number = c->number;
	o->folding = c->rules;
	if (c->of != NULL)
		made = shaping_take(s, &c->shapings, c->of->tree, o, c->stamp);
	if (made == NULL)
		view_await_task(c->v, &s->task);
	if (!c->v->stopped && !counting_busy(&c->counting) && c->beside.task.runs)
		view_await_task(c->v, &c->beside.task);
	else if (!c->v->stopped && calls_busy(c))
		view_await(c->v, step, c);
	if (made == NULL)
		return gone;
	calls_shape_drop(s);
	s->shape = made;
	return true;
}

/* ---- the weight */

/* The next name in the list of weights that are not fields. */
static const char *
next_weight(const char *name)
{
	unsigned	i = 0;

	while (calltree_weight_name(i) != NULL && strcmp(calltree_weight_name(i), name) != 0)
		i++;
	if (calltree_weight_name(i) == NULL || calltree_weight_name(i + 1) == NULL)
		return calltree_weight_name(0);
	return calltree_weight_name(i + 1);
}

bool
calls_choose(struct calls *c, const char *weight, struct buf *why)
{
	struct calltree_weight	w;
	bool			good;

	if (weight[0] == '\0')
		weight = next_weight(c->name != NULL ? c->name : "");
	good = calltree_weight_init(&w, weight, why) >= 0 && (w.kind != WEIGH_FIELD ||
	    view_check_aggregate(c->v, AGGREGATE_SUM, &w.field, weight, why));
	calltree_weight_release(&w);
	if (!good)
		return false;
	forget(c);
	mem_free(c->name);
	c->name = mem_strdup(weight);
	c->chosen = true;
	return true;
}

void
calls_compare(struct calls *c, enum comparing how)
{
	c->comparing = how;
	if (how == COMPARE_KEPT)
		(void)view_range(c->v, &c->kept_from, &c->kept_to);
	forget(c);
}

void
calls_put_comparing(const struct calls *c, struct buf *out)
{
	if (c->comparing == COMPARE_OTHER)
		buf_puts(out, c->joins == NULL ? ", B is being read" : ", A and B");
	else if (c->comparing == COMPARE_KEPT && !c->parted)
		buf_puts(out, ", mark the other range");
	else if (c->comparing == COMPARE_KEPT && c->from < c->kept_to && c->kept_from < c->to)
		buf_puts(out, ", two ranges that overlap");
	else if (c->comparing == COMPARE_KEPT)
		buf_puts(out, ", two ranges");
	else if (c->parted)
		buf_puts(out, ", range and rest");
}

void
calls_put_hidden(const struct calltree_shape *s, struct buf *out)
{
	double	share = s != NULL && s->hidden > 0 ? s->hidden / (s->hidden + s->total) : 0;

	if (share > 0)
		buf_printf(out, ", %s%.0f %% idle hidden", share < 0.01 ? "< " : "",
		    share < 0.01 ? 1 : 100 * share);
}

/* ---- fold rules */

void
calls_put_words(const struct calls *c, struct buf *out)
{
	buf_printf(out, "stacks%c", '\0');
	if (c->name != NULL || c->of != NULL)
		buf_printf(out, "--weight=%s%c", c->of != NULL ? c->of->weight.name : c->name,
		    '\0');
	for (size_t i = 0; i < folding_rules(c->rules); i++)
		buf_printf(out, "--fold-rule=%s%c", folding_rule(c->rules, i), '\0');
}

static void
put_range(const struct calls *c, int64_t from, int64_t to, struct buf *out)
{
	buf_puts(out, "--compare=");
	buf_i64(out, trace_ns(c->v->t, from));
	buf_puts(out, "ns..");
	buf_i64(out, trace_ns(c->v->t, to));
	buf_printf(out, "ns%c", '\0');
}

bool
calls_put_command(const struct calls *c, const char *form, struct buf *out)
{
	if (c->comparing == COMPARE_OTHER) {
		buf_printf(out, "diff%c%s%c", '\0', form, '\0');
		return false;
	}
	calls_put_words(c, out);
	if (c->parted && strcmp(form, "--fold") != 0) {
		put_range(c, c->from, c->to, out);
		if (c->comparing == COMPARE_KEPT)
			put_range(c, c->kept_from, c->kept_to, out);
	}
	return true;
}

bool
calls_fold(struct calls *c, const char *rule, struct buf *why)
{
	if (folding_add(c->rules, rule, why) < 0)
		return false;
	c->stamp++;
	return true;
}

void
calls_take_rules(struct calls *c, struct folding *rules)
{
	folding_free(c->rules);
	c->rules = rules;
	c->stamp++;
}

bool
calls_unfold(struct calls *c, const char *rule)
{
	size_t	n = folding_rules(c->rules), at;

	if (rule[0] != '\0' && !folding_has(c->rules, rule, &at))
		return false;
	if (rule[0] != '\0')
		folding_remove(c->rules, at);
	while (rule[0] == '\0' && folding_rules(c->rules) > 0)
		folding_remove(c->rules, 0);
	c->stamp++;
	return n > 0;
}

void
calls_fold_label(struct view *v, const struct calltree_label *l)
{
	struct buf	rule = { 0 }, why = { 0 };

	if (l == NULL || l->kind != LABEL_FRAME) {
		view_say(v, "no method under the cursor");
		return;
	}
	buf_puts(&rule, "^\\Q");
	buf_add(&rule, l->text.p, l->text.len);
	buf_puts(&rule, "\\E$");
	if (calls_fold(&v->calls, buf_str(&rule), &why))
		view_say(v, "folded (:unfold shows all frames again)");
	else
		view_say(v, "fold: %s", buf_str(&why));
	buf_release(&rule);
	buf_release(&why);
}

const char *
calls_empty(struct view *v, const struct calltree_shape *s)
{
	const struct calls	*c = &v->calls;
	const char		*remark = c->of != NULL ? calltree_remark(c->of->tree) : NULL;

	if (weighs_heap(c) && calls_busy(c))
		return "going through the heap ...";
	if (weighs_heap(c))
		return remark;
	if (c->of == NULL || calls_busy(c))
		return "summing up stacks ...";
	if (s != NULL && s->hidden > 0)
		return "all samples are of threads that wait for work (:idle shows them)";
	if (!trace_has(v->t, HAS_STACKS))
		return "this format has no stacks";
	if (v->stackless)
		return "this session records no stacks (Ctrl-T begins one that does)";
	if (remark == NULL && v->window.whole && v->filter.text == NULL)
		return "no event of this trace has a stack (tnav record and attach --profile "
		    "dotnet-sampled-thread-time record stacks)";
	return remark != NULL ? remark : "no stacks in this window and filter";
}

/*
 * Fuzz target: call trees of a whole trace of any format: all weights, all shapes, with and without
 * fold rules. What the shapes say must agree with the stacks one by one. Corpus:
 * tests/fuzz/corpus/calltree.
 */
#include "fuzz_trace.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/analysis/calltree.h"
#include "tnav/base/buf.h"

struct sum {
	uint64_t	events;
	double		weight;
};

static int
add_stack(void *arg, const struct calltree_stack *s)
{
	struct sum	*sum = arg;

	if (s->n == 0 || s->events == 0)
		abort();
	for (uint32_t i = 1; i < s->n; i++)
		if (s->frame[i].len > 0 && memchr(s->frame[i].p, ';', s->frame[i].len) != NULL)
			abort();	/* it would be read as two frames */
	sum->events += s->events;
	sum->weight += s->weight;
	return 0;
}

static bool
same(double a, double b)
{
	double	d = a < b ? b - a : a - b, size = a < 0 ? -a : a;

	return d <= 1e-6 * (size + 1) || d != d || size > 1e300;
}

/* Nodes stand behind their parents, and what is in them adds up. */
static void
check_shape(const struct calltree_shape *s, enum calltree_form form)
{
	uint64_t	events = 0;
	double		excl = 0;

	if (s->n == 0 || s->v[0].end != s->n)
		abort();
	for (uint32_t i = 0; i < s->n; i++) {
		const struct calltree_node	*n = &s->v[i], *up = &s->v[n->parent];

		if (n->label >= s->nlabels || (i > 0 && (n->parent >= i || n->end > up->end ||
		    n->depth != up->depth + 1)))
			abort();
		excl += n->excl;
		events += n->parent == 0 && i > 0 ? n->events : 0;
	}
	if (form == FORM_TOP_DOWN && (!same(excl, s->total) || events > s->v[0].events))
		abort();
	if (form == FORM_BY && !same(excl, s->total))
		abort();
}

static void
check_shapes(const struct calltree *c, const struct folding *rules)
{
	struct calltree_totals	totals;
	struct sum		sum = { 0 };
	struct buf		filter = { 0 };

	calltree_totals(c, &totals);
	(void)calltree_stacks(c, rules, add_stack, &sum);
	if (sum.events != totals.events || !same(sum.weight, totals.weight))
		abort();
	for (unsigned form = FORM_TOP_DOWN; form <= FORM_CALLEES; form++) {
		for (unsigned group = GROUP_METHOD; group <= GROUP_NAMESPACE; group++) {
			struct calltree_shape_options	 o = {
				.form = (enum calltree_form)form,
				.group = (enum calltree_group)group, .folding = rules,
				.threads = group == GROUP_MODULE, .of = "0x1000",
			};
			struct calltree_shape		*s = calltree_shape_new(c, &o);

			check_shape(s, o.form);
			for (uint32_t i = 0; i < s->nlabels && i < 64; i++) {
				buf_clear(&filter);
				(void)calltree_label_filter(&s->label[i], &filter);
			}
			calltree_shape_free(s);
		}
	}
	buf_release(&filter);
}

static void
check_weight(struct trace *t, const char *name, const struct folding *rules)
{
	struct calltree_weight	 w;
	struct calltree_options	 o = { .weight = &w };
	struct pass_options	 po = { .workers = 1 };
	struct pass_result	 result;
	struct calltree		*c;
	struct buf		 why = { 0 };

	if (calltree_weight_init(&w, name, &why) < 0)
		abort();
	c = calltree_new(t, &o);
	po.order = calltree_order(c);
	po.filter = calltree_filter(c);
	(void)pass_run(t, &po, &calltree_ops, c, &result);
	check_shapes(c, NULL);
	check_shapes(c, rules);
	calltree_free(c);
	calltree_weight_release(&w);
	buf_release(&why);
}

static void
look(struct trace *t)
{
	struct folding	*rules = folding_new();
	struct buf	 out = { 0 };

	(void)folding_add(rules, "plumbing", &out);
	(void)folding_add(rules, "^0x as code", &out);
	(void)folding_add(rules, "[a-z] as small", &out);
	for (unsigned i = 0; calltree_weight_name(i) != NULL; i++)
		check_weight(t, calltree_weight_name(i), rules);
	check_weight(t, "size", rules);
	folding_free(rules);
	buf_release(&out);
}

FUZZ_NAMED(look)

/* A report's pass that fills a call tree. */
#include "analysis/reports/calls.h"

#include "tnav/base/mem.h"

struct report_calls *
report_calls_new(const struct report_run *run, const char *weight)
{
	struct report_calls	*c = mem_zalloc(1, sizeof *c);
	struct calltree_options	 o = { .weight = &c->weight, .filter = run->o.pass.filter };

	(void)calltree_weight_init(&c->weight, weight, NULL);
	c->tree = calltree_new(run->t, &o);
	return c;
}

void
report_calls_free(struct report_calls *c)
{
	if (c == NULL)
		return;
	calltree_free(c->tree);
	calltree_weight_release(&c->weight);
	mem_free(c);
}

int
report_calls_read(struct report_calls *c, const struct report_run *run, struct pass_result *result)
{
	struct pass_options	 o = run->o.pass;
	struct calltree_totals	 t;
	int			 err;

	o.order = calltree_order(c->tree);
	o.filter = calltree_filter(c->tree);
	err = pass_run(run->t, &o, &calltree_ops, c->tree, result);
	calltree_settle(c->tree);
	calltree_totals(c->tree, &t);
	result->costly += t.costly;
	return err;
}

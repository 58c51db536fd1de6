/* A report's pass that fills a call tree. */
#include "analysis/reports/calls.h"

#include "analysis/reports/rows.h"

void
report_calls_begin(struct report_state *s, const char *weight)
{
	struct report_calls	*calls = s->own;
	struct calltree_options	 o = { .weight = &calls->weight, .filter = s->run->o.pass.filter };

	(void)calltree_weight_init(&calls->weight, weight, NULL);
	calls->tree = calltree_new(s->run->t, &o);
}

void
report_calls_release(struct report_state *s)
{
	struct report_calls	*calls = s->own;

	calltree_free(calls->tree);
	calltree_weight_release(&calls->weight);
}

int
report_calls_collect(struct report_state *s, struct pass_result *result)
{
	struct pass_options	 o = s->run->o.pass;
	struct calltree		*c = ((struct report_calls *)s->own)->tree;
	struct calltree_totals	 t;
	int			 err;

	o.order = calltree_order(c);
	o.filter = calltree_filter(c);
	err = pass_run(s->run->t, &o, &calltree_ops, c, result);
	calltree_settle(c);
	calltree_totals(c, &t);
	result->costly += t.costly;
	return err;
}

void
row_who(struct rows *r, struct field_reader *reader, uint32_t thread, const struct who_columns *c)
{
	const struct field_who	*who = thread != EVENT_NONE ? field_who(reader, thread) : NULL;

	if (who == NULL) {
		row_null(r, c->process);
		row_null(r, c->pid);
		return;
	}
	row_str(r, c->process, who->process);
	row_put(r, c->pid, who->has_pid ? cell_u64(who->pid) : cell_null());
	row_str(r, c->thread, who->name);
}

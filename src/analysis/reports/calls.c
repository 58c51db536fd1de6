/* A report's pass that fills a call tree. */
#include "analysis/reports/calls.h"

#include "analysis/reports/rows.h"

void
report_calls_begin(struct report_state *s, const char *weight)
{
	struct report_calls	*calls = s->own;
	struct calltree_options	 o = { .weight = &calls->weight, .filter = s->run->o.filter };

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
	const struct report_options	*o = &s->run->o;
	struct calltree			*c = ((struct report_calls *)s->own)->tree;
	struct calltree_totals		 t;
	const struct pass_options	 po = {
		.order = calltree_order(c), .filter = calltree_filter(c),
		.from = o->from, .to = o->to, .has_from = o->has_from, .has_to = o->has_to,
		.workers = o->workers, .tick = o->tick, .tick_arg = o->tick_arg,
	};
	int				 err = pass_run(s->run->t, &po, &calltree_ops, c, result);

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

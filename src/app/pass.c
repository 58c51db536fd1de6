/*
 * Running a pass for a subcommand, with its progress on stderr.
 */
#include "app/pass.h"

static bool
tick(struct run *s, const char *what, uint64_t done, uint64_t all)
{
	if (!s->st.tty)
		progress_tick(&s->progress, what, done, all);
	return false;
}

bool
run_tick_reading(void *run, uint64_t done, uint64_t all)
{
	return tick(run, "reading", done, all);
}

bool
run_tick_pairing(void *run, uint64_t done, uint64_t all)
{
	return tick(run, "pairing", done, all);
}

void
run_take_result(struct run *s, const struct pass_result *r)
{
	s->sel.costly += r->costly;
	if (!r->lost)
		return;
	s->lost = true;
	message_put("%s: some events can no longer be read and are skipped: the file changed "
	    "after it was opened", run_name(s));
}

int
run_pass_filter(struct run *s, enum pass_order order, const struct filter *filter,
    const struct pass_ops *ops, void *arg)
{
	const struct selection		*sel = &s->sel;
	const struct pass_options	 o = {
		.order = order,
		.filter = filter,
		.has_from = sel->has_from, .from = sel->from,
		.has_to = sel->has_to, .to = sel->to,
		.row0 = s->row0, .row1 = s->row1, .resume = s->resume,
		.few_rows = s->few_rows,
		.tick = run_tick_reading, .tick_arg = s,
	};
	struct pass_result		 result;
	int				 err = pass_run(s->t, &o, ops, arg, &result);

	run_take_result(s, &result);
	return err;
}

int
run_pass(struct run *s, enum pass_order order, const struct pass_ops *ops, void *arg)
{
	return run_pass_filter(s, order, s->sel.filter, ops, arg);
}

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

static bool
tick_reading(void *run, uint64_t done, uint64_t all)
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

struct pass_options
run_pass_options(struct run *s)
{
	return (struct pass_options){
		.filter = s->sel.filter, .has_from = s->sel.has_from, .from = s->sel.from,
		.has_to = s->sel.has_to, .to = s->sel.to,
		.tick = tick_reading, .tick_arg = s,
	};
}

int
run_pass_filter(struct run *s, enum pass_order order, const struct filter *filter,
    const struct pass_ops *ops, void *arg)
{
	struct pass_options	o = run_pass_options(s);
	struct pass_result	result;
	int			err;

	o.order = order;
	o.filter = filter;
	o.row0 = s->row0;
	o.row1 = s->row1;
	o.resume = s->resume;
	o.few_rows = s->few_rows;
	err = pass_run(s->t, &o, ops, arg, &result);
	run_take_result(s, &result);
	return err;
}

int
run_pass(struct run *s, enum pass_order order, const struct pass_ops *ops, void *arg)
{
	return run_pass_filter(s, order, s->sel.filter, ops, arg);
}

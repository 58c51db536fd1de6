/*
 * Running a pass for a subcommand, with its progress on stderr.
 */
#include "app/pass.h"

#include "tnav/base/job.h"
#include "tnav/base/mem.h"

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

/* ---- reusable states */

void
pool_init(struct pool *p)
{
	*p = (struct pool){ .lock = lock_new() };
}

void
pool_release(struct pool *p, void (*free_one)(void *state))
{
	for (size_t i = 0; i < p->n; i++)
		free_one(p->v[i]);
	mem_free(p->v);
	lock_free(p->lock);
	*p = (struct pool){ .n = 0 };
}

void *
pool_take(struct pool *p)
{
	void	*state = NULL;

	lock_take(p->lock);
	if (p->n > 0)
		state = p->v[--p->n];
	lock_drop(p->lock);
	return state;
}

void
pool_give(struct pool *p, void *state)
{
	lock_take(p->lock);
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = state;
	lock_drop(p->lock);
}

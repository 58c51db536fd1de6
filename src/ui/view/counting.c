/*
 * Counting in the background.
 *
 *	keys	hold ............ step: let go, wait, hold ............ halt
 *	job	decode, count, (wait), merge, decode, count ...		end
 *
 * The drawing thread holds the job, so nothing is merged meanwhile; a pane that is not stepped does
 * not count. Each piece notes how far it goes, so that a count by rows can continue after a halt.
 *
 * Invariant: the job and what it reads of the view (filter, window) live and end together.
 */
#include "ui/view/counting.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/deltas.h"
#include "ui/view/spanning.h"
#include "ui/view/view.h"

#define SMALL_NS	250000000	/* it takes that long on a busy machine alone */

/* ---- pieces */

struct piece {
	struct counting	*c;
	void		*state;		/* the owner's */
	uint64_t	 row;		/* after its last event */
	int64_t		 ts;		/* of that */
};

static void *
piece_begin(void *arg)
{
	struct counting	*c = arg;
	struct piece	*p = mem_zalloc(1, sizeof *p);

	p->c = c;
	p->state = c->ops.begin(c->arg);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct piece	*p = state;

	p->c->ops.add(p->state, b);
	p->row = pass_row(b, b->n - 1) + 1;
	p->ts = b->ev[b->at[b->n - 1]].ts;
}

static int
piece_merge(void *arg, void *state)
{
	struct counting	*c = arg;
	struct piece	*p = state;
	int		 r = c->ops.merge(c->arg, p->state);

	if (c->by_rows) {
		c->row0 = p->row;
		c->upto = p->ts;
	}
	mem_free(p);
	return r;
}

static void
piece_drop(void *arg, void *state)
{
	struct counting	*c = arg;
	struct piece	*p = state;

	c->ops.drop(c->arg, p->state);
	mem_free(p);
}

/* ---- the job */

static bool
make_filter(struct counting *c)
{
	const struct view	*v = c->v;
	struct buf		 expr;
	struct filter_error	 err;
	bool			 good = true;

	buf_init(&expr);
	filter_error_init(&err);
	if (c->of == COUNT_FOUND && v->search.pattern != NULL)
		view_pattern_filter(v, v->search.pattern, &expr);
	else if (c->of == COUNT_SHOWN && v->filter.text != NULL)
		buf_puts(&expr, v->filter.text);
	else if (c->of == COUNT_AROUND && v->filter.around != NULL)
		buf_puts(&expr, v->filter.around);
	if (expr.len > 0)
		good = filter_new(&c->filter, expr.p, expr.len, v->t, false, v->filter.now_ns,
		    &err) == 0;
	filter_error_release(&err);
	buf_release(&expr);
	return good;
}

static void
job_start_pass(struct counting *c)
{
	static const struct pass_ops	ops = { piece_begin, piece_add, piece_merge, piece_drop };
	const struct window		*w = &c->v->window;
	struct pass_options		 o = { .order = PASS_ANY, .resume = &c->resume,
					    .from = w->from, .to = w->to,
					    .has_from = !w->whole, .has_to = !w->whole };

	if (c->by_rows)
		o = (struct pass_options){ .order = PASS_TIME, .row0 = c->row0, .row1 = c->row1 };
	if ((c->by_rows && c->row0 >= c->row1) || !make_filter(c)) {
		c->done = true;
		return;
	}
	o.filter = c->filter;
	c->grown = false;
	c->job = pass_start(c->v->t, &o, &ops, c);
	pass_hold(c->job);
}

void
counting_halt(struct counting *c)
{
	struct pass_result	unused;

	if (c->halting != NULL)
		c->halting(c->halting_of);
	if (c->job == NULL)
		return;
	c->share = counting_share(c);
	c->done = pass_done(c->job, &unused) && !c->grown;
	pass_release(c->job);
	pass_stop(c->job);
	filter_free(c->filter);
	c->job = NULL;
	c->filter = NULL;
}

void
counting_begin_rows(struct counting *c, struct view *v, enum counted of, uint64_t row0,
    const struct pass_ops *ops, void *arg)
{
	struct counting	*next = c->next;
	bool		 known = c->v != NULL, of_deltas = c->of_deltas;

	counting_halt(c);
	*c = (struct counting){ .v = v, .of = of, .ops = *ops, .arg = arg, .by_rows = true,
	    .halting = c->halting, .halting_of = c->halting_of, .of_deltas = of_deltas,
	    .row0 = row0, .row1 = v->window.row1,
	    .upto = v->window.from, .seen = v->changes, .next = next };
	if (!known) {
		c->next = v->counting;
		v->counting = c;
	}
}

void
counting_begin(struct counting *c, struct view *v, enum counted of, const struct pass_ops *ops,
    void *arg)
{
	const struct filter	*f = of == COUNT_SHOWN ? query_filter(v->filter.q) : NULL;

	counting_begin_rows(c, v, of, v->window.row0, ops, arg);
	c->by_rows = v->complete && (!v->window.whole || c->of_deltas || filter_needs_rows(f));
	if (c->of_deltas)
		spanning_ask_deltas(v->spanning);
}

bool
counting_follow(struct counting *c)
{
	struct view	*v = c->v;

	if (v == NULL || view_changed(v, &c->seen, VIEW_ASKED) ||
	    (c->of == COUNT_FOUND && view_changed(v, &c->seen, VIEW_SEARCH)) ||
	    (c->by_rows && view_changed(v, &c->seen, VIEW_ROWS)) ||
	    (c->of_deltas && view_changed(v, &c->seen, VIEW_SPANS)))
		return true;
	if (view_changed(v, &c->seen, VIEW_INDEX)) {
		c->grown = !c->by_rows;
		c->done &= c->by_rows;
		c->seen = v->changes;
	}
	return false;
}

bool
counting_step(struct counting *c, int64_t budget_ns)
{
	if (!counting_busy(c))
		return false;
	if (c->job == NULL)
		job_start_pass(c);
	if (c->done)
		return false;
	pass_release(c->job);
	c->done = pass_await(c->job, budget_ns);
	if (c->done && c->grown) {
		pass_continue(c->job);
		c->grown = c->done = false;
	}
	pass_hold(c->job);
	if (c->done && c->v->complete)
		counting_halt(c);
	return !c->done;
}

bool
counting_first_step(struct counting *c)
{
	const struct window	*w = &c->v->window;
	uint64_t		 n = c->by_rows ? c->row1 - c->row0 : w->row1 - w->row0;

	return n <= WINDOW_SMALL ? counting_step(c, SMALL_NS) : counting_busy(c);
}

bool
counting_busy(const struct counting *c)
{
	return c->v != NULL && !c->done && !(c->of_deltas && trace_deltas(c->v->t) == NULL);
}

double
counting_share(const struct counting *c)
{
	if (c->done)
		return 1;
	return c->job != NULL ? pass_share(c->job) : c->share;
}

/* Each is told to end before one is waited for: as long as others work, none ends soon. */
void
counting_halt_all(struct view *v)
{
	for (struct counting *c = v->counting; c != NULL; c = c->next)
		if (c->job != NULL)
			pass_quit(c->job);
	for (struct counting *c = v->counting; c != NULL; c = c->next)
		counting_halt(c);
}

void
counting_release(struct counting *c)
{
	struct counting	**at;

	counting_halt(c);
	if (c->v == NULL)
		return;
	for (at = &c->v->counting; *at != c; at = &(*at)->next)
		;
	*at = c->next;
	c->v = NULL;
}

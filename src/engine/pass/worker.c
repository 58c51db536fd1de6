/*
 * A worker of a pass: it reads events and passes those that match to ops->add.
 *
 *	events -> at: those in the window -> at: those that match -> ops->add
 *
 * Invariant: a piece gets a state when its first event matches.
 */
#include "engine/pass/worker.h"

#include "tnav/base/mem.h"

#define COSTLY_BATCH	64u		/* events with a costly filter between two ticks */

/* ---- states of pieces */

void
states_init(struct piece_states *s, const struct pass_ops *ops, void *arg)
{
	*s = (struct piece_states){ .ops = ops, .arg = arg };
	spares_init(&s->spare);
}

void
states_release(struct piece_states *s)
{
	for (void *state = spares_take(&s->spare); state != NULL; state = spares_take(&s->spare))
		s->ops->free(state);
	spares_release(&s->spare);
}

static void *
states_take(struct piece_states *s)
{
	void	*state = spares_take(&s->spare);

	return state != NULL ? state : s->ops->begin(s->arg);
}

void
states_give(struct piece_states *s, void *state)
{
	if (state == NULL)
		return;
	if (s->ops->clear == NULL) {
		s->ops->free(state);
		return;
	}
	s->ops->clear(state);
	spares_give(&s->spare, state);
}

void
states_keep(struct piece_states *s, void *state)
{
	if (state != NULL)
		spares_give(&s->spare, state);
}

int
states_merge(struct piece_states *s)
{
	void	*state = spares_take(&s->spare);
	int	 err = 0;

	for (; state != NULL && err == 0; state = spares_take(&s->spare)) {
		err = s->ops->merge(s->arg, state);
		s->ops->free(state);
	}
	if (state != NULL)
		s->ops->free(state);
	return err;
}

/* ---- workers */

void
worker_init(struct pass_worker *w, struct trace *t, const struct pass_options *o, bool by_rows)
{
	w->t = t;
	w->o = o;
	if (o->filter != NULL) {
		w->eval = filter_eval_new(o->filter, t);
		w->sieve = sieve_new(o->filter, w->eval, t);
	}
	w->at = mem_alloc(SCAN_SEGMENT * sizeof *w->at);
	if (by_rows)
		return;
	w->ev = mem_alloc(SCAN_SEGMENT * sizeof *w->ev);
	w->resolver = resolver_new(t);
}

void
worker_release(struct pass_worker *w)
{
	sieve_free(w->sieve);
	filter_eval_free(w->eval);
	resolver_free(w->resolver);
	decoded_release(&w->decoded);
	mem_free(w->ev);
	mem_free(w->at);
	order_room_release(&w->order);
}

static uint32_t
worker_all(struct pass_worker *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		w->at[i] = i;
	return n;
}

uint32_t
worker_window(struct pass_worker *w, const struct event *ev, uint32_t n)
{
	const struct pass_options	*o = w->o;
	uint32_t			 kept = 0;

	if (!pass_is_bounded(o))
		return worker_all(w, n);
	for (uint32_t i = 0; i < n; i++)
		if (pass_has(o, ev[i].ts))
			w->at[kept++] = i;
	return kept;
}

/* Keep the events of w->at that match. A costly filter gets small batches, with ticks between. */
static uint32_t
worker_match(struct pass_worker *w, const struct event *ev, uint32_t n, uint64_t row0)
{
	uint32_t	batch = filter_batch(w->o->filter) > 1 ? n : COSTLY_BATCH, kept = 0;

	for (uint32_t i = 0; i < n && !atomic_load(w->stop); i += batch) {
		uint32_t	some = n - i < batch ? n - i : batch, got;

		got = filter_match_some(w->eval, ev, w->at + i, some, row0, w->stop);
		for (uint32_t k = 0; k < got; k++)
			w->at[kept++] = w->at[i + k];
		if (w->tick != NULL)
			w->tick(w->tick_arg);
	}
	return kept;
}

bool
worker_may(struct pass_worker *w, const struct segment *g)
{
	return pass_touches(w->o, g->tmin, g->tmax) &&
	    (w->sieve == NULL || sieve_segment(w->sieve, g));
}

uint32_t
worker_sift(struct pass_worker *w, const struct segment *g, const struct event *ev, uint32_t n)
{
	if (w->tick != NULL)
		w->tick(w->tick_arg);
	n = pass_has(w->o, g->tmin) && pass_has(w->o, g->tmax) ? worker_all(w, n) :
	    worker_window(w, ev, n);
	if (w->sieve != NULL && sieve_all(w->sieve))
		return n;
	if (w->sieve != NULL)
		n = sieve_events(w->sieve, ev, w->at, n);
	return w->eval != NULL ? worker_match(w, ev, n, ROW_UNKNOWN) : n;
}

void
worker_give(struct pass_worker *w, struct piece *pc, const struct pass_batch *b)
{
	if (b->n == 0 || atomic_load(w->stop))
		return;
	if (pc->state == NULL)
		pc->state = states_take(w->states);
	w->states->ops->add(pc->state, b);
}

void
worker_add(struct pass_worker *w, struct piece *pc, const struct event *ev, uint32_t n,
    uint64_t row0)
{
	if (w->tick != NULL)
		w->tick(w->tick_arg);
	if (n > 0 && w->eval != NULL)
		n = worker_match(w, ev, n, row0);
	worker_give(w, pc, &(struct pass_batch){ .ev = ev, .at = w->at, .n = n, .row0 = row0 });
}

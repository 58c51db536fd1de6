/*
 * The last event of each thread before a stretch of rows: a pass in time order.
 *
 *	piece	its threads, and the last event of each
 *	merge	a thread is new in the stretch -> its last event so far is listed before it
 *
 * Invariant: stretches begin where pieces begin, and follow each other by rows. A thread is listed
 * once before a stretch, if it has events in the stretch and had some before.
 */
#include <string.h>

#include "engine/stretches.h"
#include "tnav/base/array.h"
#include "tnav/base/idmap.h"
#include "tnav/base/mem.h"

/*
 * A stretch ends when it has so many rows. To read a piece of a pass, the events of its stretch
 * must be read from the start; the lists before stretches take memory by their number and by
 * threads.
 */
#define STRETCH_ROWS	8192u

/* The state of a thread while pieces are merged. */
struct met {
	int64_t		last;
	size_t		stretch;	/* 1 + the stretch of its last event; 0: none so far */
};

struct previous {
	struct deltas	*d;
	struct met	*met;		/* by thread */
	size_t		 nmet;
};

struct previous_piece {
	struct last_event	*v;
	size_t			 n, cap;
	struct idmap		 by_thread;
	uint32_t		 at;		/* index of the previous event */
	uint64_t		 row0;
	uint32_t		 rows;
	struct order_key	 first, last;
};

/* ---- a piece */

static void *
piece_begin(void *arg)
{
	struct previous_piece	*p = mem_zalloc(1, sizeof *p);

	(void)arg;
	return p;
}

static struct last_event *
last_of(struct previous_piece *p, uint32_t thread)
{
	if ((p->at < p->n && p->v[p->at].thread == thread) ||
	    idmap_get(&p->by_thread, thread, 0, &p->at))
		return &p->v[p->at];
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n] = (struct last_event){ .thread = thread };
	p->at = (uint32_t)p->n;
	idmap_set(&p->by_thread, thread, 0, p->at);
	return &p->v[p->n++];
}

static struct order_key
place_of(const struct event *e)
{
	return (struct order_key){ .ts = e->ts, .off = e->off };
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct previous_piece	*p = state;
	const struct event	*last = &b->ev[b->at[b->n - 1]];

	if (p->rows == 0) {
		p->row0 = pass_row(b, 0);
		p->first = place_of(&b->ev[b->at[0]]);
	}
	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];

		if (e->thread != EVENT_NONE)
			last_of(p, e->thread)->ts = e->ts;
	}
	p->last = place_of(last);
	p->rows = (uint32_t)(pass_row(b, b->n - 1) + 1 - p->row0);
}

static void
piece_free(void *state)
{
	struct previous_piece	*p = state;

	idmap_release(&p->by_thread);
	mem_free(p->v);
	mem_free(p);
}

/* ---- all of them */

static struct stretch *
stretch_of(struct deltas *d, const struct previous_piece *p)
{
	struct stretch	*last = d->n > 0 ? &d->v[d->n - 1] : NULL;

	/* Rows that can't be read end a stretch. */
	if (last != NULL && last->n < STRETCH_ROWS && last->row0 + last->n == p->row0)
		return last;
	d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n] = (struct stretch){ .row0 = p->row0, .before = d->nbefore, .first = p->first };
	return &d->v[d->n++];
}

static void
put_before(struct deltas *d, struct stretch *s, uint32_t thread, int64_t ts)
{
	ARRAY_ADD(d->before, d->nbefore, d->before_cap, (struct last_event){
	    .thread = thread, .ts = ts });
	s->nbefore++;
}

static int
piece_merge(void *arg, void *state)
{
	struct previous		*all = arg;
	struct previous_piece	*p = state;
	struct stretch		*s = stretch_of(all->d, p);

	for (size_t i = 0; i < p->n; i++) {
		uint32_t	 thread = p->v[i].thread;
		struct met	*m;

		all->met = array_reach(all->met, &all->nmet, thread, sizeof *all->met);
		m = &all->met[thread];
		if (m->stretch != 0 && m->stretch != all->d->n)
			put_before(all->d, s, thread, m->last);
		*m = (struct met){ .last = p->v[i].ts, .stretch = all->d->n };
	}
	s->n = (uint32_t)(p->row0 + p->rows - s->row0);
	s->last = p->last;
	return 0;
}

int
deltas_new(struct deltas **out, struct trace *t, const struct pass_options *o,
    struct pass_result *result)
{
	static const struct pass_ops	ops = {
		.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = piece_free,
	};
	struct previous			all = { .d = mem_zalloc(1, sizeof *all.d) };
	struct pass_options		po = *o;
	int				r;

	po.order = PASS_TIME;
	r = pass_run(t, &po, &ops, &all, result);
	mem_free(all.met);
	if (r != 0) {
		deltas_free(all.d);
		all.d = NULL;
	}
	*out = all.d;
	return r;
}

/*
 * The timeline of a trace, from its events and its spans.
 *
 *	spans are known beforehand (tnav/analysis/spans.h), by the rows of their events
 *	events	row 4 -> begins span 0: a slice		row 9 -> ends it: nothing more
 *		row 5 -> a counter's value		row 6 -> an instant
 *	ends	of open slices, the earliest first	between the events
 *	losses	in the order of their begins		likewise
 *
 * A slice nests on its thread if its span belongs to the thread, and it ends before those do that
 * are open there. Others are activities: they go on whatever the thread does.
 *
 * Memory follows the open slices. Time never goes back: where events do, slices begin later.
 */
#include <string.h>

#include "analysis/spans/label.h"
#include "analysis/timeline/private.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/heap.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/spans.h"
#include "tnav/engine/thread_names.h"
#include "tnav/model/json.h"
#include "tnav/model/value.h"

#define ACTIVE_LEAST	4096u

struct ongoing {
	int64_t			to;		/* ticks */
	struct timeline_slice	s;
	uint8_t			activity[16];	/* if others name it as their cause */
	char			*name;		/* of a loss */
};

/* An activity whose slice may be the cause of others. */
struct active {
	uint8_t		id[16];
	bool		open;
	struct timeline_cause as;
};

/* The texts of the spans of a name. */
struct span_texts {
	struct buf	name;		/* empty: not made yet */
	struct span	category;
};

struct timeline_merge {
	struct trace			*t;
	const struct pass_options	*o;
	const struct timeline_ops	*ops;
	void				*self;
	struct timeline_totals		*totals;
	struct tracks			 tracks;
	struct spans			*spans;
	bool				 lost;		/* some spans could not be read */
	uint64_t			 next_span;
	struct span_texts		*names;
	struct gap			*gap;
	size_t				 ngaps, next_gap;
	int64_t				 base;		/* ns of the first moment */
	int64_t				 now;		/* ticks */
	struct ongoing		**open;		/* a heap: the earliest end first */
	size_t				 nopen, open_cap;
	uint64_t			 ids;		/* slices so far */
	struct active			*active;
	size_t				 nactive, active_cap, nactive_open;
	struct hashtable		 by_activity;
	struct buf			 args, text;	/* scratch */
};

static uint64_t
ns_of(const struct timeline_merge *m, int64_t ts)
{
	int64_t	ns = trace_ns(m->t, ts);

	return ns > m->base ? (uint64_t)ns - (uint64_t)m->base : 0;
}

/* Describe a track, and the first one of its process. */
static int
use_track(struct timeline_merge *m, uint32_t track)
{
	struct track		*k = &m->tracks.v[track];
	struct timeline_track	 d = { .track = track, .pid = k->pid, .tid = k->tid };
	struct thread_names	 w = { .name = NULL };
	struct thread_stat	 s = { .name = NULL };

	if (k->named)
		return ERR_OK;
	k->named = true;
	if (k->thread < m->tracks.threads) {
		trace_thread(m->t, k->thread, &s);
		trace_thread_names(m->t, k->thread, &w);
	}
	s.name = s.name != NULL ? s.name : w.name != NULL ? w.name : w.label;
	if (s.name != NULL)
		d.name = span_of(s.name);
	if (w.process != NULL)
		d.process = span_of(w.process);
	d.first = !m->tracks.v[k->process].process_named;
	m->tracks.v[k->process].process_named = true;
	return m->ops->track(m->self, &d);
}

/* ---- activities that are causes */

/* The entry of an activity, which may have ended: there is one at most. */
static struct active *
active_entry(struct timeline_merge *m, const uint8_t id[16])
{
	uint64_t	hash = hash_bytes(id, 16);

	HASHTABLE_EACH(&m->by_activity, hash, i)
		if (memcmp(m->active[*i].id, id, 16) == 0)
			return &m->active[*i];
	return NULL;
}

static struct active *
active_find(struct timeline_merge *m, const uint8_t id[16])
{
	struct active	*a = active_entry(m, id);

	return a != NULL && a->open ? a : NULL;
}

/* Forget the ones that have ended, once these are most. */
static void
active_trim(struct timeline_merge *m)
{
	size_t	n = 0;

	if (m->nactive < ACTIVE_LEAST || m->nactive < 2 * m->nactive_open)
		return;
	hashtable_clear(&m->by_activity);
	for (size_t i = 0; i < m->nactive; i++) {
		if (!m->active[i].open)
			continue;
		m->active[n] = m->active[i];
		hashtable_add(&m->by_activity, hash_bytes(m->active[n].id, 16), (uint32_t)n);
		n++;
	}
	m->nactive = n;
}

static void
active_add(struct timeline_merge *m, const uint8_t id[16], const struct timeline_slice *s)
{
	struct active	*a;

	active_trim(m);
	a = active_entry(m, id);
	if (a == NULL) {
		m->active = mem_grow(m->active, &m->active_cap, m->nactive + 1,
		    sizeof *m->active);
		a = &m->active[m->nactive];
		hashtable_add(&m->by_activity, hash_bytes(id, 16), (uint32_t)m->nactive++);
	}
	*a = (struct active){ .open = true, .as = { s->flow, s->track, s->ns } };
	memcpy(a->id, id, 16);
	m->nactive_open++;
}

static void
active_end(struct timeline_merge *m, const struct ongoing *x)
{
	struct active	*a = x->s.flow != 0 ? active_find(m, x->activity) : NULL;

	if (a == NULL || a->as.flow != x->s.flow)
		return;
	a->open = false;
	m->nactive_open--;
}

/* What caused the slice, and what it may be the cause of. */
static void
relate(struct timeline_merge *m, const struct timeline_item *e, struct ongoing *x)
{
	const struct active	*cause = e->has_related ? active_find(m, e->related) : NULL;

	if (cause != NULL && cause->as.track == x->s.track && x->s.nests)
		cause = NULL;		/* it lies within it */
	if (cause != NULL)
		x->s.cause = cause->as;
	m->totals->causes += cause != NULL;
	if (!e->has_activity || active_find(m, e->activity) != NULL)
		return;			/* it only happened within the activity */
	x->s.flow = x->s.id;
	memcpy(x->activity, e->activity, 16);
	active_add(m, e->activity, &x->s);
}

/* ---- open slices */

static bool
ends_before(const struct ongoing *a, const struct ongoing *b)
{
	return a->to != b->to ? a->to < b->to : a->s.id > b->s.id;
}

HEAP(open, struct ongoing *, struct timeline_merge, ends_before(a, b))

static void
open_free(struct ongoing *x)
{
	mem_free(x->name);
	mem_free(x);
}

/* End the slices that end at the time or before it. */
static int
end_slices(struct timeline_merge *m, int64_t ts)
{
	int	err = ERR_OK;

	while (m->nopen > 0 && m->open[0]->to <= ts) {
		struct ongoing	*x = open_pop(m, m->open, --m->nopen);

		if (err == ERR_OK)
			err = m->ops->slice_end(m->self, &x->s);
		active_end(m, x);
		open_free(x);
	}
	return err;
}

static void
place(struct timeline_merge *m, struct ongoing *x, uint32_t thread, int64_t from, int64_t to,
    bool nests)
{
	from = from > m->now ? from : m->now;
	to = to > from ? to : from;
	x->to = to;
	x->s.id = ++m->ids;
	x->s.track = tracks_of(&m->tracks, thread);
	x->s.ns = ns_of(m, from);
	x->s.end = ns_of(m, to);
	x->s.nests = nests && track_nest(&m->tracks.v[x->s.track], from, to);
}

static int
start_slice(struct timeline_merge *m, struct ongoing *x)
{
	int	err = use_track(m, x->s.track);

	if (err == ERR_OK)
		err = m->ops->slice(m->self, &x->s);
	x->s.args.len = 0;
	m->open = mem_grow(m->open, &m->open_cap, m->nopen + 1, sizeof *m->open);
	open_push(m, m->open, m->nopen++, x);
	return err;
}

/* ---- losses */

static int
start_loss(struct timeline_merge *m, const struct gap *g, int64_t from, int64_t to)
{
	struct ongoing	*x;
	int			 err = end_slices(m, from);

	if (err != ERR_OK)
		return err;
	m->now = from > m->now ? from : m->now;
	x = mem_zalloc(1, sizeof *x);
	place(m, x, g->thread, from, to, true);
	buf_clear(&m->text);
	buf_counts(&m->text, "# event{s} lost", g->lost);
	x->name = mem_strdup(buf_str(&m->text));
	x->s.name = span_of(x->name);
	x->s.lane = span_of("lost events");
	x->s.category = span_of("loss");
	m->totals->losses++;
	return start_slice(m, x);
}

/* Begin the losses of the window that begin before the time. */
static int
start_losses(struct timeline_merge *m, int64_t ts)
{
	const struct pass_options	*o = m->o;
	int				 err = ERR_OK;

	for (; m->next_gap < m->ngaps && err == ERR_OK; m->next_gap++) {
		const struct gap	*g = &m->gap[m->next_gap];
		int64_t			 from = g->from, to = g->to;

		if (o->has_from && from < o->from)
			from = o->from;
		if (from >= ts && ts != INT64_MAX)
			break;
		if (o->has_to && to > o->to)
			to = o->to;
		if (from < to || (from == to && from == g->to))
			err = start_loss(m, g, from, to);
	}
	return err;
}

/* ---- spans */

/* The name of the spans of this name: of the table of pairs, else as their label has it. */
static const struct span_texts *
texts_of(struct timeline_merge *m, const struct span_record *r)
{
	const struct span_name	*n = spans_name(m->spans, r->name);
	struct span_texts	*x = &m->names[r->name];

	if (x->name.len > 0)
		return x;
	if (pair_of(n) != NULL)
		buf_puts(&x->name, n->group);
	else if ((r->flags & SPAN_NATIVE) != 0)
		buf_puts(&x->name, n->name);
	else
		spans_label(m->spans, r, &x->name);
	if (x->name.len == 0)
		buf_putc(&x->name, '?');
	x->category = span_of(n->provider[0] != '\0' ? n->provider : n->group);
	return x;
}

/* {"label":"GC #7 Gen2","payload":{...}} */
static struct span
args_of_span(struct timeline_merge *m, const struct span_record *r, struct span payload)
{
	struct buf	*b = &m->args;
	const char	*state = r->state != SPAN_PAIRED ? span_state_name(r->state) : NULL;

	buf_clear(b);
	json_open(b, '{');
	if (state != NULL) {
		json_key(b, "unmatched");
		json_str(b, state);
	} else if ((r->flags & SPAN_DOUBTFUL) != 0) {
		json_key(b, "doubtful");
		json_str(b, "events were lost in between");
	}
	if (pair_of(spans_name(m->spans, r->name)) != NULL) {
		buf_clear(&m->text);
		spans_label(m->spans, r, &m->text);
		json_key(b, "label");
		json_text8(b, span_of_buf(&m->text));
	}
	if (payload.len > 0) {
		json_key(b, "payload");
		buf_span(b, payload);
	}
	json_close(b, '}');
	return b->len > 2 ? span_of_buf(b) : (struct span){ .len = 0 };
}

static int
give_instant(struct timeline_merge *m, const struct timeline_item *e, struct span name,
    struct span category, struct span args)
{
	struct timeline_instant	i = { tracks_of(&m->tracks, e->thread), ns_of(m, e->ts), name,
				    category, args };
	int			err = use_track(m, i.track);

	m->totals->instants++;
	return err == ERR_OK ? m->ops->instant(m->self, &i) : err;
}

static int
start_span(struct timeline_merge *m, const struct span_record *r, const struct timeline_item *e,
    struct span payload)
{
	const struct span_texts	*n = texts_of(m, r);
	struct span		 args = args_of_span(m, r, payload);
	bool			 nests = (r->flags & (SPAN_BY_THREAD | SPAN_NATIVE)) != 0;
	struct ongoing	*x;

	if (r->state != SPAN_PAIRED) {
		m->totals->unmatched++;
		return give_instant(m, e, span_of_buf(&n->name), n->category, args);
	}
	x = mem_zalloc(1, sizeof *x);
	place(m, x, r->thread, r->start, r->stop, nests &&
	    (r->stop_thread == r->thread || (r->flags & SPAN_NATIVE) != 0));
	x->s.name = span_of_buf(&n->name);
	x->s.lane = x->s.name;
	x->s.category = n->category;
	x->s.args = args;
	relate(m, e, x);
	m->totals->slices++;
	return start_slice(m, x);
}

static uint64_t
first_row(const struct span_record *r)
{
	return r->row != SPAN_NO_ROW ? r->row : r->stop_row;
}

static int
by_end(const void *a, const void *b)
{
	const struct span_record	*x = *(const struct span_record *const *)a;
	const struct span_record	*y = *(const struct span_record *const *)b;
	int64_t				 s = x->state == SPAN_PAIRED ? x->stop : INT64_MIN;
	int64_t				 t = y->state == SPAN_PAIRED ? y->stop : INT64_MIN;

	return (s < t) - (s > t);
}

/* Begin the spans whose first event this is, the longest first. *n: how many. */
static int
start_spans(struct timeline_merge *m, const struct timeline_item *e, struct span payload,
    unsigned *n)
{
	const struct span_record	*r[SPANS_AT_EVENT];
	int				 err = ERR_OK;

	*n = 0;
	for (; m->next_span < spans_count(m->spans); m->next_span++) {
		const struct span_record	*x = spans_at(m->spans, m->next_span);

		if (first_row(x) > e->row)
			break;
		if (first_row(x) == e->row && *n < SPANS_AT_EVENT)
			r[(*n)++] = x;
	}
	sort_array(r, *n, sizeof *r, by_end);
	for (unsigned i = 0; i < *n && err == ERR_OK; i++)
		err = start_span(m, r[i], e, payload);
	return err;
}

/* ---- events */

static int
give_event(struct timeline_merge *m, const struct timeline_item *e, struct span payload)
{
	const struct event_type	*type = trace_type(m->t, e->type);
	struct buf		*b = &m->args;

	buf_clear(b);
	if (payload.len > 0) {
		json_open(b, '{');
		json_key(b, "payload");
		buf_span(b, payload);
		json_close(b, '}');
	}
	return give_instant(m, e, span_of(type->name[0] != '\0' ? type->name : "?"),
	    span_of(type->provider), span_of_buf(b));
}

static int
give_counter(struct timeline_merge *m, const struct timeline_item *e, struct span name)
{
	uint32_t	track = m->tracks.v[tracks_of(&m->tracks, e->thread)].process;
	int		err = use_track(m, track);

	m->totals->counters++;
	return err == ERR_OK ?
	    m->ops->counter(m->self, track, ns_of(m, e->ts), name, e->value) : err;
}

static int
give_item(struct timeline_merge *m, const struct timeline_item *e, struct span text)
{
	int		err = start_losses(m, e->ts);
	unsigned	n = 0;
	uint64_t	span;

	m->now = e->ts > m->now ? e->ts : m->now;
	if (err == ERR_OK)
		err = end_slices(m, m->now);
	if (err == ERR_OK && e->is_counter)
		return give_counter(m, e, text);
	if (err == ERR_OK)
		err = start_spans(m, e, text, &n);
	if (err != ERR_OK || n > 0 || spans_stop_at(m->spans, e->row, &span))
		return err;
	return give_event(m, e, text);
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct timeline_merge	*m = arg;

	return timeline_piece_new(m->t);
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	timeline_piece_add(state, b);
}

static int
piece_merge(void *arg, void *state)
{
	struct timeline_merge		*m = arg;
	struct timeline_piece	*p = state;
	int			 err = ERR_OK;

	for (size_t i = 0; i < p->n && err == ERR_OK; i++) {
		struct span	text = span_of_buf_from(&p->texts, p->v[i].text);

		text.len = p->v[i].end - p->v[i].text;
		err = give_item(m, &p->v[i], text);
	}
	return err;
}

static void
piece_clear(void *state)
{
	timeline_piece_clear(state);
}

static void
piece_free(void *state)
{
	timeline_piece_free(state);
}

static const struct pass_ops	timeline_pass = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

static int
find_spans(struct timeline_merge *m, struct pass_result *result)
{
	int	err;

	m->spans = spans_new(m->t);
	err = spans_build(m->spans, &(struct spans_options){ .pass = *m->o }, result);
	m->lost = result->lost;
	m->names = mem_zalloc((size_t)spans_names(m->spans) + 1, sizeof *m->names);
	return err;
}

static int
give_all(struct timeline_merge *m, struct pass_result *result)
{
	struct pass_options	po = *m->o;
	int			err = ERR_OK;

	po.order = PASS_TIME;
	po.few_rows = true;
	if (m->ops->begin != NULL)
		err = m->ops->begin(m->self);
	if (err == ERR_OK)
		err = pass_run(m->t, &po, &timeline_pass, m, result);
	result->lost |= m->lost;
	if (err == ERR_OK)
		err = start_losses(m, INT64_MAX);
	if (err == ERR_OK)
		err = end_slices(m, INT64_MAX);
	if (err == ERR_OK && m->ops->end != NULL)
		err = m->ops->end(m->self);
	return err;
}

static void
timeline_init(struct timeline_merge *m)
{
	int64_t	first, last;

	m->now = INT64_MIN;
	tracks_init(&m->tracks, m->t);
	m->ngaps = trace_gaps(m->t, &m->gap);
	if (trace_range(m->t, &first, &last) && trace_ns(m->t, first) < 0)
		m->base = trace_ns(m->t, first);
}

static void
timeline_release(struct timeline_merge *m)
{
	for (size_t i = 0; i < m->nopen; i++)
		open_free(m->open[i]);
	for (uint32_t i = 0; m->names != NULL && i < spans_names(m->spans); i++)
		buf_release(&m->names[i].name);
	tracks_release(&m->tracks);
	spans_free(m->spans);
	hashtable_release(&m->by_activity);
	buf_release(&m->args);
	buf_release(&m->text);
	mem_free(m->names);
	mem_free(m->gap);
	mem_free(m->open);
	mem_free(m->active);
}

int
timeline_give(struct trace *t, const struct pass_options *o, const struct timeline_ops *ops,
    void *self, struct timeline_totals *totals, struct pass_result *result)
{
	struct timeline_merge	m = { .t = t, .o = o, .ops = ops, .self = self, .totals = totals };
	int		err;

	*totals = (struct timeline_totals){ .slices = 0 };
	timeline_init(&m);
	err = find_spans(&m, result);
	if (err == ERR_OK)
		err = give_all(&m, result);
	timeline_release(&m);
	return err;
}

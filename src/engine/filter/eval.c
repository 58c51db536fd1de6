/*
 * The evaluator of the filter language: decides whether an event matches the parser's tree.
 *
 *	type   ->  plan: for each node false, true, or MAYBE (made once per type)
 *	thread ->  terms that depend on the thread alone (decided once per thread)
 *	event  ->  the MAYBE nodes only; each term probes the values of its field
 *
 * A field has no value (it is absent), one, or several (two names, array elements, frames). A term
 * is true if any of them matches; a negated term is true if there are values and none matches.
 * Events with labels have a plan of their own, because labels may override fields of the type (V6).
 *
 * Invariant: a plan never changes once made, because types never do. The filter is only read.
 */
#include "engine/filter/eval.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "engine/field/reader.h"
#include "engine/filter/fast.h"
#include "engine/filter/probe.h"
#include "engine/filter/stacks.h"
#include "engine/filter/values.h"
#include "tnav/model/path.h"

#define BATCH		256u
#define THREAD_TERMS	8u	/* terms whose results are cached by thread */

enum tri { TRI_FALSE = 0, TRI_TRUE = 1, TRI_MAYBE = 2 };

struct type_plan {
	const struct event_type	*type;
	uint32_t		 lone;		/* 1 + the only term that needs the event; or 0 */
	bool			 labelled;	/* for events with labels */
	bool			 costly;	/* a pattern was too costly on the type's names */
	uint8_t			 node[];	/* enum tri by node index */
};

/* The part of a plan that is read for each event. */
struct type_verdict {
	const struct type_plan	*plan;		/* NULL: not made yet */
	struct fast_term	*lone;		/* the only term that needs the event, or NULL */
	struct payload_place	 place;		/* place of its number; width 0: not known */
	uint8_t			 tri;		/* enum tri */
};

struct filter_eval {
	const struct filter	*f;
	struct trace		*t;
	struct filter_values	 v;
	struct fast_term	*fast;		/* by term */
	struct regex_match	*thread_match;	/* a separate budget for threads, if needed */
	uint64_t		 generation;	/* of the trace, when names were last read */
	struct type_plan	**plans;	/* two per type: without labels, and with */
	size_t			 nplans;
	struct type_verdict	*verdict;	/* two per type */
	size_t			 nverdict;
	uint64_t		 costly;
	struct text_search	*search;	/* for its patterns, or NULL */
	bool			 has_labels;
};

struct filter_eval *
filter_eval_new(const struct filter *f, struct trace *t)
{
	struct filter_eval	*e = mem_zalloc(1, sizeof *e);

	e->f = f;
	e->t = t;
	values_init(&e->v, f, t);
	e->search = text_search_new(f, t, e->v.reader);
	e->has_labels = trace_has(t, HAS_LABELS);
	e->generation = trace_generation(t);
	e->fast = mem_zalloc(f->nterms + 1, sizeof *e->fast);
	for (size_t i = 0, threads = 0; i < f->nterms; i++) {
		fast_term_init(&e->fast[i], &f->terms[i], t, threads < THREAD_TERMS);
		threads += e->fast[i].way == WAY_THREAD;
	}
	return e;
}

void
filter_eval_free(struct filter_eval *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->nplans; i++)
		mem_free(e->plans[i]);
	mem_free(e->plans);
	mem_free(e->verdict);
	for (size_t i = 0; i < e->f->nterms; i++)
		fast_term_release(&e->fast[i]);
	mem_free(e->fast);
	text_search_free(e->search);
	values_release(&e->v);
	regex_match_free(e->thread_match);
	mem_free(e);
}

/* A bad pattern can take more than a tenth of a second on one long text: then batches are small. */
uint32_t
filter_batch(const struct filter *f)
{
	return f != NULL && f->nodes[f->root].cost >= COST_TEXT ? 1 : BATCH;
}

static unsigned
term_needs(const struct filter_term *term, struct trace *t)
{
	unsigned	needs = field_needs(&term->ref, t) | term->derived;

	return term_needs_names(term) ? needs | NEEDS_SYMBOLS : needs;
}

unsigned
filter_needs(const struct filter *f, struct trace *t)
{
	unsigned	needs = 0;

	for (size_t i = 0; f != NULL && i < f->nterms; i++)
		needs |= term_needs(&f->terms[i], t);
	return needs;
}

/* Is it a name of a thread, and not its id? */
static bool
names_thread(const struct filter_term *t)
{
	bool	names = t->op == FO_EQ && strcmp(t->ref.def->name, "thread") == 0;

	for (size_t i = 0; i < t->nlits && names; i++)
		names = t->lits[i].num.kind == NUM_NONE;
	return names;
}

bool
filter_is_immediate(const struct filter *f, unsigned has, struct buf *why)
{
	for (size_t i = 0; i < f->nterms; i++) {
		const struct filter_term	*t = &f->terms[i];
		const struct field_def		*d = t->ref.def;

		if ((d->needs & ~has) != 0 && d->span == NULL) {
			buf_printf(why, "no event has %s", d->name);
			return false;
		}
		if ((has & HAS_INDEXES) == 0 && names_thread(t)) {
			buf_puts(why, "a running program sends no names of threads; "
			    "tid = NUMBER works");
			return false;
		}
		if (strcmp(d->name, "file") == 0) {
			buf_puts(why, "file is the same for all events of a recording");
			return false;
		}
		if (term_needs(t, NULL) != 0 || (d->flags & FIELD_ROWS) != 0) {
			buf_printf(why, "%s%s is known only for a whole trace", d->name,
			    t->op == FO_WITHIN ? " within" : "");
			return false;
		}
	}
	return true;
}

bool
filter_is_activity(const struct filter *f)
{
	const struct filter_term	*t = f->terms;

	if (f->nodes[f->root].kind != NODE_TERM || t->negate || t->nlits != 1 ||
	    (t->op != FO_EQ && t->op != FO_UNDER && t->op != FO_WITHIN))
		return false;
	if (t->ref.def->kind == FIELD_LABEL)
		return strcmp(t->ref.path, "TraceId") == 0 || strcmp(t->ref.path, "SpanId") == 0;
	return strcmp(t->ref.def->name, "activity") == 0;
}

bool
filter_needs_rows(const struct filter *f)
{
	for (size_t i = 0; f != NULL && i < f->nterms; i++)
		if ((f->terms[i].ref.def->flags & FIELD_ROWS) != 0)
			return true;
	return false;
}

uint64_t
filter_costly(const struct filter_eval *e)
{
	return e->costly;
}

uint64_t
filter_steps(const struct filter_eval *e)
{
	return e->v.env.steps;
}

/* ---- terms */

/* Decide a term by the type alone, if possible. */
static enum tri
term_on_type(struct filter_eval *e, const struct filter_term *term, const struct type_plan *plan)
{
	const struct field_def		*d = term->ref.def;
	const struct event_type		*type = plan->type;
	const struct event		 any = { .type = type->index, .thread = EVENT_NONE,
					     .capture = EVENT_NONE };
	struct probe			 p = { .env = &e->v.env, .term = term };

	if (d->kind == FIELD_LABEL)
		return plan->labelled ? TRI_MAYBE : TRI_FALSE;
	if (d->kind == FIELD_PAYLOAD)
		return path_in_type(term->ref.path, type) ? TRI_MAYBE : TRI_FALSE;
	if (!field_in_trace(d, e->t) && d->also == NULL)
		return TRI_FALSE;
	if (d->of != OF_TYPE && (d->of != OF_META || plan->labelled))
		return TRI_MAYBE;
	values_header(&e->v, &p, &any, ROW_UNKNOWN);
	return probe_result(&p) ? TRI_TRUE : TRI_FALSE;
}

/* Match the term with the values of the event, the general way. */
static bool
match_values(struct filter_eval *e, const struct filter_term *term, const struct event *ev,
    uint64_t row)
{
	struct probe	p = { .env = &e->v.env, .term = term };

	if (term->ref.def->kind == FIELD_LABEL)
		values_labels(&e->v, &p, ev);
	else
		values_header(&e->v, &p, ev, row);
	return probe_result(&p);
}

/* Decide a thread, with a separate budget, because all events of the thread get this result. */
static uint8_t
decide_thread(struct filter_eval *e, const struct filter_term *term, const struct event *ev)
{
	struct regex_match	*match = e->v.env.match;
	bool			 fresh = e->v.env.fresh, limit_hit = e->v.env.limit_hit;
	bool			 hit, costly;

	if (e->thread_match == NULL)
		e->thread_match = regex_match_new();
	e->v.env.match = e->thread_match;
	e->v.env.fresh = true;
	e->v.env.limit_hit = false;
	hit = match_values(e, term, ev, ROW_UNKNOWN);
	costly = e->v.env.limit_hit;
	e->v.env.match = match;
	e->v.env.fresh = fresh;
	e->v.env.limit_hit = limit_hit;
	if (costly)
		return THREAD_COSTLY;
	return hit ? THREAD_YES : THREAD_NO;
}

static bool
match_thread(struct filter_eval *e, const struct filter_term *term, struct fast_term *fast,
    const struct event *ev)
{
	uint32_t	thread = ev->thread;

	if (thread >= fast->nthread || fast->thread[thread] == THREAD_UNKNOWN) {
		if (thread >= trace_threads(e->t))
			return match_values(e, term, ev, ROW_UNKNOWN);
		fast->thread = array_reach(fast->thread, &fast->nthread, thread, 1);
		fast->thread[thread] = decide_thread(e, term, ev);
	}
	e->v.env.limit_hit |= fast->thread[thread] == THREAD_COSTLY;
	return fast->thread[thread] == THREAD_YES;
}

static bool
match_payload(struct filter_eval *e, const struct filter_term *term, struct fast_term *fast,
    const struct event_type *type, const struct event *ev)
{
	const struct program	*program = field_program(&fast->programs, type);
	struct span		 payload = trace_payload(e->t, ev);
	struct probe		 p = { .env = &e->v.env, .term = term };
	struct value		 v;

	if (fast->bounded && program_field(program) != NULL) {
		if (!program_first(program, payload, &v))
			return probe_result(&p);
		if (fast_value(fast, v.kind, v.u) >= 0)
			return fast_value(fast, v.kind, v.u);
	}
	probe_payload(&p, program, payload);
	return probe_result(&p);
}

/* The offset in the type's row texts before which no match begins: mostly after the names. */
static size_t
row_front(struct filter_eval *e, const struct filter_term *term, struct fast_term *fast,
    struct regex_match *match, uint32_t type)
{
	fast->front = array_reach(fast->front, &fast->nfront, type, sizeof *fast->front);
	if (fast->front[type] == 0)
		fast->front[type] = 1 + (uint32_t)regex_front(term->re, match,
		    reader_row_front(e->v.reader, type));
	return fast->front[type] - 1;
}

static bool
match_row(struct filter_eval *e, const struct filter_term *term, struct fast_term *fast,
    const struct event *ev)
{
	struct regex_match	*match = probe_match(&e->v.env);
	size_t			 front = row_front(e, term, fast, match, ev->type);
	int			 r;

	buf_clear(&e->v.row);
	field_row_text(e->v.reader, &e->v.row, ev);
	r = regex_find_after(term->re, match, span_of_buf(&e->v.row), front);
	e->v.env.limit_hit |= r < 0;
	return (r > 0) != term->negate;
}

static bool
match_term(struct filter_eval *e, const struct type_plan *plan, uint32_t i,
    const struct event *ev, uint64_t row)
{
	const struct filter_term	*term = &e->f->terms[i];
	struct fast_term		*fast = &e->fast[i];

	if (text_search_has(e->search, i) && !text_search_may(e->search, i, ev))
		return false;
	switch (fast->way) {
	case WAY_NUMBER:
		return fast_number(fast, ev);
	case WAY_THREAD:
		return match_thread(e, term, fast, ev);
	case WAY_PAYLOAD:
		return match_payload(e, term, fast, plan->type, ev);
	case WAY_ROW:
		return match_row(e, term, fast, ev);
	case WAY_CELL:
		break;
	}
	return match_values(e, term, ev, row);
}

/* ---- the tree */

static bool
match_node(struct filter_eval *e, const struct type_plan *plan, uint32_t node,
    const struct event *ev, uint64_t row)
{
	const struct filter_node	*n = &e->f->nodes[node];
	uint32_t			 child = n->first;

	if (plan->node[node] != TRI_MAYBE)
		return plan->node[node] == TRI_TRUE;
	switch (n->kind) {
	case NODE_TERM:
		return match_term(e, plan, n->term, ev, row);
	case NODE_NOT:
		return !match_node(e, plan, child, ev, row);
	case NODE_AND:
		while (child != 0 && match_node(e, plan, child, ev, row))
			child = e->f->nodes[child].next;
		return child == 0;
	case NODE_OR:
		while (child != 0 && !match_node(e, plan, child, ev, row))
			child = e->f->nodes[child].next;
		return child != 0;
	}
	return false;
}

/* Decide a node by the type alone if possible, children before their parent. */
static enum tri
plan_node(struct filter_eval *e, struct type_plan *plan, uint32_t node)
{
	const struct filter_node	*n = &e->f->nodes[node];
	enum tri			 r, decisive, part;

	if (n->kind == NODE_TERM) {
		r = term_on_type(e, &e->f->terms[n->term], plan);
	} else if (n->kind == NODE_NOT) {
		r = plan_node(e, plan, n->first);
		if (r != TRI_MAYBE)
			r = r == TRI_TRUE ? TRI_FALSE : TRI_TRUE;
	} else {
		decisive = n->kind == NODE_AND ? TRI_FALSE : TRI_TRUE;
		r = decisive == TRI_FALSE ? TRI_TRUE : TRI_FALSE;
		for (uint32_t c = n->first; c != 0; c = e->f->nodes[c].next) {
			part = plan_node(e, plan, c);
			if (part == decisive || (part == TRI_MAYBE && r != decisive))
				r = part;
		}
	}
	plan->node[node] = (uint8_t)r;
	return r;
}

/* 1 + the only term that is not decided, if the result of the tree is that of the term; or 0. */
static uint32_t
lone_term(const struct filter *f, const struct type_plan *plan)
{
	uint32_t	node = f->root, undecided = f->root;

	while (f->nodes[node].kind == NODE_AND || f->nodes[node].kind == NODE_OR) {
		unsigned	n = 0;

		for (uint32_t c = f->nodes[node].first; c != 0; c = f->nodes[c].next) {
			if (plan->node[c] != TRI_MAYBE)
				continue;
			undecided = c;
			n++;
		}
		if (n != 1)
			return 0;
		node = undecided;
	}
	if (f->nodes[node].kind != NODE_TERM || plan->node[node] != TRI_MAYBE)
		return 0;
	return f->nodes[node].term + 1;
}

static struct type_plan *
plan_make(struct filter_eval *e, uint32_t type, bool labelled)
{
	struct type_plan	*plan = mem_zalloc(1, sizeof *plan + e->f->nnodes);

	plan->type = trace_type(e->t, type);
	plan->labelled = labelled;
	e->v.env.limit_hit = false;
	e->v.env.fresh = true;
	(void)plan_node(e, plan, e->f->root);
	plan->costly = e->v.env.limit_hit;
	if (!plan->costly)
		plan->lone = lone_term(e->f, plan);
	return plan;
}

static const struct type_plan *
plan_of(struct filter_eval *e, uint32_t type, bool labelled)
{
	size_t	i = (size_t)type * 2 + labelled;

	e->plans = array_reach(e->plans, &e->nplans, i, sizeof *e->plans);
	if (e->plans[i] == NULL)
		e->plans[i] = plan_make(e, type, labelled);
	return e->plans[i];
}

int
filter_type_verdict(struct filter_eval *e, uint32_t type)
{
	const struct type_plan	*plan = plan_of(e, type, false);
	enum tri		 r = plan->node[e->f->root];

	if (e->has_labels && r != (enum tri)plan_of(e, type, true)->node[e->f->root])
		r = TRI_MAYBE;
	if (plan->costly || (e->has_labels && plan_of(e, type, true)->costly))
		return -1;		/* too costly: that is reported for each event */
	if (r == TRI_FALSE)
		return 0;
	return r == TRI_TRUE ? 1 : -1;
}

int
filter_node_verdict(struct filter_eval *e, uint32_t node, uint32_t type, bool labelled)
{
	enum tri	r = plan_of(e, type, labelled && e->has_labels)->node[node];

	return r == TRI_MAYBE ? -1 : r == TRI_TRUE;
}

struct text_search *
filter_search(const struct filter_eval *e)
{
	return e->search;
}

void
filter_eval_plain(struct filter_eval *e)
{
	text_search_free(e->search);
	e->search = NULL;
	regex_match_plain(e->v.env.match);
}

/* ---- events */

/* Names of threads, and the data of the clock, may have changed. */
static void
refresh_names(struct filter_eval *e)
{
	uint64_t	now = trace_generation(e->t);

	if (now == e->generation)
		return;
	e->generation = now;
	for (size_t i = 0; i < e->f->nterms; i++)
		fast_term_refresh(&e->fast[i], &e->f->terms[i], e->t);
}

static const struct type_verdict *
learn_verdict(struct filter_eval *e, uint32_t type, bool labelled)
{
	const struct type_plan	*plan = plan_of(e, type, labelled);
	size_t			 i = (size_t)type * 2 + labelled;
	struct type_verdict	*v;

	e->verdict = array_reach(e->verdict, &e->nverdict, i, sizeof *e->verdict);
	/* Types that are too costly are not decided here, to count each of their events. */
	v = &e->verdict[i];
	*v = (struct type_verdict){ .plan = plan,
	    .lone = plan->lone > 0 ? &e->fast[plan->lone - 1] : NULL,
	    .tri = plan->costly ? TRI_MAYBE : plan->node[e->f->root] };
	if (v->lone != NULL && v->lone->way == WAY_PAYLOAD && v->lone->bounded)
		v->place = program_place(field_program(&v->lone->programs, plan->type));
	return v;
}

/* The verdict for the type of the event, with or without labels. */
static inline const struct type_verdict *
verdict_of(struct filter_eval *e, const struct event *ev)
{
	bool	labelled = ev->labels != 0 && e->has_labels;
	size_t	i = (size_t)ev->type * 2 + labelled;

	if (i < e->nverdict && e->verdict[i].plan != NULL)
		return &e->verdict[i];
	return learn_verdict(e, ev->type, labelled);
}

static bool
decide_tree(struct filter_eval *e, const struct type_plan *plan, const struct event *ev,
    uint64_t row)
{
	bool	r;

	e->v.env.limit_hit = plan->costly;
	e->v.env.fresh = true;
	r = !plan->costly && match_node(e, plan, e->f->root, ev, row);
	e->costly += e->v.env.limit_hit;
	return r && !e->v.env.limit_hit;
}

/* A fast decision if only a number or a thread is needed: 1 or 0; -1: use the general way. */
static inline int
decide_number(struct filter_eval *e, const struct type_verdict *v, const struct event *ev)
{
	const struct fast_term	*lone = v->lone;
	enum value_kind		 kind;
	uint64_t		 u;

	if (lone == NULL)
		return -1;
	if (lone->way == WAY_NUMBER)
		return fast_number(lone, ev);
	if (v->place.width != 0 &&
	    payload_place_number(v->place, trace_payload(e->t, ev), &kind, &u))
		return fast_value(lone, kind, u);
	if (lone->way != WAY_THREAD || ev->thread >= lone->nthread)
		return -1;
	if (lone->thread[ev->thread] == THREAD_YES)
		return 1;
	return lone->thread[ev->thread] == THREAD_NO ? 0 : -1;
}

static bool
decide_event(struct filter_eval *e, const struct type_verdict *v, const struct event *ev,
    uint64_t row)
{
	struct fast_term	*lone = v->lone;
	int			 hit = decide_number(e, v, ev);

	if (hit >= 0)
		return hit > 0;
	if (lone != NULL && lone->way == WAY_PAYLOAD && lone->bounded)
		return match_payload(e, &e->f->terms[lone - e->fast], lone, v->plan->type, ev);
	return decide_tree(e, v->plan, ev, row);
}

bool
filter_match_row(struct filter_eval *e, const struct event *ev, uint64_t row)
{
	const struct type_verdict	*v;

	refresh_names(e);
	v = verdict_of(e, ev);
	return v->tri == TRI_MAYBE ? decide_event(e, v, ev, row) : v->tri == TRI_TRUE;
}

bool
filter_match(struct filter_eval *e, const struct event *ev)
{
	return filter_match_row(e, ev, ROW_UNKNOWN);
}

uint32_t
filter_match_some(struct filter_eval *e, const struct event *ev, uint32_t *at, uint32_t n,
    uint64_t row0, const atomic_bool *stop)
{
	uint32_t	kept = 0;

	refresh_names(e);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t			 k = at[i];
		const struct type_verdict	*v = verdict_of(e, &ev[k]);
		int				 hit = v->tri == TRI_TRUE;

		if (v->tri == TRI_MAYBE)
			hit = decide_number(e, v, &ev[k]);
		if (hit < 0) {
			if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed))
				break;
			hit = decide_event(e, v, &ev[k],
			    row0 == ROW_UNKNOWN ? row0 : row0 + k);
		}
		at[kept] = k;
		kept += (uint32_t)hit;
	}
	return kept;
}

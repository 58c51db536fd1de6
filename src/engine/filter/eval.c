/*
 * Evaluator of the filter language: the parser's tree against events.
 *
 *	type  ->  plan: for each node false, true, or MAYBE (made once a type)
 *	event ->  the MAYBE nodes only; each term probes the values that its field gives
 *
 * A field gives no value (it is absent), one, or several (two names, array elements, frames); a
 * term holds if any of them matches, and a negated one if there are some and none does. Events
 * with labels have a plan of their own, as labels may override what a type says (V6).
 *
 * Invariant: a plan never changes once made, as types never do; the filter is only read.
 */
#include <string.h>
#include <strings.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "engine/filter/probe.h"
#include "tnav/model/keywords.h"
#include "tnav/model/path.h"

#define ROW_UNKNOWN	UINT64_MAX
#define BATCH		256u

enum tri { TRI_FALSE = 0, TRI_TRUE = 1, TRI_MAYBE = 2 };

struct type_plan {
	const struct event_type	*type;
	bool			 labelled;	/* for events with labels */
	bool			 costly;	/* a pattern was too costly on the type's names */
	uint8_t			 node[];	/* enum tri by node index */
};

/* What is asked of a thread's identity, which is expensive to ask for. */
struct thread_known {
	bool		 known, has_tid, has_pid;
	uint64_t	 tid, pid;
	const char	*name;
};

struct filter_eval {
	const struct filter	*f;
	struct trace		*t;
	struct probe_env	 env;
	struct type_plan	**plans;	/* two a type: without labels, and with */
	size_t			 nplans, plans_cap;
	struct thread_known	*threads;	/* by thread */
	size_t			 nthreads, threads_cap;
	uint64_t		 threads_at;	/* trace_generation() when they were asked for */
	uint64_t		 costly;
	struct buf		 row;		/* scratch: a row's text */
	uint64_t		*ips;		/* LIMIT_STACK_FRAMES of them, once needed */
	struct label		*labels;	/* LIMIT_LABELS of them, likewise */
	unsigned		 pointer_size;
	bool			 has_dur, has_seq, has_labels;
};

struct filter_eval *
filter_eval_new(const struct filter *f, struct trace *t)
{
	struct filter_eval	*e = mem_zalloc(1, sizeof *e);

	e->f = f;
	e->t = t;
	e->env.match = regex_match_new();
	e->threads_at = trace_generation(t);
	e->pointer_size = trace_info(t)->pointer_size;
	e->has_dur = trace_has(t, HAS_DURATIONS);
	e->has_seq = trace_has(t, HAS_NUMBERS);
	e->has_labels = trace_has(t, HAS_LABELS);
	buf_init(&e->env.text);
	buf_init(&e->row);
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
	mem_free(e->threads);
	mem_free(e->ips);
	mem_free(e->labels);
	regex_match_free(e->env.match);
	buf_release(&e->env.text);
	buf_release(&e->row);
	mem_free(e);
}

/* One long text can keep a bad pattern busy for more than a tenth of a second. */
uint32_t
filter_batch(const struct filter *f)
{
	return f != NULL && f->nodes[f->root].cost >= COST_TEXT ? 1 : BATCH;
}

uint64_t
filter_costly(const struct filter_eval *e)
{
	return e->costly;
}

/* ---- fields of the type, which labels may override */

static void
probe_keywords(struct probe *p, const char *provider, uint64_t keywords)
{
	const struct filter_literal	*l;
	struct buf			 words;
	uint64_t			 bits;

	if (p->term->op == FO_RE) {
		probe_address(p, keywords);
		buf_init(&words);
		keyword_words(&words, provider, keywords);
		probe_text(p, buf_str(&words));
		buf_release(&words);
		return;
	}
	if (p->term->op != FO_BITS) {
		probe_u64(p, keywords);
		return;
	}
	p->present = true;
	l = &p->term->lits[0];
	if (l->num.kind != NUM_NONE)
		p->hit = has_bits(keywords, l->num.u);
	else if (keyword_bit(provider, literal_text(l), &bits))
		p->hit = has_bits(keywords, bits);
}

/*
 * Numbers are compared with the file's own opcode, words with the built-in table's, which often
 * knows what the file leaves out.
 */
static void
probe_opcode(struct probe *p, const char *word, bool has_number, unsigned number)
{
	const struct filter_term	*term = p->term;

	if (word == NULL && has_number)
		word = opcode_name(number);
	if (has_number)
		probe_u64(p, number);
	if (term->op != FO_EQ) {
		if (term->op == FO_RE || term->op == FO_HAS)
			probe_text(p, word);
		return;
	}
	p->present |= word != NULL;
	for (size_t i = 0; i < term->nlits && word != NULL; i++)
		p->hit |= strcasecmp(term->lits[i].text, word) == 0;
}

/* Version, level, keywords and opcode, of the type or of the event. */
static void
probe_meta(struct probe *p, const struct event_type *type, const struct event_meta *m)
{
	/* The table's word stands for the type's opcode, not for one that a label gives. */
	bool	own = m->has_opcode == type->has_opcode && m->opcode == type->opcode;

	switch (p->term->field) {
	case FF_VERSION:
		probe_u64(p, m->version);
		break;
	case FF_LEVEL:
		probe_u64(p, m->level);
		if (p->term->op == FO_RE)
			probe_text(p, level_name(m->level));
		break;
	case FF_KEYWORDS:
		probe_keywords(p, type->provider, m->keywords);
		break;
	default:
		probe_opcode(p, own ? type->opcode_word : NULL, m->has_opcode, m->opcode);
	}
}

static enum tri
term_on_type(struct filter_eval *e, const struct filter_term *term, const struct type_plan *plan)
{
	const struct event_type		*type = plan->type;
	struct probe			 p = { .env = &e->env, .term = term };
	const struct event_meta		 meta = {
		.version = type->version, .level = type->level, .opcode = type->opcode,
		.has_opcode = type->has_opcode, .keywords = type->keywords,
	};

	switch (term->field) {
	case FF_PROVIDER:
		probe_text(&p, type->provider);
		break;
	case FF_NAME:
		probe_text(&p, type->name);
		probe_text(&p, type->event);
		break;
	case FF_EVENT:
		probe_text(&p, type->event);
		break;
	case FF_ID:
		if (e->has_dur)
			return TRI_FALSE;	/* spans have a name and nothing else */
		probe_u64(&p, type->id);
		break;
	case FF_VERSION: case FF_LEVEL: case FF_KEYWORDS: case FF_OPCODE:
		if (e->has_dur)
			return TRI_FALSE;
		if (plan->labelled)
			return TRI_MAYBE;
		probe_meta(&p, type, &meta);
		break;
	case FF_DUR:
		return e->has_dur ? TRI_MAYBE : TRI_FALSE;
	case FF_SEQ:
		return e->has_seq ? TRI_MAYBE : TRI_FALSE;
	case FF_LABEL:
		return plan->labelled ? TRI_MAYBE : TRI_FALSE;
	case FF_PAYLOAD:
		return path_in_fields(term->path, type->fields, type->nfields, 0)
		    ? TRI_MAYBE : TRI_FALSE;
	default:
		return TRI_MAYBE;
	}
	return probe_result(&p) ? TRI_TRUE : TRI_FALSE;
}

/* ---- fields of the event's header */

static const struct thread_known *
thread_of(struct filter_eval *e, const struct event *ev)
{
	uint32_t		 thread = ev->thread;
	struct thread_stat	 st;
	struct thread_known	*k;
	uint64_t		 now = trace_generation(e->t);

	if (now != e->threads_at) {		/* a name may have come since */
		e->threads_at = now;
		e->nthreads = 0;
	}
	if (thread >= e->nthreads) {
		e->threads = mem_grow(e->threads, &e->threads_cap, (size_t)thread + 1,
		    sizeof *e->threads);
		memset(e->threads + e->nthreads, 0,
		    (thread + 1 - e->nthreads) * sizeof *e->threads);
		e->nthreads = (size_t)thread + 1;
	}
	k = &e->threads[thread];
	if (!k->known) {
		trace_thread(e->t, thread, &st);
		*k = (struct thread_known){ .known = true, .has_tid = st.has_tid, .tid = st.tid,
		    .has_pid = st.has_pid, .pid = st.pid, .name = st.name };
		if (!k->has_pid) {
			k->has_pid = trace_info(e->t)->has_pid;
			k->pid = trace_info(e->t)->pid;
		}
	}
	return k;
}

static void
probe_thread(struct probe *p, const struct thread_known *k)
{
	struct buf	b;

	probe_text(p, k->name);
	if (!k->has_tid)
		return;
	buf_init(&b);
	buf_u64(&b, k->tid);
	probe_text(p, buf_str(&b));
	buf_release(&b);
}

static void
probe_stack(struct filter_eval *e, struct probe *p, const struct event *ev)
{
	uint64_t	innermost;
	size_t		n;

	if (ev->stack == 0)
		return;
	if (p->term->op == FO_HAS) {
		p->present = p->hit = trace_stack(e->t, ev, &innermost, 1) > 0;
		return;
	}
	if (e->ips == NULL)
		e->ips = mem_zalloc(LIMIT_STACK_FRAMES, sizeof *e->ips);
	n = trace_stack(e->t, ev, e->ips, LIMIT_STACK_FRAMES);
	for (size_t i = 0; i < n && !p->hit; i++)
		probe_address(p, e->ips[i]);
}

static bool
same_path(const struct activity_path *a, const struct activity_path *b)
{
	return a->n == b->n && activity_path_under(a, b);
}

/* path: the activity's own, NULL if it is none. */
static bool
guid_fits(const struct filter_literal *l, enum filter_op op, const uint8_t *guid,
    const struct activity_path *path, const struct thread_known *k)
{
	struct activity_path	top = l->path;

	if (l->has_guid) {
		if (memcmp(l->guid, guid, sizeof l->guid) == 0)
			return true;
		if (op != FO_UNDER || !activity_path_decode(&top, l->guid, k->has_pid, k->pid))
			return false;
	}
	if (path == NULL)
		return false;
	return op == FO_UNDER ? activity_path_under(path, &top) : same_path(path, &top);
}

static void
probe_guid(struct probe *p, const uint8_t *guid, const struct thread_known *k)
{
	const struct filter_term	*term = p->term;
	struct activity_path		 path;
	bool				 is_path = activity_path_decode(&path, guid, k->has_pid,
					    k->pid);
	struct buf			 b;

	p->present = true;
	if (term->op == FO_HAS)
		p->hit = true;
	for (size_t i = 0; i < term->nlits && !p->hit; i++)
		p->hit = guid_fits(&term->lits[i], term->op, guid, is_path ? &path : NULL, k);
	if (term->op != FO_RE)
		return;
	buf_init(&b);
	guid_text(&b, guid);
	probe_text(p, buf_str(&b));
	buf_clear(&b);
	if (is_path) {
		activity_path_text(&b, &path);
		probe_text(p, buf_str(&b));
	}
	buf_release(&b);
}

static void
probe_lost(struct filter_eval *e, struct probe *p, const struct event *ev)
{
	uint64_t	lost = ev->flags & EVENT_LOST ? trace_event_lost(e->t, ev) : 0;

	if (p->term->op != FO_HAS)
		probe_u64(p, lost);
	else
		p->present = p->hit = lost > 0;
}

/* ---- labels */

static bool
key_is(struct span key, const char *name)
{
	return key.len == strlen(name) && (key.len == 0 || memcmp(key.p, name, key.len) == 0);
}

static void
probe_label(struct probe *p, const struct label *l)
{
	const char	*key = p->term->path;
	struct buf	 b;

	buf_init(&b);
	if (l->kind == LABEL_TRACE && strcmp(key, "TraceId") == 0) {
		buf_bytes_hex(&b, l->text.p, l->text.len);
		probe_hex(p, (struct span){ (uint8_t *)b.p, b.len });
	} else if (l->kind == LABEL_SPAN && strcmp(key, "SpanId") == 0) {
		buf_hex(&b, l->number, 16);
		probe_hex(p, (struct span){ (uint8_t *)b.p, b.len });
	} else if (l->kind == LABEL_TEXT && key_is(l->key, key)) {
		probe_span(p, l->text);
	} else if (l->kind == LABEL_NUMBER && key_is(l->key, key)) {
		probe_i64(p, (int64_t)l->number);
		buf_i64(&b, (int64_t)l->number);
		if (p->term->op == FO_EQ)	/* a quoted value is compared as text */
			probe_text(p, buf_str(&b));
	}
	buf_release(&b);
}

static void
probe_labels(struct filter_eval *e, struct probe *p, const struct event *ev)
{
	size_t	n;

	if (e->labels == NULL)
		e->labels = mem_zalloc(LIMIT_LABELS, sizeof *e->labels);
	n = trace_labels(e->t, ev, e->labels, LIMIT_LABELS);
	for (size_t i = 0; i < n && !p->hit; i++)
		probe_label(p, &e->labels[i]);
}

/* ---- the row's text */

static void
row_text(struct buf *out, struct trace *t, const struct event_type *type,
    const struct event *ev, const struct thread_known *k)
{
	struct payload_result	res;

	buf_puts(out, type->provider);
	buf_putc(out, ' ');
	buf_puts(out, type->name);
	buf_putc(out, ' ');
	if (k->has_tid)
		buf_u64(out, k->tid);
	if (k->has_tid && k->name != NULL)
		buf_putc(out, ' ');
	if (k->name != NULL)
		buf_puts(out, k->name);
	buf_putc(out, ' ');
	payload_line(out, type, trace_payload(t, ev), trace_info(t)->pointer_size, &res);
}

void
filter_row_text(struct buf *out, struct trace *t, const struct event *ev)
{
	struct thread_stat	st;
	struct thread_known	k;

	trace_thread(t, ev->thread, &st);
	k = (struct thread_known){ .has_tid = st.has_tid, .tid = st.tid, .name = st.name };
	row_text(out, t, trace_type(t, ev->type), ev, &k);
}

static void
probe_row_text(struct filter_eval *e, struct probe *p, const struct event_type *type,
    const struct event *ev)
{
	buf_clear(&e->row);
	row_text(&e->row, e->t, type, ev, thread_of(e, ev));
	probe_span(p, (struct span){ (uint8_t *)e->row.p, e->row.len });
}

/* ---- the tree */

static bool
match_term(struct filter_eval *e, const struct filter_term *term, const struct event_type *type,
    const struct event *ev, uint64_t row)
{
	struct probe		p = { .env = &e->env, .term = term };
	struct event_meta	meta;
	uint8_t			guid[16];

	switch (term->field) {
	case FF_VERSION: case FF_LEVEL: case FF_KEYWORDS: case FF_OPCODE:
		trace_event_meta(e->t, ev, &meta);
		probe_meta(&p, type, &meta);
		break;
	case FF_TIME:
		probe_i64(&p, trace_ns(e->t, ev->ts));
		break;
	case FF_DUR:
		probe_u64(&p, ev->dur);
		break;
	case FF_PID:
		/* A thread of V6 that has none has a 0, as in the dump. */
		if (thread_of(e, ev)->has_pid || e->has_labels)
			probe_u64(&p, thread_of(e, ev)->pid);
		break;
	case FF_TID:
		if (thread_of(e, ev)->has_tid)
			probe_u64(&p, thread_of(e, ev)->tid);
		break;
	case FF_THREAD:
		probe_thread(&p, thread_of(e, ev));
		break;
	case FF_CPU:
		if (ev->cpu >= 0)
			probe_i64(&p, ev->cpu);
		break;
	case FF_SEQ:
		probe_u64(&p, ev->seq);
		break;
	case FF_ROW:
		if (row != ROW_UNKNOWN || trace_row_of(e->t, ev->ts, ev->off, &row) > 0)
			probe_u64(&p, row);
		break;
	case FF_SIZE:
		probe_u64(&p, ev->size);
		break;
	case FF_STACK:
		probe_stack(e, &p, ev);
		break;
	case FF_ACTIVITY:
		if (trace_activity(e->t, ev, guid))
			probe_guid(&p, guid, thread_of(e, ev));
		break;
	case FF_RELATED:
		if (trace_related(e->t, ev, guid))
			probe_guid(&p, guid, thread_of(e, ev));
		break;
	case FF_LOST:
		probe_lost(e, &p, ev);
		break;
	case FF_LABEL:
		probe_labels(e, &p, ev);
		break;
	case FF_PAYLOAD:
		probe_payload(&p, type, trace_payload(e->t, ev), e->pointer_size);
		break;
	case FF_ROWTEXT:
		probe_row_text(e, &p, type, ev);
		break;
	case FF_PROVIDER: case FF_NAME: case FF_EVENT: case FF_ID:
		break;		/* decided by the type */
	}
	return probe_result(&p);
}

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
		return match_term(e, &e->f->terms[n->term], plan->type, ev, row);
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

/* Decide what the type alone decides, children before their parent. */
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

static const struct type_plan *
plan_of(struct filter_eval *e, uint32_t type, bool labelled)
{
	size_t			 i = (size_t)type * 2 + labelled;
	struct type_plan	*plan;

	if (i >= e->nplans) {
		e->plans = mem_grow(e->plans, &e->plans_cap, i + 1, sizeof *e->plans);
		memset(e->plans + e->nplans, 0, (i + 1 - e->nplans) * sizeof *e->plans);
		e->nplans = i + 1;
	}
	if (e->plans[i] == NULL) {
		plan = mem_zalloc(1, sizeof *plan + e->f->nnodes);
		plan->type = trace_type(e->t, type);
		plan->labelled = labelled;
		e->env.limit_hit = false;
		regex_match_begin(e->env.match);
		(void)plan_node(e, plan, e->f->root);
		plan->costly = e->env.limit_hit;
		e->plans[i] = plan;
	}
	return e->plans[i];
}

int
filter_type_verdict(struct filter_eval *e, uint32_t type)
{
	const struct type_plan	*plan = plan_of(e, type, false);
	enum tri		 r = plan->node[e->f->root];

	if (e->has_labels && r != (enum tri)plan_of(e, type, true)->node[e->f->root])
		r = TRI_MAYBE;
	if (plan->costly || r == TRI_FALSE)
		return 0;
	return r == TRI_TRUE ? 1 : -1;
}

bool
filter_match_row(struct filter_eval *e, const struct event *ev, uint64_t row)
{
	const struct type_plan	*plan = plan_of(e, ev->type, e->has_labels && ev->labels != 0);
	bool			 r;

	e->env.limit_hit = plan->costly;
	regex_match_begin(e->env.match);
	r = !plan->costly && match_node(e, plan, e->f->root, ev, row);
	e->costly += e->env.limit_hit;
	return r && !e->env.limit_hit;
}

bool
filter_match(struct filter_eval *e, const struct event *ev)
{
	return filter_match_row(e, ev, ROW_UNKNOWN);
}

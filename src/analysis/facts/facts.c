/*
 * From events to facts.
 *
 *	type	fact_type: which fact, and a program for each of its fields	made once, shared
 *	piece	facts | values | bytes | addresses				by one worker
 *	merge	the piece's facts, one by one to add()				one thread
 *
 * A number that is always at the same place in the payload is read there. A text is kept once if
 * it occurs again soon: types have few names, and allocations repeat them.
 *
 * A result that does not depend on the order of events has a part for each piece: its facts are
 * added to the part one by one, by the worker, and the parts are merged.
 *
 * Invariant: add() receives the same facts with any number of workers: pieces are merged in the
 * order of rows.
 */
#include "analysis/facts/facts.h"

#include <stddef.h>
#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/joined.h"
#include "tnav/model/program.h"

#define FACT_TEXT_MOST	65536u		/* longest text that is kept, in bytes */
#define MEMORY_MOST	(32u << 20)	/* bytes of remembered facts of final rows */

#define TEXTS_KNOWN	64u		/* recent texts of a piece, a power of two */
#define KNOWN_LEAST	8u		/* bytes of such a text in the payload */
#define KNOWN_MOST	4096u
#define EVENTS_AHEAD	16u		/* events that are prefetched, and ... */
#define PAYLOADS_AHEAD	8u		/* ... those whose payloads are */

/* What one reader gets from events of a type; shared by all workers. */
struct fact_type {
	const struct fact_def	*def;
	unsigned		 reader;
	bool			 pairs;		/* the reader's */
	unsigned		 nfields;
	struct {
		const struct program	*program;
		struct payload_place	 place;	/* of a number; width 0: run the program */
	} field[FACT_FIELDS];
};

/* The same for all readers that get something. */
struct fact_types {
	unsigned		 n;
	struct fact_type	 of[];
};

struct facts {
	struct trace		*t;
	const struct report_options *o;		/* filter and window */
	const struct fact_parts	*parts;		/* in any order; NULL: in the order of time */
	void			*arg;		/* of the parts */
	const struct fact_reader *reader;
	unsigned		 n;
	bool			 pairs;		/* a reader has `pairs` */
	bool			 any_window;	/* facts of any window are read, to be remembered */
	struct lock		*lock;		/* of the list of types */
	struct fact_types	**type;
	size_t			 ntypes;
	struct arena		 arena;		/* of programs */
	struct filter		*filter;	/* selects the requested types, for the pass */
	uint64_t		 costly;
};

struct piece_fact {
	struct event	 ev;
	uint64_t	 row;
	size_t		 value, ip;		/* first value and address of the fact */
	size_t		 ids;			/* in the bytes: activity and related activity */
	uint32_t	 nips;
	unsigned	 kind;
	uint8_t		 nfields, reader;
	bool		 matches;		/* the filter matches */
	bool		 has_activity, has_related;
};

/* A text of a payload that the piece has kept. */
struct known_text {
	struct span	 raw;			/* as in the payload; p NULL: free */
	enum value_kind	 kind;			/* of the raw text */
	uint32_t	 len;
	uint64_t	 at;
};

struct fact_piece {
	struct facts		*f;
	struct filter_eval	*eval;
	struct field_reader	*who;		/* for fact_parts.who */
	const struct fact_types	**type;		/* in the order of first use */
	size_t			 ntypes;
	struct piece_fact	*v;
	size_t			 n, cap;
	struct fact_value	*value;
	size_t			 nvalues, values_cap;
	struct buf		 bytes;
	struct known_text	 known[TEXTS_KNOWN];
	struct stack_reader	 stacks;
	uint64_t		*ip;
	size_t			 nips, ips_cap;
	max_align_t		 part[];	/* of fact_parts.size */
};

/* ---- types */

static bool
is_array(const struct fact_def *d, unsigned field)
{
	return (d->flags & FACT_ARRAYS) != 0 && field > 0;
}

static void
programs_make(struct facts *f, struct fact_type *ft, const struct event_type *t)
{
	const char *const	*path = ft->def->field;

	for (; path[ft->nfields] != NULL; ft->nfields++) {
		const struct program	*p = program_new(&f->arena, t, path[ft->nfields]);

		ft->field[ft->nfields].program = p;
		ft->field[ft->nfields].place = program_place(p);
	}
}

static struct fact_types *
type_make(struct facts *f, uint32_t type)
{
	struct fact_types	*all = mem_zalloc(1, sizeof *all + f->n * sizeof *all->of);
	const struct event_type	*t = trace_type(f->t, type);

	for (unsigned i = 0; i < f->n; i++) {
		struct fact_type	*ft = &all->of[all->n];

		ft->def = facts_match(f->reader[i].def, t);
		if (ft->def == NULL)
			continue;
		ft->reader = i;
		ft->pairs = f->reader[i].pairs;
		programs_make(f, ft, t);
		all->n++;
	}
	return all;
}

static const struct fact_types *
type_shared(struct facts *f, uint32_t type)
{
	const struct fact_types	*ft;

	lock_take(f->lock);
	f->type = array_reach(f->type, &f->ntypes, type, sizeof *f->type);
	if (f->type[type] == NULL)
		f->type[type] = type_make(f, type);
	ft = f->type[type];
	lock_drop(f->lock);
	return ft;
}

static const struct fact_types *
type_of(struct fact_piece *p, uint32_t type)
{
	p->type = array_reach(p->type, &p->ntypes, type, sizeof *p->type);
	if (p->type[type] == NULL)
		p->type[type] = type_shared(p->f, type);
	return p->type[type];
}

static void
types_free(struct facts *f)
{
	for (size_t i = 0; i < f->ntypes; i++)
		mem_free(f->type[i]);
	arena_release(&f->arena);
	mem_free(f->type);
}

/* ---- values */

/* The place among the known texts for a text, found by its length and its end. */
static struct known_text *
known_place(struct fact_piece *p, struct span raw)
{
	uint64_t	end = load_u64le(raw.p + raw.len - KNOWN_LEAST);

	return &p->known[(end + raw.len) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (TEXTS_KNOWN - 1)];
}

static void
add_text(struct fact_piece *p, struct fact_value *out, const struct value *v)
{
	size_t	at = p->bytes.len;

	value_text(&p->bytes, v);
	if (p->bytes.len - at > FACT_TEXT_MOST && p->f->parts == NULL)
		p->bytes.len = at + FACT_TEXT_MOST;
	out->kind = FACT_TEXT;
	out->at = at;
	out->len = (uint32_t)(p->bytes.len - at);
}

/* Keep a text as it is in the payload. */
static void
keep_text(struct fact_piece *p, struct fact_value *out, enum value_kind kind, struct span raw)
{
	const struct value	 v = { .kind = kind, .bytes = raw };
	struct known_text	*k;

	if (raw.len < KNOWN_LEAST || raw.len > KNOWN_MOST || p->f->parts != NULL) {
		add_text(p, out, &v);
		return;
	}
	k = known_place(p, raw);
	if (k->raw.p == NULL || k->kind != kind || !spans_equal(k->raw, raw)) {
		add_text(p, out, &v);
		*k = (struct known_text){ raw, kind, out->len, out->at };
		return;
	}
	out->kind = FACT_TEXT;
	out->at = k->at;
	out->len = k->len;
}

static void
value_keep(struct fact_piece *p, struct fact_value *out, const struct value *v)
{
	switch (v->kind) {
	case VK_BOOL: case VK_UINT: case VK_FILETIME:
		out->kind = FACT_UINT;
		out->u = v->u;
		break;
	case VK_INT:
		out->kind = FACT_INT;
		out->i = v->i;
		break;
	case VK_F32: case VK_F64:
		out->kind = FACT_FLOAT;
		out->f = v->f;
		break;
	case VK_GUID:
		out->kind = FACT_GUID;
		out->at = p->bytes.len;
		out->len = (uint32_t)v->bytes.len;
		buf_add(&p->bytes, v->bytes.p, v->bytes.len);
		break;
	case VK_TEXT16: case VK_TEXT8:
		keep_text(p, out, v->kind, v->bytes);
		break;
	default:
		add_text(p, out, v);
		break;
	}
}

/* Read the fields, except arrays. */
static void
add_values(struct fact_piece *p, const struct fact_type *ft, struct span payload)
{
	struct fact_value	*out;
	struct value		 v;
	enum value_kind		 kind;

	p->value = mem_grow(p->value, &p->values_cap, p->nvalues + FACT_FIELDS, sizeof *p->value);
	out = &p->value[p->nvalues];
	for (unsigned i = 0; i < ft->nfields; i++, out++) {
		out->kind = FACT_NONE;
		if (is_array(ft->def, i))
			continue;
		if (ft->field[i].place.width != 0 &&
		    payload_place_number(ft->field[i].place, payload, &kind, &out->u))
			out->kind = kind == VK_INT ? FACT_INT : FACT_UINT;
		else if (program_first(ft->field[i].program, payload, &v))
			value_keep(p, out, &v);
	}
	p->nvalues += ft->nfields;
}

/* ---- a piece */

static void
add_stack(struct fact_piece *p, struct piece_fact *k)
{
	p->ip = mem_grow(p->ip, &p->ips_cap, p->nips + LIMIT_STACK_FRAMES, sizeof *p->ip);
	k->ip = p->nips;
	k->nips = (uint32_t)trace_stack_next(p->f->t, &p->stacks, &k->ev, p->ip + p->nips,
	    LIMIT_STACK_FRAMES);
	p->nips += k->nips;
}

/* The numbers of an array. */
struct fact_list {
	uint64_t	v[FACT_LIST_MOST];
	unsigned	n;
};

static int
add_number(void *arg, const struct value *v)
{
	struct fact_list	*l = arg;

	if (v->kind != VK_UINT)
		return 0;
	l->v[l->n] = v->u;
	return ++l->n >= FACT_LIST_MOST;
}

/* Keep the numbers of all arrays of the newest fact. */
static void
add_lists(struct fact_piece *p, const struct fact_type *ft, struct span payload)
{
	for (unsigned i = 1; i < ft->nfields; i++) {
		struct fact_value	*out = &p->value[p->nvalues - ft->nfields + i];
		struct fact_list	 l = { .n = 0 };

		(void)program_values(ft->field[i].program, payload, add_number, &l);
		if (l.n == 0)
			continue;
		out->kind = FACT_LIST;
		out->at = p->bytes.len;
		out->len = (uint32_t)(l.n * sizeof *l.v);
		buf_add(&p->bytes, l.v, out->len);
	}
}

static void
add_ids(struct fact_piece *p, struct piece_fact *k)
{
	uint8_t	id[32];

	k->has_activity = trace_activity(p->f->t, &k->ev, id);
	k->has_related = trace_related(p->f->t, &k->ev, id + 16);
	k->ids = p->bytes.len;
	if (k->has_activity || k->has_related)
		buf_add(&p->bytes, id, sizeof id);
}

static void
add_fact(struct fact_piece *p, const struct fact_type *ft, const struct event *e, uint64_t row,
    bool matches)
{
	struct piece_fact	*k;
	struct span		 payload = { NULL, 0 };

	if (p->n == p->cap)
		p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	k = &p->v[p->n++];
	*k = (struct piece_fact){ .ev = *e, .row = row, .value = p->nvalues,
	    .kind = ft->def->kind, .nfields = (uint8_t)ft->nfields,
	    .reader = (uint8_t)ft->reader, .matches = matches };
	if (ft->nfields > 0) {
		payload = trace_payload(p->f->t, e);
		add_values(p, ft, payload);
	}
	if ((ft->def->flags & FACT_ARRAYS) != 0)
		add_lists(p, ft, payload);
	if ((ft->def->flags & FACT_STACK) != 0)
		add_stack(p, k);
	if ((ft->def->flags & FACT_ACTIVITY) != 0)
		add_ids(p, k);
}

static void
add_event(struct fact_piece *p, const struct event *e, uint64_t row)
{
	const struct fact_types	*all = type_of(p, e->type);
	bool			 matches;

	if (all->n == 0)
		return;
	matches = (p->f->any_window || pass_has(&p->f->o->pass, e->ts)) &&
	    (p->eval == NULL || filter_match_row(p->eval, e, row));
	for (unsigned i = 0; i < all->n; i++)
		if (matches || all->of[i].pairs)
			add_fact(p, &all->of[i], e, row, matches);
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct fact_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		if (b->n - i > EVENTS_AHEAD)
			__builtin_prefetch(&b->ev[b->at[i + EVENTS_AHEAD]]);
		if (b->n - i > PAYLOADS_AHEAD)
			__builtin_prefetch(trace_payload(p->f->t,
			    &b->ev[b->at[i + PAYLOADS_AHEAD]]).p);
		add_event(p, &b->ev[b->at[i]], pass_row(b, i));
	}
}

static void *
piece_begin(void *arg)
{
	static const struct field_options	fo = { .words = WORDS_BARE, .no_rows = true };
	struct facts		*f = arg;
	struct fact_piece	*p = mem_zalloc(1, sizeof *p +
				    (f->parts != NULL ? f->parts->size : 0));

	p->f = f;
	if (f->o->pass.filter != NULL)
		p->eval = filter_eval_new(f->o->pass.filter, f->t);
	if (f->parts != NULL && f->parts->who)
		p->who = field_reader_new(f->t, &fo);
	return p;
}

static void
piece_free(void *state)
{
	struct fact_piece	*p = state;

	if (p->eval != NULL)
		p->f->costly += filter_costly(p->eval);
	filter_eval_free(p->eval);
	field_reader_free(p->who);
	mem_free(p->type);
	mem_free(p->v);
	mem_free(p->value);
	buf_release(&p->bytes);
	mem_free(p->ip);
	mem_free(p);
}

static void
piece_clear(void *state)
{
	struct fact_piece	*p = state;

	p->n = p->nvalues = p->nips = 0;
	buf_clear(&p->bytes);
	memset(p->known, 0, sizeof p->known);
}

/* The piece has bytes, even if it has no texts. */
static void
tell_fact(const struct facts *f, const struct fact_piece *p, const struct piece_fact *k)
{
	const struct fact_reader	*reader = &f->reader[k->reader];
	const uint8_t			*bytes = (const uint8_t *)p->bytes.p;
	const struct fact		 fact = {
		.kind = k->kind, .row = k->row,
		.chosen = k->matches && pass_has(&f->o->pass, k->ev.ts),
		.ns = trace_ns(f->t, k->ev.ts), .ev = &k->ev,
		.nfields = k->nfields, .v = p->value + k->value, .bytes = bytes,
		.ips = p->ip != NULL ? p->ip + k->ip : NULL, .nips = k->nips,
		.activity = k->has_activity ? bytes + k->ids : NULL,
		.related = k->has_related ? bytes + k->ids + 16 : NULL,
	};

	if (fact.chosen || reader->pairs)
		reader->add(reader->self, &fact);
}

static int
piece_merge(void *arg, void *state)
{
	struct fact_piece	*p = state;

	(void)buf_str(&p->bytes);
	for (size_t i = 0; i < p->n; i++)
		tell_fact(arg, p, &p->v[i]);
	return 0;
}

static const struct pass_ops	fact_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

/* ---- remembered facts */

struct report_memory {
	struct pass_memory	*pass;
	const struct fact_def	*def[FACT_READERS];	/* whose facts they are */
	unsigned		 n;
};

static void *
copy(const void *p, size_t n, size_t size)
{
	void	*to = mem_alloc(n * size);

	if (n > 0)
		memcpy(to, p, n * size);
	return to;
}

/* A copy of a piece, independent of the pass, without unused capacity. */
static void *
piece_keep(const void *state, size_t *bytes)
{
	const struct fact_piece	*p = state;
	struct fact_piece	*k = mem_zalloc(1, sizeof *k);

	k->n = p->n;
	k->nvalues = p->nvalues;
	k->nips = p->nips;
	k->v = copy(p->v, p->n, sizeof *p->v);
	k->value = copy(p->value, p->nvalues, sizeof *p->value);
	k->ip = copy(p->ip, p->nips, sizeof *p->ip);
	buf_add(&k->bytes, p->bytes.p, p->bytes.len);
	(void)buf_str(&k->bytes);
	*bytes = sizeof *k + k->n * sizeof *k->v + k->nvalues * sizeof *k->value +
	    k->nips * sizeof *k->ip + k->bytes.len;
	return k;
}

static int
piece_again(void *arg, void *kept)
{
	const struct fact_piece	*p = kept;

	for (size_t i = 0; i < p->n; i++)
		tell_fact(arg, p, &p->v[i]);
	return 0;
}

static void
piece_forget(void *kept)
{
	struct fact_piece	*p = kept;

	mem_free(p->v);
	mem_free(p->value);
	mem_free(p->ip);
	buf_release(&p->bytes);
	mem_free(p);
}

struct report_memory *
report_memory_new(void)
{
	static const struct pass_keep	ops = { piece_keep, piece_again, piece_forget };
	struct report_memory		*m = mem_zalloc(1, sizeof *m);

	m->pass = pass_memory_new(&ops, MEMORY_MOST);
	return m;
}

void
report_memory_free(struct report_memory *m)
{
	if (m == NULL)
		return;
	pass_memory_free(m->pass);
	mem_free(m);
}

/* Discard facts of other readers: while a trace grows, new types of events bring new readers. */
static void
memory_for(struct report_memory *m, const struct fact_reader *reader, unsigned n)
{
	bool	same = m->n == n;

	for (unsigned i = 0; i < n && same; i++)
		same = m->def[i] == reader[i].def;
	if (same)
		return;
	pass_memory_clear(m->pass);
	for (unsigned i = 0; i < n; i++)
		m->def[i] = reader[i].def;
	m->n = n;
}

/* ---- the pass */

/* Of joined traces, a reader gets the facts of one. */
static void
put_source(struct buf *text, uint32_t source)
{
	char	*all = mem_strdup(buf_str(text));

	buf_clear(text);
	buf_printf(text, "source = %u and (%s)", source, all);
	mem_free(all);
}

/* With a filter, the pass skips pieces of the trace without such events. */
static void
filter_make(struct facts *f)
{
	struct buf	text = { 0 };

	for (unsigned i = 0; i < f->n; i++)
		facts_terms(f->reader[i].def, &text);
	if (f->parts == NULL && trace_sources(f->t) > 1)
		put_source(&text, f->o->source);
	f->filter = filter_own(buf_str(&text));
	buf_release(&text);
}

/* Over the requested types, which the options do not name. */
static int
facts_pass(struct facts *f, struct pass_options *o, const struct pass_ops *ops,
    struct pass_result *result)
{
	int	err;

	f->lock = lock_new(LOCK_WORK);
	filter_make(f);
	o->filter = f->filter;
	err = pass_run(f->t, o, ops, f, result);
	result->costly = f->costly;
	types_free(f);
	filter_free(f->filter);
	lock_free(f->lock);
	return err;
}

int
facts_read(const struct report_run *run, const struct fact_reader *reader, unsigned n,
    struct pass_result *result)
{
	struct facts		f = { .t = run->t, .o = &run->o, .reader = reader, .n = n };
	struct pass_options	o = run->o.pass;

	o.order = PASS_TIME;
	for (unsigned i = 0; i < n; i++)
		f.pairs |= reader[i].pairs;
	if (run->o.memory != NULL) {
		memory_for(run->o.memory, reader, n);
		o.memory = run->o.memory->pass;
		f.any_window = !pass_memory_full(o.memory);
	}
	if (f.pairs || f.any_window)
		o.has_from = o.has_to = false;
	return facts_pass(&f, &o, &fact_ops, result);
}

/* ---- in any order */

/* Add the fact of an event to what has the fields, which are read into the piece. */
static void
give_fact(struct fact_piece *p, const struct fact_type *ft, const struct event *e,
    void (*add)(void *self, const struct fact *f), void *self)
{
	struct fact	fact = { .ev = e, .kind = ft->def->kind, .nfields = ft->nfields };

	if (ft->nfields > 0) {
		p->nvalues = 0;
		buf_clear(&p->bytes);
		add_values(p, ft, trace_payload(p->f->t, e));
		fact.v = p->value;
		fact.bytes = (const uint8_t *)buf_str(&p->bytes);
	}
	if (p->who != NULL)
		fact.who = field_who(p->who, e->thread);
	add(self, &fact);
}

static void *
part_begin(void *arg)
{
	struct facts		*f = arg;
	struct fact_piece	*p = piece_begin(f);

	if (f->parts->begin != NULL)
		f->parts->begin(p->part, f->arg);
	return p;
}

/* One fact at a time: it is forgotten once the part has it. */
static void
part_event(struct fact_piece *p, const struct event *e)
{
	const struct fact_parts	*ops = p->f->parts;
	const struct fact_types	*all = type_of(p, e->type);

	if (all->n > 0 && (ops->skips == NULL || !ops->skips(p->part, all->of->def->kind, e)))
		give_fact(p, all->of, e, ops->add, p->part);
}

static void
part_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		part_event(state, &b->ev[b->at[i]]);
}

static int
part_merge(void *arg, void *state)
{
	const struct facts	*f = arg;

	f->parts->merge(f->arg, ((struct fact_piece *)state)->part);
	return 0;
}

static void
part_free(void *state)
{
	struct fact_piece	*p = state;

	p->f->parts->release(p->part);
	piece_free(p);
}

void
facts_event(struct trace *t, const struct fact_def *def, const struct event *e,
    void (*add)(void *self, const struct fact *f), void *self)
{
	static const struct report_options	every;
	const struct event_type			*type = trace_type(t, e->type);
	const struct fact_parts			 parts = { .def = def };
	struct facts				 f = { .t = t, .o = &every, .parts = &parts };
	struct fact_type			 ft = { .def = facts_match(def, type) };
	struct fact_piece			*p;

	if (ft.def == NULL)
		return;
	p = piece_begin(&f);
	programs_make(&f, &ft, type);
	give_fact(p, &ft, e, add, self);
	piece_free(p);
	types_free(&f);
}

int
facts_parts(struct trace *t, const struct fact_parts *parts, void *arg,
    const struct pass_options *o)
{
	static const struct pass_ops		ops = { .begin = part_begin, .add = part_add,
						    .merge = part_merge, .free = part_free };
	static const struct report_options	every;
	const struct fact_reader		reader = { .def = parts->def };
	struct facts				f = { .t = t, .o = &every, .parts = parts,
						    .arg = arg, .reader = &reader, .n = 1 };
	struct pass_options			all = { .workers = o->workers,
						    .tick = o->tick, .tick_arg = o->tick_arg };
	struct pass_result			result;

	return facts_pass(&f, &all, &ops, &result);
}

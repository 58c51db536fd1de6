/*
 * Writing a part of a trace.
 *
 *	pass in time order	e e e e   e e e			events of the window that match
 *	context			  c           c			by the same order, merged in
 *	edges, points		^ from      ^ ^ to		sequence points between them
 *
 * A sequence point is written where the window begins and ends, before the first events of a region
 * whose barrier lies between it and what was written before, and where the trace told of a loss.
 * They bring what was lost to where it was lost (numbering.h), and let stacks begin anew.
 *
 * Types keep their metadata ids where these are free; threads of V6 keep their indexes: an index
 * that becomes another thread's is removed first.
 *
 * Invariant: events are written in the order of rows. What the file does not describe (damaged rows
 * of types and threads) is written as a row that says what the trace shows of it.
 */
#include "tnav/engine/excerpt.h"

#include <string.h>

#include "engine/excerpt/numbering.h"
#include "engine/view/decode.h"
#include "tnav/base/arena.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"
#include "tnav/format/writer.h"

#define LABELS_MOST	4096u		/* labels of one event */
#define ROW_MOST	65535u		/* bytes of a row in V6 */
#define ID_MOST		INT32_MAX	/* metadata ids have 31 bits */

struct out_type {
	uint32_t	id;		/* 0: not written yet */
};

/* A thread's row in the file, and the id that the file has for it. */
struct out_thread {
	uint64_t	index, row;
	bool		declared;	/* V6: the index means this thread */
};

/* The number of a stack in the excerpt, for one in the trace. */
struct out_stack {
	uint32_t	scope, stack;	/* of the trace; stack 0: free */
	uint32_t	number;
};
#define STACKS_KNOWN	8192u

/* The same for a list of labels. */
struct out_labels {
	uint32_t	labels, number;
};
#define LABELS_KNOWN	1024u

struct excerpt {
	struct trace		*t;
	const struct excerpt_options *opt;
	struct excerpt_result	*r;
	struct trace_writer	*w;
	bool			 v6;
	struct numbering	 numbers;
	struct event		*context;
	size_t			 ncontext, next;	/* next: the next one to write */
	struct out_type		*type;
	uint32_t		 next_id;
	struct idmap		 ids;		/* metadata ids that were written */
	struct idmap		 declared;	/* V6: index -> declaration + 1; 0: removed */
	struct out_thread	*thread;	/* by declaration */
	uint64_t		 region;	/* of the last event, + 1; 0: none yet */
	uint64_t		 region_off;	/* of its first event */
	uint64_t		 flush_off;	/* of that region: see struct region */
	bool			 from_due, to_due;	/* the window's ends: still to come */
	bool			 dirty;		/* something was written since the last point */
	int64_t			 last_point;
	struct stack_reader	 stacks;
	struct stack_scope	 scope;
	struct out_stack	*stack;		/* STACKS_KNOWN, since the last point */
	uint32_t		 block;		/* region_of() of its events is ... */
	uint64_t		 block_region;	/* ... this */
	struct label		*labels;
	struct out_labels	*list;		/* LABELS_KNOWN, for events at (label_after, ... */
	uint64_t		 label_after, label_to;	/* ... label_to] */
	struct writer_number	*number;	/* for a sequence point */
	size_t			 number_cap;
	struct buf		 row;
	struct redact_texts	*texts;		/* that were redacted; or NULL */
	struct buf		 redacted;	/* a payload, the texts of labels */
};

const char *
excerpt_refusal(struct trace *t)
{
	const struct trace_info	*info = trace_info(t);

	if (t->joined != NULL)
		return "several traces cannot be written as one";
	if (info->version == 0)
		return "a Heph trace cannot be written, only NetTrace and NetPerf V3";
	return info->version < 3 ? "NetPerf V1 and V2 cannot be written, only V3 and NetTrace" :
	    NULL;
}

/* ---- the head */

/* The date of the sync time as the file has it, which may be none. */
static void
head_time(struct trace *t, uint8_t time[WRITER_TIME])
{
	static const uint64_t	offs[] = { [3] = 45, [4] = 53, [5] = 53, [6] = 24 };
	struct span		s = source_span(t->source, offs[trace_info(t)->version],
				    WRITER_TIME);

	memset(time, 0, WRITER_TIME);
	memcpy(time, s.p, s.len);
}

/* A key/value of the trace, redacted unless the format says that it is a number. */
static struct key_value
key_value_redact(struct excerpt *x, const struct key_value *kv, struct arena *a)
{
	static const char *const	numbers[] = { "HardwareThreadCount", "ProcessId",
					    "ExpectedCPUSamplingRate" };
	char				*value;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (x->opt->redact == NULL || strcmp(kv->key, numbers[i]) == 0)
			return *kv;
	value = arena_strndup(a, kv->value, strlen(kv->value));
	redact_utf8(x->opt->redact, redact_kind(span_of(kv->key), span_of(value)), value,
	    strlen(value), x->texts);
	return (struct key_value){ kv->key, value };
}

static struct trace_writer *
writer_begin(struct excerpt *x, struct output *o)
{
	const struct trace_info	*info = trace_info(x->t);
	struct writer_head	 h = {
		.version = x->v6 ? 6 : 4, .sync_ts = info->sync_ts, .freq = info->freq,
		.pointer_size = info->pointer_size, .pid = (uint32_t)info->pid,
		.processors = info->processors, .sampling_rate = info->sampling_rate,
	};
	struct key_value	*kv = mem_zalloc(info->nkv + 1, sizeof *kv);
	struct arena		 texts = { 0 };
	struct trace_writer	*w;

	head_time(x->t, h.time);
	for (size_t i = 0; i < info->nkv; i++)
		if (strcmp(info->kv[i].key, "tnav.cut") != 0 || x->opt->note == NULL)
			kv[h.nkv++] = key_value_redact(x, &info->kv[i], &texts);
	if (x->opt->note != NULL)
		kv[h.nkv++] = (struct key_value){ "tnav.cut", x->opt->note };
	h.kv = kv;
	w = trace_writer_new(o, &h);
	arena_release(&texts);
	mem_free(kv);
	return w;
}

/* ---- what events refer to */

/* A free metadata id, the type's own if possible. */
static uint32_t
id_choose(struct excerpt *x, uint64_t own)
{
	uint32_t	any;

	if (own > 0 && own <= ID_MOST && !idmap_get(&x->ids, own, 0, &any))
		return (uint32_t)own;
	while (idmap_get(&x->ids, x->next_id, 0, &any))
		x->next_id++;
	return x->next_id;
}

static uint32_t
type_id(struct excerpt *x, uint32_t type)
{
	const struct type_rec	*r = segvec_known(&x->t->names.types, type);
	const struct event_type	*t = r->t;
	struct out_type		*out = &x->type[type];
	struct span		 row = r->content;

	if (out->id != 0)
		return out->id;
	out->id = id_choose(x, t->metadata_id);
	idmap_set(&x->ids, out->id, 0, type);
	if (t->missing || t->damaged || row.len == 0 || (x->v6 && row.len > ROW_MOST - 5)) {
		buf_clear(&x->row);
		trace_writer_row(&x->row, x->v6 ? 6 : 4, t, t->damaged ? row :
		    (struct span){ NULL, 0 });
		row = span_of_buf(&x->row);
	}
	trace_writer_type(x->w, out->id, row);
	return out->id;
}

/* A row of a thread in the file, from its index on; false: it is damaged. */
static bool
thread_row(struct trace *t, uint64_t off, struct span *row)
{
	enum { NAME = 1, PID, TID, KEY_VALUE };
	struct cursor	size = cursor_init(source_span(t->source, off, 2), off), c;
	uint16_t	len = cursor_u16le(&size);

	*row = source_span(t->source, off + 2, len);
	c = cursor_init(*row, off + 2);
	(void)cursor_varu64(&c);
	while (cursor_ok(&c) && cursor_left(&c) > 0) {
		uint8_t		kind = cursor_u8(&c);

		if (kind == PID || kind == TID)
			(void)cursor_varu64(&c);
		else if (kind >= NAME && kind <= KEY_VALUE)
			cursor_skip(&c, cursor_varu32(&c));
		else
			return false;
		if (kind == KEY_VALUE)
			cursor_skip(&c, cursor_varu32(&c));
	}
	return cursor_ok(&c) && row->len == len;
}

/* Redact the name and the values in a row of a thread that is whole. */
static void
thread_row_redact(struct excerpt *x, struct span row, struct buf *out)
{
	enum { NAME = 1, KEY_VALUE = 4 };
	struct cursor	c = cursor_init(row, 0);

	buf_clear(out);
	buf_span(out, row);
	(void)cursor_varu64(&c);
	while (cursor_left(&c) > 0) {
		uint8_t		kind = cursor_u8(&c);
		struct span	text = { NULL, 0 }, key = { NULL, 0 };

		if (kind == KEY_VALUE)
			key = cursor_take(&c, cursor_varu32(&c));
		if (kind == NAME || kind == KEY_VALUE)
			text = cursor_take(&c, cursor_varu32(&c));
		else
			(void)cursor_varu64(&c);
		if (text.len > 0)
			redact_utf8(x->opt->redact, kind == NAME ? REDACT_NAMES :
			    redact_kind(key, text), out->p + (text.p - row.p), text.len,
			    x->texts);
	}
}

/* The row of a thread that the file does not describe, or not well. */
static struct span
thread_row_make(struct excerpt *x, uint64_t index, uint32_t thread, bool described)
{
	struct thread_stat	st;
	struct buf		*b = &x->row;

	trace_thread(x->t, thread, &st);
	buf_clear(b);
	buf_varint(b, index);
	if (described && st.name != NULL && strlen(st.name) < ROW_MOST / 2) {
		buf_putc(b, 1);
		buf_varint(b, strlen(st.name));
		buf_puts(b, st.name);
	}
	if (described && st.has_pid) {
		buf_putc(b, 2);
		buf_varint(b, st.pid);
	}
	if (described && st.has_tid) {
		buf_putc(b, 3);
		buf_varint(b, st.tid);
	}
	return span_of_buf(b);
}

/* See to it that the index of a declaration means its thread from now on (V6). */
static void
declare(struct excerpt *x, uint32_t decl, uint32_t thread)
{
	struct out_thread	*d = &x->thread[decl];
	uint32_t		 was = 0;
	struct span		 row;

	if (d->declared)
		return;
	d->declared = true;
	if (idmap_get(&x->declared, d->index, 0, &was) && was != 0) {
		uint32_t	number = x->numbers.v[x->numbers.first[was - 1]].n;

		x->thread[was - 1].declared = false;
		trace_writer_remove(x->w, d->index, number);
		numbering_remove(&x->numbers, was - 1);
	}
	idmap_set(&x->declared, d->index, 0, decl + 1);
	if (d->row == 0 || !thread_row(x->t, d->row, &row))
		row = thread_row_make(x, d->index, thread, d->row != 0);
	if (x->opt->redact != NULL) {
		thread_row_redact(x, row, &x->redacted);
		row = span_of_buf(&x->redacted);
	}
	trace_writer_thread(x->w, row);
}

/* ---- sequence points */

static uint32_t
thread_of_decl(const struct excerpt *x, uint32_t decl)
{
	return ((const struct decl_rec *)segvec_known(&x->t->names.decls, decl))->thread;
}

/* A sequence point before the events from off on; flush: all threads are declared anew (V6). */
static int
point(struct excerpt *x, int64_t ts, uint64_t off, bool flush)
{
	struct numbering	*l = &x->numbers;
	int			 err;

	numbering_reach(l, off);
	x->number = mem_grow(x->number, &x->number_cap, l->nopen + 1, sizeof *x->number);
	for (size_t i = 0; i < l->nopen; i++) {
		const struct numbered_life	*v = &l->v[l->open[i]];

		if (x->v6)
			declare(x, v->decl, thread_of_decl(x, v->decl));
		x->number[i] = (struct writer_number){ x->thread[v->decl].index, v->n };
	}
	if (ts < x->last_point)
		ts = x->last_point;
	x->last_point = ts;
	x->dirty = false;
	err = trace_writer_point(x->w, ts, flush, x->number, l->nopen);
	array_clear(x->stack, STACKS_KNOWN, sizeof *x->stack);
	array_clear(x->list, LABELS_KNOWN, sizeof *x->list);
	if (flush) {
		for (size_t i = 0; i < x->declared.n; i++)
			if (x->declared.entry[i].value != 0)
				x->thread[x->declared.entry[i].value - 1].declared = false;
		idmap_release(&x->declared);
		numbering_flush(l);
	}
	return err;
}

/* The removal of a thread tells what it lost last (V6). */
static void
thread_end(struct excerpt *x, uint32_t life)
{
	struct numbered_life	*v = &x->numbers.v[life];
	struct out_thread	*d = &x->thread[v->decl];

	numbering_count_at(&x->numbers);
	declare(x, v->decl, thread_of_decl(x, v->decl));
	trace_writer_remove(x->w, d->index, v->n + (uint32_t)v->pending);
	v->pending = 0;
	numbering_remove(&x->numbers, v->decl);
	d->declared = false;
	idmap_set(&x->declared, d->index, 0, 0);
}

/* Write the sequence points that are due up to a time, before the events from off on. */
static int
advance(struct excerpt *x, int64_t to, uint64_t off, bool points)
{
	struct numbering	*l = &x->numbers;
	int		 err = ERR_OK;

	while (err == ERR_OK) {
		const struct numbered_gap	*g = l->next_at < l->nat ? &l->at[l->next_at] :
						    NULL;
		/* A thread is removed after the events of that time. */
		bool	is_due = g != NULL && (points ? g->to <= to : g->removes && g->to < to);
		int64_t	at = is_due ? g->to : INT64_MAX;

		if (x->from_due && x->opt->pass.from <= to && x->opt->pass.from <= at) {
			x->from_due = false;
			err = point(x, x->opt->pass.from, x->region_off, false);
		} else if (x->to_due && x->opt->pass.to <= to && x->opt->pass.to <= at) {
			x->to_due = false;
			numbering_count_before(l, UINT64_MAX);
			while (l->next_at < l->nat)
				numbering_count_at(l);
			err = point(x, x->opt->pass.to, x->region_off, false);
		} else if (is_due && g->removes) {
			thread_end(x, g->life);
		} else if (is_due) {
			numbering_count_before(l, off);
			while (l->next_at < l->nat && l->at[l->next_at].to == at &&
			    !l->at[l->next_at].removes)
				numbering_count_at(l);
			err = point(x, at, off, false);
		} else {
			break;
		}
	}
	return err;
}

/* The first event of a region comes next. */
static int
region_enter(struct excerpt *x, uint64_t region)
{
	const struct region	*g = segvec_known(&x->t->index.regions, region);
	const struct segment	*s = segvec_known(&x->t->index.segments, g->seg0);
	uint64_t		 off = segment_off(x->t, s);
	int			 err = ERR_OK;
	bool			 flush;

	x->region = region + 1;
	if (g->has_point)
		err = advance(x, g->point, off, true);
	if (err == ERR_OK && g->has_point && x->numbers.nbefore > 0) {
		numbering_count_before(&x->numbers, off);
		x->dirty |= numbering_pending(&x->numbers);
	}
	/* Where the trace declares all threads anew, so does the excerpt: a reader may not take
	   it that an index is used again otherwise. */
	flush = x->v6 && g->flush_off != x->flush_off && x->declared.n > 0;
	if (err == ERR_OK && g->has_point && (x->dirty || flush))
		err = point(x, g->point, off, flush);
	x->flush_off = g->flush_off;
	x->region_off = off;
	return err;
}

/* ---- events */

static const uint8_t *
id_of(struct trace *t, const struct event *e, uint32_t back)
{
	struct span	s = { NULL, 0 };

	if (back != 0 && back <= e->off)
		s = source_span(t->source, e->off - back, 16);
	return s.len == 16 ? s.p : NULL;
}

/* Redact the texts of labels, which then are in x->redacted. */
static void
labels_redact(struct excerpt *x, struct label *l, size_t n)
{
	size_t	at = 0;

	buf_clear(&x->redacted);
	(void)buf_room(&x->redacted, 1);	/* also for texts that are empty */
	for (size_t i = 0; i < n; i++) {
		if (l[i].kind != LABEL_TEXT)
			continue;
		at = x->redacted.len;
		buf_span(&x->redacted, l[i].text);
		redact_utf8(x->opt->redact, redact_kind(l[i].key, l[i].text), x->redacted.p + at,
		    l[i].text.len, x->texts);
	}
	at = 0;
	for (size_t i = 0; i < n; i++) {
		if (l[i].kind != LABEL_TEXT)
			continue;
		l[i].text.p = (const uint8_t *)x->redacted.p + at;
		at += l[i].text.len;
	}
}

/* The number of the event's labels in the excerpt. */
static uint32_t
labels_number(struct excerpt *x, const struct event *e)
{
	struct out_labels	*known = &x->list[e->labels % LABELS_KNOWN];

	if (e->labels == 0)
		return 0;
	if (e->off <= x->label_after || e->off > x->label_to) {
		array_clear(x->list, LABELS_KNOWN, sizeof *x->list);
		if (!trace_label_scope(x->t, e, &x->label_after, &x->label_to))
			x->label_to = 0;
	}
	if (known->labels != e->labels) {
		size_t	n = trace_labels(x->t, e, x->labels, LABELS_MOST);

		if (x->opt->redact != NULL)
			labels_redact(x, x->labels, n);
		*known = (struct out_labels){ e->labels,
		    trace_writer_labels(x->w, x->labels, n) };
	}
	return known->number;
}

/* The number of the event's stack in the excerpt; 0: it has none, or it is lost. */
static uint32_t
stack_number(struct excerpt *x, const struct event *e)
{
	struct out_stack	*known = &x->stack[stack_place(e) % STACKS_KNOWN];
	struct span		 s;
	bool			 scoped;

	if (e->stack == 0)
		return 0;
	scoped = trace_stack_scope(x->t, e, &x->scope);
	if (scoped && known->stack == e->stack && known->scope == x->scope.now.number)
		return known->number;
	s = trace_stack_bytes(x->t, &x->stacks, e);
	if (s.p == NULL)
		return 0;
	*known = (struct out_stack){ x->scope.now.number, scoped ? e->stack : 0,
	    trace_writer_stack(x->w, s) };
	return known->number;
}

static int
event_write(struct excerpt *x, const struct event *e, bool kept)
{
	struct trace		*t = x->t;
	uint32_t		 capture = x->v6 ? e->capture_decl : e->capture;
	uint32_t		 thread = x->v6 ? e->thread_decl : e->thread;
	struct writer_event	 out = {
		.ts = e->ts, .cpu = (uint32_t)e->cpu, .payload = trace_payload(t, e),
		.thread = x->thread[thread].index, .capture = x->thread[capture].index,
	};

	if (x->v6) {
		declare(x, capture, e->capture);
		declare(x, thread, e->thread);
		out.labels = labels_number(x, e);
	} else {
		out.activity = id_of(t, e, e->activity_back);
		out.related = id_of(t, e, e->related_back);
	}
	if (x->opt->redact != NULL) {
		redact_payload(x->opt->redact, trace_type(t, e->type), out.payload, &x->redacted,
		    NULL);
		out.payload = span_of_buf(&x->redacted);
	}
	out.type = type_id(x, e->type);
	if (kept)
		out.stack = stack_number(x, e);
	out.seq = numbering_next(&x->numbers, numbering_of(&x->numbers, capture, e->off), e->off,
	    pass_has(&x->opt->pass, e->ts));
	x->dirty = true;
	x->r->events += kept;
	x->r->context += !kept;
	return trace_writer_event(x->w, &out);
}

static uint64_t
region_of(const struct excerpt *x, const struct event *e)
{
	return ((const struct record *)segvec_known(&x->t->index.records, e->block))->region;
}

/* The same for events that mostly follow one of the same block. */
static uint64_t
region_next(struct excerpt *x, const struct event *e)
{
	if (x->region == 0 || e->block != x->block) {
		x->block = e->block;
		x->block_region = region_of(x, e);
	}
	return x->block_region;
}

/* Write an event, and the sequence points before it. */
static int
event_take(struct excerpt *x, const struct event *e, bool kept)
{
	uint64_t	region = region_next(x, e);
	int		err = ERR_OK;

	if (region + 1 != x->region)
		err = region_enter(x, region);
	if (err == ERR_OK && (x->from_due || x->to_due || x->numbers.next_at < x->numbers.nat))
		err = advance(x, e->ts, x->region_off, false);
	return err == ERR_OK ? event_write(x, e, kept) : err;
}

/* ---- the context, merged in */

/* The order of rows. */
static bool
comes_before(const struct excerpt *x, const struct event *a, const struct event *b)
{
	uint64_t	ra = region_of(x, a), rb = region_of(x, b);

	if (ra != rb)
		return ra < rb;
	return a->ts != b->ts ? a->ts < b->ts : a->off < b->off;
}

/* Merge sort: the comparison needs the regions. */
static void
context_sort(const struct excerpt *x, struct event *v, struct event *room, size_t n)
{
	size_t	half = n / 2, i = 0, k = half;

	if (n < 2)
		return;
	context_sort(x, v, room, half);
	context_sort(x, v + half, room, n - half);
	for (size_t to = 0; to < n; to++)
		room[to] = k == n || (i < half && !comes_before(x, &v[k], &v[i])) ? v[i++] : v[k++];
	memcpy(v, room, n * sizeof *v);
}

/* Write the context before the event; e NULL: the rest. */
static int
context_write(struct excerpt *x, const struct event *e)
{
	int	err = ERR_OK;

	for (; x->next < x->ncontext && err == ERR_OK; x->next++) {
		const struct event	*c = &x->context[x->next];

		if (e != NULL && !comes_before(x, c, e))
			break;
		err = event_take(x, c, false);
	}
	/* The event may be among the context. */
	while (e != NULL && x->next < x->ncontext && x->context[x->next].off == e->off &&
	    x->context[x->next].ts == e->ts)
		x->next++;
	return err;
}

/* ---- the pass */

struct excerpt_piece {
	struct event	*ev;
	size_t		 n, cap;
};

static void *
piece_begin(void *arg)
{
	(void)arg;
	return mem_zalloc(1, sizeof(struct excerpt_piece));
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct excerpt_piece	*p = state;

	p->ev = mem_grow(p->ev, &p->cap, p->n + b->n, sizeof *p->ev);
	for (uint32_t i = 0; i < b->n; i++)
		p->ev[p->n++] = b->ev[b->at[i]];
}

static int
piece_merge(void *arg, void *state)
{
	struct excerpt		*x = arg;
	struct excerpt_piece	*p = state;
	int			 err = ERR_OK;

	for (size_t i = 0; i < p->n && err == ERR_OK; i++) {
		err = context_write(x, &p->ev[i]);
		if (err == ERR_OK)
			err = event_take(x, &p->ev[i], true);
	}
	return err;
}

static void
piece_clear(void *state)
{
	((struct excerpt_piece *)state)->n = 0;
}

static void
piece_free(void *state)
{
	mem_free(((struct excerpt_piece *)state)->ev);
	mem_free(state);
}

static const struct pass_ops	excerpt_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

/* ---- redaction: the texts are known before anything is written, so that it can be searched */

struct learn_piece {
	struct excerpt		*x;
	struct redact_texts	*texts;
	struct buf		 payload;
};

static void *
learn_begin(void *arg)
{
	struct learn_piece	*p = mem_zalloc(1, sizeof *p);

	p->x = arg;
	p->texts = redact_texts_new(LIMIT_REDACT_TEXTS);
	return p;
}

static void
learn_event(struct learn_piece *p, const struct event *e)
{
	redact_payload(p->x->opt->redact, trace_type(p->x->t, e->type),
	    trace_payload(p->x->t, e), &p->payload, p->texts);
}

static void
learn_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		learn_event(state, &b->ev[b->at[i]]);
}

static int
learn_merge(void *arg, void *state)
{
	struct excerpt	*x = arg;

	redact_texts_add(x->texts, ((struct learn_piece *)state)->texts);
	return ERR_OK;
}

static void
learn_free(void *state)
{
	struct learn_piece	*p = state;

	redact_texts_free(p->texts);
	buf_release(&p->payload);
	mem_free(p);
}

static const struct pass_ops	learn_ops = {
	.begin = learn_begin, .add = learn_add, .merge = learn_merge, .free = learn_free,
	.stays = true,
};

/* Names and values in the rows of threads (V6). */
static void
learn_threads(struct excerpt *x)
{
	struct span	row;

	for (uint32_t i = 0; x->v6 && i < x->numbers.decls; i++)
		if (x->thread[i].row != 0 && thread_row(x->t, x->thread[i].row, &row))
			thread_row_redact(x, row, &x->redacted);
}

static int
learn_texts(struct excerpt *x, const struct pass_options *po)
{
	struct pass_options	 any = *po;
	struct pass_result	 r;
	struct learn_piece	*rest;
	int			 err;

	if (x->opt->redact == NULL)
		return ERR_OK;
	x->texts = redact_texts_new(LIMIT_REDACT_TEXTS);
	any.order = PASS_ANY;
	err = pass_run(x->t, &any, &learn_ops, x, &r);
	rest = learn_begin(x);
	for (size_t i = 0; i < x->ncontext; i++)
		learn_event(rest, &x->context[i]);
	redact_texts_add(x->texts, rest->texts);
	learn_free(rest);
	learn_threads(x);
	redact_texts_sort(x->texts);
	redact_seek(x->opt->redact, x->texts);
	x->r->texts = redact_texts_count(x->texts);
	x->r->texts_beyond = redact_texts_beyond(x->texts);
	return err;
}

/* None of the texts is in the block. */
static bool
search_block(void *arg, struct span content, uint64_t off)
{
	struct excerpt	*x = arg;
	struct span	 text;
	size_t		 at, n;

	if (!redact_texts_find(x->texts, content, &at, &text))
		return true;
	x->r->leak_off = off + at;
	n = text.len < sizeof x->r->leak - 1 ? text.len : sizeof x->r->leak - 1;
	for (size_t i = 0, to = 0; i < n; i++)
		if (text.p[i] != 0)
			x->r->leak[to++] = (char)text.p[i];
	return false;
}

/* ---- what was lost */

static bool
neighbour_matches(struct trace *t, struct filter_eval *f, int64_t ts, uint64_t off)
{
	struct event	e;
	uint64_t	row;

	return off != 0 && trace_row_of(t, ts, off, &row) == 1 && trace_event(t, row, &e) == 1 &&
	    filter_match(f, &e);
}

/* Choose the gaps that touch the window, on the threads that are let through. */
static void
choose_gaps(struct excerpt *x)
{
	struct filter_eval	*f = NULL;
	struct gap		*gap;
	size_t			 n = trace_gaps(x->t, &gap);

	if (x->opt->threads != NULL)
		f = filter_eval_new(x->opt->threads, x->t);
	for (size_t i = 0; i < n; i++) {
		const struct gap	*g = &gap[i];

		if (!gap_touches(g, &x->opt->pass))
			continue;
		if (f == NULL || (g->has_prev && neighbour_matches(x->t, f, g->prev_ts,
		    g->prev_off)) || neighbour_matches(x->t, f, g->to, g->next_off))
			numbering_add_gap(&x->numbers, g);
	}
	numbering_sort(&x->numbers);
	filter_eval_free(f);
	mem_free(gap);
}

/* ---- the whole */

static void
excerpt_init(struct excerpt *x, struct trace *t, const struct excerpt_options *opt)
{
	struct event	*room = mem_zalloc(opt->ncontext + 1, sizeof *room);

	x->t = t;
	x->opt = opt;
	x->v6 = t->format.declares;
	x->from_due = opt->pass.has_from;
	x->to_due = opt->pass.has_to;
	x->last_point = INT64_MIN;
	x->next_id = 1;
	x->labels = mem_zalloc(LABELS_MOST, sizeof *x->labels);
	x->stack = mem_zalloc(STACKS_KNOWN, sizeof *x->stack);
	x->list = mem_zalloc(LABELS_KNOWN, sizeof *x->list);
	lock_take(t->lock);
	numbering_init(&x->numbers, t);
	x->type = mem_zalloc((size_t)t->names.types.n + 1, sizeof *x->type);
	x->thread = mem_zalloc(x->numbers.decls + 1, sizeof *x->thread);
	for (uint32_t i = 0; i < x->numbers.decls; i++) {
		const struct decl_rec	*d = segvec_at(&t->names.decls, i);

		x->thread[i] = (struct out_thread){ d->index, d->row, false };
	}
	lock_drop(t->lock);
	choose_gaps(x);
	x->ncontext = opt->ncontext;
	x->context = mem_zalloc(opt->ncontext + 1, sizeof *x->context);
	if (opt->ncontext > 0)
		memcpy(x->context, opt->context, opt->ncontext * sizeof *x->context);
	context_sort(x, x->context, room, x->ncontext);
	mem_free(room);
}

static void
excerpt_release(struct excerpt *x)
{
	trace_writer_free(x->w);
	numbering_release(&x->numbers);
	idmap_release(&x->ids);
	idmap_release(&x->declared);
	buf_release(&x->row);
	mem_free(x->context);
	mem_free(x->labels);
	mem_free(x->number);
	mem_free(x->stack);
	mem_free(x->list);
	mem_free(x->type);
	mem_free(x->thread);
	if (x->texts != NULL)
		redact_seek(x->opt->redact, NULL);
	redact_texts_free(x->texts);
	buf_release(&x->redacted);
}

/* The rest of the context, and of what was lost. */
static int
finish(struct excerpt *x)
{
	int64_t	last = x->t->progress.tmax;
	int	err = context_write(x, NULL);

	if (err == ERR_OK)
		err = advance(x, INT64_MAX, UINT64_MAX, true);
	numbering_count_before(&x->numbers, UINT64_MAX);
	if (err == ERR_OK && numbering_pending(&x->numbers))
		err = point(x, last, UINT64_MAX, false);
	return err == ERR_OK ? trace_writer_end(x->w) : err;
}

int
excerpt_write(struct trace *t, struct output *o, const struct excerpt_options *opt,
    struct excerpt_result *r)
{
	struct pass_options	po = opt->pass;
	struct excerpt		x = { .r = r };
	int			err;

	po.order = PASS_TIME;
	memset(r, 0, sizeof *r);
	excerpt_init(&x, t, opt);
	err = learn_texts(&x, &po);
	x.w = writer_begin(&x, o);
	if (x.texts != NULL)
		trace_writer_inspect(x.w, search_block, &x);
	if (err == ERR_OK)
		err = pass_run(t, &po, &excerpt_ops, &x, &r->pass);
	if (err == ERR_OK)
		err = finish(&x);
	r->lost = x.numbers.lost;
	r->bytes = trace_writer_bytes(x.w);
	excerpt_release(&x);
	return err;
}

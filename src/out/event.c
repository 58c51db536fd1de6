/*
 * Events as lines of JSON and of text.
 *
 *	{"row":7,"t":53510,"ticks":23326,  "provider":...,"opcode":33  ,"pid":12,"tid":15,"cpu":.
 *	 written each time		   once a type (prefix)	       once a thread (who)
 *
 * JSON is the hot path: text that does not change from one event to the next is rendered once, and
 * numbers are written directly into the output's buffer. doc/tnav.1.in, "JSON LINES", has the keys.
 */
#include "tnav/out/event.h"

#include <stdio.h>
#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/array.h"
#include "tnav/base/digits.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/engine/field.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/label.h"
#include "tnav/engine/naming.h"
#include "tnav/model/value.h"

#define HEAD_ROOM	512u	/* for all numbers and keys of an event, without prefixes */
#define NAME_CELLS	44u	/* width of provider/name in text, before the payload */
#define NAME_ROOM	15u	/* width of a thread's name */
#define HEX_SHOWN	32u	/* bytes of a payload that cannot be decoded */

/* A thread, and its part of the JSON: ,"pid":1,"tid":2,"thread":"main" */
struct event_who {
	struct field_who	 id;
	char			*json;
	size_t			 json_len;
	size_t			 json_ids;	/* length of the ids, which precede threadIndex */
};

struct event_out {
	struct trace			*t;
	struct out_style		 st;
	struct event_out_options	 opt;
	struct field_reader		*fields;
	struct arena			 arena;		/* for the prefixes */
	struct span			*file;		/* by source: the text at the beginning of
							   each line; or nothing */
	struct span			*prefix;	/* by type: its part of the JSON */
	size_t				 prefixes;
	struct event_who		*who;		/* by thread */
	size_t				 whos;
	bool				 sequence;
	bool				 labelled;	/* V6: labels and thread indexes */
	bool				 spans;		/* Heph: types have only a name */
	struct label_set		 labels;	/* of the last event */
	struct buf			 line;		/* scratch */
	struct buf			 type;		/* JSON of a type with labels that
							   override it */
};

static void
pad_to(struct buf *out, size_t used, size_t want)
{
	if (used < want)
		buf_fill(out, ' ', want - used);
}

/* Clean text, padded to `want` cells. Longer text shifts the rest of the line. */
static void
put_clean(struct buf *out, const char *s, size_t len, const struct out_style *st, size_t want)
{
	size_t	used = text_clean(out, (struct span){ (const uint8_t *)s, len }, st->mode,
		    SIZE_MAX);

	pad_to(out, used, want);
}

/* The text at the beginning of each line of a source, if there are several. */
static struct span
render_file(struct event_out *x, const char *file, uint32_t source)
{
	struct span	lead = { NULL, 0 };
	struct buf	b = { 0 };

	if (x->st.format == OUT_TEXT) {
		put_clean(&b, file, strlen(file), &x->st, x->opt.file_cells);
		buf_puts(&b, "  ");
	} else {
		buf_puts(&b, "\"file\":");
		json_text8(&b, span_of(file));
		if (trace_sources(x->t) > 1) {
			buf_puts(&b, ",\"source\":");
			buf_u64(&b, source);
		}
		buf_putc(&b, ',');
	}
	lead.p = (const uint8_t *)arena_strndup(&x->arena, b.p, b.len);
	lead.len = b.len;
	buf_release(&b);
	return lead;
}

static void
render_files(struct event_out *x)
{
	uint32_t	n = trace_sources(x->t);

	x->file = mem_zalloc(n, sizeof *x->file);
	for (uint32_t i = 0; i < n; i++) {
		const char	*file = x->opt.file;

		if (n > 1)
			file = trace_path(trace_source(x->t, i));
		x->file[i] = file != NULL ? render_file(x, file, i) : span_of("");
	}
}

struct event_out *
event_out_new(struct trace *t, const struct out_style *st, const struct event_out_options *opt)
{
	struct event_out	*x = mem_zalloc(1, sizeof *x);

	x->t = t;
	x->st = *st;
	x->opt = *opt;
	x->sequence = trace_has(t, HAS_NUMBERS);
	x->labelled = trace_has(t, HAS_LABELS);
	x->spans = trace_has(t, HAS_DURATIONS);
	x->fields = field_reader_new(t, &(struct field_options){
	    .frames = opt->symbols ? FRAMES_RAW : FRAMES_ADDRESSES });
	render_files(x);
	return x;
}

void
event_out_free(struct event_out *x)
{
	if (x == NULL)
		return;
	field_reader_free(x->fields);
	mem_free(x->file);
	mem_free(x->prefix);
	mem_free(x->who);
	buf_release(&x->line);
	buf_release(&x->type);
	arena_release(&x->arena);
	mem_free(x);
}

/* ---- prefixes, rendered once */

static void
put_key_str(struct buf *out, const char *key, const char *s)
{
	buf_puts(out, key);
	json_text8(out, span_of(s));
}

static void
put_key_u64(struct buf *out, const char *key, uint64_t v)
{
	buf_puts(out, key);
	buf_u64(out, v);
}

/* ,"provider":"...","id":... up to opcode. Without labels of the event, this depends on the type
   only. */
static void
render_type(struct event_out *x, struct buf *out, const struct event *e)
{
	const struct event_type	*ty = trace_type(x->t, e->type);
	struct event_meta	 meta;

	trace_event_meta(x->t, e, &meta);
	put_key_str(out, ",\"provider\":", ty->provider);
	if (!x->spans) {
		put_key_u64(out, ",\"id\":", ty->id);
		put_key_u64(out, ",\"version\":", meta.version);
	}
	put_key_str(out, ",\"name\":", ty->name);
	if (ty->event != NULL)
		put_key_str(out, ",\"event\":", ty->event);
	if (x->spans)
		return;
	put_key_u64(out, ",\"level\":", meta.level);
	buf_puts(out, ",\"keywords\":\"0x");
	buf_hex(out, meta.keywords, 1);
	buf_putc(out, '"');
	if (meta.has_opcode)
		put_key_u64(out, ",\"opcode\":", meta.opcode);
}

static struct span
type_prefix(struct event_out *x, uint32_t type)
{
	struct buf	b = { 0 };

	x->prefix = array_reach(x->prefix, &x->prefixes, type, sizeof *x->prefix);
	if (x->prefix[type].p == NULL) {
		render_type(x, &b, &(struct event){ .type = type });
		x->prefix[type].p = (uint8_t *)arena_strndup(&x->arena, b.p, b.len);
		x->prefix[type].len = b.len;
		buf_release(&b);
	}
	return x->prefix[type];
}

/* ,"pid":...,"tid":...,"thread":"..." */
static void
render_who(struct event_out *x, struct event_who *w)
{
	struct buf	b = { 0 };

	if (w->id.has_pid || trace_has(trace_source(x->t, w->id.source), HAS_LABELS))
		put_key_u64(&b, ",\"pid\":", w->id.pid);
	if (w->id.has_tid)
		put_key_u64(&b, ",\"tid\":", w->id.tid);
	w->json_ids = b.len;
	if (w->id.name != NULL)
		put_key_str(&b, ",\"thread\":", w->id.name);
	w->json = arena_strndup(&x->arena, b.p, b.len);
	w->json_len = b.len;
	buf_release(&b);
}

static const struct event_who *
who_of(struct event_out *x, uint32_t thread)
{
	const struct field_who	*id;

	x->who = array_reach(x->who, &x->whos, thread, sizeof *x->who);
	if (x->who[thread].json == NULL) {
		id = field_who(x->fields, thread);
		if (id != NULL)
			x->who[thread].id = *id;
		render_who(x, &x->who[thread]);
	}
	return &x->who[thread];
}

/* ---- numbers and keys, into a buffer that has room */

static inline char *
put_key(char *p, const char *key, size_t len)
{
	memcpy(p, key, len);
	return p + len;
}

#define PUT_KEY(p, key)	put_key(p, key, sizeof key - 1)

static void
put_guid(struct buf *out, const char *key, const uint8_t guid[16])
{
	buf_puts(out, key);
	guid_text(out, guid);
	buf_putc(out, '"');
}

/* pid, tid, threadIndex, thread: the index is from the event, the rest from its thread. */
static char *
put_who(struct event_out *x, char *p, const struct event *e, const struct event_who *w)
{
	uint64_t	index, capture;

	p = put_key(p, w->json, w->json_ids);
	if (trace_thread_indexes(x->t, e, &index, &capture)) {
		p = PUT_KEY(p, ",\"threadIndex\":");
		p = digits_u64(p, index);
	}
	return put_key(p, w->json + w->json_ids, w->json_len - w->json_ids);
}

/* captureTid, cpu, seq, stream, substream: they follow the thread. */
static char *
put_origin(struct event_out *x, char *p, const struct event *e, uint64_t tid,
    const struct event_extra *extra)
{
	const struct event_who	*w;

	if (e->capture != e->thread && e->capture != EVENT_NONE) {
		w = who_of(x, e->capture);
		if (w->id.has_tid && w->id.tid != tid) {
			p = PUT_KEY(p, ",\"captureTid\":");
			p = digits_u64(p, w->id.tid);
		}
	}
	if (e->cpu >= 0) {
		p = PUT_KEY(p, ",\"cpu\":");
		p = digits_u64(p, (uint64_t)e->cpu);
	}
	if (x->sequence && trace_event_has(x->t, e, HAS_NUMBERS)) {
		p = PUT_KEY(p, ",\"seq\":");
		p = digits_u64(p, e->seq);
	}
	if (extra != NULL && extra->has_substream) {
		p = PUT_KEY(p, ",\"stream\":");
		p = digits_u64(p, extra->stream);
		p = PUT_KEY(p, ",\"substream\":");
		p = digits_u64(p, extra->substream);
	}
	return p;
}

/* The type's part: the prefix, unless labels of the event override some of it. */
static struct span
event_prefix(struct event_out *x, const struct event *e)
{
	if (!labels_override(&x->labels))
		return type_prefix(x, e->type);
	buf_clear(&x->type);
	render_type(x, &x->type, e);
	return span_of_buf(&x->type);
}

static void
json_header(struct event_out *x, struct buf *out, const struct event *e, uint64_t row)
{
	struct event_extra	 of_event, *extra = NULL;
	struct span		 type = event_prefix(x, e);
	const struct span	*file = &x->file[event_source(e)];
	struct event_who	 who = { .json = NULL };
	char			*p;

	if (trace_event_extra(x->t, e, &of_event))
		extra = &of_event;
	if (e->thread != EVENT_NONE)
		who = *who_of(x, e->thread);
	p = buf_room(out, HEAD_ROOM + file->len + type.len + who.json_len);
	*p++ = '{';
	p = put_key(p, (const char *)file->p, file->len);
	if (x->opt.rows) {
		p = PUT_KEY(p, "\"row\":");
		p = digits_u64(p, row);
		*p++ = ',';
	}
	p = PUT_KEY(p, "\"t\":");
	p = digits_i64(p, trace_ns(x->t, e->ts));
	p = PUT_KEY(p, ",\"ticks\":");
	p = digits_i64(p, field_ticks(e, extra));
	if (x->spans) {
		p = PUT_KEY(p, ",\"dur\":");
		p = digits_u64(p, e->dur);
	}
	p = put_key(p, (const char *)type.p, type.len);
	if (who.json != NULL)
		p = put_who(x, p, e, &who);
	p = put_origin(x, p, e, who.id.tid, extra);
	out->len = (size_t)(p - out->p);
}

static void
json_links(struct event_out *x, struct buf *out, const struct event *e)
{
	uint8_t	guid[16];
	bool	by_labels = trace_event_has(x->t, e, HAS_LABELS);

	if (by_labels ? labels_guid(&x->labels, LABEL_ACTIVITY, guid) :
	    trace_activity(x->t, e, guid))
		put_guid(out, ",\"activity\":\"", guid);
	if (by_labels ? labels_guid(&x->labels, LABEL_RELATED, guid) :
	    trace_related(x->t, e, guid))
		put_guid(out, ",\"related\":\"", guid);
	if (e->flags & EVENT_LOST) {
		uint64_t	lost = trace_event_lost(x->t, e);

		if (lost > 0)
			put_key_u64(out, ",\"lost\":", lost);
	}
	if (x->labels.n > 0) {
		size_t	mark = out->len;

		buf_puts(out, ",\"labels\":");
		if (!labels_json(&x->labels, out))	/* all of them are in the header */
			out->len = mark;
	}
	if (e->stack != 0) {
		size_t	mark = out->len;

		buf_puts(out, ",\"stack\":");
		field_stack_json(x->fields, out, e);
		if (out->p[out->len - 2] == '[')	/* empty: left out */
			out->len = mark;
	}
}

static void
json_builtin(struct buf *out, const struct event_type *ty, struct span payload)
{
	size_t	mark = out->len;

	if (ty->builtin == NULL)
		return;
	buf_puts(out, ",\"builtin\":");
	if (!builtin_json(out, ty, payload))
		out->len = mark;
}

static void
json_payload(struct event_out *x, struct buf *out, const struct event *e)
{
	const struct event_type	*type = trace_type(x->t, e->type);
	struct span		 payload = trace_payload(x->t, e);
	struct payload_result	 res = { 0 };

	put_key_u64(out, ",\"size\":", e->size);
	if (x->opt.crc) {
		buf_puts(out, ",\"crc\":\"");
		buf_hex(out, field_crc(payload), 8);
		buf_putc(out, '"');
	}
	if (x->opt.raw) {
		buf_puts(out, ",\"raw\":\"");
		buf_bytes_hex(out, payload.p, payload.len);
		buf_putc(out, '"');
	}
	buf_puts(out, ",\"payload\":");
	payload_json(out, type, payload, x->opt.enums, &res);
	json_builtin(out, type, payload);
	if (res.undecoded > 0)
		put_key_u64(out, ",\"undecoded\":", res.undecoded);
	if (res.error != NULL)
		put_key_str(out, ",\"error\":", res.error);
	buf_puts(out, "}\n");
}

void
event_out_json(struct event_out *x, struct buf *out, const struct event *e, uint64_t row)
{
	struct buf	*to = x->st.tty ? &x->line : out;

	if (x->st.tty)
		buf_clear(to);
	labels_load(&x->labels, x->t, e);
	json_header(x, to, e, row);
	json_links(x, to, e);
	json_payload(x, to, e);
	if (x->st.tty)
		out_json_line(out, span_of_buf(to), &x->st);
}

/* ---- text */

/* 15, or 7/15 if the trace has several processes. */
static void
put_thread_id(struct event_out *x, struct buf *out, const struct field_who *w)
{
	if (x->labelled && w != NULL && w->has_pid) {
		buf_u64(out, w->pid);
		buf_putc(out, '/');
	}
	if (w != NULL && w->has_tid)
		buf_u64(out, w->tid);
	else
		buf_putc(out, '-');
}

/* "    0.000053510       15  ": time and thread, right-aligned. */
static void
text_lead(struct event_out *x, struct buf *out, int64_t ns, uint32_t thread)
{
	const struct field_who	*w = field_who(x->fields, thread);
	const char		*name;

	if (w != NULL)
		buf_add(out, x->file[w->source].p, x->file[w->source].len);
	buf_puts(out, x->st.color ? "\033[2m" : "");
	buf_clear(&x->line);
	out_time(&x->line, ns, &x->st);
	pad_to(out, x->line.len, 15);
	buf_add(out, x->line.p, x->line.len);
	buf_puts(out, x->st.color ? "\033[m  " : "  ");
	buf_clear(&x->line);
	put_thread_id(x, &x->line, w);
	pad_to(out, x->line.len, x->labelled ? 11 : 7);
	buf_add(out, x->line.p, x->line.len);
	if (x->labelled) {
		name = w != NULL && w->name != NULL ? w->name : "";
		buf_putc(out, ' ');
		put_clean(out, name, strlen(name), &x->st, NAME_ROOM);
	}
	buf_puts(out, "  ");
}

/* " 1.204 ms  ": the duration of a span, right-aligned. */
static void
text_dur(struct event_out *x, struct buf *out, uint64_t dur)
{
	size_t	cells;

	buf_clear(&x->line);
	units_dur(&x->line, dur < INT64_MAX ? (int64_t)dur : INT64_MAX, x->st.mode == TEXT_ASCII);
	cells = text_width(span_of_buf(&x->line), x->st.mode);
	pad_to(out, cells, 9);
	buf_add(out, x->line.p, x->line.len);
	buf_puts(out, "  ");
}

/* " at INNERMOST < CALLER < ..." */
static void
text_stack(struct event_out *x, struct buf *out, const struct event *e)
{
	const uint64_t		*ips;
	size_t			 n = field_stack(x->fields, e, &ips), begin = out->len;

	for (size_t i = 0; i < n; i++) {
		struct frame_name	f;

		(void)trace_name_bounded(x->t, e, ips[i], (unsigned)i, true, out->len - begin, &f);
		buf_puts(out, i == 0 ? " at " : " < ");
		frame_text(out, &f, ips[i], FRAME_CLEAN);
	}
}

void
event_out_text(struct event_out *x, struct buf *out, const struct event *e)
{
	const struct event_type	*ty = trace_type(x->t, e->type);
	struct span		 payload = trace_payload(x->t, e);
	struct payload_result	 res;

	labels_load(&x->labels, x->t, e);
	text_lead(x, out, trace_ns(x->t, e->ts), e->thread);
	if (x->spans)
		text_dur(x, out, e->dur);
	buf_clear(&x->line);
	buf_puts(&x->line, ty->provider);
	buf_putc(&x->line, '/');
	buf_puts(&x->line, ty->name[0] != '\0' ? ty->name : "(no name)");
	buf_puts(out, x->st.color ? "\033[1m" : "");
	put_clean(out, x->line.p, x->line.len, &x->st, NAME_CELLS);
	buf_puts(out, x->st.color ? "\033[m  " : "  ");
	buf_clear(&x->line);
	if (!field_payload_text(x->fields, &x->line, e, &res) && res.undecoded > 0) {
		size_t	n = res.undecoded < payload.len ? res.undecoded : payload.len;

		buf_printf(&x->line, "%s(%u byte%s not decoded: ", x->line.len > 0 ? " " : "",
		    res.undecoded, res.undecoded == 1 ? "" : "s");
		buf_bytes_hex(&x->line, payload.p + (payload.len - n),
		    n < HEX_SHOWN ? n : HEX_SHOWN);
		buf_puts(&x->line, n > HEX_SHOWN ? "...)" : ")");
	}
	if (res.error != NULL)
		buf_printf(&x->line, "%s(%s)", x->line.len > 0 ? " " : "", res.error);
	labels_text(&x->labels, &x->line);
	if (x->opt.symbols && e->stack != 0)
		text_stack(x, &x->line, e);
	if (x->opt.crc)
		buf_printf(&x->line, " crc=%08x", field_crc(payload));
	if (x->opt.raw) {
		buf_puts(&x->line, " raw=");
		buf_bytes_hex(&x->line, payload.p, payload.len);
	}
	put_clean(out, x->line.p, x->line.len, &x->st, 0);
	while (out->len > 0 && out->p[out->len - 1] == ' ')
		out->len--;
	buf_putc(out, '\n');
}

/* ---- gaps */

void
event_out_gap_text(struct event_out *x, struct buf *out, const struct gap *g)
{
	int64_t	from = trace_ns(x->t, g->from), to = trace_ns(x->t, g->to), within;

	text_lead(x, out, from, g->thread);
	buf_puts(out, x->st.color ? "\033[7m" : "");
	buf_counts(out, "-- # event{s} lost", g->lost);
	if (!__builtin_sub_overflow(to, from, &within) && within >= 0) {
		buf_puts(out, " within ");
		units_dur(out, within, x->st.mode == TEXT_ASCII);
	}
	buf_printf(out, " (%s) --", gap_why_name(g->why));
	buf_puts(out, x->st.color ? "\033[m\n" : "\n");
}

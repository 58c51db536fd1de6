/*
 * The table of event fields, with a getter for each.
 *
 * To add a field, add an entry at the place of its key in the JSON, and its getter. The cell is
 * empty (CELL_NONE) when the getter is called, and stays empty if the event does not have the
 * field.
 *
 *	JSON lines	doc/tnav.1.in		columns	ui/view/column.c chooses which have one
 *	filter		doc/filter.md
 *
 * Invariant: fields that depend on the type alone (OF_TYPE, OF_META) are read from an event of
 * which only the type is known.
 */
#include <string.h>
#include <zlib.h>

#include "engine/field/delta.h"
#include "engine/field/reader.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/spans.h"
#include "tnav/engine/thread_names.h"
#include "tnav/model/activity.h"
#include "tnav/model/keywords.h"

/* ---- cells */

static void
set_u64(struct cell *c, uint64_t v)
{
	c->kind = CELL_U64;
	c->u = v;
}

static void
set_grouped(struct cell *c, uint64_t v)
{
	set_u64(c, v);
	c->show = SHOW_GROUPED;
}

static void
set_str(struct cell *c, const char *s)
{
	if (s == NULL)
		return;
	c->kind = CELL_TEXT;
	c->text = span_of(s);
}

static void
set_word(struct cell *c, const char *s)
{
	if (s != NULL)
		c->word = span_of(s);
}

static void
set_raw(struct cell *c, const struct buf *json)
{
	c->kind = CELL_RAW;
	c->text = span_of_buf(json);
}

/* ---- place and time */

static void
get_row(struct field_reader *r, const struct event *e, struct cell *c)
{
	uint64_t	row = r->event_row;

	if (r->opt.no_rows)
		return;
	if (row != ROW_UNKNOWN || trace_row_of(r->t, e->ts, e->off, &row) > 0)
		set_grouped(c, row);
}

static void
get_time(struct field_reader *r, const struct event *e, struct cell *c)
{
	c->kind = CELL_TIME;
	c->i = trace_ns(r->t, e->ts);
}

int64_t
field_ticks(const struct event *e, const struct event_extra *extra)
{
	int64_t	ticks;

	if (extra == NULL)
		return e->ts;
	if (__builtin_add_overflow(e->ts, extra->epoch, &ticks))
		return e->ts < 0 ? INT64_MIN : INT64_MAX;
	return ticks;
}

static void
get_ticks(struct field_reader *r, const struct event *e, struct cell *c)
{
	c->kind = CELL_I64;
	c->i = field_ticks(e, reader_extra(r, e));
}

/* In a hostile file it may be too long for a duration: then it is shown as a number. */
static void
get_dur(struct field_reader *r, const struct event *e, struct cell *c)
{
	(void)r;
	set_u64(c, e->dur);
	if (e->dur <= INT64_MAX)
		c->kind = CELL_DUR;
}

static void
get_delta(struct field_reader *r, const struct event *e, struct cell *c)
{
	int64_t	ns;

	if (reader_delta(r, e, r->event_row, &ns))
		*c = cell_dur(ns);
}

/* ---- the type */

static void
get_file(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_str(c, trace_path(trace_source(r->t, trace_type_source(r->t, e->type))));
}

static void
get_source(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_u64(c, trace_type_source(r->t, e->type));
}

static void
get_provider(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_str(c, reader_type(r, e->type)->provider);
}

static void
get_name(struct field_reader *r, const struct event *e, struct cell *c)
{
	*c = cell_name(reader_type(r, e->type)->name);
}

static void
get_event(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_str(c, reader_type(r, e->type)->event);
}

static void
get_id(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_u64(c, reader_type(r, e->type)->id);
}

static void
get_version(struct field_reader *r, const struct event *e, struct cell *c)
{
	struct event_meta	m;

	trace_event_meta(r->t, e, &m);
	set_u64(c, m.version);
}

static void
get_level(struct field_reader *r, const struct event *e, struct cell *c)
{
	struct event_meta	m;

	trace_event_meta(r->t, e, &m);
	set_u64(c, m.level);
	c->show = SHOW_WORD;
	set_word(c, level_name(m.level));
}

static void
get_keywords(struct field_reader *r, const struct event *e, struct cell *c)
{
	struct event_meta	m;

	trace_event_meta(r->t, e, &m);
	c->kind = CELL_HEX;
	c->u = m.keywords;
	if (r->opt.words != WORDS_ALL)
		return;
	keyword_words(&r->at->word, reader_type(r, e->type)->provider, m.keywords);
	if (r->at->word.len > 1)	/* a blank precedes each word */
		c->word = (struct span){ (uint8_t *)r->at->word.p + 1, r->at->word.len - 1 };
}

/*
 * The built-in table often has a word for an opcode whose number the file leaves out. The word
 * belongs to the type's opcode, not to one that a label sets.
 */
static void
get_opcode(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct event_type	*type = reader_type(r, e->type);
	struct event_meta	 m;
	bool			 own;

	trace_event_meta(r->t, e, &m);
	own = m.has_opcode == type->has_opcode && m.opcode == type->opcode;
	if (m.has_opcode)
		set_u64(c, m.opcode);
	if (own && type->opcode_word != NULL)
		set_word(c, type->opcode_word);
	else if (m.has_opcode)
		set_word(c, opcode_name(m.opcode));
}

/* ---- the thread */

static void
get_pid(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	/* V6 has 0 if it does not name a process. */
	if (w != NULL && (w->has_pid || trace_event_has(r->t, e, HAS_INDEXES)))
		set_u64(c, w->pid);
}

static void
get_tid(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	if (w != NULL && w->has_tid)
		set_u64(c, w->tid);
	else if (w != NULL)
		set_word(c, w->number);
}

static void
get_thread_index(struct field_reader *r, const struct event *e, struct cell *c)
{
	uint64_t	thread, capture;

	if (e->thread != EVENT_NONE && trace_thread_indexes(r->t, e, &thread, &capture))
		set_u64(c, thread);
}

static void
get_thread(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	set_str(c, w != NULL ? w->name : NULL);
}

/* The id is also the name of a thread without a name. */
static void
get_thread_id(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	if (w == NULL || !w->has_tid)
		return;
	buf_u64(&r->at->word, w->tid);
	c->kind = CELL_TEXT;
	c->text = span_of_buf(&r->at->word);
}

static void
get_role(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	set_str(c, w != NULL ? w->role : NULL);
}

static void
get_process(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w = field_who(r, e->thread);

	set_str(c, w != NULL ? w->process : NULL);
}

static void
get_capture_tid(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w;
	uint64_t		 tid;

	if (e->capture == e->thread || e->capture == EVENT_NONE)
		return;
	w = field_who(r, e->thread);
	tid = w != NULL ? w->tid : 0;
	w = field_who(r, e->capture);
	if (w != NULL && w->has_tid && w->tid != tid)
		set_u64(c, w->tid);
}

static void
get_cpu(struct field_reader *r, const struct event *e, struct cell *c)
{
	(void)r;
	if (e->cpu >= 0)
		set_u64(c, (uint64_t)e->cpu);
}

static void
get_seq(struct field_reader *r, const struct event *e, struct cell *c)
{
	if (trace_event_has(r->t, e, HAS_NUMBERS))
		set_grouped(c, e->seq);
}

static void
get_stream(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct event_extra	*extra = reader_extra(r, e);

	if (extra != NULL && extra->has_substream)
		set_u64(c, extra->stream);
}

static void
get_substream(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct event_extra	*extra = reader_extra(r, e);

	if (extra != NULL && extra->has_substream)
		set_u64(c, extra->substream);
}

/* ---- links */

/* An activity id; its word is its path, if it is one. */
static void
set_guid(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct field_who	*w;
	struct activity_path	 path;
	uint64_t		 pid;
	bool			 has;

	c->kind = CELL_GUID;
	c->text = span_of_buf(&r->at->text);
	if (r->opt.words != WORDS_ALL)
		return;
	w = field_who(r, e->thread);
	has = w != NULL && w->has_pid;
	pid = has ? w->pid : 0;
	if (!activity_path_decode(&path, c->text.p, has, pid))
		return;
	activity_path_text(&r->at->word, &path);
	c->word = span_of_buf(&r->at->word);
}

static void
get_link(struct field_reader *r, const struct event *e, bool related, struct cell *c)
{
	enum label_kind	kind = related ? LABEL_RELATED : LABEL_ACTIVITY;
	uint8_t		guid[16];
	bool		has;

	if (trace_event_has(r->t, e, HAS_LABELS))
		has = labels_guid(reader_labels(r, e), kind, guid);
	else
		has = related ? trace_related(r->t, e, guid) : trace_activity(r->t, e, guid);
	if (!has)
		return;
	buf_add(&r->at->text, guid, sizeof guid);
	set_guid(r, e, c);
}

static void
get_activity(struct field_reader *r, const struct event *e, struct cell *c)
{
	get_link(r, e, false, c);
}

static void
get_related(struct field_reader *r, const struct event *e, struct cell *c)
{
	get_link(r, e, true, c);
}

static void
get_lost(struct field_reader *r, const struct event *e, struct cell *c)
{
	uint64_t	lost = e->flags & EVENT_LOST ? trace_event_lost(r->t, e) : 0;

	if (lost > 0)
		set_grouped(c, lost);
}

static void
get_labels(struct field_reader *r, const struct event *e, struct cell *c)
{
	if (labels_json(reader_labels(r, e), &r->at->text))
		set_raw(c, &r->at->text);
}

static void
get_stack(struct field_reader *r, const struct event *e, struct cell *c)
{
	if (e->stack == 0)
		return;
	field_stack_json(r, &r->at->text, e);
	if (r->at->text.len > 2)	/* not "[]" */
		set_raw(c, &r->at->text);
}

static int
add_frame_name(void *arg, const struct cell *c)
{
	struct buf	*b = arg;

	if (b->len > 1)
		buf_putc(b, ',');
	json_text8(b, c->word.p != NULL ? c->word : c->text);
	return 0;
}

/* ["A","B"]; CELL_NONE if there are no names. */
static void
get_frame_names(struct field_reader *r, const struct event *e, bool modules, struct cell *c)
{
	buf_putc(&r->at->text, '[');
	(void)reader_frame_names(r, e, modules, add_frame_name, &r->at->text);
	if (r->at->text.len == 1)
		return;
	buf_putc(&r->at->text, ']');
	set_raw(c, &r->at->text);
}

static void
get_frames_method(struct field_reader *r, const struct event *e, struct cell *c)
{
	get_frame_names(r, e, false, c);
}

static void
get_frames_module(struct field_reader *r, const struct event *e, struct cell *c)
{
	get_frame_names(r, e, true, c);
}

/* ---- the payload */

static void
get_size(struct field_reader *r, const struct event *e, struct cell *c)
{
	(void)r;
	c->kind = CELL_BYTES;
	c->u = e->size;
}

uint32_t
field_crc(struct span payload)
{
	return (uint32_t)crc32_z(0, payload.p, payload.len);
}

static void
get_crc(struct field_reader *r, const struct event *e, struct cell *c)
{
	buf_hex(&r->at->text, field_crc(trace_payload(r->t, e)), 8);
	c->kind = CELL_PLAIN;
	c->text = span_of_buf(&r->at->text);
}

static void
get_raw(struct field_reader *r, const struct event *e, struct cell *c)
{
	c->kind = CELL_BLOB;
	c->text = trace_payload(r->t, e);
}

static void
get_payload(struct field_reader *r, const struct event *e, struct cell *c)
{
	(void)reader_decode(r, e);
	set_raw(c, &r->decoded);
}

static void
get_builtin(struct field_reader *r, const struct event *e, struct cell *c)
{
	if (builtin_json(&r->at->text, reader_type(r, e->type), trace_payload(r->t, e)))
		set_raw(c, &r->at->text);
}

static void
get_undecoded(struct field_reader *r, const struct event *e, struct cell *c)
{
	const struct payload_result	*res = reader_decode(r, e);

	if (res->undecoded > 0)
		set_u64(c, res->undecoded);
}

static void
get_error(struct field_reader *r, const struct event *e, struct cell *c)
{
	set_str(c, reader_decode(r, e)->error);
}

static void
get_row_text(struct field_reader *r, const struct event *e, struct cell *c)
{
	field_row_text(r, &r->at->text, e);
	c->kind = CELL_TEXT;
	c->text = span_of_buf(&r->at->text);
}

/* ---- of spans */

static void
span_dur(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t, (void)text;
	if (i->has_dur)
		*c = cell_dur(i->dur);
}

static void
span_self(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t, (void)text;
	if (i->has_dur)
		*c = cell_dur(i->self);
}

static void
span_name(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t, (void)text;
	set_str(c, i->name);
}

static void
span_label(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	const struct span_source	*s = trace_lent(t, DERIVED_SPANS);
	size_t				 at = text->len;

	s->label(s->self, i->span, text);
	c->kind = CELL_TEXT;
	c->text = span_of_buf_from(text, at);
}

static void
span_state(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t, (void)text;
	set_str(c, i->state);
}

static void
span_depth(struct trace *t, const struct span_info *i, struct buf *text, struct cell *c)
{
	(void)t, (void)text;
	set_u64(c, i->depth);
}

/* ---- the table */

/* Those of spans that an event begins: orphans have no such event. */
static const char *const	span_states[] = { "paired", "open", "lostInGap", "replaced", NULL };

static const struct field_def	table[] = {
{ .name = "row", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 3, .flags = FIELD_ROWS,
	.get = get_row,
	.help = "The position in time order, from 0." },
{ .name = "time", .json = "t", .class = CLASS_TIME, .of = OF_EVENT, .cost = 1,
	.raw = RAW_TIME, .get = get_time,
	.help = "Since the sync time (2.1s), a UTC or local date, or +5s -5s; alias t." },
{ .name = "ticks", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 1,
	.raw = RAW_TICKS, .get = get_ticks,
	.help = "The raw timestamp in the file." },
{ .name = "delta", .class = CLASS_DUR, .of = OF_EVENT, .cost = 3, .title = "thread delta",
	.flags = FIELD_ROWS | FIELD_MADE, .derived = NEEDS_DELTAS, .get = get_delta,
	.help = "Time since the previous event of the same thread: delta > 1ms." },
{ .name = "dur", .class = CLASS_DUR, .of = OF_EVENT, .cost = 1, .needs = HAS_DURATIONS,
	.raw = RAW_DUR, .derived = NEEDS_SPANS, .get = get_dur, .span = span_dur,
	.help = "Duration of the event, or of what it begins: dur > 5ms." },
{ .name = "self", .class = CLASS_DUR, .of = OF_EVENT, .cost = 5, .derived = NEEDS_SPANS,
	.span = span_self,
	.help = "Duration of the span that the event begins, without the spans in it." },
{ .name = "span.name", .class = CLASS_TEXT, .of = OF_EVENT, .cost = 5, .title = "span",
	.derived = NEEDS_SPANS, .span = span_name,
	.help = "What kind of span the event begins: GC suspension; HTTP request." },
{ .name = "span.label", .class = CLASS_TEXT, .of = OF_EVENT, .cost = 6,
	.derived = NEEDS_SPANS, .span = span_label,
	.help = "The label of the span that the event begins: GC #7 Gen2 Induced." },
{ .name = "span.state", .class = CLASS_TEXT, .of = OF_EVENT, .cost = 5,
	.derived = NEEDS_SPANS, .span = span_state, .words = span_states,
	.help = "paired, open, replaced (by the next start), or lostInGap." },
{ .name = "span.depth", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 5,
	.derived = NEEDS_SPANS, .span = span_depth,
	.help = "How many spans of its thread enclose it." },
{ .name = "stop.dur", .class = CLASS_DUR, .of = OF_EVENT, .cost = 5,
	.flags = FIELD_STOP, .derived = NEEDS_SPANS, .span = span_dur,
	.help = "Duration of the span that the event ends." },
{ .name = "file", .class = CLASS_TEXT, .of = OF_TYPE, .flags = FIELD_MADE, .get = get_file,
	.help = "The trace, by the name under which it was opened." },
{ .name = "source", .class = CLASS_NUMBER, .of = OF_TYPE, .flags = FIELD_MADE, .get = get_source,
	.help = "The number of the trace, from 0, where several are one list." },
{ .name = "provider", .class = CLASS_TEXT, .of = OF_TYPE, .flags = FIELD_MIDDLE,
	.get = get_provider,
	.help = "The name of the event's provider." },
{ .name = "id", .class = CLASS_NUMBER, .of = OF_TYPE, .needs = HAS_IDS, .get = get_id,
	.help = "The event's id within its provider." },
{ .name = "version", .class = CLASS_NUMBER, .of = OF_META, .needs = HAS_IDS, .get = get_version,
	.help = "The version of the event." },
{ .name = "name", .class = CLASS_TEXT, .of = OF_TYPE, .get = get_name, .also = get_event,
	.flags = FIELD_QUALIFIED | FIELD_MIDDLE, .title = "event",
	.help = "Both names of the event: GC/Start and GCStart; also PROVIDER/GCStart." },
{ .name = "event", .class = CLASS_TEXT, .of = OF_TYPE, .needs = HAS_IDS, .get = get_event,
	.flags = FIELD_MIDDLE,
	.help = "The other name of the event: GCStart." },
{ .name = "level", .class = CLASS_LEVEL, .of = OF_META, .needs = HAS_IDS, .get = get_level,
	.help = "0 to 5, or critical error warning informational verbose." },
{ .name = "keywords", .class = CLASS_KEYWORDS, .of = OF_META, .needs = HAS_IDS,
	.get = get_keywords, .help = "Bits: keywords has GC, keywords = 0x1." },
{ .name = "opcode", .class = CLASS_OPCODE, .of = OF_META, .needs = HAS_IDS, .get = get_opcode,
	.help = "A number, or a word: Start, Stop." },
{ .name = "pid", .class = CLASS_NUMBER, .of = OF_THREAD, .cost = 2, .title = "process",
	.needs = HAS_IDS, .get = get_pid, .help = "The process id." },
{ .name = "tid", .class = CLASS_NUMBER, .of = OF_THREAD, .cost = 2, .get = get_tid,
	.help = "The system's id of the thread." },
{ .name = "threadIndex", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 2, .title = "index",
	.needs = HAS_INDEXES, .get = get_thread_index,
	.help = "The thread's index in the file (V6)." },
{ .name = "thread", .class = CLASS_TEXT, .of = OF_THREAD, .cost = 2, .title = "thread name",
	.needs = HAS_IDS, .get = get_thread, .also = get_thread_id,
	.help = "The thread's name, or its id as text." },
{ .name = "thread.role", .class = CLASS_TEXT, .of = OF_THREAD, .cost = 2, .title = "role",
	.needs = HAS_IDS, .flags = FIELD_MADE, .derived = NEEDS_WHO, .get = get_role,
	.words = thread_roles,
	.help = "The role of the thread: main, finalizer, pool worker, GC, sampler." },
{ .name = "process", .class = CLASS_TEXT, .of = OF_THREAD, .cost = 2, .title = "process name",
	.needs = HAS_IDS, .flags = FIELD_MADE, .derived = NEEDS_WHO, .get = get_process,
	.help = "The name of the process, if an event has it." },
{ .name = "captureTid", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 2, .title = "capture thread",
	.needs = HAS_IDS, .get = get_capture_tid,
	.help = "The thread that captured the event, if different." },
{ .name = "cpu", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 1, .needs = HAS_PROCESSORS,
	.raw = RAW_CPU, .get = get_cpu, .help = "The processor." },
{ .name = "seq", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 1, .title = "sequence no.",
	.needs = HAS_NUMBERS, .raw = RAW_SEQ, .get = get_seq,
	.help = "The event's sequence number on its capture thread." },
{ .name = "stream", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 2, .needs = HAS_SUBSTREAMS,
	.get = get_stream, .help = "The stream (Heph)." },
{ .name = "substream", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 2,
	.needs = HAS_SUBSTREAMS, .get = get_substream, .help = "The substream (Heph)." },
{ .name = "activity", .class = CLASS_GUID, .of = OF_EVENT, .cost = 3, .needs = HAS_ACTIVITIES,
	.get = get_activity, .help = "The activity id: a GUID, or a path (under //1/2)." },
{ .name = "related", .class = CLASS_GUID, .of = OF_EVENT, .cost = 3, .needs = HAS_ACTIVITIES,
	.get = get_related, .help = "The related activity id." },
{ .name = "lost", .class = CLASS_NUMBER, .of = OF_EVENT, .cost = 2, .flags = FIELD_ZERO,
	.get = get_lost, .help = "Events lost on its thread just before it." },
{ .name = "labels", .class = CLASS_TEXT, .of = OF_EVENT, .cost = 6, .needs = HAS_LABELS,
	.get = get_labels, .help = "All labels, as JSON: labels ~ error." },
{ .name = "stack", .class = CLASS_STACK, .of = OF_EVENT, .cost = 5, .needs = HAS_STACKS,
	.get = get_stack,
	.help = "The stack: addresses, names, module+0x...: stack ~ Sleep, has stack." },
{ .name = "stack.method", .class = CLASS_FRAMES, .of = OF_EVENT, .cost = 5, .needs = HAS_STACKS,
	.flags = FIELD_MADE, .get = get_frames_method, .title = "methods",
	.help = "The methods and symbols of the stack, each once." },
{ .name = "stack.module", .class = CLASS_FRAMES, .of = OF_EVENT, .cost = 5, .needs = HAS_STACKS,
	.flags = FIELD_MADE, .get = get_frames_module, .title = "modules",
	.help = "The modules of the code in the stack, each once." },
{ .name = "size", .class = CLASS_BYTES, .of = OF_EVENT, .cost = 1,
	.raw = RAW_SIZE, .get = get_size,
	.help = "Bytes of payload: size > 10KB." },
/* Checksums and copies of the payload, for comparison by other programs only. */
{ .name = "crc", .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 6, .flags = FIELD_DUMP,
	.get = get_crc, .help = "The CRC-32 of the payload." },
{ .name = "raw", .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 6, .flags = FIELD_DUMP,
	.get = get_raw, .help = "The payload's bytes in hex." },
/* Filters use the payload's fields by their names, or search it by /regex/. */
{ .name = "payload", .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 6, .flags = FIELD_DUMP,
	.get = get_payload, .help = "The decoded payload, as JSON." },
{ .name = "builtin", .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 6, .needs = HAS_INDEXES,
	.flags = FIELD_DUMP | FIELD_BUILTIN, .get = get_builtin,
	.help = "A tracepoint's payload, decoded with the kernel's layout: builtin.prev_pid." },
{ .name = "undecoded", .class = CLASS_NUMBER, .of = OF_PAYLOAD, .cost = 6,
	.get = get_undecoded, .help = "Payload bytes after the last field." },
{ .name = "error", .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 6, .get = get_error,
	.help = "Why the decoding of the payload stopped." },
/* Stands for all numbers. */
{ .name = "stack[0]", .kind = FIELD_FRAME, .class = CLASS_TEXT, .of = OF_EVENT, .cost = 5,
	.needs = HAS_STACKS,
	.help = "A frame by its number, 0 being the innermost: name, module+0x... or address." },
{ .name = "label.KEY", .kind = FIELD_LABEL, .class = CLASS_ANY, .of = OF_EVENT, .cost = 3,
	.needs = HAS_LABELS, .help = "A label: label.TraceId." },
{ .name = "payload.FIELD", .kind = FIELD_PAYLOAD, .class = CLASS_ANY, .of = OF_PAYLOAD,
	.cost = 4, .help = "A field of the payload; any other name is also a payload field." },
};

/* The text that a bare /regex/ searches: a field without a name. */
const struct field_def	field_row_text_def = {
	.name = "/regex/", .kind = FIELD_ROW_TEXT, .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 7,
	.get = get_row_text,
};

const struct field_def *
field_def(unsigned i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const char *
field_json_name(const struct field_def *d)
{
	return d->json != NULL ? d->json : d->name;
}

bool
field_in_trace(const struct field_def *d, struct trace *t)
{
	return trace_has(t, d->needs) || field_is_span(d, t);
}

bool
frames_are_modules(const struct field_def *d)
{
	return d->get == get_frames_module;
}

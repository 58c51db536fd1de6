/*
 * The getters of event fields.
 *
 * To add a field, add a row to fields.tsv at the place of its key in the JSON, and its getter. The
 * cell is empty (CELL_NONE) when the getter is called, and stays empty if the event does not have
 * the field.
 *
 *	JSON lines	doc/tnav.1.in		columns	ui/view/columns.tsv has which have one
 *	filter		doc/filter.md
 *
 * Invariant: fields that depend on the type alone (OF_TYPE, OF_META) are read from an event of
 * which only the type is known.
 */
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

#include "engine/field/fields.h"

/* The text that a bare /regex/ searches: a field without a name. */
const struct field_def	field_row_text_def = {
	.name = "/regex/", .kind = FIELD_ROW_TEXT, .class = CLASS_TEXT, .of = OF_PAYLOAD, .cost = 7,
	.get = get_row_text,
};

const struct field_def *
field_def(unsigned i)
{
	return i < sizeof event_fields / sizeof *event_fields ? &event_fields[i] : NULL;
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

/*
 * Fields of events by the names of the filter language.
 *
 *	header[]	"tid" -> a function that gives text and value
 *	label.KEY	the labels of a V6 event
 *	payload.A.b, A	a walk over the payload to the value of that path
 *
 * Invariant: where value is not empty, "name = value" is true of the event that it came from.
 */
#include "ui/view/field.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/model/activity.h"
#include "tnav/model/keywords.h"
#include "tnav/model/path.h"
#include "ui/draw/canvas.h"
#include "ui/view/view.h"

#define ARRAY_TEXT	400u	/* bytes of an array or object that stand in one line */

void
field_at_init(struct field_at *f)
{
	buf_init(&f->name);
	buf_init(&f->value);
	buf_init(&f->text);
	f->raw = (struct span){ NULL, 0 };
}

void
field_at_release(struct field_at *f)
{
	buf_release(&f->name);
	buf_release(&f->value);
	buf_release(&f->text);
}

void
field_at_clear(struct field_at *f)
{
	buf_clear(&f->name);
	buf_clear(&f->value);
	buf_clear(&f->text);
	f->raw = (struct span){ NULL, 0 };
	f->front = 0;
	f->front_end = false;
}

/* ---- the spelling of the language */

void
field_quote(struct buf *out, const char *text, size_t len)
{
	if (len > LIMIT_FILTER_LEN / 2 || (len > 0 && memchr(text, '\0', len) != NULL))
		return;
	buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			buf_putc(out, '\\');
		buf_putc(out, text[i]);
	}
	buf_putc(out, '"');
}

static void
quote_str(struct buf *out, const char *s)
{
	field_quote(out, s, strlen(s));
}

void
field_path(struct buf *out, const char *prefix, struct span name)
{
	bool	plain = name.len > 0 && name.p[name.len - 1] != '.';

	for (size_t i = 0; i < name.len; i++)
		plain &= name.p[i] > ' ' && strchr("=!<>~(),\"'/", name.p[i]) == NULL;
	buf_puts(out, prefix);
	if (plain)
		buf_add(out, name.p, name.len);
	else
		field_quote(out, (const char *)name.p, name.len);
}

bool
field_term(struct buf *out, const char *name, const char *value)
{
	if (name[0] == '\0' || value[0] == '\0')
		return false;
	buf_printf(out, "%s = %s", name, value);
	return true;
}

void
field_value(struct buf *out, const struct value *val)
{
	struct buf	text;

	switch (val->kind) {
	case VK_TEXT16: case VK_TEXT8:
		buf_init(&text);
		value_text(&text, val);
		field_quote(out, buf_str(&text), text.len);
		buf_release(&text);
		break;
	case VK_UINT:
		buf_u64(out, val->u);
		break;
	case VK_INT:
		buf_i64(out, val->i);
		break;
	case VK_BYTES:
		if (val->bytes.len == 0 || val->bytes.len > 1024)
			break;
		buf_putc(out, '"');	/* digits alone would be a number */
		value_text(out, val);
		buf_putc(out, '"');
		break;
	case VK_SYSTEMTIME: case VK_NULL:
	case VK_OBJECT: case VK_OBJECT_END: case VK_ARRAY: case VK_ARRAY_END:
		break;
	default:
		value_text(out, val);
	}
}

/* ---- the header */

typedef bool (*field_fn)(struct view *v, const struct event *e, uint64_t row,
    struct field_at *out);

static void
number(struct field_at *out, uint64_t n)
{
	buf_u64(&out->text, n);
	buf_u64(&out->value, n);
}

static bool
text(struct field_at *out, const char *s)
{
	if (s == NULL)
		return false;
	buf_puts(&out->text, s);
	quote_str(&out->value, s);
	return true;
}

static bool
get_provider(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	return text(out, trace_type(v->t, e->type)->provider);
}

static bool
get_name(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	return text(out, trace_type(v->t, e->type)->name);
}

static bool
get_event(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	return text(out, trace_type(v->t, e->type)->event);
}

static bool
get_id(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	if (!trace_has(v->t, HAS_IDS))
		return false;
	number(out, trace_type(v->t, e->type)->id);
	return true;
}

static bool
get_version(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct event_meta	meta;

	(void)row;
	if (!trace_has(v->t, HAS_IDS))
		return false;
	trace_event_meta(v->t, e, &meta);
	number(out, meta.version);
	return true;
}

static bool
get_level(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct event_meta	meta;

	(void)row;
	if (!trace_has(v->t, HAS_IDS))
		return false;
	trace_event_meta(v->t, e, &meta);
	buf_u64(&out->value, meta.level);
	if (level_name(meta.level) != NULL)
		buf_puts(&out->text, level_name(meta.level));
	else
		buf_u64(&out->text, meta.level);
	return true;
}

static bool
get_keywords(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct event_meta	meta;

	(void)row;
	if (!trace_has(v->t, HAS_IDS))
		return false;
	trace_event_meta(v->t, e, &meta);
	buf_puts(&out->text, "0x");
	buf_hex(&out->text, meta.keywords, 1);
	buf_add(&out->value, out->text.p, out->text.len);
	keyword_words(&out->text, trace_type(v->t, e->type)->provider, meta.keywords);
	return true;
}

static bool
get_opcode(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	const struct event_type	*ty = trace_type(v->t, e->type);
	struct event_meta	 meta;

	(void)row;
	trace_event_meta(v->t, e, &meta);
	if (meta.has_opcode)
		number(out, meta.opcode);
	if (ty->opcode_word != NULL) {
		buf_puts(&out->text, out->text.len > 0 ? " " : "");
		buf_puts(&out->text, ty->opcode_word);
		if (!meta.has_opcode)
			quote_str(&out->value, ty->opcode_word);
	}
	return out->text.len > 0;
}

static bool
get_time(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	view_time(v, e->ts, &out->text);
	return true;
}

static bool
get_dur(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	if (!trace_has(v->t, HAS_DURATIONS))
		return false;
	units_dur(&out->text, e->dur <= INT64_MAX ? (int64_t)e->dur : INT64_MAX, v->ascii);
	buf_u64(&out->value, e->dur);
	buf_puts(&out->value, "ns");
	return true;
}

static bool
thread_of(struct view *v, const struct event *e, struct thread_stat *st)
{
	if (e->thread >= trace_threads(v->t))
		return false;
	trace_thread(v->t, e->thread, st);
	return true;
}

static bool
get_pid(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct thread_stat	st;

	(void)row;
	if (!thread_of(v, e, &st) || !st.has_pid)
		return false;
	number(out, st.pid);
	return true;
}

static bool
get_tid(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct thread_stat	st;

	(void)row;
	if (!thread_of(v, e, &st))
		return false;
	view_thread_text(v, e->thread, &out->text);
	if (st.has_tid)
		buf_u64(&out->value, st.tid);
	return true;
}

static bool
get_thread(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct thread_stat	st;

	(void)row;
	return thread_of(v, e, &st) && text(out, st.name);
}

static bool
get_cpu(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)v;
	(void)row;
	if (e->cpu < 0)
		return false;
	number(out, (uint64_t)e->cpu);
	return true;
}

static bool
get_seq(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)row;
	if (!trace_has(v->t, HAS_NUMBERS))
		return false;
	buf_grouped(&out->text, e->seq);
	buf_u64(&out->value, e->seq);
	return true;
}

static bool
get_row(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)v;
	(void)e;
	buf_grouped(&out->text, row);
	buf_u64(&out->value, row);
	return true;
}

static bool
get_size(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	(void)v;
	(void)row;
	buf_grouped(&out->text, e->size);
	buf_u64(&out->value, e->size);
	return true;
}

/* A path where the id is one, for it is what people talk about; else the GUID. */
static void
guid(struct view *v, const uint8_t id[16], struct field_at *out)
{
	const struct trace_info	*info = trace_info(v->t);
	struct activity_path	 path;

	guid_text(&out->value, id);
	if (activity_path_decode(&path, id, info->has_pid, info->pid))
		activity_path_text(&out->text, &path);
	else
		guid_text(&out->text, id);
}

static bool
get_activity(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	uint8_t	id[16];

	(void)row;
	if (!trace_activity(v->t, e, id))
		return false;
	guid(v, id, out);
	return true;
}

static bool
get_related(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	uint8_t	id[16];

	(void)row;
	if (!trace_related(v->t, e, id))
		return false;
	guid(v, id, out);
	return true;
}

static bool
get_lost(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	uint64_t	lost = e->flags & EVENT_LOST ? trace_event_lost(v->t, e) : 0;

	(void)row;
	if (lost == 0)
		return false;
	buf_grouped(&out->text, lost);
	buf_u64(&out->value, lost);
	return true;
}

/* Not in the filter language, so without a value. */
static bool
get_substream(struct view *v, const struct event *e, uint64_t row, struct field_at *out)
{
	struct event_extra	x;

	(void)row;
	if (!trace_event_extra(v->t, e, &x) || !x.has_substream)
		return false;
	buf_u64(&out->text, x.substream);
	return true;
}

enum header_same { EACH, BY_TYPE, BY_META, BY_THREAD };

static const struct header {
	const char		*name;
	field_fn		 get;
	enum header_same	 same;
} header[] = {
	{ "provider", get_provider, BY_TYPE }, { "name", get_name, BY_TYPE },
	{ "event", get_event, BY_TYPE }, { "id", get_id, BY_TYPE },
	{ "version", get_version, BY_META }, { "level", get_level, BY_META },
	{ "keywords", get_keywords, BY_META }, { "opcode", get_opcode, BY_META },
	{ "time", get_time, EACH }, { "dur", get_dur, EACH },
	{ "pid", get_pid, BY_THREAD }, { "tid", get_tid, BY_THREAD },
	{ "thread", get_thread, BY_THREAD }, { "cpu", get_cpu, EACH },
	{ "seq", get_seq, EACH }, { "row", get_row, EACH }, { "size", get_size, EACH },
	{ "activity", get_activity, EACH }, { "related", get_related, EACH },
	{ "lost", get_lost, EACH }, { "substream", get_substream, EACH },
};

static const struct header *
header_find(const char *name)
{
	for (size_t i = 0; i < sizeof header / sizeof *header; i++)
		if (strcmp(header[i].name, name) == 0)
			return &header[i];
	return NULL;
}

bool
field_is_of_type(struct view *v, const char *name)
{
	const struct header	*h = header_find(name);

	return h != NULL && (h->same == BY_TYPE ||
	    (h->same == BY_META && !trace_has(v->t, HAS_LABELS)));
}

bool
field_is_of_thread(const char *name)
{
	const struct header	*h = header_find(name);

	return h != NULL && h->same == BY_THREAD;
}

/* ---- labels */

static bool
label_is(const struct label *l, const char *key)
{
	switch (l->kind) {
	case LABEL_TRACE:
		return strcmp(key, "TraceId") == 0;
	case LABEL_SPAN:
		return strcmp(key, "SpanId") == 0;
	case LABEL_TEXT: case LABEL_NUMBER:
		return l->key.len == strlen(key) && memcmp(l->key.p, key, l->key.len) == 0;
	default:
		return false;
	}
}

static bool
get_label(struct view *v, const struct event *e, const char *key, struct field_at *out)
{
	struct label	l[LIMIT_LABELS];
	size_t		n = trace_labels(v->t, e, l, LIMIT_LABELS);

	for (size_t i = 0; i < n; i++) {
		if (!label_is(&l[i], key))
			continue;
		if (l[i].kind == LABEL_TEXT) {
			text_from_utf8(&out->text, l[i].text);
			field_quote(&out->value, buf_str(&out->text), out->text.len);
			return true;
		}
		if (l[i].kind == LABEL_TRACE)
			buf_bytes_hex(&out->text, l[i].text.p, l[i].text.len);
		else if (l[i].kind == LABEL_SPAN)
			buf_hex(&out->text, l[i].number, 16);
		else
			buf_i64(&out->text, (int64_t)l[i].number);
		buf_add(&out->value, out->text.p, out->text.len);
		return true;
	}
	return false;
}

/* ---- the payload */

struct path_walk {
	const char	*rest[LIMIT_NESTING + 3];	/* of the path, by depth; NULL: beside it */
	struct field_at	*out;
	struct span	 payload;
	bool		 found;
	unsigned	 open;			/* containers of the value that is one itself */
};

/* The value is an array or an object: its elements in one line. */
static void
add_element(struct path_walk *w, const struct value *val)
{
	struct buf	*b = &w->out->text;
	bool		 end = val->kind == VK_ARRAY_END || val->kind == VK_OBJECT_END;

	w->open += val->kind == VK_ARRAY || val->kind == VK_OBJECT;
	w->open -= end;
	if (b->len > ARRAY_TEXT)
		return;
	if (!end && b->len > 0 && strchr("[{", b->p[b->len - 1]) == NULL)
		buf_puts(b, ", ");
	if (!end && !val->element && b->len > 0)
		buf_printf(b, "%.*s=", (int)value_name(val).len, value_name(val).p);
	if (val->kind == VK_ARRAY || val->kind == VK_OBJECT)
		buf_putc(b, val->kind == VK_ARRAY ? '[' : '{');
	else if (end)
		buf_putc(b, val->kind == VK_ARRAY_END ? ']' : '}');
	else
		value_text(b, val);
	if (b->len > ARRAY_TEXT)
		buf_puts(b, "\xe2\x80\xa6");
}

static int
on_value(void *arg, const struct value *val)
{
	struct path_walk	*w = arg;
	const char		*rest;

	if (w->open > 0) {
		add_element(w, val);
		return w->open == 0;
	}
	if (val->kind == VK_OBJECT_END || val->kind == VK_ARRAY_END ||
	    val->depth > LIMIT_NESTING + 1)
		return 0;
	rest = w->rest[val->depth];
	if (rest != NULL && !val->element)
		rest = path_step(rest, value_name(val));
	w->rest[val->depth + 1] = rest;
	if (rest == NULL || *rest != '\0')
		return 0;
	w->found = true;
	if (val->kind == VK_ARRAY || val->kind == VK_OBJECT) {
		add_element(w, val);
		return 0;
	}
	value_text(&w->out->text, val);
	field_value(&w->out->value, val);
	w->out->raw = (struct span){ w->payload.p + val->off, val->len };
	return 1;
}

static bool
get_payload(struct view *v, const struct event *e, const char *path, struct field_at *out)
{
	struct path_walk	w = { .rest = { path }, .out = out,
				    .payload = trace_payload(v->t, e) };
	struct payload_result	res = { 0 };

	(void)payload_walk(trace_type(v->t, e->type), w.payload, trace_info(v->t)->pointer_size,
	    on_value, &w, &res);
	return w.found;
}

bool
field_get(struct view *v, const struct event *e, uint64_t row, const char *name,
    struct field_at *out)
{
	const struct header	*h = header_find(name);
	struct buf		 bare;
	size_t			 len;
	bool			 found;

	if (h != NULL)
		return h->get(v, e, row, out);
	if (strncmp(name, "label.", 6) == 0)
		return get_label(v, e, name + 6, out);
	if (strncmp(name, "payload.", 8) == 0)
		name += 8;
	len = strlen(name);
	if (len < 2 || name[0] != '"')
		return get_payload(v, e, name, out);
	buf_init(&bare);		/* payload."odd name" */
	for (size_t i = 1; i + 1 < len; i++) {
		i += name[i] == '\\' && i + 2 < len;
		buf_putc(&bare, name[i]);
	}
	found = get_payload(v, e, buf_str(&bare), out);
	buf_release(&bare);
	return found;
}

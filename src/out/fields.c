/*
 * Chosen fields of events as cells: for -e, CSV, TSV and the tallies.
 *
 *	"t,name,Depth,label.n"  ->  { FIELD_T } { FIELD_NAME } { FIELD_PAYLOAD "Depth" }
 *				    { FIELD_LABEL "n" }
 *
 * Invariant: a cell that borrows text borrows it from the trace, from event_out, which keeps it
 * until the next event, or from the text buffer of its own field_ref.
 */
#include <string.h>

#include "out/event_private.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/model/path.h"
#include "tnav/model/value.h"

enum field_id {
	FIELD_ROW, FIELD_T, FIELD_TICKS, FIELD_DUR, FIELD_PROVIDER, FIELD_ID, FIELD_VERSION,
	FIELD_NAME, FIELD_EVENT, FIELD_LEVEL, FIELD_KEYWORDS, FIELD_OPCODE, FIELD_PID, FIELD_TID,
	FIELD_THREAD_INDEX, FIELD_THREAD, FIELD_CAPTURE_TID, FIELD_CPU, FIELD_SEQ, FIELD_STREAM,
	FIELD_SUBSTREAM, FIELD_ACTIVITY, FIELD_RELATED, FIELD_LOST, FIELD_LABELS, FIELD_STACK,
	FIELD_SIZE, FIELD_CRC, FIELD_RAW,
	FIELD_WHOLE_PAYLOAD, FIELD_UNDECODED, FIELD_ERROR, FIELD_N
};

static const char *const names[FIELD_N] = {
	"row", "t", "ticks", "dur", "provider", "id", "version",
	"name", "event", "level", "keywords", "opcode", "pid", "tid",
	"threadIndex", "thread", "captureTid", "cpu", "seq", "stream",
	"substream", "activity", "related", "lost", "labels", "stack",
	"size", "crc", "raw",
	"payload", "undecoded", "error",
};

const char *
field_name(unsigned i)
{
	return i < FIELD_N ? names[i] : NULL;
}

static int
field_find(const char *name)
{
	for (int i = 0; i < FIELD_N; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	if (strncmp(name, "label.", 6) == 0)
		return FIELD_LABEL;
	return strcmp(name, "time") == 0 ? FIELD_T : FIELD_PAYLOAD;
}

/* May the labels of an event give another value than its type has? */
static bool
is_overridable(int id)
{
	return id == FIELD_VERSION || id == FIELD_LEVEL || id == FIELD_KEYWORDS ||
	    id == FIELD_OPCODE;
}

static void
list_add(struct field_list *l, size_t *cap, const char *name)
{
	struct field_ref	*f;

	l->v = mem_grow(l->v, cap, l->n + 1, sizeof *l->v);
	l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
	l->names[l->n] = name;
	f = &l->v[l->n++];
	buf_init(&f->text);
	f->id = field_find(name);
	f->payload = f->label = NULL;
	if (f->id == FIELD_LABEL)
		f->label = name + 6;
	if (f->id == FIELD_LABEL || f->id == FIELD_LABELS)
		l->labels = true;
	if (is_overridable(f->id))
		l->overridable = true;
	if (f->id == FIELD_PAYLOAD) {
		f->payload = strncmp(name, "payload.", 8) == 0 ? name + 8 : name;
		l->payload = true;
	}
	if (f->id < FIELD_PROVIDER || f->id > FIELD_OPCODE)
		l->by_type = false;
}

int
field_list_parse(struct field_list *l, const char *list, struct buf *why)
{
	size_t	cap = 0, len;

	memset(l, 0, sizeof *l);
	l->by_type = true;
	l->text = mem_strdup(list);
	for (char *p = l->text, *next; p != NULL; p = next) {
		next = strchr(p, ',');
		if (next != NULL)
			*next++ = '\0';
		while (*p == ' ')
			p++;
		for (len = strlen(p); len > 0 && p[len - 1] == ' '; len--)
			p[len - 1] = '\0';
		if (len == 0 || p[len - 1] == '.') {
			buf_puts(why, "an empty name in the list of fields");
			field_list_release(l);
			return ERR_USAGE;
		}
		list_add(l, &cap, p);
	}
	return ERR_OK;
}

void
field_list_release(struct field_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		buf_release(&l->v[i].text);
	mem_free(l->v);
	mem_free(l->names);
	mem_free(l->text);
	memset(l, 0, sizeof *l);
}

/* May events of this trace have the field? */
static bool
field_in(struct trace *t, const struct event_out_options *opt, int id)
{
	switch (id) {
	case FIELD_ROW:
		return opt->rows;
	case FIELD_CRC:
		return opt->crc;
	case FIELD_RAW:
		return opt->raw;
	case FIELD_SEQ:
		return trace_has(t, HAS_NUMBERS);
	case FIELD_THREAD_INDEX:
	case FIELD_LABELS:
		return trace_has(t, HAS_LABELS);
	case FIELD_DUR:
		return trace_has(t, HAS_DURATIONS);
	case FIELD_STREAM:
	case FIELD_SUBSTREAM:
		return trace_has(t, HAS_SUBSTREAMS);
	case FIELD_ID:
	case FIELD_VERSION:
	case FIELD_EVENT:
	case FIELD_LEVEL:
	case FIELD_KEYWORDS:
	case FIELD_OPCODE:
	case FIELD_PID:
	case FIELD_THREAD:
	case FIELD_CAPTURE_TID:
	case FIELD_CPU:
	case FIELD_ACTIVITY:
	case FIELD_RELATED:
	case FIELD_STACK:
		return trace_has(t, HAS_IDS);
	default:
		return true;
	}
}

const char *
field_list_all(struct trace *t, const struct event_out_options *opt, struct buf *scratch)
{
	buf_clear(scratch);
	for (int i = 0; i < FIELD_N; i++) {
		if (!field_in(t, opt, i))
			continue;
		if (scratch->len > 0)
			buf_putc(scratch, ',');
		buf_puts(scratch, names[i]);
	}
	return buf_str(scratch);
}

/* ---- cells of the header */

static struct cell
text_cell(const struct buf *b)
{
	return (struct cell){ .kind = CELL_TEXT, .text = { (const uint8_t *)b->p, b->len } };
}

static struct cell
none(void)
{
	return (struct cell){ .kind = CELL_NONE };
}

static struct cell
optional_str(const char *s)
{
	return s != NULL ? cell_str(s) : none();
}

static struct cell
meta_cell(struct event_out *x, const struct event *e, int id)
{
	struct event_meta	meta;

	trace_event_meta(x->t, e, &meta);
	switch (id) {
	case FIELD_VERSION:
		return cell_u64(meta.version);
	case FIELD_LEVEL:
		return cell_u64(meta.level);
	case FIELD_KEYWORDS:
		return (struct cell){ .kind = CELL_HEX, .u = meta.keywords };
	default:
		return meta.has_opcode ? cell_u64(meta.opcode) : none();
	}
}

static struct cell
type_cell(struct event_out *x, const struct event *e, int id)
{
	const struct event_type	*ty = trace_type(x->t, e->type);

	switch (id) {
	case FIELD_PROVIDER:
		return cell_str(ty->provider);
	case FIELD_NAME:
		return cell_str(ty->name);
	case FIELD_EVENT:
		return optional_str(ty->event);
	default:
		break;
	}
	if (x->spans)
		return none();
	return id == FIELD_ID ? cell_u64(ty->id) : meta_cell(x, e, id);
}

static struct cell
thread_cell(struct event_out *x, const struct event *e, int id)
{
	const struct event_who	*w = e->thread != EVENT_NONE ? event_out_who(x, e->thread) : NULL;
	uint64_t		 tid = w != NULL ? w->tid : 0, index, capture;

	switch (id) {
	case FIELD_PID:
		return w != NULL && (w->has_pid || x->labelled) ? cell_u64(w->pid) : none();
	case FIELD_TID:
		return w != NULL && w->has_tid ? cell_u64(w->tid) : none();
	case FIELD_THREAD_INDEX:
		return w != NULL && trace_thread_indexes(x->t, e, &index, &capture) ?
		    cell_u64(index) : none();
	case FIELD_THREAD:
		return optional_str(w != NULL ? w->name : NULL);
	default:
		break;
	}
	if (e->capture == e->thread || e->capture == EVENT_NONE)
		return none();
	w = event_out_who(x, e->capture);
	return w->has_tid && w->tid != tid ? cell_u64(w->tid) : none();
}

static struct cell
extra_cell(struct event_out *x, const struct event *e, int id)
{
	struct event_extra	extra;
	bool			has = trace_event_extra(x->t, e, &extra);

	if (id == FIELD_TICKS)
		return cell_i64(event_ticks(e, has ? &extra : NULL));
	if (!has || !extra.has_substream)
		return none();
	return cell_u64(id == FIELD_STREAM ? extra.stream : extra.substream);
}

static struct cell
guid_cell(bool has, const uint8_t guid[16], struct buf *text)
{
	if (!has)
		return none();
	guid_text(text, guid);
	return text_cell(text);
}

/* The payload as JSON, decoded at most once an event. */
static void
decode(struct event_out *x, const struct event *e)
{
	if (x->is_decoded)
		return;
	buf_clear(&x->decoded);
	memset(&x->result, 0, sizeof x->result);
	payload_json(&x->decoded, trace_type(x->t, e->type), trace_payload(x->t, e),
	    x->info->pointer_size, x->opt.enums, &x->result);
	x->is_decoded = true;
}

static struct cell
payload_cell(struct event_out *x, const struct event *e, int id, struct buf *text)
{
	struct span	payload = trace_payload(x->t, e);

	switch (id) {
	case FIELD_CRC:
		buf_hex(text, event_crc(payload), 8);
		return text_cell(text);
	case FIELD_RAW:
		buf_bytes_hex(text, payload.p, payload.len);
		return text_cell(text);
	default:
		break;
	}
	decode(x, e);
	if (id == FIELD_UNDECODED)
		return x->result.undecoded > 0 ? cell_u64(x->result.undecoded) : none();
	if (id == FIELD_ERROR)
		return optional_str(x->result.error);
	return cell_raw(x->decoded.p, x->decoded.len);
}

static struct cell
header_cell(struct event_out *x, const struct event *e, uint64_t row, int id, struct buf *text)
{
	uint64_t	lost;
	uint8_t		guid[16];

	switch (id) {
	case FIELD_ROW:
		return x->opt.rows ? cell_u64(row) : none();
	case FIELD_T:
		return cell_time(trace_ns(x->t, e->ts));
	case FIELD_TICKS:
	case FIELD_STREAM:
	case FIELD_SUBSTREAM:
		return extra_cell(x, e, id);
	case FIELD_DUR:
		return x->spans ? cell_u64(e->dur) : none();
	case FIELD_CPU:
		return e->cpu >= 0 ? cell_u64((uint64_t)e->cpu) : none();
	case FIELD_SEQ:
		return x->sequence ? cell_u64(e->seq) : none();
	case FIELD_ACTIVITY:
		return guid_cell(trace_activity(x->t, e, guid), guid, text);
	case FIELD_RELATED:
		return guid_cell(trace_related(x->t, e, guid), guid, text);
	case FIELD_LOST:
		lost = e->flags & EVENT_LOST ? trace_event_lost(x->t, e) : 0;
		return lost > 0 ? cell_u64(lost) : none();
	case FIELD_LABELS:
		return labels_json(x, text) ? cell_raw(text->p, text->len) : none();
	case FIELD_STACK:
		if (e->stack == 0)
			return none();
		event_stack_json(x, text, e);
		return text->len > 2 ? cell_raw(text->p, text->len) : none();
	case FIELD_SIZE:
		return cell_u64(e->size);
	default:
		break;
	}
	if (id >= FIELD_PROVIDER && id <= FIELD_OPCODE)
		return type_cell(x, e, id);
	if (id >= FIELD_PID && id <= FIELD_CAPTURE_TID)
		return thread_cell(x, e, id);
	return payload_cell(x, e, id, text);
}

/* ---- cells of the payload */

struct pick {
	struct event_out	*x;
	struct field_list	*l;
	struct cell		*cells;
	size_t			 wanted;	/* still to be found, or to their end */
};

/* One value of a container, as JSON. A comma is due unless something has just been opened. */
static void
nested_add(struct field_ref *f, const struct value *v, bool enums)
{
	struct buf	*b = &f->text;
	bool		 end = v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END;

	if (!end && b->len > 0 && b->p[b->len - 1] != '{' && b->p[b->len - 1] != '[')
		buf_putc(b, ',');
	if (!end && !v->element && f->open > 0) {
		json_text8(b, value_name(v));
		buf_putc(b, ':');
	}
	switch (v->kind) {
	case VK_OBJECT:
	case VK_ARRAY:
		buf_putc(b, v->kind == VK_OBJECT ? '{' : '[');
		f->open++;
		break;
	case VK_OBJECT_END:
	case VK_ARRAY_END:
		buf_putc(b, v->kind == VK_OBJECT_END ? '}' : ']');
		f->open--;
		break;
	default:
		value_json(b, v, enums);
	}
}

/* A single value: by its JSON form, which is a bare number or a string without escapes. */
static struct cell
plain_cell(struct buf *text, const struct value *v, bool enums)
{
	value_json(text, v, enums);
	if (text->len < 2 || text->p[0] != '"')
		return cell_raw(text->p, text->len);
	return (struct cell){ .kind = CELL_TEXT,
	    .text = { (const uint8_t *)text->p + 1, text->len - 2 } };
}

static struct cell
value_cell(struct buf *text, const struct value *v, bool enums)
{
	switch (v->kind) {
	case VK_NULL:
		return (struct cell){ .kind = CELL_NULL };
	case VK_BOOL:
		return cell_bool(v->u != 0);
	case VK_UINT:
		if (enums && v->field->map != NULL && value_words(text, v->field->map, v->u))
			return text_cell(text);
		return cell_u64(v->u);
	case VK_INT:
		if (enums && v->field->map != NULL)
			return plain_cell(text, v, enums);
		return cell_i64(v->i);
	case VK_TEXT16:
		text_from_utf16(text, v->bytes);
		return text_cell(text);
	case VK_TEXT8:
		text_from_utf8(text, v->bytes);
		return text_cell(text);
	default:
		return plain_cell(text, v, enums);
	}
}

/* The cell of a field whose path has led to the value; a container goes on with those in it. */
static void
pick_found(struct pick *k, size_t i, const struct value *v)
{
	struct field_ref	*f = &k->l->v[i];

	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY) {
		nested_add(f, v, k->x->opt.enums);
		return;
	}
	k->cells[i] = value_cell(&f->text, v, k->x->opt.enums);
	k->wanted--;
}

static void
pick_one(struct pick *k, size_t i, const struct value *v)
{
	struct field_ref	*f = &k->l->v[i];
	const char		*rest;

	if (f->open > 0) {
		nested_add(f, v, k->x->opt.enums);
		if (f->open > 0)
			return;
		k->cells[i] = cell_raw(f->text.p, f->text.len);
		k->wanted--;
		return;
	}
	if (v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END)
		return;
	rest = f->rest[v->depth];
	if (rest != NULL && !v->element)
		rest = path_step(rest, value_name(v));
	f->rest[v->depth + 1] = rest;
	if (rest != NULL && *rest == '\0')
		pick_found(k, i, v);
}

static int
pick_value(void *arg, const struct value *v)
{
	struct pick	*k = arg;

	if (v->depth > LIMIT_NESTING + 1)
		return 0;
	for (size_t i = 0; i < k->l->n; i++)
		if (k->l->v[i].payload != NULL && k->cells[i].kind == CELL_NONE)
			pick_one(k, i, v);
	return k->wanted == 0;
}

void
event_out_cells(struct event_out *x, const struct event *e, uint64_t row, struct field_list *l,
    struct cell *cells)
{
	struct pick		k = { .x = x, .l = l, .cells = cells };
	struct payload_result	res = { 0 };

	x->is_decoded = false;
	if (l->labels)
		labels_load(x, e);
	for (size_t i = 0; i < l->n; i++) {
		struct field_ref	*f = &l->v[i];

		buf_clear(&f->text);
		if (f->id == FIELD_PAYLOAD) {
			cells[i] = none();
			f->rest[0] = f->payload;
			f->open = 0;
			k.wanted++;
		} else if (f->id == FIELD_LABEL) {
			cells[i] = label_cell(x, f->label, &f->text);
		} else {
			cells[i] = header_cell(x, e, row, f->id, &f->text);
		}
	}
	if (k.wanted > 0)
		(void)payload_walk(trace_type(x->t, e->type), trace_payload(x->t, e),
		    x->info->pointer_size, pick_value, &k, &res);
}

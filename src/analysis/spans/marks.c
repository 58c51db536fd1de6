/*
 * From events to marks.
 *
 *	key	| pair, base | 'a' activity | 't' thread | 'u' number | 's' length text ... |
 *
 * A part that is absent is a value, too: a start and a stop that both lack it belong together. An
 * activity id of zeroes stands for the thread.
 *
 * Invariant: equal keys are equal bytes, and what is in a key tells where each part ends.
 */
#include "analysis/spans/marks.h"

#include "analysis/spans/states.h"
#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/joined.h"

#define BY_MAX	4096u		/* bytes of a value of --by */

struct marker *
marker_new(struct spans *s)
{
	struct marker	*m = mem_zalloc(1, sizeof *m);

	m->s = s;
	m->reader = field_reader_new(s->t, &(struct field_options){ .words = WORDS_BARE });
	if (s->opt.by != NULL)
		m->texts = field_reader_new(s->t, &(struct field_options){ .words = WORDS_ALL });
	if (s->opt.pass.filter != NULL)
		m->eval = filter_eval_new(s->opt.pass.filter, s->t);
	m->all = m->eval == NULL && !pass_is_bounded(&s->opt.pass);
	return m;
}

void
marker_free(struct marker *m)
{
	if (m == NULL)
		return;
	field_reader_free(m->reader);
	if (m->texts != NULL)
		field_reader_free(m->texts);
	filter_eval_free(m->eval);
	buf_release(&m->text);
	mem_free(m->class);
	mem_free(m);
}

void
span_marks_release(struct mark_list *m)
{
	buf_release(&m->keys);
	mem_free(m->v);
	mem_free(m->whole);
}

void
span_marks_clear(struct mark_list *m)
{
	m->n = m->nwhole = 0;
	buf_clear(&m->keys);
}

/* Where the next mark is made: to copy what was just written in parts is slow. */
static inline struct span_mark *
mark_room(struct mark_list *m)
{
	if (m->n == m->cap)
		m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	return &m->v[m->n];
}

/* Where the next span goes whose end is known. */
static struct span_record *
span_marks_whole(struct mark_list *m)
{
	if (m->nwhole == m->whole_cap)
		m->whole = mem_grow(m->whole, &m->whole_cap, m->nwhole + 1, sizeof *m->whole);
	return &m->whole[m->nwhole++];
}

static const struct type_class *
class_ask(struct marker *m, uint32_t type)
{
	m->class = array_reach(m->class, &m->nclasses, type, sizeof *m->class);
	m->class[type] = spans_class(m->s, type);
	return m->class[type];
}

static inline const struct type_class *
class_of(struct marker *m, uint32_t type)
{
	if (type < m->nclasses && m->class[type] != NULL)
		return m->class[type];
	return class_ask(m, type);
}

/* ---- values of payloads */

static bool
field_of(struct marker *m, const struct program *field, const struct event *e, struct value *v)
{
	return program_first(field, trace_payload(m->s->t, e), v);
}

/* A list of pairs of Key and Value: the value of the key. */
struct argument_walk {
	const char	*key;
	struct buf	*text;
	uint64_t	 n, at;			/* keys, values so far; at: the one that is meant */
	bool		 found;
};

static int
argument_key(void *arg, const struct value *v)
{
	struct argument_walk	*w = arg;

	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY)
		return 0;
	buf_clear(w->text);
	if (v->kind == VK_TEXT16 || v->kind == VK_TEXT8)
		value_text(w->text, v);
	w->found = strcmp(buf_str(w->text), w->key) == 0;
	w->at += !w->found;
	return w->found;
}

static int
argument_value(void *arg, const struct value *v)
{
	struct argument_walk	*w = arg;

	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY)
		return 0;
	if (w->n++ < w->at)
		return 0;
	buf_clear(w->text);
	value_text(w->text, v);
	w->found = v->kind != VK_NULL;
	return 1;
}

static bool
argument_of(struct marker *m, const struct class_part *p, const char *key, const struct event *e)
{
	struct span		payload = trace_payload(m->s->t, e);
	struct argument_walk	w = { .key = key, .text = &m->text };

	(void)program_values(p->keys, payload, argument_key, &w);
	if (!w.found)
		return false;
	w.found = false;
	(void)program_values(p->values, payload, argument_value, &w);
	return w.found;
}

static bool
condition_holds(struct marker *m, const struct class_use *u, const struct event *e)
{
	struct value	v;

	if (!field_of(m, u->when, e, &v))
		return false;
	buf_clear(&m->text);
	if (v.kind == VK_UINT || v.kind == VK_INT)
		value_number_text(&m->text, &v);
	else
		value_text(&m->text, &v);
	return strcmp(buf_str(&m->text), u->is) == 0;
}

/*
 * ---- keys
 *
 * The hash is made of the values as they are put: to read bytes that were just written, in other
 * pieces than they were written in, takes a processor longer than all else here.
 */

#define KEYS_MOST	(UINT32_MAX / 2)	/* bytes of a piece's keys */
/* There is room: see put_key(), put_text(). */
static inline void
put_bytes(struct marker *m, const void *p, size_t n)
{
	memcpy(m->to->keys.p + m->to->keys.len, p, n);
	m->to->keys.len += n;
}

static inline void
put_hash(struct marker *m, uint64_t v)
{
	m->hash = hash_pair(m->hash, v);
}

static inline void
put_tag(struct marker *m, char tag)
{
	put_bytes(m, &tag, sizeof tag);
}

static inline void
put_number(struct marker *m, char tag, uint64_t v)
{
	put_tag(m, tag);
	put_bytes(m, &v, sizeof v);
	put_hash(m, v);
}

static void
put_text(struct marker *m, struct span text)
{
	put_number(m, 's', text.len);
	buf_add(&m->to->keys, text.p, text.len);
	put_hash(m, hash_bytes(text.p, text.len));
	(void)buf_room(&m->to->keys, KEY_ROOM);
}

static void
put_value(struct marker *m, const struct value *v)
{
	switch (v->kind) {
	case VK_NULL:
		put_tag(m, 'n');
		break;
	case VK_BOOL: case VK_UINT: case VK_FILETIME:
		put_number(m, 'u', v->u);
		break;
	case VK_INT:
		put_number(m, v->i < 0 ? 'i' : 'u', v->u);
		break;
	default:
		buf_clear(&m->text);
		value_text(&m->text, v);
		put_text(m, span_of_buf(&m->text));
		break;
	}
}

static inline void
put_thread(struct marker *m, uint32_t thread)
{
	const struct field_who	*w = NULL;

	/* Files of a rotation have threads of their own, with the same ids. */
	if (trace_sources(m->s->t) > 1)
		w = field_who(m->reader, thread);
	if (w != NULL && w->has_tid) {
		put_number(m, 'i', w->tid);
		put_number(m, 'p', w->pid);
		return;
	}
	put_tag(m, 't');
	put_bytes(m, &thread, sizeof thread);
	put_hash(m, thread);
}

static void
put_process(struct marker *m, const struct event *e)
{
	const struct field_who	*w = field_who(m->reader, e->thread);

	if (w != NULL && w->has_pid)
		put_number(m, 'p', w->pid);
	else
		put_tag(m, 'n');
}

static void
put_argument(struct marker *m, const struct class_part *p, const struct event *e)
{
	if (argument_of(m, p, p->argument, e) ||
	    (strcmp(p->argument, "SpanId") == 0 && argument_of(m, p, "Id", e)))
		put_text(m, span_of_buf(&m->text));
	else
		put_tag(m, 'n');
}

/* The event's activity; false: it has none. */
static bool
put_activity(struct marker *m, const struct event *e)
{
	uint8_t	guid[16];

	if (!may_have_activity(e) || !trace_activity(m->s->t, e, guid))
		return false;
	put_tag(m, 'a');
	put_bytes(m, guid, sizeof guid);
	put_hash(m, load_u64le(guid));
	put_hash(m, load_u64le(guid + 8));
	return true;
}

/* True: the part is the thread. */
static bool
put_part(struct marker *m, const struct class_part *p, const struct event *e)
{
	struct value	v;

	switch (p->kind) {
	case PART_ACTIVITY:
		if (put_activity(m, e))
			return false;
		put_thread(m, e->thread);
		return true;
	case PART_THREAD:
		put_thread(m, e->thread);
		return true;
	case PART_PROCESS:
		put_process(m, e);
		return false;
	case PART_ARGUMENT:
		put_argument(m, p, e);
		return false;
	case PART_FIELD:
		if (field_of(m, p->field, e, &v))
			put_value(m, &v);
		else
			put_tag(m, 'n');
		return false;
	}
	return false;
}

static bool
put_key(struct marker *m, const struct class_use *u, const struct event *e)
{
	uint64_t	program = trace_source_program(m->s->t, event_source(e));
	uint64_t	head = u->pair | (uint64_t)u->base << 16 | program << EVENT_SOURCE_SHIFT;
	bool		by_thread = false;

	put_bytes(m, &head, sizeof head);
	m->hash = head;
	for (unsigned i = 0; i < u->nparts; i++)
		by_thread |= put_part(m, &u->part[i], e);
	return by_thread;
}

/* Behind a key that is an activity: what the start says is around it. */
static bool
put_related(struct marker *m, const struct span_mark *k, const struct event *e)
{
	uint8_t	guid[16];

	if (k->len != KEY_ACTIVITY || m->to->keys.p[k->key + KEY_HEAD] != 'a' ||
	    !trace_related(m->s->t, e, guid))
		return false;
	put_bytes(m, guid, sizeof guid);
	return true;
}

/* ---- marks */

/* 0: it has none. */
static inline unsigned
opcode_of(const struct marker *m, const struct class_use *u, const struct event *e)
{
	struct event_meta	meta;

	if (e->labels == 0)
		return u->has_opcode ? u->opcode : 0;
	trace_event_meta(m->s->t, e, &meta);
	return meta.has_opcode ? meta.opcode : 0;
}

/* Is the span that has the event first asked for? */
static bool
is_chosen(struct marker *m, const struct event *e, uint64_t row)
{
	return pass_has(&m->s->opt.pass, e->ts) &&
	    (m->eval == NULL || filter_match_row(m->eval, e, row));
}

static void
put_by(struct marker *m, const struct event *e, uint64_t row, struct span_mark *k)
{
	struct cell	c;

	field_get(m->texts, m->s->opt.by, 1, e, row, &c);
	if (c.kind <= CELL_NULL && c.word.p == NULL)
		return;
	k->by = (uint32_t)m->to->keys.len;
	cell_text(&m->to->keys, &c, false);
	k->by_len = (uint32_t)m->to->keys.len - k->by;
	if (k->by_len > BY_MAX)
		k->by_len = BY_MAX;
}

static void
mark_put(struct marker *m, const struct class_use *u, const struct event *e, uint64_t row)
{
	struct span_mark	*k = mark_room(m->to);
	bool			 stop = u->stop;

	if (u->when != NULL && !condition_holds(m, u, e))
		return;
	if (u->pair == PAIR_BY_NAME && !class_by_opcode(u, opcode_of(m, u, e), &stop))
		return;
	if (m->to->keys.len > KEYS_MOST)
		return;
	if (m->to->keys.cap - m->to->keys.len <= KEY_ROOM)
		(void)buf_room(&m->to->keys, KEY_ROOM);
	*k = (struct span_mark){ .row = row, .off = e->off, .ts = e->ts, .thread = e->thread,
	    .name = u->name, .stop = stop, .rule = (uint8_t)u->rule, .by_len = UINT32_MAX,
	    .key = (uint32_t)m->to->keys.len };
	if (u->pair == PAIR_NATIVE) {
		k->native = true;
		k->dur = e->dur;
	} else {
		k->by_thread = put_key(m, u, e);
		k->len = (uint32_t)m->to->keys.len - k->key;
		k->hash = m->hash;
		k->has_related = !stop && put_related(m, k, e);
	}
	k->chosen = m->all || is_chosen(m, e, row);
	if (m->texts != NULL)
		put_by(m, e, row, k);
	m->to->n++;
}

/* An event that says all of its span. */
static void
add_whole(struct marker *m, const struct type_class *c, const struct event *e, uint64_t row)
{
	struct span_record	*r = span_marks_whole(m->to);

	*r = (struct span_record){ .row = row, .stop_row = SPAN_NO_ROW, .start = e->ts,
	    .off = e->off, .thread = e->thread, .name = c->use[0].name,
	    .flags = m->all || is_chosen(m, e, row) ? SPAN_CHOSEN : 0 };
	record_native(r, e->dur);
}

void
marker_add(struct marker *m, struct mark_list *to, const struct event *e, uint64_t row)
{
	const struct type_class	*c = class_of(m, e->type);

	m->to = to;
	if (m->s->native && m->s->opt.by == NULL && c->n > 0) {
		add_whole(m, c, e, row);
		return;
	}
	for (unsigned i = 0; i < c->n; i++)
		mark_put(m, &c->use[i], e, row);
}

/* ---- for people */

static void
part_text(struct marker *m, const struct class_part *p, const struct event *e, struct buf *out)
{
	const struct field_who	*w = field_who(m->reader, e->thread);
	uint8_t			 guid[16];
	struct value		 v;

	switch (p->kind) {
	case PART_ACTIVITY:
		if (trace_activity(m->s->t, e, guid)) {
			guid_text(out, guid);
			return;
		}
		/* fall through */
	case PART_THREAD:
		if (w != NULL && w->has_tid)
			buf_u64(out, w->tid);
		else if (w != NULL)
			buf_puts(out, w->number);
		return;
	case PART_PROCESS:
		if (w != NULL && w->has_pid)
			buf_u64(out, w->pid);
		return;
	case PART_ARGUMENT:
		if (argument_of(m, p, p->argument, e) || argument_of(m, p, "Id", e))
			buf_add(out, m->text.p, m->text.len);
		return;
	case PART_FIELD:
		if (field_of(m, p->field, e, &v))
			value_text(out, &v);
		return;
	}
}

void
marker_key_text(struct marker *m, const struct event *e, uint32_t name, bool stop, struct buf *out)
{
	const struct type_class	*c = class_of(m, e->type);
	const char		*group = names_at(m->s->names, name)->group;
	const struct class_use	*u = NULL;
	struct buf		 text = { 0 };

	for (unsigned i = 0; i < c->n && u == NULL; i++)
		if (strcmp(names_at(m->s->names, c->use[i].name)->group, group) == 0 &&
		    (c->use[i].stop == stop || c->use[i].pair == PAIR_BY_NAME))
			u = &c->use[i];
	buf_putc(out, '[');
	for (unsigned i = 0; u != NULL && i < u->nparts; i++) {
		buf_clear(&text);
		part_text(m, &u->part[i], e, &text);
		if (i > 0)
			buf_putc(out, ',');
		json_text8(out, span_of_buf(&text));
	}
	buf_putc(out, ']');
	buf_release(&text);
}

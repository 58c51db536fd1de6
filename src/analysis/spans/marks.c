/*
 * From events to marks.
 *
 *	key	| pair, base, 'a' | activity |		nearly all of them: whole words
 *		| pair, base, 't' | thread |
 *		| pair, base | 't' thread | 'u' number | 's' length text ... |
 *
 * A part that is absent is a value, too: a start and a stop that both lack it belong together. An
 * activity id of zeroes stands for the thread.
 *
 * Invariant: equal keys are equal bytes, and what is in a key tells where each part ends.
 */
#include "analysis/spans/marks.h"

#include "tnav/base/mem.h"
#include "tnav/engine/field.h"

#define BY_MAX	4096u		/* bytes of a value of --by */

struct marks *
marks_new(struct spans *s, uint64_t seed)
{
	struct marks	*m = mem_zalloc(1, sizeof *m);

	m->s = s;
	m->by = hash_keys(seed);
	m->reader = field_reader_new(s->t, &(struct field_options){ .words = WORDS_BARE });
	if (s->opt.by != NULL)
		m->texts = field_reader_new(s->t, &(struct field_options){ .words = WORDS_ALL });
	if (s->opt.filter != NULL)
		m->eval = filter_eval_new(s->opt.filter, s->t);
	m->all = s->opt.filter == NULL && !s->opt.has_from && !s->opt.has_to;
	buf_init(&m->keys);
	buf_init(&m->text);
	return m;
}

void
marks_free(struct marks *m)
{
	if (m == NULL)
		return;
	field_reader_free(m->reader);
	if (m->texts != NULL)
		field_reader_free(m->texts);
	filter_eval_free(m->eval);
	buf_release(&m->keys);
	buf_release(&m->text);
	mem_free(m->v);
	mem_free(m->whole);
	mem_free(m->class);
	mem_free(m);
}

void
marks_clear(struct marks *m)
{
	m->n = m->nwhole = 0;
	buf_clear(&m->keys);
}

static const struct type_class *
class_ask(struct marks *m, uint32_t type)
{
	if (type >= m->nclasses) {
		m->class = mem_grow(m->class, &m->classes_cap, (size_t)type + 1,
		    sizeof *m->class);
		memset(m->class + m->nclasses, 0, (type + 1 - m->nclasses) * sizeof *m->class);
		m->nclasses = (size_t)type + 1;
	}
	lock_take(m->s->lock);
	m->class[type] = classes_get(m->s->classes, type);
	lock_drop(m->s->lock);
	return m->class[type];
}

static inline const struct type_class *
class_of(struct marks *m, uint32_t type)
{
	if (type < m->nclasses && m->class[type] != NULL)
		return m->class[type];
	return class_ask(m, type);
}

/* ---- values of payloads */

static bool
field_of(struct marks *m, const struct class_field *f, const struct event *e, struct value *v)
{
	return field_first(f->plan, f->path, trace_type(m->s->t, e->type),
	    trace_payload(m->s->t, e), trace_info(m->s->t)->pointer_size, v);
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
argument_of(struct marks *m, const char *key, const struct event *e)
{
	const struct event_type	*type = trace_type(m->s->t, e->type);
	struct span		 payload = trace_payload(m->s->t, e);
	unsigned		 size = trace_info(m->s->t)->pointer_size;
	struct argument_walk	 w = { .key = key, .text = &m->text };

	field_walk("Arguments.Key", type, payload, size, argument_key, &w);
	if (!w.found)
		return false;
	w.found = false;
	field_walk("Arguments.Value", type, payload, size, argument_value, &w);
	return w.found;
}

static bool
condition_holds(struct marks *m, const struct class_use *u, const struct event *e)
{
	struct value	v;

	if (!field_of(m, &u->when, e, &v))
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

/* Of a key but its texts. */
#define KEY_ROOM	(8u + CLASS_PARTS * 24u)

/* There is room: see put_key(), put_text(). */
static inline void
put_bytes(struct marks *m, const void *p, size_t n)
{
	memcpy(m->keys.p + m->keys.len, p, n);
	m->keys.len += n;
}

static inline void
put_hash(struct marks *m, uint64_t v)
{
	m->hash = hash_pair_by(&m->by, m->hash, v);
}

static inline void
put_tag(struct marks *m, char tag)
{
	put_bytes(m, &tag, sizeof tag);
}

static inline void
put_number(struct marks *m, char tag, uint64_t v)
{
	put_tag(m, tag);
	put_bytes(m, &v, sizeof v);
	put_hash(m, v);
}

static void
put_text(struct marks *m, struct span text)
{
	put_number(m, 's', text.len);
	buf_add(&m->keys, text.p, text.len);
	put_hash(m, hash_bytes_by(&m->by, text.p, text.len));
	(void)buf_room(&m->keys, KEY_ROOM);
}

static void
put_value(struct marks *m, const struct value *v)
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
put_thread(struct marks *m, uint32_t thread)
{
	put_tag(m, 't');
	put_bytes(m, &thread, sizeof thread);
	put_hash(m, thread);
}

static void
put_process(struct marks *m, const struct event *e)
{
	const struct field_who	*w = field_who(m->reader, e->thread);

	if (w != NULL && w->has_pid)
		put_number(m, 'p', w->pid);
	else
		put_tag(m, 'n');
}

static void
put_argument(struct marks *m, const char *key, const struct event *e)
{
	if (argument_of(m, key, e) ||
	    (strcmp(key, "SpanId") == 0 && argument_of(m, "Id", e)))
		put_text(m, span_of_buf(&m->text));
	else
		put_tag(m, 'n');
}

/* The event's activity; false: it has none. */
static bool
put_activity(struct marks *m, const struct event *e)
{
	uint8_t	guid[16];

	if (!trace_activity(m->s->t, e, guid))
		return false;
	put_tag(m, 'a');
	put_bytes(m, guid, sizeof guid);
	put_hash(m, load_u64le(guid));
	put_hash(m, load_u64le(guid + 8));
	return true;
}

/* True: the part is the thread. */
static bool
put_part(struct marks *m, const struct class_part *p, const struct event *e)
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
		put_argument(m, p->field.path, e);
		return false;
	case PART_FIELD:
		if (field_of(m, &p->field, e, &v))
			put_value(m, &v);
		else
			put_tag(m, 'n');
		return false;
	}
	return false;
}

/* All but the value of a key of one part, which is whole words. */
static inline uint64_t
key_head(const struct class_use *u, char tag)
{
	return u->pair | (uint64_t)u->base << 16 | (uint64_t)(uint8_t)tag << 56;
}

static inline void
put_word(struct marks *m, uint64_t w)
{
	put_bytes(m, &w, sizeof w);
}

/* Where neither is set, no format has one; to ask it takes longer. */
static inline bool
may_have_activity(const struct event *e)
{
	return (e->labels | e->activity_back) != 0;
}

static inline bool
is_single(const struct class_use *u)
{
	return u->nparts == 1 &&
	    (u->part[0].kind == PART_ACTIVITY || u->part[0].kind == PART_THREAD);
}

/*
 * A key that is the thread, or the activity if the event has one, and its hash. How long it is; of
 * a thread it is two words.
 */
static inline uint32_t
put_single(struct marks *m, const struct class_use *u, const struct event *e, uint64_t *hash)
{
	char		*p = m->keys.p + m->keys.len;
	uint8_t		 guid[16];
	uint64_t	 head = key_head(u, 't'), a = e->thread, b;

	if (u->part[0].kind == PART_ACTIVITY && may_have_activity(e) &&
	    trace_activity(m->s->t, e, guid)) {
		head = key_head(u, 'a');
		a = load_u64le(guid);
		b = load_u64le(guid + 8);
		memcpy(p, &head, sizeof head);
		memcpy(p + 8, &a, sizeof a);
		memcpy(p + 16, &b, sizeof b);
		*hash = hash_fold(hash_fold(head ^ m->by.k[0], a ^ m->by.k[1]) ^ m->by.k[2],
		    b ^ m->by.k[3]);
		return 3 * sizeof head;
	}
	memcpy(p, &head, sizeof head);
	memcpy(p + 8, &a, sizeof a);
	*hash = hash_fold(head ^ m->by.k[0], a ^ m->by.k[1]);
	return 2 * sizeof head;
}

static bool
put_key(struct marks *m, const struct class_use *u, const struct event *e)
{
	uint64_t	head = key_head(u, 0);
	bool		by_thread = false;

	put_word(m, head);
	m->hash = head;
	for (unsigned i = 0; i < u->nparts; i++)
		by_thread |= put_part(m, &u->part[i], e);
	return by_thread;
}

/* ---- marks */

/* By its opcode, if it is 1 or 2; else by its name. False: it is neither. */
static inline bool
by_opcode(struct marks *m, const struct class_use *u, const struct event *e, bool *stop)
{
	unsigned	opcode = u->has_opcode ? u->opcode : 0;

	if (e->labels != 0) {
		struct event_meta	meta;

		trace_event_meta(m->s->t, e, &meta);
		opcode = meta.has_opcode ? meta.opcode : 0;
	}
	*stop = opcode == 0 ? u->stop : opcode == 2;
	return opcode <= 2;
}

/* Is the span that has the event first asked for? */
static bool
is_chosen(struct marks *m, const struct event *e, uint64_t row)
{
	const struct spans_options	*o = &m->s->opt;

	if ((o->has_from && e->ts < o->from) || (o->has_to && e->ts >= o->to))
		return false;
	return m->eval == NULL || filter_match_row(m->eval, e, row);
}

static void
put_by(struct marks *m, const struct event *e, uint64_t row, struct span_mark *k)
{
	struct cell	c;

	field_get(m->texts, m->s->opt.by, 1, e, row, &c);
	if (c.kind <= CELL_NULL && c.word.p == NULL)
		return;
	k->by = (uint32_t)m->keys.len;
	cell_text(&m->keys, &c, false);
	k->by_len = (uint32_t)m->keys.len - k->by;
	if (k->by_len > BY_MAX)
		k->by_len = BY_MAX;
}

/* Where the next mark is made: to copy what was just written in parts is slow. */
static struct span_mark *
mark_room(struct marks *m)
{
	if (m->n == m->cap)
		m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	return &m->v[m->n];
}

static void
mark_put(struct marks *m, const struct class_use *u, const struct event *e, uint64_t row)
{
	struct span_mark	*k = mark_room(m);
	bool			 stop = u->stop;

	if (u->when.path != NULL && !condition_holds(m, u, e))
		return;
	if (u->pair == PAIR_BY_NAME && !by_opcode(m, u, e, &stop))
		return;
	if (m->keys.len > UINT32_MAX / 2)
		return;
	if (m->keys.cap - m->keys.len <= KEY_ROOM)
		(void)buf_room(&m->keys, KEY_ROOM);
	*k = (struct span_mark){ .row = row, .off = e->off, .ts = e->ts, .thread = e->thread,
	    .name = u->name, .stop = stop, .rule = (uint8_t)u->rule, .by_len = UINT32_MAX,
	    .key = (uint32_t)m->keys.len };
	if (u->pair == PAIR_NATIVE) {
		k->native = true;
		k->dur = e->dur;
	} else if (is_single(u)) {
		k->len = put_single(m, u, e, &k->hash);
		m->keys.len += k->len;
		k->by_thread = k->len == 2 * sizeof k->hash;
	} else {
		k->by_thread = put_key(m, u, e);
		k->len = (uint32_t)m->keys.len - k->key;
		k->hash = m->hash;
	}
	k->chosen = m->all || is_chosen(m, e, row);
	if (m->texts != NULL)
		put_by(m, e, row, k);
	m->n++;
}

/* Where the next one is made, as mark_room(). */
static struct span_record *
whole_room(struct marks *m)
{
	if (m->nwhole == m->whole_cap)
		m->whole = mem_grow(m->whole, &m->whole_cap, m->nwhole + 1, sizeof *m->whole);
	return &m->whole[m->nwhole++];
}

void
marks_whole(struct marks *m, const struct span_record *r)
{
	*whole_room(m) = *r;
}

/* An event that says all of its span. */
static void
add_whole(struct marks *m, const struct type_class *c, const struct event *e, uint64_t row)
{
	struct span_record	*r = whole_room(m);

	r->row = row;
	r->stop_row = SPAN_NO_ROW;
	r->start = e->ts;
	r->off = e->off;
	r->self = 0;
	r->thread = r->stop_thread = e->thread;
	r->name = c->use[0].name;
	r->depth = 0;
	r->state = SPAN_PAIRED;
	r->flags = (uint8_t)(SPAN_NATIVE |
	    (m->all || is_chosen(m, e, row) ? SPAN_CHOSEN : 0));
	if (e->dur > INT64_MAX || __builtin_add_overflow(e->ts, (int64_t)e->dur, &r->stop))
		r->stop = INT64_MAX;
}

void
marks_add(struct marks *m, const struct event *e, uint64_t row)
{
	const struct type_class	*c = class_of(m, e->type);

	if (m->s->native && m->s->opt.by == NULL && c->n > 0) {
		add_whole(m, c, e, row);
		return;
	}
	for (unsigned i = 0; i < c->n; i++)
		mark_put(m, &c->use[i], e, row);
}

/* ---- for people */

static void
part_text(struct marks *m, const struct class_part *p, const struct event *e, struct buf *out)
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
		if (argument_of(m, p->field.path, e) || argument_of(m, "Id", e))
			buf_add(out, m->text.p, m->text.len);
		return;
	case PART_FIELD:
		if (field_of(m, &p->field, e, &v))
			value_text(out, &v);
		return;
	}
}

void
marks_key_text(struct marks *m, const struct event *e, uint32_t name, bool stop, struct buf *out)
{
	const struct type_class	*c = class_of(m, e->type);
	const char		*group = names_at(m->s->names, name)->group;
	const struct class_use	*u = NULL;
	struct buf		 text;

	for (unsigned i = 0; i < c->n && u == NULL; i++)
		if (strcmp(names_at(m->s->names, c->use[i].name)->group, group) == 0 &&
		    (c->use[i].stop == stop || c->use[i].pair == PAIR_BY_NAME))
			u = &c->use[i];
	buf_init(&text);
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

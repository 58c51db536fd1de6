/*
 * Writing NetTrace V4 and V6: blocks are gathered, and written in the order of their use.
 *
 *	gathered	types | threads | stacks | labels | events
 *	written		  M        T        S        L        E	when one of them is full, or at
 *							a sequence point, a removal, the end
 *
 * Headers are compressed against the event before in the block (format/blob.h reads them). V4
 * aligns the content of an object to 4 bytes of the file.
 *
 * Invariant: everything that an event of a block refers to was written before the block. Numbers
 * of stacks and labels rise from 1 between two sequence points; of how they look only the last
 * LISTS_KEPT are kept, so that a stack may be written again.
 * Format: NetTrace V4, "EventPipe (File) Format"; V6.
 */
#include "tnav/format/writer.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"

#define BLOCK_BYTES	(64u << 10)	/* a block is written when it has so many, */
#define BLOCK_MOST	(100u << 10)	/* ... and before it would have more than this */
#define LISTS_KEPT	(64u << 10)	/* stacks, and label lists, that are found again */
#define LISTS_BYTES	(8u << 20)	/* ... with so many bytes */
#define LABEL_END	0x80u

enum kind { TYPES, THREADS, STACKS, LABELS, EVENTS, KINDS, POINT };

/* Numbered lists: their bytes, found by content. */
struct list_known {
	size_t		at, len;	/* in bytes */
	uint32_t	number;
};

struct list_table {
	struct hashtable	 table;
	struct list_known	*known;
	size_t			 n, cap;
	struct buf		 bytes;
	uint32_t		 next;		/* number of the next one */
	uint32_t		 first, count;	/* of those that are gathered */
};

struct trace_writer {
	struct output		*o;
	bool			 v6;
	uint64_t		 at;		/* bytes written */
	struct buf		 block[KINDS];
	struct list_table	 stacks, labels;
	struct buf		 text;		/* of one list */
	struct writer_event	 last;		/* in the block of events; activity, related: */
	uint8_t			 activity[16], related[16];
	int64_t			 tmin, tmax;
	bool			(*inspect)(void *arg, struct span content, uint64_t off);
	void			*inspect_arg;
};

static const uint8_t	no_id[16];

static void
put_string(struct buf *b, struct span s)
{
	buf_varint(b, s.len);
	buf_span(b, s);
}

/* ---- blocks */

static void
put_name(struct buf *b, uint32_t version, const char *name)
{
	buf_puts(b, "\5\5\1");
	buf_le(b, version, 4);
	buf_le(b, version, 4);
	buf_le(b, (uint32_t)strlen(name), 4);
	buf_puts(b, name);
	buf_putc(b, 6);
}

/* Write a block of head and content. */
static int
block_write(struct trace_writer *w, enum kind kind, struct span head, struct span content)
{
	static const char *const	names[] = { "MetadataBlock", NULL, "StackBlock", NULL,
					    "EventBlock", NULL, "SPBlock" };
	static const uint8_t		numbers[] = { 3, 6, 5, 8, 2, 0, 4 };
	struct buf			*b = output_buf(w->o);
	size_t				 was = b->len, size = head.len + content.len;

	if (w->v6) {
		buf_le(b, (uint32_t)size | (uint32_t)numbers[kind] << 24, 4);
	} else {
		put_name(b, 2, names[kind]);
		buf_le(b, (uint32_t)size, 4);
		buf_fill(b, 0, (size_t)(-(w->at + (b->len - was)) & 3));
	}
	buf_span(b, head);
	if (w->inspect != NULL && kind != TYPES &&
	    !w->inspect(w->inspect_arg, content, w->at + (b->len - was))) {
		b->len = was;
		return ERR_FORMAT;
	}
	buf_span(b, content);
	if (!w->v6)
		buf_putc(b, 6);
	w->at += b->len - was;
	return output_step(w->o);
}

static void
put_blob_head(struct buf *b, int64_t min, int64_t max)
{
	buf_le(b, 20, 2);
	buf_le(b, 1, 2);
	buf_le(b, (uint64_t)min, 8);
	buf_le(b, (uint64_t)max, 8);
}

/* Write what is gathered of a kind. */
static int
kind_write(struct trace_writer *w, enum kind kind)
{
	struct list_table	*l = kind == STACKS ? &w->stacks : &w->labels;
	struct buf		*content = &w->block[kind], head = { 0 };
	int			 err;

	if (content->len == 0)
		return ERR_OK;
	if (kind == EVENTS) {
		put_blob_head(&head, w->tmin, w->tmax);
	} else if (kind == TYPES && !w->v6) {
		put_blob_head(&head, 0, 0);
	} else if (kind == TYPES) {
		buf_le(&head, 0, 2);
	} else if (kind != THREADS) {
		buf_le(&head, l->first, 4);
		buf_le(&head, l->count, 4);
		l->first += l->count;
		l->count = 0;
	}
	err = block_write(w, kind, span_of_buf(&head), span_of_buf(content));
	buf_release(&head);
	buf_clear(content);
	return err;
}

/* Write all that is gathered. */
static int
gathered_write(struct trace_writer *w)
{
	int	err = ERR_OK;

	for (enum kind k = 0; k < KINDS && err == ERR_OK; k++)
		err = kind_write(w, k);
	memset(&w->last, 0, sizeof w->last);
	memset(w->activity, 0, sizeof w->activity);
	memset(w->related, 0, sizeof w->related);
	return err;
}

/* ---- the head */

static void
put_clock(struct buf *b, const struct writer_head *h)
{
	buf_add(b, h->time, WRITER_TIME);
	buf_le(b, (uint64_t)h->sync_ts, 8);
	buf_le(b, (uint64_t)h->freq, 8);
	buf_le(b, h->pointer_size, 4);
}

static void
put_head4(struct buf *b, const struct writer_head *h)
{
	buf_puts(b, "Nettrace");
	buf_le(b, 20, 4);
	buf_puts(b, "!FastSerialization.1");
	put_name(b, 4, "Trace");
	put_clock(b, h);
	buf_le(b, h->pid, 4);
	buf_le(b, h->processors, 4);
	buf_le(b, h->sampling_rate, 4);
	buf_putc(b, 6);
}

static void
put_head6(struct buf *b, const struct writer_head *h)
{
	struct buf	block = { 0 };

	put_clock(&block, h);
	buf_le(&block, (uint32_t)h->nkv, 4);
	for (size_t i = 0; i < h->nkv; i++) {
		put_string(&block, span_of(h->kv[i].key));
		put_string(&block, span_of(h->kv[i].value));
	}
	buf_puts(b, "Nettrace");
	buf_le(b, 0, 4);
	buf_le(b, 6, 4);
	buf_le(b, 0, 4);
	buf_le(b, (uint32_t)block.len | 1u << 24, 4);
	buf_span(b, span_of_buf(&block));
	buf_release(&block);
}

struct trace_writer *
trace_writer_new(struct output *o, const struct writer_head *head)
{
	struct trace_writer	*w = mem_zalloc(1, sizeof *w);
	struct buf		*b = output_buf(o);
	size_t			 was = b->len;

	w->o = o;
	w->v6 = head->version == 6;
	w->stacks.next = w->stacks.first = w->labels.next = w->labels.first = 1;
	(w->v6 ? put_head6 : put_head4)(b, head);
	w->at = b->len - was;
	return w;
}

void
trace_writer_inspect(struct trace_writer *w,
    bool (*fn)(void *arg, struct span content, uint64_t off), void *arg)
{
	w->inspect = fn;
	w->inspect_arg = arg;
}

static void
lists_release(struct list_table *l)
{
	hashtable_release(&l->table);
	buf_release(&l->bytes);
	mem_free(l->known);
}

void
trace_writer_free(struct trace_writer *w)
{
	if (w == NULL)
		return;
	for (unsigned k = 0; k < KINDS; k++)
		buf_release(&w->block[k]);
	lists_release(&w->stacks);
	lists_release(&w->labels);
	buf_release(&w->text);
	mem_free(w);
}

uint64_t
trace_writer_bytes(const struct trace_writer *w)
{
	return w->at;
}

/* ---- what events refer to */

void
trace_writer_type(struct trace_writer *w, uint32_t id, struct span row)
{
	struct buf	*b = &w->block[TYPES], number = { 0 };

	if (w->v6)
		buf_varint(&number, id);
	else
		buf_le(&number, id, 4);
	if (w->v6) {
		buf_le(b, (uint32_t)(number.len + row.len), 2);
	} else {
		/* The header of a row is that of an event of zeroes, with a size. */
		buf_putc(b, (char)(64 | 128));
		buf_varint(b, 0);
		buf_varint(b, number.len + row.len);
	}
	buf_span(b, span_of_buf(&number));
	buf_span(b, row);
	buf_release(&number);
}

void
trace_writer_thread(struct trace_writer *w, struct span row)
{
	buf_le(&w->block[THREADS], (uint32_t)row.len, 2);
	buf_span(&w->block[THREADS], row);
}

static void
lists_forget(struct list_table *l)
{
	hashtable_clear(&l->table);
	l->n = 0;
	buf_clear(&l->bytes);
}

/* The number of a list. *is_new: it has to be written. */
static uint32_t
list_number(struct list_table *l, struct span s, bool *is_new)
{
	uint64_t	hash = hash_bytes(s.p, s.len);

	HASHTABLE_EACH(&l->table, hash, i) {
		const struct list_known	*k = &l->known[*i];

		if (k->len == s.len && (s.len == 0 ||
		    memcmp(l->bytes.p + k->at, s.p, s.len) == 0)) {
			*is_new = false;
			return k->number;
		}
	}
	*is_new = true;
	if (l->n == LISTS_KEPT || l->bytes.len + s.len > LISTS_BYTES)
		lists_forget(l);
	l->known = mem_grow(l->known, &l->cap, l->n + 1, sizeof *l->known);
	l->known[l->n] = (struct list_known){ l->bytes.len, s.len, l->next };
	hashtable_add(&l->table, hash, (uint32_t)l->n++);
	buf_span(&l->bytes, s);
	l->count++;
	return l->next++;
}

uint32_t
trace_writer_stack(struct trace_writer *w, struct span addresses)
{
	bool		is_new;
	uint32_t	number = list_number(&w->stacks, addresses, &is_new);

	if (is_new) {
		buf_le(&w->block[STACKS], (uint32_t)addresses.len, 4);
		buf_span(&w->block[STACKS], addresses);
	}
	return number;
}

static void
put_label(struct buf *b, const struct label *l, bool last)
{
	buf_putc(b, (char)((unsigned)l->kind | (last ? LABEL_END : 0)));
	switch (l->kind) {
	case LABEL_ACTIVITY: case LABEL_RELATED: case LABEL_TRACE:
		buf_span(b, l->text);
		break;
	case LABEL_SPAN: case LABEL_KEYWORDS:
		buf_le(b, l->number, 8);
		break;
	case LABEL_TEXT:
		put_string(b, l->key);
		put_string(b, l->text);
		break;
	case LABEL_NUMBER:
		put_string(b, l->key);
		buf_varint(b, l->number << 1 ^ (l->number >> 63 != 0 ? UINT64_MAX : 0));
		break;
	case LABEL_OPCODE: case LABEL_LEVEL: case LABEL_VERSION:
		buf_putc(b, (char)l->number);
		break;
	}
}

uint32_t
trace_writer_labels(struct trace_writer *w, const struct label *l, size_t n)
{
	bool		is_new;
	uint32_t	number;

	if (n == 0)
		return 0;
	buf_clear(&w->text);
	for (size_t i = 0; i < n; i++)
		put_label(&w->text, &l[i], i + 1 == n);
	number = list_number(&w->labels, span_of_buf(&w->text), &is_new);
	if (is_new)
		buf_span(&w->block[LABELS], span_of_buf(&w->text));
	return number;
}

/* ---- events */

/* Write an id if it differs from the last one, which it becomes. */
static inline char *
write_id(char *p, uint8_t last[16], const uint8_t *id, unsigned flag, unsigned *flags)
{
	if (id == NULL)
		id = no_id;
	if (memcmp(last, id, 16) == 0)
		return p;
	*flags |= flag;
	memcpy(last, id, 16);
	memcpy(p, id, 16);
	return p + 16;
}

#define HEADER_MOST	100u	/* bytes of a compressed header, at most */

static void
put_event(struct trace_writer *w, const struct writer_event *e)
{
	struct buf			*b = &w->block[EVENTS];
	const struct writer_event	*last = &w->last;
	char				*head = buf_room(b, HEADER_MOST), *p = head + 1;
	unsigned			 flags = 64;

	if (e->type != last->type) {
		flags |= 1;
		p = varint_write(p, e->type);
	}
	if (e->seq != last->seq + 1 || e->capture != last->capture || e->cpu != last->cpu) {
		flags |= 2;
		p = varint_write(p, e->seq - 1 - last->seq);
		p = varint_write(p, e->capture);
		p = varint_write(p, e->cpu);
	}
	if (e->thread != last->thread) {
		flags |= 4;
		p = varint_write(p, e->thread);
	}
	if (e->stack != last->stack) {
		flags |= 8;
		p = varint_write(p, e->stack);
	}
	p = varint_write(p, (uint64_t)e->ts - (uint64_t)last->ts);
	if (w->v6 && e->labels != last->labels) {
		flags |= 16;
		p = varint_write(p, e->labels);
	}
	if (!w->v6) {
		p = write_id(p, w->activity, e->activity, 16, &flags);
		p = write_id(p, w->related, e->related, 32, &flags);
	}
	if (e->payload.len != last->payload.len) {
		flags |= 128;
		p = varint_write(p, e->payload.len);
	}
	*head = (char)flags;
	b->len += (size_t)(p - head);
	buf_span(b, e->payload);
	w->last = *e;
}

int
trace_writer_event(struct trace_writer *w, const struct writer_event *e)
{
	bool	full = false;
	int	err = ERR_OK;

	for (enum kind k = 0; k < KINDS; k++)
		full |= w->block[k].len >= BLOCK_BYTES;
	if (full || (w->block[EVENTS].len > 0 &&
	    w->block[EVENTS].len + e->payload.len > BLOCK_MOST))
		err = gathered_write(w);
	if (w->block[EVENTS].len == 0)
		w->tmin = w->tmax = e->ts;
	w->tmin = e->ts < w->tmin ? e->ts : w->tmin;
	w->tmax = e->ts > w->tmax ? e->ts : w->tmax;
	put_event(w, e);
	return err;
}

/* ---- sequence points */

void
trace_writer_remove(struct trace_writer *w, uint64_t thread, uint32_t number)
{
	struct buf	*b = output_buf(w->o);
	struct buf	 content = { 0 };

	(void)gathered_write(w);	/* a failure is repeated by the next call */
	buf_varint(&content, thread);
	buf_varint(&content, number);
	buf_le(b, (uint32_t)content.len | 7u << 24, 4);
	buf_span(b, span_of_buf(&content));
	w->at += 4 + content.len;
	buf_release(&content);
}

static void
lists_restart(struct list_table *l)
{
	lists_forget(l);
	l->next = l->first = 1;
}

int
trace_writer_point(struct trace_writer *w, int64_t ts, bool flush, const struct writer_number *v,
    size_t n)
{
	struct buf	b = { 0 };
	int		err = gathered_write(w);

	buf_le(&b, (uint64_t)ts, 8);
	if (w->v6)
		buf_le(&b, flush, 4);
	buf_le(&b, (uint32_t)n, 4);
	for (size_t i = 0; i < n; i++) {
		if (w->v6) {
			buf_varint(&b, v[i].thread);
			buf_varint(&b, v[i].number);
		} else {
			buf_le(&b, v[i].thread, 8);
			buf_le(&b, v[i].number, 4);
		}
	}
	if (err == ERR_OK)
		err = block_write(w, POINT, span_of_buf(&b), (struct span){ NULL, 0 });
	buf_release(&b);
	lists_restart(&w->stacks);
	lists_restart(&w->labels);
	return err;
}

int
trace_writer_end(struct trace_writer *w)
{
	int	err = gathered_write(w);

	if (w->v6)
		buf_le(output_buf(w->o), 0, 4);
	else
		buf_putc(output_buf(w->o), 1);
	w->at += w->v6 ? 4 : 1;
	return err == ERR_OK ? output_step(w->o) : err;
}

/* ---- rows of types that the trace does not describe */

/* Valid UTF-8 as UTF-16, up to its NUL, which is written too. */
static void
put_utf16z(struct buf *b, const char *s)
{
	static const uint8_t	first[] = { 0, 0x1f, 0x0f, 0x07 };	/* bits of a first byte */
	uint32_t		c;

	for (unsigned more; *s != '\0'; s++) {
		c = (uint8_t)*s;
		more = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
		if (more > 0)
			c &= first[more];
		for (; more > 0 && s[1] != '\0'; more--)
			c = c << 6 | ((uint8_t)*++s & 0x3f);
		if (c >= 0x10000)
			buf_le(b, 0xd800 | (c - 0x10000) >> 10, 2);
		buf_le(b, c >= 0x10000 ? 0xdc00 | (c & 0x3ff) : c, 2);
	}
	buf_le(b, 0, 2);
}

/* The names and the first fields of a row are copied, what is optional is made of the type. */
static void
put_row6(struct buf *out, const struct event_type *t, struct span content)
{
	enum { OPT_OPCODE = 1, OPT_KEYWORDS = 3, OPT_LEVEL = 8, OPT_VERSION };
	struct cursor	c = cursor_init(content, 0);
	uint32_t	n = 0;
	size_t		at;

	cursor_skip(&c, cursor_varu32(&c));
	(void)cursor_varu32(&c);
	cursor_skip(&c, cursor_varu32(&c));
	if (cursor_ok(&c) && content.len > 0) {
		buf_add(out, content.p, content.len - cursor_left(&c));
		(void)cursor_u16le(&c);
		n = t->nfields;
	} else {
		put_string(out, span_of(t->provider));
		buf_varint(out, t->id);
		put_string(out, span_of(t->name));
	}
	buf_le(out, n, 2);
	for (; n > 0; n--) {
		struct span	field = cursor_take(&c, cursor_u16le(&c));

		buf_le(out, (uint32_t)field.len, 2);
		buf_span(out, field);
	}
	buf_le(out, 0, 2);
	at = out->len;
	if (t->has_opcode) {
		buf_putc(out, OPT_OPCODE);
		buf_putc(out, (char)t->opcode);
	}
	buf_putc(out, OPT_KEYWORDS);
	buf_le(out, t->keywords, 8);
	buf_putc(out, OPT_LEVEL);
	buf_putc(out, (char)t->level);
	buf_putc(out, OPT_VERSION);
	buf_putc(out, (char)t->version);
	out->p[at - 2] = (char)(out->len - at);
}

void
trace_writer_row(struct buf *out, unsigned version, const struct event_type *t,
    struct span content)
{
	if (version == 6) {
		put_row6(out, t, content);
		return;
	}
	put_utf16z(out, t->provider);
	buf_le(out, t->id, 4);
	put_utf16z(out, t->name);
	buf_le(out, t->keywords, 8);
	buf_le(out, t->version, 4);
	buf_le(out, t->level, 4);
	buf_le(out, 0, 4);
}

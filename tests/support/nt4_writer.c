/*
 * A writer of NetTrace V4 and V5 bytes. See the header.
 *
 *	5 5 1 version least "name" 6   size  pad to 4   body   6
 *	\_ begin, type object _____/   \_ of the body, as in the file's offsets
 *
 * Invariant: the body of a block begins at a multiple of four of the file's offset, so alignment
 * inside it can be counted from its own start.
 */
#include "nt4_writer.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *
room(uint8_t **p, size_t *cap, size_t len, size_t more)
{
	if (*cap - len < more) {
		size_t	want = (len + more) * 2 + 4096;
		uint8_t	*q = realloc(*p, want);

		if (!q)
			abort();
		*p = q;
		*cap = want;
	}
	return *p + len;
}

static uint8_t *
store_le(uint8_t *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

static uint8_t *
store_varint(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

static uint8_t *
store_utf16z(uint8_t *p, const char *ascii)
{
	for (; *ascii; ascii++)
		p = store_le(p, (uint8_t)*ascii, 2);
	return store_le(p, 0, 2);
}

static void
out(struct nt4_writer *w, const void *p, size_t len)
{
	if (w->f) {
		if (fwrite(p, 1, len, w->f) != len)
			w->failed = true;
	} else if (len > 0) {
		memcpy(room(&w->p, &w->cap, w->len, len), p, len);
		w->len += len;
	}
	w->off += len;
}

void
nt4_init(struct nt4_writer *w, FILE *f)
{
	memset(w, 0, sizeof *w);
	w->f = f;
}

void
nt4_release(struct nt4_writer *w)
{
	free(w->p);
	free(w->block);
	nt4_init(w, NULL);
}

/* Begin tag, type object. */
static void
out_head(struct nt4_writer *w, const char *name, int32_t version, int32_t least)
{
	uint8_t	b[64], *p = b;
	size_t	len = strlen(name);

	*p++ = 5;
	*p++ = 5;
	*p++ = 1;
	p = store_le(p, (uint32_t)version, 4);
	p = store_le(p, (uint32_t)least, 4);
	p = store_le(p, len, 4);
	out(w, b, (size_t)(p - b));
	out(w, name, len);
	out(w, "\6", 1);
}

void
nt4_trace(struct nt4_writer *w, const struct nt4_trace *t)
{
	static const uint16_t	utc[8] = { 2026, 11, 6, 21, 12, 0, 0, 0 };
	uint8_t			b[64], *p = b;

	out(w, "Nettrace\24\0\0\0!FastSerialization.1", 32);
	out_head(w, "Trace", t->version ? t->version : 4, t->least ? t->least : 4);
	for (size_t i = 0; i < 8; i++)
		p = store_le(p, utc[i], 2);
	p = store_le(p, (uint64_t)t->sync, 8);
	p = store_le(p, (uint64_t)t->freq, 8);
	p = store_le(p, (uint32_t)t->pointer_size, 4);
	p = store_le(p, (uint32_t)t->pid, 4);
	p = store_le(p, (uint32_t)t->processors, 4);
	p = store_le(p, (uint32_t)t->rate, 4);
	*p++ = 6;
	out(w, b, (size_t)(p - b));
}

void
nt4_end(struct nt4_writer *w)
{
	out(w, "\1", 1);
}

void
nt4_object(struct nt4_writer *w, const char *name, int32_t version, int32_t least, const void *body,
    size_t len)
{
	uint8_t	size[4];

	out_head(w, name, version, least);
	store_le(size, len, 4);
	out(w, size, 4);
	out(w, "\0\0\0", -w->off & 3);
	out(w, body, len);
	out(w, "\6", 1);
}

void
nt4_block(struct nt4_writer *w, const char *name, int flags)
{
	uint8_t	*p = room(&w->block, &w->block_cap, 0, 20);

	w->name = name;
	w->events = strcmp(name, "EventBlock") == 0;
	w->compressed = flags & NT4_COMPRESSED;
	w->min = w->max = 0;
	memset(&w->last, 0, sizeof w->last);
	p = store_le(p, 20, 2);
	store_le(p, (uint64_t)flags, 2);
	w->nblock = 20;
}

static uint8_t *
store_compressed(struct nt4_writer *w, uint8_t *p, const struct nt4_event *e)
{
	struct nt4_event	*last = &w->last;
	uint32_t		 next = last->seq + (e->mid != 0);
	uint8_t			*flags = p++;

	*flags = e->sorted ? 64 : 0;
	if (e->mid != last->mid) {
		*flags |= 1;
		p = store_varint(p, e->mid);
	}
	if (e->seq != next || e->capture != last->capture || e->cpu != last->cpu) {
		*flags |= 2;
		p = store_varint(p, (uint32_t)(e->seq - next));
		p = store_varint(p, e->capture);
		p = store_varint(p, e->cpu);
	}
	if (e->tid != last->tid) {
		*flags |= 4;
		p = store_varint(p, e->tid);
	}
	if (e->stack != last->stack) {
		*flags |= 8;
		p = store_varint(p, e->stack);
	}
	p = store_varint(p, (uint64_t)e->ts - (uint64_t)last->ts);
	if (memcmp(e->activity, last->activity, 16) != 0) {
		*flags |= 16;
		memcpy(p, e->activity, 16);
		p += 16;
	}
	if (memcmp(e->related, last->related, 16) != 0) {
		*flags |= 32;
		memcpy(p, e->related, 16);
		p += 16;
	}
	if (e->size != last->size) {
		*flags |= 128;
		p = store_varint(p, e->size);
	}
	*last = *e;
	if (e->size > 0)
		memcpy(p, e->payload, e->size);
	return p + e->size;
}

/* The size of the event covers its padding, as in real files. */
static uint8_t *
store_uncompressed(uint8_t *p, const struct nt4_event *e)
{
	uint32_t	pad = -e->size & 3;

	p = store_le(p, 76 + e->size + pad, 4);
	p = store_le(p, e->mid | (e->sorted ? 0 : 1u << 31), 4);
	p = store_le(p, e->seq, 4);
	p = store_le(p, e->tid, 8);
	p = store_le(p, e->capture, 8);
	p = store_le(p, e->cpu, 4);
	p = store_le(p, e->stack, 4);
	p = store_le(p, (uint64_t)e->ts, 8);
	memcpy(p, e->activity, 16);
	memcpy(p + 16, e->related, 16);
	p = store_le(p + 32, e->size, 4);
	if (e->size > 0)
		memcpy(p, e->payload, e->size);
	return store_le(p + e->size, 0, pad);
}

void
nt4_event(struct nt4_writer *w, const struct nt4_event *e)
{
	uint8_t	*p = room(&w->block, &w->block_cap, w->nblock, (size_t)e->size + 128);

	if (w->nblock == 20 || e->ts < w->min)
		w->min = e->ts;
	if (w->nblock == 20 || e->ts > w->max)
		w->max = e->ts;
	p = w->compressed ? store_compressed(w, p, e) : store_uncompressed(p, e);
	w->nblock = (size_t)(p - w->block);
}

void
nt4_metadata(struct nt4_writer *w, uint32_t mid, const char *provider, uint32_t id,
    const char *name, const struct nt4_field *fields, size_t n)
{
	uint8_t			 b[4096], *p = b;
	struct nt4_event	 e = { .payload = b, .sorted = true };

	p = store_le(p, mid, 4);
	p = store_utf16z(p, provider);
	p = store_le(p, id, 4);
	p = store_utf16z(p, name);
	p = store_le(p, 0, 8);
	p = store_le(p, 0, 4);
	p = store_le(p, 4, 4);
	p = store_le(p, n, 4);
	for (size_t i = 0; i < n; i++) {
		p = store_le(p, fields[i].type, 4);
		p = store_utf16z(p, fields[i].name);
	}
	if (w->opcode != 0) {
		p = store_le(p, 1, 4);
		p = store_le(p, 1, 1);
		p = store_le(p, w->opcode, 1);
	}
	e.size = (uint32_t)(p - b);
	nt4_event(w, &e);
}

void
nt4_block_end(struct nt4_writer *w)
{
	store_le(w->block + 4, (uint64_t)w->min, 8);
	store_le(w->block + 12, (uint64_t)w->max, 8);
	nt4_object(w, w->name, 2, 2, w->block, w->nblock);
	w->nblock = 0;
}

void
nt4_begin(struct nt4_writer *w, FILE *f, const char *provider, const char *name,
    const struct nt4_field *fields, size_t n)
{
	nt4_init(w, f);
	nt4_trace(w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_UNCOMPRESSED);
	nt4_metadata(w, 1, provider, 1, name, fields, n);
	nt4_block_end(w);
}

void
nt4_stacks(struct nt4_writer *w, uint32_t first, uint32_t count, const uint64_t *ips,
    uint32_t nframes)
{
	uint8_t	*p = room(&w->block, &w->block_cap, 0, 8 + (size_t)count * (4 + (size_t)nframes * 8));

	p = store_le(p, first, 4);
	p = store_le(p, count, 4);
	for (uint32_t i = 0; i < count; i++) {
		p = store_le(p, (uint64_t)nframes * 8, 4);
		for (uint32_t k = 0; k < nframes; k++)
			p = store_le(p, *ips++, 8);
	}
	nt4_object(w, "StackBlock", 2, 2, w->block, (size_t)(p - w->block));
}

void
nt4_sequence_point(struct nt4_writer *w, int64_t ts, size_t n, const uint64_t *tids,
    const uint32_t *seqs)
{
	uint8_t	*p = room(&w->block, &w->block_cap, 0, 12 + n * 12);

	p = store_le(p, (uint64_t)ts, 8);
	p = store_le(p, n, 4);
	for (size_t i = 0; i < n; i++) {
		p = store_le(p, tids[i], 8);
		p = store_le(p, seqs[i], 4);
	}
	nt4_object(w, "SPBlock", 2, 2, w->block, (size_t)(p - w->block));
}

static uint32_t
load_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

size_t
nt4_places(const uint8_t *p, size_t len, struct nt4_place *places, size_t max)
{
	bool	v3 = len > 0 && p[0] == 20;	/* the length of its first string */
	size_t	n = 0, at = v3 ? NT4_HEADER_LEN - 8 : NT4_HEADER_LEN;

	while (n < max && at < len && len - at > 20 && p[at] == (v3 ? 4 : 5)) {
		uint32_t		 chars = load_u32(p + at + 11), size;
		struct nt4_place	*o = &places[n];

		if (chars >= sizeof o->name || chars + 24 > len - at)
			break;
		memset(o, 0, sizeof *o);
		memcpy(o->name, p + at + 15, chars);
		o->start = at;
		at += 16 + chars;
		size = load_u32(p + at);
		at = (at + 4 + 3) & ~(size_t)3;
		o->body = at;
		if (size >= len - at)
			break;
		at += size + 1;
		o->end = at;
		n++;
	}
	return n;
}

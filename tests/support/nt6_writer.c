/*
 * A writer of NetTrace V6 bytes. See the header.
 *
 *	size | kind << 24   content		a block
 *
 * Invariant: block is where the size of the block under way will be written.
 */
#include "nt6_writer.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

void
nt6_bytes(struct nt6_writer *w, const void *p, size_t len)
{
	if (w->cap - w->len < len) {
		uint8_t	*q;

		w->cap = (w->len + len) * 2 + 4096;
		q = realloc(w->p, w->cap);
		if (q == NULL)
			abort();
		w->p = q;
	}
	if (len > 0)
		memcpy(w->p + w->len, p, len);
	w->len += len;
}

void
nt6_number(struct nt6_writer *w, uint64_t n, unsigned bytes)
{
	uint8_t	out[8];

	nt6_bytes(w, out, bytes_le(out, n, bytes));
}

static void
varint(struct nt6_writer *w, uint64_t n)
{
	uint8_t	out[10];

	nt6_bytes(w, out, bytes_var(out, n));
}

static void
string(struct nt6_writer *w, const char *s)
{
	varint(w, strlen(s));
	nt6_bytes(w, s, strlen(s));
}

void
nt6_begin(struct nt6_writer *w, unsigned kind)
{
	w->block = w->len;
	nt6_number(w, (uint64_t)kind << 24, 4);
	if (kind == NT6_EVENTS) {
		nt6_number(w, 20, 2);
		nt6_number(w, 1, 2);		/* compressed */
		nt6_number(w, 0, 8);
		nt6_number(w, INT64_MAX, 8);
	} else if (kind == NT6_METADATA) {
		nt6_number(w, 0, 2);
	}
}

void
nt6_finish(struct nt6_writer *w)
{
	size_t	size = w->len - w->block - 4;

	for (unsigned i = 0; i < 3; i++)
		w->p[w->block + i] = (uint8_t)(size >> 8 * i);
}

void
nt6_init(struct nt6_writer *w)
{
	const uint16_t	date[8] = { 2026, 11, 6, 21, 12, 0, 0, 0 };

	memset(w, 0, sizeof *w);
	nt6_bytes(w, "Nettrace", 8);
	nt6_number(w, 0, 4);
	nt6_number(w, 6, 4);
	nt6_number(w, 0, 4);
	nt6_begin(w, NT6_TRACE);
	for (unsigned i = 0; i < 8; i++)
		nt6_number(w, date[i], 2);
	nt6_number(w, 0, 8);			/* ticks of that moment */
	nt6_number(w, 1000000000, 8);		/* ticks a second */
	nt6_number(w, 8, 4);			/* bytes of a pointer */
	nt6_number(w, 0, 4);			/* key/values */
	nt6_finish(w);
}

void
nt6_release(struct nt6_writer *w)
{
	free(w->p);
	memset(w, 0, sizeof *w);
}

void
nt6_end(struct nt6_writer *w)
{
	nt6_number(w, 0, 4);
}

void
nt6_event(struct nt6_writer *w, const struct nt6_event *e)
{
	nt6_number(w, 0xdf, 1);			/* all parts follow */
	varint(w, e->mid);
	varint(w, e->seq);
	varint(w, e->thread);
	varint(w, 0);				/* processor */
	varint(w, e->thread);
	varint(w, e->stack);
	varint(w, e->ticks);
	varint(w, e->labels);
	varint(w, e->size);
	for (uint32_t i = 0; i < e->size; i++)
		nt6_number(w, i & 0x7f, 1);
}

void
nt6_row(struct nt6_writer *w, uint32_t mid, const char *name)
{
	nt6_row_of(w, mid, "P", name);
}

void
nt6_row_of(struct nt6_writer *w, uint32_t mid, const char *provider, const char *name)
{
	size_t	at = w->len, size;

	nt6_number(w, 0, 2);
	varint(w, mid);
	string(w, provider);
	varint(w, 7);
	string(w, name);
	nt6_number(w, 0, 2);			/* fields */
	nt6_number(w, 0, 2);			/* optional parts */
	size = w->len - at - 2;
	w->p[at] = (uint8_t)size;
	w->p[at + 1] = (uint8_t)(size >> 8);
}

void
nt6_thread(struct nt6_writer *w, uint64_t index, uint64_t tid)
{
	nt6_thread_of(w, index, 1, tid);
}

void
nt6_thread_named(struct nt6_writer *w, uint64_t index, const char *name)
{
	size_t	at = w->len;

	nt6_number(w, 0, 2);
	varint(w, index);
	nt6_number(w, 1, 1);			/* its name */
	string(w, name);
	w->p[at] = (uint8_t)(w->len - at - 2);
}

void
nt6_thread_of(struct nt6_writer *w, uint64_t index, uint64_t pid, uint64_t tid)
{
	size_t	at = w->len;

	nt6_number(w, 0, 2);
	varint(w, index);
	nt6_number(w, 2, 1);			/* process id */
	varint(w, pid);
	nt6_number(w, 3, 1);			/* thread id */
	varint(w, tid);
	w->p[at] = (uint8_t)(w->len - at - 2);
}

void
nt6_stack(struct nt6_writer *w, uint32_t id, uint64_t ip)
{
	nt6_begin(w, NT6_STACKS);
	nt6_number(w, id, 4);
	nt6_number(w, 1, 4);
	nt6_number(w, 8, 4);
	nt6_number(w, ip, 8);
	nt6_finish(w);
}

void
nt6_label(struct nt6_writer *w, uint32_t id, const char *text)
{
	nt6_begin(w, NT6_LABELS);
	nt6_number(w, id, 4);
	nt6_number(w, 1, 4);
	nt6_number(w, 0x80 | 5, 1);		/* the last one of its list; name and value */
	string(w, "k");
	string(w, text);
	nt6_finish(w);
}

void
nt6_point(struct nt6_writer *w, uint64_t ticks)
{
	nt6_begin(w, NT6_POINT);
	nt6_number(w, ticks, 8);
	nt6_number(w, 0, 4);			/* flags */
	nt6_number(w, 0, 4);			/* threads */
	nt6_finish(w);
}

/*
 * Events of the runtime about methods, as it writes them: without names and fields of their own.
 */
#include "methods.h"

#include <string.h>

#include "tnav/base/buf.h"

static void
put_number(struct buf *b, uint64_t v, unsigned bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		buf_putc(b, (char)(v & 0xff));
}

/* Every byte a code unit: names of tests are ASCII, or Latin-1. */
static void
put_text(struct buf *b, const char *s)
{
	do {
		buf_putc(b, *s);
		buf_putc(b, '\0');
	} while (*s++ != '\0');
}

void
methods_begin(struct methods_writer *m, FILE *f, const uint64_t *stacks, uint32_t nstacks,
    uint32_t nframes)
{
	static const char	runtime[] = "Microsoft-Windows-DotNETRuntime";
	static const char	rundown[] = "Microsoft-Windows-DotNETRuntimeRundown";

	m->seq = 0;
	m->flags = 8;
	nt4_init(&m->w, f);
	nt4_trace(&m->w, &(struct nt4_trace){ .freq = 1000000, .pointer_size = 8 });
	nt4_block(&m->w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(&m->w, METHODS_PLAIN, "Test", 7, "Made", NULL, 0);
	nt4_metadata(&m->w, METHODS_LOAD, runtime, 143, "", NULL, 0);
	nt4_metadata(&m->w, METHODS_UNLOAD, runtime, 144, "", NULL, 0);
	nt4_metadata(&m->w, METHODS_RUNDOWN, rundown, 144, "", NULL, 0);
	nt4_metadata(&m->w, METHODS_END, rundown, 146, "", NULL, 0);
	nt4_block_end(&m->w);
	nt4_stacks(&m->w, 1, nstacks, stacks, nframes);
	nt4_block(&m->w, "EventBlock", NT4_COMPRESSED);
}

static void
put_event(struct methods_writer *m, enum methods_event what, int64_t ts, uint32_t stack,
    const struct buf *payload)
{
	nt4_event(&m->w, &(struct nt4_event){ .mid = (uint32_t)what, .seq = ++m->seq, .tid = 5,
	    .capture = 5, .ts = ts, .stack = stack, .sorted = true, .payload = payload->p,
	    .size = (uint32_t)payload->len });
}

void
methods_say(struct methods_writer *m, enum methods_event what, int64_t ts, uint64_t start,
    uint32_t size, uint64_t id, const char *type, const char *name, const char *signature)
{
	struct buf	b = { 0 };

	put_number(&b, id, 8);
	put_number(&b, 0x1000, 8);
	put_number(&b, start, 8);
	put_number(&b, size, 4);
	put_number(&b, 0x6000001, 4);
	put_number(&b, m->flags, 4);
	put_text(&b, type);
	put_text(&b, name);
	put_text(&b, signature);
	put_event(m, what, ts, 0, &b);
	buf_release(&b);
}

void
methods_plain(struct methods_writer *m, int64_t ts, uint32_t stack)
{
	struct buf	b = { 0 };

	buf_puts(&b, "");
	put_event(m, METHODS_PLAIN, ts, stack, &b);
	buf_release(&b);
}

void
methods_block(struct methods_writer *m)
{
	nt4_block_end(&m->w);
	nt4_block(&m->w, "EventBlock", NT4_COMPRESSED);
}

void
methods_end(struct methods_writer *m)
{
	nt4_block_end(&m->w);
	nt4_end(&m->w);
}

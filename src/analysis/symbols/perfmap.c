/*
 * A perf map: a line per piece of code, with its start, its size and its name.
 *
 *	7fd384779700 1a4 void [demo] Demo.Here::Say(string)[Tier0]
 *	start        size name, up to the end of the line
 *
 * Invariant: malformed lines are counted and skipped. Format: Linux,
 * tools/perf/Documentation/jit-interface.txt.
 */
#include "analysis/symbols/perfmap.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"

/* Consume a hex number and the blank after it. */
static bool
take_hex(struct span *s, uint64_t *v)
{
	size_t	i = s->len > 1 && s->p[0] == '0' && (s->p[1] | 0x20) == 'x' ? 2 : 0, first = i;

	for (*v = 0; i < s->len && s->p[i] != ' '; i++) {
		int	digit = hex_value((char)s->p[i]);

		if (digit < 0 || *v >> 60 != 0)
			return false;
		*v = *v << 4 | (uint64_t)digit;
	}
	if (i == first || i == s->len)
		return false;
	s->p += i + 1;
	s->len -= i + 1;
	return true;
}

/* A malformed line is left out. */
static void
read_line(struct perf_map *m, struct span line, struct sym_names *names, struct buf *text)
{
	struct name_text	t = { .native = true };
	uint64_t		start, size;

	if (!take_hex(&line, &start) || !take_hex(&line, &size) || line.len == 0)
		return;
	if (size == 0 || size - 1 > UINT64_MAX - start)
		return;
	if (line.len > LIMIT_NAME)
		line.len = LIMIT_NAME;
	buf_clear(text);
	text_from_utf8(text, line);
	t.raw = span_of_buf(text);
	ARRAY_ADD(m->v, m->n, m->cap, (struct spot){
	    .name = sym_names_add(names, &t), .start = start, .last = start + (size - 1) });
}

void
perf_map_read(struct perf_map *m, struct span text, struct sym_names *names)
{
	struct buf	clean = { 0 };

	while (text.len > 0) {
		const uint8_t	*end = memchr(text.p, '\n', text.len);
		size_t		 len = end != NULL ? (size_t)(end - text.p) : text.len;
		size_t		 all = len + (end != NULL);
		size_t		 cut = len > 0 && text.p[len - 1] == '\r' ? len - 1 : len;

		read_line(m, (struct span){ text.p, cut }, names, &clean);
		text.p += all;
		text.len -= all;
	}
	buf_release(&clean);
}

void
perf_map_release(struct perf_map *m)
{
	mem_free(m->v);
	*m = (struct perf_map){ .n = 0 };
}

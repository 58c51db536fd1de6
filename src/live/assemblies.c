/*
 * Names in the assemblies of a process.
 *
 *	/proc/PID/maps	-> paths that end in .dll, each once
 *	a file		| ... 0a Demo-Spans ... | ... 15 D.e.m.o.-.S.p.a.n.s. ... |
 *			  name of an attribute	  text of a program
 *
 * The length stands before a text: in bytes, of UTF-16 with the byte that ends it. So a name within
 * another one is not taken for it.
 *
 * Invariant: nothing of a file is trusted. What is found has the length of the name, and differs
 * from it in the case of ASCII letters only.
 */
#include "tnav/live/assemblies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tnav/base/needle.h"
#include "tnav/io/file.h"

#define MAPS_MOST	(8u << 20)	/* bytes of /proc/PID/maps */
#define ASSEMBLY_MOST	(64u << 20)	/* of a file; a longer one is not read */
#define LENGTH_MOST	127u		/* a greater length has more than one byte */

/* Copy len characters, each the first of `unit` bytes. */
static void
take_text(const uint8_t *p, size_t len, unsigned unit, struct buf *out)
{
	for (size_t i = 0; i < len; i++)
		buf_putc(out, (char)p[i * unit]);
}

/* Is there a text at p of this name, in other case? Its length stands before it. */
static bool
is_spelling(struct span file, const uint8_t *p, const char *name, unsigned unit, struct buf *out)
{
	size_t	len = strlen(name), before = unit * len + (unit == 2), from = out->len;

	if (p <= file.p || (size_t)(file.p + file.len - p) < unit * len || p[-1] != before)
		return false;
	take_text(p, len, unit, out);
	if (strncasecmp(out->p + from, name, len) == 0 && memcmp(out->p + from, name, len) != 0)
		return true;
	out->len = from;
	return false;
}

static bool
search(struct span file, const char *name, bool utf16, struct buf *out)
{
	struct needle		 n;
	struct needle_scan	 s;
	const uint8_t		*p;

	if (!needle_init(&n, name, strlen(name), true, utf16))
		return false;
	needle_begin(&s, &n, file);
	while ((p = needle_next(&s)) != NULL)
		if ((size_t)(p - file.p) >= n.at &&
		    is_spelling(file, p - n.at, name, n.unit, out))
			return true;
	return false;
}

static bool
search_file(uint64_t pid, struct span path, const char *name, struct buf *text, struct buf *out)
{
	struct buf	place;
	struct span	file;
	bool		any = false;

	buf_init(&place);
	buf_printf(&place, "/proc/%" PRIu64 "/root", pid);
	buf_add(&place, path.p, path.len);
	buf_clear(text);
	if (file_read(buf_str(&place), 0, ASSEMBLY_MOST, text) == 0) {
		file = span_of_buf(text);
		any = search(file, name, false, out) || search(file, name, true, out);
	}
	buf_release(&place);
	return any;
}

/* The path of a line of maps that is an assembly. */
static bool
assembly_of(const char *line, size_t len, struct span *path)
{
	const char	*slash = memchr(line, '/', len);

	if (slash == NULL || len < 4 || strncasecmp(line + len - 4, ".dll", 4) != 0)
		return false;
	*path = (struct span){ (const uint8_t *)slash, len - (size_t)(slash - line) };
	return true;
}

static bool
is_same(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

bool
assemblies_spelling(uint64_t pid, const char *name, struct buf *out)
{
	struct buf	maps, text;
	struct span	path, last = { (const uint8_t *)"", 0 };
	char		place[64];
	bool		any = false;

	if (strlen(name) > LENGTH_MOST / 2 - 1)
		return false;
	snprintf(place, sizeof place, "/proc/%" PRIu64 "/maps", pid);
	buf_init(&maps);
	buf_init(&text);
	if (file_read(place, 0, MAPS_MOST, &maps) != 0)
		maps.len = 0;
	for (const char *p = buf_str(&maps), *end; *p != '\0' && !any; p = end + (*end != '\0')) {
		end = p + strcspn(p, "\n");
		if (!assembly_of(p, (size_t)(end - p), &path) || is_same(path, last))
			continue;
		last = path;
		any = search_file(pid, path, name, &text, out);
	}
	buf_release(&maps);
	buf_release(&text);
	return any;
}

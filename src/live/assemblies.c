/*
 * Names in the assemblies of a process.
 *
 *	/proc/PID/maps	-> paths that end in .dll, each once
 *	a file		| ... 04 Name 0a Demo-Spans ... | ... 15 D.e.m.o.-.S.p.a.n.s. ... |
 *			  [EventSource(Name = ...)]	  text of a program
 *
 * The length stands before a text: in bytes, of UTF-16 with the byte that ends it. So a name within
 * another one is not taken for it, nor is a title of the assembly.
 *
 * A name that is there as it was given has no other spelling: the program may have both.
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
#define NAME_IS		"\x04Name"	/* before the length of an attribute's Name */

enum spelling { SPELT_NOT, SPELT_OTHERWISE, SPELT_SO };

/* Copy len characters, each the first of `unit` bytes. */
static void
take_text(const uint8_t *p, size_t len, unsigned unit, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < len; i++)
		buf_putc(out, (char)p[i * unit]);
}

/* The text at p, if it is the name in any case. Its length stands before it. */
static enum spelling
spelling_at(struct span file, const uint8_t *p, const char *name, unsigned unit, struct buf *text)
{
	size_t	len = strlen(name), before = unit * len + (unit == 2), at = (size_t)(p - file.p);

	if (at == 0 || file.len - at < unit * len || p[-1] != before)
		return SPELT_NOT;
	if (unit == 1 && (at < sizeof NAME_IS || memcmp(p - sizeof NAME_IS, NAME_IS,
	    sizeof NAME_IS - 1) != 0))
		return SPELT_NOT;
	take_text(p, len, unit, text);
	if (strncasecmp(text->p, name, len) != 0)
		return SPELT_NOT;
	return memcmp(text->p, name, len) == 0 ? SPELT_SO : SPELT_OTHERWISE;
}

/* The first text that is spelt otherwise goes to out, if that is empty. */
static enum spelling
search(struct span file, const char *name, bool utf16, struct buf *out)
{
	enum spelling		 best = SPELT_NOT, is;
	struct needle		 n;
	struct needle_scan	 s;
	struct buf		 text = { 0 };
	const uint8_t		*p;

	if (!needle_init(&n, name, strlen(name), true, utf16))
		return SPELT_NOT;
	needle_begin(&s, &n, file);
	while (best != SPELT_SO && (p = needle_next(&s)) != NULL) {
		if ((size_t)(p - file.p) < n.at)
			continue;
		is = spelling_at(file, p - n.at, name, n.unit, &text);
		if (is == SPELT_OTHERWISE && out->len == 0)
			buf_add(out, text.p, text.len);
		best = is > best ? is : best;
	}
	buf_release(&text);
	return best;
}

static enum spelling
search_file(uint64_t pid, struct span path, const char *name, struct buf *text, struct buf *out)
{
	struct buf	place = { 0 };
	enum spelling	is = SPELT_NOT, other;

	buf_printf(&place, "/proc/%" PRIu64 "/root", pid);
	buf_add(&place, path.p, path.len);
	buf_clear(text);
	if (file_read(buf_str(&place), 0, ASSEMBLY_MOST, text) == 0) {
		is = search(span_of_buf(text), name, false, out);
		other = search(span_of_buf(text), name, true, out);
		is = other > is ? other : is;
	}
	buf_release(&place);
	return is;
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

bool
assemblies_spelling(uint64_t pid, const char *name, struct buf *out)
{
	struct buf	maps = { 0 }, text = { 0 }, spelling = { 0 };
	struct span	path, last = { (const uint8_t *)"", 0 };
	enum spelling	best = SPELT_NOT, is;
	char		place[64];

	if (strlen(name) > LENGTH_MOST / 2 - 1)
		return false;
	snprintf(place, sizeof place, "/proc/%" PRIu64 "/maps", pid);
	if (file_read(place, 0, MAPS_MOST, &maps) != 0)
		maps.len = 0;
	for (const char *p = buf_str(&maps), *end; *p != '\0' && best != SPELT_SO;
	    p = end + (*end != '\0')) {
		end = p + strcspn(p, "\n");
		if (!assembly_of(p, (size_t)(end - p), &path) || spans_equal(path, last))
			continue;
		last = path;
		is = search_file(pid, path, name, &text, &spelling);
		best = is > best ? is : best;
	}
	if (best == SPELT_OTHERWISE)
		buf_add(out, spelling.p, spelling.len);
	buf_release(&maps);
	buf_release(&text);
	buf_release(&spelling);
	return best == SPELT_OTHERWISE;
}

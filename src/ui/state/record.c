/*
 * Records of a state file, to text and back.
 *
 *	name        a-z and -
 *	value       0x20 to 0x7e except \, and \x01 to \xff with two lower case digits
 *
 * Invariant: record_next() returns exactly what record_put() wrote, as one record.
 */
#include "ui/state/record.h"

#include <string.h>

#define VAIN_MAX	((size_t)1 << 20)	/* bytes after which quotes are not searched any
						   more */

static const char	head[] = "tnav-state 1\n";

void
record_head(struct buf *out)
{
	buf_puts(out, head);
}

void
record_put(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "%s ", name);
	for (; *value != '\0'; value++) {
		if (*value >= ' ' && *value <= '~' && *value != '\\') {
			buf_putc(out, *value);
		} else {
			buf_puts(out, "\\x");
			buf_hex(out, (unsigned char)*value, 2);
		}
	}
	buf_putc(out, '\n');
}

/* ---- reading */

void
record_reader_init(struct record_reader *r, const char *p, size_t len)
{
	size_t	n = sizeof head - 1;
	bool	known = len >= n && memcmp(p, head, n) == 0;

	*r = (struct record_reader){ .p = p, .end = p, .old = !known };
	if (len > 0)
		r->end = p + len;
	if (known)
		r->p = p + n;
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte of the escape at p; -1: not an escape. */
static int
escaped_byte(const char *p, const char *end)
{
	if (end - p < 4 || p[1] != 'x' || digit(p[2]) < 0 || digit(p[3]) < 0)
		return -1;
	return digit(p[2]) * 16 + digit(p[3]);
}

static bool
take_value(struct buf *out, const char *p, const char *end)
{
	while (p < end) {
		int	byte = *p == '\\' ? escaped_byte(p, end) : *p;

		if (byte <= 0 || *p < ' ' || *p > '~')
			return false;
		buf_putc(out, (char)byte);
		p += *p == '\\' ? 4 : 1;
	}
	return true;
}

/*
 * The end of a value in the format of an older version: the first line end outside quotes (those of
 * the filter language). A quote without an end is no quote. Finding that out reads the rest of the
 * file, so the total of this work is limited.
 */
static const char *
old_end(struct record_reader *r, const char *p, const char *end)
{
	const char	*from = p, *first = memchr(p, '\n', (size_t)(end - p));
	char		 quote = '\0';

	if (first == NULL)
		return end;
	if (r->vain > VAIN_MAX)
		return first;
	for (; p < end; p++) {
		if (quote == '\0' && *p == '\n')
			return p;
		if (quote == '"' && *p == '\\' && end - p > 1)
			p++;
		else if (quote == '\0' && (*p == '"' || *p == '\''))
			quote = *p;
		else if (*p == quote)
			quote = '\0';
	}
	if (quote == '\0')
		return end;
	r->vain += (size_t)(end - from);
	return first;
}

static bool
holds_text(const char *name, size_t len)
{
	return len > 7 && memcmp(name, "filter-", 7) == 0;
}

/* One line; in an older version's file, one value. */
static bool
take_record(const struct record_reader *r, const char *name, const char *end, struct buf *name_out,
    struct buf *value)
{
	size_t	len = 0;

	while (name + len < end && ((name[len] >= 'a' && name[len] <= 'z') || name[len] == '-'))
		len++;
	if (len == 0 || (name + len < end && name[len] != ' '))
		return false;
	buf_add(name_out, name, len);
	name += len + (name + len < end);
	if (!r->old)
		return take_value(value, name, end);
	buf_add(value, name, (size_t)(end - name));
	return value->len == 0 || memchr(value->p, '\0', value->len) == NULL;
}

bool
record_next(struct record_reader *r, struct buf *name, struct buf *value)
{
	while (r->p < r->end) {
		const char	*from = r->p, *end;
		size_t		 left = (size_t)(r->end - from);

		end = memchr(from, '\n', left);
		if (r->old && holds_text(from, left))
			end = old_end(r, from, r->end);
		if (end == NULL)
			end = r->end;
		r->p = end + (end < r->end);
		buf_clear(name);
		buf_clear(value);
		if (take_record(r, from, end, name, value))
			return true;
		r->wrong += end > from;
	}
	return false;
}

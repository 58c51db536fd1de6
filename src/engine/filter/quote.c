/*
 * Reading and writing quoted texts of the filter language.
 *
 *	"a \"b\" c:\\d \d"	\" and \\ are escapes, any other backslash stays
 *	'a "b" c:\d'		no escapes
 *	$"a\nb\x00\xff"		\n \t \r \xHH \" \\ and no others: every byte can be written
 *	/a\/b \d/		a pattern: only \/ is an escape
 *
 * Invariant: filter_quote() writes printable UTF-8 on one line, and reading it gives the same
 * bytes.
 */
#include "engine/filter/quote.h"

#include <stdint.h>
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"

/* ---- reading */

size_t
quote_opens(const char *s, size_t len)
{
	if (len > 0 && (s[0] == '"' || s[0] == '\''))
		return 1;
	return len > 1 && s[0] == '$' && s[1] == '"' ? 2 : 0;
}

/* The byte of the escape s in $"...", and the escape's length; -1: it is not valid. */
static int
dollar_escape(const char *s, size_t len, size_t *n)
{
	static const char	letters[] = "ntr\"\\", bytes[] = "\n\t\r\"\\";
	const char		*at;

	*n = 2;
	if (len < 2)
		return -1;
	at = s[1] != '\0' ? strchr(letters, s[1]) : NULL;
	if (at != NULL)
		return (unsigned char)bytes[at - letters];
	*n = 4;
	if (s[1] != 'x' || len < 4 || hex_value(s[2]) < 0 || hex_value(s[3]) < 0)
		return -1;
	return hex_value(s[2]) << 4 | hex_value(s[3]);
}

/* The length of the escape that begins with the backslash s, and how many of its last bytes are
   kept. */
static size_t
plain_escape(const char *s, size_t len, char quote, size_t *keep)
{
	char	c = len > 1 ? s[1] : '\0';

	*keep = 1;
	if (quote == '\'' || len < 2)
		return 0;
	if (c == quote || (c == '\\' && quote == '"'))
		return 1;
	*keep = quote == '/' ? 2 : 1;	/* in a pattern, both bytes of \\ are kept */
	return 0;
}

enum quote_end
quote_read(const char *s, size_t len, size_t *pos, struct buf *out, size_t want, size_t *where)
{
	bool	dollar = s[*pos] == '$';
	char	quote;
	size_t	keep, n;
	int	byte;

	*pos += dollar;
	quote = s[(*pos)++];
	while (*pos < len && s[*pos] != quote) {
		if (want != SIZE_MAX && out->len <= want)
			*where = *pos + (dollar ? 0 : want - out->len);
		if (s[*pos] == '\\' && dollar) {
			byte = dollar_escape(s + *pos, len - *pos, &n);
			if (byte < 0)
				return QUOTE_BAD_ESCAPE;
			buf_putc(out, (char)byte);
			*pos += n;
			continue;
		}
		keep = 1;
		if (s[*pos] == '\\')
			*pos += plain_escape(s + *pos, len - *pos, quote, &keep);
		for (; keep > 0 && *pos < len; keep--)
			buf_putc(out, s[(*pos)++]);
	}
	if (want != SIZE_MAX && out->len <= want)
		*where = *pos;
	if (*pos >= len)
		return QUOTE_OPEN;
	(*pos)++;
	return QUOTE_CLOSED;
}

/* ---- writing */

/* Is it printable text on one line? */
static bool
is_printable(struct span s)
{
	const uint8_t	*p = s.p, *end = s.len > 0 ? p + s.len : p;
	int32_t		 cp;

	while (p < end) {
		p += text_decode(p, end, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029)
			return false;
	}
	return true;
}

static void
put_plain(struct buf *out, struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_putc(out, '\\');
		buf_putc(out, (char)s.p[i]);
	}
}

static void
put_escaped(struct buf *out, uint8_t byte)
{
	static const char	digits[] = "0123456789abcdef";

	buf_putc(out, '\\');
	switch (byte) {
	case '\n':
		buf_putc(out, 'n');
		break;
	case '\t':
		buf_putc(out, 't');
		break;
	case '\r':
		buf_putc(out, 'r');
		break;
	case '"': case '\\':
		buf_putc(out, (char)byte);
		break;
	default:
		buf_putc(out, 'x');
		buf_putc(out, digits[byte >> 4]);
		buf_putc(out, digits[byte & 15]);
	}
}

static void
put_dollar(struct buf *out, struct span s)
{
	const uint8_t	*p = s.p, *end = s.len > 0 ? p + s.len : p;

	while (p < end) {
		int32_t	cp;
		size_t	n = text_decode(p, end, &cp);

		if (is_printable((struct span){ p, n }) && *p != '"' && *p != '\\')
			buf_add(out, p, n);
		else
			for (size_t i = 0; i < n; i++)
				put_escaped(out, p[i]);
		p += n;
	}
}

bool
filter_quote(struct buf *out, const char *text, size_t len)
{
	struct span	s = { (const uint8_t *)text, len };
	size_t		was = out->len;

	if (len > LIMIT_FILTER_LEN)
		return false;
	if (is_printable(s)) {
		buf_putc(out, '"');
		put_plain(out, s);
	} else {
		buf_puts(out, "$\"");
		put_dollar(out, s);
	}
	buf_putc(out, '"');
	if (out->len - was <= LIMIT_FILTER_LEN / 2)
		return true;
	out->len = was;
	return false;
}

void
filter_quote_name(struct buf *out, const char *prefix, const char *name, size_t len)
{
	bool	plain = len > 0 && name[len - 1] != '.' && name[0] != '$' &&
		    is_printable((struct span){ (const uint8_t *)name, len });

	for (size_t i = 0; i < len; i++)
		plain &= strchr(" =!<>~(),\"'/$", name[i]) == NULL;
	buf_puts(out, prefix);
	if (plain)
		buf_add(out, name, len);
	else
		(void)filter_quote(out, name, len);
}

void
filter_quote_pattern(struct buf *out, const char *pattern, size_t len)
{
	buf_putc(out, '/');
	for (size_t i = 0; i < len; i++) {
		if (pattern[i] == '\\' && i + 1 < len)
			buf_putc(out, pattern[i++]);
		else if (pattern[i] == '/')
			buf_putc(out, '\\');
		buf_putc(out, pattern[i]);
	}
	buf_putc(out, '/');
}

/*
 * Scripts as text: where a command ends, and how arguments are quoted.
 *
 *	filter-add name = "x" ; note $'a\nb'\n
 *	[------- command ----]  [- command-]
 *	           [argument ]       [quoted]
 *
 * Invariant: script_unquote() of the result of script_quote() is exactly the argument. The result
 * has no line end, no " ; " outside quotes, and no blank at either end.
 */
#include "ui/state/script.h"

#include <string.h>

#include "tnav/base/num.h"
#include "tnav/base/text.h"

/* ---- splitting */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Can a quote begin after this character? */
static bool
opens_word(char c)
{
	return is_blank(c) || strchr("(,=~<>!.", c) != NULL;
}

/* The byte after the end of the quote that begins at s, on the same line; NULL: it has no end. */
static const char *
quote_end(const char *s)
{
	bool	escapes = *s != '\'';
	char	quote;

	s += *s == '$';
	quote = *s;
	for (s++; *s != '\0' && *s != '\n'; s++) {
		if (escapes && *s == '\\' && s[1] != '\0' && s[1] != '\n')
			s++;
		else if (*s == quote)
			return s + 1;
	}
	return NULL;
}

static bool
is_quote(const char *s)
{
	return *s == '"' || *s == '\'' || (s[0] == '$' && s[1] == '\'');
}

/* The end of the command at s: a line end, a " ; " outside quotes, or the end of the text. */
static const char *
command_end(const char *s)
{
	const char	*from = s, *end;

	if (*s == '#')
		return s + strcspn(s, "\n");
	for (; *s != '\0' && *s != '\n'; s++) {
		if (strncmp(s, " ; ", 3) == 0)
			return s;
		end = s > from && opens_word(s[-1]) && is_quote(s) ? quote_end(s) : NULL;
		if (end != NULL)
			s = end - 1;
	}
	return s;
}

bool
script_next(const char **s, unsigned *line, unsigned *at, struct buf *out)
{
	buf_clear(out);
	while (**s != '\0') {
		const char	*from = *s, *end;
		size_t		 len;

		while (is_blank(*from))
			from++;
		end = command_end(from);
		*s = end + (*end == ' ' ? 3 : *end == '\n');
		*at = *line;
		*line += *end == '\n';
		len = (size_t)(end - from);
		while (len > 0 && (is_blank(from[len - 1]) || from[len - 1] == '\r'))
			len--;
		if (len == 0 || *from == '#')
			continue;
		buf_add(out, from, len);
		return true;
	}
	return false;
}

/* ---- quoting */

/* Append the meaning of the escape at s, and return the byte after it. An unknown escape stays
   unchanged. */
static const char *
take_escape(struct buf *out, const char *s)
{
	static const char	names[] = "n\nt\t\\\\''";
	int			high, low;

	for (const char *p = names; *p != '\0'; p += 2) {
		if (s[1] == p[0]) {
			buf_putc(out, p[1]);
			return s + 2;
		}
	}
	high = s[1] == 'x' ? hex_value(s[2]) : -1;
	low = high >= 0 ? hex_value(s[3]) : -1;
	if (low < 0 || high * 16 + low == 0) {
		buf_putc(out, *s);
		return s + 1;
	}
	buf_putc(out, (char)(high * 16 + low));
	return s + 4;
}

void
script_unquote(struct buf *out, const char *arg)
{
	size_t		 len = strlen(arg);
	const char	*s = arg + 2, *end = arg + len - 1;

	if (len < 3 || strncmp(arg, "$'", 2) != 0 || quote_end(arg) != arg + len) {
		buf_puts(out, arg);
		return;
	}
	while (s < end) {
		if (*s == '\\')
			s = take_escape(out, s);
		else
			buf_putc(out, *s++);
	}
}

/* Does each quote that begins in it also end in it, so that it cannot include later text? */
static bool
quotes_close(const char *arg)
{
	for (const char *s = arg; *s != '\0'; s++) {
		if (!is_quote(s) || (s > arg && !opens_word(s[-1])))
			continue;
		s = quote_end(s);
		if (s == NULL)
			return false;
		s--;
	}
	return true;
}

/* Does it need no quotes? If so, it is written without any. */
static bool
is_plain(const char *arg)
{
	size_t	len = strlen(arg);

	return !is_blank(arg[0]) && arg[0] != ';' && (len == 0 || !is_blank(arg[len - 1])) &&
	    strncmp(arg, "$'", 2) != 0 && strstr(arg, " ;") == NULL && quotes_close(arg) &&
	    text_is_clean(arg, len);
}

static void
put_escaped(struct buf *out, char c)
{
	buf_putc(out, '\\');
	if (c == '\n') {
		buf_putc(out, 'n');
	} else if (c == '\\' || c == '\'') {
		buf_putc(out, c);
	} else {
		buf_putc(out, 'x');
		buf_hex(out, (unsigned char)c, 2);
	}
}

void
script_quote(struct buf *out, const char *arg)
{
	if (is_plain(arg)) {
		buf_puts(out, arg);
		return;
	}
	buf_puts(out, "$'");
	for (; *arg != '\0'; arg++) {
		if (*arg < ' ' || *arg > '~' || *arg == '\\' || *arg == '\'')
			put_escaped(out, *arg);
		else
			buf_putc(out, *arg);
	}
	buf_putc(out, '\'');
}

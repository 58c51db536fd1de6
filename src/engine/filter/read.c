/*
 * Reading the text of a filter: blanks, words, quoted and bare values.
 *
 *	name = GC/Start and (bytes > 100 KB)
 *	[word] [value ] [word][word]  [value]	a unit after a blank belongs to the number
 *
 * Invariant: a function that returns false has read at most blanks, or has called parse_fail().
 */
#include <string.h>
#include <strings.h>

#include "engine/filter/operators.h"
#include "engine/filter/parse.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"

void
read_blanks(struct parser *p)
{
	for (; p->pos < p->len && strchr(BLANKS, p->s[p->pos]) != NULL && p->s[p->pos] != '\0';
	    p->pos++)
		p->steps++;
}

bool
read_at_end(const struct parser *p)
{
	return p->pos >= p->len;
}

char
read_peek(const struct parser *p)
{
	return read_at_end(p) ? '\0' : p->s[p->pos];
}

bool
read_char(struct parser *p, char c)
{
	read_blanks(p);
	if (read_at_end(p) || p->s[p->pos] != c)
		return false;
	p->pos++;
	return true;
}

bool
read_word(struct parser *p, const char *w)
{
	size_t	n = strlen(w), end;

	read_blanks(p);
	p->steps++;
	end = p->pos + n;
	if (p->len - p->pos < n || strncasecmp(p->s + p->pos, w, n) != 0)
		return false;
	if (end < p->len && strchr(BLANKS "()/\"'", p->s[end]) == NULL)
		return false;
	p->pos = end;
	return true;
}

bool
read_first(struct parser *p, const char *w)
{
	size_t	start = p->pos, n = strlen(w);

	if (!read_word(p, w))
		return false;
	if (memcmp(p->s + p->pos - n, w, n) == 0)
		return true;
	read_blanks(p);
	if (read_at_end(p) || strchr("=!<>~", read_peek(p)) == NULL)
		return true;
	p->pos = start;
	return false;
}

bool
read_joint(struct parser *p, const struct filter_operator *o)
{
	const char	*sign = operator_sign(o);
	size_t		 n = strlen(sign);

	if (read_word(p, o->name))
		return true;
	if (p->len - p->pos < n || memcmp(p->s + p->pos, sign, n) != 0)
		return false;
	p->pos += n;
	return true;
}

bool
read_quoted(struct parser *p, struct buf *out, size_t want, size_t *where)
{
	size_t		start = p->pos;
	enum quote_end	end = quote_read(p->s, p->len, &p->pos, out, want, where);

	p->steps += p->pos - start;
	if (end == QUOTE_BAD_ESCAPE)
		return parse_fail(p, ERR_USAGE, p->pos,
		    "in $\"...\" the escapes are \\n \\t \\r \\xHH \\\" and \\\\");
	if (end == QUOTE_OPEN)
		return parse_fail(p, ERR_USAGE, start, "unterminated string");
	return true;
}

bool
read_at_quote(const struct parser *p)
{
	return quote_opens(p->s + p->pos, p->len - p->pos) > 0;
}

/* Read the word at pos. square: a comma inside [ ] { } < > is part of it. False: one is open. */
static bool
read_bare(struct parser *p, struct buf *out, enum word_end ends, bool square)
{
	unsigned	open = 0, others = 0;

	for (; p->pos < p->len; p->pos++) {
		char	c = p->s[p->pos];

		if (c == '\0' ? false : strchr(BLANKS, c) != NULL)
			break;
		if (c == ')' && open == 0)
			break;
		if (c == ',' && open == 0 && others == 0 && ends == WORD_ITEM)
			break;
		if (ends == WORD_BOUND && p->len - p->pos >= 2 && c == '.' &&
		    p->s[p->pos + 1] == '.')
			break;
		open += c == '(';
		open -= c == ')';
		others += square && (c == '[' || c == '{' || c == '<');
		others -= others > 0 && (c == ']' || c == '}' || c == '>');
		buf_putc(out, c);
		p->steps++;
	}
	return others == 0;
}

/* Read a bare word; a bracket that it does not close is an ordinary character. */
static void
take_bare(struct parser *p, struct buf *out, enum word_end ends)
{
	size_t	start = p->pos;

	if (read_bare(p, out, ends, ends == WORD_ITEM))
		return;
	p->pos = start;
	buf_clear(out);
	(void)read_bare(p, out, ends, false);
}

/* The length of a unit at pos that is a separate word (KB, ms), or 0. */
static size_t
unit_here(const struct parser *p)
{
	size_t		n = 0, left = p->len - p->pos;
	const char	*s = p->s + p->pos;
	char		one[8] = "1";
	uint64_t	bytes;
	int64_t		ns;

	while (n < left && n + 2 < sizeof one && s[n] != '\0' && strchr(BLANKS "),.", s[n]) == NULL)
		n++;
	if (n == 0 || strchr("+-0123456789", s[0]) != NULL)
		return 0;
	if (n < left && strchr(BLANKS "),.", s[n]) == NULL)
		return 0;
	memcpy(one + 1, s, n);
	if (units_parse_dur(one, n + 1, 1, &ns) == ERR_OK ||
	    units_parse_bytes(one, n + 1, &bytes) == ERR_OK)
		return n;
	return 0;
}

/* Read a unit after a blank: 100 KB means 100KB. No other word but "and" and "or" may follow. */
static void
take_unit(struct parser *p, struct buf *out)
{
	size_t	start = p->pos, n;

	if (out->len == 0 || strspn(buf_str(out), "+-.0123456789") != out->len)
		return;
	read_blanks(p);
	n = p->pos > start ? unit_here(p) : 0;
	if (n == 0)
		p->pos = start;
	buf_add(out, p->s + p->pos, n);
	p->pos += n;
}

bool
read_literal(struct parser *p, struct filter_literal *l, enum word_end ends)
{
	struct buf	b = { 0 };
	char		c = read_peek(p);
	bool		good = true;

	*l = (struct filter_literal){ .column = p->pos, .quoted = read_at_quote(p) };
	if (!l->quoted && c != '\0' && strchr("=<>~!", c) != NULL)
		return parse_fail(p, ERR_USAGE, p->pos,
		    "the operators are = != < <= > >= ~ !~ (quote a value that begins with %c)",
		    c);
	if (l->quoted)
		good = read_quoted(p, &b, SIZE_MAX, NULL);
	else
		take_bare(p, &b, ends);
	if (!l->quoted && ends != WORD_PATTERN)
		take_unit(p, &b);
	if (good && !l->quoted && b.len == 0 && ends != WORD_BOUND)
		good = parse_fail(p, ERR_USAGE, p->pos, "missing value");
	if (good) {
		l->text = mem_strndup(buf_str(&b), b.len);
		l->len = b.len;
		l->open = !l->quoted && b.len == 0;
		literal_classify(l);
	}
	buf_release(&b);
	return good;
}

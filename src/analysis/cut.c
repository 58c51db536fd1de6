/*
 * Names of types and methods, cut so that their last part stays.
 *
 *	System.Collections.Generic.Dictionary`2[System.String].Add(!0, !1) [async]
 *	|       |           |      |                           |  |        |
 *	0       parts, which go first to last                  last args   rest
 *
 * The arguments go first, then the namespace part by part, then the middle of a method's type or of
 * an event's task ("Thread...ustment/Sample"), then what follows the last part's own name. A name
 * that has no room by itself is cut in its middle.
 *
 * Blanks before a name are its place in a tree, and stay.
 *
 * Invariant: separators within brackets divide nothing.
 */
#include "tnav/analysis/cut.h"

#include <ctype.h>

#include "tnav/base/limits.h"

#define BRACKETS_CUT	3u	/* cells of "(…)" */
#define INDENT_ROOM	16u	/* cells that an indent leaves to the name */
#define MIDDLE_LEAST	3u	/* cells that have a middle */
#define TYPE_LEAST	7u	/* cells of a cut type that say something: "Dia…der" */

/* Places in a name, as offsets. */
struct name_parts {
	size_t	last;		/* the last part */
	size_t	before;		/* the part before it */
	size_t	own;		/* the end of its own name: "Dictionary`2" */
	size_t	args;		/* "(" of a method's arguments; the end if it has none */
	size_t	rest;		/* what follows them */
};

static bool
is_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c == '`' || c == '>' || c >= 0x80;
}

/* The end of a separator at i; 0: there is none. */
static size_t
after_separator(struct span s, size_t i)
{
	uint8_t	next = i + 1 < s.len ? s.p[i + 1] : '\0';

	if (i == 0 || next == '\0' || next == '.' || s.p[i - 1] == '.')
		return 0;			/* Type..ctor is one part */
	if (s.p[i] == '.' || s.p[i] == '!' || s.p[i] == ':' || s.p[i] == '/')
		return i + 1;
	return s.p[i] == '+' && !isdigit(next) ? i + 1 : 0;
}

static bool
opens(uint8_t c)
{
	return c == '(' || c == '<' || c == '[';
}

/* The depth of brackets after a byte. */
static size_t
depth_after(uint8_t c, size_t depth)
{
	if (opens(c))
		return depth + 1;
	return depth > 0 && (c == ')' || c == '>' || c == ']') ? depth - 1 : depth;
}

static struct name_parts
parts_of(struct span s)
{
	struct name_parts	n = { .args = s.len, .rest = s.len };
	size_t			depth = 0, end;
	bool			own = false;

	for (size_t i = 0; i < s.len && n.args == s.len; i++) {
		end = depth == 0 ? after_separator(s, i) : 0;
		if (end > 0) {
			n.before = n.last;
			n.last = end;
			own = false;
		}
		if (opens(s.p[i]) && depth == 0 && i > n.last && !own) {
			n.own = i;
			own = true;
		}
		if (s.p[i] == '(' && depth == 0 && i > 0 && is_word(s.p[i - 1]))
			n.args = i;
		depth = depth_after(s.p[i], depth);
	}
	if (!own)
		n.own = n.args;
	depth = 0;
	for (size_t i = n.args; i < s.len && n.rest == s.len; i++) {
		depth = depth_after(s.p[i], depth);
		if (depth == 0)
			n.rest = i + 1;
	}
	return n;
}

static size_t
width_of(struct span s, size_t from, size_t to, enum text_mode mode)
{
	return text_width((struct span){ s.p + from, to - from }, mode);
}

static void
put(struct buf *out, struct span s, size_t from, size_t to)
{
	buf_add(out, s.p + from, to - from);
}

static void
put_mark(struct buf *out, enum text_mode mode)
{
	buf_puts(out, mode == TEXT_ASCII ? "~" : "\xe2\x80\xa6");
}

/* Where the text from there has so many cells or fewer. */
static size_t
end_of(struct span s, size_t from, size_t to, enum text_mode mode, size_t cells)
{
	const uint8_t		*p = s.p + from, *end = s.p + to, *at = p;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 used = 0;

	while (text_next(&p, end, mode, &scratch, &piece) && used + piece.cells <= cells) {
		used += piece.cells;
		at = p;
	}
	return (size_t)(at - s.p);
}

/* Where the text to the end has so many cells or fewer. */
static size_t
begin_of(struct span s, size_t from, size_t to, enum text_mode mode, size_t cells)
{
	while (from < to && (width_of(s, from, to, mode) > cells || (s.p[from] & 0xc0) == 0x80))
		from++;
	return from;
}

/* The arguments of a method, cut: "(…)"; of none "()". */
static void
put_args(struct buf *out, struct span s, const struct name_parts *n, enum text_mode mode,
    size_t cells)
{
	if (n->rest - n->args <= 2) {
		put(out, s, n->args, n->rest);
		return;
	}
	put(out, s, n->args, end_of(s, n->args, n->rest - 1, mode, cells + 1));
	put_mark(out, mode);
	buf_putc(out, ')');
}

/* The bytes at [from, to) in at most so many cells, cut in their middle. */
static void
put_middle(struct buf *out, struct span s, size_t from, size_t to, enum text_mode mode,
    size_t cells)
{
	size_t	half = cells / 2;

	put(out, s, from, end_of(s, from, to, mode, cells - half - 1));
	put_mark(out, mode);
	put(out, s, begin_of(s, from, to, mode, half), to);
}

/* What follows the first brackets behind the last part's own name: "[]" of "List`1[Item][]". */
static size_t
after_brackets(struct span s, const struct name_parts *n)
{
	size_t	depth = 0, i = n->own;

	for (; i < s.len; i++) {
		depth = depth_after(s.p[i], depth);
		if (depth == 0)
			return i + 1;
	}
	return i;
}

/* The last part has no room with what follows it: what is in its brackets goes first. */
static void
put_last(struct buf *out, struct span s, const struct name_parts *n, enum text_mode mode,
    size_t cells)
{
	size_t	mark = n->last > 0, own = width_of(s, n->last, n->own, mode), tail;

	if (own + mark + 1 <= cells) {
		tail = after_brackets(s, n);
		if (own + mark + 1 + width_of(s, tail, s.len, mode) > cells)
			tail = s.len;
		if (mark > 0)
			put_mark(out, mode);
		put(out, s, n->last, end_of(s, n->last, tail, mode,
		    cells - mark - 1 - width_of(s, tail, s.len, mode)));
		put_mark(out, mode);
		put(out, s, tail, s.len);
		return;
	}
	put_middle(out, s, n->last, n->own, mode, cells);
}

/* The first part from which the name fits without its arguments; 0: not even the last one does. */
static size_t
part_that_fits(struct span s, const struct name_parts *n, enum text_mode mode, size_t cells)
{
	size_t	depth = 0, from;

	for (size_t i = 0; i < n->last; i++) {
		from = depth == 0 ? after_separator(s, i) : 0;
		if (from > 0 && width_of(s, from, n->args, mode) <= cells)
			return from;
		depth = depth_after(s.p[i], depth);
	}
	return 0;
}

void
cut_name(struct buf *out, struct span s, enum text_mode mode, size_t cells)
{
	struct name_parts	n;
	size_t			rest, args, from, type;

	if (s.len > LIMIT_TEXT_SHOWN || cells < MIDDLE_LEAST || text_width(s, mode) <= cells) {
		buf_add(out, s.p, s.len);
		return;
	}
	while (s.len > 0 && *s.p == ' ' && cells > INDENT_ROOM) {
		buf_putc(out, ' ');
		s = (struct span){ s.p + 1, s.len - 1 };
		cells--;
	}
	n = parts_of(s);
	rest = width_of(s, n.rest, s.len, mode);
	args = n.rest - n.args > 2 ? BRACKETS_CUT : n.rest - n.args;
	if (args == BRACKETS_CUT && width_of(s, 0, n.args, mode) + args + rest <= cells) {
		put(out, s, 0, n.args);
		put_args(out, s, &n, mode, cells - width_of(s, 0, n.args, mode) - args - rest);
		put(out, s, n.rest, s.len);
		return;
	}
	from = cells > args + rest + 1 ? part_that_fits(s, &n, mode, cells - args - rest - 1) : 0;
	if (from == 0) {
		put_last(out, s, &n, mode, cells);
		return;
	}
	type = cells - args - rest - width_of(s, n.last, n.args, mode) - 1;
	if (from == n.last && (n.args < s.len || s.p[from - 1] == '/') && type >= TYPE_LEAST) {
		put_middle(out, s, n.before, n.last - 1, mode, type);
		from = n.last - 1;
	} else {
		put_mark(out, mode);
	}
	put(out, s, from, n.args);
	put_args(out, s, &n, mode, 0);
	put(out, s, n.rest, s.len);
}

size_t
cut_least(struct span s, enum text_mode mode)
{
	struct name_parts	n = parts_of(s);

	if (n.args < s.len)
		return (n.before > 0) + width_of(s, n.before, n.args, mode) +
		    (n.rest - n.args > 2 ? BRACKETS_CUT : 2);
	return (n.last > 0) + width_of(s, n.last, n.own, mode) + (n.own < s.len) +
	    width_of(s, after_brackets(s, &n), s.len, mode);
}

struct span
cut_brief(struct span s)
{
	struct name_parts	n = parts_of(s);

	return (struct span){ s.p + n.before, n.args - n.before };
}

/*
 * Clean names of methods.
 *
 *	type	Demo.Shapes+Outer`1+Inner`1 [System.__Canon,System.Int32]
 *		segments, each takes as many arguments as it says	-> Outer<__Canon>.Inner<int>
 *	name	<Kinds>g__Static|2_5					-> Kinds.Static
 *	args	(value class System.Nullable`1<int32>,!0&)		-> (int?, ref T0)
 *
 * What is not understood is kept. Invariant: every loop consumes a byte, and nesting is limited. So
 * the time is linear in the length of any name.
 */
#include "analysis/symbols/clean.h"

#include <string.h>

#define NESTING_MOST	32u
#define MADE_MOST	1024u	/* longest generated name in angle brackets: each bracket
				   searches this far, ... */
#define UNCLOSED_MOST	16u	/* ... until this many found no end */

/* A position in a list of types. */
struct text {
	const uint8_t	*p, *end;
	uint8_t		 close;		/* ends a list of type arguments: > or ] */
	unsigned	 unclosed;	/* angle brackets without an end */
};

struct word {
	const char	*from, *to;
};

/* Names in signatures, and names of types. */
static const struct word	words[] = {
	{ "int8", "sbyte" }, { "unsigned int8", "byte" }, { "int16", "short" },
	{ "unsigned int16", "ushort" }, { "int32", "int" }, { "unsigned int32", "uint" },
	{ "int64", "long" }, { "unsigned int64", "ulong" }, { "int", "nint" },
	{ "unsigned int", "nuint" }, { "wchar", "char" }, { "float32", "float" },
	{ "float64", "double" }, { "refany", "TypedReference" },
	{ "System.SByte", "sbyte" }, { "System.Byte", "byte" }, { "System.Int16", "short" },
	{ "System.UInt16", "ushort" }, { "System.Int32", "int" }, { "System.UInt32", "uint" },
	{ "System.Int64", "long" }, { "System.UInt64", "ulong" }, { "System.IntPtr", "nint" },
	{ "System.UIntPtr", "nuint" }, { "System.Char", "char" }, { "System.Single", "float" },
	{ "System.Double", "double" }, { "System.Boolean", "bool" }, { "System.Object", "object" },
	{ "System.String", "string" }, { "System.Decimal", "decimal" }, { "System.Void", "void" },
	{ NULL, NULL },
};

static void	put_type(struct buf *out, struct text *r, unsigned depth);

static bool
at(const struct text *r, uint8_t c)
{
	return r->p < r->end && *r->p == c;
}

/* Consume the word if it comes next. */
static bool
take(struct text *r, const char *word)
{
	size_t	len = strlen(word);

	if ((size_t)(r->end - r->p) < len || memcmp(r->p, word, len) != 0)
		return false;
	r->p += len;
	return true;
}

static const uint8_t *
digits_end(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* ---- generated names */

/* The index after the bracket that closes the first one in s; 0: none. */
static size_t
closed(struct span s)
{
	size_t	open = 0;

	for (size_t i = 0; i < s.len; i++) {
		open += s.p[i] == '<';
		if (s.p[i] == '>' && --open == 0)
			return i + 1;
	}
	return 0;
}

static struct span
after(struct span s, size_t n)
{
	return (struct span){ s.p + n, s.len - n };
}

/* <Method>g__Local|1_2 and <Method>b__1: splits s into the text in brackets and the rest. */
static bool
is_generated(struct span s, struct span *inner, struct span *rest)
{
	size_t	n = s.len > 0 && s.p[0] == '<' ? closed(s) : 0;

	if (n < 3)
		return false;
	*inner = (struct span){ s.p + 1, n - 2 };
	*rest = after(s, n);
	return true;
}

static bool
is_nested_code(struct span s)
{
	struct span	inner, rest;

	return is_generated(s, &inner, &rest) &&
	    (span_begins(rest, "g__") || span_begins(rest, "b__"));
}

static bool
is_state_machine(struct span s)
{
	struct span	inner, rest;

	return is_generated(s, &inner, &rest) && rest.len > 0 && rest.p[0] == 'd';
}

static void
put_generated(struct buf *out, struct span s, unsigned depth)
{
	struct span	inner, rest;
	const uint8_t	*bar;

	if (depth == NESTING_MOST || !is_nested_code(s) || !is_generated(s, &inner, &rest)) {
		buf_span(out, s);
		return;
	}
	put_generated(out, inner, depth + 1);
	if (rest.p[0] == 'b') {
		buf_puts(out, ".lambda");
		return;
	}
	rest = after(rest, 3);
	bar = rest.len > 0 ? memchr(rest.p, '|', rest.len) : NULL;
	if (bar != NULL)
		rest.len = (size_t)(bar - rest.p);
	buf_putc(out, '.');
	buf_span(out, rest);
}

/* ---- types */

/* Up to n types (0: all) of a list, in angle brackets. */
static void
put_arguments(struct buf *out, struct text *r, unsigned n, unsigned depth)
{
	buf_putc(out, '<');
	for (unsigned i = 0; r->p < r->end && *r->p != r->close && (n == 0 || i < n); i++) {
		const uint8_t	*before = r->p;

		if (i > 0)
			buf_puts(out, ", ");
		put_type(out, r, depth + 1);
		if (at(r, ','))
			r->p++;
		else if (r->p == before)
			r->p++;
	}
	buf_putc(out, '>');
}

/* The next segment of a type's name. Segments are separated by +, except in angle brackets. */
static struct span
next_segment(struct span *s)
{
	struct span	seg = { s->p, 0 };
	size_t		open = 0;

	for (; seg.len < s->len; seg.len++) {
		uint8_t	c = s->p[seg.len];

		open += c == '<';
		open -= c == '>' && open > 0;
		if (c == '+' && open == 0)
			break;
	}
	*s = after(*s, seg.len + (seg.len < s->len));
	return seg;
}

/* Cut `2 off a segment. Returns the number, or 0. */
static unsigned
cut_arity(struct span *seg)
{
	size_t		i = seg->len;
	unsigned	n = 0;

	while (i > 0 && seg->p[i - 1] >= '0' && seg->p[i - 1] <= '9')
		i--;
	if (i == 0 || i == seg->len || seg->p[i - 1] != '`' || seg->len - i > 3)
		return 0;
	for (size_t k = i; k < seg->len; k++)
		n = n * 10 + (seg->p[k] - '0');
	seg->len = i - 1;
	return n;
}

/* The part after the last dot. */
static struct span
without_namespace(struct span s)
{
	if (s.len > 0 && s.p[0] == '<')
		return s;
	for (size_t i = s.len; i > 0; i--)
		if (s.p[i - 1] == '.')
			return i < s.len ? after(s, i) : s;
	return s;
}

/* A type's name. If it has arguments, they begin at r. */
static void
put_type_name(struct buf *out, struct span name, struct text *r, bool has_arguments, unsigned depth)
{
	bool	first = true;

	do {
		struct span	seg = next_segment(&name);
		unsigned	n = cut_arity(&seg);
		bool		last = name.len == 0;

		if (!first)
			buf_putc(out, '.');
		buf_span(out, first ? without_namespace(seg) : seg);
		if (has_arguments && (last || n > 0) && r->p < r->end && *r->p != r->close)
			put_arguments(out, r, last ? 0 : n, depth);
		first = false;
	} while (name.len > 0);
}

/* Consume a generated part in angle brackets. False: there is none. */
static bool
take_made(struct text *r)
{
	struct span	rest = { r->p, (size_t)(r->end - r->p) };
	size_t		n;

	if (rest.len == 0 || rest.p[0] != '<' || r->unclosed == UNCLOSED_MOST)
		return false;
	if (rest.len > MADE_MOST)
		rest.len = MADE_MOST;
	n = closed(rest);
	r->unclosed += n == 0;
	r->p += n;
	return n > 0;
}

/* The name of a type, up to what follows it. In square brackets, type arguments are in square
   brackets, too, and angle brackets belong to the name: HttpProtocol+<Run>d__237`1[...]. */
static struct span
take_name(struct text *r)
{
	struct span	s = { r->p, 0 };

	(void)take_made(r);
	while (r->p < r->end) {
		if (r->close == ']' && take_made(r))
			continue;
		if (memchr("<>,()[]&* ", *r->p, 10) != NULL)
			break;
		r->p++;
	}
	s.len = (size_t)(r->p - s.p);
	return s;
}

/* Is this [System.Int32], a list of arguments, and not [] or [,]? */
static bool
is_argument_list(const struct text *r)
{
	if (r->close != ']')
		return at(r, '<');
	return at(r, '[') && r->end - r->p > 1 && r->p[1] != ']' && r->p[1] != ',' &&
	    r->p[1] != '*';
}

static bool
put_word(struct buf *out, struct span name, bool is_unsigned)
{
	for (const struct word *w = words; w->from != NULL; w++) {
		const char	*from = w->from;

		if ((strncmp(from, "unsigned ", 9) == 0) != is_unsigned)
			continue;
		if (!span_is(name, from + (is_unsigned ? 9 : 0)))
			continue;
		buf_puts(out, w->to);
		return true;
	}
	return false;
}

static void
put_named(struct buf *out, struct text *r, bool is_unsigned, unsigned depth)
{
	struct span	name = take_name(r);
	bool		list = is_argument_list(r);
	const uint8_t	close = r->close;

	if (!list && put_word(out, name, is_unsigned))
		return;
	if (is_unsigned)
		buf_puts(out, "unsigned ");
	if (!list) {
		put_type_name(out, name, r, false, depth);
		return;
	}
	r->p++;
	r->close = close == ']' ? ']' : '>';
	if (span_is(name, "System.Nullable`1")) {
		put_type(out, r, depth + 1);
		buf_putc(out, '?');
	} else {
		put_type_name(out, name, r, true, depth);
	}
	if (at(r, r->close))
		r->p++;
	r->close = close;
}

/* A type that is given only by the address of its table: its name is unknown. */
static void
put_table(struct buf *out, struct text *r)
{
	size_t	open = 0;

	while (r->p < r->end && memchr("<>,)&*[", *r->p, 7) == NULL)
		r->p++;
	while (r->p < r->end && (open > 0 || *r->p == '<')) {
		open += *r->p == '<';
		open -= *r->p == '>';
		r->p++;
	}
	buf_putc(out, '?');
}

/* R(A,B) as delegate*<A, B, R>. */
static void
put_function(struct buf *out, struct text *r, unsigned depth)
{
	struct buf	result = { 0 };
	const uint8_t	close = r->close;

	put_type(&result, r, depth + 1);
	buf_puts(out, "delegate*");
	if (at(r, '(')) {
		r->p++;
		r->close = ')';
		put_arguments(out, r, 0, depth);
		r->close = close;
		if (at(r, ')'))
			r->p++;
		out->len--;		/* the bracket closes after the result */
		if (out->p[out->len - 1] != '<')
			buf_puts(out, ", ");
	} else {
		buf_putc(out, '<');
	}
	buf_add(out, result.p, result.len);
	buf_putc(out, '>');
	buf_release(&result);
}

/* A parameter of the type (!0) or of the method (!!0). */
static bool
put_parameter(struct buf *out, struct text *r)
{
	const uint8_t	*p = r->p;
	char		 of = 'T';

	if (p == r->end || *p != '!')
		return false;
	p++;
	if (p < r->end && *p == '!') {
		of = 'M';
		p++;
	}
	r->p = digits_end(p, r->end);
	buf_putc(out, of);
	buf_add(out, p, (size_t)(r->p - p));
	return true;
}

/* Skip modifiers. True: one of them means `in`. */
static bool
take_modifiers(struct text *r)
{
	bool	in = false;

	while (take(r, "required_modifier ") || take(r, "optional_modifier ")) {
		(void)(take(r, "value class ") || take(r, "class "));
		in |= span_is(take_name(r), "System.Runtime.InteropServices.InAttribute");
		(void)take(r, " ");
	}
	return in;
}

/* Insert the word before the text that was added since `begin`. */
static void
put_before(struct buf *out, size_t begin, const char *word)
{
	size_t	len = strlen(word);

	(void)buf_room(out, len);
	memmove(out->p + begin + len, out->p + begin, out->len - begin);
	memcpy(out->p + begin, word, len);
	out->len += len;
}

/* Suffixes of a type: [] [,] * &. */
static bool
put_suffixes(struct buf *out, struct text *r)
{
	bool	is_ref = false;

	while (r->p < r->end && memchr("[]*&", *r->p, 4) != NULL) {
		if (*r->p == ']' && r->close == ']')
			break;
		if (*r->p == '&') {
			is_ref = true;
			r->p++;
			continue;
		}
		if (*r->p == '[') {
			while (r->p < r->end && *r->p != ']')
				buf_putc(out, (char)*r->p++);
			if (r->p == r->end)
				break;
		}
		buf_putc(out, (char)*r->p++);
	}
	return is_ref;
}

static void
put_type(struct buf *out, struct text *r, unsigned depth)
{
	size_t	begin = out->len;
	bool	in = take_modifiers(r), is_ref;

	if (depth >= NESTING_MOST) {
		while (r->p < r->end && *r->p != ',' && *r->p != r->close)
			buf_putc(out, (char)*r->p++);
		return;
	}
	(void)take(r, "pinned ");
	if (take(r, "fnptr "))
		put_function(out, r, depth);
	else if (take(r, "pMT: "))
		put_table(out, r);
	else if (take(r, "value class ") || take(r, "class "))
		put_named(out, r, false, depth);
	else if (!put_parameter(out, r))
		put_named(out, r, take(r, "unsigned "), depth);
	is_ref = put_suffixes(out, r);
	if (is_ref || in)
		put_before(out, begin, in ? "in " : "ref ");
	while (r->p < r->end && *r->p != ',' && *r->p != r->close && *r->p != '(')
		buf_putc(out, (char)*r->p++);		/* unknown: keep it */
}

/* ---- the whole */

/* The index of the bracket that matches the last one of the text; 0: none. */
static size_t
opened(struct span s)
{
	size_t	open = 0;

	for (size_t i = s.len; i > 0; i--) {
		open += s.p[i - 1] == ']';
		if (open == 0)
			return 0;
		if (s.p[i - 1] == '[' && --open == 0)
			return i - 1;
	}
	return 0;
}

/* Cut [...] off a type's name: the arguments of all its segments follow the last one. */
static struct text
cut_arguments(struct span *type)
{
	struct text	r = { .close = ']' };
	size_t		at = opened(*type);

	if (at == 0 || type->p[at + 1] == ']' || type->p[at + 1] == ',')
		return r;
	r.p = type->p + at + 1;
	r.end = type->p + type->len - 1;
	type->len = at;
	return r;
}

struct cleaning {
	const struct method_parts	*m;
	struct text			 args;		/* of the type */
	bool				 nested;	/* it is part of another method's code */
	bool				 machine;	/* ... as a state machine */
};

static void
put_segment(struct buf *out, struct cleaning *c, struct span seg, bool first, bool last)
{
	unsigned	n = cut_arity(&seg);
	size_t		begin = out->len;
	struct span	inner, rest;
	bool		drop = (c->nested || c->machine) && span_begins(seg, "<>c");

	if (!first && out->len > 0)
		buf_putc(out, '.');
	if (last && c->machine && is_generated(seg, &inner, &rest))
		put_generated(out, inner, 0);
	else
		buf_span(out, seg);
	if (n > 0 && c->args.p < c->args.end)
		put_arguments(out, &c->args, n, 0);
	if (drop)
		out->len = begin;
}

static void
put_owner(struct buf *out, struct cleaning *c, struct span type)
{
	bool	first = true;

	while (type.len > 0) {
		struct span	seg = next_segment(&type);

		put_segment(out, c, seg, first, type.len == 0);
		first = false;
	}
}

static void
put_parameters(struct buf *out, struct span args)
{
	struct text	r = { .p = args.p, .end = args.p + args.len, .close = ')' };
	size_t		begin = out->len;

	if (!at(&r, '(')) {
		buf_span(out, args);
		return;
	}
	r.p++;
	put_arguments(out, &r, 0, 0);
	out->p[begin] = '(';
	out->p[out->len - 1] = ')';
}

/* Is the last segment of the type a state machine? */
static bool
last_is_machine(struct span type)
{
	struct span	seg = { NULL, 0 };

	while (type.len > 0)
		seg = next_segment(&type);
	(void)cut_arity(&seg);
	return is_state_machine(seg);
}

void
clean_method(struct buf *out, const struct method_parts *m)
{
	struct span	type = m->type;
	struct cleaning	c = { .m = m };
	struct buf	owner = { 0 };

	if (span_is(type, "dynamicClass")) {
		buf_span(out, m->name);
		if (!span_begins(m->name, "IL_STUB_"))
			put_parameters(out, m->args);
		buf_puts(out, " [dynamic]");
		return;
	}
	c.args = cut_arguments(&type);
	c.nested = is_nested_code(m->name);
	c.machine = span_is(m->name, "MoveNext") && last_is_machine(type);
	put_owner(&owner, &c, type);
	buf_add(out, owner.p, owner.len);
	buf_release(&owner);
	if (!c.machine) {
		if (type.len > 0)
			buf_putc(out, '.');
		put_generated(out, m->name, 0);
	}
	if (!span_is(m->name, ".cctor"))
		put_parameters(out, m->args);
	if (c.machine)
		buf_puts(out, m->is_bool ? " [iterator]" : " [async]");
}

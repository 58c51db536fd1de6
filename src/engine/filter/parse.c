/*
 * Parser of the filter language: text in, tree out, by recursive descent.
 *
 *	expr  = and { "or" and }
 *	and   = not { "and" not }
 *	not   = { "not" } ( "(" expr ")" | term )
 *	term  = /regex/ | "has" field
 *	      | field ( "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~" | "has" | "under" ) value
 *	      | field "in" ( "(" value { "," value } ")" | [value] ".." [value] )
 *
 * A word has no fixed end: a field ends at an operator, a value at a blank or at a bracket that it
 * did not open. So there is no list of tokens; each rule reads what it expects.
 *
 * Invariant: depth is bounded, every chain of and/or is one node, so nothing recurses deeper
 * than LIMIT_FILTER_DEPTH levels of brackets. doc/filter.md is the language for people.
 */
#include "engine/filter/parse.h"

#include <stdarg.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define BLANKS	" \t\r\n"

/* ---- errors */

void
filter_error_init(struct filter_error *e)
{
	e->column = 0;
	buf_init(&e->text);
}

void
filter_error_release(struct filter_error *e)
{
	buf_release(&e->text);
}

size_t
filter_error_column(const struct filter_error *e, const char *text)
{
	size_t	column = 1;

	for (size_t i = 0; i < e->column && text[i] != '\0'; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return column;
}

static void
set_error(struct filter_error *e, size_t column, struct span text)
{
	e->column = column;
	buf_clear(&e->text);
	(void)text_clean(&e->text, text, TEXT_UTF8, 200);
}

bool
parse_fail(struct parser *p, int err, size_t column, const char *fmt, ...)
{
	struct buf	b;
	va_list		ap;

	if (p->result != ERR_OK)
		return false;
	buf_init(&b);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	p->result = err;
	set_error(p->err, column, (struct span){ (const uint8_t *)b.p, b.len });
	buf_release(&b);
	return false;
}

bool
parse_unknown(struct parser *p, size_t column, enum name_kind kind, const char *what,
    const char *name)
{
	struct buf	b;

	if (!p->strict && p->err->text.len > 0)
		return true;	/* one warning is enough */
	buf_init(&b);
	buf_printf(&b, "no %s \"%s\"", what, name);
	names_near(&b, p->t, kind, name);
	if (p->strict)
		(void)parse_fail(p, ERR_USAGE, column, "%s", buf_str(&b));
	else
		set_error(p->err, column, (struct span){ (const uint8_t *)b.p, b.len });
	buf_release(&b);
	return !p->strict;
}

/* ---- reading */

static void
skip_blanks(struct parser *p)
{
	while (p->pos < p->len && strchr(BLANKS, p->s[p->pos]) != NULL && p->s[p->pos] != '\0')
		p->pos++;
}

static bool
at_end(const struct parser *p)
{
	return p->pos >= p->len;
}

static char
peek(const struct parser *p)
{
	return at_end(p) ? '\0' : p->s[p->pos];
}

static bool
take_char(struct parser *p, char c)
{
	skip_blanks(p);
	if (at_end(p) || p->s[p->pos] != c)
		return false;
	p->pos++;
	return true;
}

/* The word w, as a word of its own. */
static bool
take_word(struct parser *p, const char *w)
{
	size_t	n = strlen(w), end;

	skip_blanks(p);
	end = p->pos + n;
	if (p->len - p->pos < n || memcmp(p->s + p->pos, w, n) != 0)
		return false;
	if (end < p->len && strchr(BLANKS "()/\"'", p->s[end]) == NULL)
		return false;
	p->pos = end;
	return true;
}

/* What a backslash at pos is between quotes: how many bytes to leave out, how many to keep. */
static size_t
escape_at(const struct parser *p, char quote, size_t *keep)
{
	char	c = p->pos + 1 < p->len ? p->s[p->pos + 1] : '\0';

	*keep = 1;
	if (p->s[p->pos] != '\\' || quote == '\'' || p->pos + 1 >= p->len)
		return 0;
	if (c == quote || (c == '\\' && quote == '"'))
		return 1;
	*keep = quote == '/' ? 2 : 1;	/* in a pattern, \\ is a pair that ends before its end */
	return 0;
}

/*
 * Text between quotes, the first of which is at pos. In "..." the escapes are \" and \\, in /.../
 * only \/; any other backslash stays, so that "\d" is a class of a regular expression. '...' has
 * no escapes. With want not SIZE_MAX, *where is the place in the expression of byte want.
 */
static bool
take_quoted(struct parser *p, struct buf *out, size_t want, size_t *where)
{
	size_t	start = p->pos, keep;
	char	quote = p->s[p->pos++];

	while (p->pos < p->len && p->s[p->pos] != quote) {
		if (out->len <= want && want != SIZE_MAX)
			*where = p->pos + (want - out->len);
		p->pos += escape_at(p, quote, &keep);
		for (; keep > 0 && p->pos < p->len; keep--)
			buf_putc(out, p->s[p->pos++]);
	}
	if (out->len <= want && want != SIZE_MAX)
		*where = p->pos;
	if (p->pos >= p->len)
		return parse_fail(p, ERR_USAGE, start, "this %c has no end", quote);
	p->pos++;
	return true;
}

enum word_end {
	WORD_VALUE,	/* a blank, or a bracket that the word did not open */
	WORD_ITEM,	/* or a comma */
	WORD_BOUND,	/* or two points */
};

static void
take_bare(struct parser *p, struct buf *out, enum word_end ends)
{
	unsigned	open = 0;

	for (; p->pos < p->len; p->pos++) {
		char	c = p->s[p->pos];

		if (c == '\0' ? false : strchr(BLANKS, c) != NULL)
			break;
		if ((c == ')' && open == 0) || (c == ',' && open == 0 && ends == WORD_ITEM))
			break;
		if (ends == WORD_BOUND && p->len - p->pos >= 2 && c == '.' &&
		    p->s[p->pos + 1] == '.')
			break;
		open += c == '(';
		open -= c == ')';
		buf_putc(out, c);
	}
}

/* A value: quoted or bare. The text is owned by the literal. */
static bool
take_literal(struct parser *p, struct filter_literal *l, enum word_end ends)
{
	struct buf	b;
	char		c = peek(p);
	bool		good = true;

	*l = (struct filter_literal){ .column = p->pos, .quoted = c == '"' || c == '\'' };
	if (!l->quoted && c != '\0' && strchr("=<>~!", c) != NULL)
		return parse_fail(p, ERR_USAGE, p->pos, c == '=' || c == '~' ?
		    "the operators are = != < <= > >= ~ !~ (quote a value that begins with %c)" :
		    "a value that begins with %c needs quotes", c);
	buf_init(&b);
	if (l->quoted)
		good = take_quoted(p, &b, SIZE_MAX, NULL);
	else
		take_bare(p, &b, ends);
	if (good && !l->quoted && b.len == 0 && ends != WORD_BOUND)
		good = parse_fail(p, ERR_USAGE, p->pos, "a value is missing here");
	if (good) {
		l->text = mem_strndup(buf_str(&b), b.len);
		l->len = b.len;
		l->open = !l->quoted && b.len == 0;
		literal_classify(l);
	}
	buf_release(&b);
	return good;
}

/* ---- the tree */

static uint32_t
add_node(struct parser *p, int kind, uint8_t cost)
{
	struct filter	*f = p->f;

	f->nodes = mem_grow(f->nodes, &f->nodes_cap, f->nnodes + 1, sizeof *f->nodes);
	f->nodes[f->nnodes] = (struct filter_node){ .kind = (uint8_t)kind, .cost = cost };
	return (uint32_t)f->nnodes++;
}

/* Children stand by cost; of equal ones the first written comes first. */
static void
add_child(struct filter *f, uint32_t parent, uint32_t child)
{
	uint32_t	*link = &f->nodes[parent].first;

	while (*link != 0 && f->nodes[*link].cost <= f->nodes[child].cost)
		link = &f->nodes[*link].next;
	f->nodes[child].next = *link;
	*link = child;
	if (f->nodes[child].cost > f->nodes[parent].cost)
		f->nodes[parent].cost = f->nodes[child].cost;
}

static struct filter_term *
add_term(struct parser *p)
{
	struct filter	*f = p->f;

	f->terms = mem_grow(f->terms, &f->terms_cap, f->nterms + 1, sizeof *f->terms);
	f->terms[f->nterms] = (struct filter_term){ .column = p->pos };
	return &f->terms[f->nterms++];
}

static struct filter_literal *
add_literal(struct filter_term *term)
{
	term->lits = mem_grow(term->lits, &term->cap, term->nlits + 1, sizeof *term->lits);
	term->lits[term->nlits] = (struct filter_literal){ 0 };
	return &term->lits[term->nlits++];
}

void
filter_free(struct filter *f)
{
	if (f == NULL)
		return;
	for (size_t i = 0; i < f->nterms; i++) {
		struct filter_term	*term = &f->terms[i];

		for (size_t k = 0; k < term->nlits; k++)
			literal_release(&term->lits[k]);
		mem_free(term->lits);
		mem_free(term->path);
		regex_free(term->re);
	}
	mem_free(f->terms);
	mem_free(f->nodes);
	mem_free(f);
}

/* ---- fields */

/* name, label.KEY, payload.a.b, "a name" (a payload's), payload."a name" */
static bool
take_field(struct parser *p, struct filter_term *term)
{
	struct buf	b;
	size_t		start = p->pos;
	bool		quoted = peek(p) == '"' || peek(p) == '\'', good = true;

	buf_init(&b);
	term->column = start;
	while (!quoted && p->pos < p->len && p->s[p->pos] != '\0' &&
	    strchr(BLANKS "=!<>~(),\"'", p->s[p->pos]) == NULL)
		buf_putc(&b, p->s[p->pos++]);
	if ((quoted || (b.len > 0 && b.p[b.len - 1] == '.')) &&
	    (peek(p) == '"' || peek(p) == '\''))
		good = take_quoted(p, &b, SIZE_MAX, NULL);
	if (good && (b.len == 0 || memchr(b.p, '\0', b.len) != NULL))
		good = parse_fail(p, ERR_USAGE, start, at_end(p) ? "a condition is missing here" :
		    peek(p) == '!' ? "a field is missing here (the opposite is: not ...)" :
		    "a field is missing here");
	if (good)
		good = field_set(p, term, buf_str(&b), quoted);
	buf_release(&b);
	return good;
}

/* ---- operators */

/* Compile the pattern in b; from: where it stands in the expression. */
static bool
set_regex(struct parser *p, struct filter_term *term, const struct buf *b, size_t from)
{
	struct buf	why, again;
	size_t		at, where, pos = p->pos;
	int		err;

	term->op = FO_RE;
	buf_init(&why);
	err = regex_new(&term->re, b->len > 0 ? b->p : "", b->len, REGEX_SMART, &why, &at);
	if (err != ERR_OK) {
		/* Read a quoted pattern once more to see where its byte `at` stands. */
		where = from + at;
		if (from < p->len && strchr("\"'/", p->s[from]) != NULL && p->s[from] != '\0' &&
		    (p->s[from] != '/' || term->field == FF_ROWTEXT)) {
			buf_init(&again);
			p->pos = from;
			(void)take_quoted(p, &again, at, &where);
			p->pos = pos;
			buf_release(&again);
		}
		(void)parse_fail(p, err, where < p->len ? where : p->len, "%s", buf_str(&why));
	}
	buf_release(&why);
	return err == ERR_OK;
}

static bool
take_regex_value(struct parser *p, struct filter_term *term)
{
	struct filter_literal	l;
	struct buf		b;
	bool			good;

	skip_blanks(p);
	if (!take_literal(p, &l, WORD_VALUE))
		return false;
	buf_init(&b);
	buf_add(&b, l.text, l.len);
	good = set_regex(p, term, &b, l.column);
	buf_release(&b);
	literal_release(&l);
	return good;
}

static bool
take_value(struct parser *p, struct filter_term *term, enum word_end ends)
{
	struct filter_literal	*l;

	if (ends != WORD_BOUND)
		skip_blanks(p);
	l = add_literal(term);
	return take_literal(p, l, ends) && field_fit(p, term, l);
}

static bool
take_list(struct parser *p, struct filter_term *term)
{
	size_t	start = p->pos - 1;

	term->op = FO_EQ;
	do {
		if (!take_value(p, term, WORD_ITEM))
			return false;
	} while (take_char(p, ','));
	if (!take_char(p, ')'))
		return parse_fail(p, ERR_USAGE, at_end(p) ? start : p->pos, at_end(p) ?
		    "this ( has no end" : "expected , or )");
	return true;
}

static bool
take_range(struct parser *p, struct filter_term *term)
{
	size_t	start;

	skip_blanks(p);
	start = p->pos;
	term->op = FO_RANGE;
	if (!take_value(p, term, WORD_BOUND))
		return false;
	if (p->len - p->pos < 2 || memcmp(p->s + p->pos, "..", 2) != 0)
		return parse_fail(p, ERR_USAGE, start, "expected (a, b) or a..b behind in");
	p->pos += 2;
	if (!take_value(p, term, WORD_BOUND))
		return false;
	if (term->lits[0].open && term->lits[1].open)
		return parse_fail(p, ERR_USAGE, start, "a range needs a bound: a.. or ..b");
	return field_need_order(p, term, "a range");
}

static bool
take_under(struct parser *p, struct filter_term *term)
{
	term->op = FO_UNDER;
	return field_need_path(p, term) && take_value(p, term, WORD_VALUE);
}

static bool
take_bits(struct parser *p, struct filter_term *term)
{
	term->op = FO_BITS;
	return field_need_bits(p, term) && take_value(p, term, WORD_VALUE);
}

static bool
take_operator(struct parser *p, struct filter_term *term)
{
	static const struct { const char *text; enum filter_op op; bool negate; } ops[] = {
		{ "!=", FO_EQ, true }, { "!~", FO_RE, true }, { "<=", FO_LE, false },
		{ ">=", FO_GE, false }, { "=", FO_EQ, false }, { "<", FO_LT, false },
		{ ">", FO_GT, false }, { "~", FO_RE, false },
	};

	skip_blanks(p);
	for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		size_t	n = strlen(ops[i].text);

		if (p->len - p->pos < n || memcmp(p->s + p->pos, ops[i].text, n) != 0)
			continue;
		p->pos += n;
		term->op = ops[i].op;
		term->negate = ops[i].negate;
		if (term->op == FO_RE)
			return take_regex_value(p, term);
		return take_value(p, term, WORD_VALUE) &&
		    (term->op == FO_EQ || field_need_order(p, term, ops[i].text));
	}
	if (take_word(p, "in"))
		return take_char(p, '(') ? take_list(p, term) : take_range(p, term);
	if (take_word(p, "under"))
		return take_under(p, term);
	if (take_word(p, "has"))
		return take_bits(p, term);
	return parse_fail(p, ERR_USAGE, p->pos,
	    "expected an operator: = != < <= > >= ~ !~ in has under");
}

/* ---- rules */

static bool
take_row_regex(struct parser *p, struct filter_term *term)
{
	struct buf	b;
	size_t		from = p->pos;
	bool		good;

	term->field = FF_ROWTEXT;
	buf_init(&b);
	good = take_quoted(p, &b, SIZE_MAX, NULL) && set_regex(p, term, &b, from);
	buf_release(&b);
	return good;
}

static bool
parse_term(struct parser *p, uint32_t *node)
{
	uint32_t		 index = (uint32_t)p->f->nterms;
	struct filter_term	*term = add_term(p);
	bool			 good;

	if (peek(p) == '/') {
		good = take_row_regex(p, term);
	} else if (take_word(p, "has")) {
		skip_blanks(p);
		term->op = FO_HAS;
		good = take_field(p, term);
	} else {
		good = take_field(p, term) && take_operator(p, term);
	}
	if (!good)
		return false;
	*node = add_node(p, NODE_TERM, field_cost(term));
	p->f->nodes[*node].term = index;
	return true;
}

static bool	parse_chain(struct parser *p, int kind, uint32_t *node);

static bool
parse_not(struct parser *p, uint32_t *node)
{
	bool		negate = false, good;
	size_t		start;
	uint32_t	child;

	while (take_word(p, "not"))
		negate = !negate;
	skip_blanks(p);
	start = p->pos;
	if (take_char(p, '(')) {
		if (p->depth++ == LIMIT_FILTER_DEPTH)
			return parse_fail(p, ERR_LIMIT, start,
			    "too many brackets inside each other");
		good = parse_chain(p, NODE_OR, &child);
		if (good && !take_char(p, ')'))
			good = parse_fail(p, ERR_USAGE, at_end(p) ? start : p->pos, at_end(p) ?
			    "this ( has no end" : "expected and, or or )");
		p->depth--;
	} else {
		good = parse_term(p, &child);
	}
	if (!good)
		return false;
	*node = child;
	if (negate) {
		*node = add_node(p, NODE_NOT, 0);
		add_child(p->f, *node, child);
	}
	return true;
}

/* One chain of or, whose members are chains of and. A chain of one is its member. */
static bool
parse_chain(struct parser *p, int kind, uint32_t *node)
{
	const char	*word = kind == NODE_OR ? "or" : "and";
	uint32_t	 child, chain = 0;

	for (;;) {
		if (!(kind == NODE_OR ? parse_chain(p, NODE_AND, &child) : parse_not(p, &child)))
			return false;
		if (chain == 0 && !take_word(p, word)) {
			*node = child;
			return true;
		}
		if (chain == 0) {
			chain = add_node(p, kind, 0);
			add_child(p->f, chain, child);
			continue;
		}
		add_child(p->f, chain, child);
		if (!take_word(p, word))
			break;
	}
	*node = chain;
	return true;
}

static void
parse(struct parser *p)
{
	skip_blanks(p);
	if (at_end(p)) {
		(void)parse_fail(p, ERR_USAGE, 0, "the filter is empty");
		return;
	}
	(void)add_node(p, NODE_AND, 0);		/* index 0 stands for none */
	if (!parse_chain(p, NODE_OR, &p->f->root))
		return;
	skip_blanks(p);
	if (!at_end(p))
		(void)parse_fail(p, ERR_USAGE, p->pos, peek(p) == ')' ?
		    "this ) closes nothing" : "expected and, or or the end");
}

int
filter_new(struct filter **out, const char *text, size_t len, struct trace *t, bool strict,
    int64_t now_ns, struct filter_error *err)
{
	struct parser	p = { .len = len, .t = t, .now_ns = now_ns, .strict = strict, .err = err };
	char		*copy;

	*out = NULL;
	err->column = 0;
	buf_clear(&err->text);
	if (len > LIMIT_FILTER_LEN) {
		(void)parse_fail(&p, ERR_LIMIT, LIMIT_FILTER_LEN, "the filter is too long "
		    "(%u bytes at most)", LIMIT_FILTER_LEN);
		return p.result;
	}
	copy = mem_strndup(text, len);
	p.s = copy;
	p.f = mem_zalloc(1, sizeof *p.f);
	parse(&p);
	mem_free(copy);
	if (p.result != ERR_OK) {
		filter_free(p.f);
		return p.result;
	}
	*out = p.f;
	return ERR_OK;
}

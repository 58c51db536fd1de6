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

#include "engine/filter/operators.h"
#include "engine/filter/probe.h"
#include "engine/filter/set.h"
#include "engine/filter/stacks.h"

#include <string.h>
#include <strings.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define BLANKS	" \t\r\n"

/* ---- reading */

static void
skip_blanks(struct parser *p)
{
	for (; p->pos < p->len && strchr(BLANKS, p->s[p->pos]) != NULL && p->s[p->pos] != '\0';
	    p->pos++)
		p->steps++;
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

/* The word w, in any case, as a word of its own. */
static bool
take_word(struct parser *p, const char *w)
{
	size_t	n = strlen(w), end;

	skip_blanks(p);
	p->steps++;
	end = p->pos + n;
	if (p->len - p->pos < n || strncasecmp(p->s + p->pos, w, n) != 0)
		return false;
	if (end < p->len && strchr(BLANKS "()/\"'", p->s[end]) == NULL)
		return false;
	p->pos = end;
	return true;
}

/* The word w in front of a term. In capitals it may be a field of that name: NOT = 1. */
static bool
take_first(struct parser *p, const char *w)
{
	size_t	start = p->pos, n = strlen(w);

	if (!take_word(p, w))
		return false;
	if (memcmp(p->s + p->pos - n, w, n) == 0)
		return true;
	skip_blanks(p);
	if (at_end(p) || strchr("=!<>~", peek(p)) == NULL)
		return true;
	p->pos = start;
	return false;
}

/* What joins terms: a word, or a sign of other languages. */
static bool
take_joint(struct parser *p, const struct filter_operator *o)
{
	const char	*sign = operator_sign(o);
	size_t		 n = strlen(sign);

	if (take_word(p, o->name))
		return true;
	if (p->len - p->pos < n || memcmp(p->s + p->pos, sign, n) != 0)
		return false;
	p->pos += n;
	return true;
}

/* Text between quotes, the first of which is at pos; for want and where see quote_read(). */
static bool
take_quoted(struct parser *p, struct buf *out, size_t want, size_t *where)
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

/* Does a quoted text stand here? */
static bool
at_quote(const struct parser *p)
{
	return quote_opens(p->s + p->pos, p->len - p->pos) > 0;
}

enum word_end {
	WORD_VALUE,	/* a blank, or a bracket that the word did not open */
	WORD_PATTERN,	/* the same */
	WORD_ITEM,	/* or a comma outside of brackets */
	WORD_BOUND,	/* or two points */
};

/* The word from pos on. square: a comma within [ ] { } < > is a part of it. False: one is open. */
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

/* A bracket that the word does not close is a letter of it. */
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

/* Bytes of the unit that stands here as a word of its own: KB, ms; or 0. */
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

/* 100 KB is 100KB: nothing else may stand behind a value but a word that joins terms. */
static void
take_unit(struct parser *p, struct buf *out)
{
	size_t	start = p->pos, n;

	if (out->len == 0 || strspn(buf_str(out), "+-.0123456789") != out->len)
		return;
	skip_blanks(p);
	n = p->pos > start ? unit_here(p) : 0;
	if (n == 0)
		p->pos = start;
	buf_add(out, p->s + p->pos, n);
	p->pos += n;
}

/* A value: quoted or bare. The text is owned by the literal. */
static bool
take_literal(struct parser *p, struct filter_literal *l, enum word_end ends)
{
	struct buf	b;
	char		c = peek(p);
	bool		good = true;

	*l = (struct filter_literal){ .column = p->pos, .quoted = at_quote(p) };
	if (!l->quoted && c != '\0' && strchr("=<>~!", c) != NULL)
		return parse_fail(p, ERR_USAGE, p->pos, c == '=' || c == '~' ?
		    "the operators are = != < <= > >= ~ !~ (quote a value that begins with %c)" :
		    "a value that begins with %c needs quotes", c);
	buf_init(&b);
	if (l->quoted)
		good = take_quoted(p, &b, SIZE_MAX, NULL);
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

/* ---- the tree */

static uint32_t
add_node(struct parser *p, int kind, uint8_t cost)
{
	struct filter	*f = p->f;

	f->nodes = mem_grow(f->nodes, &f->nodes_cap, f->nnodes + 1, sizeof *f->nodes);
	f->nodes[f->nnodes] = (struct filter_node){ .kind = (uint8_t)kind, .cost = cost };
	return (uint32_t)f->nnodes++;
}

/* A chain of and/or that is being read: for each cost the last of its children. */
struct chain {
	uint32_t	node;
	uint32_t	last[COST_MAX + 1];
};

/* Children stand by cost; of equal ones the first written comes first. */
static void
add_child(struct parser *p, struct chain *chain, uint32_t child)
{
	struct filter	*f = p->f;
	unsigned	 cost = f->nodes[child].cost, before = cost;
	uint32_t	*link;

	while (before > 0 && chain->last[before] == 0)
		before--;
	link = chain->last[before] != 0 ? &f->nodes[chain->last[before]].next :
	    &f->nodes[chain->node].first;
	f->nodes[child].next = *link;
	*link = child;
	chain->last[cost] = child;
	if (cost > f->nodes[chain->node].cost)
		f->nodes[chain->node].cost = (uint8_t)cost;
	p->steps++;
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

bool
filter_needs_names(const struct filter *f)
{
	for (size_t i = 0; f != NULL && i < f->nterms; i++)
		if (term_needs_names(&f->terms[i]))
			return true;
	return false;
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
		filter_set_free(term->set);
		mem_free(term->lits);
		field_ref_release(&term->ref);
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
	bool		quoted = at_quote(p), good = true;

	buf_init(&b);
	term->column = start;
	while (!quoted && p->pos < p->len && p->s[p->pos] != '\0' &&
	    strchr(BLANKS "=!<>~(),\"'", p->s[p->pos]) == NULL && !at_quote(p))
		buf_putc(&b, p->s[p->pos++]);
	p->steps += p->pos - start;
	if ((quoted || (b.len > 0 && b.p[b.len - 1] == '.')) && at_quote(p))
		good = take_quoted(p, &b, SIZE_MAX, NULL);
	if (good && (b.len == 0 || memchr(b.p, '\0', b.len) != NULL))
		good = parse_fail(p, ERR_USAGE, start, at_end(p) ? "missing condition" :
		    peek(p) == '!' ? "missing field (to negate, write: not ...)" :
		    "missing field");
	if (good)
		good = field_set(p, term, buf_str(&b), quoted);
	buf_release(&b);
	return good;
}

/* ---- operators */

/* Compile the pattern in b; from: where it stands in the expression. */
static bool
set_regex(struct parser *p, struct filter_term *term, const struct buf *b, size_t from,
    enum regex_case mode)
{
	struct buf	why, again;
	size_t		at, where, pos = p->pos;
	int		err;

	if (p->terms != NULL)		/* only places are asked for */
		return true;
	buf_init(&why);
	err = regex_new(&term->re, b->len > 0 ? b->p : "", b->len, mode, &why, &at);
	if (err != ERR_OK) {
		/* Read a quoted pattern once more to see where its byte `at` stands. */
		where = from + at;
		if (quote_opens(p->s + from, p->len - from) > 0 ||
		    (from < p->len && p->s[from] == '/' && term->ref.def->kind == FIELD_ROW_TEXT)) {
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

/* /x/ or /x/i: a pattern as a bare one is written, or a text with slashes? */
static bool
in_slashes(const struct filter_literal *l)
{
	size_t	len = l->len;

	if (len > 0 && l->text[len - 1] == 'i')
		len--;
	return !l->quoted && len > 2 && l->text[0] == '/' && l->text[len - 1] == '/' &&
	    memchr(l->text + 1, '/', len - 2) == NULL;
}

static bool
fail_slashes(struct parser *p, struct filter_literal *l)
{
	bool		fold = l->text[l->len - 1] == 'i';
	int		n = (int)(l->len - 2 - fold);
	struct buf	whole;

	buf_init(&whole);
	filter_quote(&whole, l->text, l->len);
	(void)parse_fail(p, ERR_USAGE, l->column, "write the pattern after ~ without slashes: "
	    "%s%.*s%s%s",
	    fold ? "(?i)" : "", n, l->text + 1, whole.len > 0 ? "; to match slashes: " : "",
	    buf_str(&whole));
	buf_release(&whole);
	literal_release(l);
	return false;
}

static bool
take_regex_value(struct parser *p, struct filter_term *term)
{
	struct filter_literal	l;
	struct buf		b;
	bool			good;

	skip_blanks(p);
	if (!take_literal(p, &l, WORD_PATTERN))
		return false;
	if (in_slashes(&l))
		return fail_slashes(p, &l);
	buf_init(&b);
	buf_add(&b, l.text, l.len);
	good = set_regex(p, term, &b, l.column, REGEX_SMART);
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
		    "missing )" : "expected , or )");
	if (term->nlits > 1)
		term->set = filter_set_new(term->lits, term->nlits);
	return true;
}

/* Is there nothing at or above the first bound that is below the second? */
static bool
range_is_empty(const struct filter_term *term)
{
	const struct filter_literal	*a = &term->lits[0], *b = &term->lits[1];
	int				 order;

	if (a->open || b->open)
		return false;
	if (num_compare(&a->num, &b->num, &order))
		return order >= 0;
	if (!a->has_utc || !b->has_utc)
		return false;
	return a->utc.sec != b->utc.sec ? a->utc.sec > b->utc.sec : a->utc.ns >= b->utc.ns;
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
		return parse_fail(p, ERR_USAGE, start, "expected (a, b) or a..b after in");
	p->pos += 2;
	if (!take_value(p, term, WORD_BOUND))
		return false;
	if (term->lits[0].open && term->lits[1].open)
		return parse_fail(p, ERR_USAGE, start, "a range needs at least one bound: a.. or "
		    "..b");
	if (!field_need_order(p, term, "a range"))
		return false;
	if (range_is_empty(term))
		parse_note(p, start, "empty range: nothing is at least %s and less than %s",
		    term->lits[0].text, term->lits[1].text);
	return true;
}

/* Take the operator itself: a word stands by itself, a sign need not. */
static const struct filter_operator *
take_spelling(struct parser *p)
{
	const struct filter_operator	*op;
	size_t				 n;

	skip_blanks(p);
	op = operator_at(p->s + p->pos, p->len - p->pos, &n);
	if (op == NULL)
		return NULL;
	if (op->name[0] >= 'a' && op->name[0] <= 'z')
		return take_word(p, op->name) ? op : NULL;
	p->pos += n;
	return op;
}

static bool
need_operator(struct parser *p)
{
	struct buf	b;

	buf_init(&b);
	buf_puts(&b, "expected an operator:");
	for (const struct filter_operator *o = filter_operators(); o->name != NULL; o++)
		if (o->binds == BINDS_COMPARE)
			buf_printf(&b, " %s", o->name);
	(void)parse_fail(p, ERR_USAGE, p->pos, "%s", buf_str(&b));
	buf_release(&b);
	return false;
}

static bool
take_operator(struct parser *p, struct filter_term *term)
{
	const struct filter_operator	*op = take_spelling(p);

	if (op == NULL)
		return need_operator(p);
	term->op = (enum filter_op)op->op;
	term->negate = op->negate;
	term->fits = op->fits;
	term->holds = op->holds;
	switch ((enum filter_operand)op->operand) {
	case OPERAND_VALUE:
		return take_value(p, term, WORD_VALUE);
	case OPERAND_ORDERED:
		return take_value(p, term, WORD_VALUE) && field_need_order(p, term, op->name);
	case OPERAND_PATTERN:
		return field_need_text(p, term) && take_regex_value(p, term);
	case OPERAND_SET:
		return take_char(p, '(') ? take_list(p, term) : take_range(p, term);
	case OPERAND_BITS:
		return field_need_bits(p, term) && take_value(p, term, WORD_VALUE);
	case OPERAND_PATH:
		return field_need_path(p, term) && take_value(p, term, WORD_VALUE);
	case OPERAND_NONE:
		break;
	}
	return false;
}

/* ---- rules */

/* The i of /regex/i. */
static bool
take_fold(struct parser *p)
{
	if (peek(p) != 'i' || (p->pos + 1 < p->len && strchr(BLANKS ")", p->s[p->pos + 1]) == NULL))
		return false;
	p->pos++;
	return true;
}

static bool
take_row_regex(struct parser *p, struct filter_term *term)
{
	enum regex_case	mode = REGEX_SMART;
	struct buf	b;
	size_t		from = p->pos;
	bool		good;

	field_ref_row_text(&term->ref);
	term->op = FO_TEXT;
	term->fits = probe_regex;
	buf_init(&b);
	good = take_quoted(p, &b, SIZE_MAX, NULL);
	if (good && take_fold(p))
		mode = REGEX_FOLD;
	good = good && set_regex(p, term, &b, from, mode);
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
	} else if (take_first(p, "has")) {
		skip_blanks(p);
		term->op = FO_HAS;
		good = take_field(p, term);
	} else {
		good = take_field(p, term) && take_operator(p, term);
	}
	if (!good)
		return false;
	term->end = p->pos;
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

	while (take_first(p, operator_of(BINDS_NOT)->name))
		negate = !negate;
	skip_blanks(p);
	start = p->pos;
	if (take_char(p, '(')) {
		if (p->depth++ == LIMIT_FILTER_DEPTH)
			return parse_fail(p, ERR_LIMIT, start,
			    "brackets are nested too deeply");
		good = parse_chain(p, NODE_OR, &child);
		if (good && !take_char(p, ')'))
			good = parse_fail(p, ERR_USAGE, at_end(p) ? start : p->pos, at_end(p) ?
			    "missing )" : "expected and, or or )");
		p->depth--;
	} else {
		good = parse_term(p, &child);
	}
	if (!good)
		return false;
	*node = child;
	if (negate) {
		*node = add_node(p, NODE_NOT, p->f->nodes[child].cost);
		p->f->nodes[*node].first = child;
	}
	return true;
}

/* Remember where a term of the top level stands. */
static void
note_term(struct parser *p, size_t begin)
{
	struct filter_terms	*t = p->terms;

	if (t == NULL || p->depth > 0)
		return;
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct filter_place){ begin, p->pos };
}

/* A member of a chain of `or` is a chain of `and`. */
static bool
parse_member(struct parser *p, int kind, uint32_t *node)
{
	size_t	begin;

	if (kind == NODE_OR)
		return parse_chain(p, NODE_AND, node);
	skip_blanks(p);
	begin = p->pos;
	if (!parse_not(p, node))
		return false;
	note_term(p, begin);
	return true;
}

/* One chain of or, whose members are chains of and. A chain of one is its member. */
static bool
parse_chain(struct parser *p, int kind, uint32_t *node)
{
	const struct filter_operator	*joint;
	struct chain			 chain = { 0 };
	uint32_t			 child;

	joint = operator_of(kind == NODE_OR ? BINDS_OR : BINDS_AND);
	if (!parse_member(p, kind, node))
		return false;
	if (!take_joint(p, joint))
		return true;
	if (kind == NODE_OR && p->depth == 0 && p->terms != NULL)
		p->terms->alternatives = true;
	chain.node = add_node(p, kind, 0);
	add_child(p, &chain, *node);
	do {
		if (!parse_member(p, kind, &child))
			return false;
		add_child(p, &chain, child);
	} while (take_joint(p, joint));
	*node = chain.node;
	return true;
}

void
parse_expression(struct parser *p)
{
	skip_blanks(p);
	if (at_end(p)) {
		(void)parse_fail(p, ERR_USAGE, 0, "the filter is empty: without one, "
		    "all events are shown");
		return;
	}
	(void)add_node(p, NODE_AND, 0);		/* index 0 stands for none */
	if (!parse_chain(p, NODE_OR, &p->f->root))
		return;
	skip_blanks(p);
	if (!at_end(p))
		(void)parse_fail(p, ERR_USAGE, p->pos, peek(p) == ')' ?
		    "unmatched )" : "expected and, or or the end");
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
	parse_expression(&p);
	if (p.result == ERR_OK && t != NULL && strict)
		parse_remarks(&p);
	mem_free(copy);
	if (p.result != ERR_OK) {
		filter_free(p.f);
		return p.result;
	}
	*out = p.f;
	return ERR_OK;
}

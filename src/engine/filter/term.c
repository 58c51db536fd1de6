/*
 * One term of a filter: its field, its operator, and the operand.
 *
 *	payload.Size	in	(1, 2, 3)
 *	field		operator	operand: a value, a list, a range, a pattern
 *
 * Invariant: a term that was read has a field, and literals that fit the field.
 */
#include <string.h>

#include "engine/filter/operators.h"
#include "engine/filter/parse.h"
#include "engine/filter/probe.h"
#include "engine/filter/set.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

/* ---- the field */

/* Read a field: name, label.KEY, payload.a.b, "a name" (a payload field), payload."a name". */
static bool
take_field(struct parser *p, struct filter_term *term)
{
	struct buf	b = { 0 };
	size_t		start = p->pos;
	bool		quoted = read_at_quote(p), good = true;

	term->column = start;
	while (!quoted && p->pos < p->len && p->s[p->pos] != '\0' &&
	    strchr(BLANKS "=!<>~(),\"'", p->s[p->pos]) == NULL && !read_at_quote(p))
		buf_putc(&b, p->s[p->pos++]);
	p->steps += p->pos - start;
	if ((quoted || (b.len > 0 && b.p[b.len - 1] == '.')) && read_at_quote(p))
		good = read_quoted(p, &b, SIZE_MAX, NULL);
	if (good && (b.len == 0 || memchr(b.p, '\0', b.len) != NULL))
		good = parse_fail(p, ERR_USAGE, start, read_at_end(p) ? "missing condition" :
		    read_peek(p) == '!' ? "missing field (to negate, write: not ...)" :
		    "missing field");
	if (good)
		good = field_set(p, term, buf_str(&b), quoted);
	buf_release(&b);
	return good;
}

/* ---- the operand */

/* Compile the pattern in b; from: its place in the expression. */
static bool
set_regex(struct parser *p, struct filter_term *term, const struct buf *b, size_t from,
    enum regex_case mode)
{
	struct buf	why = { 0 }, again = { 0 };
	size_t		at, where, pos = p->pos;
	int		err;

	if (p->terms != NULL)		/* only places are needed */
		return true;
	err = regex_new(&term->re, b->len > 0 ? b->p : "", b->len, mode, &why, &at);
	if (err != ERR_OK) {
		/* Read a quoted pattern again to find the place of its byte `at`. */
		where = from + at;
		if (quote_opens(p->s + from, p->len - from) > 0 ||
		    (from < p->len && p->s[from] == '/' && term->ref.def->kind == FIELD_ROW_TEXT)) {
			p->pos = from;
			(void)read_quoted(p, &again, at, &where);
			p->pos = pos;
			buf_release(&again);
		}
		(void)parse_fail(p, err, where < p->len ? where : p->len, "%s", buf_str(&why));
	}
	buf_release(&why);
	return err == ERR_OK;
}

/* Is the operand written like a bare pattern, /x/ or /x/i? */
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
	struct buf	whole = { 0 };

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
	struct buf		b = { 0 };
	bool			good;

	read_blanks(p);
	if (!read_literal(p, &l, WORD_PATTERN))
		return false;
	if (in_slashes(&l))
		return fail_slashes(p, &l);
	buf_add(&b, l.text, l.len);
	good = set_regex(p, term, &b, l.column, REGEX_SMART);
	buf_release(&b);
	literal_release(&l);
	return good;
}

static struct filter_literal *
add_literal(struct filter_term *term)
{
	term->lits = mem_grow(term->lits, &term->cap, term->nlits + 1, sizeof *term->lits);
	term->lits[term->nlits] = (struct filter_literal){ 0 };
	return &term->lits[term->nlits++];
}

static bool
take_value(struct parser *p, struct filter_term *term, enum word_end ends)
{
	struct filter_literal	*l;

	if (ends != WORD_BOUND)
		read_blanks(p);
	l = add_literal(term);
	return read_literal(p, l, ends) && field_fit(p, term, l);
}

static bool
take_list(struct parser *p, struct filter_term *term)
{
	size_t	start = p->pos - 1;

	term->op = FO_EQ;
	do {
		if (!take_value(p, term, WORD_ITEM))
			return false;
	} while (read_char(p, ','));
	if (!read_char(p, ')'))
		return parse_fail(p, ERR_USAGE, read_at_end(p) ? start : p->pos, read_at_end(p) ?
		    "missing )" : "expected , or )");
	if (term->nlits > 1)
		term->set = filter_set_new(term->lits, term->nlits);
	return true;
}

/* Is the range empty, because the second bound is not above the first? */
static bool
range_is_empty(const struct filter_term *term)
{
	const struct filter_literal	*a = &term->lits[0], *b = &term->lits[1];
	int				 order;

	if (a->open || b->open)
		return false;
	if (num_compare(&a->num, &b->num, &order))
		return order >= 0;
	return a->has_utc && b->has_utc && utc_compare(a->utc, b->utc) >= 0;
}

static bool
take_range(struct parser *p, struct filter_term *term)
{
	size_t	start;

	read_blanks(p);
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

/* Read an operator: a word must be separate, a sign need not be. */
static const struct filter_operator *
take_spelling(struct parser *p)
{
	const struct filter_operator	*op;
	size_t				 n;

	read_blanks(p);
	op = operator_at(p->s + p->pos, p->len - p->pos, &n);
	if (op == NULL)
		return NULL;
	if (op->name[0] >= 'a' && op->name[0] <= 'z')
		return read_word(p, op->name) ? op : NULL;
	p->pos += n;
	return op;
}

static bool
need_operator(struct parser *p)
{
	struct buf	b = { 0 };

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
	term->derived = op->derived;
	switch ((enum filter_operand)op->operand) {
	case OPERAND_VALUE:
		return take_value(p, term, WORD_VALUE);
	case OPERAND_ORDERED:
		return take_value(p, term, WORD_VALUE) && field_need_order(p, term, op->name);
	case OPERAND_PATTERN:
		return field_need_text(p, term) && take_regex_value(p, term);
	case OPERAND_SET:
		return read_char(p, '(') ? take_list(p, term) : take_range(p, term);
	case OPERAND_BITS:
		return field_need_bits(p, term) && take_value(p, term, WORD_VALUE);
	case OPERAND_PATH:
		break;
	}
	return field_need_path(p, term) && take_value(p, term, WORD_VALUE);
}

/* Read the i of /regex/i. */
static bool
take_fold(struct parser *p)
{
	size_t	next = p->pos + 1;

	if (read_peek(p) != 'i' || (next < p->len && strchr(BLANKS ")", p->s[next]) == NULL))
		return false;
	p->pos++;
	return true;
}

static bool
take_row_regex(struct parser *p, struct filter_term *term)
{
	enum regex_case	mode = REGEX_SMART;
	struct buf	b = { 0 };
	size_t		from = p->pos;
	bool		good;

	field_ref_row_text(&term->ref);
	term->op = FO_TEXT;
	term->fits = probe_regex;
	good = read_quoted(p, &b, SIZE_MAX, NULL);
	if (good && take_fold(p))
		mode = REGEX_FOLD;
	good = good && set_regex(p, term, &b, from, mode);
	buf_release(&b);
	return good;
}

/* ---- the term */

bool
term_read(struct parser *p, struct filter_term *term)
{
	bool	good;

	if (read_peek(p) == '/') {
		good = take_row_regex(p, term);
	} else if (read_first(p, "has")) {
		read_blanks(p);
		term->op = FO_HAS;
		good = take_field(p, term);
	} else {
		good = take_field(p, term) && take_operator(p, term);
	}
	term->end = p->pos;
	return good;
}

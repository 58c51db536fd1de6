/*
 * The literals that every match of a pattern contains.
 *
 *	ab	exact "ab"
 *	ab.	head "ab", then nothing is known	-> "ab" is offered
 *	(ab)+	head "ab", tail "ab"
 *	x(ab)+y	head and tail are joined to their neighbours: "xab" and "aby" are offered
 *	foo|ba	{"foo", "ba"}; with foo|.* nothing
 *
 * Of all sets that are offered, the one whose shortest literal is longest is kept. Runs of
 * characters of a class are treated alike: [A-Z]{3} has a run of three.
 *
 * Invariant: each match begins with head, ends with tail, and contains one of the literals of best,
 * if there are any.
 */
#include "base/regex_literal.h"

#include <string.h>

#include "tnav/base/num.h"

#define VALUE_LEAST	2u	/* shorter literals are too common to help */

/* The number of characters a search can use: without case, k and s match beyond ASCII too. */
static unsigned
value_of(const struct regex_literal *l, bool caseless)
{
	unsigned	n = l->len;

	for (unsigned i = 0; caseless && i < l->len; i++)
		n -= l->text[i] == 'k' || l->text[i] == 's';
	return n;
}

static unsigned
worst_of(const struct regex_literals *l, bool caseless)
{
	unsigned	worst = l->n > 0 ? value_of(&l->v[0], caseless) : 0;

	for (unsigned i = 1; i < l->n; i++) {
		unsigned	value = value_of(&l->v[i], caseless);

		if (value < worst)
			worst = value;
	}
	return worst;
}

/* Keep the better one of *best and the literal. */
static void
offer_set(struct regex_literals *best, const struct regex_literals *l, bool caseless)
{
	unsigned	value = worst_of(l, caseless), old = worst_of(best, caseless);

	if (value > old || (value == old && l->n < best->n))
		*best = *l;
}

static void
offer(struct regex_literals *best, const struct regex_literal *l, bool caseless)
{
	struct regex_literals	one = { .n = 1 };

	if (value_of(l, caseless) < VALUE_LEAST)
		return;
	one.v[0] = *l;
	offer_set(best, &one, caseless);
}

/* False: there is no room, and nothing is added. */
static bool
extend(struct regex_literal *l, const struct regex_literal *by)
{
	if (by->len > REGEX_LITERAL_MOST - l->len)
		return false;
	memcpy(l->text + l->len, by->text, by->len);
	l->len += by->len;
	return true;
}

void
need_any(struct need *n)
{
	n->exact = false;
	n->head.len = n->tail.len = 0;
	n->best.n = 0;
	n->run.n = 0;
}

void
need_nothing(struct need *n)
{
	need_any(n);
	n->exact = true;
}

void
need_text(struct need *n, const char *s, size_t len)
{
	need_any(n);
	if (len > REGEX_LITERAL_MOST)
		return;
	n->exact = true;
	n->head.len = (uint8_t)len;
	memcpy(n->head.text, s, len);
	n->tail = n->head;
}

void
need_append(struct need *a, const struct need *b, bool caseless)
{
	struct regex_literal	both = a->tail;
	bool			fits = extend(&both, &b->head);

	if (b->run.n > a->run.n)
		a->run = b->run;
	if (a->exact)
		a->head = fits ? both : a->tail;
	if (fits && b->exact) {
		a->tail = both;
		return;
	}
	offer(&a->best, fits ? &both : &a->tail, caseless);
	offer_set(&a->best, &b->best, caseless);
	a->exact = false;
	a->tail = b->tail;
}

struct regex_literals
need_end(const struct need *n, bool caseless)
{
	struct regex_literals	best = n->best;

	offer(&best, &n->head, caseless);
	offer(&best, &n->tail, caseless);
	return best;
}

void
need_join(struct need *a, const struct need *b, bool caseless)
{
	struct regex_literals	l = need_end(a, caseless), other = need_end(b, caseless);

	need_any(a);
	if (l.n == 0 || other.n == 0 || other.n > REGEX_LITERALS_MOST - l.n)
		return;
	memcpy(l.v + l.n, other.v, other.n * sizeof *l.v);
	l.n += other.n;
	a->best = l;
}

void
need_repeat(struct need *a, uint64_t min, bool once, bool caseless)
{
	if (once)
		return;
	if (min == 0) {
		need_any(a);
		return;
	}
	a->best = need_end(a, caseless);
	a->exact = false;
}

/* ---- classes */

static void
add_range(struct regex_run *r, unsigned from, unsigned to)
{
	for (; from <= to; from++)
		r->has[from] = true;
}

/* False: the escape's letter is not known. */
static bool
add_kind(struct regex_run *r, char letter)
{
	if (letter == 'd' || letter == 'w')
		add_range(r, '0', '9');
	if (letter == 'w') {
		add_range(r, 'a', 'z');
		add_range(r, 'A', 'Z');
		add_range(r, '_', '_');
	}
	if (letter == 's') {
		add_range(r, '\t', '\r');
		add_range(r, ' ', ' ');
	}
	return letter == 'd' || letter == 'w' || letter == 's';
}

void
need_kind(struct need *n, char letter)
{
	memset(n->run.has, 0, sizeof n->run.has);
	n->run.n = add_kind(&n->run, letter);
}

static void
add_cases(struct regex_run *r)
{
	for (unsigned c = 'a'; c <= 'z'; c++)
		r->has[c] = r->has[c - 0x20] = r->has[c] || r->has[c - 0x20];
}

static bool
is_letter_or_digit(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Add the item at s[*i] and advance *i past it. False: it is not understood. */
static bool
add_item(struct regex_run *r, const char *s, size_t len, size_t *i)
{
	char	c = s[*i], to;

	*i += 1;
	if ((unsigned char)c >= 0x80 || c == '[')
		return false;
	if (c == '\\') {
		if (*i == len)
			return false;
		c = s[*i];
		*i += 1;
		if (is_letter_or_digit(c))
			return add_kind(r, c) && (*i == len || s[*i] != '-');
	}
	to = c;
	if (len - *i >= 2 && s[*i] == '-') {
		to = s[*i + 1];
		*i += 2;
		if ((unsigned char)to >= 0x80 || to < c || to == '\\' || to == '[')
			return false;
	}
	add_range(r, (unsigned char)c, (unsigned char)to);
	return true;
}

void
need_class(struct need *n, const char *s, size_t len, bool caseless)
{
	struct regex_run	*r = &n->run;
	bool			 negated = len > 0 && s[0] == '^', good = true;

	memset(r->has, 0, sizeof r->has);
	for (size_t i = negated; i < len && good; )
		good = add_item(r, s, len, &i);
	if (caseless)
		add_cases(r);
	for (unsigned c = 0; c < sizeof r->has && negated; c++)
		r->has[c] = !r->has[c];
	r->n = good;
}

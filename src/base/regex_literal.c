/*
 * What must occur in every match of a pattern.
 *
 *	ab	exact "ab"
 *	ab.	head "ab", then nothing is known	-> "ab" is offered
 *	(ab)+	head "ab", tail "ab"
 *	x(ab)+y	head and tail are put to what stands beside them: "xab" and "aby" are offered
 *	foo|ba	{"foo", "ba"}; with foo|.* nothing
 *
 * Of all that is offered the one is kept whose shortest literal is longest.
 *
 * Invariant: each match holds one of the literals of best, if there are any; so it does of a match
 * that begins with head and ends with tail.
 */
#include "base/regex_literal.h"

#include <string.h>

#define VALUE_LEAST	2u	/* shorter ones are everywhere */

/* How many of its characters a search can go by: k and s match beyond ASCII where case is none. */
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

/* Keep the better one. */
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
need_repeat(struct need *a, bool once, bool some, bool caseless)
{
	if (once)
		return;
	if (!some) {
		need_any(a);
		return;
	}
	a->best = need_end(a, caseless);
	a->exact = false;
}

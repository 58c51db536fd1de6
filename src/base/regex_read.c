/*
 * The reader of patterns: the largest number of steps that one can take, as a polynomial of the
 * length of the subject, and the texts of which one is in every match (regex_literal.c).
 *
 *	a.*b	ways: 1, n, 1		steps: 1 + n + n: an arrival at b for each way through .*
 *	(ab)*	ways: n			steps: 2n
 *	(a|b)*	not known: two ways for each turn, 2^n in all
 *
 * The reader understands the most common constructs: characters, classes, groups, alternatives and
 * repeats. For a pattern with anything else, it gives no result.
 *
 * Invariant: a number of ways or steps is never too low. PCRE2 has already compiled the pattern, so
 * no error needs to be reported here.
 */
#include "base/regex_read.h"

#include <stdint.h>
#include <string.h>

#include "base/regex_literal.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"

#define DEPTH_MAX	64u
#define UNROLL_MAX	64u	/* turns of a repeated group that are counted one by one */
#define FEW		16u	/* up to so many repeats are counted, more are taken as n */
#define RUN_MOST	32u	/* characters of a run that are looked for */
#define CLASS_COST	64.0	/* steps of a class that PCRE2 may store as a list */

/* A part of the pattern: it can match in at most ways * n^degree ways. */
struct subpattern {
	double		ways;
	unsigned	degree;
	bool		empty;		/* may match nothing */
	bool		single;		/* one character, whatever it is */
	double		steps[REGEX_DEGREES];
};

struct reader {
	const char	*p, *end;
	unsigned	 depth;
	bool		 caseless;
	bool		 lost;		/* something is not understood: the reading ends */
	bool		 known, nests;	/* the cost */
};

static void
part_one(struct subpattern *out, double steps, bool empty)
{
	*out = (struct subpattern){ .ways = 1, .empty = empty, .single = !empty,
	    .steps = { steps } };
}

/* a followed by b: b is tried once for each way through a. */
static void
append(struct reader *r, struct subpattern *a, const struct subpattern *b)
{
	for (unsigned d = 0; d < REGEX_DEGREES; d++) {
		if (b->steps[d] == 0)
			continue;
		if (d + a->degree >= REGEX_DEGREES)
			r->known = false;
		else
			a->steps[d + a->degree] += a->ways * b->steps[d];
	}
	a->ways *= b->ways;
	a->degree += b->degree;
	a->empty &= b->empty;
	a->single = false;
	r->known &= a->degree < REGEX_DEGREES;
}

/* a or b. */
static void
join(struct subpattern *a, const struct subpattern *b)
{
	for (unsigned d = 0; d < REGEX_DEGREES; d++)
		a->steps[d] += b->steps[d];
	a->ways += b->ways;
	if (b->degree > a->degree)
		a->degree = b->degree;
	a->empty |= b->empty;
	a->single = false;
	a->steps[0] += 1;
}

/* ---- repeats */

static uint64_t
read_number(struct reader *r)
{
	uint64_t	n = 0;

	while (r->p < r->end && is_digit(*r->p)) {
		if (n < UINT32_MAX)
			n = n * 10 + (uint64_t)(*r->p - '0');
		r->p++;
	}
	return n;
}

/* {2} {2,} {2,5}. Other braces are literal, or their meaning depends on the version of PCRE2. */
static bool
read_braces(struct reader *r, uint64_t *min, uint64_t *max)
{
	r->p++;
	if (r->p == r->end || !is_digit(*r->p))
		return false;
	*min = *max = read_number(r);
	if (r->p < r->end && *r->p == ',') {
		r->p++;
		*max = UINT64_MAX;
		if (r->p < r->end && is_digit(*r->p))
			*max = read_number(r);
	}
	if (r->p == r->end || *r->p != '}')
		return false;
	r->p++;
	return true;
}

/* True: a repeat follows. Lazy and possessive repeats have no more ways than greedy ones. */
static bool
read_repeat(struct reader *r, uint64_t *min, uint64_t *max)
{
	char	c = r->p < r->end ? *r->p : '\0';

	if (c == '{') {
		if (!read_braces(r, min, max)) {
			r->lost = true;
			return false;
		}
	} else if (c == '*' || c == '+' || c == '?') {
		r->p++;
		*min = c == '+';
		*max = c == '?' ? 1 : UINT64_MAX;
	} else {
		return false;
	}
	if (r->p < r->end && (*r->p == '?' || *r->p == '+'))
		r->p++;
	return true;
}

static void
repeat_single(struct subpattern *a, uint64_t min, uint64_t max)
{
	double	steps = a->steps[0];

	a->empty = min == 0;
	a->single = false;
	if (max != UINT64_MAX && max - min < FEW) {
		a->ways = (double)(max - min + 1);
		a->steps[0] = steps * (double)max + 1;
		return;
	}
	a->degree = 1;
	a->steps[0] = 1;
	a->steps[1] = steps;
}

/* A repeat without limit: at most n turns, if each takes a character and has only one way. */
static void
repeat_unbounded(struct reader *r, struct subpattern *a)
{
	r->known &= a->ways <= 1 && a->degree == 0 && !a->empty;
	a->degree = 1;
	a->empty = true;
	a->single = false;
	a->steps[1] = a->steps[0] + 1;
}

static void
repeat_group(struct reader *r, struct subpattern *a, uint64_t min, uint64_t max)
{
	struct subpattern	once = *a, maybe = *a, nothing;
	uint64_t		turns = max == UINT64_MAX ? min : max;

	r->nests = true;
	r->known &= turns <= UNROLL_MAX;
	part_one(&nothing, 1, true);
	join(&maybe, &nothing);
	*a = nothing;
	for (uint64_t i = 0; i < turns && r->known; i++)
		append(r, a, i < min ? &once : &maybe);
	if (max == UINT64_MAX) {
		repeat_unbounded(r, &once);
		append(r, a, &once);
	}
}

/* ---- items */

/* Does the escape \c match one character? */
static bool
escape_is_char(char c)
{
	return c != '\0' && (strchr("dDwWsShHvVNtnrfea", c) != NULL ||
	    (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && (unsigned char)c < 0x80));
}

/* Skip the braces of \x{...}, \p{...} and \P{...}. */
static bool
skip_braced(struct reader *r)
{
	const char	*close;

	if (r->end - r->p < 2 || memchr("xpP", *r->p, 3) == NULL || r->p[1] != '{')
		return false;
	close = memchr(r->p, '}', (size_t)(r->end - r->p));
	if (close == NULL)
		return false;
	r->p = close + 1;
	return true;
}

static bool
is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static void
read_escape(struct reader *r, struct subpattern *out, struct need *need)
{
	char	c;

	r->p++;
	c = r->p < r->end ? *r->p : '\0';
	part_one(out, 1, c != '\0' && strchr("bBAzZ", c) != NULL);
	if (out->empty)
		need_nothing(need);
	else if (c != '\0' && escape_is_char(c) && !is_letter(c))
		need_text(need, r->p, 1);
	else if (c != '\0')
		need_kind(need, c);
	if (c == '\0')
		r->lost = true;
	else if (out->empty || escape_is_char(c))
		r->p++;
	else if (!skip_braced(r))
		r->lost = true;
}

static void
read_class(struct reader *r, struct subpattern *out, struct need *need)
{
	const char	*from = r->p + 1;
	bool		 list = false;

	r->p++;
	if (r->p < r->end && *r->p == '^')
		r->p++;
	r->lost |= r->p == r->end || *r->p == ']';
	while (!r->lost && r->p < r->end && *r->p != ']') {
		char	c = *r->p;

		list |= (unsigned char)c >= 0x80;
		r->p++;
		if (c == '[' && r->p < r->end && strchr(":.=", *r->p) != NULL)
			r->lost = true;
		if (c != '\\')
			continue;
		c = r->p < r->end ? *r->p : '\0';
		if (escape_is_char(c) || c == 'b') {
			r->p++;
		} else {
			r->lost |= !skip_braced(r);
			list = true;
		}
	}
	r->lost |= r->p == r->end;
	if (!r->lost) {
		need_class(need, from, (size_t)(r->p - from), r->caseless);
		r->p++;
	}
	part_one(out, list ? CLASS_COST : 1, false);
}

static void	read_alternatives(struct reader *r, struct subpattern *out, struct need *need);

static void
read_group(struct reader *r, struct subpattern *out, struct need *need)
{
	r->p++;
	if (r->end - r->p >= 2 && r->p[0] == '?' && r->p[1] == ':')
		r->p += 2;
	else if (r->p < r->end && (*r->p == '?' || *r->p == '*'))
		r->lost = true;
	r->lost |= r->depth++ >= DEPTH_MAX;
	if (!r->lost)
		read_alternatives(r, out, need);
	r->depth--;
	r->lost |= r->p == r->end || *r->p != ')';
	if (!r->lost)
		r->p++;
	out->steps[0] += 2;
	out->single = false;
}

/*
 * A literal character. One beyond ASCII may have other cases, and U+FFFD matches any bad bytes of
 * the file.
 */
static void
read_char(struct reader *r, struct subpattern *out, struct need *need)
{
	const char	*from = r->p;
	int32_t		 cp;

	part_one(out, 1, false);
	r->p += text_decode((const uint8_t *)r->p, (const uint8_t *)r->end, &cp);
	if (cp >= 0 && cp != 0xfffd && (cp < 0x80 || !r->caseless))
		need_text(need, from, (size_t)(r->p - from));
}

static void
read_item(struct reader *r, struct subpattern *out, struct need *need)
{
	need_any(need);
	switch (*r->p) {
	case '\\':
		read_escape(r, out, need);
		return;
	case '[':
		read_class(r, out, need);
		return;
	case '(':
		read_group(r, out, need);
		return;
	case '{':
		r->lost = true;
		return;
	case '^': case '$':
		part_one(out, 1, true);
		need_nothing(need);
		r->p++;
		return;
	case '.':
		part_one(out, 1, false);
		r->p++;
		return;
	default:
		read_char(r, out, need);
	}
}

static void
read_sequence(struct reader *r, struct subpattern *out, struct need *need)
{
	part_one(out, 0, true);
	need_nothing(need);
	while (!r->lost && r->p < r->end && *r->p != '|' && *r->p != ')') {
		struct subpattern	item;
		struct need		of;
		uint64_t		min, max;

		part_one(&item, 0, true);
		read_item(r, &item, &of);
		if (!r->lost && read_repeat(r, &min, &max)) {
			need_repeat(&of, min, min == 1 && max == 1, r->caseless);
			if (item.single && of.run.n > 0)
				of.run.n = (unsigned)min_u64(min, RUN_MOST);
			if (item.single)
				repeat_single(&item, min, max);
			else
				repeat_group(r, &item, min, max);
		}
		append(r, out, &item);
		need_append(need, &of, r->caseless);
	}
}

static void
read_alternatives(struct reader *r, struct subpattern *out, struct need *need)
{
	struct subpattern	other;
	struct need		of;

	read_sequence(r, out, need);
	while (!r->lost && r->p < r->end && *r->p == '|') {
		r->p++;
		read_sequence(r, &other, &of);
		join(out, &other);
		need_join(need, &of, r->caseless);
	}
}

/* ---- the whole */

void
regex_read(const char *pattern, size_t len, bool caseless, struct regex_reading *out)
{
	struct reader		 r = { .p = pattern, .end = pattern + len, .known = true,
				       .caseless = caseless };
	struct regex_cost	*cost = &out->cost;
	struct subpattern	 all;
	struct need		 need;

	memset(out, 0, sizeof *out);
	read_alternatives(&r, &all, &need);
	if (r.lost || r.p != r.end)
		return;
	out->literals = need_end(&need, caseless);
	out->run = need.run;
	if (!r.known)
		return;
	cost->known = true;
	cost->nests = r.nests;
	for (unsigned d = 0; d < REGEX_DEGREES; d++) {
		cost->by_degree[d] = all.steps[d];
		if (all.steps[d] != 0)
			cost->degrees = d + 1;
	}
}

double
regex_cost_at(const struct regex_cost *c, double n)
{
	double	steps = 0;

	for (unsigned d = c->degrees; d-- > 0;)
		steps = steps * n + c->by_degree[d];
	return steps;
}

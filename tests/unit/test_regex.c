/*
 * Regular expressions: results against expectations written out, hostile patterns and subjects.
 * test_regex_nojit.c runs the same where the machine allows no JIT.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"

#include "base/regex_read.h"
#include "../support/cases.h"
#include "../support/tier.h"

static uint64_t
check_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

/* NULL, and the answer, if the pattern is refused. */
static struct regex *
regex_of(struct buf *out, struct span pattern, enum regex_case mode)
{
	struct regex	*re = (struct regex *)out;
	struct buf	*why = test_buf();
	size_t		 at = SIZE_MAX;

	if (!case_good(out, regex_new(&re, (const char *)pattern.p, pattern.len, mode, why, &at))) {
		assert_null(re);
		assert_true(why->len > 0);
		for (size_t i = 0; i < why->len; i++)
			assert_true(why->p[i] >= 0x20 && why->p[i] < 0x7f);
		buf_printf(out, " at %zu", at);
		return NULL;
	}
	assert_non_null(re);
	assert_int_equal(why->len, 0);
	return re;
}

CASE(find)
{
	struct regex		*re = regex_of(out, arg[0], span_is(arg[2], "exact") ? REGEX_EXACT :
				    REGEX_SMART);
	struct regex_match	*m = regex_match_new();
	size_t			 from, to;

	if (re != NULL && regex_find(re, m, arg[1], 0, &from, &to) == 1)
		buf_printf(out, "%zu-%zu", from, to);
	else if (re != NULL)
		buf_puts(out, "no");
	regex_match_free(m);
	regex_free(re);
}

CASE(literal)
{
	struct regex	*re = regex_of(out, arg[0], REGEX_SMART);

	buf_puts(out, regex_is_literal(re) ? "yes" : "no");
	regex_free(re);
}

CASE(literals)
{
	struct regex			*re = regex_of(out, arg[0], REGEX_SMART);
	const struct regex_literals	*l = regex_literals(re);

	for (unsigned i = 0; i < l->n; i++) {
		buf_puts(out, i > 0 ? "," : "");
		buf_add(out, l->v[i].text, l->v[i].len);
	}
	regex_free(re);
}

CASE(run)
{
	struct regex_reading	r;

	regex_read((const char *)arg[0].p, arg[0].len, false, &r);
	buf_u64(out, r.run.n);
	for (size_t i = 0; i < arg[1].len; i++)
		assert_true(r.run.has[arg[1].p[i]]);
	for (size_t i = 0; i < arg[2].len; i++)
		assert_false(r.run.has[arg[2].p[i]]);
}

TEST(long_and_deep_patterns_are_refused)
{
	struct buf	*out = test_buf();
	char		*big = mem_alloc(4u << 20);

	memset(big, 'a', 4u << 20);
	assert_null(regex_of(out, test_exact(big, 4u << 20), REGEX_SMART));
	assert_int_equal(strtoul(strstr(buf_str(out), " at ") + 4, NULL, 10), LIMIT_PATTERN);
	buf_clear(out);
	memset(big, '(', 300);
	memset(big + 300, ')', 300);
	assert_null(regex_of(out, test_exact(big, 600), REGEX_SMART));
	assert_string_equal(buf_str(out), "a limit of the program was reached at 65");
	mem_free(big);
}

/* Subjects that keep a backtracking matcher busy: one character, or a few in turn. */
static const char *const	fills[] = {
	"a", "A", " ", ",", "x", "1", "ab", "aab", "a ", "\xc3\xa4", "\xf0\x9f\x87\xa6", "\xff",
	"e\xcc\x81",
};

static uint8_t *
fill_subject(const char *fill, size_t len)
{
	uint8_t	*s = mem_alloc(len);

	for (size_t i = 0; i < len; i++)
		s[i] = (uint8_t)fill[i % strlen(fill)];
	s[len - 1] = '!';
	return s;
}

/* ---- a matcher without limits, whose steps are counted here */

#define STEPS_ENOUGH	2000000u

static int
count_step(pcre2_callout_block *b, void *arg)
{
	uint64_t	*n = arg;

	(void)b;
	return ++*n > STEPS_ENOUGH ? PCRE2_ERROR_CALLOUT : 0;
}

/* 1, 0, or -1: it takes too long. *n: the callouts. */
static int
find_unlimited(const char *pattern, uint32_t options, const uint8_t *s, size_t len, size_t place[2],
    uint64_t *n)
{
	int			 err, r;
	PCRE2_SIZE		 off;
	pcre2_code		*code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
				    PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF |
				    PCRE2_AUTO_CALLOUT | options, &err, &off, NULL);
	pcre2_match_data	*data = pcre2_match_data_create(1, NULL);
	pcre2_match_context	*context = pcre2_match_context_create(NULL);

	assert_non_null(code);
	*n = 0;
	(void)pcre2_set_callout(context, count_step, n);
	(void)pcre2_set_match_limit(context, UINT32_MAX);
	(void)pcre2_set_depth_limit(context, UINT32_MAX);
	r = pcre2_match(code, s, len, 0, 0, data, context);
	if (r >= 0) {
		const PCRE2_SIZE	*v = pcre2_get_ovector_pointer(data);

		place[0] = v[0] < v[1] ? v[0] : v[1];
		place[1] = v[1];
	}
	pcre2_code_free(code);
	pcre2_match_data_free(data);
	pcre2_match_context_free(context);
	return r >= 0 ? 1 : r == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

/* Each search returns, and all texts of an event together take no more steps than the budget. */
static unsigned
need_budget(const struct regex *re, struct regex_match *m, const char *fill, char last)
{
	uint64_t	most = LIMIT_REGEX_STEPS;
	unsigned	costly = 0;

	regex_match_begin(m);
	for (size_t len = 64; len <= 65536; len *= 32) {
		uint8_t	*s = fill_subject(fill, len);
		int	 r;

		s[len - 1] = (uint8_t)last;
		most += len * LIMIT_REGEX_BYTE;
		r = regex_find(re, m, (struct span){ s, len }, 0, NULL, NULL);
		assert_true(r == 0 || r == 1 || r == ERR_LIMIT);
		assert_true(regex_match_steps(m) <= most);
		costly += r == ERR_LIMIT;
		mem_free(s);
	}
	return costly;
}

/* A limited match finds what an unlimited one finds. */
static unsigned
need_same(const struct regex *re, struct regex_match *m, const char *pattern, const char *fill,
    char last)
{
	uint8_t		*s = fill_subject(fill, 60);
	size_t		 from = 0, to = 0, place[2] = { 0 };
	uint64_t	 n;
	int		 r, want;

	s[59] = (uint8_t)last;
	regex_match_begin(m);
	r = regex_find(re, m, (struct span){ s, 60 }, 0, &from, &to);
	want = find_unlimited(pattern, 0, s, 60, place, &n);
	mem_free(s);
	if (r == ERR_LIMIT || want < 0)
		return 0;
	assert_int_equal(r, want);
	assert_int_equal(from, place[0]);
	assert_int_equal(to, place[1]);
	return 1;
}

static unsigned	costly, compared, looked;

CASE(hostile)
{
	static size_t		 nth;
	struct regex		*re = regex_of(out, arg[0], REGEX_SMART);
	struct regex		*exact = regex_of(out, arg[0], REGEX_EXACT);
	struct regex_match	*m = regex_match_new();

	for (size_t k = 0; re != NULL && k < sizeof fills / sizeof fills[0]; k++) {
		char	last = "!zbcyx"[(nth + k) % 6];

		costly += need_budget(re, m, fills[k], last);
		compared += need_same(exact, m, case_text(arg[0]), fills[k], last);
	}
	nth++;
	regex_free(re);
	regex_free(exact);
	regex_match_free(m);
}

/* The bound is computed from the pattern alone. Here it is compared with counted steps. */
CASE(bound)
{
	struct regex_reading	r;

	regex_read((const char *)arg[0].p, arg[0].len, false, &r);
	buf_puts(out, r.cost.known ? "known" : "none");
	for (size_t k = 0; r.cost.known && k < sizeof fills / sizeof fills[0]; k++) {
		uint8_t		*s = fill_subject(fills[k], 40);
		size_t		 place[2];
		uint64_t	 n;

		s[39] = (uint8_t)fills[k][0];
		(void)find_unlimited(case_text(arg[0]), PCRE2_NO_START_OPTIMIZE, s, 40, place, &n);
		assert_true((double)n <= 41 * (regex_cost_at(&r.cost, 41) + 1));
		looked += n > 100;
		mem_free(s);
	}
}

/* Usual patterns in 64 KiB of text: found at the right place, never too costly. */
CASE(ordinary)
{
	static const char	line[] = "GET /api/v1/users/4711?q=Jones HTTP/1.1 200 took 12.5 ms "
				    "[thread 25] System.Collections.Generic.List`1[System.String], ";
	static const char	last[] = "POST /api/v2/orders/99 500 IOException: the wire is cut; "
				    "retry=true user@example.org 7f3a-00ff \"a b\" foo foo end";
	size_t			 len = 65536, at = len - strlen(last), from, to, place[2];
	uint8_t			*s = mem_alloc(len);
	struct regex		*re = regex_of(out, arg[0], REGEX_SMART);
	struct regex_match	*m = regex_match_new();
	const char		*pattern = case_text(arg[0]);
	uint32_t		 options = strpbrk(pattern, "GEPI") ? 0 : PCRE2_CASELESS;
	uint64_t		 n;

	for (size_t i = 0; i < at; i++)
		s[i] = (uint8_t)line[i % strlen(line)];
	memcpy(s + at, last, strlen(last));
	s[at - 1] = ' ';
	buf_puts(out, regex_find(re, m, (struct span){ s, len }, 0, &from, &to) == 1 ? "found" : "no");
	assert_int_equal(find_unlimited(pattern, options, s, len, place, &n), 1);
	assert_int_equal(from, place[0]);
	assert_int_equal(to, place[1]);
	assert_true(to > at);
	regex_free(re);
	regex_match_free(m);
	mem_free(s);
}

CASES("regex.txt", 230)

TEST(enough_was_costly_compared_and_looked_at)
{
	assert_true(costly > 300);
	assert_true(compared > 500);
	assert_true(looked > 50);
}

/* ---- what must occur */

/* A pattern of the parts that the reader knows, over few letters. */
static void
made_pattern(struct buf *out, uint64_t *seed, unsigned depth)
{
	static const char *const	items[] = {
		"a", "b", "k", "s", "B", "ab", "ks", ".", "[ab]", "[^a]", "[A-C]",
		"[j-l.]", "[\\w-]", "\\w", "\\d", "\\.", "^", "$", "\\b",
		"\xc3\xb6", "\xe2\x84\xaa", "\xc5\xbf",
	};
	static const char *const	repeats[] = { "", "", "", "+", "*", "?", "{2}", "{0,2}" };
	unsigned			n = 1 + (unsigned)(check_random(seed) % 4);

	for (unsigned i = 0; i < n; i++) {
		if (depth > 0 && check_random(seed) % 4 == 0) {
			buf_putc(out, '(');
			made_pattern(out, seed, depth - 1);
			buf_putc(out, ')');
		} else {
			buf_puts(out, items[check_random(seed) % (sizeof items / sizeof *items)]);
		}
		buf_puts(out, repeats[check_random(seed) % (sizeof repeats / sizeof *repeats)]);
		if (check_random(seed) % 8 == 0)
			buf_putc(out, '|');
	}
}

static void
made_subject(struct buf *out, uint64_t *seed)
{
	static const char *const	items[] = {
		"a", "b", "k", "s", "A", "B", "K", "S", "7", ".", " ", "\xc3\xb6", "\xc3\x96",
		"\xe2\x84\xaa", "\xc5\xbf", "\xff", "\xc3",
	};

	for (unsigned n = (unsigned)(check_random(seed) % 20); n > 0; n--)
		buf_puts(out, items[check_random(seed) % (sizeof items / sizeof *items)]);
}

/* No match is lost by searching for runs of a class, or by skipping a prefix. */
TEST(a_match_holds_one_of_its_literals)
{
	struct regex_match	*m = regex_match_new(), *plain = regex_match_new();
	uint64_t		 seed = check_seed();
	unsigned		 matched = 0, with = 0, behind = 0;
	struct buf		*pattern = test_buf(), *subject = test_buf(), *why = test_buf();

	regex_match_plain(plain);
	for (unsigned i = 0; i < 4000; i++) {
		struct regex	*re;
		size_t		 at;

		buf_clear(pattern);
		made_pattern(pattern, &seed, 3);
		if (regex_new(&re, pattern->p, pattern->len, REGEX_SMART, why, &at) != ERR_OK)
			continue;
		with += regex_literals(re)->n > 0;
		for (unsigned k = 0; k < 20; k++) {
			struct span	s;
			size_t		front;
			int		got, want;

			buf_clear(subject);
			made_subject(subject, &seed);
			s = span_of_buf(subject);
			regex_match_begin(m);
			regex_match_begin(plain);
			got = regex_find(re, m, s, 0, NULL, NULL);
			want = regex_find(re, plain, s, 0, NULL, NULL);
			if (got != want && want >= 0)
				fail_msg("%s on %s: %d, not %d", buf_str(pattern),
				    buf_str(subject), got, want);
			front = check_random(&seed) % (s.len + 1);
			front = regex_front(re, m, (struct span){ s.p, front });
			regex_match_begin(m);
			got = regex_find_after(re, m, s, front);
			if (got != want && want >= 0)
				fail_msg("%s on %s from %zu: %d, not %d", buf_str(pattern),
				    buf_str(subject), front, got, want);
			behind += front > 0;
			matched += want == 1 && regex_literals(re)->n > 0;
		}
		regex_free(re);
	}
	assert_true(with > 200);
	assert_true(matched > 200);
	if (behind <= 2000)
		fail_msg("%u behind", behind);
	regex_match_free(m);
	regex_match_free(plain);
}

/* A text without the literal of a costly pattern costs nothing. */
TEST(no_step_is_taken_without_the_literal)
{
	static const char	 text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	struct regex_match	*m = regex_match_new();
	struct regex		*re;
	struct buf		*why = test_buf();
	size_t			 at;

	assert_int_equal(regex_new(&re, "(a+)+end", 8, REGEX_SMART, why, &at), ERR_OK);
	regex_match_begin(m);
	assert_int_equal(regex_find(re, m, span_of(text), 0, NULL, NULL), 0);
	assert_int_equal(regex_match_steps(m), 0);
	regex_free(re);
	regex_match_free(m);
}

/* The budget is one for all texts of an event; a new event has it whole again. */
TEST(the_budget_is_shared_by_the_texts_of_an_event)
{
	struct regex_match	*m = regex_match_new();
	struct regex		*re = regex_of(NULL, span_of("(a+)+$"), REGEX_SMART);
	uint8_t			*s = fill_subject("a", 14);
	struct span		 text = { s, 14 };
	unsigned		 n = 0;

	while (n < 1000 && regex_find(re, m, text, 0, NULL, NULL) == 0)
		n++;
	assert_in_range(n, 2, 999);
	assert_int_equal(regex_match_steps(m), LIMIT_REGEX_STEPS + (n + 1) * 14 *
	    LIMIT_REGEX_BYTE);
	assert_int_equal(regex_find(re, m, text, 0, NULL, NULL), ERR_LIMIT);
	regex_match_begin(m);
	assert_int_equal(regex_match_steps(m), 0);
	assert_int_equal(regex_find(re, m, text, 0, NULL, NULL), 0);
	regex_free(re);
	regex_match_free(m);
	mem_free(s);
}

/* Searching on from the end of each match, from any start, even inside a character. */
TEST(every_start_is_a_valid_start)
{
	static const char	 text[] = "\xc3\xa4\xe6\xbc\xa2" "a\xff\xf0\x9f\x98\x80z";
	struct regex_match	*m = regex_match_new();
	struct regex		*re;
	struct buf		*why = test_buf();
	size_t			 at;

	assert_int_equal(regex_new(&re, "z|$", 3, REGEX_SMART, why, &at), ERR_OK);
	for (size_t i = 0; i <= sizeof text - 1; i++) {
		size_t	from = SIZE_MAX, to = SIZE_MAX;

		assert_int_equal(regex_find(re, m, (struct span){ (const uint8_t *)text,
		    sizeof text - 1 }, i, &from, &to), 1);
		assert_int_equal(from, i < sizeof text - 1 ? sizeof text - 2 : sizeof text - 1);
		assert_int_equal(to, sizeof text - 1);
	}
	assert_int_equal(regex_find(re, m, (struct span){ NULL, 0 }, 1, NULL, NULL), 0);
	assert_int_equal(regex_find(re, m, (struct span){ NULL, 0 }, 0, NULL, NULL), 1);
	regex_free(re);
	regex_match_free(m);
}

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
#include "../support/test.h"
#include "../support/tier.h"

static uint64_t
check_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

static int
find_mode(const char *pattern, size_t plen, enum regex_case mode, const char *text, size_t len,
    size_t *from, size_t *to)
{
	struct regex		*re;
	struct regex_match	*m = regex_match_new();
	struct buf		*why = test_buf();
	size_t			 at;
	uint8_t			*subject = mem_alloc(len);
	int			 r;

	assert_int_equal(regex_new(&re, pattern, plen, mode, why, &at), ERR_OK);
	assert_non_null(re);
	assert_int_equal(why->len, 0);
	memcpy(subject, text, len);
	r = regex_find(re, m, (struct span){ subject, len }, 0, from, to);
	mem_free(subject);
	regex_match_free(m);
	regex_free(re);
	return r;
}

static int
find(const char *pattern, const char *text)
{
	return find_mode(pattern, strlen(pattern), REGEX_SMART, text, strlen(text), NULL, NULL);
}

TEST(a_capital_in_the_pattern_makes_it_sensitive)
{
	assert_int_equal(find("kestrel", "Microsoft-AspNetCore-Server-Kestrel"), 1);
	assert_int_equal(find("Kestrel", "microsoft-kestrel"), 0);
	assert_int_equal(find("\\Wkestrel", "-KESTREL"), 1);	/* an escape is no capital */
	assert_int_equal(find("\\p{Lu}e", "KE"), 1);
	assert_int_equal(find("\\x{4B}e", "kE"), 1);
	assert_int_equal(find("gr\xc3\xb6\xc3\x9f", "GR\xc3\x96\xc3\x9f"), 1);
	assert_int_equal(find("\xc3\x96", "\xc3\xb6"), 0);
	assert_int_equal(find_mode("a", 1, REGEX_EXACT, "A", 1, NULL, NULL), 0);
	assert_int_equal(find_mode("a+", 2, REGEX_EXACT, "A", 1, NULL, NULL), 0);
}

TEST(the_place_of_a_match_is_told)
{
	size_t	from, to;

	assert_int_equal(find_mode("b+", 2, REGEX_SMART, "aabbbc", 6, &from, &to), 1);
	assert_int_equal(from, 2);
	assert_int_equal(to, 5);
	assert_int_equal(find_mode("//1/2", 5, REGEX_SMART, "x//1/2/", 7, &from, &to), 1);
	assert_int_equal(from, 1);
	assert_int_equal(to, 6);
}

TEST(classes_know_letters_beyond_ascii)
{
	static const struct { const char *pattern, *text; int found; } cases[] = {
		{ "r\\w\xc3\x9f", "gr\xc3\xbc\xc3\x9f" "e", 1 }, { "r\\W", "gr\xc3\xbc", 0 },
		{ "^\\w+$", "\xe4\xb8\x96\xe7\x95\x8c", 1 }, { "^\\S+$", "gr\xc3\xbc\xc3\x9f", 1 },
		{ "r\\D", "r\xc3\xbc", 1 }, { "^\\D{2}$", "\xe4\xb8\x96\xe7\x95\x8c", 1 },
		{ "r\\W", "r\xf0\x9f\x91\x8b", 1 }, { "(\\W)e", "\xf0\x9f\x91\x8b" "e", 1 },
		{ "\\b\xc3\xbc", "r\xc3\xbc", 0 }, { "\\b\xc3\xbc", "r \xc3\xbc", 1 },
		{ "r\\D", "\xff r\xc3\xbc\xfe", 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(find_mode(cases[i].pattern, strlen(cases[i].pattern), REGEX_SMART,
		    cases[i].text, strlen(cases[i].text), NULL, NULL), cases[i].found);
}

static bool
literal(const char *pattern)
{
	struct regex	*re;
	struct buf	*why = test_buf();
	size_t		 at;
	bool		 r;

	assert_int_equal(regex_new(&re, pattern, strlen(pattern), REGEX_SMART, why, &at), ERR_OK);
	r = regex_is_literal(re);
	regex_free(re);
	return r;
}

TEST(patterns_that_can_not_fold_are_literal)
{
	assert_true(literal("1204"));
	assert_true(literal("GC/Start"));	/* a capital: case-sensitive */
	assert_true(literal("2026-11-21 12:17"));
	assert_true(literal(""));
	assert_false(literal("gc/start"));
	assert_false(literal("\xc3\xb6"));
	assert_false(literal("1.5"));
	assert_false(literal("A*"));
	assert_false(literal("A\\d"));
}

TEST(bytes_of_any_kind_are_searched)
{
	assert_int_equal(find_mode("b", 1, REGEX_SMART, "a\0b", 3, NULL, NULL), 1);
	assert_int_equal(find_mode("a\0b", 3, REGEX_SMART, "xa\0b", 4, NULL, NULL), 1);
	assert_int_equal(find_mode("a\0b", 3, REGEX_SMART, "xa", 2, NULL, NULL), 0);
	assert_int_equal(find_mode("b$", 2, REGEX_SMART, "\xff\xfe\x80" "b", 4, NULL, NULL), 1);
	assert_int_equal(find_mode("a.b", 3, REGEX_SMART, "a\xff" "b", 3, NULL, NULL), 0);
	assert_int_equal(find_mode("^$", 2, REGEX_SMART, "", 0, NULL, NULL), 1);
}

static void
assert_refused(const char *pattern, size_t len, int err, size_t want_at)
{
	struct regex	*re = (struct regex *)&pattern;
	struct buf	*why = test_buf();
	size_t		 at = SIZE_MAX;
	char		*exact = mem_alloc(len);

	memcpy(exact, pattern, len);
	assert_int_equal(regex_new(&re, exact, len, REGEX_SMART, why, &at), err);
	assert_null(re);
	assert_int_equal(at, want_at);
	assert_true(why->len > 0);
	for (size_t i = 0; i < why->len; i++)
		assert_true(why->p[i] >= 0x20 && why->p[i] < 0x7f);
	mem_free(exact);
}

#define REFUSED(pattern, err, at) assert_refused(pattern, sizeof pattern - 1, err, at)

TEST(bad_patterns_are_refused_with_their_position)
{
	REFUSED("ab(", ERR_USAGE, 3);
	REFUSED("a)b", ERR_USAGE, 1);
	REFUSED("[a", ERR_USAGE, 2);
	REFUSED("*", ERR_USAGE, 0);
	REFUSED("a\xff", ERR_USAGE, 1);
}

TEST(pattern_bombs_are_refused)
{
	char	*big = mem_alloc(4u << 20);

	memset(big, 'a', 4u << 20);
	assert_refused(big, 4u << 20, ERR_LIMIT, LIMIT_PATTERN);
	memset(big, '(', 300);
	memset(big + 300, ')', 300);
	assert_refused(big, 600, ERR_LIMIT, 65);
	mem_free(big);
	REFUSED("(*LIMIT_MATCH=4000000000)a", ERR_USAGE, 0);
	REFUSED("(*NO_JIT)a", ERR_USAGE, 0);
	REFUSED("(*UTF)a", ERR_USAGE, 0);
	REFUSED("(*UCP)(*LIMIT_HEAP=9999999)a", ERR_USAGE, 0);
	REFUSED("a\\Cb", ERR_USAGE, 3);
	REFUSED("a(?C1)b", ERR_USAGE, 1);
	REFUSED("a\\c\\(?C1)b", ERR_USAGE, 4);
	REFUSED("(?:(?:(?:(?:a{1,1000}){1,1000}){1,1000}){1,1000})", ERR_LIMIT, 49);
}

static struct regex *
regex_of(const char *pattern, enum regex_case mode)
{
	struct regex	*re;
	struct buf	*why = test_buf();
	size_t		 at;

	(void)regex_new(&re, pattern, strlen(pattern), mode, why, &at);
	return re;
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

static const char *const	hostile[] = {
	/* repeats inside of repeats */
	"(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a*)*b",
	"([a-zA-Z]+)*$", "(\\w+\\s?)*!z", "((a{0,5}){0,5}){0,5}[c]", "(a++b?)*c", "^(\\d+)*$x",
	"(|a)+$", "(.|\\s)*z", "((?:a|b|ab)+)*c", "(?i)(A|a|\xc3\xa4)+Z", "(a{1,255}){1,255}z",
	"(?:a?b?\?){0,1000}x", "^(a?){30}a{30}$", "(?>(a|b)*)*c", "(?:(?:a*)*)*[^a]z",
	/* one after another, again from each start */
	"\\s+$", "a*a*a*a*a*b", "(x+x+)+y", "(.*?,){25}P", "[^\\n]*\\n?[^\\n]*$y", ".*.*.*=",
	"\\w*\\d*\\w*-$", "(?:.*a){12}b", "a{500}b", "(?:a{60}){60}b", ".{1,1000}z", "\\S+\\s+$q",
	/* back-references */
	"(.+)\\1\\1\\1$", "(.+)+\\1z", "(?:(a)\\1)+$", "(a*)\\1*b", "(.*)(.*)\\2\\1x",
	"(\\w+)\\1{2,}$", "(.+)\\1*?b", "(?<n>.+)\\k<n>{50}!", "(.*)\\g{-1}$z", "((.+)\\2)+!a",
	"(?P<n>.+)(?P=n)+$b",
	/* looking ahead and behind */
	"(?:(?=(a+))a*b)", "(?<!(a|b|c))(\\w*)*q", "(?=(.*)*z)", "(?<=.{200})b", "(?!.*.*z)a.*b",
	"(?:(?<=a{99}).)+z", "(?=(.+)\\1)x?$",
	/* recursion and conditions */
	"(?R)?", "(a(?1)?b)*c", "(?1)(a|b(?1))", "(a|(?1)(?1))$", "(?(?=a)a|b)+c",
	"(a(?1)*a|b)+$", "(?(DEFINE)(?<q>a|(?&q)a))(?&q)+$",
	/* items that go far in one step */
	"\\X+z", "(\\X)+z", "\\R*z", "(*sr:.*)!z", "(?:\\X\\X)*$b", ".*?.*?b", "(?:\\p{L}+ ?)+[.]",
	"[\xc3\x80-\xf4\x8f\xbf\xbf]*[\xc3\xa4-\xef\xbf\xbd]+$b",
};

/* Each search returns, and all texts of an event together take no more steps than the budget. */
TEST(hostile_patterns_keep_to_the_budget)
{
	struct regex_match	*m = regex_match_new();
	unsigned		 costly = 0;

	assert_true(sizeof hostile / sizeof hostile[0] >= 60);
	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct regex	*re = regex_of(hostile[i], REGEX_SMART);

		for (size_t k = 0; re != NULL && k < sizeof fills / sizeof fills[0]; k++) {
			uint64_t	most = LIMIT_REGEX_STEPS;

			regex_match_begin(m);
			for (size_t len = 64; len <= 65536; len *= 32) {
				uint8_t	*s = fill_subject(fills[k], len);
				int	 r;

				s[len - 1] = (uint8_t)"!zbcyx"[(i + k) % 6];
				most += len * LIMIT_REGEX_BYTE;

				r = regex_find(re, m, (struct span){ s, len }, 0, NULL, NULL);
				assert_true(r == 0 || r == 1 || r == ERR_LIMIT);
				assert_true(regex_match_steps(m) <= most);
				costly += r == ERR_LIMIT;
				mem_free(s);
			}
		}
		regex_free(re);
	}
	assert_true(costly > 300);
	regex_match_free(m);
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

TEST(a_limited_match_finds_what_an_unlimited_one_finds)
{
	struct regex_match	*m = regex_match_new();
	unsigned		 compared = 0;

	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct regex	*re = regex_of(hostile[i], REGEX_EXACT);

		for (size_t k = 0; re != NULL && k < sizeof fills / sizeof fills[0]; k++) {
			uint8_t		*s = fill_subject(fills[k], 60);
			size_t		 from = 0, to = 0, place[2] = { 0 };
			uint64_t	 n;
			int		 r, want;

			s[59] = (uint8_t)"!zbcyx"[(i + k) % 6];
			regex_match_begin(m);
			r = regex_find(re, m, (struct span){ s, 60 }, 0, &from, &to);
			want = find_unlimited(hostile[i], 0, s, 60, place, &n);
			if (r != ERR_LIMIT && want >= 0) {
				assert_int_equal(r, want);
				assert_int_equal(from, place[0]);
				assert_int_equal(to, place[1]);
				compared++;
			}
			mem_free(s);
		}
		regex_free(re);
	}
	assert_true(compared > 500);
	regex_match_free(m);
}

/* The bound is computed from the pattern alone. Here it is compared with counted steps. */
TEST(a_bound_is_never_told_too_low)
{
	static const char *const	patterns[] = {
		"a+b", "a*a*b", "\\w+\\d", "(ab)*c", "(?:a|b)?a*c", "a{2,9}b", "a{2,}b", "[ab]+c",
		"a?a?a?a?b", "(a*)(a*)c", "(?:aa)+b", "(a|ab)(a|ab)(a|ab)c", "\\w*?x", "^\\w+\\s",
		"(?:a{3}){4}b", "(?:a*b){2}c", "a.*b.*c", "\\ba+\\b.", "((a))*b", "(?:a{0,20}){3}b",
		"(?:a|aa|aaa){5}c",
	};
	unsigned	looked = 0;

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		struct regex_reading	r;

		regex_read(patterns[i], strlen(patterns[i]), false, &r);
		assert_true(r.cost.known);
		for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++) {
			uint8_t		*s = fill_subject(fills[k], 40);
			size_t		 place[2];
			uint64_t	 n;

			s[39] = (uint8_t)fills[k][0];
			(void)find_unlimited(patterns[i], PCRE2_NO_START_OPTIMIZE, s, 40, place,
			    &n);
			assert_true((double)n <= 41 * (regex_cost_at(&r.cost, 41) + 1));
			looked += n > 100;
			mem_free(s);
		}
	}
	assert_true(looked > 50);
}

TEST(a_pattern_that_may_take_exponential_time_has_no_bound)
{
	static const char *const	patterns[] = {
		"(a+)+", "(a|a)*", "(.*)*", "(a?)*", "(a*b)*", "(a|b)+", "(.+)\\1", "(?R)?", "\\Xa",
		"(?=a)a", "(?<=a)b", "(?>a)", "a{,3}", "[[:alpha:]]", "(?i)a", "[]a]", "\\Qa\\E",
	};

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		struct regex_reading	r;

		regex_read(patterns[i], strlen(patterns[i]), false, &r);
		assert_false(r.cost.known);
	}
}

/* ---- what must occur */

TEST(the_run_of_a_pattern)
{
	static const struct {
		const char	*pattern, *in, *out;
		unsigned	 n;
	} cases[] = {
		{ "[A-Z]{3}\\d+", "AQZ", "a@[0", 3 }, { "\\d{4,}", "09", "a/:", 4 },
		{ "x\\w{2}?", "aZ_5", "-^`", 2 }, { "[^a-c]{2}", "dA \n", "abc", 2 },
		{ "[\\d.-]+", "0.-", "a", 1 }, { "[a-f0-9]{8}|x", "", "", 0 },
		{ "([a-f]{2}x)?", "", "", 0 }, { "(a[b-d]{2})+", "bcd", "ae", 2 },
		{ "[[:alpha:]]{3}", "", "", 0 }, { "[\xc3\xb6]{3}", "", "", 0 },
		{ "\\D{3}", "", "", 0 }, { "[a-\\d]{2}", "", "", 0 }, { "[\\]x]{2}", "]x", "\\", 2 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct regex_reading	r;

		regex_read(cases[i].pattern, strlen(cases[i].pattern), false, &r);
		assert_int_equal(r.run.n, cases[i].n);
		for (const char *c = cases[i].in; *c != '\0'; c++)
			assert_true(r.run.has[(unsigned char)*c]);
		for (const char *c = cases[i].out; *c != '\0'; c++)
			assert_false(r.run.has[(unsigned char)*c]);
	}
}

static void
expect_literals(const char *pattern, const char *want)
{
	struct regex			*re;
	const struct regex_literals	*l;
	struct buf			*got = test_buf();
	size_t				 at;

	assert_int_equal(regex_new(&re, pattern, strlen(pattern), REGEX_SMART, got, &at), ERR_OK);
	l = regex_literals(re);
	for (unsigned i = 0; i < l->n; i++) {
		buf_puts(got, i > 0 ? "," : "");
		buf_add(got, l->v[i].text, l->v[i].len);
	}
	if (strcmp(buf_str(got), want) != 0)
		fail_msg("%s: %s, not %s", pattern, buf_str(got), want);
	regex_free(re);
}

TEST(the_literals_of_a_pattern)
{
	static const char *const	cases[][2] = {
		{ "text", "text" }, { "Text", "Text" }, { "4711", "4711" }, { "a", "" },
		{ "foo|bar", "foo,bar" }, { "foo|b", "" }, { "foo|", "" }, { "foo|.*", "" },
		{ "(foo|bar)baz", "baz" }, { "(foo|bar)bazz", "bazz" },
		{ "[A-Z]{3}\\d+", "" }, { "[A-Z]+Exception$", "Exception" },
		{ "^GC/(Start|Stop)", "Start,Stop" }, { "^GC/(S|E)", "GC/" },
		{ "ab+cd", "bcd" }, { "xa(bc)+d", "xabc" }, { "ab*cd", "cd" }, { "abc?de", "ab" },
		{ "abc?def", "def" }, { "a(bc)d", "abcd" }, { "(?:ab)cd", "abcd" },
		{ "a(x.*bc)de", "bcde" }, { "(ab.cd){2,3}ef", "cdef" }, { "(ab.cd)?ef", "ef" },
		{ "a\\.b", "a.b" }, { "ab\\dcde", "cde" }, { "foo\\bbar", "foobar" },
		{ "(?i)text", "" }, { "(?=text)", "" }, { "te\\x{78}t", "te" }, { "\\Qtext\\E", "" },
		{ "a{,3}text", "" }, { "[[:alpha:]]text", "" },
		{ "gr\xc3\xb6\xc3\x9f" "er", "gr" }, { "Gr\xc3\xb6\xc3\x9f", "Gr\xc3\xb6\xc3\x9f" },
		{ "Te\xef\xbf\xbdxt", "Te" }, { "task", "task" }, { "kiss", "" }, { "ss", "" },
		{ "(a+)+bc", "abc" }, { "(ab|cd)*", "" }, { "(ab|cd)+", "ab,cd" },
		{ "aa|bb|cc|dd|ee|ff|gg|hh", "aa,bb,cc,dd,ee,ff,gg,hh" },
		{ "aa|bb|cc|dd|ee|ff|gg|hh|ii", "" },
		{ "abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz012345" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_literals(cases[i][0], cases[i][1]);
}

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

/* Usual patterns in 64 KiB of text: found at the right place, never too costly. */
TEST(ordinary_patterns_find_what_stands_in_a_long_text)
{
	static const char	line[] = "GET /api/v1/users/4711?q=Jones HTTP/1.1 200 took 12.5 ms "
				    "[thread 25] System.Collections.Generic.List`1[System.String], ";
	static const char	last[] = "POST /api/v2/orders/99 500 IOException: the wire is cut; "
				    "retry=true user@example.org 7f3a-00ff \"a b\" foo foo end";
	static const char *const	patterns[] = {
		"exception", "Exception: .*cut", "\\bPOST\\b", "status|retry=\\w+", "v2/\\w+/\\d+",
		"(GET|POST) /api/v2", "\\d{3} \\w+Exception", "[0-9a-f]{4}-[0-9a-f]{4}", "end$",
		"\\w+@\\w+\\.\\w+", "^GET .* end$", "retry=(true|false)", "\"[^\"]*\"", ".*cut",
		"(?i)ioexception", "(?<=user)@", "(?:orders|users)/99", "50\\d", "cut.{1,20}user",
		"(foo|bar) \\1\\b", "(?:\\d+\\.){3}\\d+|example", "wire.*retry.*foo", "io[a-z]+:",
		"foo\\s+foo", "the\\s+(wire|net)\\s+is",
	};
	size_t			 len = 65536, at = len - strlen(last);
	uint8_t			*s = mem_alloc(len);
	struct regex_match	*m = regex_match_new();

	for (size_t i = 0; i < at; i++)
		s[i] = (uint8_t)line[i % strlen(line)];
	memcpy(s + at, last, strlen(last));
	s[at - 1] = ' ';
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		struct regex	*re = regex_of(patterns[i], REGEX_SMART);
		size_t		 from, to, place[2];
		uint64_t	 n;
		uint32_t	 options = strpbrk(patterns[i], "GEPI") ? 0 : PCRE2_CASELESS;

		regex_match_begin(m);
		if (regex_find(re, m, (struct span){ s, len }, 0, &from, &to) != 1)
			fail_msg("%s is not found", patterns[i]);
		assert_int_equal(find_unlimited(patterns[i], options, s, len, place, &n), 1);
		assert_int_equal(from, place[0]);
		assert_int_equal(to, place[1]);
		assert_true(to > at);
		regex_free(re);
	}
	regex_match_free(m);
	mem_free(s);
}

/* The budget is one for all texts of an event; a new event has it whole again. */
TEST(the_budget_is_shared_by_the_texts_of_an_event)
{
	struct regex_match	*m = regex_match_new();
	struct regex		*re = regex_of("(a+)+$", REGEX_SMART);
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

/* Patterns for which PCRE2's optimizations lose a match; the places are those of Python's re. */
TEST(no_match_is_lost_to_a_shortcut)
{
	static const struct {
		const char	*pattern, *text;
		size_t		 from, to;
	} cases[] = {
		{ "(?=a)(a|b){0,2}(?:ab|a)\\w", "foo123bar", 7, 9 },
		{ "(?=a)\\S*?(?:ab|a)", "((a))", 2, 3 },
		{ "(?=a)(?:a|bc)*?(?:ab|a)", "a.b.c/d-e_f", 0, 1 },
		{ "c{1,3}(b)?+\\w{1,}?", "aaa bbb ccc", 8, 11 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t	from = 0, to = 0;

		assert_int_equal(find_mode(cases[i].pattern, strlen(cases[i].pattern),
		    REGEX_SMART, cases[i].text, strlen(cases[i].text), &from, &to), 1);
		assert_int_equal(from, cases[i].from);
		assert_int_equal(to, cases[i].to);
	}
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

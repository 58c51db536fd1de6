/*
 * Regular expressions: results against expectations written out, hostile patterns and subjects.
 * test_regex_nojit.c runs the same where the machine allows no JIT.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/regex.h"

static int
find_mode(const char *pattern, size_t plen, enum regex_case mode, const char *text, size_t len,
    size_t *from, size_t *to)
{
	struct regex		*re;
	struct regex_match	*m = regex_match_new();
	struct buf		 why;
	size_t			 at;
	uint8_t			*subject = mem_alloc(len);
	int			 r;

	buf_init(&why);
	assert_int_equal(regex_new(&re, pattern, plen, mode, &why, &at), ERR_OK);
	assert_non_null(re);
	assert_int_equal(why.len, 0);
	memcpy(subject, text, len);
	r = regex_find(re, m, (struct span){ subject, len }, 0, from, to);
	mem_free(subject);
	buf_release(&why);
	regex_match_free(m);
	regex_free(re);
	return r;
}

static int
find(const char *pattern, const char *text)
{
	return find_mode(pattern, strlen(pattern), REGEX_SMART, text, strlen(text), NULL, NULL);
}

static void
test_a_capital_in_the_pattern_makes_it_sensitive(void **state)
{
	(void)state;
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

static void
test_the_place_of_a_match_is_told(void **state)
{
	size_t	from, to;

	(void)state;
	assert_int_equal(find_mode("b+", 2, REGEX_SMART, "aabbbc", 6, &from, &to), 1);
	assert_int_equal(from, 2);
	assert_int_equal(to, 5);
	assert_int_equal(find_mode("//1/2", 5, REGEX_SMART, "x//1/2/", 7, &from, &to), 1);
	assert_int_equal(from, 1);
	assert_int_equal(to, 6);
}

static void
test_classes_know_letters_beyond_ascii(void **state)
{
	static const struct { const char *pattern, *text; int found; } cases[] = {
		{ "r\\w\xc3\x9f", "gr\xc3\xbc\xc3\x9f" "e", 1 }, { "r\\W", "gr\xc3\xbc", 0 },
		{ "^\\w+$", "\xe4\xb8\x96\xe7\x95\x8c", 1 }, { "^\\S+$", "gr\xc3\xbc\xc3\x9f", 1 },
		{ "r\\D", "r\xc3\xbc", 1 }, { "^\\D{2}$", "\xe4\xb8\x96\xe7\x95\x8c", 1 },
		{ "r\\W", "r\xf0\x9f\x91\x8b", 1 }, { "(\\W)e", "\xf0\x9f\x91\x8b" "e", 1 },
		{ "\\b\xc3\xbc", "r\xc3\xbc", 0 }, { "\\b\xc3\xbc", "r \xc3\xbc", 1 },
		{ "r\\D", "\xff r\xc3\xbc\xfe", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(find_mode(cases[i].pattern, strlen(cases[i].pattern), REGEX_SMART,
		    cases[i].text, strlen(cases[i].text), NULL, NULL), cases[i].found);
}

static bool
literal(const char *pattern)
{
	struct regex	*re;
	struct buf	 why;
	size_t		 at;
	bool		 r;

	buf_init(&why);
	assert_int_equal(regex_new(&re, pattern, strlen(pattern), REGEX_SMART, &why, &at), ERR_OK);
	r = regex_is_literal(re);
	regex_free(re);
	buf_release(&why);
	return r;
}

static void
test_patterns_that_can_not_fold_are_literal(void **state)
{
	(void)state;
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

static void
test_bytes_of_any_kind_are_searched(void **state)
{
	(void)state;
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
	struct buf	 why;
	size_t		 at = SIZE_MAX;
	char		*exact = mem_alloc(len);

	memcpy(exact, pattern, len);
	buf_init(&why);
	assert_int_equal(regex_new(&re, exact, len, REGEX_SMART, &why, &at), err);
	assert_null(re);
	assert_int_equal(at, want_at);
	assert_true(why.len > 0);
	for (size_t i = 0; i < why.len; i++)
		assert_true(why.p[i] >= 0x20 && why.p[i] < 0x7f);
	mem_free(exact);
	buf_release(&why);
}

#define REFUSED(pattern, err, at) assert_refused(pattern, sizeof pattern - 1, err, at)

static void
test_bad_patterns_are_refused_with_their_position(void **state)
{
	(void)state;
	REFUSED("ab(", ERR_USAGE, 3);
	REFUSED("a)b", ERR_USAGE, 1);
	REFUSED("[a", ERR_USAGE, 2);
	REFUSED("*", ERR_USAGE, 0);
	REFUSED("a\xff", ERR_USAGE, 1);
}

static void
test_pattern_bombs_are_refused(void **state)
{
	char	*big = mem_alloc(4u << 20);

	(void)state;
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

/* Each gives an answer, whatever the subject: 1, 0 or "too costly". That it comes is the test. */
static void
test_hostile_patterns_come_to_an_end(void **state)
{
	static const char *const	patterns[] = {
		"(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*)*x", "(.*?,){25}P", "\\s+$", "(?R)?",
		"^(([a-z])+.)+[A-Z]([a-z])+$", "(a*)*b", "([a-zA-Z]+)*$", "(x+x+)+y", "(.+)+\\1z",
		"^(a?){30}a{30}$", "(\\w+\\s?)*!", "((a{0,5}){0,5}){0,5}[c]", "(a(?1)?b)*c",
		"(?:(?=(a+))a*b)", "(a++b?)*c", "^(\\d+)*$x", "(?<!(a|b|c))(\\w*)*q", "(|a)+$",
		"(.|\\s)*z", "(?=(.*)*z)", "((?:a|b|ab)+)*c", "\\X+z", "(?i)(A|a|\xc3\xa4)+Z",
		"(?:a?b?\?){0,1000}x", "(?1)(a|b(?1))", "[^\\n]*\\n?[^\\n]*$y",
		"(a{1,255}){1,255}z",
	};
	static const char		fill[] = "aA ,x1";
	struct regex_match		*m = regex_match_new();

	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		struct regex	*re;
		struct buf	 why;
		size_t		 at;
		int		 err;

		buf_init(&why);
		err = regex_new(&re, patterns[i], strlen(patterns[i]), REGEX_SMART, &why, &at);
		buf_release(&why);
		if (err != ERR_OK)
			continue;
		for (size_t k = 0; k < strlen(fill); k++) {
			for (size_t len = 64; len <= 65536; len *= 32) {
				uint8_t	*s = mem_alloc(len);
				int	 r;

				memset(s, fill[k], len);
				s[len - 1] = '!';
				r = regex_find(re, m, (struct span){ s, len }, 0, NULL, NULL);
				assert_true(r == 0 || r == 1 || r == ERR_LIMIT);
				assert_int_equal(regex_match_cut(m), len > LIMIT_SUBJECT_JIT ||
				    (regex_match_cut(m) && len > LIMIT_SUBJECT));
				mem_free(s);
			}
		}
		regex_free(re);
	}
	regex_match_free(m);
}

static void
test_a_long_subject_is_searched_in_part_and_that_is_told(void **state)
{
	size_t			 len = LIMIT_SUBJECT_JIT + 100;
	char			*s = mem_alloc(len);
	struct regex_match	*m = regex_match_new();
	struct regex		*re;
	struct buf		 why;
	size_t			 at;

	(void)state;
	memset(s, 'x', len);
	s[len - 1] = 'z';
	buf_init(&why);
	assert_int_equal(regex_new(&re, "z", 1, REGEX_SMART, &why, &at), ERR_OK);
	s[len - 1] = 'Z';
	assert_int_equal(regex_find(re, m, (struct span){ (uint8_t *)s, len }, 0, NULL, NULL), 1);
	assert_false(regex_match_cut(m));	/* plain characters are found anywhere */
	regex_free(re);
	assert_int_equal(regex_new(&re, "z+", 2, REGEX_SMART, &why, &at), ERR_OK);
	assert_int_equal(regex_find(re, m, (struct span){ (uint8_t *)s, len }, 0, NULL, NULL), 0);
	assert_true(regex_match_cut(m));
	s[10] = 'Z';
	assert_int_equal(regex_find(re, m, (struct span){ (uint8_t *)s, 20 }, 0, NULL, NULL), 1);
	assert_false(regex_match_cut(m));
	regex_free(re);
	buf_release(&why);
	regex_match_free(m);
	mem_free(s);
}

/* Searching on from the end of each match, from any start, even inside a character. */
static void
test_every_start_is_a_valid_start(void **state)
{
	static const char	text[] = "\xc3\xa4\xe6\xbc\xa2" "a\xff\xf0\x9f\x98\x80z";
	struct regex_match	*m = regex_match_new();
	struct regex		*re;
	struct buf		 why;
	size_t			 at;

	(void)state;
	buf_init(&why);
	assert_int_equal(regex_new(&re, "z|$", 3, REGEX_SMART, &why, &at), ERR_OK);
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
	buf_release(&why);
	regex_match_free(m);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_a_capital_in_the_pattern_makes_it_sensitive),
		cmocka_unit_test(test_the_place_of_a_match_is_told),
		cmocka_unit_test(test_classes_know_letters_beyond_ascii),
		cmocka_unit_test(test_patterns_that_can_not_fold_are_literal),
		cmocka_unit_test(test_bytes_of_any_kind_are_searched),
		cmocka_unit_test(test_bad_patterns_are_refused_with_their_position),
		cmocka_unit_test(test_pattern_bombs_are_refused),
		cmocka_unit_test(test_hostile_patterns_come_to_an_end),
		cmocka_unit_test(test_a_long_subject_is_searched_in_part_and_that_is_told),
		cmocka_unit_test(test_every_start_is_a_valid_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

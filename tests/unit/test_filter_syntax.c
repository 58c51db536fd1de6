/*
 * Expressions written by the program: quoted texts are read as the same bytes, joined expressions
 * keep their meaning, and the places of terms are right.
 */
#include "../support/cases.h"
#include "engine/filter/ast.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

static struct filter *
compile(const struct buf *b)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;

	if (filter_new(&f, b->p, b->len, NULL, false, 0, &e) != ERR_OK)
		fail_msg("%s: %s", buf_str((struct buf *)(uintptr_t)b), buf_str(&e.text));
	filter_error_release(&e);
	return f;
}

static void
assert_clean_line(const struct buf *b)
{
	const uint8_t	*p = (const uint8_t *)b->p, *end = p + b->len;

	while (p < end) {
		int32_t	cp;

		p += text_decode(p, end, &cp);
		assert_true(cp >= 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0));
	}
}

static void
assert_text_survives(const char *text, size_t len)
{
	struct filter	*f;
	struct buf	 b = { 0 };

	buf_puts(&b, "a = ");
	assert_true(filter_quote(&b, text, len));
	buf_puts(&b, " and b = 1");
	assert_clean_line(&b);
	f = compile(&b);
	assert_int_equal(f->nterms, 2);
	assert_int_equal(f->terms[0].lits[0].len, len);
	assert_memory_equal(f->terms[0].lits[0].text, text, len);
	assert_true(f->terms[0].lits[0].quoted);
	filter_free(f);
	buf_release(&b);
}

static void
assert_name_survives(const char *prefix, const char *name, size_t len)
{
	struct filter	*f;
	struct buf	*b = test_buf();

	filter_quote_name(b, prefix, name, len);
	buf_puts(b, " = 1");
	assert_clean_line(b);
	f = compile(b);
	assert_int_equal(f->terms[0].ref.def->kind, FIELD_PAYLOAD);
	assert_int_equal(strlen(f->terms[0].ref.path), len);
	assert_memory_equal(f->terms[0].ref.path, name, len);
	filter_free(f);
}

TEST(every_byte_survives_quotes)
{
	char	text[3] = { 0 };

	assert_text_survives("", 0);
	for (unsigned a = 0; a < 256; a++) {
		text[0] = (char)a;
		assert_text_survives(text, 1);
		for (unsigned c = 0; c < 256; c++) {
			text[1] = (char)c;
			assert_text_survives(text, 2);
		}
	}
	assert_text_survives("C:\\new\\table\\x41\\", 16);
	assert_text_survives("\" and pid = 1 or \"", 18);
	assert_text_survives("\n:pipe sh -c id\n", 16);
	assert_text_survives("\xe2\x80\xa8\xe2\x80\xae", 6);
}

TEST(random_bytes_survive_quotes)
{
	char	text[64];

	srandom(1);
	for (unsigned i = 0; i < 20000; i++) {
		size_t	len = (size_t)random() % sizeof text;

		for (size_t k = 0; k < len; k++)
			text[k] = random() % 3 == 0 ? "\"\\$'/x\n\t"[random() % 8] :
			    (char)random();
		assert_text_survives(text, len);
		for (size_t k = 0; k < len; k++)
			text[k] |= text[k] == '\0';
		if (len > 0)
			assert_name_survives("payload.", text, len);
	}
}

TEST(a_text_beyond_all_expressions_is_not_quoted)
{
	char		*big = mem_zalloc(LIMIT_FILTER_LEN, 1);
	struct buf	*b = test_buf();

	buf_puts(b, "x");
	assert_false(filter_quote(b, big, LIMIT_FILTER_LEN));
	assert_string_equal(buf_str(b), "x");
	assert_true(filter_quote(b, big, 1000));
	mem_free(big);
}

/* ---- terms */

CASE(terms)
{
	struct filter_terms	t;

	if (!filter_terms(&t, (const char *)arg[0].p, arg[0].len)) {
		buf_puts(out, "none");
		return;
	}
	for (size_t i = 0; i < t.n; i++) {
		buf_puts(out, i > 0 ? "|" : "");
		buf_add(out, arg[0].p + t.v[i].begin, t.v[i].end - t.v[i].begin);
	}
	filter_terms_release(&t);
}

/* What a pattern is when it is quoted. */
CASE(pattern)
{
	struct filter_terms	 t;
	struct buf		*b = test_buf();

	filter_quote_pattern(b, (const char *)arg[0].p, arg[0].len);
	if (filter_terms(&t, b->p, b->len))
		buf_puts(out, t.n == 1 && t.v[0].end == b->len ? "one" : "several");
	else
		buf_puts(out, "none");
	filter_terms_release(&t);
}

/* NULL: no expression. */
CASE(join)
{
	const char	*of[2];

	for (size_t i = 0; i < 2; i++)
		of[i] = span_is(arg[i], "NULL") ? NULL : case_text(arg[i]);
	filter_join(out, of, 2);
	if (out->len > 0)
		filter_free(compile(out));
}

CASE(negate)
{
	filter_negate(out, case_text(arg[0]));
	filter_free(compile(out));
}

CASES("expressions.txt", 25)

static uint64_t
steps_of(size_t n, const char *term)
{
	struct filter_terms	 t;
	struct buf		*b = test_buf();
	uint64_t		 steps;

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", i > 0 ? " and " : "", term);
	assert_true(filter_terms(&t, b->p, b->len));
	assert_int_equal(t.n, n);
	steps = t.steps;
	assert_true(steps >= b->len / 2);
	filter_terms_release(&t);
	return steps;
}

TEST(the_cost_of_terms_is_linear)
{
	static const char *const	terms[] = { "a = 1", "/x/", "not(b~y)", "has z" };

	for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
		uint64_t	some = steps_of(2000, terms[i]), twice = steps_of(4000, terms[i]);

		assert_in_range(twice, some, some * 21 / 10);
		assert_true(some < 2000 * 60);
	}
}

TEST(the_cost_of_a_long_text_is_linear)
{
	char		*text = mem_alloc(32768);
	struct buf	 b = { 0 };

	for (size_t i = 0; i < 32768; i++)
		text[i] = " and or "[i % 8];
	for (size_t len = 8192; len <= 24576; len += 8192) {
		struct filter_terms	t;

		buf_puts(&b, "x = ");
		assert_true(filter_quote(&b, text, len));
		assert_true(filter_terms(&t, b.p, b.len));
		assert_int_equal(t.n, 1);
		assert_in_range(t.steps, len, len + 100);
		filter_terms_release(&t);
		buf_release(&b);
	}
	mem_free(text);
}

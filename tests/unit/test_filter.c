/*
 * The filter language: refused expressions and the place of the error, and matches in small traces
 * with known contents (tests/data/features). The sentence in each row is the expectation.
 */
#include <math.h>

#include "../support/data.h"
#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "engine/filter/ast.h"

/* ---- the parser, without a trace */

static int
parse(const char *text, size_t len, size_t *column, struct buf *why)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;
	char			*exact = mem_alloc(len);
	int			 r;

	memcpy(exact, text, len);
	r = filter_new(&f, exact, len, NULL, true, 0, &e);
	assert_int_equal(f != NULL, r == ERR_OK);
	assert_int_equal(e.text.len > 0, r != ERR_OK);
	assert_true(e.column <= len);
	*column = e.column;
	if (why != NULL)
		buf_add(why, e.text.p, e.text.len);
	filter_free(f);
	filter_error_release(&e);
	mem_free(exact);
	return r;
}

static void
need_parse(const char *const *column)
{
	const char	*text = column[1];
	struct buf	*why = test_buf();
	size_t		 at;
	int		 err = parse(text, strlen(text), &at, why);
	bool		 good = strcmp(column[0], "good") == 0;

	if (err != (good ? ERR_OK : ERR_USAGE) || (!good && at != strtoul(column[0], NULL, 10)) ||
	    strstr(buf_str(why), column[2]) == NULL)
		fail_msg("%s: \"%s\" at %zu", text, buf_str(why), at);
}

TEST(what_the_language_has_is_taken_and_what_is_wrong_is_told_with_its_column)
{
	static const char *const	blanks[] = { "good", " \t a = 1 \r\n", "" };

	assert_true(data_list("syntax.txt", need_parse) > 135);
	need_parse(blanks);
}

TEST(depth_and_length_are_limited)
{
	struct buf	*b = test_buf();
	size_t		 column;

	for (unsigned depth = LIMIT_FILTER_DEPTH; depth <= LIMIT_FILTER_DEPTH + 1; depth++) {
		buf_clear(b);
		for (unsigned i = 0; i < depth; i++)
			buf_puts(b, "not (");
		buf_puts(b, "a = 1");
		for (unsigned i = 0; i < depth; i++)
			buf_putc(b, ')');
		assert_int_equal(parse(b->p, b->len, &column, NULL),
		    depth <= LIMIT_FILTER_DEPTH ? ERR_OK : ERR_LIMIT);
	}
	assert_int_equal(column, 5 * LIMIT_FILTER_DEPTH + 4);
	buf_clear(b);
	while (b->len < LIMIT_FILTER_LEN - 10)
		buf_puts(b, "a=1 or ");
	buf_puts(b, "a=1");
	assert_int_equal(parse(b->p, b->len, &column, NULL), ERR_OK);
	buf_clear(b);
	while (b->len <= LIMIT_FILTER_LEN)
		buf_puts(b, "not ");
	assert_int_equal(parse(b->p, b->len, &column, NULL), ERR_LIMIT);
	assert_int_equal(parse(b->p, LIMIT_FILTER_LEN, &column, NULL), ERR_USAGE);
}

TEST(every_prefix_and_every_changed_byte_is_taken_or_refused)
{
	static const char	text[] = "not (provider ~ \"K\\\"e.*\" or /a\\/b/)"
	    " and tid in (1, 0x2) and time in 1s..2.5s and has payload.\"x y\""
	    " and activity under //1/2 or c != 'd'";
	char			b[sizeof text];
	size_t			column;

	for (size_t len = 0; len < sizeof text; len++)
		(void)parse(text, len, &column, NULL);
	for (size_t i = 0; i < sizeof text - 1; i++) {
		for (int c = 0; c < 256; c++) {
			memcpy(b, text, sizeof text);
			b[i] = (char)c;
			(void)parse(b, sizeof text - 1, &column, NULL);
		}
	}
}

/* The tree as text, in full brackets; terms as 0, 1, ... in the order of the expression. */
static void
print_node(struct buf *out, const struct filter *f, uint32_t node)
{
	const struct filter_node	*n = &f->nodes[node];

	if (n->kind == NODE_TERM) {
		buf_u64(out, n->term);
		return;
	}
	buf_puts(out, n->kind == NODE_AND ? "(and" : n->kind == NODE_OR ? "(or" : "(not");
	for (uint32_t c = n->first; c != 0; c = f->nodes[c].next) {
		buf_putc(out, ' ');
		print_node(out, f, c);
	}
	buf_putc(out, ')');
}

static void
assert_tree(const char *text, const char *want)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;
	struct buf		*b = test_buf();

	assert_int_equal(filter_new(&f, text, strlen(text), NULL, true, 0, &e), ERR_OK);
	print_node(b, f, f->root);
	assert_string_equal(buf_str(b), want);
	filter_free(f);
	filter_error_release(&e);
}

/* The literals of an expression's first term, one a line. */
static void
assert_values(const char *text, const char *want)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;
	struct buf		*b = test_buf();

	assert_int_equal(filter_new(&f, text, strlen(text), NULL, true, 0, &e), ERR_OK);
	for (size_t i = 0; i < f->terms[0].nlits; i++) {
		buf_puts(b, i > 0 ? "\n" : "");
		buf_add(b, f->terms[0].lits[i].text, f->terms[0].lits[i].len);
	}
	assert_string_equal(buf_str(b), want);
	filter_free(f);
	filter_error_release(&e);
}

TEST(a_comma_inside_brackets_that_a_word_opened_is_a_part_of_it)
{
	assert_values("a in (Dictionary`2[System.Int32,System.String], b)",
	    "Dictionary`2[System.Int32,System.String]\nb");
	assert_values("a in (f(x,y),g)", "f(x,y)\ng");
	assert_values("a in (A`2[B`1[C,D],E],{1,2},Func<int,bool>)",
	    "A`2[B`1[C,D],E]\n{1,2}\nFunc<int,bool>");
	assert_values("a = Dictionary`2[System.Int32,System.String]",
	    "Dictionary`2[System.Int32,System.String]");
	/* A bracket that is not closed is an ordinary character. */
	assert_values("a in (x[,y)", "x[\ny");
	assert_values("a in (x<1,y, z>2)", "x<1\ny\nz>2");
	assert_values("a in (x],y[)", "x]\ny[");
}

TEST(a_unit_may_stand_behind_a_blank)
{
	assert_values("size > 100 KB", "100KB");
	assert_values("size in (1 KB,2  MiB )", "1KB\n2MiB");
	assert_values("time in 1 s..2.5 s", "1s\n2.5s");
	assert_values("dur > 5 \xc2\xb5s and a = 1", "5\xc2\xb5s");
	assert_values("a = \"100\"", "100");
}

TEST(and_binds_closer_than_or_and_not_closest)
{
	assert_tree("a=1", "0");
	assert_tree("a=1 or b=1 and c=1", "(or 0 (and 1 2))");
	assert_tree("a=1 and b=1 or c=1", "(or (and 0 1) 2)");
	assert_tree("(a=1 or b=1) and c=1", "(and (or 0 1) 2)");
	assert_tree("not a=1 and b=1", "(and (not 0) 1)");
	assert_tree("not (a=1 and b=1)", "(not (and 0 1))");
	assert_tree("not not not a=1", "(not 0)");
	assert_tree("a=1 and b=1 and c=1 and d=1", "(and 0 1 2 3)");
	assert_tree("((a=1))", "0");
	assert_tree("a=1 || b=1 && NOT c=1", "(or 0 (and 1 (not 2)))");
	assert_tree("NOT not a=1 AND b=1", "(and 0 1)");
}

TEST(cheap_terms_are_asked_first)
{
	assert_tree("/x/ and a ~ b and a = 1 and tid = 1 and size > 1 and name = x",
	    "(and 5 4 3 2 1 0)");
}

TEST(numbers_of_all_kinds_are_ordered_exactly)
{
	static const struct filter_num	n[] = {		/* ascending */
		{ NUM_F, .f = -1e30 }, { NUM_I, .i = INT64_MIN }, { NUM_F, .f = -2.5 },
		{ NUM_I, .i = -2 }, { NUM_F, .f = -0.5 }, { NUM_U, .u = 0 }, { NUM_F, .f = 0.5 },
		{ NUM_I, .i = 1 }, { NUM_F, .f = 9007199254740992.0 },
		{ NUM_U, .u = 9007199254740993 }, { NUM_F, .f = 9007199254740994.0 },
		{ NUM_I, .i = INT64_MAX }, { NUM_F, .f = 9223372036854775808.0 },
		{ NUM_U, .u = UINT64_C(9223372036854775809) }, { NUM_U, .u = UINT64_MAX },
		{ NUM_F, .f = 18446744073709551616.0 },
	};
	const unsigned	count = sizeof n / sizeof n[0];
	int		order;

	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = 0; k < count; k++) {
			assert_true(num_compare(&n[i], &n[k], &order));
			assert_int_equal(order, i < k ? -1 : i > k);
		}
	}
	assert_false(num_compare(&(struct filter_num){ NUM_F, .f = (double)NAN }, &n[0], &order));
}

TEST(times_are_read_in_all_forms)
{
	static const struct { const char *text; int64_t ns; } times[] = {
		{ "2.1s", 2100000000 }, { "1500ms", 1500000000 }, { "0", 0 },
		{ "+5s", 15000000000 }, { "-5s", 5000000000 },
		{ "1970-01-01T00:00:01Z", 1000000000 },
	};
	int64_t	ns;

	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		assert_int_equal(filter_parse_time(NULL, times[i].text, strlen(times[i].text),
		    10000000000, &ns), ERR_OK);
		assert_int_equal(ns, times[i].ns);
	}
	assert_int_equal(filter_parse_time(NULL, "5", 1, 0, &ns), ERR_USAGE);
	assert_int_equal(filter_parse_time(NULL, "", 0, 0, &ns), ERR_USAGE);
}

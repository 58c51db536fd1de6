/*
 * The filter language: refused expressions and the place of the error, and matches in small traces
 * with known contents (tests/data/features). The sentence in each row is the expectation.
 */
#include <math.h>

#include "../support/cases.h"
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

CASE(parse)
{
	struct buf	*why = test_buf();
	size_t		 at;
	int		 err = parse((const char *)arg[0].p, arg[0].len, &at, why);

	if (err == ERR_OK)
		buf_puts(out, "good");
	else if (err == ERR_USAGE)
		buf_u64(out, at);
	if (strstr(buf_str(why), case_text(arg[1])) == NULL)
		buf_puts(out, buf_str(why));
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

static struct filter *
good_filter(struct span text)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;

	assert_int_equal(filter_new(&f, (const char *)text.p, text.len, NULL, true, 0, &e), ERR_OK);
	filter_error_release(&e);
	return f;
}

CASE(tree)
{
	struct filter	*f = good_filter(arg[0]);

	print_node(out, f, f->root);
	filter_free(f);
}

/* The literals of an expression's first term, one a line. */
CASE(values)
{
	struct filter	*f = good_filter(arg[0]);

	for (size_t i = 0; i < f->terms[0].nlits; i++) {
		buf_puts(out, i > 0 ? "\n" : "");
		buf_add(out, f->terms[0].lits[i].text, f->terms[0].lits[i].len);
	}
	filter_free(f);
}

/* A time, and how long the trace is. */
CASE(time)
{
	int64_t	ns;

	if (case_good(out, filter_parse_time(NULL, (const char *)arg[0].p, arg[0].len,
	    case_i64(arg[1]), &ns)))
		buf_i64(out, ns);
}

CASES("syntax.txt", 170)

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

/*
 * Cells: one value in several spellings. Expected texts are listed.
 */
#include "../support/cases.h"
#include "tnav/out/cell.h"

static const char *const	formats[] = {
	[OUT_TEXT] = "text", [OUT_JSONL] = "json", [OUT_CSV] = "csv", [OUT_TSV] = "tsv",
	[OUT_MARKDOWN] = "markdown",
};
static const char *const	kinds[] = {
	[CELL_NONE] = "none", [CELL_NULL] = "null", [CELL_U64] = "u64", [CELL_BYTES] = "bytes",
	[CELL_I64] = "i64", [CELL_F64] = "f64", [CELL_TIME] = "time", [CELL_DUR] = "dur",
	[CELL_TEXT] = "text", [CELL_RAW] = "raw", [CELL_PLAIN] = "plain", [CELL_HEX] = "hex",
	[CELL_SPARK] = "spark",
};

static unsigned
number_of(struct span word, const char *const *words)
{
	unsigned	i = 0;

	while (!span_is(word, words[i]))
		i++;
	return i;
}

/* The text lies in a block of just its size. */
static void
spell_text(struct buf *b, const char *s, size_t len, enum out_format format, bool tty)
{
	struct out_style	st = { .format = format, .tty = tty, .mode = TEXT_UTF8 };
	struct cell		c = { .kind = CELL_TEXT, .text = test_exact(s, len) };

	buf_clear(b);
	cell_put(b, &c, &st);
}

CASE(text)
{
	struct out_style	st = { .format = (enum out_format)number_of(arg[1], formats),
				    .mode = TEXT_UTF8, .tty = span_is(arg[2], "tty"),
				    .guard = span_is(arg[2], "guard") };
	struct cell		c = { .kind = CELL_TEXT, .text = arg[0] };

	cell_put(out, &c, &st);
}

/* In each format. */
static void
put_cell(struct buf *out, const struct cell *c, struct out_style st)
{
	for (unsigned f = OUT_TEXT; f <= OUT_MARKDOWN; f++) {
		st.format = (enum out_format)f;
		buf_puts(out, f > 0 ? "\n" : "");
		cell_put(out, c, &st);
	}
}

CASE(cell)
{
	static const uint64_t	 parts[] = { 0, 1, 8, 4 };
	struct out_style	 st = { .mode = TEXT_UTF8, .guard = span_is(arg[3], "guard") };
	struct cell		 c = { .kind = (enum cell_kind)number_of(arg[0], kinds) };

	if (c.kind == CELL_F64)
		c = cell_f64(case_f64(arg[1]));
	else if (c.kind == CELL_SPARK)
		c.spark = (struct cell_spark){ parts, NULL, 4, 4 };
	else if (c.kind == CELL_TEXT)
		c = cell_str(span_is(arg[1], "NULL") ? NULL : case_text(arg[1]));
	else if (c.kind == CELL_RAW || c.kind == CELL_PLAIN)
		c.text = arg[1];
	else if (arg[1].len > 0 && arg[1].p[0] == '-')
		c.i = case_i64(arg[1]);
	else
		c.u = case_u64(arg[1]);
	if (!span_is(arg[3], "rounded"))
		c.show = 0;
	if (arg[2].len > 0)
		c.word = arg[2];
	put_cell(out, &c, st);
}

/* A time, and when the trace began. */
CASE(utc)
{
	struct cell	c = cell_time(case_i64(arg[0]));

	put_cell(out, &c, (struct out_style){ .utc = true, .sync_utc = case_i64(arg[1]) });
}

CASES("cells.txt", 70)

TEST(no_control_byte_reaches_a_terminal)
{
	struct buf	*b = test_buf();
	char		 all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	for (int format = OUT_TEXT; format <= OUT_TSV; format++) {
		spell_text(b, all, sizeof all, (enum out_format)format, true);
		for (size_t i = 0; i < b->len; i++)
			assert_true((unsigned char)b->p[i] >= 0x20 && b->p[i] != 0x7f);
	}
	/* Text is for people, JSON has escapes. */
	for (int format = OUT_TEXT; format <= OUT_JSONL; format++) {
		spell_text(b, all, sizeof all, (enum out_format)format, false);
		for (size_t i = 0; i < b->len; i++)
			assert_true((unsigned char)b->p[i] >= 0x20 && b->p[i] != 0x7f);
	}
}

/* In a file the text is what it was, wherever in a run of plain text something else stands. */
TEST(csv_and_tsv_in_a_file_keep_controls)
{
	static const char	 odd[] = "\x01\x08\x0b\x1b\x1f\x7f";
	char			 text[24], want[32];
	struct buf		*b = test_buf();

	for (size_t i = 0; i < sizeof odd - 1; i++) {
		for (size_t at = 0; at < sizeof text; at++) {
			memset(text, 'a', sizeof text);
			text[at] = odd[i];
			want[0] = '"';
			memcpy(want + 1, text, sizeof text);
			memcpy(want + 1 + sizeof text, "\"", 2);
			spell_text(b, text, sizeof text, OUT_CSV, false);
			assert_string_equal(buf_str(b), want);
			want[1 + sizeof text] = '\0';
			spell_text(b, text, sizeof text, OUT_TSV, false);
			assert_string_equal(buf_str(b), want + 1);
		}
	}
}

/* What an escape or a quote does to its neighbours, at each place of a text of any length. */
TEST(csv_and_tsv_escape_at_any_place)
{
	char		 text[24];
	struct buf	*b = test_buf();

	for (size_t len = 1; len <= sizeof text; len++) {
		for (size_t at = 0; at < len; at++) {
			memset(text, 'a', len);
			text[at] = '"';
			spell_text(b, text, len, OUT_CSV, false);
			assert_int_equal(b->len, len + 3);
			assert_memory_equal(b->p + 1 + at, "\"\"", 2);
			text[at] = ',';
			spell_text(b, text, len, OUT_CSV, false);
			assert_int_equal(b->len, len + 2);
			text[at] = '\\';
			spell_text(b, text, len, OUT_CSV, false);
			assert_int_equal(b->len, len);
			spell_text(b, text, len, OUT_TSV, false);
			assert_int_equal(b->len, len + 1);
			assert_memory_equal(b->p + at, "\\\\", 2);
			text[at] = '\xff';
			spell_text(b, text, len, OUT_TSV, false);
			assert_int_equal(b->len, len + 2);
			assert_memory_equal(b->p + at, "\xef\xbf\xbd", 3);
		}
	}
}

TEST(json_for_a_terminal_is_the_same_json)
{
	static const char	 line[] = "{\"a\":\"\xe2\x80\xae\xf0\x9d\x84\x9e\xee\x82\xb0\xc3\xa9\"}\n";
	struct out_style	 st = { .format = OUT_JSONL, .tty = true, .mode = TEXT_ASCII };
	struct buf		*b = test_buf();

	out_json_line(b, (struct span){ (const uint8_t *)line, sizeof line - 1 }, &st);
	assert_string_equal(buf_str(b), "{\"a\":\"\\u202e\\ud834\\udd1e\\ue0b0\\u00e9\"}\n");
	buf_clear(b);
	st.mode = TEXT_UTF8;
	out_json_line(b, (struct span){ (const uint8_t *)line, sizeof line - 1 }, &st);
	assert_null(strstr(buf_str(b), "\xe2\x80\xae"));
	assert_non_null(strstr(buf_str(b), "\xc3\xa9"));
	st.tty = false;
	buf_clear(b);
	out_json_line(b, (struct span){ (const uint8_t *)line, sizeof line - 1 }, &st);
	assert_string_equal(buf_str(b), line);
}

TEST(a_spark_line_without_unicode_has_eight_levels)
{
	static const uint64_t	parts[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct cell		c = { .kind = CELL_SPARK, .spark = { parts, NULL, 8, 8 } };
	struct out_style	st = { .format = OUT_TEXT, .mode = TEXT_ASCII };
	struct buf		*b = test_buf();

	cell_put(b, &c, &st);
	assert_string_equal(buf_str(b), " :-=+*#@");
}

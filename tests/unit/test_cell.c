/*
 * Cells: one value in four spellings. Expected texts are written out.
 */
#include "../support/test.h"
#include "tnav/out/cell.h"

static const char *
spell(struct buf *b, const struct cell *c, enum out_format format, bool tty)
{
	struct out_style	st = { .format = format, .tty = tty, .mode = TEXT_UTF8 };

	buf_clear(b);
	cell_put(b, c, &st);
	return buf_str(b);
}

/* The text lies in a block of just its size. */
static const char *
spell_text(struct buf *b, const char *s, size_t len, enum out_format format, bool tty)
{
	uint8_t		*p = malloc(len ? len : 1);
	struct cell	 c = { .kind = CELL_TEXT, .text = { p, len } };
	const char	*out;

	assert_non_null(p);
	memcpy(p, s, len);
	out = spell(b, &c, format, tty);
	free(p);
	return out;
}

#define TEXT(s, format, tty)	spell_text(b, s, sizeof s - 1, format, tty)

TEST(csv_quotes_what_the_rfc_asks_for)
{
	struct buf	*b = test_buf();

	assert_string_equal(TEXT("plain", OUT_CSV, false), "plain");
	assert_string_equal(TEXT("", OUT_CSV, false), "");
	assert_string_equal(TEXT("a,b", OUT_CSV, false), "\"a,b\"");
	assert_string_equal(TEXT("say \"hi\"", OUT_CSV, false), "\"say \"\"hi\"\"\"");
	assert_string_equal(TEXT("a\r\nb", OUT_CSV, false), "\"a\r\nb\"");
}

/* In CSV for a spreadsheet; elsewhere the text is as it was. */
static const char *
guard_text(struct buf *b, const char *s)
{
	struct out_style	st = { .format = OUT_CSV, .mode = TEXT_UTF8, .guard = true };
	struct cell		c = cell_str(s);

	buf_clear(b);
	cell_put(b, &c, &st);
	return buf_str(b);
}

TEST(csv_text_that_could_be_a_formula_is_guarded_for_spreadsheets)
{
	static const char *const	bad[] = { "=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1",
					    "-", "+1-2", "-1e", "=cmd|' /C calc'!A0" };
	static const char *const	numbers[] = { "-1", "+2.5", "-.5", "-1.", "-1e-9", "+7E+10" };
	struct buf	*b = test_buf();

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		guard_text(b, bad[i]);
		assert_memory_equal(b->p, "\"'", 2);
		assert_memory_equal(b->p + 2, bad[i], strlen(bad[i]));
		spell_text(b, bad[i], strlen(bad[i]), OUT_CSV, false);
		assert_memory_equal(b->p + (b->p[0] == '"'), bad[i], strlen(bad[i]));
	}
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		assert_string_equal(guard_text(b, numbers[i]), numbers[i]);
	assert_string_equal(spell(b, &(struct cell){ .kind = CELL_I64, .i = -5 }, OUT_CSV, false),
	    "-5");
}

TEST(tsv_escapes_what_would_break_a_row)
{
	struct buf	*b = test_buf();

	assert_string_equal(TEXT("a\tb\nc\rd\\e", OUT_TSV, false), "a\\tb\\nc\\rd\\\\e");
	assert_string_equal(TEXT("=1", OUT_TSV, false), "=1");
}

TEST(json_escapes_controls_and_repairs_text)
{
	struct buf	*b = test_buf();

	assert_string_equal(TEXT("a\"b\\c\x1b\x01", OUT_JSONL, false),
	    "\"a\\\"b\\\\c\\u001b\\u0001\"");
	assert_string_equal(TEXT("\xff\xc3\xa9", OUT_JSONL, false), "\"\xef\xbf\xbd\xc3\xa9\"");
}

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
	assert_int_equal(strlen(TEXT("a\0b", OUT_TSV, false)), 1);
	assert_int_equal(b->len, 3);
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

TEST(utf8_stays_itself_in_a_file)
{
	struct buf	*b = test_buf();

	assert_string_equal(TEXT("\xe2\x80\xae" "x\xc2\xa0", OUT_TSV, false),
	    "\xe2\x80\xae" "x\xc2\xa0");
	assert_string_equal(TEXT("\xe2\x80\xae" "x", OUT_TSV, true), "<U+202E>x");
	assert_string_equal(TEXT("\xc3\xa4\xc2\x9b", OUT_CSV, false), "\xc3\xa4\xc2\x9b");
	assert_string_equal(TEXT("\xc3\xa4,", OUT_CSV, false), "\"\xc3\xa4,\"");
	TEXT("\xc2\x9b", OUT_TSV, true);
	assert_null(strchr(buf_str(b), '\xc2'));
}

/* The guard is for text of the file: what the program spells itself is no formula. */
TEST(a_float_is_not_guarded)
{
	struct cell	 c = { .kind = CELL_PLAIN, .text = { (const uint8_t *)"-Infinity", 9 } };
	struct buf	*b = test_buf();

	buf_clear(b);
	cell_put(b, &c, &(struct out_style){ .format = OUT_CSV, .guard = true });
	assert_string_equal(buf_str(b), "-Infinity");
	assert_string_equal(guard_text(b, "-Infinity"), "\"'-Infinity\"");
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

TEST(times_have_nine_decimals_at_any_value)
{
	struct buf	*b = test_buf();
	struct cell	 c;

	c = cell_time(0);
	assert_string_equal(spell(b, &c, OUT_TEXT, false), "0.000000000");
	c = cell_time(-1);
	assert_string_equal(spell(b, &c, OUT_TEXT, false), "-0.000000001");
	assert_string_equal(spell(b, &c, OUT_JSONL, false), "-1");
	c = cell_time(1604311000);
	assert_string_equal(spell(b, &c, OUT_TEXT, false), "1.604311000");
	assert_string_equal(spell(b, &c, OUT_CSV, false), "1604311000");
	c = cell_time(INT64_MIN);
	assert_string_equal(spell(b, &c, OUT_TEXT, false), "-9223372036.854775808");
}

TEST(utc_changes_all_formats_but_json)
{
	struct out_style	 st = { .utc = true, .sync_utc = INT64_C(1769915045678000000) };
	struct cell		 c = cell_time(1);
	struct buf		*b = test_buf();

	st.format = OUT_TEXT;
	cell_put(b, &c, &st);
	assert_string_equal(buf_str(b), "2026-02-01T03:04:05.678000001Z");
	buf_clear(b);
	st.format = OUT_JSONL;
	cell_put(b, &c, &st);
	assert_string_equal(buf_str(b), "1");
	buf_clear(b);
	st.format = OUT_CSV;
	st.sync_utc = INT64_MAX;	/* beyond the end of time: no overflow */
	cell_put(b, &c, &st);
	assert_true(b->len > 0);
}

TEST(numbers_that_json_lacks_are_null)
{
	struct cell	 c = cell_f64(0.0 / 1.0);
	struct buf	*b = test_buf();

	assert_string_equal(spell(b, &c, OUT_JSONL, false), "0");
	c.f = 1e300 * 1e300;
	assert_string_equal(spell(b, &c, OUT_JSONL, false), "null");
	c = (struct cell){ .kind = CELL_HEX, .u = UINT64_MAX };
	assert_string_equal(spell(b, &c, OUT_JSONL, false), "\"0xffffffffffffffff\"");
	assert_string_equal(spell(b, &c, OUT_TEXT, false), "0xffffffffffffffff");
	c = cell_str(NULL);
	assert_string_equal(spell(b, &c, OUT_JSONL, false), "null");
	assert_string_equal(spell(b, &c, OUT_CSV, false), "");
}

#define SPAN(s)		{ .p = (const uint8_t *)(s), .len = sizeof(s) - 1 }

/* In text, Markdown, JSON, CSV and TSV. */
TEST(each_kind_has_its_spelling_in_each_format)
{
	static const uint64_t	parts[] = { 0, 1, 8, 4 };
	static const struct {
		struct cell	 c;
		const char	*text, *markdown, *json, *csv, *tsv;
	} cases[] = {
		{ { .kind = CELL_NONE }, "-", "-", "null", "", "" },
		{ { .kind = CELL_NONE, .word = SPAN("w") }, "-", "-", "null", "", "" },
		{ { .kind = CELL_NULL }, "-", "-", "null", "", "" },
		{ { .kind = CELL_NULL, .word = SPAN("a|b") }, "a|b", "a\\|b", "null", "", "" },
		{ { .kind = CELL_U64, .u = UINT64_MAX }, "18446744073709551615",
		    "18446744073709551615", "18446744073709551615", "18446744073709551615",
		    "18446744073709551615" },
		{ { .kind = CELL_BYTES, .u = 1536 }, "1536", "1536", "1536", "1536", "1536" },
		{ { .kind = CELL_I64, .i = -5 }, "-5", "-5", "-5", "-5", "-5" },
		{ { .kind = CELL_F64, .f = 0.5 }, "0.5", "0.5", "0.5", "0.5", "0.5" },
		{ { .kind = CELL_TIME, .i = 1500000000 }, "1.500000000", "1.500000000",
		    "1500000000", "1500000000", "1500000000" },
		{ { .kind = CELL_DUR, .i = 1500000001 }, "1.500000001", "1.500000001",
		    "1500000001", "1500000001", "1500000001" },
		{ { .kind = CELL_TEXT, .text = SPAN("a|b\t\"c") }, "a|b^I\"c", "a\\|b^I\"c",
		    "\"a|b\\u0009\\\"c\"", "\"a|b\t\"\"c\"", "a|b\\t\"c" },
		{ { .kind = CELL_TEXT, .text = SPAN(""), .word = SPAN("w") }, "w", "w", "\"\"",
		    "", "" },
		{ { .kind = CELL_TEXT, .text = SPAN("t"), .word = SPAN("w") }, "t", "t", "\"t\"",
		    "t", "t" },
		{ { .kind = CELL_RAW, .text = SPAN("[1,2]") }, "[1,2]", "\\[1,2\\]", "[1,2]",
		    "\"[1,2]\"", "[1,2]" },
		{ { .kind = CELL_RAW, .text = SPAN("3"), .word = SPAN("w,x") }, "w,x", "w,x", "3",
		    "\"w,x\"", "w,x" },
		{ { .kind = CELL_SPARK, .spark = { parts, NULL, 4, 4 } },
		    " \xe2\x96\x81\xe2\x96\x88\xe2\x96\x84",
		    "\xe2\x96\x81\xe2\x96\x88\xe2\x96\x84", "[0,1,8,4]", "[0,1,8,4]",
		    "[0,1,8,4]" },
	};
	struct buf	*b = test_buf();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *const	want[] = {
			[OUT_TEXT] = cases[i].text, [OUT_JSONL] = cases[i].json,
			[OUT_CSV] = cases[i].csv, [OUT_TSV] = cases[i].tsv,
			[OUT_MARKDOWN] = cases[i].markdown,
		};

		for (unsigned f = OUT_TEXT; f <= OUT_MARKDOWN; f++)
			assert_string_equal(spell(b, &cases[i].c, (enum out_format)f, false),
			    want[f]);
	}
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

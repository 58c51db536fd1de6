/*
 * Scripts: where commands end, and arguments that come back whatever they hold.
 */
#include "../support/hostile.h"
#include "../support/test.h"
#include "ui/state/script.h"

/* The commands of a text, each behind its line's number. */
static void
need_commands(const char *text, const char *want)
{
	struct buf	*all = test_buf(), *command = test_buf();
	unsigned	 line = 1, at;
	const char	*s = text;

	while (script_next(&s, &line, &at, command))
		buf_printf(all, "%u[%s]", at, buf_str(command));
	if (strcmp(buf_str(all), want) != 0)
		fail_msg("%s\n  is  %s\n not  %s", text, buf_str(all), want);
}

TEST(commands_end_at_lines_and_semicolons_outside_quotes)
{
	need_commands("", "");
	need_commands("\n\n  \n; ", "4[;]");
	need_commands("a ; b\nc", "1[a]1[b]2[c]");
	need_commands("  a  ;  b  \r\n", "1[a]1[b]");
	need_commands("a ;b; c ;", "1[a ;b; c ;]");
	need_commands("# x ; pipe y\na # b ; c", "2[a # b]2[c]");
	need_commands("f \"a ; b\" ; c", "1[f \"a ; b\"]1[c]");
	need_commands("f \"a \\\" ; b\" ; c", "1[f \"a \\\" ; b\"]1[c]");
	need_commands("f 'a \\' ; b' ; c", "1[f 'a \\']1[b']1[c]");
	need_commands("f $'a \\' ; b' ; c", "1[f $'a \\' ; b']1[c]");
	need_commands("f x=\"a ; b\" ; c", "1[f x=\"a ; b\"]1[c]");
	need_commands("f payload.\"a ; b\" = 1 ; c", "1[f payload.\"a ; b\" = 1]1[c]");
	/* An apostrophe is no quote, nor is what does not close on its line. */
	need_commands("note it's ; note it's", "1[note it's]1[note it's]");
	need_commands("note \"a ; b\nc\" ; d", "1[note \"a]1[b]2[c\"]2[d]");
}

static void
need_unquoted(const char *arg, const char *want)
{
	struct buf	*b = test_buf();

	script_unquote(b, arg);
	assert_string_equal(buf_str(b), want);
}

TEST(only_a_whole_quoted_argument_is_unquoted)
{
	need_unquoted("$'a\\nb\\t\\\\\\'\\x1b\\xC3\\xa9'", "a\nb\t\\'\033\303\251");
	need_unquoted("$''", "");
	need_unquoted("$'a' b", "$'a' b");
	need_unquoted("$'a", "$'a");
	need_unquoted("$'a\\'", "$'a\\'");
	need_unquoted("'a'", "'a'");
	need_unquoted("name = \"a\\nb\"", "name = \"a\\nb\"");
	need_unquoted("$'\\x00\\x4\\xg0\\q'", "\\x00\\x4\\xg0\\q");	/* these are no escapes */
}

static void
need_quoted(const char *arg, const char *want)
{
	struct buf	*b = test_buf();

	script_quote(b, arg);
	assert_string_equal(buf_str(b), want);
}

TEST(what_a_person_can_read_is_left_as_it_is)
{
	need_quoted("name = \"GC/Start\" and tid != 5", "name = \"GC/Start\" and tid != 5");
	need_quoted("it's \\d+ \xc3\xa9", "it's \\d+ \xc3\xa9");
	need_quoted("a\nb", "$'a\\nb'");
	need_quoted("a ; b", "$'a ; b'");
	need_quoted(" a", "$' a'");
	need_quoted("; a", "$'; a'");
	need_quoted("$'a'", "$'$\\'a\\''");
	need_quoted("say \"x", "$'say \"x'");
	need_quoted("\xe2\x80\xae", "$'\\xe2\\x80\\xae'");
}

/* Any text: alone, and between two commands of a line. */
static void
need_round_trip(const char *arg)
{
	struct buf	*b = test_buf(), *command = test_buf(), *back = test_buf();
	unsigned	 line = 1, at;
	const char	*s;

	buf_puts(b, "x ; note ");
	script_quote(b, arg);
	buf_puts(b, " ; y \"\n");
	s = buf_str(b);
	assert_true(script_next(&s, &line, &at, command));
	assert_true(script_next(&s, &line, &at, command));
	if (arg[0] != '\0')
		script_unquote(back, buf_str(command) + 5);
	assert_string_equal(buf_str(back), arg);
	assert_true(script_next(&s, &line, &at, command));
	assert_string_equal(buf_str(command), "y \"");
	assert_false(script_next(&s, &line, &at, command));
}

TEST(every_text_survives)
{
	struct buf	*text = test_buf();

	for (size_t n = 0; n < hostile_count(); n++) {
		buf_clear(text);
		hostile_text(n, text);
		need_round_trip(buf_str(text));
	}
	for (unsigned a = 1; a < 256; a++) {
		for (unsigned b = 0; b < 256; b++) {
			char	two[] = { (char)a, (char)b, '\0' };

			need_round_trip(two);
		}
	}
}

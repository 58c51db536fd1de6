/*
 * Scripts: where commands end, and arguments that come back whatever they hold.
 */
#include "../support/cases.h"
#include "../support/hostile.h"
#include "ui/state/script.h"

/* The commands of a text, each behind its line's number. */
CASE(commands)
{
	struct buf	*command = test_buf();
	unsigned	 line = 1, at;
	const char	*s = case_text(arg[0]);

	while (script_next(&s, &line, &at, command))
		buf_printf(out, "%u[%s]", at, buf_str(command));
}

CASE(unquote)
{
	script_unquote(out, case_text(arg[0]));
}

CASE(quote)
{
	script_quote(out, case_text(arg[0]));
}

CASES("script.txt", 30)

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

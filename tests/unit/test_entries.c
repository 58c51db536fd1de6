/* Entries of terminals for systems without any. */
#include <string.h>

#include "../support/test.h"
#include "ui/term/entries.h"

/* "b64:" and then, of a compiled entry, the bytes 1a 01 or 1e 02. */
static void
check_entry(const char *type, const char *wanted)
{
	const char	*name = NULL, *text = entries_find(type, &name);

	assert_non_null(text);
	assert_string_equal(name, wanted);
	assert_true(strncmp(text, "b64:GgE", 7) == 0 || strncmp(text, "b64:HgI", 7) == 0);
}

TEST(common_terminals_have_an_entry_and_their_families_share_it)
{
	check_entry("xterm", "xterm");
	check_entry("xterm-256color", "xterm-256color");
	check_entry("screen", "screen");
	check_entry("screen.xterm-256color", "xterm-256color");
	check_entry("tmux-256color", "tmux-256color");
	check_entry("linux", "linux");
	check_entry("vt100", "vt100");
	check_entry("vt220", "vt100");
	check_entry("xterm-kitty", "xterm");
}

TEST(other_terminals_have_none)
{
	const char	*name;

	assert_null(entries_find(NULL, &name));
	assert_null(entries_find("", &name));
	assert_null(entries_find("dumb", &name));
	assert_null(entries_find("adm3a", &name));
}

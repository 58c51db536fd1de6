/*
 * A command as a line of text: typed, bound to a key, or in a script.
 *
 *	filter tid = 25		name, then its argument
 *	42   50%   $		a place: the row, the part of the trace, the last row
 */
#include <string.h>

#include "tnav/base/near.h"
#include "ui/shell.h"
#include "ui/state/script.h"

#define NAMES_MOST	6u		/* commands that are listed for an ambiguous abbreviation */

/* The command that goes to a place; NULL: the line is not a place. */
static const char *
command_to_place(const char *line)
{
	size_t	digits = strspn(line, "0123456789");

	if (strcmp(line, "$") == 0)
		return "last";
	if (digits == 0)
		return NULL;
	if (strcmp(line + digits, "%") == 0)
		return "part";
	return line[digits] == '\0' ? "row" : NULL;
}

bool
ui_is_place(const char *line)
{
	return command_to_place(line) != NULL;
}

/* Say which commands a word may abbreviate, or which names are similar. */
static void
say_unknown(struct ui *ui, const char *word, size_t len)
{
	struct buf	b = { 0 }, name = { 0 };
	struct near	near;
	size_t		n = 0;

	buf_add(&name, word, len);
	near_init(&near, buf_str(&name), 0);
	for (size_t i = 0; i < command_ntable; i++) {
		near_text(&near, command_table[i].name);
		if (strncmp(command_table[i].name, word, len) != 0 || n++ >= NAMES_MOST)
			continue;
		buf_printf(&b, "%s%s", n > 1 ? ", " : "", command_table[i].name);
	}
	if (n > NAMES_MOST)
		buf_printf(&b, " and %zu more", n - NAMES_MOST);
	if (n > 1) {
		view_say(&ui->v, "'%s' is ambiguous: %s", buf_str(&name), buf_str(&b));
	} else if (n == 1) {
		view_say(&ui->v, "'%s' is short for %s; type it in full",
		    buf_str(&name), buf_str(&b));
	} else {
		near_put(&near, &b);
		view_say(&ui->v, "unknown command '%s'%s", buf_str(&name),
		    b.len > 0 ? buf_str(&b) : " (? for help)");
	}
	buf_release(&b);
	buf_release(&name);
}

/* A unique abbreviation is accepted, except for commands that act outside the viewer. */
static const struct command *
find(const char *word, size_t len)
{
	const struct command	*cmd = command_by_name(word, len);
	struct buf		 whole = { 0 };

	if (cmd != NULL)
		return cmd;
	if (command_complete(word, len, &whole) == 1)
		cmd = command_by_name(whole.p, whole.len);
	buf_release(&whole);
	return cmd != NULL && cmd->does == 0 ? cmd : NULL;
}

bool
ui_command(struct ui *ui, const char *line)
{
	struct command_call	 call = { .count = -1 };
	const struct command	*cmd;
	struct buf		 arg = { 0 };
	size_t			 len;
	const char		*place;

	line += strspn(line, " \t");
	len = strcspn(line, " \t");
	if (len == 0)
		return true;
	place = command_to_place(line);
	cmd = place != NULL ? command_by_name(place, strlen(place)) : find(line, len);
	if (cmd == NULL) {
		say_unknown(ui, line, len);
		return false;
	}
	script_unquote(&arg, place != NULL ? line : line + len + strspn(line + len, " \t"));
	call.arg = buf_str(&arg);
	call.n = cmd->n;
	cmd->run(ui, &call);
	buf_release(&arg);
	return true;
}

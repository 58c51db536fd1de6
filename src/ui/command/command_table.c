/*
 * The table of commands (commands.tsv).
 */
#include "ui/command/command_table.h"

size_t
command_count(void)
{
	return command_ntable;
}

const struct command *
command_at(size_t i)
{
	return &command_table[i];
}

void
ui_keys(struct buf *out)
{
	struct keymap	map;

	keymap_init(&map, command_table, command_count());
	for (size_t i = 0; i < command_count(); i++) {
		const struct command	*cmd = command_at(i);

		buf_printf(out, "viewer\t%s\t", cmd->group);
		keymap_keys(&map, cmd, SCOPE_ANY, SIZE_MAX, out);
		buf_printf(out, "\t%s\t%s\t%s\n", cmd->name, cmd->args != NULL ? cmd->args : "",
		    cmd->help);
	}
	keymap_release(&map);
}

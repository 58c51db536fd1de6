/*
 * The terminal entry for a type: its own, or that of its family.
 */
#include "ui/term/entries.h"

#include <string.h>

/* A terminal of these families understands the entry of the first. */
static const struct {
	const char	*prefix, *name;
} families[] = {
	{ "screen", "screen" }, { "tmux", "tmux" }, { "linux", "linux" }, { "vt", "vt100" },
	{ "xterm", "xterm" },
};

static const struct terminal_entry *
find_entry(const char *name)
{
	for (size_t i = 0; i < terminal_nentries; i++)
		if (strcmp(terminal_entries[i].name, name) == 0)
			return &terminal_entries[i];
	return NULL;
}

const char *
entries_find(const char *type, const char **name)
{
	const struct terminal_entry	*e = type != NULL ? find_entry(type) : NULL;

	if (type != NULL && e == NULL && strstr(type, "256color") != NULL)
		e = find_entry("xterm-256color");
	for (size_t i = 0; type != NULL && e == NULL && i < sizeof families / sizeof *families; i++)
		if (strncmp(type, families[i].prefix, strlen(families[i].prefix)) == 0)
			e = find_entry(families[i].name);
	if (e == NULL)
		return NULL;
	*name = e->name;
	return e->text;
}

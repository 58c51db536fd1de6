/*
 * Terminal entries for systems that have none, such as a container without ncurses-base.
 */
#ifndef UI_TERM_ENTRIES_H
#define UI_TERM_ENTRIES_H

#include <stddef.h>

/* entries.tsv */
struct terminal_entry {
	const char	*name, *text;
};
extern const struct terminal_entry	terminal_entries[];
extern const size_t			terminal_nentries;

/* The value of TERMINFO that describes this type (TERM), and the name of its entry: the type itself
   or one of its family. NULL: none is known. */
const char	*entries_find(const char *type, const char **name);

#endif

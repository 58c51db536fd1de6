/*
 * What commands do where the pane with the keys is a table.
 */
#ifndef UI_COMMAND_ROWS_H
#define UI_COMMAND_ROWS_H

#include "ui/pane/table.h"
#include "ui/shell.h"

/* The pane with the keys as a table, or NULL. */
struct table_pane	*rows_here(struct ui *ui);
/* Append its rows, or the one under the cursor, in a form; nothing if there is none. */
void	rows_text(struct ui *ui, struct table_pane *p, const char *format, bool all,
	    struct buf *out);
/* Write its rows to a file, and say so. False: the message says why not. */
bool	rows_export(struct ui *ui, struct table_pane *p, const char *format, const char *path,
	    bool replace);

#endif

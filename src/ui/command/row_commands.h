/* Commands that work on the rows of a table. */
#ifndef UI_COMMAND_ROW_COMMANDS_H
#define UI_COMMAND_ROW_COMMANDS_H

#include "ui/pane/table.h"
#include "ui/shell.h"

/* The focused pane if it is a table, or NULL. */
struct table_pane	*rows_here(struct ui *ui);
/* Append its rows, or the one under the cursor, in a format. Appends nothing if there are none. */
void	rows_print(struct ui *ui, struct table_pane *p, const char *format, bool all,
	    struct buf *out);
/* About how many bytes its rows are in a format, by some of them; 0: there are none. */
uint64_t rows_estimate(struct ui *ui, struct table_pane *p, const char *format);
/* Write its rows to a file, and report that. False after a message with the reason. */
bool	rows_export(struct ui *ui, struct table_pane *p, const char *format, const char *path,
	    bool replace);

#endif

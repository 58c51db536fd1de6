/*
 * The state of the viewer for a trace, as a list of names and values: position, window, filters,
 * marks, columns, layout. The list is saved for the trace (record.h), restored after R, and written
 * as a script by :save-session (script.h), where a name is a command.
 *
 * Values are data. Reading them only sets this state; no command is run.
 */
#ifndef UI_STATE_STATE_H
#define UI_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"
#include "ui/view/history.h"

struct ui;

struct restored {
	struct position	 place;			/* the saved position, until the index reaches it */
	struct buf	 text;			/* what was restored, and the keys that clear it */
};

/* Calls fn for each name and value, in the order in which they must be set. */
void	state_each(struct ui *ui, void (*fn)(struct buf *out, const char *name, const char *value),
	    struct buf *out);
/* Set one value. False: an unknown name or a wrong value; there may be a message. */
bool	state_set(struct ui *ui, const char *name, const char *value);
/* The state as records; nothing if there is nothing to save. */
void	state_write(struct ui *ui, struct buf *out);
/* Set all values of the records. True: they were written by an older version. */
bool	state_read(struct ui *ui, const char *text, size_t len);
/* Once the index has reached the saved position: go there, unless the user has moved. */
void	state_place(struct ui *ui);
/* Name i of the values that can be set, for tests; NULL after the last. */
const char *state_name(size_t i);

#endif

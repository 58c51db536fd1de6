/*
 * What the viewer shows of a trace as a list of names and values: position, window, filters, marks,
 * columns, layout. The same list is the state that is kept of a trace (record.h), what R takes
 * along, and the script that :save-session writes (script.h), in which a name is a command.
 *
 * Values are data. Reading them sets these things and can do nothing else: no command is run.
 */
#ifndef UI_STATE_STATE_H
#define UI_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"
#include "ui/view/history.h"

struct ui;

struct restored {
	struct place	 place;			/* that was kept, until the index knows it */
	struct buf	 text;			/* what was, and the keys that clear it */
};

/* fn gets each name with its value, in the order in which they are to be set. */
void	state_each(struct ui *ui, void (*fn)(struct buf *out, const char *name, const char *value),
	    struct buf *out);
/* Set one thing. False: there is no such name, or the value is none; the message may say why. */
bool	state_set(struct ui *ui, const char *name, const char *value);
/* As records; nothing if there is nothing to keep. */
void	state_write(struct ui *ui, struct buf *out);
/* Set all that the records say. True: they are of an older version. */
bool	state_read(struct ui *ui, const char *text, size_t len);
/* Once the index knows the place that was kept: go there, unless the user has gone elsewhere. */
void	state_place(struct ui *ui);
/* The name of what number i can be set, for tests; NULL after the last. */
const char *state_name(size_t i);

#endif

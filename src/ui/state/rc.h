/* Files of commands: the user's settings, and scripts. */
#ifndef UI_STATE_RC_H
#define UI_STATE_RC_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct ui;

/* Append a whole file. False, with errno (EFBIG: too long for a script). */
bool	rc_read(const char *path, struct buf *out);
/* Run commands. Errors are reported as "name:line: ...", and the next line is run. */
void	rc_run(struct ui *ui, const char *name, const char *text);
/* Run the user's tnavrc, if it exists. */
void	rc_start(struct ui *ui);

#endif

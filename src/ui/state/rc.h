/*
 * Files of commands: the user's settings and scripts.
 */
#ifndef UI_STATE_RC_H
#define UI_STATE_RC_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct ui;

/* Append a whole file. False: errno says why (EFBIG: it is longer than any script). */
bool	rc_read(const char *path, struct buf *out);
/* Run commands. What is wrong is said as "name:line: ...", and the rest goes on. */
void	rc_run(struct ui *ui, const char *name, const char *text);
/* The user's tnavrc, if there is one. */
void	rc_start(struct ui *ui);

#endif

/*
 * Commands from files: the user's settings, scripts, and what is kept of each trace.
 */
#ifndef UI_STATE_RC_H
#define UI_STATE_RC_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct ui;

/* Append a whole file. False: errno says why (EFBIG: it is longer than any script). */
bool	rc_read(const char *path, bool follow, struct buf *out);
/* Run commands, one a line. What is wrong is said as "name:line: ...", and the rest goes on. */
void	rc_run(struct ui *ui, const char *name, const char *text);
/* The user's tnavrc, if there is one. */
void	rc_start(struct ui *ui);

/* ---- session.c: what is kept of a trace */

/* The commands that bring back what is on the screen. */
void	session_write(struct ui *ui, struct buf *out);
/* Bring back what was kept of this trace, and keep it again at the end. */
void	session_restore(struct ui *ui);
/* Once the index knows the place that was kept: go there, unless the user has gone elsewhere. */
void	session_place(struct ui *ui);
void	session_keep(struct ui *ui);
/* To a file of the user's choice. */
bool	session_save(struct ui *ui, const char *path);

#endif

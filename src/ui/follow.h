/*
 * Following a growing file: switching it on and off, keeping the cursor at the end of the list, and
 * what the top line says about a file that has changed.
 */
#ifndef UI_FOLLOW_H
#define UI_FOLLOW_H

#include "ui/shell.h"

/* Does the trace arrive by itself, from a program or through a pipe? Then following it only means
   that the cursor stays at the end. */
bool		 follow_arrives(const struct ui *ui);
/* Follow the file from the end of its index, or stop that. False after a message with the
   reason. While spans are being found, it begins when they are found. */
bool		 ui_follow(struct ui *ui, bool on);
/* The index has grown or ended. Call it after view_refresh(). */
void		 follow_refreshed(struct ui *ui);
/* A key moved the cursor. It is not kept at the end of the list any more, unless it is there. */
void		 follow_moved(struct ui *ui);
/* Once a second: has the file changed since it was read? True: the top line changes. */
bool		 follow_look(struct ui *ui, int64_t now);
/* Milliseconds until the next test. */
int		 follow_wait_ms(const struct ui *ui, int64_t now);
/* It follows, and everything that has arrived is shown. */
bool		 follow_rests(const struct ui *ui);
/* Text for the top line, or NULL. */
const char	*follow_words(const struct ui *ui);

#endif

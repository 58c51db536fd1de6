/*
 * Following a file that grows, as the shell does it: on and off, the end of the list under the
 * cursor, and what the top line says of a file that is not what it was.
 */
#ifndef UI_FOLLOW_H
#define UI_FOLLOW_H

#include "ui/shell.h"

/* Follow the file from where its index ended, or no longer. False: the message says why not. */
bool		 ui_follow(struct ui *ui, bool on);
/* The index knows more, or is at its end: call it after view_refresh(). */
void		 follow_refreshed(struct ui *ui);
/* A key moved the cursor: off the end of the list it stays where it is. */
void		 follow_moved(struct ui *ui);
/* Once a second: is the file another than what is read? True: the top line changes. */
bool		 follow_look(struct ui *ui, int64_t now);
/* Milliseconds until the next such look. */
int		 follow_wait_ms(const struct ui *ui, int64_t now);
/* Following, and all that there is has been taken over. */
bool		 follow_rests(const struct ui *ui);
/* What the top line says of it, or NULL. */
const char	*follow_words(const struct ui *ui);

#endif

/*
 * The terminal as a screen. Whatever ends the program, the terminal is restored (restore.h).
 */
#ifndef UI_TERM_TERM_H
#define UI_TERM_TERM_H

#include "tnav/base/buf.h"
#include "ui/term/screen.h"
#include "tnav/ui/ui.h"

/* NULL if the terminal can't be used; why then holds one line. One at a time. */
struct screen	*term_open(enum ui_color color, struct buf *why);
void		 term_close(struct screen *s);
/* The signal that asks the program to end, 0: none. Raise it again after term_close(). */
int		 term_signal(const struct screen *s);
/* errno of what ended the terminal: it is gone, or takes nothing any more. 0: it is there. */
int		 term_failure(const struct screen *s);

#endif

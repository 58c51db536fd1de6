/*
 * The terminal as a screen. Whatever ends the program, the terminal is restored: by
 * term_close(), at exit, and from the handlers of all signals that end it.
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

#endif

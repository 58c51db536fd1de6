/*
 * The terminal as a screen. Whatever ends the program, the terminal is restored (restore.h).
 */
#ifndef UI_TERM_TERM_H
#define UI_TERM_TERM_H

#include "tnav/base/buf.h"
#include "ui/term/screen.h"
#include "tnav/ui/ui.h"

/* NULL: the terminal cannot be used; why has one line. Only one at a time. */
struct screen	*term_open(enum ui_color color, struct buf *why);
void		 term_close(struct screen *s);
/* The signal that requests the end of the program; 0: none. Raise it again after term_close(). */
int		 term_signal(const struct screen *s);
/* errno if the terminal has ended: it is gone, or accepts no more output. Else 0. */
int		 term_failure(const struct screen *s);

#endif

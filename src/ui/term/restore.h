/*
 * Restores the terminal however the program ends: normally, by exit(), by a signal or a fault, or
 * for lack of memory. Also turns the signals of the viewer into flags and a readable descriptor.
 *
 *	restore_open -> restore_bytes -> restore_hold(true) -> ... -> restore_now -> restore_close
 *
 * One terminal at a time, all calls from the thread that opened it.
 */
#ifndef UI_TERM_RESTORE_H
#define UI_TERM_RESTORE_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

/*
 * Save the settings of the terminal fd and install signal handlers. out_fd is where bytes are
 * written; it should not block. Everything that can fail or needs memory happens here, before the
 * terminal is changed. False: the reason is in why.
 */
bool	restore_open(int fd, int out_fd, struct buf *why);
void	restore_close(void);		/* restores the handlers */

/* The bytes that undo what was or will be sent. False: too many; the previous ones stay. */
bool	restore_bytes(const char *bytes, size_t len);
/* The terminal is changed from now on, or is no longer changed. */
void	restore_hold(bool changed);
/* Restore it if it is changed. Never waits for output. */
void	restore_now(void);
/* Restore only its settings, temporarily. */
void	restore_settings(void);

/* A write begins or has ended that may block for ever, and that a signal may interrupt. */
void	restore_in_frame(bool in);
/*
 * A library call begins or has ended that may use memory without checking that it was allocated. A
 * fault in it, after a failed allocation, means lack of memory.
 */
void	restore_in_library(bool in);
/* Another program gets the terminal, or returns it. Interrupts are for that program. */
void	restore_away(bool away);

/* ---- signals as events */
enum restore_event { RESTORE_RESIZED, RESTORE_STOPPING, RESTORE_CONTINUED, RESTORE_EVENTS };
bool	restore_take(enum restore_event e);	/* has it happened since the last call? */
void	restore_raise(enum restore_event e);
int	restore_ending(void);			/* signal that ends the program; 0: none */
int	restore_fd(void);			/* readable after a signal, until restore_heard() */
void	restore_heard(void);

#endif

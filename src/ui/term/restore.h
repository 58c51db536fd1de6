/*
 * That the terminal is as it was, whatever ends the program: a normal end, exit(), a signal, a
 * fault, the end of memory. Also the signals that the viewer hears, as flags and a bell.
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
 * Note the settings of the terminal fd and take over the signals; out_fd is where the bytes go, and
 * best does not block. Everything that can fail, or that needs memory, is done here, so that the
 * terminal may be changed afterwards. False: why says what is wrong.
 */
bool	restore_open(int fd, int out_fd, struct buf *why);
void	restore_close(void);		/* give the signals back */

/* The bytes that undo what was or will be sent. False: they are too many, the old ones stay. */
bool	restore_bytes(const char *bytes, size_t len);
/* From here on the terminal is not (is) as it was. */
void	restore_hold(bool held);
/* Make it as it was, if it is not. Never waits for output. */
void	restore_now(void);
/* Its settings alone, for a moment. */
void	restore_settings(void);

/* A write that may never return, which a signal may cut, begins or is over. */
void	restore_in_frame(bool in);
/*
 * A call of a library begins or is over that may use memory without looking whether there was any:
 * a fault in it after a refusal is the end of memory.
 */
void	restore_in_library(bool in);
/* Another program has the terminal, or had it: its interrupts are not for us. */
void	restore_away(bool away);

/* ---- what signals said */
enum restore_event { RESTORE_RESIZED, RESTORE_STOPPING, RESTORE_CONTINUED, RESTORE_EVENTS };
bool	restore_take(enum restore_event e);	/* it came; it is taken */
void	restore_raise(enum restore_event e);
int	restore_ending(void);			/* the signal that ends the program; 0: none */
int	restore_fd(void);			/* readable after a signal, until restore_heard() */
void	restore_heard(void);

#endif

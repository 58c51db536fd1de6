/*
 * A program in a pseudo-terminal, with libvterm as the terminal behind it. Nothing here sleeps:
 * what is waited for is text on the screen or the program's end, and a watchdog ends a test that
 * waits in vain.
 */
#ifndef TNAV_TESTS_PTY_H
#define TNAV_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tnav/base/buf.h"

struct pty;

/* env: "NAME=value" strings that replace or add, NULL at the end; or NULL. */
struct pty	*pty_start(int rows, int cols, char *const argv[], char *const env[]);
/*
 * tnav on a trace of the source tree, or of a whole path; script NULL, or one of the shell in which
 * $0 is the program and $1 the trace.
 */
struct pty	*pty_tnav(const char *script, const char *trace, int rows, int cols,
		    char *const env[]);
void		 pty_free(struct pty *p);	/* kills the program if it still runs */
pid_t		 pty_pid(const struct pty *p);
bool		 pty_running(struct pty *p);

void		 pty_send(struct pty *p, const char *bytes);
void		 pty_hang_up(struct pty *p);	/* the terminal is gone */
void		 pty_resize(struct pty *p, int rows, int cols);
void		 pty_show(struct pty *p, const char *bytes);	/* as if the program had sent them */
/* Read output until the text is on the screen; false: the program ended before. */
bool		 pty_reaches(struct pty *p, const char *text);
/* Read output until the text is on the screen (or is gone); fails the test if it never is. */
void		 pty_wait_text(struct pty *p, const char *text);
void		 pty_try(struct pty *p, const char *bytes, const char *text);	/* send, then wait */
void		 pty_wait_gone(struct pty *p, const char *text);
/* Until a line has the text; returns which. */
int		 pty_wait_line(struct pty *p, const char *text);
/* Until the program ends; its wait status. read_output: else the terminal stalls. */
int		 pty_wait_end(struct pty *p, bool read_output);
/* Let the terminal take nothing until the program's output has filled it. */
void		 pty_stall(struct pty *p, const char *keys, int times);
/* Read what comes within so many ms of silence; returns the number of bytes. */
size_t		 pty_drain(struct pty *p, int quiet_ms);
/* Read until the program sleeps and has nothing more to do but wait for a key. */
void		 pty_settle(struct pty *p);
/* All the bytes that the program has written so far. */
const void	*pty_output(const struct pty *p, size_t *len);
/* Where in all the output the bytes stand last; -1: nowhere. */
long		 pty_last(const struct pty *p, const char *bytes);

const char	*pty_line(struct pty *p, int y);	/* without trailing blanks */
/* All cells with their attributes and colours, one line a row, for comparing. */
void		 pty_dump(struct pty *p, struct buf *out);
bool		 pty_has(struct pty *p, const char *text);
bool		 pty_alternate(const struct pty *p);	/* the alternate screen is shown */
bool		 pty_cursor_visible(const struct pty *p);
bool		 pty_termios_same(const struct pty *p);	/* bit for bit as at the start */
/* All of that, and the first screen with a visible cursor: fails the test if not. */
void		 pty_check_restored(struct pty *p);
/* Send keys (NULL: none); then it ends with this exit code, all restored; frees. */
void		 pty_quit(struct pty *p, const char *keys, int code);
bool		 pty_reverse(struct pty *p, int y, int x);	/* the cell is in reverse video */
bool		 pty_background(struct pty *p, int y, int x);	/* it has one of its own */
/* How a row looks, by runs of cells: + bold, _ underlined, ! reversed, its colours as NUMBER/NUMBER
   where they are not the terminal's own, and :CELLS. */
void		 pty_looks(struct pty *p, int y, struct buf *out);
bool		 pty_coloured(struct pty *p);		/* any cell has a colour of its own */

#endif

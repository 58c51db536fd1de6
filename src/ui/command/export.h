/*
 * Rows of the view to files and commands, and pieces of it to the clipboard. What is false has
 * said why.
 */
#ifndef UI_COMMAND_EXPORT_H
#define UI_COMMAND_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/command/clip.h"

struct ui;
struct export;

/* A file or command that waits for the index. */
struct later {
	struct buf	 what;
	bool		 pipes;			/* a command */
};

/* Does the ending of a file's name say in which form rows are written to it? */
bool	export_names_form(const struct ui *ui, const char *path);
/* "FILE", or "-f FILE" to replace one unasked. Its ending chooses the form; goes on in steps. */
bool	export_start(struct ui *ui, const char *arg);
void	export_step(struct ui *ui, int64_t budget_ns);
bool	export_cancel(struct ui *ui);		/* false: there is none */
void	export_later(struct ui *ui);	/* begin what was asked for before all was read */
/* Run a command of the user's with the rows as its input. */
bool	export_pipe(struct ui *ui, const char *command);

/* ---- copy.c */

/* A text on its way to tmux's buffer, and what is said of it then. Cleared at first. */
struct copying {
	struct clip	clip;
	struct buf	what, note;
};

/* To the terminal's clipboard and tmux's buffer, or to a file if it is too long for that. what: for
   the message, which note ends. */
void	copy_text(struct ui *ui, const char *what, const char *note, const struct buf *text);
bool	copy_busy(const struct ui *ui);
void	copy_step(struct ui *ui);	/* has tmux taken it? Never waits */
void	copy_release(struct copying *c);
/* The command line that prints what the view shows. */
void	copy_command_line(struct ui *ui, struct buf *out);

#endif

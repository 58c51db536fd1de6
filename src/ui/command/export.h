/*
 * Rows of the view to files and commands, and parts of it to the clipboard. Functions that return
 * false have written a message.
 */
#ifndef UI_COMMAND_EXPORT_H
#define UI_COMMAND_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/command/clip.h"

struct ui;
struct export;

/* A file name or command that waits for the index. */
struct later {
	struct buf	 what;
	bool		 pipes;			/* it is a command */
	bool		 redacts;		/* it is a trace that is to be redacted */
};

/* Does the ending of a file's name select a format for rows? That of a trace does not. */
bool	export_names_form(const struct ui *ui, const char *path);
/* "FILE", or "-f FILE" to replace it without a question. The ending selects the format. The
   export continues in steps. redacts: texts of a trace become letters. */
bool	export_start(struct ui *ui, const char *arg, bool redacts);
/* The same as a trace; .nettrace is added to another name. */
bool	export_cut(struct ui *ui, const char *arg, bool redacts);
void	export_step(struct ui *ui, int64_t budget_ns);
bool	export_cancel(struct ui *ui);		/* false: there is none */
void	export_later(struct ui *ui);	/* begin what waited for the index */
/* Run a command of the user with the rows as its input. */
bool	export_pipe(struct ui *ui, const char *command);

/* ---- copy.c */

/* A text that is sent to tmux, and the message for the end. Zero it before use. */
struct copying {
	struct clip	clip;
	struct buf	what, note;
};

/* Copy to the terminal's clipboard and tmux's buffer, or to a file if the text is too long.
   what: for the message; note: its end. */
void	copy_text(struct ui *ui, const char *what, const char *note, const struct buf *text);
bool	copy_busy(const struct ui *ui);
void	copy_step(struct ui *ui);	/* has tmux taken it? Does not wait */
void	copy_release(struct copying *c);
/* "PROGRAM stacks --fold -o PATH ...": what is shown, as that command writes it; without a flag
   "PROGRAM convert -o PATH ...". */
void	copy_writer_line(struct ui *ui, const char *program, const char *flag, const char *path,
	    struct buf *out);

#endif

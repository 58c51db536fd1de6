/*
 * A terminal in memory: keys from a script, the screen as text. What runs on it is the whole
 * viewer but for src/ui/term/term.c.
 */
#ifndef TNAV_TESTS_MEMTERM_H
#define TNAV_TESTS_MEMTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/term/screen.h"

#define MEMTERM_COPY_MAX	4096u	/* bytes that its clipboard takes */

struct memterm;

struct memterm	*memterm_new(int rows, int cols, bool ascii);
void		 memterm_free(struct memterm *m);
struct screen	*memterm_screen(struct memterm *m);
/* fn sees each frame. */
void		 memterm_watch(struct memterm *m, void (*fn)(const struct canvas *c));

/* Keys by their names, parted by blanks: "j <Down> C-d M-5". */
void		 memterm_press(struct memterm *m, const char *keys);
/* Each character is a key: "tid = 25". */
void		 memterm_type(struct memterm *m, const char *text);
void		 memterm_paste(struct memterm *m, const char *text);
void		 memterm_mouse(struct memterm *m, enum mouse_kind kind, int y, int x, int n);
void		 memterm_resize(struct memterm *m, int rows, int cols);
bool		 memterm_pending(const struct memterm *m);	/* input not yet read */

/* A row of a canvas as UTF-8, without trailing blanks. */
void		 canvas_row(const struct canvas *c, int y, struct buf *out);
/* The screen as last put: one line without trailing blanks, or all with line ends. */
const char	*memterm_line(struct memterm *m, int y);
const char	*memterm_text(struct memterm *m);
/* The first line that contains the text, -1: none. */
int		 memterm_find(struct memterm *m, const char *text);
const char	*memterm_copied(struct memterm *m);		/* what was copied last */
unsigned	 memterm_puts(const struct memterm *m);		/* frames so far */
unsigned	 memterm_suspends(const struct memterm *m);
unsigned	 memterm_repaints(const struct memterm *m);
unsigned	 memterm_mark(struct memterm *m, int y, int x);	/* MARK_ bits of a cell */

#endif

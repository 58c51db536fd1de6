/*
 * A grid of cells: every pane draws on it, and it is the only way from text to the screen. All text
 * passes through text_next(), so no byte of a trace can be a control sequence.
 */
#ifndef UI_DRAW_CANVAS_H
#define UI_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

enum style {
	ST_NORMAL,
	ST_DIM,			/* labels, less important text */
	ST_STRONG,
	ST_TOP,			/* first and last line of the screen */
	ST_TITLE,		/* a pane's title line */
	ST_FOCUS,		/* ... of the focused pane */
	ST_KEY,			/* the name of a key */
	ST_ESCAPED,		/* an unprintable character, spelled out */
	ST_TIME, ST_THREAD, ST_EVENT,	/* columns */
	ST_BAR,			/* density, bars */
	ST_IN_BAR,		/* text inside a bar */
	ST_MORE, ST_LESS,	/* ... of what is more, or less, on the second of two sides */
	ST_BIT_MORE, ST_BIT_LESS,	/* ... by a little */
	ST_GAP,			/* lost events */
	ST_WARN, ST_ERROR,
	ST_RED, ST_GREEN, ST_YELLOW, ST_BLUE, ST_MAGENTA, ST_CYAN,	/* for colour rules */
	ST_STYLES
};

#define MARK_CURSOR	0x1u	/* the row under the cursor */
#define MARK_CURSOR_OFF	0x2u	/* the same in a pane without focus */
#define MARK_HIT	0x4u	/* a search hit */

#define CELL_MARKS	4u	/* nonspacing marks per base */

struct canvas_cell {
	int32_t		cp[1 + CELL_MARKS];	/* ends with 0 if shorter */
	uint8_t		style, mark;
	uint8_t		width;		/* 1, 2; 0: the right half of the cell before it */
};

struct canvas {
	int		 rows, cols;
	bool		 ascii;
	bool		(*agrees)(int32_t cp, unsigned cells);	/* see screen.h; or NULL */
	int		 cursor_y, cursor_x;	/* of a prompt; -1: hidden */
	struct canvas_cell	*cell;
	size_t		 cap;
};

struct rect {
	int	y, x, h, w;
};

/* Drawings of the program; each has an ASCII form. */
enum glyph {
	GL_HLINE, GL_VLINE, GL_POINTER, GL_LOST_FEW, GL_LOST, GL_LOST_MANY, GL_CUT, GL_TICK,
	GL_HIT, GL_POINTER_LEFT, GL_DOTTED,
	GL_GLYPHS
};

void	canvas_init(struct canvas *c, bool ascii);
void	canvas_release(struct canvas *c);
void	canvas_clear(struct canvas *c, int rows, int cols);	/* set the size, and clear */
void	canvas_erase(struct canvas *c, int y, int h);	/* these lines */
struct canvas_cell *canvas_at(const struct canvas *c, int y, int x);	/* NULL if outside */

/*
 * Draw text from (y, x) on, in at most max cells and up to the edge. If it does not fit, it is cut
 * and ends in a mark. Returns the number of cells used.
 */
int	canvas_text(struct canvas *c, int y, int x, int max, enum style st, struct span s);
/* The same, but cut in the middle, for texts that begin alike. */
int	canvas_middle(struct canvas *c, int y, int x, int max, enum style st, struct span s);
/* canvas_text() for the program's own texts, whose few non-ASCII characters have ASCII forms. */
int	canvas_puts(struct canvas *c, int y, int x, int max, enum style st, const char *s);
/* The width of one of the program's own texts. */
int	canvas_cells(const struct canvas *c, const char *s);
/* Likewise, of a text of the trace. */
int	canvas_width(struct span s, bool ascii);
int	canvas_buf(struct canvas *c, int y, int x, int max, enum style st, const struct buf *b);
/* Draw text that ends at x + w. */
void	canvas_right(struct canvas *c, int y, int x, int w, enum style st, const char *s);
void	canvas_glyph(struct canvas *c, int y, int x, enum style st, enum glyph g);
void	canvas_hline(struct canvas *c, int y, int x, int w, enum style st);
void	canvas_vline(struct canvas *c, int y, int x, int h, enum style st);
/* Draw a joint where lines meet or cross. */
void	canvas_join(struct canvas *c, int y, int x);
void	canvas_blank(struct canvas *c, struct rect r, enum style st);
/* A block of level eighths (0: blank) from the bottom of the line, or its ASCII form. */
void	canvas_block(struct canvas *c, int y, int x, enum style st, unsigned level);
/* A bar from the left: a share 0..1 of w cells. */
void	canvas_bar(struct canvas *c, int y, int x, int w, enum style st, double share);
void	canvas_mark(struct canvas *c, int y, int x, int w, unsigned mark);

/*
 * Append the text in w cells of a row as UTF-8. x_of has CANVAS_READ(w) entries: the cell of each
 * byte that was added.
 */
#define CANVAS_READ(w)	((size_t)(w) * (1 + CELL_MARKS) * 4 + 1)
void	canvas_read(const struct canvas *c, int y, int x, int w, struct buf *out, uint16_t *x_of);

#endif

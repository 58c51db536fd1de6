/*
 * What the viewer draws on and reads keys from. There are two: the terminal (term.h) and, for
 * tests, one in memory. The viewer depends on neither.
 */
#ifndef UI_TERM_SCREEN_H
#define UI_TERM_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct canvas;
struct screen;

enum input_kind {
	INPUT_NONE,
	INPUT_KEY,		/* code: see key.h */
	INPUT_PASTED,		/* code: a character of pasted text, never a command */
	INPUT_MOUSE,		/* mouse; only while it is on */
	INPUT_RESIZE,		/* the size has changed: draw everything */
	INPUT_SUSPEND,		/* the program was asked to suspend */
	INPUT_GONE,		/* the terminal is gone, or a signal ends the program */
};

enum mouse_kind {
	MOUSE_PRESS, MOUSE_DRAG,	/* of the first button */
	MOUSE_RELEASE, MOUSE_WHEEL,
	MOUSE_OTHER,			/* a wheel to the side, a button that means nothing */
};

struct mouse {
	enum mouse_kind	kind;
	int		y, x;		/* cell of the screen */
	int		n;		/* of the wheel: steps down */
};

struct input {
	enum input_kind	kind;
	int32_t		code;
	struct mouse	mouse;
};

struct buf;

struct screen_ops {
	void	(*size)(struct screen *s, int *rows, int *cols);
	/* Show the canvas. False: not now (the line is slow), try again later. */
	bool	(*put)(struct screen *s, const struct canvas *c);
	/* The next available input; INPUT_NONE: none. */
	struct input (*read)(struct screen *s);
	/* Wait for input, at most timeout_ms (-1: no limit). */
	void	(*wait)(struct screen *s, int timeout_ms);
	void	(*repaint)(struct screen *s);	/* the next put() sends everything */
	void	(*suspend)(struct screen *s);	/* returns when the program is continued */
	/* Leave the terminal to another program, and take it back; asks: when the user confirms.
	   NULL: not a terminal. */
	void	(*leave)(struct screen *s);
	void	(*enter)(struct screen *s, bool asks);
	/* Copy text to the terminal's clipboard. False: it is too long. NULL: no clipboard. */
	bool	(*copy)(struct screen *s, const char *text, size_t len);
	/* Change a setting, "esc-delay" or "mouse". False: unknown, or a wrong value. */
	bool	(*set)(struct screen *s, const char *name, const char *value);
	void	(*get)(struct screen *s, const char *name, struct buf *out);	/* its value */
	/* Does the terminal use the same width for cp as we do? NULL: yes. */
	bool	(*agrees)(int32_t cp, unsigned cells);
};

struct screen {
	const struct screen_ops	*ops;
	bool			 ascii;		/* it can only show ASCII */
	int			 wake_fd;	/* input on this descriptor also ends wait(); -1:
						   none */
};

#endif

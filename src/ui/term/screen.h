/*
 * What the viewer draws on and reads keys from. Two exist: the terminal (term.h) and, for tests,
 * one in memory. The viewer knows neither.
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
	INPUT_PASTED,		/* code: one character of pasted text, never a command */
	INPUT_MOUSE,		/* mouse; only when it is on */
	INPUT_RESIZE,		/* ask size() again and draw all */
	INPUT_SUSPEND,		/* somebody asks the program to stop for a while */
	INPUT_GONE,		/* the terminal is gone, or a signal ends the program */
};

enum mouse_kind { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL };

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
	/* Show the canvas. False: not now (the line is slow), ask again later. */
	bool	(*put)(struct screen *s, const struct canvas *c);
	/* The next input that is there already; INPUT_NONE if there is none. */
	struct input (*read)(struct screen *s);
	/* Wait until there may be input, at most timeout_ms (-1: no limit). */
	void	(*wait)(struct screen *s, int timeout_ms);
	void	(*repaint)(struct screen *s);	/* the next put() trusts nothing that it knows */
	void	(*suspend)(struct screen *s);	/* returns when the program is continued */
	/* Give the terminal to another program, and take it back when the user says so. NULL: there
	   is nothing to give. */
	void	(*leave)(struct screen *s);
	void	(*enter)(struct screen *s);
	/* Put text on the clipboard that belongs to the terminal. False: it is too long. NULL:
	   there is none. */
	bool	(*copy)(struct screen *s, const char *text, size_t len);
	/* A setting by its name: "esc-delay", "mouse". False: it has no such one, or not this
	   value. */
	bool	(*set)(struct screen *s, const char *name, const char *value);
	void	(*get)(struct screen *s, const char *name, struct buf *out);	/* its value */
	/* Does the terminal take as many cells for cp as we count? NULL: it does. */
	bool	(*agrees)(int32_t cp, unsigned cells);
};

struct screen {
	const struct screen_ops	*ops;
	bool			 ascii;		/* it can't show anything else */
	int			 wake_fd;	/* a descriptor whose input ends wait(), too; -1 */
};

#endif

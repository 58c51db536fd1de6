/*
 * What each style looks like, by theme. Meaning is never in colour alone.
 */
#ifndef UI_TERM_THEME_H
#define UI_TERM_THEME_H

#include "ui/draw/canvas.h"

enum theme {
	THEME_DARK,		/* for a dark background */
	THEME_LIGHT,
	THEME_NONE,		/* neither colours nor bold or dim text */
	THEME_MONO,		/* bold and dim text, no colours */
	THEMES
};

enum look_attr { LOOK_BOLD = 0x1, LOOK_DIM = 0x2, LOOK_REVERSE = 0x4 };

/* Colours: 0 to 7 with 8 colours, 0 to 255 with 256; -1: the terminal's own. */
struct look {
	unsigned	attr;		/* LOOK_... */
	short		fg, bg;		/* with 8 colours or more */
	short		fg256;		/* with 256, on the terminal's own background; -1: fg, bg */
};

extern const char *const	theme_names[THEMES];

const struct look	*theme_look(enum theme t, enum style st);
/* THEMES: no such one. */
enum theme		 theme_find(const char *name);
/* What fits the background that $COLORFGBG tells of ("0;15"); dark, if it tells nothing. */
enum theme		 theme_of_background(const char *colorfgbg);

#endif

/* The look of each style, by theme. No meaning is conveyed by colour alone. */
#ifndef UI_TERM_THEME_H
#define UI_TERM_THEME_H

#include "ui/draw/canvas.h"

enum theme {
	THEME_DARK,		/* for a dark background */
	THEME_LIGHT,
	THEME_ANY,		/* for either: text that matters has the default colour */
	THEME_NONE,		/* no colours, no bold or dim text */
	THEME_MONO,		/* bold and dim text, no colours */
	THEMES
};

/* DIM: only without a colour of 256, which is chosen to be readable. */
enum look_attr { LOOK_BOLD = 0x1, LOOK_DIM = 0x2, LOOK_REVERSE = 0x4 };

/* Colours: 0 to 7 with 8 colours, 0 to 255 with 256; -1: the terminal's default. */
struct look {
	unsigned	attr;		/* LOOK_... */
	short		fg, bg;		/* with at least 8 colours */
	short		fg256;		/* with 256 colours, on the default background; -1: fg,
					   bg */
};

extern const char *const	theme_names[THEMES];

struct look		 theme_look(enum theme t, enum style st);
/* THEMES: unknown. */
enum theme		 theme_find(const char *name);
/* The theme for the background in $COLORFGBG ("0;15"); THEME_ANY if that is unknown. */
enum theme		 theme_of_background(const char *colorfgbg);

#endif

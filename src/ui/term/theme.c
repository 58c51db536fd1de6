/*
 * The themes as data: the marks of a style, then its colours where a theme has any.
 *
 *	style	marks	dark	light	any
 *	GAP	bold	214	130	default
 *
 * Invariant: with 256 colours each colour has a contrast of at least 4.5 on the background of its
 * theme; also with 8 colours on a light background, as far as such colours exist. Those of
 * THEME_ANY have it on black and on white, but for the user's own (ST_RED and on): 4.3.
 */
#include "ui/term/theme.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN };

#define PLAIN		{ NONE, NONE, NONE }
#define INK(fg, fg256)	{ fg, NONE, fg256 }
#define ON(bg, fg256)	{ BLACK, bg, fg256 }

const char *const	theme_names[THEMES] = {
	[THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_ANY] = "any",
	[THEME_NONE] = "none", [THEME_MONO] = "mono",
};

/* The marks that a theme shows. */
static const unsigned	marks[THEMES] = {
	[THEME_DARK] = ~0u, [THEME_LIGHT] = ~(unsigned)LOOK_DIM, [THEME_ANY] = ~0u,
	[THEME_NONE] = LOOK_REVERSE, [THEME_MONO] = ~0u,
};

static const struct {
	unsigned	attr;
	struct {
		short	fg, bg, fg256;
	}		ink[THEME_NONE];	/* of the themes with colours */
} styles[ST_STYLES] = {
	[ST_NORMAL] = { 0, { PLAIN, PLAIN, PLAIN } },
	[ST_DIM] = { LOOK_DIM, { PLAIN, INK(NONE, 241), INK(NONE, 243) } },
	[ST_STRONG] = { LOOK_BOLD, { PLAIN, PLAIN, PLAIN } },
	[ST_TOP] = { LOOK_BOLD, { PLAIN, PLAIN, PLAIN } },
	[ST_TITLE] = { LOOK_DIM, { PLAIN, INK(NONE, 241), INK(NONE, 243) } },
	[ST_FOCUS] = { LOOK_BOLD, { INK(CYAN, NONE), INK(BLUE, 26), PLAIN } },
	[ST_KEY] = { LOOK_BOLD, { PLAIN, PLAIN, PLAIN } },
	[ST_ESCAPED] = { LOOK_REVERSE | LOOK_DIM, { PLAIN, PLAIN, PLAIN } },
	[ST_TIME] = { 0, { PLAIN, PLAIN, PLAIN } },
	[ST_THREAD] = { 0, { INK(CYAN, 109), INK(BLUE, 25), INK(NONE, 63) } },
	[ST_EVENT] = { LOOK_BOLD, { PLAIN, PLAIN, PLAIN } },
	[ST_BAR] = { 0, { INK(GREEN, 71), INK(BLUE, 28), INK(NONE, 29) } },
	[ST_IN_BAR] = { LOOK_REVERSE, { INK(GREEN, 71), INK(BLUE, 28), INK(NONE, 29) } },
	[ST_MORE] = { LOOK_REVERSE | LOOK_BOLD, { INK(RED, 203), INK(RED, 160), INK(RED, 131) } },
	[ST_LESS] = { LOOK_REVERSE | LOOK_BOLD, { INK(BLUE, 75), INK(BLUE, 26), INK(BLUE, 63) } },
	[ST_BIT_MORE] = { LOOK_REVERSE, { INK(RED, 174), INK(RED, 131), INK(RED, 131) } },
	[ST_BIT_LESS] = { LOOK_REVERSE, { INK(BLUE, 110), INK(BLUE, 61), INK(BLUE, 63) } },
	[ST_GAP] = { LOOK_BOLD, { INK(YELLOW, 214), INK(RED, 130), PLAIN } },
	[ST_WARN] = { LOOK_BOLD, { INK(YELLOW, 214), INK(RED, 130), PLAIN } },
	[ST_ERROR] = { LOOK_BOLD, { INK(RED, 203), INK(RED, 160), PLAIN } },
	[ST_RED] = { LOOK_BOLD, { INK(RED, 203), INK(RED, 160), INK(RED, 131) } },
	[ST_GREEN] = { LOOK_BOLD, { INK(GREEN, 71), ON(GREEN, 28), INK(GREEN, 29) } },
	[ST_YELLOW] = { LOOK_BOLD, { INK(YELLOW, 214), ON(YELLOW, 94), INK(YELLOW, 130) } },
	[ST_BLUE] = { LOOK_BOLD, { INK(BLUE, 75), INK(BLUE, 26), INK(BLUE, 63) } },
	[ST_MAGENTA] = { LOOK_BOLD, { INK(MAGENTA, 176), INK(MAGENTA, 127), INK(MAGENTA, 163) } },
	[ST_CYAN] = { LOOK_BOLD, { INK(CYAN, 80), ON(CYAN, 24), INK(CYAN, 30) } },
};

struct look
theme_look(enum theme t, enum style st)
{
	struct look	l = { .attr = styles[st].attr & marks[t], .fg = NONE, .bg = NONE,
			    .fg256 = NONE };

	if (t < THEME_NONE) {
		l.fg = styles[st].ink[t].fg;
		l.bg = styles[st].ink[t].bg;
		l.fg256 = styles[st].ink[t].fg256;
	}
	return l;
}

enum theme
theme_find(const char *name)
{
	int	i = 0;

	while (i < THEMES && strcmp(theme_names[i], name) != 0)
		i++;
	return (enum theme)i;
}

/* White and the bright colours except black are light. */
enum theme
theme_of_background(const char *colorfgbg)
{
	const char	*last = colorfgbg != NULL ? strrchr(colorfgbg, ';') : NULL;
	char		*end;
	long		 bg;

	if (last == NULL)
		return THEME_ANY;
	bg = strtol(last + 1, &end, 10);
	if (end == last + 1 || *end != '\0')
		return THEME_ANY;
	return bg == 7 || (bg > 8 && bg < 16) ? THEME_LIGHT : THEME_DARK;
}

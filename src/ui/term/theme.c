/*
 * The themes as data.
 *
 *	style	dark		light			mono
 *	GAP	bold, 214	bold, 130		bold
 *
 * Invariant: with 256 colours each colour has a contrast of at least 4.5 on the background of its
 * theme; also with 8 colours on a light background, as far as such colours exist. Those of
 * THEME_ANY have it on black and on white, but for the user's own (ST_RED and on): 4.3.
 */
#include "ui/term/theme.h"

#include <stdlib.h>
#include <string.h>

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN };

#define PLAIN	{ 0, -1, -1, -1 }

const char *const	theme_names[THEMES] = {
	[THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_ANY] = "any",
	[THEME_NONE] = "none", [THEME_MONO] = "mono",
};

static const struct look	looks[THEMES][ST_STYLES] = {
	[THEME_DARK] = {
		[ST_NORMAL] = PLAIN,
		[ST_DIM] = { LOOK_DIM, -1, -1, -1 },
		[ST_STRONG] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TOP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TITLE] = { LOOK_DIM, -1, -1, -1 },
		[ST_FOCUS] = { LOOK_BOLD, CYAN, -1, -1 },
		[ST_KEY] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ESCAPED] = { LOOK_REVERSE | LOOK_DIM, -1, -1, -1 },
		[ST_TIME] = PLAIN,
		[ST_THREAD] = { 0, CYAN, -1, 109 },
		[ST_EVENT] = { LOOK_BOLD, -1, -1, -1 },
		[ST_BAR] = { 0, GREEN, -1, 71 },
		[ST_IN_BAR] = { LOOK_REVERSE, GREEN, -1, 71 },
		[ST_MORE] = { LOOK_REVERSE | LOOK_BOLD, RED, -1, 203 },
		[ST_LESS] = { LOOK_REVERSE | LOOK_BOLD, BLUE, -1, 75 },
		[ST_BIT_MORE] = { LOOK_REVERSE, RED, -1, 174 },
		[ST_BIT_LESS] = { LOOK_REVERSE, BLUE, -1, 110 },
		[ST_GAP] = { LOOK_BOLD, YELLOW, -1, 214 },
		[ST_WARN] = { LOOK_BOLD, YELLOW, -1, 214 },
		[ST_ERROR] = { LOOK_BOLD, RED, -1, 203 },
		[ST_RED] = { LOOK_BOLD, RED, -1, 203 },
		[ST_GREEN] = { LOOK_BOLD, GREEN, -1, 71 },
		[ST_YELLOW] = { LOOK_BOLD, YELLOW, -1, 214 },
		[ST_BLUE] = { LOOK_BOLD, BLUE, -1, 75 },
		[ST_MAGENTA] = { LOOK_BOLD, MAGENTA, -1, 176 },
		[ST_CYAN] = { LOOK_BOLD, CYAN, -1, 80 },
	},
	[THEME_LIGHT] = {
		[ST_NORMAL] = PLAIN,
		[ST_DIM] = { 0, -1, -1, 241 },
		[ST_STRONG] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TOP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TITLE] = { 0, -1, -1, 241 },
		[ST_FOCUS] = { LOOK_BOLD, BLUE, -1, 26 },
		[ST_KEY] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ESCAPED] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_TIME] = PLAIN,
		[ST_THREAD] = { 0, BLUE, -1, 25 },
		[ST_EVENT] = { LOOK_BOLD, -1, -1, -1 },
		[ST_BAR] = { 0, BLUE, -1, 28 },
		[ST_IN_BAR] = { LOOK_REVERSE, BLUE, -1, 28 },
		[ST_MORE] = { LOOK_REVERSE | LOOK_BOLD, RED, -1, 160 },
		[ST_LESS] = { LOOK_REVERSE | LOOK_BOLD, BLUE, -1, 26 },
		[ST_BIT_MORE] = { LOOK_REVERSE, RED, -1, 131 },
		[ST_BIT_LESS] = { LOOK_REVERSE, BLUE, -1, 61 },
		[ST_GAP] = { LOOK_BOLD, RED, -1, 130 },
		[ST_WARN] = { LOOK_BOLD, RED, -1, 130 },
		[ST_ERROR] = { LOOK_BOLD, RED, -1, 160 },
		[ST_RED] = { LOOK_BOLD, RED, -1, 160 },
		[ST_GREEN] = { LOOK_BOLD, BLACK, GREEN, 28 },
		[ST_YELLOW] = { LOOK_BOLD, BLACK, YELLOW, 94 },
		[ST_BLUE] = { LOOK_BOLD, BLUE, -1, 26 },
		[ST_MAGENTA] = { LOOK_BOLD, MAGENTA, -1, 127 },
		[ST_CYAN] = { LOOK_BOLD, BLACK, CYAN, 24 },
	},
	[THEME_ANY] = {
		[ST_NORMAL] = PLAIN,
		[ST_DIM] = { LOOK_DIM, -1, -1, 243 },
		[ST_STRONG] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TOP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TITLE] = { LOOK_DIM, -1, -1, 243 },
		[ST_FOCUS] = { LOOK_BOLD, -1, -1, -1 },
		[ST_KEY] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ESCAPED] = { LOOK_REVERSE | LOOK_DIM, -1, -1, -1 },
		[ST_TIME] = PLAIN,
		[ST_THREAD] = { 0, -1, -1, 63 },
		[ST_EVENT] = { LOOK_BOLD, -1, -1, -1 },
		[ST_BAR] = { 0, -1, -1, 29 },
		[ST_IN_BAR] = { LOOK_REVERSE, -1, -1, 29 },
		[ST_MORE] = { LOOK_REVERSE | LOOK_BOLD, RED, -1, 131 },
		[ST_LESS] = { LOOK_REVERSE | LOOK_BOLD, BLUE, -1, 63 },
		[ST_BIT_MORE] = { LOOK_REVERSE, RED, -1, 131 },
		[ST_BIT_LESS] = { LOOK_REVERSE, BLUE, -1, 63 },
		[ST_GAP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_WARN] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ERROR] = { LOOK_BOLD, -1, -1, -1 },
		[ST_RED] = { LOOK_BOLD, RED, -1, 131 },
		[ST_GREEN] = { LOOK_BOLD, GREEN, -1, 29 },
		[ST_YELLOW] = { LOOK_BOLD, YELLOW, -1, 130 },
		[ST_BLUE] = { LOOK_BOLD, BLUE, -1, 63 },
		[ST_MAGENTA] = { LOOK_BOLD, MAGENTA, -1, 163 },
		[ST_CYAN] = { LOOK_BOLD, CYAN, -1, 30 },
	},
	[THEME_NONE] = {
		[ST_NORMAL] = PLAIN, [ST_DIM] = PLAIN, [ST_STRONG] = PLAIN, [ST_TOP] = PLAIN,
		[ST_TITLE] = PLAIN, [ST_FOCUS] = PLAIN, [ST_KEY] = PLAIN,
		[ST_ESCAPED] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_TIME] = PLAIN, [ST_THREAD] = PLAIN, [ST_EVENT] = PLAIN, [ST_BAR] = PLAIN,
		[ST_IN_BAR] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_MORE] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_LESS] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_BIT_MORE] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_BIT_LESS] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_GAP] = PLAIN, [ST_WARN] = PLAIN, [ST_ERROR] = PLAIN, [ST_RED] = PLAIN,
		[ST_GREEN] = PLAIN, [ST_YELLOW] = PLAIN, [ST_BLUE] = PLAIN,
		[ST_MAGENTA] = PLAIN, [ST_CYAN] = PLAIN,
	},
	[THEME_MONO] = {
		[ST_NORMAL] = PLAIN,
		[ST_DIM] = { LOOK_DIM, -1, -1, -1 },
		[ST_STRONG] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TOP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_TITLE] = { LOOK_DIM, -1, -1, -1 },
		[ST_FOCUS] = { LOOK_BOLD, -1, -1, -1 },
		[ST_KEY] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ESCAPED] = { LOOK_REVERSE | LOOK_DIM, -1, -1, -1 },
		[ST_TIME] = PLAIN, [ST_THREAD] = PLAIN,
		[ST_EVENT] = { LOOK_BOLD, -1, -1, -1 },
		[ST_BAR] = PLAIN,
		[ST_IN_BAR] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_MORE] = { LOOK_REVERSE | LOOK_BOLD, -1, -1, -1 },
		[ST_LESS] = { LOOK_REVERSE | LOOK_BOLD, -1, -1, -1 },
		[ST_BIT_MORE] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_BIT_LESS] = { LOOK_REVERSE, -1, -1, -1 },
		[ST_GAP] = { LOOK_BOLD, -1, -1, -1 },
		[ST_WARN] = { LOOK_BOLD, -1, -1, -1 },
		[ST_ERROR] = { LOOK_BOLD, -1, -1, -1 },
		[ST_RED] = { LOOK_BOLD, -1, -1, -1 },
		[ST_GREEN] = { LOOK_BOLD, -1, -1, -1 },
		[ST_YELLOW] = { LOOK_BOLD, -1, -1, -1 },
		[ST_BLUE] = { LOOK_BOLD, -1, -1, -1 },
		[ST_MAGENTA] = { LOOK_BOLD, -1, -1, -1 },
		[ST_CYAN] = { LOOK_BOLD, -1, -1, -1 },
	},
};

const struct look *
theme_look(enum theme t, enum style st)
{
	return &looks[t][st];
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

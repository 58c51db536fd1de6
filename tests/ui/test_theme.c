/*
 * The themes: what they look like on the background that they are for.
 */
#include "../support/desk.h"
#include "../support/pty.h"
#include "../support/test.h"
#include "ui/term/theme.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"

/* The colours of xterm: 8, the cube, the greys. */
static void
rgb(int color, int out[3])
{
	static const int	base[8][3] = { { 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 },
				    { 205, 205, 0 }, { 0, 0, 238 }, { 205, 0, 205 },
				    { 0, 205, 205 }, { 229, 229, 229 } };
	static const int	by[3] = { 36, 6, 1 };
	static const int	step[6] = { 0, 95, 135, 175, 215, 255 };

	if (color < 8)
		memcpy(out, base[color], sizeof base[color]);
	for (int i = 0; color >= 16 && color < 232 && i < 3; i++)
		out[i] = step[(color - 16) / by[i] % 6];
	for (int i = 0; color >= 232 && i < 3; i++)
		out[i] = 8 + (color - 232) * 10;
}

/* x to the power of 2.4: of its square and the fifth root of that. */
static double
pow_2_4(double x)
{
	double	root = 1, square = x * x;

	for (int i = 0; i < 60; i++)
		root -= (root * root * root * root * root - square) /
		    (5 * root * root * root * root);
	return square * root;
}

/* As WCAG 2 defines it. */
static double
luminance(const int c[3])
{
	static const double	weight[3] = { 0.2126, 0.7152, 0.0722 };
	double			sum = 0;

	for (int i = 0; i < 3; i++) {
		double	s = c[i] / 255.0;

		sum += weight[i] * (s <= 0.03928 ? s / 12.92 : pow_2_4((s + 0.055) / 1.055));
	}
	return sum;
}

static double
contrast(const int a[3], const int b[3])
{
	double	x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static void
need_contrast(enum theme t, enum style st, int fg, const int bg[3],
    double least)
{
	int	ink[3];

	rgb(fg, ink);
	if (contrast(ink, bg) < least)
		fail_msg("%s: style %d, colour %d: contrast %.2f", theme_names[t], (int)st, fg,
		    contrast(ink, bg));
}

TEST(colours_are_read_on_the_background_of_their_theme)
{
	static const int	white[3] = { 255, 255, 255 }, black[3] = { 0, 0, 0 };
	int			bg[3], checked = 0;

	for (int st = 0; st < ST_STYLES; st++) {
		struct look	dark = theme_look(THEME_DARK, (enum style)st);
		struct look	light = theme_look(THEME_LIGHT, (enum style)st);
		struct look	any = theme_look(THEME_ANY, (enum style)st);

		if (dark.fg256 >= 0 && ++checked > 0)
			need_contrast(THEME_DARK, (enum style)st, dark.fg256, black, 4.5);
		if (light.fg256 >= 0 && ++checked > 0)
			need_contrast(THEME_LIGHT, (enum style)st, light.fg256, white, 4.5);
		if (any.fg256 >= 0 && ++checked > 0) {
			double	least = st < ST_RED ? 4.5 : 4.3;

			need_contrast(THEME_ANY, (enum style)st, any.fg256, black, least);
			need_contrast(THEME_ANY, (enum style)st, any.fg256, white, least);
		}
		if (light.fg < 0)
			continue;
		checked++;
		memcpy(bg, white, sizeof bg);
		if (light.bg >= 0)
			rgb(light.bg, bg);
		need_contrast(THEME_LIGHT, (enum style)st, light.fg, bg, 4.5);
	}
	assert_true(checked > 30);
}

/* In the order of the styles: 1 bold, 2 dim, 4 reversed; the first letter of the colour, black is k. */
TEST(each_theme_marks_what_is_to_stand_out)
{
	static const char *const	marks[THEMES] = { "02112116001045544111111111",
				    "00110114001045544111111111", "02112116001045544111111111",
				    "00000004000044444000000000",
				    "02112116001045544111111111" };
	static const char *const	inks[THEMES] = { "-----c---c-ggrbrbyyrrgybmc",
				    "-----b---b-bbrbrbrrrrkkbmk", "-------------rbrb---rgybmc",
				    "--------------------------",
				    "--------------------------" };

	for (int i = 0; i < THEMES * ST_STYLES; i++) {
		enum theme	t = (enum theme)(i / ST_STYLES);
		enum style	st = (enum style)(i % ST_STYLES);
		struct look	look = theme_look(t, st);

		assert_int_equal(look.attr, marks[t][st] - '0');
		assert_int_equal("-krgybmc"[look.fg + 1], inks[t][st]);
		assert_true(t < THEME_NONE || (look.bg < 0 && look.fg256 < 0));
	}
}

TEST(the_terminal_may_tell_its_background)
{
	assert_int_equal(theme_of_background(NULL), THEME_ANY);
	assert_int_equal(theme_of_background("15;0"), THEME_DARK);
	assert_int_equal(theme_of_background("0;15"), THEME_LIGHT);
	assert_int_equal(theme_of_background("0;default;7"), THEME_LIGHT);
	assert_int_equal(theme_of_background("15;8"), THEME_DARK);
	assert_int_equal(theme_of_background("nonsense"), THEME_ANY);
	assert_int_equal(theme_of_background("0;"), THEME_ANY);
}

/* The colour of a gap in the list is 214 of 256 where it is dark, 130 where it is light. */
TEST(a_theme_is_seen_on_the_terminal)
{
	char		*env[] = { "TERM=xterm-256color", "COLORFGBG=15;0", NULL };
	struct pty	*p = pty_tnav(NULL, D, 24, 80, env);

	pty_wait_text(p, "events lost within");
	pty_settle(p);
	assert_true(pty_last(p, "38;5;214m") >= 0);
	assert_int_equal(pty_last(p, "38;5;130m"), -1);
	pty_try(p, ":set theme light\r", "theme: light");
	pty_settle(p);
	assert_true(pty_last(p, "38;5;130m") > pty_last(p, "38;5;214m"));
	for (int i = 0; i < 2; i++) {
		pty_send(p, i == 0 ? ":set theme mono\r" : ":set theme none\r");
		pty_wait_text(p, i == 0 ? "theme: mono" : "theme: none");
		pty_settle(p);
		assert_false(pty_coloured(p));
	}
	pty_try(p, ":set theme dark\r", "theme: dark");
	pty_settle(p);
	assert_true(pty_last(p, "38;5;214m") > pty_last(p, "38;5;130m"));
	assert_true(pty_coloured(p));
	pty_quit(p, "Q", 0);
}

/* Where the background is not known, losses are bold and have no colour, and every colour that
   reaches the terminal can be read on black and on white. Nothing is dim: terminals differ in what
   that is. */
TEST(all_is_read_on_a_background_that_is_not_known)
{
	static const int	white[3] = { 255, 255, 255 }, black[3] = { 0, 0, 0 };
	char		*env[] = { "TERM=xterm-256color", "COLORFGBG=", NULL };
	struct pty	*p = pty_tnav(NULL, D, 24, 80, env);
	char		 code[32];
	int		 seen = 0;

	pty_wait_text(p, "events lost within");
	pty_try(p, "\0335", "share lost");
	pty_try(p, "!", "no damage found");
	pty_settle(p);
	for (int color = 0; color < 256; color++) {
		(void)snprintf(code, sizeof code, "38;5;%dm", color);
		if (pty_last(p, code) < 0)
			continue;
		need_contrast(THEME_ANY, ST_NORMAL, color, black, 4.5);
		need_contrast(THEME_ANY, ST_NORMAL, color, white, 4.5);
		seen++;
	}
	assert_true(seen >= 2);
	for (int color = 0; color < 8; color++) {
		(void)snprintf(code, sizeof code, "\033[3%dm", color);
		assert_int_equal(pty_last(p, code), -1);
	}
	assert_int_equal(pty_last(p, "\033[0;2m"), -1);
	assert_int_equal(pty_last(p, "38;5;214m"), -1);
	pty_quit(p, "Q", 0);
}

/* The looks of the line with this text begin so. */
static void
need_looks(struct pty *p, const char *text, const char *want)
{
	struct buf	*have = test_buf();

	pty_looks(p, pty_wait_line(p, text), have);
	if (strncmp(buf_str(have), want, strlen(want)) != 0)
		fail_msg("%s\n-%s\n+%s", text, want, buf_str(have));
}

/*
 * The row of the cursor with a hit, a hit in another row, a loss, the title of the pane with the
 * focus; then the first row again, when another pane has the focus. Dim is seen in the bytes alone.
 */
TEST(each_mark_is_seen_on_the_terminal)
{
	static char	none[] = "NO_COLOR=1", some[] = "A=", dark[] = "COLORFGBG=15;0",
			light[] = "COLORFGBG=0;15", unknown[] = "COLORFGBG=",
			shades[] = "TERM=xterm-256color", eight[] = "TERM=xterm",
			two[] = "TERM=vt220";
	static const struct {
		char		*env[4];
		bool		 dim;
		const char	*at, *hit, *loss, *title, *off;
	} of[] = {
		{ { shades, dark, some }, true, "!:49 0/3:3 !:28",
		    ":22 109/.:1 :1 +:1 :24 0/3:3 :27 !:1", ":1 +214/.:2 ", "+6/.:1 ",
		    "+_:1 _:21 _109/.:1 _:1 +_:1 _:24 0/3:3 _:27 !:1" },
		{ { shades, light, some }, false, "!:49 0/3:3 !:28",
		    ":12 241/.:4 :1 241/.:2 :3 25/.:1 :1 +:1 :24 0/3:3 ", ":1 +130/.:2 ",
		    "+26/.:1 ", "+_:1 _:11 _241/.:4 _:1 _241/.:2 _:3 _25/.:1 _:1 +_:1 " },
		{ { shades, unknown, some }, false, "!:49 0/3:3 !:28",
		    ":12 243/.:4 :1 243/.:2 :3 63/.:1 :1 +:1 :24 0/3:3 ", ":1 +:2 ", "+:1 ",
		    "+_:1 _:11 _243/.:4 _:1 _243/.:2 _:3 _63/.:1 _:1 +_:1 " },
		{ { eight, dark, some }, true, "!:49 0/3:3 !:28",
		    ":22 6/.:1 :1 +:1 :24 0/3:3 :27 !:1", ":1 +3/.:2 ", "+6/.:1 ",
		    "+_:1 _:21 _6/.:1 _:1 +_:1 _:24 0/3:3 _:27 !:1" },
		{ { eight, light, some }, false, "!:49 0/3:3 !:28",
		    ":22 4/.:1 :1 +:1 :24 0/3:3 :27 !:1", ":1 +1/.:2 ", "+4/.:1 ",
		    "+_:1 _:21 _4/.:1 _:1 +_:1 _:24 0/3:3 _:27 !:1" },
		{ { eight, unknown, some }, true, "!:49 0/3:3 !:28",
		    ":24 +:1 :24 0/3:3 :27 !:1", ":1 +:2 ", "+:1 ",
		    "+_:1 _:23 +_:1 _:24 0/3:3 _:27 !:1" },
		{ { eight, light, none }, false, "!:49 +_:3 !:28",
		    ":24 +:1 :24 !:3 :27 !:1", ":1 +:2 ", "+:1 ",
		    "+_:1 _:23 +_:1 _:24 !:3 _:27 !:1" },
		{ { two, light, some }, false, "!:49 +_:3 !:28",
		    ":24 +:1 :24 !:3 :27 !:1", ":1 +:2 ", "+:1 ",
		    "+_:1 _:23 +_:1 _:24 !:3 _:27 !:1" },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct pty	*p = pty_tnav(NULL, D, 24, 80, of[i].env);

		pty_wait_text(p, "events lost within");
		pty_try(p, "/n=5\r", "/n=5/  1 of 2");
		pty_settle(p);
		need_looks(p, "0.002 000", of[i].at);
		need_looks(p, "0.004 000", of[i].hit);
		need_looks(p, "6: 1 event lost", of[i].loss);
		need_looks(p, "events \xe2\x94\x80", of[i].title);
		pty_try(p, "\0335", "share lost");
		pty_settle(p);
		need_looks(p, "\xb8" "0.002 000", of[i].off);
		assert_int_equal(pty_last(p, "\033[0;2m") >= 0, of[i].dim);
		pty_quit(p, "Q", 0);
	}
}

/* The style of the thread's id in the row of the event of that time. */
static int
style_of_thread(struct desk *d, const char *time, const char *tid)
{
	int		 y = memterm_find(d->m, time);
	const char	*at;

	assert_true(y >= 0);
	at = strstr(memterm_line(d->m, y), tid);	/* all before it is ASCII */
	assert_non_null(at);
	return canvas_at(&d->ui->screen.c, y,
	    (int)(at + 1 - memterm_line(d->m, y)))->style;
}

DESK_TEST(each_thread_can_have_a_colour_of_its_own, D, 24, 80)
{
	int	five;

	assert_int_equal(style_of_thread(d, "0.002 000", " 5 T"), ST_THREAD);
	assert_int_equal(style_of_thread(d, "0.004 000", " 6 T"), ST_THREAD);
	desk_do(d, ":`set color-threads on` <Enter>");
	five = style_of_thread(d, "0.002 000", " 5 T");
	assert_int_not_equal(five, ST_THREAD);
	assert_int_equal(style_of_thread(d, "0.005 000", " 5 T"), five);
	assert_int_not_equal(style_of_thread(d, "0.004 000", " 6 T"), ST_THREAD);
	assert_int_not_equal(style_of_thread(d, "0.004 000", " 6 T"), five);
	desk_do(d, ":`set color-threads off` <Enter>");
	assert_int_equal(style_of_thread(d, "0.002 000", " 5 T"), ST_THREAD);
}

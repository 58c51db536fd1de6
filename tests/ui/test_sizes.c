/*
 * What is said must be said at every size and in ASCII, too: messages, the ends of the history, two
 * events compared, what the trace says of its program, and what cannot be followed.
 *
 * The tour's trace: row 9,301 is the first exception, 9,399 the next one; 7 of their 22 fields
 * differ, the type among them.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define TOUR	"tests/data/tour.nettrace.zst"

static const struct {
	int	rows, cols;
	bool	ascii;
} sizes[] = {
	{ 24, 80, false }, { 24, 80, true }, { 43, 132, false }, { 43, 132, true },
	{ 50, 200, false }, { 50, 200, true }, { 12, 40, false }, { 12, 40, true },
};

/* Keys, what is then on the bottom line (NULL: anything), and elsewhere; columns that it needs. */
static const struct step {
	const char	*keys, *bottom, *shows;
	int		 cols;
} steps[] = {
	{ "[", "nothing to go back to", NULL, 0 },
	{ "]", "nothing to go forward to", NULL, 0 },
	{ ":`zorn` <Enter>", "unknown command 'zorn'", NULL, 0 },
	{ ":`messages` <Enter>", NULL, "unknown command 'zorn'", 0 },
	{ "", NULL, "nothing to go forward to", 0 },
	{ "", NULL, "3 messages", 0 },
	{ "q e", "row 9,301", NULL, 0 },
	{ "M-d", "pinned: move ", NULL, 0 },
	{ "e", "row 9,399", "7 of 22 fields differ", 80 },
	{ "", NULL, "Exception", 0 },
	{ "", NULL, "System.IO.", 0 },
	{ "", NULL, "Shop.OutO", 0 },
	{ ":`diff` <Enter>", "pinned: move ", "pinned: 2.226 818 s", 0 },
	{ "M-d", "the event is no longer pinned", NULL, 0 },
	{ "[", NULL, NULL, 0 },
	{ "]", NULL, NULL, 0 },
	{ ":`set color-threads on` <Enter>", "colour", NULL, 0 },
	{ "F", "cannot follow: the trace is closed", NULL, 0 },
	{ "g M-2", NULL, "10.0.12.0", 80 },
	{ "", NULL, "shop.dll", 80 },
	{ "", NULL, "started 2026-11-22T07:20:21", 132 },
	{ "M-8 s", NULL, "Lost events: 15,791 events in 9 gaps", 80 },
	{ "", NULL, "Waits for locks: 6.8 %", 80 },
};

static void
need(struct desk *d, const struct step *s, int cols, bool ascii)
{
	if (cols < s->cols)
		return;
	if ((s->bottom == NULL || strstr(desk_bottom(d), s->bottom) != NULL) &&
	    (s->shows == NULL || desk_shows(d, s->shows)))
		return;
	fail_msg("at %d columns%s after \"%s\": \"%s\" or \"%s\" is missing:\n%s", cols,
	    ascii ? " in ASCII" : "", s->keys, s->bottom != NULL ? s->bottom : "",
	    s->shows != NULL ? s->shows : "", memterm_text(d->m));
}

TEST(what_is_said_is_said_at_every_size)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct desk	d = desk_open(TOUR, sizes[i].rows, sizes[i].cols, sizes[i].ascii,
				    NULL);

		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
			desk_do(&d, steps[k].keys);
			need(&d, &steps[k], sizes[i].cols, sizes[i].ascii);
		}
		desk_close(&d);
	}
}

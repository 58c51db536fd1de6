/*
 * :tour shows what its words say, step by step, on any trace that has the events, and gets out of
 * the way.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/command/command.h"

#define TOUR	"tests/data/tour.nettrace.zst"

static const struct {
	const char	*words, *shows[3];
	enum pane_id	 focus;
} steps[] = {
	{ "1/10 Events by time: j k Space move", { "Runtime/Start" }, PANE_EVENTS },
	{ "2/10 Counts by event", { "18,616", "Line" }, PANE_STATS },
	{ "3/10 / searches by regex, here Exception.*Start; n N", { "Exception/Start" }, PANE_EVENTS },
	{ "4/10 e: the next exception; below:", { "Exception/Start", "Shop.Day.Answer" },
	    PANE_EVENTS },
	{ "5/10 Most lost first", { "9,421", "6,108" }, PANE_THREADS },
	{ "6/10 Largest gaps first", { "7,430" }, PANE_GAPS },
	{ "7/10 f filters while you type, i x", { "name ~ ^GC/", "GC/" }, PANE_EVENTS },
	{ "8/10 Bytes by type; =", { "sum.AllocationAmount64", "System.Byte[]" },
	    PANE_STATS },
	{ "9/10 w s zoom, a d pan, @", { "timeline" }, PANE_TIMELINE },
	{ "10/10 yc copies the command", { "events" }, PANE_EVENTS },
};
#define STEPS	(sizeof steps / sizeof *steps)

static void
need_step(struct desk *d, size_t i)
{
	desk_need_bottom(d, steps[i].words);
	for (size_t k = 0; k < 3 && steps[i].shows[k] != NULL; k++)
		desk_need(d, steps[i].shows[k]);
	assert_int_equal(d->ui->panes.focus, steps[i].focus);
}

static void
walk(int rows, int cols)
{
	struct desk	d = desk_open(TOUR, rows, cols, false, NULL);

	for (size_t i = 0; i < STEPS; i++) {
		desk_do(&d, i % 2 == 0 ? ":`tour` <Enter>" : "<F3>");
		need_step(&d, i);
		assert_null(strchr(desk_bottom(&d), '{'));
		assert_null(strstr(desk_bottom(&d), "\xe2\x80\xa6"));	/* nothing is cut */
	}
	desk_try_bottom(&d, "<F3>", "End of the tour");
	desk_close(&d);
}

TEST(each_of_ten_steps_shows_what_it_speaks_of)
{
	walk(24, 80);
	walk(43, 132);
	walk(50, 200);
}

/* The words are cut there, how to go on is not. */
DESK_TEST(the_smallest_screen_says_how_to_go_on, TOUR, 12, 40)
{
	desk_do(d, ":`tour` <Enter>");
	for (int i = 1; i < 10; i++) {
		assert_non_null(strstr(desk_bottom(d), " F3 next"));
		desk_do(d, "<F3>");
	}
	desk_need_bottom(d, " F3 ends");
}

DESK_TEST(a_step_gives_back_what_it_found, TOUR, 24, 80)
{
	desk_try(d, "f `name ~ Exception` <Enter> :`tour 7` <Enter>", "name ~ ^GC/");
	for (int i = 0; i < 6 && strcmp(d->ui->v.filter.text != NULL ? d->ui->v.filter.text : "",
	    "name ~ Exception") != 0; i++)
		desk_do(d, "[");
	assert_string_equal(d->ui->v.filter.text, "name ~ Exception");
}

TEST(a_tour_in_a_script_goes_on_with_the_script)
{
	struct ui_options	o = { .script = "tour 7 ; zoom-in ; tour 2 ; row 3" };
	struct desk		d = desk_open(TOUR, 24, 80, false, &o);

	desk_need_bottom(&d, "2/10 Counts by event");
	assert_int_equal(d.ui->v.sel.row, 3);
}

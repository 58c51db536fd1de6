/*
 * Spans and activities in the viewer: the longest first, from a start to its stop and back, a span as
 * range, a filter by duration, a request and all under it.
 */
#include <unistd.h>

#include "analysis/spans/names.h"
#include "tnav/io/file.h"
#include "../support/data.h"
#include "../support/desk.h"
#include "../support/frame_check.h"
#include "../support/test.h"

#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"
#define HTTP	"tests/data/spans/cut-http.nettrace"

/* The sampler's suspensions, 1,553 of them, have the same name; the longest of a collection began in
   row 15,954 and took 28.184 ms, and a request caused 563 events. */
static void
check_tour(int rows, int cols)
{
	struct desk	d = desk_open(TOUR, rows, cols, false, NULL);

	desk_do(&d, "M-9");
	desk_try(&d, "p", "11 spans", "28.184 ms");
	desk_try_bottom(&d, "<Enter>", "row 15,954");
	desk_need(&d, "Reason=1 SuspendForGC");
	desk_reopen(&d, TOUR, rows, cols, false, NULL);
	desk_do(&d, "/ C-u `Request/Start` <Enter>");
	desk_try(&d, "V", "activity within //1/3 ", "563 of 56,443");
	desk_try(&d, "M-a", "Request/Start");
	desk_close(&d);
}

TEST(pauses_and_requests_of_the_tour)
{
	check_tour(24, 80);
	check_tour(50, 200);
}

/* After this key and so many turns, spans are being found. */
static struct desk
open_finding(const char *key, unsigned turns)
{
	struct desk	d = desk_open(DEMO, 50, 160, false, NULL);

	memterm_press(d.m, key);
	while (!deriving_state(&d.ui->v.deriving, NEEDS_OTHERS).busy)
		ui_turn(d.ui);
	for (unsigned i = 0; i < turns; i++)
		ui_turn(d.ui);
	if (d.ui->v.deriving.now.of[DERIVED_SPANS] == NULL)
		return d;
	desk_close(&d);			/* the other thread was faster */
	return open_finding(key, turns);
}

/* Esc, before they are begun to be found, or meanwhile; its key finds them after all. */
static void
check_stop(const char *key, unsigned turns, const char *says, const char *shows)
{
	struct desk	d = open_finding(key, turns);

	desk_try_bottom(&d, "<Esc>", "stopped");
	desk_need(&d, says);
	assert_null(d.ui->v.deriving.now.of[DERIVED_SPANS]);
	assert_false(deriving_state(&d.ui->v.deriving, NEEDS_OTHERS).busy);
	desk_try_bottom(&d, "<Esc>", "nothing to cancel");
	desk_try_not(&d, key, "stopped");
	desk_need(&d, shows);
	desk_close(&d);
}

TEST(finding_spans_can_be_stopped)
{
	for (unsigned turns = 0; turns < 2; turns++) {
		check_stop("M-9", turns, "stopped (Alt-9 finds spans again)", "317 spans");
		check_stop("M-a", turns, "stopped (Alt-a finds activities again)", "ctivit");
	}
}

/* ---- keys before the spans are found */

#define PIPED_BYTES	10000	/* of HTTP, in front of which are its first 82 rows */

/* A viewer of the first bytes of HTTP. The others come through the pipe as well, later. */
struct piped {
	struct desk	d;
	struct buf	all;
	int		fd;
};

static void
feed(struct piped *p, size_t from, size_t to)
{
	assert_int_equal(write(p->fd, p->all.p + from, to - from), (ssize_t)(to - from));
}

static void
piped_turns(struct piped *p, unsigned n)
{
	for (; n > 0 || memterm_pending(p->d.m); n -= n > 0) {
		p->d.ui->timing.last_frame = 0;
		ui_turn(p->d.ui);
	}
}

static void
piped_press(struct piped *p, const char *keys)
{
	memterm_press(p->d.m, keys);
	piped_turns(p, 5);
}

static void
piped_open(struct piped *p)
{
	struct trace_options	 opt = { .eager = true };
	struct ui_options	 o = { .color = UI_COLOR_AUTO };
	struct buf		*path = test_buf(), *why = test_buf();
	int			 fd[2];

	p->d.kept = NULL;
	p->all = (struct buf){ 0 };
	assert_true(file_read(data_path(HTTP), 0, 1 << 20, &p->all) >= 0);
	assert_int_equal(pipe(fd), 0);
	p->fd = fd[1];
	feed(p, 0, PIPED_BYTES);
	buf_printf(path, "/dev/fd/%d", fd[0]);
	assert_int_equal(trace_open(&p->d.t, buf_str(path), &opt, why), 0);
	close(fd[0]);
	p->d.m = memterm_new(24, 100, false);
	memterm_watch(p->d.m, frame_check);
	trace_index_start(p->d.t);
	p->d.ui = ui_new(p->d.t, &o, memterm_screen(p->d.m), why);
	assert_non_null(p->d.ui);
	while (trace_rows(p->d.t) < 82 || !desk_shows(&p->d, "row 0"))
		piped_turns(p, 1);
}

static void
piped_end(struct piped *p)
{
	feed(p, PIPED_BYTES, p->all.len);
	close(p->fd);
	desk_rest(&p->d);
	assert_false(ui_awaits(p->d.ui));
}

static void
piped_close(struct piped *p)
{
	desk_close(&p->d);
	buf_release(&p->all);
}

/* Row 0 begins an order. It ends in row 97, which comes later. */
TEST(a_key_that_needs_spans_acts_once_they_are_found)
{
	static const struct { const char *keys, *shows; } cases[] = {
		{ "%", "row 97" },
		{ "% %", "row 97" },		/* once: not back to row 0 */
		{ "% 5", "row 97" },		/* a number moves nothing */
		{ "r", "0.095 962 \xe2\x80\xa6 0.149 401 s" },
		{ "v r", "range 53.440 ms" },
		{ "V", "activity within //1/1 " },
		{ "M-1 M-b", "lanes with spans" },
	};
	struct piped	p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		piped_open(&p);
		piped_press(&p, cases[i].keys);
		desk_need_bottom(&p.d, "finding spans ... 0 % (Esc stops)");
		desk_need_not(&p.d, cases[i].shows);
		memterm_resize(p.d.m, 30, 120);
		piped_turns(&p, 5);
		desk_need_bottom(&p.d, "row 0 ");
		piped_end(&p);
		desk_need(&p.d, cases[i].shows);
		desk_need_not(&p.d, "finding spans");
		piped_close(&p);
	}
}

TEST(another_key_or_a_click_makes_a_key_that_waits_forget_it)
{
	static const struct { const char *keys, *row; } cases[] = {
		{ "% j", "row 1 " }, { "% <Esc>", "row 0 " }, { "% ?", NULL }, { "r G g", "row 0 " },
	};
	struct piped	p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		piped_open(&p);
		piped_press(&p, cases[i].keys);
		desk_need_not(&p.d, "finding spans");
		assert_false(ui_awaits(p.d.ui));
		piped_end(&p);
		assert_true(p.d.ui->v.window.whole);
		if (cases[i].row != NULL)
			desk_need_bottom(&p.d, cases[i].row);
		else
			assert_int_equal(p.d.ui->v.sel.row, 0);
		desk_do(&p.d, "<Esc> g %");	/* it is found after all */
		assert_int_equal(p.d.ui->v.sel.row, 97);
		piped_close(&p);
	}
	piped_open(&p);
	memterm_press(p.d.m, ": m o u s e <Enter>");
	piped_press(&p, "%");
	assert_true(ui_awaits(p.d.ui));
	memterm_mouse(p.d.m, MOUSE_PRESS, memterm_find(p.d.m, "id=2 title=order 2"), 4, 1);
	piped_turns(&p, 5);
	piped_end(&p);
	desk_need_bottom(&p.d, "row 5 ");
	piped_close(&p);
}

/* Ids are long and say little: on a small screen paths and durations stand in their place. */
DESK_TEST(activities_on_a_small_screen_have_durations, HTTP, 24, 80)
{
	desk_try(d, "M-a", " path ", " dur ", " self ");
	desk_need_not(d, "00000011-0000-0000-0000-0000b2999d59");
}

DESK_TEST(the_critical_path_is_a_line, HTTP, 24, 80)
{
	desk_try(d, "M-a z", " critical", "//1/1       \xe2\x94\x83 Order/Start", "93.7 %");
	desk_need(d, "//1/1/1/2   \xe2\x94\x83 Step/Start", " 6.3 %");
	desk_try(d, "j j l", "//1/1/1/1     Step/Start");
	desk_reopen(d, HTTP, 50, 200, true, NULL);
	desk_try(d, "M-a z", "| Order/Start", "93.7 %");
}

/* Of the 118 the longest is //1/27, with 102 ms; row 0 is of //1/1. */
DESK_TEST(activities_open_on_that_of_the_event_the_longest_first, HTTP, 24, 80)
{
	desk_try(d, "M-2 g M-a z", "sorted by dur", "\xe2\x96\xb8-//1/1 ");
	assert_non_null(strstr(memterm_line(d->m, 3), "//1/27 "));
	desk_try(d, "z q f `activity = //1/1/1/1` <Enter> X M-a z", "\xe2\x96\xb8 //1/1/1/1 ");
	desk_try(d, "G", "\xe2\x96\xb8");
	desk_need_not(d, "//1/1/1/1 ");		/* moved by hand, it stays */
}

DESK_TEST(a_request_and_all_under_it, HTTP, 50, 160)
{
	desk_try(d, "M-a", "118 activities", "//1/1");
	desk_try(d, "q M-2 g V", "activity within //1/1 ");
	desk_need(d, "Step/Start");
}

TEST(enter_on_an_activity_shows_its_events)
{
	struct desk	d = desk_open(HTTP, 50, 160, false, NULL);

	desk_do(&d, "M-a");
	desk_rest(&d);
	desk_do(&d, "<Enter>");
	desk_rest(&d);
	desk_need(&d, "activity = //1/1 ");
	desk_need(&d, "2 of 168");
	desk_reopen(&d, "tests/data/features/v6-labels-all-kinds.nettrace", 24, 100, false, NULL);
	desk_do(&d, "M-a");
	desk_rest(&d);
	desk_do(&d, "2 j <Enter>");
	desk_rest(&d);
	desk_need(&d, "label.TraceId = \"0102030405060708090a0b0c0d0e0f10\"");
	desk_need(&d, "2 of 24");
	desk_do(&d, "X M-a j <Enter>");
	desk_rest(&d);
	desk_need(&d, "label.SpanId = \"1122334455667788\"");
	desk_need(&d, "2 of 24");
}

TEST(labels_of_a_trace_are_an_activity_too)
{
	struct desk	d = desk_open("tests/data/features/v6-labels-all-kinds.nettrace", 24, 100,
			    false, NULL);

	desk_try(&d, "j j j V", "label.TraceId = ", "0102030405060708090a0b0c0d0e0f10");
	desk_reopen(&d, DEMO, 24, 160, false, NULL);
	desk_do(&d, "M-a");
	desk_try(&d, "q M-2 V", "TplEventSource with keyword 0x80");
}

static uint32_t
add_name(struct name_table *n, const char *name)
{
	return names_add(n, &(struct span_name){ .group = "G", .provider = "P", .name = name,
	    .title = name });
}

/* Threads read names while a kind of event that came later adds one. */
TEST(names_of_spans_keep_their_places)
{
	struct name_table	*n = names_new();
	const struct span_name	*first;
	char			 name[16];

	assert_int_equal(add_name(n, "first"), 0);
	first = names_at(n, 0);
	for (unsigned i = 1; i < 500; i++) {
		snprintf(name, sizeof name, "n%u", i);
		assert_int_equal(add_name(n, name), i);
	}
	assert_int_equal(add_name(n, "first"), 0);
	assert_ptr_equal(names_at(n, 0), first);
	assert_string_equal(first->name, "first");
	assert_string_equal(names_at(n, 499)->name, "n499");
	names_free(n);
}

/*
 * Every command of the table changes what is on the screen. A command without a line here fails.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5; before three of them some were lost.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/analysis/folding.h"
#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "ui/command/command.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"
#define HEAP	"tests/data/shared/traces/heap/net10-heap-two.nettrace.zst"
#define TOUR	"tests/data/tour.nettrace.zst"
#define HEPH	"tests/data/traces/actors-1worker.heph"
#define LABELS	"tests/data/features/v6-labels-all-kinds.nettrace"

/* A script as desk_do() takes it, and what is on the screen afterwards but was not before; behind
   a ! the other way around. */
static const struct row {
	const char	*command, *trace, *before, *keys, *want;
} rows[] = {
	{ "filter", D, "", "f `tid = 6` <Enter>", "1 of 4" },
	{ "drop-filter", D, ":`filter tid = 6` <Enter>", "X", "n=9" },
	{ "filter-add", D, "", ":`filter-add tid = 6` <Enter>", "f: tid = 6" },
	{ "filter-add", D, ":`filter n > 1` <Enter>", "&`tid = 6", "valid: 1 of 4" },
	{ "filter-add", D, ":`filter n > 1` <Enter>", "&`tid = 6` <Enter>",
	    "f: n > 1 and tid = 6" },
	{ "filter-keep", D, "", ":`filter-keep tid = 6` <Enter> :`filters` <Enter>", "[  ]" },
	{ "filters-toggle", D, ":`filter tid = 6` <Enter>", "M-f", "n=9" },
	{ "filters", D, ":`filter tid = 6` <Enter>", ":`filters` <Enter>", "[on]" },
	{ "filter-toggle", D, ":`filter tid = 6` <Enter> :`filters` <Enter>", "<Space>", "[  ]" },
	{ "filter-name", D, ":`filter tid = 6` <Enter> :`filters` <Enter>", "n `mine` <Enter>",
	    "mine" },
	{ "filter-delete", D, ":`filter tid = 6` <Enter> :`filters` <Enter>", "d",
	    "no filter (" },
	{ "include", D, "", "i", "f: " },
	{ "exclude", D, "", "x", "f: " },
	{ "search", D, "", "/`n=9` <Enter>", "1 of 1" },
	{ "search", D, "", "<F3>`n=9` <Enter>", "1 of 1" },
	{ "next-hit", D, "/`n=5` <Enter>", "n", "2 of 2" },
	{ "previous-hit", D, "/`n=5` <Enter>", "N", "search wrapped" },

	{ "columns", D, "", "c", "\xe2\x96\xb8 columns" },
	{ "column-toggle", D, "c", "<Space>", "!time,above" },
	{ "column-down", D, "c", "J", "above,time" },
	{ "column-up", D, "c j", "K", "above,time" },
	{ "column-add", D, "c", "a `n` <Enter>", "payload.n" },
	{ "collapse", D, "", "C", "repeats collapsed" },
	{ "blocks", D, "", "B", "block 0x" },
	{ "blocks", D, "B", ":`blocks off` <Enter>", "!block 0x" },
	{ "blocks", D, "", ":`set blocks on` <Enter>", "with blocks" },
	{ "blocks", HEPH, "", "B", "no blocks" },
	{ "calls", DEMO, "", "M-c", "\xe2\x96\xb8 calls" },
	{ "calls", DEMO, "", ":`calls bottom-up` <Enter>", "bottom-up, weighted by" },
	{ "calls-form", DEMO, "M-c", "p p", "bottom-up, weighted by" },
	{ "flame", DEMO, "", "M-i", "\xe2\x96\xb8 flame" },
	{ "flip", DEMO, "M-i", "p", "callers below" },
	{ "callers", TOUR, "M-c j", "(", "callers of" },
	{ "callees", TOUR, "M-c", ")", "callees of" },
	{ "weight", TOUR, "M-c", ":`weight bytes` <Enter>", "by bytes" },
	{ "fold-frame", TOUR, "M-c", "-", "folded" },
	{ "fold", TOUR, "M-c", ":`fold ^System as BCL` <Enter>", "BCL" },
	{ "unfold", TOUR, "M-c :`fold ^System as BCL` <Enter>", ":`unfold` <Enter>", "!BCL" },
	{ "my-code", TOUR, "M-c", "~", "my-code: frames" },
	{ "plumbing", TOUR, "M-c", ";", "plumbing: frames" },
	{ "idle", TOUR, "M-c", ":`idle` <Enter>", "idle: all samples are shown" },
	{ "compare-range", DEMO, "M-c M-2 v w l l v M-c", "_", "comparing the range" },
	{ "tally", D, "", "=", "\xe2\x96\xb8 stats" },
	{ "histogram", D, "", ":`histogram size` <Enter>", "histogram of size" },
	{ "raw", D, "", "H", "byte" },
	{ "color", D, "", ":`color` <Enter>", "no colour rules" },

	{ "next-row", D, "", "j", "row 1" },
	{ "previous-row", D, "j j", "k", "row 1" },
	{ "right", D, "M-1", "l", "row 1" },
	{ "left", D, "M-1 G", "h", "row 2" },
	{ "page-down", D, "", "<Space>", "row 3" },
	{ "page-up", D, "G", "b", "row 0" },
	{ "half-page-down", D, "", "C-d", "row 3" },
	{ "half-page-up", D, "G", "C-u", "row 0" },
	{ "first", D, "j", "g", "row 0" },
	{ "last", D, "", "G", "row 3" },
	{ "row", D, "", ":`row 2` <Enter>", "row 2" },
	{ "part", D, "", ":`part 100` <Enter>", "row 3" },
	{ "time", D, "", "@`4ms` <Enter>", "row 2" },
	{ "next-of-thread", D, "j", ".", "row 3" },
	{ "previous-of-thread", D, "G", ",", "row 1" },
	{ "next-of-type", D, "", "*", "row 1" },
	{ "previous-of-type", D, "j j", "#", "row 1" },
	{ "next-of-activity", D, "", "o", "activity" },
	{ "previous-of-activity", D, "", "O", "activity" },
	{ "next-error", D, "", "e", "error" },
	{ "previous-error", D, "", "E", "error" },
	{ "next-gap", D, "", "}", "thread 5: 3 events lost" },
	{ "previous-gap", D, "G", "{", "thread 6: 1 event lost" },
	{ "back", D, "G", "[", "row 0" },
	{ "forward", D, "G [", "]", "row 3" },

	{ "past", D, "", ":`past` <Enter>", "nothing about the past" },
	{ "record-heap", D, "", "M-s", "not a live session" },
	{ "record-stacks", D, "", "C-t", "not a live session" },
	{ "zoom-in", DEMO, "", "w", " of 1" },
	{ "zoom-out", DEMO, "w", "s s", "whole trace" },
	{ "pan-left", DEMO, "w", "a a a a a", "begins with the trace" },
	{ "pan-right", DEMO, "w", "d d d d d d", "ends with the trace" },
	{ "zoom-in-far", DEMO, "", "W", " of 1" },
	{ "zoom-out-far", DEMO, "w w w", "S S S", "whole trace" },
	{ "pan-left-far", DEMO, "w", "A A", "begins with the trace" },
	{ "pan-right-far", DEMO, "w", "D D D", "ends with the trace" },
	{ "all", D, "@`2ms..3ms` <Enter>", "0", "n=9" },
	{ "time-format", D, "", ":`time-format ticks` <Enter>", "times: raw ticks" },
	{ "zero", D, "j", "T", "relative to this event" },

	{ "activity", D, "", "V", "has no activity" },
	{ "spans", D, "", ":`spans` <Enter>", "\xe2\x96\xb8 spans" },
	{ "activities", D, "", ":`activities` <Enter>", "\xe2\x96\xb8 spans" },
	{ "range", D, "", "v", "range: move" },
	{ "span", D, "", "r", "no span begins, ends or is in progress here" },
	{ "mark", D, "", "m a", "mark a at" },
	{ "go-mark", D, "m a G", "' a", "row 0" },
	{ "last-jump", D, "j m a G ' a", "' '", "row 3" },
	{ "note", D, "", "M `look here` <Enter>", "look here" },
	{ "next-mark", D, "G m a g", "u", "row 3" },
	{ "previous-mark", D, "m a G", "U", "row 0" },
	{ "marks", D, "m a", ":`marks` <Enter>", "\xe2\x96\xb8 marks" },
	{ "delete-mark", D, "m a :`marks` <Enter>", "x", "no marks" },
	{ "go-to-mark", D, "m a G :`marks` <Enter>", "<Enter>", "row 0" },

	{ "sort-invert", D, "M-5", "I", "\xe2\x86\x91lost" },
	{ "sort", D, "M-5", ":`sort name` <Enter>", "sorted by name" },
	{ "sort", D, "M-5", "> <Down> <Enter>", "sorted by gaps" },
	{ "pin-lane", D, "M-1", "j p", "pinned" },
	{ "pin-lane", D, "", ":`pin-lane tid=6` <Enter>", "pinned" },
	{ "spans-in-lanes", DEMO, "M-9 M-1", "M-b", "lanes without spans" },
	{ "pauses", DEMO, "M-9", "p", "GC suspensions, sorted by dur" },
	{ "spans-by-name", DEMO, "M-9", "=", "by name, sorted by total" },
	{ "hide-empty", D, "M-1 @`5ms..6ms` <Enter>", "Z", "1 empty lane hidden" },

	{ "copy-row", D, "", "y y", "copied the row (" },
	{ "copy-json", D, "", "y j", "copied the row as JSON" },
	{ "copy-table", D, "M-5", "Y", "no table to copy" },
	{ "copy-field", D, "", "y f", "copied the field" },
	{ "copy-field-raw", D, "", "y F", "copied the raw field" },
	{ "copy-time", D, "", "y t", "copied the time" },
	{ "copy-stack", D, "", "y s", "no stack to copy" },
	{ "copy-command", D, "", "y c", "copied the command line" },
	{ "export", D, "", "P", "export to file:" },
	{ "cut", D, "", ":`cut` <Enter>", ":cut" },
	{ "redact", D, "", ":`redact` <Enter>", ":redact" },
	{ "pipe", D, "", "|", "pipe to:" },

	{ "mouse", D, "", "<F12>", "mouse" },
	{ "mouse", D, "", "<F12>", "mouse on" },
	{ "command", D, "", ":`stat`", "Alt-7" },
	{ "open", D, "!", "<Enter>", "\xe2\x96\xb8 gaps" },
	{ "explain", D, "", "K", "decoded with" },
	{ "explain", DEMO, "", "K", "0x2 GCHandle" },
	{ "tour", D, "", ":`tour` <Enter>", "1/10 Events by time" },
	{ "tour", DEMO, "", ":`tour 7` <Enter>", "7/10 f filters while you type" },
	{ "help", D, "", "?", "In events" },

	{ "open", D, "", "<Enter>", " details" },
	{ "next-pane", D, "M-5", "<Tab>", "\xe2\x96\xb8 events" },
	{ "previous-pane", D, "M-5", "<S-Tab>", "\xe2\x96\xb8 events" },
	{ "timeline", D, "", "M-1", "\xe2\x96\xb8 timeline" },
	{ "events", D, "M-5", "M-2", "\xe2\x96\xb8 events" },
	{ "details", D, "", "M-3", "\xe2\x96\xb8 details" },
	{ "stack", D, "", "M-4", "\xe2\x96\xb8 stack" },
	{ "threads", D, "", "M-5", "\xe2\x96\xb8 threads" },
	{ "diff", D, "", "M-d", "this event is pinned" },
	{ "diff", DEMO, "", ":`diff range` <Enter>", "mark a range first" },
	{ "changes", DEMO, "", ":`changes` <Enter>", "nothing is compared (" },
	{ "changes", DEMO, "M-2 v w l l v", ":`changes range` <Enter>", "from the rest to the range" },
	{ "changes-kind", DEMO, "M-2 v w l l v :`diff range` <Enter>", "p", " only" },
	{ "gaps", D, "", "M-g", "sorted by lost" },
	{ "labels", LABELS, "j j", "M-6", "counted in the trace" },
	{ "top", D, "", ":`top delta` <Enter>", "\xe2\x96\xb8 top" },
	{ "stats", D, "", "M-7", "\xe2\x96\xb8 stats" },
	{ "reports", DEMO, "", "M-8", "have events here" },
	{ "choose-report", DEMO, "M-8", "<Enter>", "60 collections" },
	{ "report-plot", DEMO, ":`gc` <Enter>", "M-p", "heap after each collection" },
	{ "inside-back", HEAP, ":`heap` <Enter>", "<Backspace>", "nothing to go back to" },
	{ "fold-row", HEAP, ":`heap` <Enter>", "<Enter> <Enter> -", "+held by a root" },
	{ "report-rows", DEMO, ":`gc` <Enter>", "p", "Garbage collections: Generations" },
	{ "problems", D, "", "!", "events lost in" },
	{ "panes", D, "", "<F2>", "its key shows one" },
	{ "choose-pane", D, "<F2> j j j j", "<Enter>", "\xe2\x96\xb8 threads" },
	{ "messages", D, "j j j j G", ":`messages` <Enter>", "newest first" },
	{ "pane", D, "", ":`pane threads` <Enter>", "\xe2\x96\xb8 threads" },
	{ "layout", D, "", ":`layout wide` <Enter>", "\xe2\x94\x80 details" },
	{ "layout", D, "M-3", ":`layout single` <Enter>", "!\xe2\x94\x80 events" },
	{ "layout", D, ":`layout wide` <Enter>", ":`layout split` <Enter>",
	    "!\xe2\x94\x80 details" },
	{ "layout", D, ":`layout wide` <Enter>", ":`layout auto` <Enter>",
	    "!\xe2\x94\x80 details" },
	{ "layout", D, ":`layout wide` <Enter>", ":`layout` <Enter>", "layout: auto" },
	{ "maximise", D, "M-5", "z", "!\xe2\x94\x80 events" },

	{ "bind", D, "", ":`bind events Z row 2` <Enter> Z", "row 2" },
	{ "unbind", D, "", ":`unbind events j` <Enter> j", "j has no use here" },
	{ "set", D, "", ":`set time-format ticks` <Enter>", "times: raw ticks" },
	{ "theme", D, "", ":`theme mono` <Enter>", "theme: mono" },
	{ "color-threads", D, "", ":`set color-threads on` <Enter>", "its own colour" },
	{ "save-session", D, "", ":`save-session /dev/null/x` <Enter>", "Not a directory" },
	{ "at", D, "", ":`at 9223372036854775807 0` <Enter>", "row 3" },
	{ "window-ticks", D, "", ":`window-ticks 0 1` <Enter>", "0 shows the whole trace" },
	{ "mark-at", D, "", ":`mark-at b 0 0 a note` <Enter> :`marks` <Enter>", "a note" },

	{ "reread", D, "", "R", "the file has not changed" },
	{ "follow", D, "", "F", "the trace is closed" },
	{ "close", D, "M-5", "q", "\xe2\x96\xb8 events" },
	{ "cancel", D, "", "<Esc>", "q quits" },
	{ "w", D, "", ":`w` <Enter>", "export to file:" },
	{ "e", D, "", ":`e` <Enter>", "the file has not changed" },
	{ "noh", D, "/`n=5` <Enter>", ":`noh` <Enter>", "n searches again" },
	/* These have no screen text of their own: see below. */
	{ "quit", D, "", "", NULL },
	{ "q", D, "", "", NULL },
	{ "q!", D, "", "", NULL },
	{ "x", D, "", "", NULL },
	{ "wq", D, "", "", NULL },
	{ "suspend", D, "", "", NULL },
	{ "redraw", D, "", "", NULL },
};

static const struct row *
row_of(const char *command)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].command, command) == 0)
			return &rows[i];
	return NULL;
}

/* Those are made from their registry: tests/ui/test_reports.c shows each. */
static bool
is_report(const char *command)
{
	for (unsigned i = 0; i < REPORTS; i++)
		if (strcmp(reports[i]->name, command) == 0)
			return true;
	return false;
}

TEST(every_command_has_a_script_here_and_every_script_a_command)
{
	for (size_t i = 0; i < command_ntable; i++)
		if (row_of(command_table[i].name) == NULL && !is_report(command_table[i].name))
			fail_msg("no script shows what %s changes", command_table[i].name);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (command_by_name(rows[i].command, strlen(rows[i].command)) == NULL)
			fail_msg("there is no command %s", rows[i].command);
}

static int
run_row(const struct row *r)
{
	struct desk	d = desk_open(r->trace, 24, 100, false, NULL);
	bool		gone = r->want[0] == '!', before, after;
	const char	*text = r->want + gone;

	desk_do(&d, r->before);
	before = desk_shows(&d, text) != gone;
	desk_do(&d, r->keys);
	after = desk_shows(&d, text) != gone;
	if (before || !after)
		print_error("%s: \"%s\" %s: %s\n", r->command, r->want, before ?
		    "is so already" : "is not so", memterm_line(d.m, 23));
	desk_close(&d);
	return before || !after;
}

TEST(every_command_changes_what_is_seen)
{
	int	failed = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].want != NULL)
			failed += run_row(&rows[i]);
	assert_int_equal(failed, 0);
}

/* Is something else on the screen after the line? Programs and files are left alone. */
static bool
line_shows(const struct command *cmd, const char *arg)
{
	struct desk	 d = desk_open(DEMO, 24, 100, false, NULL);
	char		*before = strdup(memterm_text(d.m)), script[128];
	bool		 same;

	snprintf(script, sizeof script, ":`%s%s` <Enter>", cmd->name, arg);
	desk_do(&d, script);
	same = !d.ui->quit && strcmp(before, memterm_text(d.m)) == 0;
	if (same)
		print_error("nothing shows what \"%s%s\" did\n", cmd->name, arg);
	free(before);
	desk_close(&d);
	return !same;
}

/* A command that takes something acts or says why not: without it, and with what makes no sense. */
TEST(no_command_is_silent_about_its_argument)
{
	unsigned	tried = 0, failed = 0;

	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		if (cmd->args == NULL || cmd->does != 0)
			continue;
		failed += !line_shows(cmd, "");
		failed += !line_shows(cmd, " zorn");
		tried++;
	}
	assert_int_equal(failed, 0);
	assert_true(tried > 40);
}

DESK_TEST(quit_suspend_and_redraw_reach_the_terminal, D, 24, 80)
{
	desk_do(d, "C-z");
	assert_int_equal(memterm_suspends(d->m), 1);
	desk_do(d, "C-l");
	assert_int_equal(memterm_repaints(d->m), 1);
	desk_do(d, "Q");
	assert_true(d->ui->quit);
}

/* The window begins with an event, at which the cursor is: zooming keeps that, but for the odd
   tick; panning goes by quarters of the window. All in ticks from that event. */
DESK_TEST(zooming_halves_or_divides_by_eight_and_panning_moves_quarters, DEMO, 24, 80)
{
	static const struct {
		const char	*keys;
		int64_t		 from, to;
	} cases[] = {
		{ "w", 0, 4000 }, { "W", 0, 1000 }, { "w s", -1, 8000 }, { "W S", -7, 8000 },
		{ "s", -1, 16000 }, { "S", -7, 64000 }, { "d", 2000, 10000 }, { "a", -2000, 6000 },
		{ "D", 8000, 16000 }, { "A", -8000, 0 }, { "d d a", 2000, 10000 },
	};
	struct view	*v = &d->ui->v;
	struct event	 e;

	assert_int_equal(trace_event(v->t, 5000, &e), 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		desk_do(d, "0");
		assert_true(view_window(v, e.ts, e.ts + 8000));
		view_select_row(v, v->window.row0);
		assert_int_equal(v->sel.ts, e.ts);
		desk_do(d, cases[i].keys);
		if (v->window.from - e.ts != cases[i].from || v->window.to - e.ts != cases[i].to)
			fail_msg("%s: %lld to %lld", cases[i].keys,
			    (long long)(v->window.from - e.ts), (long long)(v->window.to - e.ts));
	}
	/* At the ends of the trace the window keeps its length. */
	desk_do(d, "0");
	assert_true(view_window(v, v->window.first + 5, v->window.first + 8005));
	desk_do(d, "a");
	assert_int_equal(v->window.from, v->window.first);
	assert_int_equal(v->window.to, v->window.first + 8000);
	desk_try(d, "a", "begins with the trace");
	assert_true(view_window(v, v->window.last - 8004, v->window.last - 4));
	desk_do(d, "d");
	assert_int_equal(v->window.from, v->window.last + 1 - 8000);
	assert_int_equal(v->window.to, v->window.last + 1);
	desk_try(d, "d", "ends with the trace");
	/* A window of 7 ticks cannot be divided by 8, one of 8 can. */
	assert_true(view_window(v, e.ts, e.ts + 7));
	desk_try(d, "W", "cannot get any shorter");
	desk_do(d, "d");
	assert_int_equal(v->window.from, e.ts + 1);
	assert_true(view_window(v, e.ts, e.ts + 3));
	desk_do(d, "d");	/* at least a tick */
	assert_int_equal(v->window.from, e.ts + 1);
	assert_true(view_window(v, e.ts, e.ts + 8));
	desk_do(d, "W");
	assert_int_equal(v->window.from, e.ts);
	assert_int_equal(v->window.to, e.ts + 1);
}

DESK_TEST(the_palette_completes_the_words_that_a_command_takes, D, 24, 80)
{
	struct buf	*words = test_buf();

	for (int i = 0; i < LAYOUTS; i++)
		buf_printf(words, "%s%s", i > 0 ? "|" : "", layout_names[i]);
	assert_string_equal(command_by_name("layout", 6)->args, buf_str(words));
	desk_do(d, ":`layout `");
	for (int i = 0; i < LAYOUTS; i++)
		assert_true(memterm_find(d->m, layout_names[i]) > 0);
	desk_try(d, "`sp`", "  split");
	desk_need_not(d, "  single");
	desk_do(d, "<Tab> <Enter>");
	assert_int_equal(d->ui->panes.arrangement, LAYOUT_SPLIT);
	desk_try(d, ":`time-format ti` <Tab> <Enter>", "raw ticks");
	desk_try(d, ":`set them` <Tab>", ":set theme ");
	for (const char *const *w = (const char *const []){ "dark", "light", "none", "mono", NULL };
	    *w != NULL; w++)
		desk_need(d, *w);
	desk_do(d, "`mo` <Tab> <Enter>");
	desk_do(d, ":`set ascii ` <Tab> <Enter>");
	assert_true(d->ui->v.display.ascii);
	desk_try(d, ":`set columns time,prov` <Tab>", ":set columns time,provider");
}

TEST(a_tally_has_eight_fields_and_46_aggregates_at_most)
{
	static const char *const	eight = "name,tid,id,version,level,pid,opcode,keywords";
	struct desk			d = desk_open(D, 24, 200, false, NULL);
	struct buf			*most = test_buf();

	for (unsigned i = 1; i <= 46; i++)
		buf_printf(most, " p%u size", i);
	for (unsigned over = 0; over < 4; over++) {
		struct buf	*keys = test_buf();

		buf_printf(keys, ":`tally %s%s%s%s` <Enter>", eight, over & 1 ? ",provider" : "",
		    buf_str(most), over & 2 ? " p47 size" : "");
		desk_do(&d, buf_str(keys));
		if (over > 0)
			desk_need_bottom(&d, "tally: too many columns");
		else
			desk_need_not(&d, "too many columns");
	}
	desk_close(&d);
}

/* The newest of what was said and typed are kept, and of rules the first. */
TEST(histories_and_rules_have_limits)
{
	struct messages	 m = { .n = 0 };
	struct prompt	 p = { .kind = PROMPT_NONE };
	struct folding	*f = folding_new();
	struct buf	*text = test_buf(), *why = test_buf();

	for (unsigned i = 0; i < 502; i++) {
		buf_clear(text);
		buf_printf(text, "%u", i);
		for (unsigned k = 0; k < 1 + i % 2; k++) {
			messages_add(&m, buf_str(text));
			prompt_keep(&p, PROMPT_FILTER, buf_str(text));
		}
		assert_int_equal(folding_add(f, buf_str(text), why), i < 64 ? ERR_OK : ERR_USAGE);
		assert_int_equal(m.n, i < 500 ? i + 1 : 500);
		assert_int_equal(p.history[PROMPT_FILTER].n, i < 100 ? i + 1 : 100);
	}
	assert_string_equal(m.v[0].text, "2");
	assert_string_equal(m.v[499].text, "501");
	assert_int_equal(m.v[0].times, 1);
	assert_int_equal(m.v[499].times, 2);
	assert_string_equal(p.history[PROMPT_FILTER].v[0], "402");
	assert_string_equal(p.history[PROMPT_FILTER].v[99], "501");
	assert_int_equal(folding_rules(f), 64);
	buf_clear(why);
	assert_int_equal(folding_add(f, "63", why), ERR_OK);		/* is there */
	assert_int_equal(folding_add(f, "64", why), ERR_USAGE);
	assert_string_equal(buf_str(why), "no more than 64 fold rules can be set");
	folding_free(f);
	messages_release(&m);
	prompt_release(&p);
}

/* The places of the last 200 jumps, each way. */
DESK_TEST(the_history_of_places_has_a_limit, DEMO, 24, 80)
{
	struct view	*v = &d->ui->v;

	for (uint64_t i = 0; i < 250; i++) {
		view_remember(v);
		view_select_row(v, i + 1);
	}
	assert_int_equal(v->history.back.n, 200);
	for (uint64_t i = 250; i-- > 50; ) {
		desk_do(d, "[");
		assert_int_equal(v->sel.row, i);
	}
	desk_try(d, "[", "nothing to go back to");
	assert_int_equal(v->history.forward.n, 200);
	for (uint64_t i = 51; i <= 250; i++) {
		desk_do(d, "]");
		assert_int_equal(v->sel.row, i);
	}
	desk_try(d, "]", "nothing to go forward to");
}

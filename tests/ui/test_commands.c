/*
 * Every command of the table changes what is on the screen. A command without a line in
 * tests/golden/lists/commands.txt fails.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5; before three of them some were lost.
 */
#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/analysis/folding.h"
#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "ui/command/command.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

/* Those are made from their registry: tests/ui/test_reports.c shows each. */
static bool
is_report(const char *command)
{
	for (unsigned i = 0; i < REPORTS; i++)
		if (strcmp(reports[i]->name, command) == 0)
			return true;
	return false;
}

/* Of tests/golden/lists/commands.txt: commands that have a line, and lines that fail. */
static bool	*has_line;
static unsigned	 failed;

static void
try_line(const char *const *column)
{
	const char		*name = column[0], *want = column[4], *text = want + (want[0] == '!');
	const struct command	*cmd = command_by_name(name, strlen(name));
	bool			 gone = text > want, before, after;
	struct desk		 d;

	if (cmd == NULL)
		fail_msg("there is no command %s", name);
	has_line[cmd - command_table] = true;
	if (want[0] == '\0')
		return;
	d = desk_open(column[1], 24, 100, false, NULL);
	desk_do(&d, column[2]);
	before = desk_shows(&d, text) != gone;
	desk_do(&d, column[3]);
	after = desk_shows(&d, text) != gone;
	if (before || !after)
		print_error("%s: \"%s\" %s: %s\n", name, want, before ? "is so already" :
		    "is not so", memterm_line(d.m, 23));
	desk_close(&d);
	failed += before || !after;
}

TEST(every_command_has_a_line_and_changes_what_is_seen)
{
	has_line = mem_zalloc(command_ntable, sizeof *has_line);
	assert_true(data_list("commands.txt", try_line) > 150);
	assert_int_equal(failed, 0);
	for (size_t i = 0; i < command_ntable; i++)
		if (!has_line[i] && !is_report(command_table[i].name))
			fail_msg("no line shows what %s changes", command_table[i].name);
	mem_free(has_line);
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
	unsigned	tried = 0, silent = 0;

	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		if (cmd->args == NULL || cmd->does != 0)
			continue;
		silent += !line_shows(cmd, "");
		silent += !line_shows(cmd, " zorn");
		tried++;
	}
	assert_int_equal(silent, 0);
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

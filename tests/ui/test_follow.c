/*
 * The viewer on a file that grows: it says so, follows it on demand, stays at the end of the list
 * if the cursor is there, marks rows that may still move, and says what became of the file.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/analysis/report.h"
#include "tnav/analysis/spans.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "ui/follow.h"
#include "ui/live.h"
#include "ui/view/view.h"

#define TURNS	60000

struct growing {
	char		 path[128];
	struct buf	 all;		/* the whole trace */
	size_t		 at;		/* of it in the file */
	char		 list[300];	/* the path, or "PATH + PATH" of two that are joined, this and: */
	struct growing	*other;		/* or NULL */
	struct desk	 d;
};

static void
append(struct growing *g, size_t to)
{
	FILE	*f = fopen(g->path, "ab");

	assert_non_null(f);
	assert_int_equal(fwrite(g->all.p + g->at, 1, to - g->at, f), to - g->at);
	assert_int_equal(fclose(f), 0);
	g->at = to;
}

/* The path of a trace of tests/data/traces, or by its path in tests/data. */
static const char *
path_of(const char *name)
{
	struct buf	*path = test_buf();

	buf_printf(path, "tests/data/%s%s", strchr(name, '/') == NULL ? "traces/" : "", name);
	return data_path(buf_str(path));
}

static void
read_trace(struct buf *out, const char *name)
{
	buf_clear(out);
	assert_true(file_read(path_of(name), 0, 1 << 20, out) >= 0);
}

/* A trace whose index has not begun. */
static struct trace *
open_unread(const char *name)
{
	return data_unindexed(path_of(name), &(struct trace_options){ .eager = true });
}

static void
growing_release(void *arg)
{
	struct growing	*g = arg;

	unlink(g->path);
	buf_release(&g->all);
	mem_free(g);
}

/* A file with the first bytes of a trace. */
static struct growing *
growing_file(const char *name, size_t bytes)
{
	const char	*tmp = getenv("TMPDIR");
	struct growing	*g = mem_zalloc(1, sizeof *g);
	int		 fd;

	test_later(growing_release, g);
	read_trace(&g->all, name);
	snprintf(g->path, sizeof g->path, "%s/tnav-grow-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(g->path);
	assert_true(fd >= 0);
	close(fd);
	append(g, bytes < g->all.len ? bytes : g->all.len);
	snprintf(g->list, sizeof g->list, "%s", g->path);
	return g;
}

/* A viewer on it. */
static struct growing *
growing_open(const char *name, size_t bytes)
{
	struct growing	*g = growing_file(name, bytes);

	g->d = desk_open(g->path, 24, 100, false, NULL);
	return g;
}

/* A viewer on two. */
static struct growing *
growing_open_two(const char *name, const char *other, size_t bytes)
{
	struct growing	*g = growing_file(name, bytes);

	g->other = growing_file(other, bytes);
	snprintf(g->list, sizeof g->list, "%s + %s", g->path, g->other->path);
	g->d = desk_open(g->list, 24, 100, false, NULL);
	return g;
}

/* Before the end of the rule. */
static void
growing_close(struct growing *g)
{
	desk_close(&g->d);
	if (g->other != NULL)
		test_now(g->other);
	test_now(g);
}

/* Turn until all that is in the file is shown, or the file is no longer followed. */
static void
wait_shown(struct growing *g)
{
	size_t	size = g->at + (g->other != NULL ? g->other->at : 0);

	for (int i = 0; i < TURNS; i++) {
		g->d.ui->timing.last_frame = 0;
		ui_turn(g->d.ui);
		if (ui_idle(g->d.ui) && (!g->d.ui->follow.on ||
		    (trace_size(g->d.ui->v.t) == size && follow_rests(g->d.ui))))
			return;
		usleep(1000);
	}
	fail_msg("byte %zu is not shown", g->at);
}

/* Until it is no longer followed. */
static void
wait_ended(struct growing *g)
{
	while (g->d.ui->follow.on)
		wait_shown(g);
}

static void
look_now(struct growing *g)
{
	g->d.ui->follow.looked = 0;
	ui_turn(g->d.ui);
	desk_rest(&g->d);
}

/* What a viewer shows that is opened now: rows, and those that a filter lets through. */
static void
need_as_opened_now(struct growing *g, const char *filter)
{
	struct ui_options	 o = { .color = UI_COLOR_AUTO, .filter = filter };
	struct desk		 now = desk_open(g->list, 24, 100, false, &o);

	assert_int_equal(trace_rows(g->d.ui->v.t), trace_rows(now.t));
	assert_int_equal(view_count(&g->d.ui->v), view_count(&now.ui->v));
	assert_int_equal(g->d.ui->v.gaps.loss.lost, now.ui->v.gaps.loss.lost);
	assert_int_equal(trace_threads(g->d.ui->v.t), trace_threads(now.t));
	desk_close(&now);
}

/* It is told, and F follows it. */
static void
follow_what_grew(struct growing *g)
{
	look_now(g);
	desk_need(&g->d, "[file grew: F follows it]");
	desk_do(&g->d, "F");
	wait_shown(g);
	desk_need(&g->d, "[following]");
}

TEST(at_each_pause_rows_and_hits_are_those_of_a_viewer_opened_now)
{
	static const char *const	traces[] = {
		"net9-cut-short.nettrace", "net10-eventsource-types.nettrace",
		"actors-1worker.heph", "netcore21-linux-x64-tracelogging.netperf",
	};

	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		struct growing	*g = growing_open(traces[i], 2500);

		desk_do(&g->d, "f `size > 4` <Enter> F");
		for (unsigned k = 1; k <= 7 && g->at < g->all.len; k++) {
			size_t	to = g->at + 1 + (check_seed() / k) % ((g->all.len - g->at) / 3 + 1);

			append(g, to < g->all.len ? to : g->all.len);
			wait_shown(g);
			need_as_opened_now(g, "size > 4");
		}
		growing_close(g);
	}
}

/* ---- tables */

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All cells as lines in their order, or, where rows stand as they were met, sorted. */
static void
put_table(struct buf *out, const struct table *t, bool sorted)
{
	char		**line = mem_zalloc(t->nrows + 1, sizeof *line);
	struct buf	 *b = test_buf();

	for (size_t i = 0; i < t->nrows; i++) {
		buf_clear(b);
		for (unsigned k = 0; k < t->ncolumns; k++) {
			struct cell	c = { .kind = CELL_NONE };

			if (t->column[k].kind == CELL_SPARK)
				continue;
			t->cell(t->src, i, k, &c);
			buf_putc(b, '\t');
			if (c.kind != CELL_NONE)
				cell_json(b, &c);
		}
		line[i] = mem_strdup(buf_str(b));
	}
	if (sorted && t->nrows > 0)
		qsort(line, t->nrows, sizeof *line, by_text);
	for (size_t i = 0; i < t->nrows; i++) {
		buf_printf(out, "%s\n", line[i]);
		mem_free(line[i]);
	}
	mem_free(line);
}

/* What the viewer knows as tables. */
static void
put_tables(struct buf *out, struct ui *ui)
{
	struct view		*v = &ui->v;
	struct report_made	*m = reporting_made(&v->reporting);
	struct pane		*p = &ui->panes.pane[PANE_STATS];
	struct table		*t = threads_table(v->t, &(struct threads_of){ .only_part = false });

	put_table(out, t, true);
	table_free(t);
	if (p->shown)
		put_table(out, p->ops->table(p->self, v), true);
	if (v->reporting.report != NULL) {
		assert_non_null(m);
		t = report_table(m, REPORT_ALL);
		buf_printf(out, "%s: %s", v->reporting.report->name, report_totals(m, 0));
		put_table(out, t, false);
		table_free(t);
	}
	if (v->deriving.now.of[DERIVED_SPANS] != NULL) {
		t = spans_table(v->deriving.now.of[DERIVED_SPANS],
		    &(struct spans_table_of){ .list = true, .names = true });
		put_table(out, t, false);
		table_free(t);
	}
}

/* The same, of a viewer that is opened now and asked the same. Returns how many lines. */
static size_t
need_tables_as_opened_now(struct growing *g, const char *keys)
{
	struct desk	 now = desk_open(g->list, 24, 100, false, NULL);
	struct buf	*is = test_buf(), *want = test_buf();
	size_t		 lines = 0;

	desk_do(&now, keys);
	put_tables(is, g->d.ui);
	put_tables(want, now.ui);
	test_same_text(g->path, g->at, is, want);
	for (size_t i = 0; i < is->len; i++)
		lines += is->p[i] == '\n';
	desk_close(&now);
	return lines;
}

/* Rows that may still move count, too; none of these traces has a sequence point before its end. */
TEST(at_each_pause_tables_are_those_of_a_viewer_opened_now)
{
	static const struct {
		const char	*trace, *keys;
		size_t		 from, least;	/* bytes at first, lines at the end */
	}	look[] = {
		{ "reports/cut-counters.nettrace", ": `counters` <Enter>", 15000, 70 },
		{ "spans/cut-gc.nettrace", ": `spans` <Enter> : `gc` <Enter>", 12000, 100 },
		{ "spans/cut-exceptions.nettrace", ": `exceptions` <Enter>", 8000, 20 },
		{ "spans/cut-http.nettrace", ": `stats name` <Enter>", 8000, 8 },
		{ "spans/cut-exceptions.nettrace", "f `size > 4` <Enter> : `exceptions` <Enter>",
		    8000, 10 },
		{ "actors-1worker.heph", ": `spans` <Enter> : `stats name sum dur` <Enter>", 3000, 20 },
	};

	for (size_t i = 0; i < sizeof look / sizeof *look; i++) {
		struct growing	*g = growing_open(look[i].trace, look[i].from);
		size_t		lines = 0;

		desk_do(&g->d, "F");
		wait_shown(g);
		desk_do(&g->d, look[i].keys);
		for (unsigned k = 1; k <= 3; k++) {
			size_t	left = g->all.len - g->at;

			append(g, k == 3 ? g->all.len : g->at + 1 + (check_seed() / k) % (left / 2));
			wait_shown(g);
			lines = need_tables_as_opened_now(g, look[i].keys);
		}
		if (lines < look[i].least)
			fail_msg("%s: %zu lines", look[i].trace, lines);
		growing_close(g);
	}
}

/* It is made anew for another thread, when the rows have doubled, and at the end. */
TEST(threads_keep_their_order_until_there_are_twice_as_many_rows)
{
	struct growing	*g = growing_open("spans/cut-gc.nettrace", 2000);
	struct pane	*p = &g->d.ui->panes.pane[PANE_THREADS];
	struct view	*v = &g->d.ui->v;
	uint64_t	 stamp = 0, rows = 0;
	uint32_t	 threads = 0;
	unsigned	 kept = 0, made = 0;

	desk_do(&g->d, "F");
	while (g->at < g->all.len) {
		append(g, g->all.len - g->at < 1000 ? g->all.len : g->at + 1000);
		wait_shown(g);
		if (p->ops->table(p->self, v)->rows_stamp == stamp) {
			kept++;
			assert_true(trace_threads(v->t) == threads && trace_rows(v->t) < 2 * rows);
		} else {
			made++;
			assert_true(trace_threads(v->t) > threads || v->complete ||
			    trace_rows(v->t) >= 2 * rows);
			stamp = p->ops->table(p->self, v)->rows_stamp;
			threads = trace_threads(v->t);
			rows = trace_rows(v->t);
		}
	}
	assert_true(kept >= 3 && made >= 3);
	growing_close(g);
}

static void
append_some(struct growing *g, unsigned share)
{
	append(g, share == 1 ? g->all.len : g->at + 1 + check_seed() % ((g->all.len - g->at) / share));
}

TEST(two_files_that_grow_as_one_list_are_at_each_pause_what_a_viewer_opened_now_shows)
{
	static const char *const	keys[] = { ": `gc` <Enter>", ": `exceptions` <Enter>",
					    ": `spans` <Enter>", ": `stats source,name` <Enter>" };
	const char			*ask = keys[check_seed() % 4];
	struct growing			*g = growing_open_two("spans/cut-gc.nettrace",
					    "spans/cut-exceptions.nettrace", 8000);

	append_some(g, 4);
	follow_what_grew(g);
	desk_need_bottom(&g->d, "following the files; F stops");
	desk_do(&g->d, ask);
	for (unsigned share = 5; share > 0; share--) {
		append_some(share % 2 ? g : g->other, share);
		wait_shown(g);
		(void)need_tables_as_opened_now(g, ask);
		need_as_opened_now(g, NULL);
	}
	append(g->other, g->other->all.len);
	wait_shown(g);
	need_as_opened_now(g, NULL);
	desk_do(&g->d, "F");
	wait_ended(g);
	need_as_opened_now(g, NULL);
	assert_true(need_tables_as_opened_now(g, ask) > 4);
	growing_close(g);
}

/* A file is not followed while spans are being found, but once they are. */
TEST(following_waits_for_spans_unless_another_key_comes)
{
	for (int stopped = 0; stopped < 2; stopped++) {
		struct growing	*g = growing_open("net9-cut-short.nettrace", 9000);

		memterm_press(g->d.m, "M-9");
		while (!deriving_state(&g->d.ui->v.deriving, NEEDS_OTHERS).busy)
			ui_turn(g->d.ui);
		ui_key(g->d.ui, 'F');
		assert_true(ui_awaits(g->d.ui));
		assert_false(g->d.ui->follow.on);
		if (stopped)
			ui_key(g->d.ui, TK_ESC);
		assert_int_equal(ui_awaits(g->d.ui), !stopped);
		g->d.ui->screen.dirty = true;
		wait_shown(g);
		assert_int_equal(g->d.ui->follow.on, !stopped);
		desk_need_bottom(&g->d, stopped ? "stopped" : "following the file; F stops");
		growing_close(g);
	}
}

TEST(a_compressed_file_that_grew_or_was_removed_is_told)
{
	struct growing	*g = growing_open("../data/tour.nettrace.zst", 300000);
	uint64_t	rows;

	rows = trace_rows(g->d.t);
	append(g, g->all.len);
	look_now(g);
	desk_need(&g->d, "[file grew: R reloads it]");
	desk_do(&g->d, "F");
	desk_need_bottom(&g->d, "cannot follow: compressed files cannot be followed");
	desk_do(&g->d, "R");
	desk_need_bottom(&g->d, "the file has grown: reloaded");
	assert_true(trace_rows(g->d.ui->v.t) > rows);
	assert_int_equal(unlink(g->path), 0);
	look_now(g);
	desk_need(&g->d, "[file removed]");
	desk_do(&g->d, "R");
	desk_need_bottom(&g->d, "the file was removed: nothing to read again");
}

/* Until nothing more is searched. */
static void
run(struct view *v)
{
	v->stopped = false;
	while (view_step(v, WORK_LIST, 1000000))
		;
}

static void
read_all(struct trace *t)
{
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
}

/* Then what waited for it is searched. */
static void
read_and_run(struct view *v)
{
	read_all(v->t);
	assert_true(view_refresh(v));
	run(v);
}

/*
 * The last row is asked for before there is any, or before the view has looked how many there are:
 * it is gone to once it is there.
 */
TEST(the_last_row_is_gone_to_when_it_comes)
{
	static const char *const	filters[] = { NULL, "tid > 0" };

	for (unsigned i = 0; i < 6; i++) {
		bool		 ends = i / 2 == 1;	/* Esc: that is no longer wanted */
		bool		 read = i / 2 == 2;	/* the view has yet to look */
		struct trace	*t = open_unread("spans/cut-exceptions.nettrace");
		struct view	 v;

		view_init(&v, t, false);
		assert_true(view_set_filter(&v, filters[i % 2]));
		if (read)
			read_all(t);
		view_select_last(&v);
		assert_false(v.sel.has);
		if (ends)
			view_stop(&v);
		if (!read)
			read_all(t);
		assert_true(view_refresh(&v));
		run(&v);
		assert_true(v.sel.has);
		assert_int_equal(v.sel.row, ends ? 0 : trace_rows(t) - 1);
		view_release(&v);
		data_close(t);
	}
}

/*
 * What is searched for before there are rows, or before the last ones are, is found in what is
 * read later; n counts meanwhile, Esc ends it, and only when all was read it is said that there is
 * none.
 */
TEST(a_search_waits_for_what_is_still_being_read)
{
	for (unsigned i = 0; i < 4; i++) {
		bool		 ends = i == 2, none = i == 3;
		uint64_t	 want = 0, left = i == 1 ? 2 : 1;	/* i 1: n, too */
		struct trace	*t = open_unread("spans/cut-exceptions.nettrace");
		struct view	 v;
		struct event	 e;

		view_init(&v, t, false);
		assert_true(view_search(&v, none ? "NoSuchEventAtAll" : "ExceptionCatch"));
		view_search_next(&v, 2);
		assert_true(v.search.seek.waits);
		assert_non_null(strstr(buf_str(&v.message), "waiting for more events"));
		if (i == 1)
			view_search_next(&v, 1);
		if (ends)
			view_stop(&v);
		read_and_run(&v);
		assert_false(v.search.seek.waits);
		for (; left > 0 && want < trace_rows(t); want++) {
			assert_int_equal(trace_event(t, want, &e), 1);
			left -= strstr(trace_type(t, e.type)->name, "ExceptionCatch") != NULL;
		}
		assert_int_equal(left, 0);
		assert_int_equal(v.sel.row, ends || none ? 0 : want - 1);
		assert_int_equal(strstr(buf_str(&v.message), "no event matches") != NULL, none);
		assert_int_equal(strstr(buf_str(&v.message), "waiting") != NULL, ends);
		view_release(&v);
		data_close(t);
	}
}

/* The row of the n-th event of the type, from 1. */
static uint64_t
row_of_type(struct trace *t, const char *type, unsigned n)
{
	struct event	e;

	for (uint64_t row = 0; row < trace_rows(t); row++) {
		assert_int_equal(trace_event(t, row, &e), 1);
		n -= strstr(trace_type(t, e.type)->name, type) != NULL;
		if (n == 0)
			return row;
	}
	fail_msg("no %s", type);
	return 0;
}

/* So do steps to the next event, also if the filter and a search start again for what was read. */
TEST(a_step_waits_for_what_is_still_being_read)
{
	static const char	expr[] = "name ~ ExceptionCatch", what[] = "catch";

	for (unsigned i = 0; i < 16; i++) {
		bool		 twice = i & 1, filter = i & 2, search = i & 4, runs = i & 8;
		struct trace	*t = open_unread("spans/cut-exceptions.nettrace");
		struct view	 v;

		view_init(&v, t, false);
		if (filter)
			assert_true(view_set_filter(&v, "tid > 0"));
		if (search)
			assert_true(view_search(&v, "Exception"));
		assert_true(view_walk(&v, expr, 1, what));
		if (twice)
			assert_true(view_walk(&v, expr, 1, what));
		assert_true(v.walk.seek.waits);
		v.walk.seek.waits = !runs;		/* as if the old rows were still searched */
		v.walk.seek.seeking = runs;
		read_and_run(&v);
		assert_int_equal(v.sel.row, row_of_type(t, "ExceptionCatch", 1 + twice));
		assert_null(strstr(buf_str(&v.message), "no later"));
		view_release(&v);
		data_close(t);
	}
}

/* What is searched backwards goes on when the queries run again, and ends with another window. */
TEST(a_step_back_goes_on_in_the_same_list_only)
{
	static const char	expr[] = "name ~ ExceptionCatch", what[] = "catch";

	for (unsigned i = 0; i < 4; i++) {
		bool		 other = i & 1, hits = i & 2;
		struct trace	*t = open_unread("spans/cut-exceptions.nettrace");
		struct view	 v;
		uint64_t	 row;

		read_all(t);
		view_init(&v, t, false);
		assert_true(view_search(&v, "ExceptionCatch"));
		view_select_last(&v);
		if (hits)
			view_search_next(&v, -1);
		else
			assert_true(view_walk(&v, expr, -1, what));
		run(&v);
		row = v.sel.row;
		assert_true(row < trace_rows(t) - 1);
		view_select_last(&v);
		v.search.seek.seeking = hits;	/* as if it was still searched */
		v.walk.seek.seeking = !hits;
		if (other)
			view_list_changed(&v, ASK_ANEW);
		else
			view_ask(&v, ASK_AGAIN);
		run(&v);
		assert_int_equal(v.sel.row, other ? trace_rows(t) - 1 : row);
		view_release(&v);
		data_close(t);
	}
}

/* 1,000 events of 50 bytes arrive each second; for two seconds the index gets only some of them. */
TEST(the_rate_is_that_of_the_data_while_the_index_lags)
{
	static const uint64_t	indexed[] = { 1000, 2000, 2300, 2600, 5000, 6000 };
	struct live_rate	r = { .at = 0 };

	for (size_t i = 0; i < sizeof indexed / sizeof *indexed; i++) {
		int64_t		now = (int64_t)(i + 1) * 1000000000;
		uint64_t	received = (i + 1) * 50000;

		assert_false(live_rate_measure(&r, now - 1, indexed[i], indexed[i] * 50, received));
		assert_true(live_rate_measure(&r, now, indexed[i], indexed[i] * 50, received));
		assert_true(r.events_s > 999 && r.events_s < 1001);
		assert_true(r.bytes_s > 49999 && r.bytes_s < 50001);
	}
	assert_true(live_rate_measure(&r, 8000000000, 6000, 300000, 300000));
	assert_true(r.events_s < 1);
}

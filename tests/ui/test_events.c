/*
 * The events pane: columns, runs of repeats, gaps, colours, marks of hits, times, steps.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5; a sequence point tells of three more that thread 5 lost.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/nt4_writer.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "ui/view/column.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define HEPH	"tests/data/traces/actors-1worker.heph"
#define DEMO	"tests/data/demo.nettrace"
/* 1,886 mappings and symbols at time 0, then 2,708 other events. */

static void
need_row(struct desk *d, uint64_t row)
{
	if (d->ui->v.sel.row != row)
		fail_msg("row %llu, not %llu:\n%s", (unsigned long long)d->ui->v.sel.row,
		    (unsigned long long)row, memterm_text(d->m));
}

/* ---- the past */

/* Runs of so many mappings, each followed by one other event. */
static void
write_runs(char *path, const unsigned *n, size_t runs)
{
	FILE			*f = fdopen(mkstemp(path), "w");
	struct nt6_writer	 w;
	unsigned		 seq = 0;

	assert_non_null(f);
	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	nt6_row_of(&w, 1, "Universal.System", "ProcessMapping");
	nt6_row(&w, 2, "Tick");
	nt6_finish(&w);
	nt6_begin(&w, NT6_THREADS);
	nt6_thread(&w, 1, 7);
	nt6_finish(&w);
	nt6_begin(&w, NT6_EVENTS);
	for (size_t r = 0; r < runs; r++)
		for (unsigned i = 0; i <= n[r]; i++)
			nt6_event(&w, &(struct nt6_event){ .mid = i < n[r] ? 1 : 2, .thread = 1,
			    .seq = seq++ == 0 ? 1 : 0, .ticks = i == 0 || i == n[r] });
	nt6_finish(&w);
	nt6_end(&w);
	assert_int_equal(fwrite(w.p, 1, w.len, f), w.len);
	nt6_release(&w);
	assert_int_equal(fclose(f), 0);
}

TEST(seven_rows_about_the_past_stay_eight_become_one)
{
	const unsigned	n[] = { 7, 8 };
	char		path[] = "/tmp/tnav-events-XXXXXX";
	struct desk	d;

	write_runs(path, n, 2);
	d = desk_open(path, 24, 80, false, NULL);
	for (uint64_t row = 0; row <= 8; row++) {
		need_row(&d, row);
		desk_do(&d, "j");
	}
	need_row(&d, 16);
	desk_need(&d, "8 rows about processes, mappings, symbols");
	desk_need_not(&d, "7 rows about");
	desk_close(&d);
	(void)unlink(path);
}

/* ---- columns */

TEST(a_set_of_columns_reads_back_from_its_text)
{
	struct column_set	 cs = { .n = 0 };
	struct buf		*text = test_buf(), *why = test_buf();

	columns_default(&cs);
	assert_true(columns_set(&cs, "event, label.TraceId,payload.a.b,time", why));
	columns_text(&cs, text);
	assert_string_equal(buf_str(text), "event,label.TraceId,payload.a.b,time");
	assert_false(columns_set(&cs, "", why));
	assert_false(columns_set(&cs, "event,nope", why));
	buf_clear(text);
	columns_text(&cs, text);
	assert_string_equal(buf_str(text), "event,label.TraceId,payload.a.b,time");
	columns_release(&cs);
}

/* A trace of one event of each name, in this order: thread 5, a second apart. */
static struct desk
desk_of_names(const char *const (*names)[2], uint32_t n, int cols, bool ascii)
{
	char			path[] = "/tmp/tnav-events-XXXXXX";
	FILE			*f = fdopen(mkstemp(path), "w");
	struct nt4_writer	 w;
	struct desk		 d;

	assert_non_null(f);
	nt4_init(&w, f);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1, .pointer_size = 8 });
	nt4_block(&w, "MetadataBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < n; i++)
		nt4_metadata(&w, i + 1, names[i][0], i + 1, names[i][1], NULL, 0);
	nt4_block_end(&w);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < n; i++)
		nt4_event(&w, &(struct nt4_event){ .mid = i + 1, .seq = i + 1, .tid = 5,
		    .capture = 5, .ts = i, .sorted = true });
	nt4_block_end(&w);
	nt4_end(&w);
	nt4_release(&w);
	assert_int_equal(fclose(f), 0);
	d = desk_open(path, 24, cols, ascii, NULL);
	unlink(path);
	return d;
}

/* At 80 columns a name has 24 cells. */
TEST(an_events_own_name_is_the_last_to_be_cut)
{
	static const char *const	names[][2] = {
		{ "Demo", "Tick" }, { "Universal.System", "ProcessMapping" },
		{ "Demo", "AQuiteLongNameOfATaskOfMine/Stop" },
		{ "Demo", "ANameThatTakesWholeColumns" },
	};
	struct desk	d = desk_of_names(names, 4, 80, false);

	desk_need(&d, "Demo/Tick");
	desk_need(&d, " ProcessMapping");		/* without the provider */
	desk_need_not(&d, "System/ProcessMapping");
	desk_need(&d, " AQuiteLongNameOfAT\xe2\x80\xa6/Stop");
	desk_need(&d, " ANameThatTakesWholeColu\xe2\x80\xa6");
	desk_try(&d, ":`columns time,event` <Enter>", "Universal.System/ProcessMapping");
	desk_close(&d);
	d = desk_of_names(names, 4, 80, true);
	desk_need(&d, " ProcessMapping", " AQuiteLongNameOfAT~/Stop");
}

TEST(a_trace_of_one_provider_does_not_name_it_in_every_row)
{
	static const char *const	names[][2] = { { "Demo", "Tick" }, { "Demo", "Tock" } };
	struct desk	d = desk_of_names(names, 2, 80, false);

	desk_need(&d, " Tick");
	desk_need_not(&d, "Demo/");
	/* What is asked and given is as it was. */
	desk_try(&d, "i", "f: name = \"Tick\"");
	desk_try(&d, "X f `provider = Demo and name = Tock` <Enter>", "1 of 2");
	desk_reopen(&d, HEPH, 24, 80, false, NULL);
	desk_need(&d, " Building runtime");
	desk_need_not(&d, "heph/");
}

/* ---- gaps */

static void
sequence_point(struct nt4_writer *w, int64_t ts, uint32_t seq)
{
	nt4_sequence_point(w, ts, 1, (const uint64_t[]){ 5 }, &seq);
}

/* Numbers 1, then points that tell of 4, 9 and 11 before the next event, then 12. */
TEST(all_losses_behind_one_event_have_their_rows)
{
	char			path[] = "/tmp/tnav-events-XXXXXX";
	FILE			*f = fdopen(mkstemp(path), "w");
	struct nt4_event	 e = { .mid = 1, .seq = 1, .tid = 5, .capture = 5, .ts = 1000,
				    .sorted = true };
	struct nt4_writer	 w;
	struct desk		 d;

	assert_non_null(f);
	nt4_init(&w, f);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000, .pointer_size = 8 });
	nt4_block(&w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(&w, 1, "Test", 7, "Made", NULL, 0);
	nt4_block_end(&w);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	nt4_event(&w, &e);
	nt4_block_end(&w);
	sequence_point(&w, 2000, 4);
	sequence_point(&w, 3000, 9);
	sequence_point(&w, 4000, 11);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	e.seq = 12;
	e.ts = 5000;
	nt4_event(&w, &e);
	nt4_block_end(&w);
	nt4_end(&w);
	nt4_release(&w);
	assert_int_equal(fclose(f), 0);
	d = desk_open(path, 24, 100, false, NULL);
	unlink(path);
	assert_int_equal(d.ui->v.gaps.loss.lost, 10);
	desk_need(&d, "(seq 2 \xe2\x80\xa6 4)", "(seq 5 \xe2\x80\xa6 9)");
	desk_need(&d, "(seq 10 \xe2\x80\xa6 11)");
	assert_true(memterm_find(d.m, "seq 2 ") < memterm_find(d.m, "seq 5 "));
	desk_do(&d, "j");
	need_row(&d, 1);
	desk_do(&d, "k");
	need_row(&d, 0);
}

/*
 * D has blocks at 0x12d (the events of 1 and 2 ms, of thread 5) and 0x249 (those of 4 and 5 ms, of
 * both threads): 15 bytes in front of each "EventBlock" of the file.
 */
TEST(blocks_have_rows_that_are_no_events)
{
	struct desk	d = desk_open(D, 24, 80, true, NULL);
	int		y;

	desk_need_not(&d, "block");
	desk_try(&d, "B", "with blocks");
	y = memterm_find(d.m, "block 0x12d: ");
	assert_int_equal(y, memterm_find(d.m, "0.001 000") - 1);
	assert_non_null(strstr(memterm_line(d.m, y), "2 events within 1 ms, thread 5 --"));
	y = memterm_find(d.m, "block 0x249: ");
	assert_int_equal(y, memterm_find(d.m, "0.004 000") - 1);
	assert_non_null(strstr(memterm_line(d.m, y), "2 events within 1 ms, several threads"));
	/* The cursor passes them over, a click on one is for its event, rows are what they were. */
	assert_int_equal(view_count(&d.ui->v), 4);
	desk_do(&d, "j j");
	need_row(&d, 2);
	assert_true(memterm_mark(d.m, memterm_find(d.m, "0.004 000"), 5) & MARK_CURSOR);
	desk_do(&d, "j k k k");
	need_row(&d, 0);
	y = memterm_find(d.m, "block 0x249: ") - d.ui->panes.pane[PANE_EVENTS].at.y;
	assert_true(pane_events.point(d.ui->panes.pane[PANE_EVENTS].self, &d.ui->v, y, 3));
	need_row(&d, 2);
	/* They follow the filter: the earliest event of the first block has n = 1. */
	desk_try_not(&d, "f `n = 5` <Enter>", "block 0x12d");
	desk_need(&d, "block 0x249");
	desk_try_not(&d, "X B", "block 0x");
}

DESK_TEST(details_say_in_which_block_an_event_lies, D, 80, 120)
{
	desk_try(d, "M-3", "0x12d: ", "(EventBlock, its earliest event)");
	desk_try(d, "M-2 j", "0x12d: ", "(EventBlock)");
	desk_reopen(d, HEPH, 50, 120, false, NULL);
	desk_try(d, "M-3", "offset");
	desk_need_not(d, "block");
}

/* Down and up through all pages, with blocks, gaps and repeats: the same rows from both sides. */
DESK_TEST(pages_with_rows_between_events_meet_every_event, DEMO, 12, 80)
{
	struct view	*v = &d->ui->v;
	uint64_t	 row = 0;

	desk_do(d, "B");
	for (int i = 0; i < 40; i++) {
		desk_do(d, "<Space>");
		assert_true(v->sel.row > row && v->sel.row - row < 10);
		row = v->sel.row;
	}
	for (int i = 0; i < 60 && v->sel.row > 0; i++) {
		desk_do(d, "b");
		assert_true(row - v->sel.row < 10);
		row = v->sel.row;
	}
	need_row(d, 0);
}

/* ---- repeats */

/* Each row of the filtered list, met from any side, is the one that the query counts out. */
DESK_TEST(rows_of_a_filtered_list_are_those_of_its_query, DEMO, 24, 80)
{
	struct view	*v = &d->ui->v;
	uint64_t	 n, a, b, i = 7;

	desk_do(d, ":`filter name ~ Alloc or tid = 15` <Enter>");
	n = view_count(v);
	assert_true(n > 1000 && n < trace_rows(d->t));
	for (int k = 0; k < 6000; k++) {
		i = k < 1500 ? (uint64_t)k % n : k < 3000 ? (n - 1 + n - (uint64_t)k % n) % n :
		    (i * 6364136223846793005u + 1442695040888963407u) % n;
		assert_int_equal(view_row(v, i, &a), 1);
		assert_int_equal(query_row(v->filter.q, i, &b), 1);
		assert_int_equal(a, b);
	}
	assert_int_equal(view_row(v, n, &a), 0);
	desk_do(d, "X");
	assert_int_equal(view_row(v, 3, &a), 1);
	assert_int_equal(a, 3);
}

/* ---- looks */

DESK_TEST(columns_colours_and_repeats_are_in_a_saved_session, D, 24, 80)
{
	char		 path[] = "/tmp/tnav-events-XXXXXX";
	struct buf	*script = test_buf();
	FILE		*f = fdopen(mkstemp(path), "r");
	char		 line[256];

	assert_non_null(f);
	desk_do(d, ":`columns time,payload.n` <Enter> :`color tid = 6 red` <Enter> C B t");
	buf_printf(script, "save-session %s", path);
	assert_true(ui_command(d->ui, buf_str(script)));
	desk_do(d, "y");
	desk_close(d);
	buf_clear(script);
	fclose(f);			/* saving has put another file in its place */
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL)
		buf_puts(script, line);
	fclose(f);
	unlink(path);
	*d = desk_open(D, 24, 80, false, &(struct ui_options){ .script = buf_str(script) });
	assert_true(d->ui->v.display.collapse);
	assert_true(d->ui->v.display.blocks);
	assert_int_equal(d->ui->v.display.rules.n, 1);
	assert_int_equal(d->ui->v.display.time_format, TIME_LOCAL);
	desk_need_not(d, "payload  ");
	buf_clear(script);
	columns_text(&d->ui->v.display.columns, script);
	assert_string_equal(buf_str(script), "time,payload.n");
}

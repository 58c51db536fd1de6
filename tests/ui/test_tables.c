/*
 * Panes that are tables: gaps, folds, search, choice of columns, copies, and what drawing costs.
 *
 * v4-dropped-events (D): thread 6 lost 3 by a sequence point of 3 ms and 1 before 4 ms, thread 5
 * lost 3 between 1 and 2 ms and 3 by the sequence point. v6-threads: four processes.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "app/export.h"
#include "ui/pane/table.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"

static const struct ui_options	writing = { .export = &app_export };

/* ---- copies */

/* What is copied and written is what the subcommand prints: it is the same printer. */
DESK_TEST_WITH(rows_of_a_table_are_copied_and_written, D, 24, 132, &writing)
{
	char	 path[] = "/tmp/tnav-test-XXXXXX.csv", text[512] = "", keys[128];
	FILE	*f;

	desk_do(d, "M-g G y y");
	assert_string_equal(memterm_copied(d->m),
	    "   1    6  0.003000000  0.004000000");
	desk_do(d, "y j");
	assert_string_equal(memterm_copied(d->m),
	    "{\"gap\":1,\"tid\":6,\"life\":1,\"why\":\"gap\",\"after\":null,\"from\":3000000,"
	    "\"to\":4000000}");
	desk_do(d, "M-5 :`columns tid,events,lost` <Enter> Y");
	assert_string_equal(memterm_copied(d->m),
	    "tid  events  lost\n  5       3     6\n  6       1     4\n");
	close(mkstemps(path, 4));
	snprintf(keys, sizeof keys, "P`-f %s` <Enter>", path);
	desk_try(d, keys, "threads written to /tmp/tnav-test-");
	f = fopen(path, "r");
	assert_true(fread(text, 1, sizeof text - 1, f) > 0);
	fclose(f);
	unlink(path);
	assert_string_equal(text, "tid,events,lost\r\n5,3,6\r\n6,1,4\r\n");
	desk_try(d, ":`w /a/x.folded` <Enter>", "--fold -o /a/x.folded ");
	desk_try(d, "M-c :`w x.speedscope.json` <Enter>",
	    "it: tnav stacks --weight=");
	desk_try(d, ":`w x.pb.gz` <Enter>", "it: tnav convert -o x.pb.gz ");
	desk_try(d, ":`w x.SVG` <Enter>", "no pictures are written");
}

/* ---- cost */

static unsigned	asked;

static void
counting_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	(void)src;
	asked++;
	*out = col == 0 ? cell_u64(row) : cell_str("text");
}

static const struct table_column	two[] = {
	{ .name = "n", .kind = CELL_U64 }, { .name = "text", .kind = CELL_TEXT },
};

static const struct table *
counting_table(void *self, struct view *v)
{
	static struct table	t = { .column = two, .ncolumns = 2, .nrows = 300000,
				    .sort = 1, .cell = counting_cell };

	(void)self;
	(void)v;
	return &t;
}

TEST(a_redraw_asks_for_the_cells_on_the_screen_only)
{
	static const struct pane_ops	ops = { .table = counting_table };
	struct desk			d = desk_open(D, 24, 80, false, NULL);
	struct table_pane		p = { .name = "counting", .ops = &ops };
	struct rect			r = { 1, 0, 22, 80 };

	table_pane_draw(&p, &d.ui->v, &d.ui->screen.c, r, true);
	for (int i = 0; i < 5; i++) {
		asked = 0;
		(void)table_pane_move(&p, &d.ui->v, (struct move){ i % 2 ? MOVE_LAST :
		    MOVE_PAGES, 1 });
		table_pane_draw(&p, &d.ui->v, &d.ui->screen.c, r, true);
		/* 21 rows of two cells, once to be measured and once to be drawn. */
		assert_in_range(asked, 1, 2 * 2 * 21);
	}
	table_pane_release(&p);
}

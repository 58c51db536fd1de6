/*
 * Panes that are tables: what drawing costs. tests/golden/screens has the rest.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/pane/table.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"

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

/*
 * Copies rows of a table, or writes them to a file, with the printer of the subcommands, which the
 * app provides.
 */
#include "ui/command/row_commands.h"

#include <errno.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/io/output.h"

struct table_pane *
rows_here(struct ui *ui)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	return p->ops->table != NULL ? p->self : NULL;
}

#define SAMPLED_ROWS	1000u	/* to estimate the bytes of all */

static bool
print_rows(struct ui *ui, const char *format, const struct table_rows *rows, struct output *o)
{
	return ui->opt.export->table(ui->v.t, format, o, ui->v.display.time_format == TIME_UTC,
	    &(struct ui_table){ .t = rows->t, .order = &rows->order, .col = rows->col,
	    .ncols = rows->ncols }) == 0;
}

/* False: there is no row, or writing has failed. */
static bool
print(struct ui *ui, struct table_pane *p, const char *format, bool all, bool shown,
    struct output *o)
{
	struct table_rows	rows;
	bool			good = table_pane_rows(p, &ui->v, all, shown, &rows) &&
				    print_rows(ui, format, &rows, o);

	mem_free(rows.order.row);
	mem_free(rows.col);
	return good;
}

uint64_t
rows_estimate(struct ui *ui, struct table_pane *p, const char *format)
{
	struct table_rows	 rows;
	struct output		*o = output_on(-1);
	size_t			 n, all;
	uint64_t		 bytes = 0;

	if (table_pane_rows(p, &ui->v, true, false, &rows) && rows.order.n > 0) {
		all = rows.order.n;
		n = all < SAMPLED_ROWS ? all : SAMPLED_ROWS;
		for (size_t i = 0; i < n; i++)
			rows.order.row[i] = rows.order.row[i * all / n];
		rows.order.n = n;
		if (print_rows(ui, format, &rows, o))
			bytes = (uint64_t)((double)output_buf(o)->len / (double)n * (double)all);
	}
	(void)output_close(o, false, NULL);
	mem_free(rows.order.row);
	mem_free(rows.col);
	return bytes;
}

/* Remove the titles from a table of one row. Cells have no line ends. */
static void
drop_titles(struct buf *out, size_t from)
{
	const char	*end = memchr(out->p + from, '\n', out->len - from);
	size_t		 n = end != NULL ? (size_t)(end + 1 - (out->p + from)) : 0;

	memmove(out->p + from, out->p + from + n, out->len - from - n);
	out->len -= n;
}

void
rows_print(struct ui *ui, struct table_pane *p, const char *format, bool all, struct buf *out)
{
	bool		 text = strcmp(format, "text") == 0;
	size_t		 from = out->len;
	struct output	*o;

	if (ui->opt.export == NULL)
		return;
	o = output_on(-1);
	if (print(ui, p, format, all, text && !all, o))
		buf_add(out, output_buf(o)->p, output_buf(o)->len);
	(void)output_close(o, false, NULL);
	if (text && !all && out->len > from)
		drop_titles(out, from);
	if (!all && out->len > 0 && out->p[out->len - 1] == '\n')
		out->len--;
}

bool
rows_export(struct ui *ui, struct table_pane *p, const char *format, const char *path,
    bool replace)
{
	struct output	*o;
	bool		 good;

	if (output_open_file(&o, path, replace) < 0) {
		view_say(&ui->v, "cannot write %s: %s", path, strerror(errno));
		return false;
	}
	good = print(ui, p, format, true, false, o);
	if (output_close(o, good, NULL) != 0)
		view_say(&ui->v, "%s: %s", path, strerror(errno));
	else if (good)
		view_say(&ui->v, "%s written to %s", p->name, path);
	else
		view_say(&ui->v, "no row to export");
	return true;
}

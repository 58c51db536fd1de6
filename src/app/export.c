/*
 * Rows of the viewer in the formats of `tnav dump`. The viewer cannot write them itself, because
 * the layer ui must not include the layer out.
 */
#include "app/export.h"

#include <string.h>

#include "app/dumping.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/table.h"

static const char *const	formats[] = { "text", "jsonl", "csv", "tsv", NULL };

struct export_rows {
	struct dumping	 d;		/* first: the argument of its pass */
	struct output	*o;
};

static enum out_format
format_of(const char *name)
{
	unsigned	i = 0;

	while (formats[i] != NULL && strcmp(formats[i], name) != 0)
		i++;
	return formats[i] != NULL ? (enum out_format)i : OUT_TEXT;
}

static struct out_style
style_of(struct trace *t, const char *format, bool utc)
{
	const struct trace_info	*info = trace_info(t);

	return (struct out_style){ .format = format_of(format), .mode = TEXT_UTF8,
	    .utc = utc && info->has_sync_utc, .sync_utc = info->sync_utc };
}

static void *
rows_open(struct trace *t, const char *format, struct output *o, bool utc)
{
	static const struct event_out_options	 opt = { .rows = true };
	struct export_rows			*f = mem_zalloc(1, sizeof *f);
	struct out_style			 st = style_of(t, format, utc);

	f->o = o;
	dumping_init(&f->d, NULL);
	f->d.w = row_writer_new(t, o, &st, &opt, NULL, NULL);
	return f;
}

static int
rows_close(void *arg, bool keep, uint64_t *rows, uint64_t *bytes)
{
	struct export_rows	*f = arg;
	int			 err, closed;

	err = row_writer_end(f->d.w);
	closed = output_close(f->o, keep && err == ERR_OK, bytes);
	*rows = f->d.n;
	mem_free(f);
	return err != ERR_OK ? err : closed;
}

static int
rows_table(struct trace *t, const char *format, struct output *o, bool utc,
    const struct ui_table *what)
{
	struct out_style	st = style_of(t, format, utc);

	return table_print(o, &st, what->t, what->order, what->col, what->ncols);
}

static void
rows_line(struct trace *t, const char *format, const struct event *e, uint64_t row,
    struct buf *out)
{
	struct out_style	st = style_of(t, format, false);

	row_line(out, t, &st, e, row);
}

const struct ui_export	app_export = {
	.formats = formats,
	.open = rows_open,
	.rows = &dumping_pass,
	.close = rows_close,
	.table = rows_table,
	.line = rows_line,
};

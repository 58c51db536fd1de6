/*
 * Rows of the viewer in the formats of `tnav dump`. The viewer cannot write them itself, because
 * the layer ui must not include the layer out.
 *
 *	piece	events -> a writer into memory		any thread
 *	merge	-> the output, in order
 *
 * Invariant: a piece writes at most PIECE_MOST bytes and one event; the remaining events are
 * written when it is merged.
 */
#include "app/export.h"

#include <string.h>

#include "app/pass.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/table.h"
#include "tnav/out/rows.h"

static const char *const	formats[] = { "text", "jsonl", "csv", "tsv", NULL };

struct export_rows {
	struct output		*o;
	struct row_writer	*w;
	uint64_t		 n;
};

struct export_later {
	struct event	e;
	uint64_t	row;
};

struct export_piece {
	struct row_writer	*w;
	uint64_t		 n;
	struct export_later	*later;
	size_t			 nlater, cap;
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
	f->w = row_writer_new(t, o, &st, &opt, NULL, NULL);
	return f;
}

static void *
piece_begin(void *arg)
{
	struct export_rows	*f = arg;
	struct export_piece	*p = mem_zalloc(1, sizeof *p);

	p->w = row_writer_part(f->w);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct export_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		struct export_later	x = { b->ev[b->at[i]], pass_row(b, i) };

		if (p->nlater == 0 && row_writer_bytes(p->w) < PIECE_MOST) {
			(void)row_writer_event(p->w, &x.e, x.row);	/* to memory: cannot fail */
			continue;
		}
		ARRAY_ADD(p->later, p->nlater, p->cap, x);
	}
	p->n += b->n;
}

static void
piece_free(void *state)
{
	struct export_piece	*p = state;

	(void)row_writer_end(p->w);
	mem_free(p->later);
	mem_free(p);
}

static int
piece_merge(void *arg, void *state)
{
	struct export_rows	*f = arg;
	struct export_piece	*p = state;
	int			 err = row_writer_take(f->w, p->w, row_writer_bytes(p->w));

	for (size_t i = 0; i < p->nlater && err == ERR_OK; i++)
		err = row_writer_event(f->w, &p->later[i].e, p->later[i].row);
	f->n += p->n;
	return err;
}

/* Its rows were taken over. */
static void
piece_clear(void *state)
{
	struct export_piece	*p = state;

	p->n = p->nlater = 0;
}

static const struct pass_ops	rows_pass = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

static int
rows_close(void *arg, bool keep, uint64_t *rows, uint64_t *bytes)
{
	struct export_rows	*f = arg;
	int			 err, closed;

	err = row_writer_end(f->w);
	closed = output_close(f->o, keep && err == ERR_OK, bytes);
	*rows = f->n;
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
	.rows = &rows_pass,
	.close = rows_close,
	.table = rows_table,
	.line = rows_line,
};

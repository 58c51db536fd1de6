/*
 * Rows of the viewer in the forms of `tnav dump`: what the viewer can't know itself, because it
 * stands beside the output and not above it.
 */
#include "app/export.h"

#include <errno.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/out/event.h"
#include "tnav/out/table.h"

static const char *const	formats[] = { "text", "jsonl", "csv", "tsv", NULL };

struct export_file {
	struct output		*o;
	struct event_out	*x;
	struct field_reader	*reader;
	struct out_style	 st;
	struct field_list	 fields;
	struct cell		*cells;
	struct writer		*w;		/* csv and tsv */
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
file_open(struct trace *t, const char *format, const char *path, bool utc, struct buf *why)
{
	static const struct event_out_options	 opt = { .rows = true };
	struct export_file			*f = mem_zalloc(1, sizeof *f);
	struct buf				 scratch;

	if (trace_is_file(t, path)) {
		buf_printf(why, "%s: can't be written: it is the trace that is read", path);
		mem_free(f);
		return NULL;
	}
	if (output_open(&f->o, path) < 0) {
		buf_printf(why, "%s: can't be written: %s", path, strerror(errno));
		mem_free(f);
		return NULL;
	}
	f->st = style_of(t, format, utc);
	f->x = event_out_new(t, &f->st, &opt);
	if (f->st.format == OUT_CSV || f->st.format == OUT_TSV) {
		buf_init(&scratch);
		field_list_all(&scratch, t, true, false, false);
		(void)field_list_init(&f->fields, buf_str(&scratch), why);
		f->reader = field_reader_new(t, NULL);
		buf_release(&scratch);
		f->cells = mem_zalloc(f->fields.n, sizeof *f->cells);
		f->w = writer_new(f->o, &f->st, f->fields.names, f->fields.n);
	}
	return f;
}

static int
file_event(void *arg, const struct event *e, uint64_t row)
{
	struct export_file	*f = arg;

	if (f->w != NULL) {
		field_get(f->reader, f->fields.v, f->fields.n, e, row, f->cells);
		return writer_row(f->w, f->cells);
	}
	if (f->st.format == OUT_JSONL)
		event_out_json(f->x, output_buf(f->o), e, row);
	else
		event_out_text(f->x, output_buf(f->o), e, row);
	return output_step(f->o);
}

static int
file_close(void *arg, bool keep, uint64_t *bytes)
{
	struct export_file	*f = arg;
	int			 err = f->w != NULL ? writer_end(f->w) : ERR_OK, closed;

	closed = output_close(f->o, keep && err == ERR_OK, bytes);
	event_out_free(f->x);
	field_reader_free(f->reader);
	field_list_release(&f->fields);
	mem_free(f->cells);
	mem_free(f);
	return err != ERR_OK ? err : closed;
}

static void
line(struct trace *t, const char *format, const struct event *e, uint64_t row, struct buf *out)
{
	static const struct event_out_options	 opt = { .rows = true };
	struct out_style			 st = style_of(t, format, false);
	struct event_out			*x = event_out_new(t, &st, &opt);

	if (st.format == OUT_JSONL)
		event_out_json(x, out, e, row);
	else
		event_out_text(x, out, e, row);
	if (out->len > 0 && out->p[out->len - 1] == '\n')
		out->len--;
	event_out_free(x);
}

const struct ui_export	app_export = {
	.formats = formats,
	.open = file_open,
	.event = file_event,
	.close = file_close,
	.line = line,
};

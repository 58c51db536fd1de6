/*
 * The names of files of Parquet, and the facts of a trace in their footers.
 *
 *	TRACE	/srv/a b.nettrace.zst -> "a b"
 *	name	GC/Start -> GC%2FStart
 */
#include "out/parquet/place.h"

#include <errno.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"

#define ENDING		".parquet"
#define NAME_MOST	200u		/* bytes of a file's name without its ending */
#define KEPT_MOST	180u		/* ... of a long one, before its hash */
#define PART_ROWS	4096u		/* rows that are encoded together */
#define PART_BYTES	(16u << 20)	/* ... or so many bytes of them */

bool
parquet_is_file(const char *path)
{
	return text_has_ending(span_of(path), ENDING);
}

/* FNV-1a: the name of a file does not change from run to run. */
static uint32_t
name_hash(struct span s)
{
	uint32_t	h = 2166136261u;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.p[i]) * 16777619u;
	return h;
}

static bool
is_plain(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    (c != '\0' && strchr("-_.,+=@ ", c) != NULL);
}

void
parquet_file_name(struct buf *out, struct span text)
{
	size_t	from = out->len;

	for (size_t i = 0; i < text.len && out->len - from <= NAME_MOST; i++) {
		if (is_plain(text.p[i]) && (text.p[i] != '.' || i > 0))
			buf_putc(out, (char)text.p[i]);
		else
			buf_printf(out, "%%%02X", text.p[i]);
	}
	if (out->len - from > NAME_MOST) {
		out->len = from + KEPT_MOST;
		buf_putc(out, '~');
		buf_hex(out, name_hash(text), 8);
	}
	if (out->len == from)
		buf_putc(out, '_');
}

void
parquet_trace_name(struct buf *out, const char *path)
{
	static const char *const	ends[] = { ".zst", ".gz", ".nettrace", ".netperf",
					    ".heph" };
	struct span			 s = span_of(text_base_name(path));

	if (strcmp(path, "-") == 0)
		s = span_of("stdin");
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (text_has_ending(s, ends[i]))
			s.len -= strlen(ends[i]);
	parquet_file_name(out, s);
}

/* ---- facts */

static void
add_fact(struct place_facts *f, const char *name, const char *value)
{
	f->key[f->n++] = (struct parquet_key){ name, value };
}

static void
add_number(struct place_facts *f, const char *name, uint64_t v)
{
	struct buf	*b = &f->text[f->n];

	buf_u64(b, v);
	add_fact(f, name, buf_str(b));
}

void
place_facts_init(struct place_facts *f, const struct parquet_place *p)
{
	const struct trace_info	*info = p->trace != NULL && p->t != NULL ?
				    trace_info(p->t) : NULL;

	*f = (struct place_facts){ .n = 0 };
	if (p->trace != NULL)
		add_fact(f, "tnav.trace", p->trace);
	if (info == NULL)
		return;
	add_fact(f, "tnav.format", info->format);
	add_number(f, "tnav.tickFrequency", (uint64_t)info->freq);
	if (info_host(info) != NULL)
		add_fact(f, "tnav.host", info_host(info));
	if (info->has_pid)
		add_number(f, "tnav.pid", info->pid);
	if (info->processors > 0)
		add_number(f, "tnav.processors", info->processors);
	if (!info->has_sync_utc)
		return;
	f->has_started = true;
	f->started = info->sync_utc;
	units_utc(&f->text[f->n], info->sync_utc, 9);
	add_fact(f, "tnav.started", buf_str(&f->text[f->n]));
}

void
place_facts_release(struct place_facts *f)
{
	for (size_t i = 0; i < f->n; i++)
		buf_release(&f->text[i]);
}

/* ---- files */

static int
place_fail(struct parquet_place *p, char *path)
{
	p->error = errno;
	mem_free(p->failed);
	p->failed = path;
	return ERR_IO;
}

/* X.parquet and gc: X.gc.parquet. */
static void
put_file_path(struct buf *out, const char *path, const char *kind)
{
	size_t	len = strlen(path) - strlen(ENDING);

	buf_add(out, path, len);
	if (kind != NULL) {
		buf_putc(out, '.');
		parquet_file_name(out, span_of(kind));
	}
	buf_puts(out, path + len);
}

/* DIR/NAME.KIND/TRACE.parquet. */
static void
put_folder_path(struct buf *out, const struct parquet_place *p, const char *name,
    const char *kind)
{
	buf_puts(out, p->path);
	if (name != NULL)
		buf_printf(out, "/%s", name);
	if (kind != NULL) {
		buf_putc(out, name != NULL ? '.' : '/');
		parquet_file_name(out, span_of(kind));
	}
	buf_printf(out, "/%s%s", p->trace != NULL ? p->trace : "tnav", ENDING);
}

int
place_open(struct parquet_place *p, const char *name, const char *kind, struct output **o,
    char **path)
{
	bool		is_file = p->path != NULL && parquet_is_file(p->path);
	struct buf	b = { 0 };

	*path = NULL;
	*o = NULL;
	if (is_file)
		put_file_path(&b, p->path, kind);
	else if (p->path != NULL)
		put_folder_path(&b, p, name, kind);
	*path = mem_strdup(buf_str(&b));
	buf_release(&b);
	if (p->t != NULL && trace_is_file(p->t, *path))
		errno = ETXTBSY;
	else if ((p->path == NULL ? output_open(o, NULL) : is_file ?
	    output_open(o, *path) : output_open_in_folders(o, *path)) == ERR_OK)
		return ERR_OK;
	(void)place_fail(p, *path);
	*path = NULL;
	return ERR_IO;
}

int
place_close(struct parquet_place *p, struct output *o, char *path, bool keep)
{
	if (output_close(o, keep, NULL) == ERR_OK) {
		mem_free(path);
		return ERR_OK;
	}
	return place_fail(p, path);
}

/* ---- a table */

static int
put_rows(const struct place_table *t, struct parquet_file *file)
{
	struct parquet_rows	*r = parquet_file_rows(file);
	int			 err = ERR_OK;

	for (size_t i = 0; i < t->n && err == ERR_OK; i++) {
		t->put(t->arg, i, r);
		parquet_row_end(r);
		if (r->n < PART_ROWS && parquet_rows_bytes(r) < PART_BYTES)
			continue;
		err = parquet_file_add(file, r);
		r = parquet_file_rows(file);
	}
	if (err == ERR_OK)
		return parquet_file_add(file, r);
	parquet_rows_free(r);
	return err;
}

int
place_write(struct parquet_place *p, const struct place_facts *facts, const struct place_table *t)
{
	struct parquet_options	 opt = { .workers = p->workers, .sorted = -1, .key = facts->key,
				    .nkeys = facts->n };
	struct parquet_file	*file;
	struct output		*o;
	char			*path;
	int			 err = place_open(p, t->name, t->kind, &o, &path), end;

	if (err < 0)
		return err;
	file = parquet_file_new(o, t->column, t->columns, &opt);
	err = put_rows(t, file);
	end = parquet_file_end(file);
	err = err < 0 ? err : end;
	end = place_close(p, o, path, err == ERR_OK);
	return err < 0 ? err : end;
}

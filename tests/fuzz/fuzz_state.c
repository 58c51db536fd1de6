/*
 * Fuzz target: a state file. Any bytes set what they can set in a viewer; what that viewer then
 * writes, another reads and writes again: the same, byte by byte, all of it printable ASCII. And
 * any value of a record comes back byte by byte.
 *
 * Corpus: tests/fuzz/corpus/state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "ui/shell.h"
#include "ui/state/record.h"
#include "ui/state/state.h"

/* ---- a screen that shows nothing */

static void
no_size(struct screen *s, int *rows, int *cols)
{
	(void)s;
	*rows = 24;
	*cols = 80;
}

static bool
no_put(struct screen *s, const struct canvas *c)
{
	(void)s;
	(void)c;
	return true;
}

static struct input
no_read(struct screen *s)
{
	(void)s;
	return (struct input){ .kind = INPUT_NONE };
}

static void
no_wait(struct screen *s, int timeout_ms)
{
	(void)s;
	(void)timeout_ms;
}

static void
no_more(struct screen *s)
{
	(void)s;
}

static const struct screen_ops	no_ops = {
	.size = no_size, .put = no_put, .read = no_read, .wait = no_wait, .repaint = no_more,
	.suspend = no_more,
};

/* ---- a trace without events */

static struct trace *
empty_trace(void)
{
	static const uint8_t	bytes[] = "Nettrace\0\0\0\0\6\0\0\0\0\0\0\0"
				    "\x28\0\0\1" "\xea\7\2\0\0\0\1\0\3\0\4\0\5\0\0\0"
				    "\0\0\0\0\0\0\0\0" "\x40\x42\x0f\0\0\0\0\0" "\x08\0\0\0" "\0\0\0\0"
				    "\0\0\0";
	int			fd = memfd_create("state", MFD_CLOEXEC);
	struct trace		*t;
	struct buf		 why = { 0 };
	char			 path[64];

	check(fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	check(trace_open(&t, path, NULL, &why) == 0);
	buf_release(&why);
	close(fd);
	trace_index_start(t);
	check(trace_index_wait(t, -1));
	return t;
}

/* Read the state into a new viewer, and write what it has become. */
static void
pass(struct trace *t, const char *text, size_t len, struct buf *out)
{
	struct screen		 s = { .ops = &no_ops };
	struct ui_options	 o = { .color = UI_COLOR_NEVER };
	struct buf		 why = { 0 };
	struct ui		*ui;

	ui = ui_new(t, &o, &s, &why);
	check(ui != NULL);
	(void)view_refresh(&ui->v);
	(void)state_read(ui, text, len);
	check(!ui->quit && ui->export == NULL && ui->typing.prompt.kind == PROMPT_NONE);
	state_write(ui, out);
	ui_free(ui);
	buf_release(&why);
}

static void
round_trip(const char *text, size_t len)
{
	struct trace	*t = empty_trace();
	struct buf	 a = { 0 }, b = { 0 };

	pass(t, text, len, &a);
	pass(t, a.p, a.len, &b);
	check(a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0));
	for (size_t i = 0; i < a.len; i++)
		check((a.p[i] >= ' ' && a.p[i] <= '~') || a.p[i] == '\n');
	buf_release(&a);
	buf_release(&b);
	trace_close(t);
}

static void
one_value(const char *value)
{
	struct record_reader	r;
	struct buf		file = { 0 }, name = { 0 }, back = { 0 };

	record_head(&file);
	record_put(&file, "first", value);
	record_put(&file, "second", "");
	record_reader_init(&r, file.p, file.len);
	check(record_next(&r, &name, &back));
	check(strcmp(buf_str(&name), "first") == 0 && strcmp(buf_str(&back), value) == 0);
	check(record_next(&r, &name, &back));
	check(strcmp(buf_str(&name), "second") == 0 && back.len == 0);
	check(!record_next(&r, &name, &back) && r.wrong == 0 && !r.old);
	buf_release(&file);
	buf_release(&name);
	buf_release(&back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*value = mem_strndup((const char *)data, size);

	one_value(value);
	mem_free(value);
	if (size <= 8192)		/* terms of a filter are costly */
		round_trip((const char *)data, size);
	return 0;
}

/*
 * ui-bench: how long the viewer takes from a key to its frame, on a terminal in memory.
 *
 *	ui-bench FILE FILTER
 *
 * Prints JSON: seconds of the index; p99 in ms of jumps to random rows, of pages scrolled and of
 * redraws with three windows (all, a hundredth, a millionth); seconds to the first frame with a
 * hit of FILTER and to the last of its hits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../support/memterm.h"
#include "tnav/base/buf.h"
#include "tnav/base/job.h"
#include "tnav/engine/trace.h"
#include "ui/shell.h"

#define TIMES	400
#define ROWS	50
#define COLS	200

static int
compare(const void *a, const void *b)
{
	int64_t	x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
rest(struct ui *ui, struct memterm *m)
{
	ui->timing.last_frame = 0;		/* the frame is due at once */
	while (!ui->quit && (!ui_idle(ui) || memterm_pending(m)))
		ui_turn(ui);
}

/* From the key or the command to the frame that shows what it did. */
static int64_t
act(struct ui *ui, struct memterm *m, const char *key, const char *command)
{
	int64_t	start = job_now_ns();

	ui->timing.last_frame = 0;
	if (key != NULL)
		memterm_press(m, key);
	else
		(void)ui_command(ui, command);
	ui->screen.dirty = true;
	do
		ui_turn(ui);
	while (ui->screen.dirty && !ui->quit);
	start = job_now_ns() - start;
	rest(ui, m);
	return start;
}

static double
p99_ms(int64_t *took, size_t n)
{
	qsort(took, n, sizeof *took, compare);
	return (double)took[n * 99 / 100] / 1e6;
}

static double
jumps(struct ui *ui, struct memterm *m)
{
	static int64_t	took[TIMES];
	uint64_t	seed = 88172645463325252u, rows = trace_rows(ui->v.t);
	struct buf	line;

	buf_init(&line);
	for (size_t i = 0; i < TIMES; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		buf_clear(&line);
		buf_puts(&line, "row ");
		buf_u64(&line, seed % (rows > 0 ? rows : 1));
		took[i] = act(ui, m, NULL, buf_str(&line));
	}
	buf_release(&line);
	return p99_ms(took, TIMES);
}

static double
repeated(struct ui *ui, struct memterm *m, const char *key)
{
	static int64_t	took[TIMES];

	for (size_t i = 0; i < TIMES; i++)
		took[i] = act(ui, m, key, NULL);
	return p99_ms(took, TIMES);
}

static double
zoomed(struct ui *ui, struct memterm *m, unsigned eighths)
{
	(void)act(ui, m, "0", NULL);
	for (unsigned i = 0; i < eighths; i++)
		(void)act(ui, m, "W", NULL);
	return repeated(ui, m, "C-l");
}

static void
filter(struct ui *ui, struct memterm *m, const char *expression, double *first, double *all)
{
	int64_t		start = job_now_ns();
	struct buf	line;

	buf_init(&line);
	buf_printf(&line, "filter %s", expression);
	(void)ui_command(ui, buf_str(&line));
	*first = 0;
	while (!ui_idle(ui) || memterm_pending(m)) {
		ui_turn(ui);
		if (*first == 0 && view_count(&ui->v) > 0 && !ui->screen.dirty)
			*first = (double)(job_now_ns() - start) / 1e9;
	}
	*all = (double)(job_now_ns() - start) / 1e9;
	buf_release(&line);
}

int
main(int argc, char **argv)
{
	const struct ui_options	 opt = { .color = UI_COLOR_NEVER };
	struct memterm		*m = memterm_new(ROWS, COLS, false);
	struct trace		*t;
	struct buf		 why;
	struct ui		*ui;
	double			 index, jump, scroll, wide, near, tight, first, all;
	int64_t			 start = job_now_ns();

	buf_init(&why);
	if (argc != 3 || trace_open(&t, argv[1], NULL, &why) < 0) {
		fprintf(stderr, "usage: ui-bench FILE FILTER  %s\n", buf_str(&why));
		return 2;
	}
	trace_index_start(t);
	trace_index_wait(t, -1);
	index = (double)(job_now_ns() - start) / 1e9;
	ui = ui_new(t, &opt, memterm_screen(m), &why);
	if (ui == NULL) {
		fprintf(stderr, "ui-bench: %s\n", buf_str(&why));
		return 2;
	}
	rest(ui, m);
	jump = jumps(ui, m);
	scroll = repeated(ui, m, "<PgDn>");
	wide = zoomed(ui, m, 0);
	near = zoomed(ui, m, 2);
	tight = zoomed(ui, m, 6);
	(void)act(ui, m, "0", NULL);
	filter(ui, m, argv[2], &first, &all);
	printf("{\"index\":%.6f,\"jump\":%.3f,\"scroll\":%.3f,\"redraw\":[%.3f,%.3f,%.3f],"
	    "\"first\":%.6f,\"filter\":%.6f,\"hits\":%llu}\n", index, jump, scroll, wide, near,
	    tight, first, all, (unsigned long long)view_count(&ui->v));
	ui_free(ui);
	memterm_free(m);
	trace_close(t);
	buf_release(&why);
	return 0;
}

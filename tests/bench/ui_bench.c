/*
 * ui-bench: how long the viewer takes from a key to its frame, on a terminal in memory.
 *
 *	ui-bench FILE... FILTER
 *	ui-bench --busy FILE FILTER PATTERN FIELD
 *	ui-bench --calls FILE WEIGHT
 *
 * Prints JSON: seconds of the index; p99 in ms of jumps to random rows, of pages scrolled and of
 * redraws with three windows (all, a hundredth, a millionth); seconds to the first frame with a
 * hit of FILTER and to the last of its hits; cpu and filter_cpu: p99 of the processor time of all
 * threads in the first five, and that of the last hit, which other programs don't add to; bytes of the
 * index and the cache. Several files are joined.
 *
 * With --busy a filter, a search for PATTERN and a tally of FIELD run all the time, in ms: p50 and
 * p99 from a key to its frame, and the latter less what the thread of the keys waited for a
 * processor, which is a measure of the machine's load; the longest time from Esc until the filter, the search, the tally
 * and all of them together work no more; the median and the longest time to the first hit of a text
 * that stands 0.9 percent of the rows after the cursor.
 *
 * With --calls, of the call tree by WEIGHT: seconds to the first frame that shows calls, and to the
 * one that shows all of them, and the processor time of all threads in the former, which other
 * programs don't add to; then of the flame graph, in ms: p99 of redraws, of keys that move in it and
 * of keys that zoom.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../support/memterm.h"
#include "tnav/base/buf.h"
#include "tnav/base/job.h"
#include "tnav/base/sort.h"
#include "tnav/engine/field.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/trace.h"
#include "ui/shell.h"

#define TIMES	400
#define STOPS	10
#define PLACES	9
#define ROWS	50
#define COLS	200
#define MS	1000000
#define WORD	24u		/* letters of a text that is searched for, at least */

static void
rest(struct ui *ui, struct memterm *m)
{
	ui->timing.last_frame = 0;		/* the frame is due at once */
	while (!ui->quit && (!ui_idle(ui) || memterm_pending(m)))
		ui_turn(ui);
}

static int64_t
cpu_ns(int who)
{
	struct rusage	u;

	(void)getrusage(who, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 * MS +
	    (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

/* From the key or the command to the frame that shows what it did: time, and processor time of all
   threads. */
static int64_t
act_cpu(struct ui *ui, struct memterm *m, const char *key, const char *command, int64_t *cpu)
{
	int64_t	start = job_now_ns(), spent = cpu_ns(RUSAGE_SELF);

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
	*cpu = cpu_ns(RUSAGE_SELF) - spent;
	rest(ui, m);
	return start;
}

static int64_t
act(struct ui *ui, struct memterm *m, const char *key, const char *command)
{
	int64_t	cpu;

	return act_cpu(ui, m, key, command, &cpu);
}

static double
percentile_ms(int64_t *took, size_t n, unsigned percent)
{
	qsort(took, n, sizeof *took, compare_i64);
	return (double)took[n * percent / 100] / 1e6;
}

static double
jumps(struct ui *ui, struct memterm *m, double *cpu)
{
	static int64_t	took[TIMES], spent[TIMES];
	uint64_t	seed = 88172645463325252u, rows = trace_rows(ui->v.t);
	struct buf	line = { 0 };

	for (size_t i = 0; i < TIMES; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		buf_clear(&line);
		buf_puts(&line, "row ");
		buf_u64(&line, seed % (rows > 0 ? rows : 1));
		took[i] = act_cpu(ui, m, NULL, buf_str(&line), &spent[i]);
	}
	buf_release(&line);
	*cpu = percentile_ms(spent, TIMES, 99);
	return percentile_ms(took, TIMES, 99);
}

static double
repeated(struct ui *ui, struct memterm *m, const char *key, double *cpu)
{
	static int64_t	took[TIMES], spent[TIMES];

	for (size_t i = 0; i < TIMES; i++)
		took[i] = act_cpu(ui, m, key, NULL, &spent[i]);
	*cpu = percentile_ms(spent, TIMES, 99);
	return percentile_ms(took, TIMES, 99);
}

static double
zoomed(struct ui *ui, struct memterm *m, unsigned eighths, double *cpu)
{
	(void)act(ui, m, "0", NULL);
	for (unsigned i = 0; i < eighths; i++)
		(void)act(ui, m, "W", NULL);
	return repeated(ui, m, "C-l", cpu);
}

static void
filter(struct ui *ui, struct memterm *m, const char *expression, double *first, double *all,
    double *cpu)
{
	int64_t		start = job_now_ns(), spent = cpu_ns(RUSAGE_SELF);
	struct buf	line = { 0 };

	buf_printf(&line, "filter %s", expression);
	(void)ui_command(ui, buf_str(&line));
	*first = 0;
	while (!ui_idle(ui) || memterm_pending(m)) {
		ui_turn(ui);
		if (*first == 0 && view_count(&ui->v) > 0 && !ui->screen.dirty)
			*first = (double)(job_now_ns() - start) / 1e9;
	}
	*all = (double)(job_now_ns() - start) / 1e9;
	*cpu = (double)(cpu_ns(RUSAGE_SELF) - spent) / 1e9;
	buf_release(&line);
}

/* ---- with work behind the keys */

static void
command(struct ui *ui, const char *name, const char *arg)
{
	struct buf	line = { 0 };

	buf_printf(&line, "%s %s", name, arg);
	(void)ui_command(ui, buf_str(&line));
	buf_release(&line);
}

static void
turn_for(struct ui *ui, int64_t ns)
{
	int64_t	until = job_now_ns() + ns;

	do
		ui_turn(ui);
	while (job_now_ns() < until);
}

/* From the moment of a key, which may lie within a turn, to the frame that shows what it did. */
static int64_t
key_after(struct ui *ui, struct memterm *m, const char *key, int64_t ns)
{
	int64_t		at = job_now_ns() + ns;
	unsigned	frames;

	turn_for(ui, ns);
	frames = memterm_puts(m);
	memterm_press(m, key);
	while (memterm_puts(m) == frames)
		ui_turn(ui);
	return job_now_ns() - at;
}

/* From Esc to the last time that another thread than this one was seen to work. */
static int64_t
stop(struct ui *ui, struct memterm *m)
{
	int64_t	start, took, until, before = 0, others;

	turn_for(ui, 150 * MS);
	if (view_work(&ui->v) == WORK_NONE)
		fprintf(stderr, "ui-bench: nothing runs any more: take a larger file\n");
	start = job_now_ns();
	took = key_after(ui, m, "<Esc>", 0);
	for (until = start + 300 * MS; job_now_ns() < until; (void)usleep(500)) {
		others = cpu_ns(RUSAGE_SELF) - cpu_ns(RUSAGE_THREAD);
		if (others - before > MS / 10 && before > 0)
			took = job_now_ns() - start;
		before = others;
	}
	return took;
}

enum { FILTER = 1, SEARCH = 2, TALLY = 4 };

struct asked {
	const char	*filter, *pattern, *field;
};

static void
ask(struct ui *ui, const struct asked *a, int what)
{
	ui->panes.focus = layout_home();
	if ((what & FILTER) != 0)
		command(ui, "filter", a->filter);
	else
		command(ui, "drop-filter", "");
	if ((what & SEARCH) != 0)
		command(ui, "search", a->pattern);
	if ((what & TALLY) != 0)
		command(ui, "stats", a->field);
}

static double
stops(struct ui *ui, struct memterm *m, const struct asked *a, int what)
{
	int64_t	worst = 0, took;

	for (int i = 0; i < STOPS; i++) {
		ask(ui, a, what);
		took = stop(ui, m);
		worst = took > worst ? took : worst;
		view_search_drop(&ui->v, true);
		if ((what & TALLY) != 0)
			command(ui, "close", "");
	}
	return (double)worst / MS;
}

/* How long this thread has been ready to run while no processor took it; 0: not known. */
static int64_t
waited_ns(void)
{
	unsigned long long	ran, waited = 0;
	FILE			*f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
		waited = 0;
	(void)fclose(f);
	return (int64_t)waited;
}

static void
keys(struct ui *ui, struct memterm *m, double out[3])
{
	static const char *const	key[] = { "j", "<PgDn>", "<PgUp>", "k", "G", "j", "<Tab>", "g",
					    "w", "C-l", "W", "0" };
	static int64_t			took[TIMES], own[TIMES];
	unsigned			seed = 1;
	int64_t				before;

	for (size_t i = 0; i < TIMES; i++) {
		seed = seed * 1103515245u + 12345;
		turn_for(ui, (20 + (int64_t)(seed >> 16) % 40) * MS);
		before = waited_ns();
		took[i] = key_after(ui, m, key[i % (sizeof key / sizeof *key)], 4 * MS);
		own[i] = took[i] - (waited_ns() - before);
	}
	out[0] = percentile_ms(took, TIMES, 50);
	out[1] = percentile_ms(took, TIMES, 99);
	out[2] = percentile_ms(own, TIMES, 99);
}

/* The longest word of letters in the row's text. */
static size_t
word_of(struct trace *t, struct field_reader *r, uint64_t row, struct buf *text, size_t *at)
{
	static const char	letters[] = "abcdefghijklmnopqrstuvwxyz";
	struct event		e;
	const char		*s;
	size_t			best = 0, n;

	buf_clear(text);
	if (trace_event(t, row, &e) != 1)
		return 0;
	field_row_text(r, text, &e);
	for (s = buf_str(text); *s != '\0'; s += n > 0 ? n : 1) {
		n = strspn(s, letters);
		if (n > best) {
			best = n;
			*at = (size_t)(s - buf_str(text));
		}
	}
	return best;
}

static int64_t
first_hit(struct ui *ui, uint64_t row, const char *word)
{
	struct buf	line = { 0 };
	int64_t		start;

	buf_printf(&line, "row %llu", (unsigned long long)row);
	(void)ui_command(ui, buf_str(&line));
	buf_release(&line);
	turn_for(ui, 100 * MS);
	start = job_now_ns();
	command(ui, "search", word);
	while (ui->v.search.seek.seeking || ui->screen.dirty)
		ui_turn(ui);
	if (!ui->v.search.shown)
		fprintf(stderr, "ui-bench: no hit of %s\n", word);
	return job_now_ns() - start;
}

static void
hits(struct ui *ui, double *half, double *most)
{
	struct trace		*t = ui->v.t;
	struct field_reader	*r = field_reader_new(t, NULL);
	uint64_t		 rows = trace_rows(t), from, row;
	int64_t			 took[PLACES];
	struct buf		 text = { 0 }, word = { 0 };
	size_t			 at = 0, n;

	for (unsigned i = 0; i < PLACES; i++) {
		from = rows / (PLACES + 1) * (i + 1);
		row = from + rows / 1000 * 9;
		for (n = 0; n < WORD && row < from + rows / 100; row++)
			n = word_of(t, r, row, &text, &at);
		buf_clear(&word);
		buf_add(&word, buf_str(&text) + at, n);
		took[i] = first_hit(ui, from, buf_str(&word));
	}
	*half = percentile_ms(took, PLACES, 50);
	*most = (double)took[PLACES - 1] / MS;
	field_reader_free(r);
	buf_release(&text);
	buf_release(&word);
}

static void
busy(struct ui *ui, struct memterm *m, const struct asked *a, double index)
{
	double	key[3], stopped[4], hit, last;

	stopped[0] = stops(ui, m, a, FILTER);
	stopped[1] = stops(ui, m, a, SEARCH);
	stopped[2] = stops(ui, m, a, TALLY);
	stopped[3] = stops(ui, m, a, FILTER | SEARCH | TALLY);
	ask(ui, a, FILTER | SEARCH | TALLY);
	keys(ui, m, key);
	ask(ui, a, FILTER | TALLY);
	ui->panes.focus = layout_home();
	hits(ui, &hit, &last);
	printf("{\"index\":%.6f,\"key\":[%.3f,%.3f,%.3f],\"stop\":[%.3f,%.3f,%.3f,%.3f],"
	    "\"hit\":[%.3f,%.3f]}\n", index, key[0], key[1], key[2], stopped[0],
	    stopped[1], stopped[2], stopped[3], hit, last);
}

/* ---- calls */

/* From keys that repeat to their frames, less what this thread waited for a processor. */
static double
pressed(struct ui *ui, struct memterm *m, const char *const *key, size_t n)
{
	static int64_t	took[TIMES];
	int64_t		before;

	for (size_t i = 0; i < TIMES; i++) {
		before = waited_ns();
		took[i] = act(ui, m, key[i % n], NULL);
		took[i] -= waited_ns() - before;
	}
	return percentile_ms(took, TIMES, 99);
}

static void
calls(struct ui *ui, struct memterm *m, const char *weight, double index)
{
	static const char *const	moves[] = { "j", "l", "j", "l", "h", "k", "j", "j", "k", "h" };
	static const char *const	zooms[] = { "j", "<Enter>", "j", "<Enter>", "<Enter>", "k" };
	static const char *const	again[] = { "C-l" };
	double				first = 0, cpu = 0, complete;
	int64_t				start, spent;

	command(ui, "weight", weight);
	for (const char *c = ":calls top-down"; *c != '\0'; c++)
		(void)act(ui, m, *c == ' ' ? "<Space>" : (char[]){ *c, '\0' }, NULL);
	start = job_now_ns();
	spent = cpu_ns(RUSAGE_SELF);
	memterm_press(m, "<Enter>");
	do {
		ui_turn(ui);
		if (first <= 0 && !ui->screen.dirty && memterm_find(m, "incl %") >= 0) {
			first = (double)(job_now_ns() - start) / 1e9;
			cpu = (double)(cpu_ns(RUSAGE_SELF) - spent) / 1e9;
		}
	} while (!ui_idle(ui));
	complete = (double)(job_now_ns() - start) / 1e9;
	command(ui, "close", "");
	command(ui, "flame", "");
	command(ui, "maximise", "");
	rest(ui, m);
	printf("{\"index\":%.6f,\"first\":%.6f,\"cpu\":%.6f,\"complete\":%.6f,\"flame\":[%.3f,%.3f,%.3f]}\n",
	    index, first, cpu, complete, pressed(ui, m, again, 1),
	    pressed(ui, m, moves, sizeof moves / sizeof *moves),
	    pressed(ui, m, zooms, sizeof zooms / sizeof *zooms));
}

/* ---- alone */

static void
alone(struct ui *ui, struct memterm *m, const char *expression, double index)
{
	double	jump, scroll, wide, near, tight, first, all, worked, cpu[5];

	jump = jumps(ui, m, &cpu[0]);
	scroll = repeated(ui, m, "<PgDn>", &cpu[1]);
	wide = zoomed(ui, m, 0, &cpu[2]);
	near = zoomed(ui, m, 2, &cpu[3]);
	tight = zoomed(ui, m, 6, &cpu[4]);
	(void)act(ui, m, "0", NULL);
	filter(ui, m, expression, &first, &all, &worked);
	printf("{\"index\":%.6f,\"jump\":%.3f,\"scroll\":%.3f,\"redraw\":[%.3f,%.3f,%.3f],"
	    "\"cpu\":[%.3f,%.3f,%.3f,%.3f,%.3f],"
	    "\"first\":%.6f,\"filter\":%.6f,\"filter_cpu\":%.6f,\"hits\":%llu,\"memory\":%zu}\n",
	    index, jump, scroll, wide, near, tight, cpu[0], cpu[1], cpu[2], cpu[3], cpu[4], first, all,
	    worked, (unsigned long long)view_count(&ui->v), trace_memory(ui->v.t));
}

/* Open one file, or several as one trace. Returns 0 or an error. */
static int
open_files(struct trace **t, char **file, int n, struct buf *why)
{
	struct trace	*source[SOURCES_MOST];
	int		 err = 0;

	for (int i = 0; i < n && err >= 0; i++)
		err = trace_open(&source[i], file[i], NULL, why);
	*t = source[0];
	if (err >= 0 && n > 1)
		err = trace_join(t, source, (size_t)n, &(struct trace_join){ .clock = CLOCK_TICKS },
		    NULL, why);
	return err;
}

int
main(int argc, char **argv)
{
	const struct ui_options	 opt = { .color = UI_COLOR_NEVER };
	bool			 is_busy = argc == 6 && strcmp(argv[1], "--busy") == 0;
	bool			 of_calls = argc == 4 && strcmp(argv[1], "--calls") == 0;
	struct memterm		*m = memterm_new(ROWS, COLS, false);
	struct trace		*t;
	struct buf		 why = { 0 };
	struct ui		*ui;
	double			 index;
	int64_t			 start = job_now_ns();

	if (argc < 3 || argc > (int)SOURCES_MOST || (argv[1][0] == '-' && !is_busy && !of_calls) ||
	    open_files(&t, argv + 1 + (is_busy || of_calls), is_busy || of_calls ? 1 : argc - 2,
	    &why) < 0) {
		fprintf(stderr, "usage: ui-bench FILE... FILTER\n"
		    "       ui-bench --busy FILE FILTER PATTERN FIELD\n"
		    "       ui-bench --calls FILE WEIGHT  %s\n", buf_str(&why));
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
	if (is_busy)
		busy(ui, m, &(struct asked){ argv[3], argv[4], argv[5] }, index);
	else if (of_calls)
		calls(ui, m, argv[3], index);
	else
		alone(ui, m, argv[argc - 1], index);
	ui_free(ui);
	memterm_free(m);
	trace_close(t);
	buf_release(&why);
	return 0;
}

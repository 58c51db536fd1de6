/*
 * Calls and the flame graph in the viewer: they follow window and filter, Enter leads to events or
 * zooms, rules fold frames here and in stacks, and a drawing costs what the screen has.
 *
 * The figures are those of the folded stacks in ../shared/oracle/symbols, or of tnav stacks, which
 * tests/check/stacks.py holds against them.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "ui/command/command.h"

#define BLOCKS		100u		/* of stacks that all differ */
#define STACKS		300u
#define FRAMES		6u
#define STEPS_HERE	10000u		/* that a key may wait for; the whole tree has many more */

#define TOUR	"tests/data/tour.nettrace.zst"
#define HEAP	"tests/data/shared/traces/heap/net10-heap-two.nettrace.zst"

/* Only the events that can have the weight are read, whatever the filter. */
DESK_TEST(events_without_the_weight_are_not_read, TOUR, 50, 200)
{
	static const char *const	commands[] = {
		"weight exceptions", "weight bytes", "weight cpu",
	};
	uint64_t	before;

	desk_do(d, "M-c :`weight count` <Enter>");
	desk_rest(d);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		before = data_decoded(d->ui->v.t);
		(void)ui_command(d->ui, commands[i]);
		d->ui->screen.dirty = true;
		desk_rest(d);
		desk_need_not(d, "by count");
		assert_true((data_decoded(d->ui->v.t) - before) * 2 < trace_rows(d->ui->v.t));
	}
}

/* The lines below the title that begins so. */
static const char *
below(struct memterm *m, const char *title)
{
	int	y = memterm_find(m, title);

	assert_true(y >= 0);
	return strstr(strstr(memterm_text(m), title), "\n") + 1;
}

/* G goes to the fifth line of bars, of which 13 rows show three. */
TEST(a_flame_graph_that_is_scrolled_shows_what_a_taller_one_shows)
{
	struct desk	 d = desk_open(TOUR, 24, 80, true, NULL);
	struct buf	*tall = test_buf(), *above = test_buf();
	const char	*bars;
	size_t		 n;

	desk_do(&d, "M-i :`idle` <Enter>");
	desk_rest(&d);
	desk_do(&d, "G");
	desk_rest(&d);
	buf_puts(tall, below(d.m, "> flame"));
	desk_reopen(&d, TOUR, 13, 80, true, NULL);
	desk_do(&d, "M-i :`idle` <Enter>");
	desk_rest(&d);
	buf_puts(above, memterm_text(d.m));
	above->len = (size_t)(below(d.m, "> flame") - memterm_text(d.m));
	desk_do(&d, "G");
	desk_rest(&d);
	bars = below(d.m, "> flame");
	n = strcspn(bars, "9");		/* of 1,988 in the foot */
	assert_true(n > (size_t)3 * 79);
	assert_memory_equal(memterm_text(d.m), above->p, above->len);
	assert_memory_equal(bars, strstr(buf_str(tall), ":WorkerThread"), n - strlen("  1,"));
	desk_close(&d);
}

/* A count of stacks that was stopped half way does not go on where the heap is chosen. */
DESK_TEST(no_stacks_are_counted_for_the_heap, HEAP, 24, 80)
{
	struct view			*v = &d->ui->v;
	struct calls_shape		 s = { .shape = NULL };
	struct calltree_shape_options	 o = { .of = NULL };
	struct buf			*why = test_buf();

	view_stop(v);
	assert_true(calls_choose(&v->calls, "count", why));
	(void)calls_follow(&v->calls, &s, &o);
	assert_true(calls_busy(&v->calls));
	v->stopped = false;
	assert_true(calls_choose(&v->calls, "heap", why));
	do
		(void)calls_follow(&v->calls, &s, &o);
	while (s.shape == NULL || s.shape->total <= 0);
	assert_false(calls_busy(&v->calls));
	calls_shape_release(&s);
}

static void
write_many_stacks(const char *path)
{
	FILE			*f = fopen(path, "wb");
	struct nt4_writer	 w;
	uint32_t		 seed = 4711, seq = 0;

	assert_non_null(f);
	nt4_begin(&w, f, "Stacks", "Number", NULL, 0);
	for (uint32_t b = 0; b < BLOCKS; b++) {
		uint64_t	ips[STACKS][FRAMES];

		for (uint32_t i = 0; i < STACKS * FRAMES; i++) {
			seed = seed * 1103515245 + 12345;
			ips[i / FRAMES][i % FRAMES] = 0x10000 + (seed >> 8) % 5000;
		}
		nt4_stacks(&w, 1, STACKS, ips[0], FRAMES);
		nt4_block(&w, "EventBlock", NT4_COMPRESSED);
		for (uint32_t i = 1; i <= STACKS; i++) {
			struct nt4_event	e = { .mid = 1, .tid = 7, .capture = 7,
						    .seq = seq + 1, .ts = seq + 1, .stack = i };

			nt4_event(&w, &e);
			seq++;
		}
		nt4_block_end(&w);
	}
	nt4_end(&w);
	nt4_release(&w);
	assert_int_equal(fclose(f), 0);
}

/* Trees of more nodes than a key may wait for are shaped by other threads, whatever is asked. */
TEST(no_key_waits_for_the_shape_of_a_large_tree)
{
	static const char *const	keys[] = {
		"M-c", "p", "p", "p", ":`calls threads` <Enter>", ":`fold ^0x1 as one` <Enter>",
		":`unfold` <Enter>", "M-i", "j <Enter>", "*", ":`filter row > 100` <Enter>",
	};
	char		path[] = "/tmp/tnav-calls-XXXXXX";
	int		fd = mkstemp(path);
	struct desk	d;

	assert_true(fd >= 0);
	(void)close(fd);
	write_many_stacks(path);
	d = desk_open(path, 50, 160, false, NULL);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		desk_do(&d, keys[i]);
		desk_rest(&d);
		assert_true(d.ui->v.calls.shapings.steps < STEPS_HERE);
		desk_need_not(&d, "being added up");
	}
	desk_need(&d, "zoomed");
	/* Keys that come before the shape is there give it up. */
	desk_do(&d, "M-c p p p p p p p p p p p p q M-i q");
	desk_rest(&d);
	assert_true(d.ui->v.calls.shapings.steps < STEPS_HERE);
	desk_close(&d);
	(void)unlink(path);
}

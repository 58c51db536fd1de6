/*
 * Where there is little room a number is whole, or rounded and with its unit; never cut, never
 * blank. What kernels write for no process and no thread is shown as -.
 *
 * The trace is written here (V6): process 400000000 with threads 10 and 11 of 6,200 events each;
 * process and thread 4294967295 with 3 events. An event has 16 bytes of payload: 99,200 a thread,
 * 198,400 in the process.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"

#define NONE	4294967295u
#define MANY	6200u

static char	path[] = "/tmp/tnav-narrow-XXXXXX";

static void
put_events(struct nt6_writer *w, uint64_t thread, unsigned n)
{
	nt6_begin(w, NT6_EVENTS);
	for (unsigned i = 0; i < n; i++)
		nt6_event(w, &(struct nt6_event){ .mid = 1, .thread = thread,
		    .ticks = 1000, .size = 16 });
	nt6_finish(w);
}

static bool
write_to(char *name, struct nt6_writer *w)
{
	int	fd = mkstemp(name);
	bool	good = fd >= 0 && write(fd, w->p, w->len) == (ssize_t)w->len && close(fd) == 0;

	nt6_release(w);
	return good;
}

static int
write_trace(void)
{
	struct nt6_writer	w;

	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	nt6_row(&w, 1, "Tick");
	nt6_finish(&w);
	nt6_begin(&w, NT6_THREADS);
	nt6_thread_of(&w, 1, 400000000u, 10);
	nt6_thread_of(&w, 2, 400000000u, 11);
	nt6_thread_of(&w, 3, NONE, NONE);
	nt6_finish(&w);
	put_events(&w, 1, MANY);
	put_events(&w, 2, MANY);
	put_events(&w, 3, 3);
	nt6_end(&w);
	return write_to(path, &w) ? 0 : -1;
}

static int
remove_trace(void)
{
	return unlink(path);
}

/* ---- lanes */

/* The lane's count stands behind its name, whole or rounded. */
static void
need_count(struct desk *d, const char *who, const char *whole, const char *rounded)
{
	int		 y = memterm_find(d->m, who);
	const char	*rest;
	struct buf	*a = test_buf(), *b = test_buf();

	if (y < 0)
		fail_msg("no lane of %s:\n%s", who, memterm_text(d->m));
	buf_printf(a, " %s ", whole);
	buf_printf(b, " %s ", rounded);
	rest = strstr(memterm_line(d->m, y), who) + strlen(who) - 1;
	if (strstr(rest, buf_str(a)) == NULL && strstr(rest, buf_str(b)) == NULL)
		fail_msg("%s or %s is not the count of%s:\n%s", whole, rounded, who,
		    memterm_text(d->m));
}

TEST(the_counts_of_lanes_are_abbreviated_and_never_blank)
{
	struct desk	d;

	for (int cols = 64; cols <= 150; cols++) {
		d = desk_open(path, 24, cols, cols % 2 != 0, NULL);
		desk_do(&d, "M-1");
		need_count(&d, "all ", "12,403", "12 k");
		need_count(&d, " 400000000 ", "12,400", "12 k");
		need_count(&d, "  10 ", "6,200", "6 k");
		need_count(&d, " process - ", "3", "3");
		if (cols >= 120)
			desk_need(&d, "process 400000000");
		need_count(&d, "   - ", "3", "3");
		desk_need_not(&d, "4294967295");
		desk_close(&d);
	}
}

/* ---- tables */

/* What a process has in all is wider than what each of its threads has. */
TEST(numbers_of_a_table_are_whole)
{
	static const char *const	shown[] = { "12,400", "198,400", "6,200", "99,200" };

	for (int cols = 70; cols <= 150; cols++) {
		struct desk	d = desk_open(path, 24, cols, cols % 2 != 0, NULL);

		desk_do(&d, "M-5");
		for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
			if (memterm_find(d.m, i % 2 == 0 ? "events" : "  bytes") >= 0)
				desk_need(&d, shown[i]);
		desk_close(&d);
	}
}

/* A process lost what its threads lost: 3 and 4, and 2. */
TEST(a_process_lost_what_its_threads_lost)
{
	static const struct {
		uint64_t	pid, tid;
		uint32_t	lost;
	} thread[] = { { 500, 51, 3 }, { 500, 52, 4 }, { 600, 61, 2 } };
	char			name[] = "/tmp/tnav-narrow-XXXXXX";
	struct nt6_writer	w;
	struct desk		d;

	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	nt6_row(&w, 1, "Tick");
	nt6_finish(&w);
	nt6_begin(&w, NT6_THREADS);
	for (unsigned i = 0; i < 3; i++)
		nt6_thread_of(&w, i + 1, thread[i].pid, thread[i].tid);
	nt6_finish(&w);
	for (unsigned i = 0; i < 3; i++) {
		nt6_begin(&w, NT6_EVENTS);
		nt6_event(&w, &(struct nt6_event){ .mid = 1, .thread = i + 1 });
		nt6_event(&w, &(struct nt6_event){ .mid = 1, .thread = i + 1,
		    .seq = thread[i].lost, .ticks = 1000 });
		nt6_finish(&w);
	}
	nt6_end(&w);
	assert_true(write_to(name, &w));
	d = desk_open(name, 24, 132, false, NULL);
	desk_try(&d, "M-5", "process 500        4       0  0.000 000  0.000 001      7");
	desk_try(&d, "G", "process 600        2       0  0.000 000  0.000 001      2");
	desk_close(&d);
	assert_int_equal(unlink(name), 0);
}

/* ---- ids that stand for none */

TEST(no_process_and_no_thread_are_shown_as_a_dash)
{
	static const char *const	panes[] = { "", "M-1", "M-5", "M-6", "M-7", "M-9",
					    ":`top size` <Enter>", ":`marks` <Enter>" };

	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		struct desk	d = desk_open(path, 50, 200, false, NULL);

		desk_do(&d, "G m a");
		desk_try_not(&d, panes[i], "4294967295");
		desk_close(&d);
	}
}

DESK_TEST(a_dash_is_the_number_to_the_filter, path, 24, 132)
{
	desk_do(d, "f `pid = 4294967295` <Enter>");
	assert_int_equal(view_count(&d->ui->v), 3);
	desk_do(d, "X f `tid = 4294967295` <Enter>");
	assert_int_equal(view_count(&d->ui->v), 3);
}

GROUP(write_trace, remove_trace)

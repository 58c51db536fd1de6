/*
 * A trace that grows while it is read. At each pause the index is equal to that of a fresh open of
 * the bytes so far, and at the end to that of the whole file. This is so for any pieces in which
 * the bytes arrive, for a feed and for a followed file, from the start of the file or from its end
 * when it was opened. The cost does not depend on the number of pieces.
 */
#include <unistd.h>

#include "../support/feeder.h"
#include "../support/nt6_writer.h"
#include "../support/sample.h"
#include "../support/shared.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/trace.h"
#include "tnav/out/rows.h"

#define PAUSES		6u		/* of a trace */
#define TURNS		3u		/* every third trace is followed, but in make check-all */
#define LARGE		3000000u	/* bytes: larger traces are not compared row by row */
#define WAIT_MS		60000

static uint64_t	random_state;

/* A random number below n. */
static size_t
any(size_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return n == 0 ? 0 : (size_t)((random_state >> 20) % n);
}

/* ---- the data of a trace as text */

static void
put_count(struct buf *b, const struct count *c)
{
	buf_printf(b, " %llu %llu %lld %lld", (unsigned long long)c->events,
	    (unsigned long long)c->bytes, (long long)c->first, (long long)c->last);
}

static void
put_types(struct trace *t, struct buf *b)
{
	struct type_stat	*list;
	size_t			 n = trace_type_stats(t, &list);

	for (size_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, list[i].type);

		if (list[i].c.events == 0)
			continue;	/* a block that describes it may be half written */
		buf_printf(b, "type %s/%s", type->provider, type->name);
		put_count(b, &list[i].c);
		buf_putc(b, '\n');
	}
	mem_free(list);
}

/* Threads are numbered in the order in which they are found, which depends on the pieces. */
SORT_ORDER(by_first, struct thread_stat, RISING(tid) RISING(c.first))

static void
put_threads(struct trace *t, struct buf *b)
{
	struct thread_stat	*list;
	size_t			 n = trace_thread_stats(t, &list);

	if (n > 0)
		qsort(list, n, sizeof *list, by_first);
	for (size_t i = 0; i < n; i++) {
		if (list[i].c.events == 0 && list[i].lost == 0)
			continue;
		buf_printf(b, "thread %llu %s lost %llu %llu lives %u",
		    (unsigned long long)list[i].tid, list[i].name != NULL ? list[i].name : "",
		    (unsigned long long)list[i].lost, (unsigned long long)list[i].gaps,
		    list[i].incarnations);
		put_count(b, &list[i].c);
		buf_putc(b, '\n');
	}
	mem_free(list);
}

static void
put_gaps(struct trace *t, struct buf *b)
{
	struct gap	*list;
	size_t		 n = trace_gaps(t, &list);

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "gap %llu %u %s %lld %lld %llu\n", (unsigned long long)list[i].lost,
		    list[i].thread, gap_why_name(list[i].why), (long long)list[i].from,
		    (long long)list[i].to, (unsigned long long)list[i].next_off);
	mem_free(list);
}

static void
put_rows(struct trace *t, struct buf *b)
{
	const struct out_style	 st = { .format = OUT_JSONL };
	uint64_t		 n = trace_rows(t);

	buf_printf(b, "rows %llu\n", (unsigned long long)n);
	for (uint64_t i = 0; i < n; i++) {
		struct event	e;

		assert_int_equal(trace_event(t, i, &e), 1);
		row_line(b, t, &st, &e, i);
		buf_putc(b, '\n');
	}
}

static void
put_all(struct trace *t, struct buf *b)
{
	put_rows(t, b);
	put_types(t, b);
	put_threads(t, b);
	put_gaps(t, b);
}

static void
put_findings(struct trace *t, struct buf *b)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(t), &list);
	uint64_t	 off;

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s %s %llu %llu %llu %s\n", severity_name(list[i].severity),
		    finding_kind_name(list[i].kind), (unsigned long long)list[i].off,
		    (unsigned long long)list[i].bytes, (unsigned long long)list[i].count,
		    list[i].text);
	buf_printf(b, "cut %d\n", trace_cut(t, &off));
	mem_free(list);
}

/*
 * The findings of a fresh open are there in the end. Others can only be about threads that were not
 * declared yet when their events arrived.
 */
static void
same_findings(const char *name, uint64_t at, struct buf *is, struct buf *want)
{
	struct buf	*rest = test_buf();

	(void)buf_str(want);
	for (const char *p = buf_str(is); *p != '\0'; ) {
		size_t	len = strcspn(p, "\n") + 1;

		if (memmem(want->p, want->len, p, len) != NULL ||
		    strncmp(p, "warning thread ", strlen("warning thread ")) != 0)
			buf_add(rest, p, len);
		p += len;
	}
	test_same_text(name, at, rest, want);
}

/* The data and findings of a fresh open of the bytes. False: it is refused. */
static bool
fresh(const uint8_t *p, size_t len, struct buf *b, struct buf *findings)
{
	struct trace	*t;
	struct buf	*why = test_buf();
	int		 err;

	buf_clear(b);
	err = trace_open_memory(&t, (struct span){ p, len }, NULL, why);
	if (err < 0)
		return false;
	assert_true(trace_index_wait(t, -1));
	put_all(t, b);
	if (findings != NULL)
		put_findings(t, findings);
	trace_close(t);
	return true;
}

/* ---- growing traces */

struct growing {
	const char		*name;
	const uint8_t		*p;
	size_t			 len;
	struct feeder	 w;
	struct trace		*t;
	struct buf		 is, want;
};

static void
wait_seen(struct growing *g)
{
	struct trace_progress	p;

	for (int i = 0; i < WAIT_MS; i++) {
		trace_progress(g->t, &p);
		if ((p.size == g->w.size && p.all_shown) || p.complete)
			return;
		usleep(1000);
	}
	fail_msg("%s: byte %llu is not reached", g->name, (unsigned long long)g->w.size);
}

static void
wait_end(struct growing *g)
{
	assert_true(trace_index_wait(g->t, WAIT_MS));
}

static void
look_at_pause(struct growing *g)
{
	wait_seen(g);
	buf_clear(&g->is);
	put_all(g->t, &g->is);
	assert_true(fresh(g->p, (size_t)g->w.size, &g->want, NULL));
	test_same_text(g->name, g->w.size, &g->is, &g->want);
}

static void
look_at_end(struct growing *g)
{
	struct buf	*findings = test_buf();

	wait_end(g);
	buf_clear(&g->is);
	put_all(g->t, &g->is);
	assert_true(fresh(g->p, (size_t)g->w.size, &g->want, findings));
	test_same_text(g->name, g->w.size, &g->is, &g->want);
	buf_clear(&g->is);
	put_findings(g->t, &g->is);
	same_findings(g->name, g->w.size, &g->is, findings);
}

/* Append up to the offset in pieces of one byte up to 64 KB. */
static void
append_to(struct growing *g, uint64_t to)
{
	if (to > g->len)
		to = g->len;
	while (g->w.size < to) {
		size_t	most = (size_t)1 << any(17), n = 1 + any(most);

		if (n > to - g->w.size)
			n = (size_t)(to - g->w.size);
		feeder_append(&g->w, g->p + g->w.size, n);
	}
}

static uint64_t
next_stop(const struct growing *g, unsigned left)
{
	uint64_t	rest = g->len - g->w.size;
	uint64_t	at = g->w.size + 1 + any((size_t)(rest * 2 / (left + 1)) + 1);

	return left == 0 || at > g->len ? g->len : at;
}

static void
open_file(struct growing *g, bool eager)
{
	struct trace_options	 opt = { .workers = 1 + (unsigned)any(3), .eager = eager };
	struct buf		*why = test_buf();

	assert_int_equal(trace_open(&g->t, g->w.path, &opt, why), 0);
}

static void
follow(struct growing *g, bool on)
{
	struct buf	*why = test_buf();

	if (!trace_follow(g->t, on, why))
		fail_msg("%s: %s", g->name, buf_str(why));
}

/* The least number of bytes with which the trace can be opened. */
static size_t
header_of(const uint8_t *p, size_t len)
{
	struct buf	*b = test_buf();
	size_t		 least = 1, most = len < 4096 ? len : 4096;

	while (least < most) {
		size_t	n = (least + most) / 2;

		if (fresh(p, n, b, NULL))
			most = n;
		else
			least = n + 1;
	}
	return least;
}

static void
growing_init(struct growing *g, const struct sample *s)
{
	memset(g, 0, sizeof *g);
	g->name = s->name;
	g->p = s->p;
	g->len = s->len;
	feeder_init(&g->w);
}

static void
growing_release(struct growing *g)
{
	trace_close(g->t);
	feeder_release(&g->w);
	buf_release(&g->is);
	buf_release(&g->want);
}

/* Is the sample undamaged? Damage at the end of a file is judged by the bytes so far. */
static bool
is_sound(const struct sample *s)
{
	return strstr(s->name, "bad") == NULL && strstr(s->name, "cut") == NULL;
}

static size_t	looked_at;
static bool	turn[TURNS];		/* the traces that are followed: the rest only waits longer */
static size_t	nth;

static void
feed_in_pieces(struct sample *s)
{
	struct growing		 g;
	struct trace_feed	 feed;
	struct trace_options	 opt = { .workers = 2, .feed = &feed };
	struct buf		*why = test_buf();

	if (s->refused || s->len > LARGE)
		return;
	growing_init(&g, s);
	feed = (struct trace_feed)feeder_feed(&g.w);
	feeder_append(&g.w, g.p, g.len < 5000 ? g.len : 5000);
	if (g.w.size < 5000)
		g.w.feed.done = true;		/* no more: opening must not wait for a header */
	assert_int_equal(trace_open(&g.t, g.name, &opt, why), 0);
	trace_index_start(g.t);
	append_to(&g, g.len);
	trace_end_feed(g.t);
	look_at_end(&g);
	growing_release(&g);
	looked_at++;
}

static void
follow_in_pieces(struct sample *s)
{
	struct growing	g;

	if (s->refused || s->len > LARGE || !is_sound(s) || !turn[nth++ % TURNS])
		return;
	growing_init(&g, s);
	append_to(&g, header_of(g.p, g.len) + any(g.len / 2));
	open_file(&g, true);
	trace_index_start(g.t);
	wait_end(&g);
	for (unsigned left = PAUSES; left-- > 0 && g.w.size < g.len; ) {
		append_to(&g, next_stop(&g, left + 1));
		follow(&g, true);
		look_at_pause(&g);
		if (any(3) == 0) {
			follow(&g, false);
			look_at_end(&g);
		}
		if (trace_index_done(g.t) && g.w.size == g.len)
			break;
	}
	if (g.w.size < g.len) {
		append_to(&g, g.len);
		if (trace_index_done(g.t))
			follow(&g, true);
		look_at_pause(&g);
	}
	follow(&g, false);
	look_at_end(&g);
	growing_release(&g);
	looked_at++;
}

static void
each_sample(void (*fn)(struct sample *s))
{
	const char	*src = getenv("srcdir"), *shared = shared_dir();
	char		 dir[512];

	random_state = check_seed();
	looked_at = 0;
	snprintf(dir, sizeof dir, "%s/tests/data", src != NULL ? src : ".");
	each_trace(dir, "traces/*", 1, LARGE, fn);
	each_trace(dir, "features/*", 1, LARGE, fn);
	if (shared == NULL || (SLOW && !check_all()))
		return;
	snprintf(dir, sizeof dir, "%s/traces", shared);
	each_trace(dir, "v3/*", 1, LARGE / 10, fn);
	each_trace(dir, "v4/*", 1, LARGE / 10, fn);
	each_trace(dir, "v6/*", 1, LARGE / 10, fn);
	each_trace(dir, "heph/*", 1, LARGE / 10, fn);
}

TEST(a_fed_trace_is_at_last_what_the_whole_file_is)
{
	each_sample(feed_in_pieces);
	assert_true(looked_at > 40);
}

TEST(at_each_pause_a_followed_file_is_what_a_fresh_open_shows)
{
	check_sample(turn, TURNS, 1);
	each_sample(follow_in_pieces);
	assert_true(looked_at > (check_all() ? 40 : 20));
}

/* ---- threads that are declared after their events */

/* A block of events, then that of their threads, twice; the second thread is never declared. */
static void
write_late(struct nt6_writer *w, size_t stop[4])
{
	nt6_init(w);
	nt6_begin(w, NT6_METADATA);
	nt6_number(w, 0, 2);
	nt6_row(w, 1, "Ev");
	nt6_finish(w);
	for (unsigned i = 0; i < 2; i++) {
		nt6_begin(w, NT6_EVENTS);
		nt6_event(w, &(struct nt6_event){ .mid = 1, .seq = i, .thread = 1, .ticks = i });
		nt6_event(w, &(struct nt6_event){ .mid = 1, .seq = 0, .thread = 1 + i });
		nt6_finish(w);
		stop[2 * i] = w->len;
		nt6_begin(w, NT6_THREADS);
		nt6_thread(w, 1 + 4 * i, 71 + i);
		nt6_finish(w);
		stop[2 * i + 1] = w->len;
	}
	nt6_end(w);
}

/* Compare rows without gaps: these refer to threads by number, which depends on the pieces. */
static void
same_rows(struct growing *g, struct buf *findings)
{
	buf_clear(&g->is);
	put_rows(g->t, &g->is);
	assert_true(fresh(g->p, (size_t)g->w.size, &g->want, findings));
	assert_true(g->want.len > g->is.len);
	assert_memory_equal(g->is.p, g->want.p, g->is.len);
}

/* When a thread is declared, all its rows get its id, and there is no finding. */
TEST(a_thread_that_is_declared_late_is_no_finding)
{
	struct nt6_writer	 w;
	struct sample		 s = { .name = "late threads" };
	struct growing		 g;
	struct buf		*findings = test_buf(), *want = test_buf();
	size_t			 stop[4];

	write_late(&w, stop);
	s.p = w.p;
	s.len = w.len;
	growing_init(&g, &s);
	append_to(&g, stop[0]);
	open_file(&g, true);
	trace_index_start(g.t);
	wait_end(&g);
	put_findings(g.t, findings);
	assert_non_null(strstr(buf_str(findings), "the file does not declare"));
	follow(&g, true);
	for (unsigned i = 0; i < 4; i++) {
		append_to(&g, stop[i]);
		wait_seen(&g);
		same_rows(&g, NULL);
	}
	append_to(&g, w.len);
	wait_end(&g);
	same_rows(&g, want);
	buf_clear(findings);
	put_findings(g.t, findings);
	test_same_text(g.name, g.len, findings, want);
	growing_release(&g);
	nt6_release(&w);
}

/* ---- the cost */

struct spent {
	uint64_t	frames, events, bytes, searched;
};

/* Follow a whole trace in pieces of so many bytes; each is indexed before the next is written. */
static struct spent
spent_in_pieces(const struct sample *s, size_t piece)
{
	struct trace_feed	 feed;
	struct trace_options	 opt = { .workers = 1, .eager = true, .feed = &feed };
	struct growing		 g;
	struct trace_costs	 c;
	struct buf		*why = test_buf();

	growing_init(&g, s);
	feed = (struct trace_feed)feeder_feed(&g.w);
	feeder_append(&g.w, g.p, 5000);
	assert_int_equal(trace_open(&g.t, g.name, &opt, why), 0);
	trace_index_start(g.t);
	while (g.w.size < g.len) {
		struct trace_progress	p;
		size_t			n = g.len - (size_t)g.w.size;

		feeder_append(&g.w, g.p + g.w.size, n < piece ? n : piece);
		for (int i = 0; i < WAIT_MS; i++) {
			trace_progress(g.t, &p);
			if (p.seen == g.w.size)
				break;
			usleep(1000);
		}
		assert_int_equal(p.seen, g.w.size);
	}
	trace_end_feed(g.t);
	wait_end(&g);
	trace_costs(g.t, &c);
	growing_release(&g);
	return (struct spent){ c.index_frames, c.index_events, c.index_bytes, c.searched_bytes };
}

static unsigned	measured;

/* For any pieces, each event is decoded once for the index, and no bytes are searched. */
static void
costs_of(struct sample *s)
{
	struct spent	whole, some;

	if (s->refused || s->len < 20000 || s->len > 100000 || !is_sound(s))
		return;
	whole = spent_in_pieces(s, s->len);
	some = spent_in_pieces(s, s->len / 60);
	assert_true(some.events == whole.events);
	assert_true(some.frames <= whole.frames + 60 * 2);
	assert_true(some.searched <= whole.searched + s->len);
	measured++;
}

TEST(small_pieces_cost_no_more_than_one)
{
	each_sample(costs_of);
	assert_true(measured > 0);
}

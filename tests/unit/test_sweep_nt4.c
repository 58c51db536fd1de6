/*
 * Damaged and cut NetTrace V4/V5 files, in one process: every prefix, every byte and every bit of
 * the small traces; block edges and seeded offsets of larger ones.
 *
 * What must hold of any file: it opens or is refused with a line of text; all its rows can be
 * walked, their payloads decoded, their stacks asked for; the counts agree with each other; and the
 * events that lie before the damage are there, in the file's order.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/nt4_writer.h"
#include "../support/shared.h"
#include "tnav/base/buf.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "tnav/model/value.h"

#if defined(__SANITIZE_ADDRESS__)
#define SLOW	1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW	1
#endif
#endif
#ifndef SLOW
#define SLOW	0
#endif

#define SMALL		4096u		/* bytes of a trace of which everything is tried */
#define MAX_PLACES	4096u
#define WATCHDOG_S	600u
#define PREFIX_CUTS	(SLOW ? 24u : 100000u)	/* block edges tried of a large trace */

/* What identifies an event whatever follows it in the file. */
struct seen {
	uint64_t	off, tid, mid;
	int64_t		ts;
	uint32_t	size, seq;
};

struct sample {
	char		 name[64];
	uint8_t		*p;
	size_t		 len;
	struct seen	*seen;		/* in the file's order */
	size_t		 n;
	struct nt4_place *places;
	size_t		 nplaces;
	bool		 refused;
};

/* How closely to look. */
enum depth {
	LOOK_FILE,	/* events in the file's order, counts, findings */
	LOOK_ROWS,	/* also all rows */
	LOOK_ALL,	/* also payloads, stacks and ids */
};

struct result {
	int		 err;
	bool		 clean, cut;
	uint64_t	 cut_off;
	bool		 damaged;	/* a finding above a note */
	uint64_t	 first_damage;
	struct seen	*seen;
	size_t		 n;
};

static int	sweep_fd = -1;
static char	sweep_path[64];

static void
sweep_put(const uint8_t *p, size_t len)
{
	if (sweep_fd < 0) {
		sweep_fd = memfd_create("sweep", MFD_CLOEXEC);
		assert_true(sweep_fd >= 0);
		snprintf(sweep_path, sizeof sweep_path, "/proc/self/fd/%d", sweep_fd);
	}
	assert_int_equal(ftruncate(sweep_fd, 0), 0);
	assert_int_equal(pwrite(sweep_fd, p, len, 0), (ssize_t)len);
}

static int
count_value(void *arg, const struct value *v)
{
	uint64_t	*sum = arg;

	*sum += v->off + v->len + (uint64_t)v->kind;
	if (v->kind == VK_TEXT8 || v->kind == VK_TEXT16 || v->kind == VK_BYTES)
		for (size_t i = 0; i < v->bytes.len; i++)
			*sum += v->bytes.p[i];
	return 0;
}

/* Everything that can be asked of one event. */
static void
ask_event(struct trace *t, const struct event *e, uint64_t *sum)
{
	const struct event_type	*type = trace_type(t, e->type);
	struct payload_result	 res;
	struct span		 payload = trace_payload(t, e);
	uint64_t		 ips[64];
	uint8_t			 guid[16];
	size_t			 n;

	assert_non_null(type);
	assert_true(e->thread < trace_threads(t) && e->capture < trace_threads(t));
	assert_true(payload.len <= e->size);
	for (size_t i = 0; i < payload.len; i++)
		*sum += payload.p[i];
	payload_walk(type, payload, trace_info(t)->pointer_size, count_value, sum, &res);
	n = trace_stack(t, e, ips, 64);
	for (size_t i = 0; i < n && i < 64; i++)
		*sum += ips[i];
	*sum += trace_activity(t, e, guid) + trace_related(t, e, guid);
	*sum += trace_header_bytes(t, e).len + trace_event_lost(t, e);
}

/* The rows tile the views, and agree with the statistics. */
static uint64_t
walk_rows(struct trace *t, enum depth depth, uint64_t *sum)
{
	uint64_t		 rows = trace_rows(t), by_type = 0, by_thread = 0;
	uint64_t		 row = depth == LOOK_FILE ? rows : 0;
	struct type_stat	*types;
	struct thread_stat	*threads;
	size_t			 n;

	while (row < rows) {
		const struct slice_view	*v;

		assert_int_equal(trace_view_get(t, row, &v), 1);
		assert_true(v->row0 <= row && row - v->row0 < v->n);
		assert_true(v->final);
		for (uint32_t i = 0; i < v->n && depth == LOOK_ALL; i++)
			ask_event(t, &v->ev[i], sum);
		row = v->row0 + v->n;
		trace_view_put(t, v);
	}
	assert_true(row == rows);
	n = trace_type_stats(t, &types);
	for (size_t i = 0; i < n; i++)
		by_type += types[i].c.events;
	mem_free(types);
	n = trace_thread_stats(t, &threads);
	for (size_t i = 0; i < n; i++)
		by_thread += threads[i].c.events;
	mem_free(threads);
	assert_true(by_type == rows && by_thread == rows);
	return rows;
}

static size_t
walk_file(struct trace *t, struct seen **out)
{
	struct file_pos	 pos = { { 0 } };
	struct event	 ev[256];
	struct seen	*seen = NULL;
	struct thread_stat of = { .thread = UINT32_MAX };
	size_t		 n = 0, cap = 0;
	int		 got;

	for (got = trace_file_next(t, &pos, ev, 256); got > 0;
	    got = trace_file_next(t, &pos, ev, 256)) {
		seen = mem_grow(seen, &cap, n + (size_t)got, sizeof *seen);
		for (int i = 0; i < got; i++) {
			if (ev[i].thread != of.thread)
				trace_thread(t, ev[i].thread, &of);
			seen[n++] = (struct seen){ .off = ev[i].off, .tid = of.tid, .ts = ev[i].ts,
			    .mid = trace_type(t, ev[i].type)->metadata_id, .size = ev[i].size,
			    .seq = ev[i].seq };
		}
	}
	*out = seen;
	return n;
}

static void
result_release(struct result *r)
{
	mem_free(r->seen);
	memset(r, 0, sizeof *r);
}

/* Open the bytes and look at all of it. */
static void
look(struct result *r, const uint8_t *p, size_t len, enum depth depth)
{
	struct trace_options	 opt = { .workers = 1 };
	struct trace		*t;
	struct finding		*f;
	struct buf		 why;
	uint64_t		 sum = 0, rows;
	size_t			 n;

	memset(r, 0, sizeof *r);
	sweep_put(p, len);
	buf_init(&why);
	r->err = trace_open(&t, sweep_path, &opt, &why);
	if (r->err < 0) {
		assert_null(t);
		assert_true(why.len > 0);
		assert_null(strchr(buf_str(&why), '\n'));
		buf_release(&why);
		return;
	}
	buf_release(&why);
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	rows = walk_rows(t, depth, &sum);
	r->n = walk_file(t, &r->seen);
	assert_true(r->n == rows);
	r->clean = trace_clean(t);
	r->cut = trace_cut(t, &r->cut_off);
	n = diag_list(trace_diag(t), &f);
	for (size_t i = 0; i < n; i++) {
		assert_true(f[i].text && f[i].text[0] && !strchr(f[i].text, '\n'));
		assert_true(f[i].off <= len);
		if (f[i].severity != SEV_NOTE && !r->damaged) {
			r->damaged = true;
			r->first_damage = f[i].off;
		}
	}
	mem_free(f);
	assert_int_equal(r->clean, !r->damaged);
	trace_close(t);
}

static bool
seen_equal(const struct seen *a, const struct seen *b, bool types)
{
	return a->off == b->off && a->ts == b->ts && a->size == b->size && a->seq == b->seq &&
	    (!types || (a->tid == b->tid && a->mid == b->mid));
}

/* The first want events of the sample are the first ones of the result. */
static void
check_begins(const struct sample *s, const struct result *r, size_t want, bool types, size_t at)
{
	if (r->n < want)
		fail_msg("%s, damaged at %zu: %zu events, at least %zu are whole", s->name, at, r->n,
		    want);
	for (size_t i = 0; i < want; i++)
		if (!seen_equal(&r->seen[i], &s->seen[i], types))
			fail_msg("%s, damaged at %zu: event %zu of the file is another", s->name, at, i);
}

static void
sample_load(struct sample *s, const char *path)
{
	FILE		*f = fopen(path, "rb");
	const char	*base = strrchr(path, '/');
	struct result	 r;
	long		 len;

	assert_non_null(f);
	memset(s, 0, sizeof *s);
	snprintf(s->name, sizeof s->name, "%.60s", base ? base + 1 : path);
	fseek(f, 0, SEEK_END);
	len = ftell(f);
	rewind(f);
	s->len = (size_t)len;
	s->p = malloc(s->len ? s->len : 1);
	assert_int_equal(fread(s->p, 1, s->len, f), s->len);
	fclose(f);
	look(&r, s->p, s->len, LOOK_ALL);
	s->refused = r.err < 0;
	s->seen = r.seen;
	s->n = r.n;
	s->places = calloc(MAX_PLACES, sizeof *s->places);
	assert_non_null(s->places);
	s->nplaces = nt4_places(s->p, s->len, s->places, MAX_PLACES);
}

static void
sample_release(struct sample *s)
{
	free(s->p);
	free(s->places);
	mem_free(s->seen);
}

/* The first len bytes, as a file of that size. */
static void
check_prefix(const struct sample *s, size_t len, enum depth depth)
{
	size_t		 least = 0, most = 0;
	struct result	 r;

	look(&r, s->p, len, depth);
	if (len < NT4_HEADER_LEN) {
		if (r.err >= 0)
			fail_msg("%s: %zu bytes, less than its header, were opened", s->name, len);
		return;
	}
	if (r.err < 0)
		fail_msg("%s: its first %zu bytes were refused", s->name, len);
	/* Up to three bytes of padding belong to an uncompressed event. */
	while (least < s->n && s->seen[least].off + s->seen[least].size + 3 <= len)
		least++;
	for (most = least; most < s->n && s->seen[most].off + s->seen[most].size <= len;)
		most++;
	check_begins(s, &r, least, true, len);
	if (r.n > most)
		fail_msg("%s: %zu events in %zu bytes, %zu are whole", s->name, r.n, len, most);
	if (r.clean || !r.damaged || !r.cut || r.cut_off > len)
		fail_msg("%s: its first %zu bytes: clean %d, cut %d at %llu", s->name, len, r.clean,
		    r.cut, (unsigned long long)r.cut_off);
	result_release(&r);
}

/* The byte at at is now another. Events in objects that end before it are untouched. */
static void
check_damage(const struct sample *s, size_t at)
{
	size_t		 whole = 0;
	uint64_t	 safe = 0;
	struct result	 r;

	look(&r, s->p, s->len, LOOK_ALL);
	if (r.err < 0) {
		if (at >= NT4_HEADER_LEN)
			fail_msg("%s: refused for its byte %zu", s->name, at);
		return;
	}
	for (size_t i = 0; i < s->nplaces && s->places[i].end <= at; i++)
		safe = s->places[i].end;
	while (whole < s->n && s->seen[whole].off + s->seen[whole].size <= safe)
		whole++;
	check_begins(s, &r, whole, false, at);
	result_release(&r);
}

/* Run fn on each trace of the pattern; returns how many there were. */
static size_t
each_trace(const char *pattern, size_t max_len, void (*fn)(struct sample *s))
{
	glob_t	g;
	size_t	n = 0;

	if (glob(pattern, 0, NULL, &g) != 0)
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct sample	s;

		sample_load(&s, g.gl_pathv[i]);
		if (!s.refused && s.len <= max_len) {
			fn(&s);
			n++;
		}
		sample_release(&s);
	}
	globfree(&g);
	return n;
}

static size_t
each_small(void (*fn)(struct sample *s))
{
	const char	*src = getenv("srcdir");
	char		 pattern[4096];
	size_t		 n = 0;

	snprintf(pattern, sizeof pattern, "%s/tests/data/features/v[45]-*.nettrace", src ? src : ".");
	n += each_trace(pattern, SMALL, fn);
	snprintf(pattern, sizeof pattern, "%s/tests/data/traces/*.nettrace", src ? src : ".");
	n += each_trace(pattern, SMALL, fn);
	return n;
}

static void
all_prefixes(struct sample *s)
{
	for (size_t len = 0; len < s->len; len++)
		check_prefix(s, len, LOOK_ALL);
}

static void
all_bytes(struct sample *s)
{
	for (size_t at = 0; at < s->len; at++) {
		s->p[at] ^= 0xff;
		check_damage(s, at);
		s->p[at] ^= 0xff;
	}
}

static void
all_bits(struct sample *s)
{
	for (size_t at = 0; at < s->len; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			s->p[at] ^= (uint8_t)(1u << bit);
			check_damage(s, at);
			s->p[at] ^= (uint8_t)(1u << bit);
		}
}

/* Block edges - 1, + 0, + 1 and seeded offsets, thinned out evenly to what time allows. */
static void
some_prefixes(struct sample *s)
{
	size_t		 n = s->nplaces * 3, step = n / PREFIX_CUTS + 1;
	uint64_t	 rng = 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < n; i += step) {
		size_t	edge = (size_t)s->places[i / 3].start + i % 3 - 1;

		if (edge < s->len)
			check_prefix(s, edge, i % 16 == 0 ? LOOK_ROWS : LOOK_FILE);
	}
	for (size_t i = 0; i < (SLOW ? 10 : 200) && s->len; i++) {
		rng = rng * 6364136223846793005u + 1442695040888963407u;
		check_prefix(s, (size_t)(rng >> 33) % s->len,
		    i % 16 == 0 ? LOOK_ROWS : LOOK_FILE);
	}
}

static void
test_every_prefix_of_a_small_trace_gives_its_whole_events(void **state)
{
	(void)state;
	assert_true(each_small(all_prefixes) > 5);
}

static void
test_every_byte_of_a_small_trace_may_be_inverted(void **state)
{
	(void)state;
	assert_true(each_small(all_bytes) > 5);
}

static void
test_every_bit_of_a_small_trace_may_flip(void **state)
{
	(void)state;
	assert_true(each_small(all_bits) > 5);
}

static void
test_prefixes_of_real_traces_give_their_whole_events(void **state)
{
	const char	*src = getenv("srcdir"), *shared = shared_dir();
	char		 pattern[8192];
	size_t		 n = 0;

	(void)state;
	snprintf(pattern, sizeof pattern, "%s/tests/data/traces/*.nettrace", src ? src : ".");
	assert_true(each_trace(pattern, SIZE_MAX, some_prefixes) > 0);
	for (int v = 4; v <= 5 && shared; v++) {
		snprintf(pattern, sizeof pattern, "%s/traces/v%d/*.nettrace", shared, v);
		n += each_trace(pattern, SIZE_MAX, some_prefixes);
	}
	if (n == 0)
		print_message("without ../shared: only the traces of tests/data\n");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_every_prefix_of_a_small_trace_gives_its_whole_events),
		cmocka_unit_test(test_every_byte_of_a_small_trace_may_be_inverted),
		cmocka_unit_test(test_every_bit_of_a_small_trace_may_flip),
		cmocka_unit_test(test_prefixes_of_real_traces_give_their_whole_events),
	};

	alarm(WATCHDOG_S);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

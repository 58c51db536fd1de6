/*
 * The cost of a file is proportional to its size, whatever is in it. For each shape of file below,
 * the work is counted (events decoded, bytes searched) for the index, a walk over all views, a walk
 * in file order, and reading each event's stack and labels. Each sum is at most four times that of
 * an undamaged file of the same size, and twice the size costs at most 2.2 times as much.
 */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/nt4_writer.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/analysis/activities.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/job.h"
#include "tnav/engine/pass.h"
#include "tnav/engine/trace.h"

#define MIB		((size_t)1 << 20)
#define SIZE		(MIB / check_part())
#define BATCH		512u		/* events read at a time in file order */
#define FRAME_LEAST	16u		/* bytes of the file per step of the walk, at least */

/* ---- V6 */

#define PAYLOAD	20u

static void
head6(struct nt6_writer *w)
{
	nt6_init(w);
	nt6_begin(w, NT6_METADATA);
	nt6_row(w, 1, "E");
	nt6_finish(w);
	nt6_begin(w, NT6_THREADS);
	nt6_thread(w, 1, 1);
	nt6_finish(w);
}

/* A block of n events. */
static void
events6(struct nt6_writer *w, uint32_t n, uint64_t *seq, uint32_t payload)
{
	nt6_begin(w, NT6_EVENTS);
	for (uint32_t i = 0; i < n; i++, ++*seq)
		nt6_event(w, &(struct nt6_event){ .mid = 1, .thread = 1,
		    .seq = i == 0 ? (uint32_t)*seq : 0, .ticks = i == 0 ? *seq : 1,
		    .size = payload });
	nt6_finish(w);
}

static void
one_event6(struct nt6_writer *w, const struct nt6_event *e)
{
	nt6_begin(w, NT6_EVENTS);
	nt6_event(w, e);
	nt6_finish(w);
}

/* What write() writes again and again; without it, runs of blocks of this kind and content. */
struct shape6 {
	const char	*name;
	void		(*write)(struct nt6_writer *w, uint64_t *n);
	unsigned	 kind;
	const char	*content;
	size_t		 len;
};

static void
plain6(struct nt6_writer *w, uint64_t *n)
{
	events6(w, 1000, n, PAYLOAD);
}

/* Damaged bytes, with a few blocks between: a single block after damage is not accepted. */
static void
bad6(struct nt6_writer *w, uint64_t *n)
{
	uint8_t	bad[1000];

	for (unsigned i = 0; i < 4; i++)
		events6(w, 400, n, PAYLOAD);
	memset(bad, 0xff, sizeof bad);
	nt6_bytes(w, bad, sizeof bad);
}

/* A block of many segments, and damaged bytes after it. */
static void
bad_large6(struct nt6_writer *w, uint64_t *n)
{
	uint8_t	bad[1000];

	for (unsigned i = 0; i < 3; i++)
		events6(w, 100, n, PAYLOAD);
	events6(w, 18000, n, PAYLOAD);
	memset(bad, 0xff, sizeof bad);
	nt6_bytes(w, bad, sizeof bad);
}

static void
labels6(struct nt6_writer *w, uint64_t *n)
{
	++*n;
	nt6_label(w, (uint32_t)*n, "v");
	one_event6(w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = (uint32_t)*n,
	    .ticks = *n, .labels = (uint32_t)*n });
}

static void
stacks6(struct nt6_writer *w, uint64_t *n)
{
	++*n;
	nt6_stack(w, (uint32_t)*n, *n);
	one_event6(w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = (uint32_t)*n,
	    .ticks = *n, .stack = (uint32_t)*n });
}

static void
points6(struct nt6_writer *w, uint64_t *n)
{
	events6(w, 1, n, 0);
	nt6_point(w, *n);
}

static void
threads6(struct nt6_writer *w, uint64_t *n)
{
	++*n;
	nt6_begin(w, NT6_THREADS);
	nt6_thread(w, *n + 1, *n + 1);
	nt6_finish(w);
	one_event6(w, &(struct nt6_event){ .mid = 1, .thread = *n + 1, .seq = 1, .ticks = *n });
}

static void
metadata6(struct nt6_writer *w, uint64_t *n)
{
	++*n;
	nt6_begin(w, NT6_METADATA);
	nt6_row(w, (uint32_t)*n + 1, "E");
	nt6_finish(w);
	one_event6(w, &(struct nt6_event){ .mid = (uint32_t)*n + 1, .thread = 1,
	    .seq = (uint32_t)*n, .ticks = *n });
}

static void
tiny6(struct nt6_writer *w, uint64_t *n)
{
	nt6_begin(w, ++*n % 2 ? NT6_EVENTS : NT6_METADATA);
	nt6_finish(w);
	if (*n % 1000 == 0)
		one_event6(w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = (uint32_t)*n,
		    .ticks = *n });
}

static void
unknown6(struct nt6_writer *w, uint64_t *n)
{
	++*n;
	nt6_begin(w, 200 + (unsigned)(*n % 3));
	nt6_finish(w);
	if (*n % 1000 == 0)
		one_event6(w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = (uint32_t)*n,
		    .ticks = *n });
}

/* A run of blocks of this kind and content, then one event. */
static void
run6(struct nt6_writer *w, uint64_t *n, unsigned kind, const void *content, size_t len)
{
	for (unsigned i = 0; i < 1000; i++) {
		nt6_bytes(w, &(uint8_t[4]){ (uint8_t)len, 0, 0, (uint8_t)kind }, 4);
		nt6_bytes(w, content, len);
	}
	++*n;
	one_event6(w, &(struct nt6_event){ .mid = 1, .thread = 1, .seq = (uint32_t)*n,
	    .ticks = *n });
}

/* Blocks of each kind without their header, between blocks that need none. */
static void
hollow6(struct nt6_writer *w, uint64_t *n)
{
	static const uint8_t	kinds[] = { NT6_TRACE, NT6_EVENTS, NT6_METADATA, NT6_POINT,
				    NT6_STACKS, NT6_LABELS, 99 };

	for (size_t i = 0; i < 1000; i++) {
		nt6_bytes(w, &(uint8_t[4]){ 0, 0, 0, kinds[i % sizeof kinds] }, 4);
		nt6_bytes(w, &(uint8_t[4]){ 0, 0, 0, NT6_THREADS }, 4);
	}
	run6(w, n, NT6_REMOVE, "", 0);
}

static void
single6(struct nt6_writer *w, uint64_t *n)
{
	events6(w, 1, n, 0);
}

/* ---- V4 */

static const struct nt4_field	no_fields[] = { { NT4_U32, "n" } };

static void
head4(struct nt4_writer *w)
{
	nt4_init(w, NULL);
	nt4_trace(w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(w, 1, "P", 7, "E", no_fields, 1);
	nt4_block_end(w);
}

static void
events4(struct nt4_writer *w, uint32_t count, uint64_t *n, uint32_t stack)
{
	uint8_t	payload[PAYLOAD] = { 0 };

	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < count; i++) {
		++*n;
		nt4_event(w, &(struct nt4_event){ .mid = 1, .seq = (uint32_t)*n, .tid = 5,
		    .capture = 5, .ts = (int64_t)*n, .stack = stack, .payload = payload,
		    .size = PAYLOAD });
	}
	nt4_block_end(w);
}

static void
raw4(struct nt4_writer *w, const void *p, size_t len)
{
	if (w->cap - w->len < len) {
		w->cap = (w->len + len) * 2;
		w->p = realloc(w->p, w->cap);
		assert_non_null(w->p);
	}
	memcpy(w->p + w->len, p, len);
	w->len += len;
	w->off += len;
}

typedef void (*shape4_fn)(struct nt4_writer *w, uint64_t *n);

static void
plain4(struct nt4_writer *w, uint64_t *n)
{
	events4(w, 1000, n, 0);
}

static void
bad4(struct nt4_writer *w, uint64_t *n)
{
	uint8_t	bad[1000];

	events4(w, 1500, n, 0);
	memset(bad, 0xff, sizeof bad);
	raw4(w, bad, sizeof bad);
}

static void
bad_large4(struct nt4_writer *w, uint64_t *n)
{
	uint8_t	bad[1000];

	events4(w, 18000, n, 0);
	memset(bad, 0xff, sizeof bad);
	raw4(w, bad, sizeof bad);
}

static void
stacks4(struct nt4_writer *w, uint64_t *n)
{
	uint64_t	ip = *n;

	nt4_stacks(w, (uint32_t)*n + 1, 1, &ip, 1);
	events4(w, 1, n, (uint32_t)*n + 1);
}

static void
points4(struct nt4_writer *w, uint64_t *n)
{
	uint64_t	tid = 5;
	uint32_t	seq;

	events4(w, 1, n, 0);
	seq = (uint32_t)*n;
	nt4_sequence_point(w, (int64_t)*n, 1, &tid, &seq);
}

static void
metadata4(struct nt4_writer *w, uint64_t *n)
{
	nt4_block(w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(w, (uint32_t)*n + 2, "P", 7, "E", no_fields, 1);
	nt4_block_end(w);
	events4(w, 1, n, 0);
}

static void
tiny4(struct nt4_writer *w, uint64_t *n)
{
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	nt4_block_end(w);
	if (++*n % 1000 == 0)
		events4(w, 1, n, 0);
}

static void
unknown4(struct nt4_writer *w, uint64_t *n)
{
	nt4_object(w, "U", 1, 0, NULL, 0);
	if (++*n % 1000 == 0)
		events4(w, 1, n, 0);
}

static void
single4(struct nt4_writer *w, uint64_t *n)
{
	events4(w, 1, n, 0);
}

/* ---- what they cost */

struct cost {
	uint64_t	bytes, events, frames;
};

static void
walk_views(struct trace *t)
{
	const struct slice_view	*v;
	uint64_t		 row = 0, ip;
	struct label		 label;

	while (trace_view_get(t, row, &v) == 1) {
		for (uint32_t i = 0; i < v->n; i++) {
			if (v->ev[i].stack != 0)
				assert_int_equal(trace_stack(t, &v->ev[i], &ip, 1), 1);
			if (v->ev[i].labels != 0)
				assert_int_equal(trace_labels(t, &v->ev[i], &label, 1), 1);
		}
		row += v->n;
		trace_view_put(t, v);
	}
	assert_int_equal(row, trace_rows(t));
	assert_true(row > 0);
}

static void
walk_file(struct trace *t)
{
	static struct event	ev[BATCH];
	struct file_pos		pos = { { 0 } };
	uint64_t		events = 0;
	int			n;

	while ((n = trace_file_next(t, &pos, ev, BATCH)) > 0)
		events += (uint64_t)n;
	assert_int_equal(n, 0);
	assert_int_equal(events, trace_rows(t));
}

static struct cost
cost_of(struct span bytes)
{
	struct trace		*t = data_memory(bytes.p, bytes.len,
				    &(struct trace_options){ .workers = 1 });
	struct trace_costs	 index, views, file;

	trace_costs(t, &index);
	walk_views(t);
	trace_costs(t, &views);
	walk_file(t);
	trace_costs(t, &file);
	/* Views and the walk in file order never search for frames. */
	assert_int_equal(file.searched_bytes, index.searched_bytes);
	assert_int_equal(file.index_frames, index.index_frames);
	assert_int_equal(index.index_events, trace_rows(t));
	/* Each event once; those of segments that two slices share, twice. */
	assert_true(views.view_events - index.view_events <= 2 * trace_rows(t));
	assert_int_equal(file.view_events - views.view_events, trace_rows(t));
	data_close(t);
	return (struct cost){
		.bytes = file.index_bytes + file.searched_bytes + file.view_bytes,
		.events = file.index_events + file.view_events,
		.frames = file.index_frames,
	};
}

static struct cost
cost6(const struct shape6 *shape, size_t size)
{
	struct nt6_writer	w;
	struct cost		c;
	uint64_t		n = 0;

	head6(&w);
	while (w.len < size)
		if (shape->write != NULL)
			shape->write(&w, &n);
		else
			run6(&w, &n, shape->kind, shape->content, shape->len);
	nt6_end(&w);
	c = cost_of((struct span){ w.p, w.len });
	nt6_release(&w);
	return c;
}

static struct cost
cost4(shape4_fn shape, size_t size)
{
	struct nt4_writer	w;
	struct cost		c;
	uint64_t		n = 0;

	head4(&w);
	while (w.len < size)
		shape(&w, &n);
	nt4_end(&w);
	c = cost_of((struct span){ w.p, w.len });
	nt4_release(&w);
	return c;
}

/* Twice the size may cost 2.2 times as much, plus a small constant. */
static bool
linear(uint64_t one, uint64_t two)
{
	return two <= one * 2 + one / 5 + 1000;
}

static void
check_costs(const char *name, struct cost one, struct cost two, struct cost plain)
{
	print_message("%-12s bytes %llu %llu (plain %llu) events %llu %llu (%llu) frames %llu\n",
	    name, (unsigned long long)one.bytes, (unsigned long long)two.bytes,
	    (unsigned long long)plain.bytes, (unsigned long long)one.events,
	    (unsigned long long)two.events, (unsigned long long)plain.events,
	    (unsigned long long)one.frames);
	assert_true(linear(one.bytes, two.bytes));
	assert_true(linear(one.events, two.events));
	assert_true(linear(one.frames, two.frames));
	assert_true(one.bytes <= 4 * plain.bytes);
	assert_true(one.events <= 4 * plain.events);
	assert_true(one.frames * FRAME_LEAST <= SIZE * 4);
}

TEST(costs_of_v6_follow_the_size)
{
	static const struct shape6	shapes[] = {
		{ "bad", .write = bad6 }, { "bad-large", .write = bad_large6 },
		{ "labels", .write = labels6 }, { "stacks", .write = stacks6 },
		{ "points", .write = points6 }, { "threads", .write = threads6 },
		{ "metadata", .write = metadata6 }, { "tiny", .write = tiny6 },
		{ "unknown", .write = unknown6 }, { "single", .write = single6 },
		{ "void threads", .kind = NT6_THREADS, .content = "" },
		{ "void remove", .kind = NT6_REMOVE, .content = "" },
		{ "void meta", .kind = NT6_METADATA, .content = "\0", .len = 2 },
		{ "void stacks", .kind = NT6_STACKS, .content = "\1\0\0\0\0\0\0", .len = 8 },
		{ "void labels", .kind = NT6_LABELS, .content = "\1\0\0\0\0\0\0", .len = 8 },
		{ "hollow", .write = hollow6 },
	};
	struct cost			plain = cost6(&(struct shape6){ .write = plain6 }, SIZE);

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		check_costs(shapes[i].name, cost6(&shapes[i], SIZE), cost6(&shapes[i], SIZE * 2),
		    plain);
}

/* All of one tick, in blocks of many segments and in blocks of one event; without payloads. */
static void
tick6(struct nt6_writer *w, uint64_t *n)
{
	const struct nt6_event	e = { .mid = 1, .thread = 1, .seq = 1 };
	uint32_t		many = *n / 20000 % 2 == 0 ? 20000 : 1;

	nt6_begin(w, NT6_EVENTS);
	for (uint32_t i = 0; i < many; i++)
		nt6_event(w, &e);
	nt6_finish(w);
	*n += many;
}

TEST(events_of_one_tick_are_decoded_in_proportion)
{
	const struct shape6	ticks = { .write = tick6 };
	struct cost		one = cost6(&ticks, MIB * 4), two = cost6(&ticks, MIB * 8);

	assert_true(linear(one.bytes, two.bytes));
	assert_true(linear(one.events, two.events));
}

TEST(costs_of_v4_follow_the_size)
{
	static const struct {
		const char	*name;
		shape4_fn	 shape;
	}			shapes[] = {
		{ "bad", bad4 }, { "bad-large", bad_large4 }, { "stacks", stacks4 },
		{ "points", points4 }, { "metadata", metadata4 }, { "tiny", tiny4 },
		{ "unknown", unknown4 }, { "single", single4 },
	};
	struct cost		plain = cost4(plain4, SIZE);

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		check_costs(shapes[i].name, cost4(shapes[i].shape, SIZE),
		    cost4(shapes[i].shape, SIZE * 2), plain);
}

/* ---- spans */

#define OPEN_STARTS	60u
#define BETWEEN		4000u

static void
activity4(struct nt4_writer *w, uint64_t *n, uint32_t mid, unsigned activity)
{
	struct nt4_event	e = { .mid = mid, .tid = 5, .capture = 5 };

	e.seq = (uint32_t)++*n;
	e.ts = (int64_t)*n;
	e.activity[0] = (uint8_t)activity;
	e.activity[1] = (uint8_t)(activity >> 8);
	e.related[2] = 200;
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	nt4_event(w, &e);
	nt4_block_end(w);
}

static void
write_work(struct nt4_writer *w)
{
	nt4_block(w, "MetadataBlock", NT4_COMPRESSED);
	w->opcode = 1;
	nt4_metadata(w, 2, "P", 8, "WorkStart", NULL, 0);
	w->opcode = 2;
	nt4_metadata(w, 3, "P", 9, "WorkStop", NULL, 0);
	nt4_block_end(w);
}

/* Starts all over the trace, each without a stop, then stops with an id that no start has: each is
   compared with all of them. */
static void
write_strays(struct nt4_writer *w)
{
	uint64_t	n = 0;

	head4(w);
	write_work(w);
	for (unsigned i = 0; i < OPEN_STARTS; i++) {
		activity4(w, &n, 2, i + 1);
		events4(w, BETWEEN, &n, 0);
	}
	for (unsigned i = 0; i < OPEN_STARTS; i++)
		activity4(w, &n, 3, 100);
}

TEST(stops_without_an_id_read_each_start_once)
{
	const struct spans_options	o = { .pass.workers = 1 };
	struct nt4_writer		w;
	struct trace			*t;
	struct spans			*s;
	struct pass_result		 result;
	struct trace_costs		 c;

	write_strays(&w);
	t = data_nt4(&w, &(struct trace_options){ .workers = 1, .cache_bytes = (size_t)12 << 20 });
	s = spans_new(t);
	assert_int_equal(spans_build(s, &o, &result), 0);
	assert_int_equal(spans_found(s), 2 * OPEN_STARTS);
	trace_costs(t, &c);
	print_message("view events %llu of %llu\n", (unsigned long long)c.view_events,
	    (unsigned long long)trace_rows(t));
	assert_true(c.view_events <= 5 * trace_rows(t));
	spans_free(s);
}

#define ACTIVITIES	20000u

/* What is open when the trace ends stays open. */
TEST(activities_whose_events_tell_their_ends_are_read_once)
{
	const struct pass_options	o = { .workers = 1 };
	struct nt4_writer		w;
	struct trace			*t;
	struct activities		*a;
	struct pass_result		 result;
	struct trace_costs		 before, c;
	const char			*remark;
	uint64_t			 n = 0;

	head4(&w);
	write_work(&w);
	for (unsigned i = 1; i <= ACTIVITIES; i++) {
		activity4(&w, &n, 2, i);
		if (i % 100 != 0)
			activity4(&w, &n, 3, i);
	}
	t = data_nt4(&w, &(struct trace_options){ .workers = 1 });
	trace_costs(t, &before);
	assert_int_equal(activities_new(&a, t, &o, &result), 0);
	assert_int_equal(activities_complete(a, &o, &remark), 0);
	trace_costs(t, &c);
	assert_int_equal(activities_count(a), ACTIVITIES + 1);
	assert_int_equal(activities_at(a, 0)->state, SPAN_PAIRED);
	assert_int_equal(c.view_events - before.view_events, trace_rows(t));
	activities_free(a);
}

/* ---- input that arrives bit by bit */

#define PIPE_BLOCKS	16u
#define PIPE_ZEROES	((size_t)16 << 20)
#define PIPE_CHUNK	32768u

struct writer {
	const char	*path;
	struct span	 bytes;
};

static void
write_pipe(void *arg)
{
	const struct timespec	 nap = { 0, 1000000 };
	const struct writer	*w = arg;
	FILE			*f = fopen(w->path, "wb");

	for (size_t at = 0; f != NULL && at < w->bytes.len; at += PIPE_CHUNK) {
		size_t	n = w->bytes.len - at < PIPE_CHUNK ? w->bytes.len - at : PIPE_CHUNK;

		if (fwrite(w->bytes.p + at, 1, n, f) != n || fflush(f) != 0)
			break;
		nanosleep(&nap, NULL);		/* so that the reader may look each time */
	}
	if (f != NULL)
		fclose(f);
}

/*
 * Where a block ends is searched again when more has arrived, but not each time. (How often more
 * arrives depends on the machine; the bound holds however often that is.)
 */
TEST(damage_in_a_pipe_is_not_searched_for_each_arrival)
{
	static const uint8_t	 zeroes[4096];
	char			 path[] = "/tmp/tnav-costs-XXXXXX", fifo[64];
	struct nt4_writer	 w;
	struct trace_costs	 c;
	struct writer		 writer;
	struct trace		*t;
	struct job		*job;
	uint64_t		 n = 0;

	head4(&w);
	for (unsigned i = 0; i < PIPE_BLOCKS; i++)
		events4(&w, 1000, &n, 0);
	w.p[w.len - 1] = 0xff;			/* the end tag of the last block */
	for (size_t i = 0; i < PIPE_ZEROES; i += sizeof zeroes)
		raw4(&w, zeroes, sizeof zeroes);
	assert_non_null(mkdtemp(path));
	snprintf(fifo, sizeof fifo, "%s/fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	writer = (struct writer){ fifo, { w.p, w.len } };
	job = job_start(write_pipe, &writer);
	t = data_open_path(fifo, &(struct trace_options){ .workers = 1 });
	job_join(job);
	trace_costs(t, &c);
	print_message("searched %llu of %zu\n", (unsigned long long)c.searched_bytes, w.len);
	assert_true(trace_rows(t) >= (PIPE_BLOCKS - 1) * 1000);
	assert_true(c.searched_bytes <= 40 * w.len);
	unlink(fifo);
	rmdir(path);
	nt4_release(&w);
}

/*
 * repeat-trace: a real trace several times one after the other, for benches: a large file of
 * which every part is as the runtime writes it.
 *
 *	repeat-trace -n 10 -o large.nettrace FILE	NetTrace V4 or V5
 *
 *	FILE	types 1 2 | stacks | events | point | events
 *	copy 1	types 1 2 | stacks | events | point | events | point
 *	copy 2		  | stacks | events | point | events | point	later; the threads count on
 *
 * It prints what is in it as one JSON object: events, bytes. The headers of events are written
 * anew: with later times, and with numbers that go on where the copy before ended, so that no
 * event seems to be lost which is not in FILE. A sequence point ends each copy, since the next one
 * uses the numbers of stacks again. Payloads are as they were: so are the times and the numbers of
 * collections in them.
 */
#include "../support/nt4_writer.h"
#include "bytes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_THREADS	4096u
#define MAX_PLACES	(1u << 20)

struct repeat {
	const uint8_t		*file;
	struct nt4_place	*place;
	size_t			 n;
	struct nt4_writer	 w;
	/* Of FILE: threads with the numbers of their first and last event. */
	uint64_t		 tid[MAX_THREADS];
	uint32_t		 first[MAX_THREADS], last[MAX_THREADS];
	uint32_t		 now[MAX_THREADS];	/* of the last event that was written, or 0 */
	size_t			 threads, recent;
	int64_t			 min, max;
	uint32_t		 copy;		/* that is being written; 0: none, FILE is looked at */
	uint64_t		 events;
};

static void
fail(const char *what)
{
	fprintf(stderr, "repeat-trace: %s\n", what);
	exit(1);
}

static size_t
thread_of(struct repeat *r, uint64_t tid)
{
	if (r->recent < r->threads && r->tid[r->recent] == tid)
		return r->recent;
	for (r->recent = 0; r->recent < r->threads; r->recent++)
		if (r->tid[r->recent] == tid)
			return r->recent;
	if (r->threads == MAX_THREADS)
		fail("too many threads");
	r->tid[r->threads] = tid;
	r->first[r->threads] = r->last[r->threads] = UINT32_MAX;
	r->threads++;
	return r->recent;
}

/* By how much numbers of a thread are higher in this copy. */
static uint32_t
seq_shift(const struct repeat *r, size_t thread)
{
	if (r->first[thread] == UINT32_MAX)
		return 0;		/* it has no events */
	return (r->copy - 1) * (r->last[thread] - r->first[thread] + 1);
}

static int64_t
shifted(const struct repeat *r, int64_t ts)
{
	return ts + (int64_t)(r->copy - 1) * (r->max - r->min + 1);
}

static void
look_at_time(struct repeat *r, int64_t ts)
{
	r->min = r->min == 0 || ts < r->min ? ts : r->min;
	r->max = ts > r->max ? ts : r->max;
}

/* The next event behind those of *e, which the headers of a block refer to. */
static const uint8_t *
next_event(const uint8_t *p, const uint8_t *end, struct nt4_event *e)
{
	unsigned	flags = *p++;

	if (flags & 1)
		e->mid = (uint32_t)varint(&p, end);
	if (flags & 2) {
		e->seq += (uint32_t)varint(&p, end);
		e->capture = varint(&p, end);
		e->cpu = (uint32_t)varint(&p, end);
	}
	e->seq += e->mid != 0;
	if (flags & 4)
		e->tid = varint(&p, end);
	if (flags & 8)
		e->stack = (uint32_t)varint(&p, end);
	e->ts += (int64_t)varint(&p, end);
	for (unsigned i = 0; i < 2; i++) {
		if (!(flags >> (4 + i) & 1))
			continue;
		if (end - p < 16)
			fail("an event is cut");
		memcpy(i == 0 ? e->activity : e->related, p, 16);
		p += 16;
	}
	e->sorted = flags & 64;
	if (flags & 128)
		e->size = (uint32_t)varint(&p, end);
	if ((uint64_t)(end - p) < e->size)
		fail("an event is cut");
	e->payload = p;
	return p + e->size;
}

static void
events(struct repeat *r, const struct nt4_place *at)
{
	const uint8_t		*p = r->file + at->body, *end = r->file + at->end - 1;
	struct nt4_event	 e = { .mid = 0 }, out;
	size_t			 thread;

	if (end - p < 20 || load_u16(p) < 20 || load_u16(p) > (uint64_t)(end - p))
		fail("a block is too short");
	if (!(p[2] & NT4_COMPRESSED))
		fail("the headers of events are not compressed");
	if (r->copy > 0)
		nt4_block(&r->w, "EventBlock", NT4_COMPRESSED);
	for (p += load_u16(p); p < end; ) {
		p = next_event(p, end, &e);
		thread = thread_of(r, e.capture);
		if (r->copy == 0) {
			if (r->first[thread] == UINT32_MAX)
				r->first[thread] = e.seq;
			r->last[thread] = e.seq;
			look_at_time(r, e.ts);
		} else {
			out = e;
			out.ts = shifted(r, e.ts);
			out.seq += seq_shift(r, thread);
			r->now[thread] = out.seq;
			nt4_event(&r->w, &out);
		}
		r->events++;
	}
	if (r->copy > 0)
		nt4_block_end(&r->w);
}

/* A thread that a point does not list has ended: those that come again are listed in all. */
static void
put_point(struct repeat *r, int64_t ts)
{
	uint64_t	tid[MAX_THREADS];
	uint32_t	seq[MAX_THREADS];
	size_t		n = 0;

	for (size_t i = 0; i < r->threads; i++) {
		if (r->now[i] == 0)
			continue;
		tid[n] = r->tid[i];
		seq[n++] = r->now[i];
	}
	nt4_sequence_point(&r->w, shifted(r, ts), n, tid, seq);
}

static void
point(struct repeat *r, const struct nt4_place *at)
{
	const uint8_t	*p = r->file + at->body;
	uint64_t	 n = load_u32(p + 8);

	if (n > MAX_THREADS || 12 + n * 12 > at->end - 1 - at->body)
		fail("a sequence point is too short");
	if (r->copy == 0) {
		look_at_time(r, (int64_t)load_u64(p));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		size_t	thread = thread_of(r, load_u64(p + 12 + i * 12));

		r->now[thread] = load_u32(p + 20 + i * 12) + seq_shift(r, thread);
	}
	put_point(r, (int64_t)load_u64(p));
}

static void
copy(struct repeat *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct nt4_place	*at = &r->place[i];

		if (strcmp(at->name, "EventBlock") == 0)
			events(r, at);
		else if (strcmp(at->name, "SPBlock") == 0)
			point(r, at);
		else if (r->copy == 1 || (r->copy > 1 && strcmp(at->name, "StackBlock") == 0))
			nt4_object(&r->w, at->name, 2, 2, r->file + at->body,
			    at->end - 1 - at->body);
	}
	if (r->copy > 0)
		put_point(r, r->max);
}

static void
repeat(struct repeat *r, uint32_t times, size_t len)
{
	r->place = calloc(MAX_PLACES, sizeof *r->place);
	if (r->place == NULL)
		fail("no memory");
	r->n = nt4_places(r->file, len, r->place, MAX_PLACES);
	if (r->n == 0 || r->n == MAX_PLACES)
		fail("not a NetTrace file of version 4 or 5, or too large");
	copy(r);
	r->events = 0;
	if (fwrite(r->file, 1, NT4_HEADER_LEN, r->w.f) != NT4_HEADER_LEN)
		r->w.failed = true;
	r->w.off = NT4_HEADER_LEN;
	for (r->copy = 1; r->copy <= times; r->copy++)
		copy(r);
	nt4_end(&r->w);
	free(r->place);
}

int
main(int argc, char **argv)
{
	static struct repeat	 r;
	const char		*to = NULL;
	uint32_t		 times = 10;
	struct stat		 st;
	FILE			*f;
	int			 c, fd;

	for (c = getopt(argc, argv, "n:o:"); c != -1; c = getopt(argc, argv, "n:o:")) {
		if (c == 'n')
			times = (uint32_t)strtoul(optarg, NULL, 10);
		if (c == 'o')
			to = optarg;
	}
	if (optind + 1 != argc || to == NULL || times == 0) {
		fprintf(stderr, "usage: repeat-trace [-n TIMES] -o OUT FILE\n");
		return 2;
	}
	fd = open(argv[optind], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= NT4_HEADER_LEN)
		fail("cannot read the file");
	r.file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	f = fopen(to, "wb");
	if (r.file == MAP_FAILED || f == NULL || memcmp(r.file, "Nettrace", 8) != 0)
		fail("not a NetTrace file, or nothing can be written");
	nt4_init(&r.w, f);
	repeat(&r, times, (size_t)st.st_size);
	if (r.w.failed || fclose(f) != 0)
		fail("cannot write");
	printf("{\"events\":%llu,\"bytes\":%llu}\n", (unsigned long long)r.events,
	    (unsigned long long)r.w.off);
	nt4_release(&r.w);
	return 0;
}

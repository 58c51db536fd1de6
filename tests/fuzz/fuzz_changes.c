/*
 * Fuzz target: a NetTrace V4 file that changes while its views are made. The first bytes of the
 * input say how, the rest is the file. Corpus: tests/fuzz/corpus/changes.
 *
 *	changes		(what  place  byte)*8	then the file
 *
 * Before each change, and after the last, all views are walked over: each is there or says that it
 * can't be had, and what it has can be looked at.
 */
#include <fcntl.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_trace.h"
#include "tnav/base/err.h"

#define CHANGES		8u
#define CHANGE_BYTES	3u
#define EXTRA_MOST	(64u << 10)

static void
write_at(int fd, size_t off, uint8_t byte, size_t len)
{
	uint8_t	b[4096];

	memset(b, byte, sizeof b);
	for (; len > 0; off += sizeof b) {
		size_t	n = len < sizeof b ? len : sizeof b;

		if (pwrite(fd, b, n, (off_t)off) != (ssize_t)n)
			abort();
		len -= n;
	}
}

/* Cut it, make it longer, write over it, or have it looked at. */
static void
change(struct trace *t, int fd, const uint8_t *c, size_t size)
{
	size_t	place = size / 256 * c[1] + c[1];

	switch (c[0] % 4) {
	case 0:
		if (ftruncate(fd, (off_t)place) != 0)
			abort();
		break;
	case 1:
		write_at(fd, size, c[2], (size_t)c[1] * (EXTRA_MOST / 256));
		break;
	case 2:
		write_at(fd, place, c[2], c[0]);
		break;
	default:
		if (trace_index_done(t))
			trace_refresh(t);
		break;
	}
}

static void
walk(struct trace *t)
{
	const struct slice_view	*v;
	uint64_t		 row = 0;
	unsigned		 events = 0;
	struct buf		 out = { 0 };
	int			 r;

	while (events < FUZZ_EVENTS && (r = trace_view_walk(t, &row, &v)) != 0) {
		events++;
		if (r < 0)
			continue;
		for (uint32_t i = 0; i < v->n && i < 16; i++)
			fuzz_event(t, &v->ev[i], &out);
		events += v->n;
		row = v->row0 + v->n;
		trace_view_put(t, v);
	}
	buf_release(&out);
}

static void
walk_file(struct trace *t)
{
	struct event	ev[64];
	struct file_pos	pos = { { 0 } };
	unsigned	batches = 0;

	while (batches++ < FUZZ_EVENTS / 64 && trace_file_next(t, &pos, ev, 64) != 0)
		;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_options	 opt = { .workers = 2, .input_format = "nettrace4",
				    .cache_bytes = 1 };
	struct trace		*t;
	struct buf		 why = { 0 };
	char			 path[64];
	int			 fd;

	if (size < CHANGES * CHANGE_BYTES)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0)
		abort();
	size -= CHANGES * CHANGE_BYTES;
	if (write(fd, data + CHANGES * CHANGE_BYTES, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (trace_open(&t, path, &opt, &why) == ERR_OK) {
		trace_index_start(t);
		change(t, fd, data, size);		/* while it is indexed */
		trace_index_wait(t, -1);
		for (unsigned i = 1; i < CHANGES; i++) {
			walk(t);
			change(t, fd, data + (size_t)i * CHANGE_BYTES, size);
		}
		walk(t);
		walk_file(t);
		trace_close(t);
	}
	buf_release(&why);
	close(fd);
	return 0;
}

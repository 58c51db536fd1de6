/*
 * Sources: files that shrink, grow, come through a pipe or are compressed.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "../support/data.h"
#include "../support/test.h"
#include "io/seen.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/engine/trace.h"
#include "tnav/io/source.h"

#define PAGES	16u
#define LEN	(PAGES * 4096u)
#define MUCH	(3u << 20)	/* more than one chunk is decompressed, and a sample has gaps */

static char	path[64];

static void
fill(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)(i * 7 + i / 251 + 1);
}

static void
put_file(const void *p, size_t len)
{
	int	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, p, len), (ssize_t)len);
	close(fd);
}

static struct source *
open_path(const char *name)
{
	struct source	*s;
	struct buf	*why = test_buf();

	assert_int_equal(source_open(&s, name, why), ERR_OK);
	return s;
}

static void
assert_holds(struct source *s, const uint8_t *want, size_t len)
{
	struct span	b;

	while (!source_complete(s))
		source_wait(s, source_size(s), INT64_MAX);
	b = source_span(s, 0, UINT64_MAX);
	assert_int_equal(b.len, len);
	assert_memory_equal(b.p, want, len);
}

TEST(a_page_lost_to_truncation_reads_as_zeroes_and_is_counted)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	struct span	 b;

	fill(bytes, LEN);
	put_file(bytes, LEN);
	s = open_path(path);
	b = source_span(s, 0, LEN);
	assert_int_equal(b.p[LEN - 1], bytes[LEN - 1]);
	assert_int_equal(truncate(path, 4096), 0);
	assert_int_equal(source_lost(s), 0);
	assert_int_equal(b.p[LEN - 1], 0);
	assert_true(source_lost(s) > 0);
	assert_int_equal(b.p[100], bytes[100]);
	assert_int_equal(source_refresh(s), SOURCE_SHRANK);
	assert_int_equal(source_size(s), 4096);
	assert_int_equal(source_span(s, 4096, 10).len, 0);
	source_close(s);
}

TEST(a_file_that_grows_is_seen_after_a_refresh)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	int		 fd;

	fill(bytes, LEN);
	put_file(bytes, 1000);
	s = open_path(path);
	assert_int_equal(source_size(s), 1000);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, bytes + 1000, LEN - 1000), LEN - 1000);
	close(fd);
	assert_int_equal(source_size(s), 1000);
	assert_int_equal(source_refresh(s), SOURCE_GREW);
	assert_holds(s, bytes, LEN);
	assert_int_equal(source_refresh(s), SOURCE_SAME);
	source_close(s);
}

TEST(a_replaced_file_is_noticed_and_the_old_one_is_read_on)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;

	fill(bytes, LEN);
	put_file(bytes, LEN);
	s = open_path(path);
	assert_int_equal(unlink(path), 0);
	put_file("other", 5);
	assert_int_equal(source_refresh(s), SOURCE_REPLACED);
	assert_holds(s, bytes, LEN);
	source_close(s);
}

TEST(a_removed_file_is_noticed_and_read_on)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	char		 other[80];

	fill(bytes, LEN);
	put_file(bytes, LEN);
	snprintf(other, sizeof other, "%s.old", path);
	s = open_path(path);
	assert_false(source_removed(s));
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(source_look(s), SOURCE_REMOVED);
	assert_int_equal(source_refresh(s), SOURCE_REMOVED);
	assert_true(source_removed(s));
	assert_holds(s, bytes, LEN);
	assert_int_equal(rename(other, path), 0);	/* it came back */
	assert_int_equal(source_look(s), SOURCE_SAME);
	assert_false(source_removed(s));
	source_close(s);
}

/* A time of change that no earlier write had. */
static void
set_time(void)
{
	static time_t	seconds = 1000000000;
	struct timespec	times[2] = { { .tv_sec = 1 }, { .tv_sec = ++seconds } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Other bytes in the place of some, without cutting the file. */
static void
put_at(off_t off, const void *p, size_t len)
{
	int	fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, p, len, off), (ssize_t)len);
	close(fd);
}

/* Both ends stay as they were. A small file is compared whole, of a large one a sample is. */
TEST(a_file_rewritten_between_its_ends_is_noticed)
{
	static const size_t	lens[] = { 600, LEN / 2, LEN, MUCH };
	uint8_t			*bytes = malloc(MUCH), *other = malloc(MUCH);

	fill(bytes, MUCH);
	for (size_t i = 0; i < MUCH; i++)
		other[i] = (uint8_t)~bytes[i];
	for (size_t i = 0; i < 4 * sizeof lens / sizeof *lens; i++) {
		size_t		 len = lens[i / 4], at = 256, n = len - 512;
		bool		 followed = i % 2 == 1;
		bool		 few = i % 4 >= 2 && len < MUCH;	/* one byte is another */
		struct source	*s;
		struct buf	*why = test_buf();

		put_file(bytes, len);
		set_time();
		s = open_path(path);
		assert_int_equal(source_look(s), SOURCE_SAME);
		if (followed)
			assert_true(source_follow(s, why));
		set_time();			/* touched: nothing is to be said */
		put_at((off_t)at, bytes + at, n);
		if (followed)
			source_wait(s, len, job_now_ns() + 1);
		else
			assert_int_equal(source_look(s), SOURCE_SAME);
		assert_null(source_error(s));
		put_at((off_t)(few ? len / 2 : at), other + (few ? len / 2 : at), few ? 1 : n);
		set_time();
		if (followed) {
			source_wait(s, len, INT64_MAX);
			assert_non_null(strstr(source_error(s), "rewritten"));
			assert_true(source_is_lost(s, 0, 1));
		} else {
			assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		}
		source_close(s);
	}
	free(bytes);
	free(other);
}

/* The file was cut after its size was asked for. What came in the place of the rest is other bytes. */
TEST(a_sample_of_a_file_that_is_shorter_by_now_is_of_what_there_is)
{
	static uint8_t	 bytes[LEN];
	struct seen	 seen = { .n = 0 };
	struct stat	 st;
	int		 fd;

	fill(bytes, LEN);
	put_file(bytes, LEN);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	for (off_t len = LEN / 2; len >= 0; len -= LEN / 2) {
		assert_int_equal(ftruncate(fd, len), 0);
		seen_sample(&seen, fd, &st, LEN);
		assert_int_equal(ftruncate(fd, LEN), 0);
		assert_int_equal(fstat(fd, &st), 0);
		assert_false(seen_stands(&seen, fd, &st));
	}
	close(fd);
}

/* The time of change is put back, as cp -p does; the kernel's own time is another. */
TEST(a_file_rewritten_with_its_time_put_back_is_noticed)
{
	static uint8_t	 bytes[LEN];
	struct timespec	 times[2] = { { .tv_sec = 1 }, { .tv_sec = 2 } };
	struct source	*s;

	fill(bytes, LEN);
	put_file(bytes, LEN);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	s = open_path(path);
	assert_int_equal(source_look(s), SOURCE_SAME);
	usleep(50000);			/* more than the grain of file times */
	put_at(LEN / 2, "other", 5);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_int_equal(source_look(s), SOURCE_REWRITTEN);
	source_close(s);
}

struct asking {
	struct source	*s;
	_Atomic bool	 enough;
	_Atomic size_t	 times;
};

static void
ask(void *arg)
{
	struct asking	*a = arg;

	while (!atomic_load(&a->enough)) {
		source_complete(a->s);
		source_error(a->s);
		atomic_fetch_add(&a->times, 1);
	}
}

/* A screen asks how far the file is read while the thread of the index follows it, or does so
   again. A feed that was freed would be seen by a sanitizer. */
TEST(a_file_can_be_followed_while_another_thread_asks_for_its_end)
{
	static uint8_t	 bytes[LEN];
	struct asking	 a = { NULL, false, 0 };
	struct buf	*why = test_buf();
	struct job	*job;

	fill(bytes, LEN);
	put_file(bytes, LEN);
	a.s = open_path(path);
	job = job_start(ask, &a);
	assert_non_null(job);
	for (size_t i = 0; i < 100; i++) {
		size_t	before = atomic_load(&a.times);

		assert_true(source_follow(a.s, why));
		assert_false(source_complete(a.s));
		while (atomic_load(&a.times) < before + 2)
			;
		source_stop(a.s);
		assert_true(source_complete(a.s));
	}
	atomic_store(&a.enough, true);
	job_join(job);
	source_close(a.s);
}

/* In pieces, followed or not: it was never rewritten, whatever its times are. */
TEST(a_file_that_only_grows_is_never_taken_for_a_rewritten_one)
{
	uint8_t	*bytes = malloc(MUCH);

	fill(bytes, MUCH);
	for (unsigned k = 0; k < 4; k++) {
		struct source	*s;
		struct buf	*why = test_buf();
		size_t		 at = 1000;

		put_file(bytes, at);
		s = open_path(path);
		assert_int_equal(source_look(s), SOURCE_SAME);
		if (k % 2 == 1)
			assert_true(source_follow(s, why));
		while (at < MUCH) {
			size_t	n = k < 2 ? 50000 : 1000 + at / 2;

			n = n < MUCH - at ? n : MUCH - at;
			put_at((off_t)at, bytes + at, n);
			at += n;
			if (k % 2 == 1) {
				source_wait(s, at - 1, INT64_MAX);
				assert_int_equal(source_size(s), at);
				assert_null(source_error(s));
			} else {
				assert_int_equal(source_look(s), SOURCE_GREW);
				assert_int_equal(source_refresh(s), SOURCE_GREW);
			}
			set_time();
			if (k % 2 == 1)
				source_wait(s, at, job_now_ns() + 1);
			else
				assert_int_equal(source_look(s), SOURCE_SAME);
			set_time();
			assert_int_equal(source_look(s), SOURCE_SAME);
			assert_null(source_error(s));
		}
		assert_false(source_rewritten(s));
		put_at(MUCH / 2 - 40000, bytes, 80000);	/* now it is */
		set_time();
		if (k % 2 == 1) {
			source_wait(s, at, INT64_MAX);
			assert_non_null(strstr(source_error(s), "rewritten"));
		} else {
			assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		}
		source_close(s);
	}
	free(bytes);
}

static size_t
pack(uint8_t *out, size_t cap, const uint8_t *p, size_t len, bool gzip)
{
	z_stream	z = { .next_out = out, .avail_out = (uInt)cap, .next_in = (uint8_t *)p,
			      .avail_in = (uInt)len };

	if (!gzip)
		return ZSTD_compress(out, cap, p, len, 1);
	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return cap - z.avail_out;
}

TEST(what_becomes_of_a_compressed_file_is_noticed)
{
	uint8_t	*bytes = malloc(MUCH), *packed = malloc(2 * MUCH);

	srand(1);
	for (size_t i = 0; i < MUCH; i++)
		bytes[i] = (uint8_t)(rand() >> 7);
	for (unsigned k = 0; k < 2; k++) {
		size_t		 len = pack(packed, 2 * MUCH, bytes, MUCH, k == 1);
		struct source	*s;

		put_file(packed, len);
		set_time();
		s = open_path(path);
		assert_holds(s, bytes, MUCH);
		assert_false(source_can_follow(s));
		assert_int_equal(source_look(s), SOURCE_SAME);
		put_at(0, packed, len);				/* touched */
		set_time();
		assert_int_equal(source_look(s), SOURCE_SAME);
		put_at((off_t)len, packed, 1000);
		assert_int_equal(source_look(s), SOURCE_GREW);
		assert_int_equal(source_refresh(s), SOURCE_GREW);
		assert_int_equal(truncate(path, (off_t)len), 0);
		assert_int_equal(source_look(s), SOURCE_SAME);
		memset(packed + 300, 7, len - 600);		/* between its ends */
		put_at(300, packed + 300, len - 600);
		set_time();
		assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		assert_int_equal(truncate(path, (off_t)len / 2), 0);
		assert_int_equal(source_look(s), SOURCE_SHRANK);
		assert_int_equal(source_refresh(s), SOURCE_SHRANK);
		assert_int_equal(unlink(path), 0);
		assert_true(source_removed(s));
		put_file("other", 5);
		assert_false(source_removed(s));
		assert_holds(s, bytes, MUCH);			/* what was spooled stays */
		assert_false(source_is_lost(s, 0, MUCH));
		source_close(s);

		len = pack(packed, 2 * MUCH, bytes, MUCH, k == 1);
		put_file(packed, len);
		s = open_path(path);
		assert_holds(s, bytes, MUCH);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(source_look(s), SOURCE_REMOVED);
		put_file(packed, len);
		assert_int_equal(source_look(s), SOURCE_REPLACED);
		source_close(s);
	}
	free(packed);
	free(bytes);
}

/* The same file with other bytes, of the same length or longer. */
TEST(a_rewritten_file_is_noticed)
{
	static uint8_t	 bytes[LEN], other[LEN];

	fill(bytes, LEN);
	fill(other, LEN);
	for (int k = 0; k < 4; k++) {
		size_t		 was = k % 2 == 0 ? LEN : LEN / 2;
		struct source	*s;
		struct buf	*why = test_buf();

		memcpy(other, bytes, LEN);
		other[k < 2 ? 3 : was - 3] ^= 1;
		put_file(bytes, was);
		s = open_path(path);
		assert_int_equal(source_look(s), SOURCE_SAME);
		put_file(other, LEN);
		assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		assert_false(source_follow(s, why));
		assert_non_null(strstr(buf_str(why), "rewritten"));
		assert_true(source_is_lost(s, 0, 1));
		put_file(bytes, LEN);		/* what was read meanwhile may be the other */
		assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		source_close(s);
	}
}

TEST(gzip_of_two_members_is_unfolded)
{
	uint8_t		*bytes = malloc(MUCH);
	struct source	*s;

	fill(bytes, MUCH);
	unlink(path);
	for (unsigned i = 0; i < 2; i++) {
		gzFile	g = gzopen(path, i ? "ab" : "wb");

		assert_int_equal(gzwrite(g, bytes + i * (MUCH / 2), MUCH / 2), MUCH / 2);
		gzclose(g);
	}
	s = open_path(path);
	assert_holds(s, bytes, MUCH);
	assert_null(source_error(s));
	source_close(s);
	free(bytes);
}

TEST(zstd_that_is_cut_gives_what_there_is_and_says_so)
{
	uint8_t		*bytes = malloc(MUCH), *packed = malloc(ZSTD_compressBound(MUCH));
	struct source	*s;
	size_t		 len;

	srand(1);
	for (size_t i = 0; i < MUCH; i++)
		bytes[i] = (uint8_t)(rand() >> 7);
	len = ZSTD_compress(packed, ZSTD_compressBound(MUCH), bytes, MUCH, 1);
	put_file(packed, len);
	s = open_path(path);
	assert_holds(s, bytes, MUCH);
	assert_null(source_error(s));
	source_close(s);
	put_file(packed, len / 2);
	s = open_path(path);
	while (!source_complete(s))
		source_wait(s, source_size(s), INT64_MAX);
	assert_true(source_size(s) > MUCH / 4 && source_size(s) < MUCH);
	assert_memory_equal(source_span(s, 0, MUCH).p, bytes, (size_t)source_size(s));
	assert_non_null(source_error(s));
	source_close(s);
	free(packed);
	free(bytes);
}

/* Valid frames that need something that is not supported. */
TEST(zstd_that_is_refused_says_why_and_not_that_it_is_damaged)
{
	static const struct {
		const char	*says;
		size_t		 len;
		uint8_t		 p[16];
	} cases[] = {
		/* A window of 2 GiB: (31 - 10) << 3. */
		{ "more memory", 9, { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 1, 0, 0 } },
		{ "dictionary", 10, { 0x28, 0xb5, 0x2f, 0xfd, 0x01, 0, 77, 1, 0, 0 } },
		/* The reserved bit of the frame's description. */
		{ "does not support", 9, { 0x28, 0xb5, 0x2f, 0xfd, 0x08, 0, 1, 0, 0 } },
		/* A block of the reserved kind. */
		{ "damaged", 9, { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0, 7, 0, 0 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct source	*s;

		put_file(cases[i].p, cases[i].len);
		s = open_path(path);
		while (!source_complete(s))
			source_wait(s, source_size(s), INT64_MAX);
		assert_int_equal(source_size(s), 0);
		assert_non_null(source_error(s));
		if (strstr(source_error(s), cases[i].says) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", source_error(s), cases[i].says);
		source_close(s);
	}
}

static void
write_slowly(void *arg)
{
	static uint8_t	bytes[LEN];
	int		fd = *(int *)arg;

	fill(bytes, LEN);
	for (size_t i = 0; i < LEN; i += 1000) {
		size_t	n = LEN - i < 1000 ? LEN - i : 1000;

		if (write(fd, bytes + i, n) != (ssize_t)n)
			break;
	}
	close(fd);
}

TEST(a_pipe_is_spooled_whole)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	struct job	*job;
	char		 name[32];
	int		 fd[2];

	fill(bytes, LEN);
	assert_int_equal(pipe(fd), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd[0]);
	s = open_path(name);
	job = job_start(write_slowly, &fd[1]);
	assert_holds(s, bytes, LEN);
	job_join(job);
	source_close(s);
	close(fd[0]);
}

TEST(closing_a_pipe_that_nobody_writes_to_ends)
{
	struct source	*s;
	char		 name[32];
	int		 fd[2];

	assert_int_equal(pipe(fd), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd[0]);
	s = open_path(name);
	assert_false(source_complete(s));
	source_close(s);
	close(fd[0]);
	close(fd[1]);
}

/* The trace stays usable without the lost views, and shows no view made of zeroes. */
TEST(a_trace_that_is_truncated_gives_no_view_of_lost_pages)
{
	const struct slice_view	*v;
	struct buf		*in = test_buf();
	struct trace		*t;
	struct stat		 st;
	FILE			*f = fopen(data_path("tests/data/demo.nettrace"), "rb");
	int			 r;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	assert_int_equal(fread(buf_room(in, (size_t)st.st_size), 1, (size_t)st.st_size, f),
	    (size_t)st.st_size);
	fclose(f);
	put_file(in->p, (size_t)st.st_size);
	t = data_open_path(path, NULL);
	assert_int_equal(truncate(path, 4096), 0);
	r = trace_view_get(t, 0, &v);
	assert_true(r < 0);
}

static int
make_path(void)
{
	int	fd;

	snprintf(path, sizeof path, "/tmp/tnav-test-XXXXXX");
	fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static int
remove_path(void)
{
	return unlink(path);
}

GROUP(make_path, remove_path)

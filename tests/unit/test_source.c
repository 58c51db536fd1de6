/*
 * Sources: files that shrink, grow, come through a pipe or are compressed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "tnav/base/buf.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/engine/trace.h"
#include "tnav/io/source.h"

#define PAGES	16u
#define LEN	(PAGES * 4096u)

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
	struct buf	 why;

	buf_init(&why);
	assert_int_equal(source_open(&s, name, &why), ERR_OK);
	buf_release(&why);
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

static void
test_a_page_lost_to_truncation_reads_as_zeroes_and_is_counted(void **state)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	struct span	 b;

	(void)state;
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

static void
test_a_file_that_grows_is_seen_after_a_refresh(void **state)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	int		 fd;

	(void)state;
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

static void
test_a_replaced_file_is_noticed_and_the_old_one_is_read_on(void **state)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;

	(void)state;
	fill(bytes, LEN);
	put_file(bytes, LEN);
	s = open_path(path);
	assert_int_equal(unlink(path), 0);
	put_file("other", 5);
	assert_int_equal(source_refresh(s), SOURCE_REPLACED);
	assert_holds(s, bytes, LEN);
	source_close(s);
}

/* The same file with other bytes, of the same length or longer. */
static void
test_a_rewritten_file_is_noticed(void **state)
{
	static uint8_t	 bytes[LEN], other[LEN];

	(void)state;
	fill(bytes, LEN);
	fill(other, LEN);
	for (int k = 0; k < 4; k++) {
		size_t		 was = k % 2 == 0 ? LEN : LEN / 2;
		struct source	*s;
		struct buf	 why;

		memcpy(other, bytes, LEN);
		other[k < 2 ? 3 : was - 3] ^= 1;
		put_file(bytes, was);
		s = open_path(path);
		assert_int_equal(source_look(s), SOURCE_SAME);
		put_file(other, LEN);
		assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		buf_init(&why);
		assert_false(source_follow(s, &why));
		assert_non_null(strstr(buf_str(&why), "rewritten"));
		assert_true(source_is_lost(s, 0, 1));
		put_file(bytes, LEN);		/* what was read meanwhile may be the other */
		assert_int_equal(source_look(s), SOURCE_REWRITTEN);
		buf_release(&why);
		source_close(s);
	}
}

/* Several megabytes, so that more than one chunk is decompressed. */
#define MUCH	(3u << 20)

static void
test_gzip_of_two_members_is_unfolded(void **state)
{
	uint8_t		*bytes = malloc(MUCH);
	struct source	*s;

	(void)state;
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

static void
test_zstd_that_is_cut_gives_what_there_is_and_says_so(void **state)
{
	uint8_t		*bytes = malloc(MUCH), *packed = malloc(ZSTD_compressBound(MUCH));
	struct source	*s;
	size_t		 len;

	(void)state;
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
static void
test_zstd_that_is_refused_says_why_and_not_that_it_is_damaged(void **state)
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

	(void)state;
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

static void
test_a_pipe_is_spooled_whole(void **state)
{
	static uint8_t	 bytes[LEN];
	struct source	*s;
	struct job	*job;
	char		 name[32];
	int		 fd[2];

	(void)state;
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

static void
test_closing_a_pipe_that_nobody_writes_to_ends(void **state)
{
	struct source	*s;
	char		 name[32];
	int		 fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd[0]);
	s = open_path(name);
	assert_false(source_complete(s));
	source_close(s);
	close(fd[0]);
	close(fd[1]);
}

/* The trace stays usable without the lost views, and shows no view made of zeroes. */
static void
test_a_trace_that_is_truncated_gives_no_view_of_lost_pages(void **state)
{
	const char		*dir = getenv("srcdir");
	const struct slice_view	*v;
	struct buf		 in, why;
	struct trace		*t;
	struct stat		 st;
	FILE			*f;
	int			 r;

	(void)state;
	buf_init(&in);
	buf_init(&why);
	buf_printf(&in, "%s/tests/data/demo.nettrace", dir ? dir : ".");
	f = fopen(buf_str(&in), "rb");
	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	buf_clear(&in);
	assert_int_equal(fread(buf_room(&in, (size_t)st.st_size), 1, (size_t)st.st_size, f),
	    (size_t)st.st_size);
	fclose(f);
	put_file(in.p, (size_t)st.st_size);
	assert_int_equal(trace_open(&t, path, NULL, &why), ERR_OK);
	assert_true(trace_index_wait(t, -1));
	assert_int_equal(truncate(path, 4096), 0);
	r = trace_view_get(t, 0, &v);
	assert_true(r < 0);
	trace_close(t);
	buf_release(&in);
	buf_release(&why);
}

static int
make_path(void **state)
{
	int	fd;

	(void)state;
	snprintf(path, sizeof path, "/tmp/tnav-test-XXXXXX");
	fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static int
remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_a_page_lost_to_truncation_reads_as_zeroes_and_is_counted),
		cmocka_unit_test(test_a_file_that_grows_is_seen_after_a_refresh),
		cmocka_unit_test(test_a_replaced_file_is_noticed_and_the_old_one_is_read_on),
		cmocka_unit_test(test_a_rewritten_file_is_noticed),
		cmocka_unit_test(test_gzip_of_two_members_is_unfolded),
		cmocka_unit_test(test_zstd_that_is_cut_gives_what_there_is_and_says_so),
		cmocka_unit_test(test_zstd_that_is_refused_says_why_and_not_that_it_is_damaged),
		cmocka_unit_test(test_a_pipe_is_spooled_whole),
		cmocka_unit_test(test_closing_a_pipe_that_nobody_writes_to_ends),
		cmocka_unit_test(test_a_trace_that_is_truncated_gives_no_view_of_lost_pages),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}

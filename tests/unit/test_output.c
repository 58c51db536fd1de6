/*
 * Outputs, walks through folders, whether a file is still the one that was read, and the line of
 * progress.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/test.h"
#include "io/seen.h"
#include "io/watch.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/io/folder.h"
#include "tnav/io/output.h"
#include "tnav/out/message.h"

static char	dir[] = "/tmp/tnav-output-XXXXXX";

static int
make_dir(void)
{
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
remove_dir(void)
{
	return test_remove(dir);
}

GROUP(make_dir, remove_dir)

/* A path in the folder, until the end of the rule. */
static const char *
in_dir(const char *name)
{
	struct buf	*b = test_buf();

	buf_printf(b, "%s/%s", dir, name);
	return buf_str(b);
}

static const char *
text_of(const char *path)
{
	struct buf	*b = test_buf();

	assert_int_equal(file_read(path, 0, 1 << 20, b), ERR_OK);
	return buf_str(b);
}

/* What a program makes of the file. */
static const char *
printed_by(const char *program, const char *path)
{
	struct buf	*b = test_buf(), *line = test_buf();
	FILE		*f;

	buf_printf(line, "%s '%s'", program, path);
	f = popen(buf_str(line), "r");
	assert_non_null(f);
	for (int c = getc(f); c != EOF; c = getc(f))
		buf_putc(b, (char)c);
	assert_int_equal(pclose(f), 0);
	return buf_str(b);
}

TEST(an_output_appears_when_it_is_closed_or_not_at_all)
{
	const char	*path = in_dir("out");
	struct output	*o;
	uint64_t	 written = 0;

	for (int keep = 0; keep < 2; keep++) {
		assert_int_equal(output_open(&o, path), ERR_OK);
		assert_false(output_is_tty(o));
		assert_int_equal(output_columns(o), 0);
		buf_puts(output_buf(o), "abc");
		assert_int_equal(output_step(o), ERR_OK);
		assert_int_equal(output_buf(o)->len, 3);	/* few bytes wait */
		assert_int_equal(output_given(o), 3);
		assert_int_equal(output_flush(o), ERR_OK);
		assert_int_equal(output_buf(o)->len, 0);
		buf_puts(output_buf(o), "de");
		assert_int_equal(output_given(o), 5);
		assert_int_equal(output_close(o, keep == 1, &written), ERR_OK);
		assert_int_equal(written, 5);
		assert_int_equal(access(path, F_OK), keep - 1);
	}
	assert_string_equal(text_of(path), "abcde");
	assert_int_equal(output_open_file(&o, path, false), ERR_IO);
	assert_int_equal(errno, EEXIST);
	assert_null(o);
	assert_int_equal(output_open_file(&o, path, true), ERR_OK);
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
	assert_string_equal(text_of(path), "");
	assert_int_equal(output_open(&o, in_dir("no/folder")), ERR_IO);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(output_open_in_folders(&o, in_dir("a/b/out")), ERR_OK);
	buf_puts(output_buf(o), "deep");
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
	assert_string_equal(text_of(in_dir("a/b/out")), "deep");
}

TEST(what_is_full_is_written_by_itself)
{
	struct output	*o;

	assert_int_equal(output_open(&o, in_dir("full")), ERR_OK);
	for (int i = 0; i < 256 << 10; i++)
		buf_putc(output_buf(o), 'x');
	assert_int_equal(output_step(o), ERR_OK);
	assert_int_equal(output_buf(o)->len, 0);
	assert_int_equal(output_given(o), 256 << 10);
	assert_int_equal(output_close(o, false, NULL), ERR_OK);
	/* One in memory keeps all. */
	o = output_on(-1);
	buf_puts(output_buf(o), "kept");
	assert_int_equal(output_flush(o), ERR_OK);
	assert_string_equal(buf_str(output_buf(o)), "kept");
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
}

/* /dev/full takes nothing: the first error stays, and the calls after it fail with it. */
TEST(the_first_error_of_an_output_stays)
{
	struct output	*o;
	uint64_t	 written = 7;

	if (access("/dev/full", W_OK) != 0)
		return;
	assert_int_equal(output_open(&o, "/dev/full"), ERR_OK);
	assert_int_equal(output_step(o), ERR_OK);
	buf_puts(output_buf(o), "abc");
	assert_int_equal(output_flush(o), ERR_IO);
	assert_int_equal(errno, ENOSPC);
	errno = 0;
	assert_int_equal(output_step(o), ERR_IO);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(output_close(o, true, &written), ERR_IO);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(written, 0);
}

TEST(an_ending_asks_for_compression)
{
	static const char *const	name[] = { "x.zst", "x.GZ", "x" };
	static const char *const	program[] = { "zstd -dcq", "gzip -dc <", "cat" };
	struct output			*o;
	const char			*text;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(output_open(&o, in_dir(name[i])), ERR_OK);
		for (int k = 0; k < 200 << 10; k++)
			buf_putc(output_buf(o), "0123456789abcdef"[(k * 7 ^ k >> 5) & 15]);
		assert_int_equal(output_flush(o), ERR_OK);
		buf_puts(output_buf(o), "the end");
		assert_int_equal(output_close(o, true, NULL), ERR_OK);
		text = printed_by(program[i], in_dir(name[i]));
		assert_int_equal(strlen(text), (200 << 10) + 7);
		for (int k = 0; k < 200 << 10; k++)
			if (text[k] != "0123456789abcdef"[(k * 7 ^ k >> 5) & 15])
				fail_msg("%s: another byte at %d", name[i], k);
		assert_string_equal(text + (200 << 10), "the end");
	}
	assert_int_equal(output_bare("a.zst").len, 1);
	assert_int_equal(output_bare("a.b.Gz").len, 3);
	assert_int_equal(output_bare("a.xz").len, 4);
	assert_non_null(output_refusal("a.xz"));
	assert_non_null(output_refusal("a.ZIP"));
	assert_null(output_refusal("a.gz"));
	assert_null(output_refusal("a.zst"));
	assert_null(output_refusal("a"));
}

/* What came before is written as it is; the rest is a stream of its own. */
TEST(an_output_is_compressed_from_a_byte_on)
{
	struct output	*o;
	struct buf	*line = test_buf();

	assert_int_equal(output_open(&o, in_dir("late")), ERR_OK);
	buf_puts(output_buf(o), "plain");
	output_gzip(o);
	output_gzip(o);
	buf_puts(output_buf(o), "packed");
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
	assert_string_equal(printed_by("head -c 5", in_dir("late")), "plain");
	buf_printf(line, "tail -c +6 '%s' | gzip -dc; true", in_dir("late"));
	assert_string_equal(printed_by(buf_str(line), ""), "packed");
}

/* ---- folders */

struct walked {
	struct buf	names;		/* each ended by a blank */
	unsigned	most;		/* the walk ends after so many */
};

static bool
is_wanted(void *arg, const char *name)
{
	(void)arg;
	return name[0] != 'x';
}

static bool
note(void *arg, const char *path)
{
	struct walked	*w = arg;

	buf_printf(&w->names, "%s ", path + strlen(dir));
	return --w->most > 0;
}

static void
make(const char *name)
{
	struct buf	*b = test_buf();

	assert_int_equal(file_put(in_dir(name), b, FILE_FOLDERS), ERR_OK);
}

TEST(a_walk_visits_wanted_files_of_folders_but_of_no_link_to_one)
{
	struct walked		 w = { .most = 100 };
	struct folder_walk	 walk = { is_wanted, note, &w };
	struct buf		*deep = test_buf();

	make("w/f");
	make("w/x");
	make("w/sub/g");
	assert_int_equal(symlink("f", in_dir("w/l")), 0);
	assert_int_equal(symlink("nowhere", in_dir("w/broken")), 0);
	assert_int_equal(symlink(".", in_dir("w/loop")), 0);
	assert_int_equal(mkfifo(in_dir("w/pipe"), 0600), 0);
	assert_int_equal(folder_walk(in_dir("w"), &walk), ERR_OK);
	assert_int_equal(100 - w.most, 3);
	assert_non_null(strstr(buf_str(&w.names), "/w/f "));
	assert_non_null(strstr(buf_str(&w.names), "/w/l "));
	assert_non_null(strstr(buf_str(&w.names), "/w/sub/g "));
	buf_clear(&w.names);
	w.most = 1;
	assert_int_equal(folder_walk(in_dir("w"), &walk), ERR_OK);
	assert_int_equal(w.most, 0);
	assert_int_equal(folder_walk(in_dir("none"), &walk), ERR_IO);
	assert_int_equal(errno, ENOENT);
	/* As deep as it is said, and no deeper. */
	buf_puts(deep, "d");
	for (unsigned i = 1; i < FOLDER_DEPTH; i++)
		buf_puts(deep, "/d");
	buf_puts(deep, "/f");
	make(buf_str(deep));
	buf_clear(deep);
	buf_puts(deep, "d");
	for (unsigned i = 1; i < FOLDER_DEPTH + 1; i++)
		buf_puts(deep, "/d");
	buf_puts(deep, "/g");
	make(buf_str(deep));
	buf_clear(&w.names);
	w.most = 100;
	assert_int_equal(folder_walk(in_dir("d"), &walk), ERR_OK);
	assert_int_equal(w.most, 99);
	assert_non_null(strstr(buf_str(&w.names), "/d/f "));
	buf_release(&w.names);
}

TEST(a_file_is_regular_up_to_a_size)
{
	struct buf	*b = test_buf();

	buf_puts(b, "12345");
	assert_int_equal(file_put(in_dir("five"), b, 0), ERR_OK);
	assert_true(file_is_regular(in_dir("five"), 5));
	assert_false(file_is_regular(in_dir("five"), 4));
	assert_false(file_is_regular(dir, UINT64_MAX));
	assert_false(file_is_regular(in_dir("six"), UINT64_MAX));
}

/* ---- files that were read */

/* A file of so many bytes, each by its place. */
static int
make_bytes(const char *name, size_t n)
{
	uint8_t	*p = mem_alloc(n);
	int	 fd = open(in_dir(name), O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i * 31 ^ i >> 8);
	assert_true(fd >= 0);
	assert_int_equal(file_write(fd, p, n, NULL), ERR_OK);
	mem_free(p);
	return fd;
}

/* Change a byte, with another time of the change, whatever the clock's steps are. */
static void
change(int fd, off_t at)
{
	struct timespec	old[2] = { { 1, 0 }, { 1, 0 } };
	uint8_t		c;

	assert_int_equal(pread(fd, &c, 1, at), 1);
	c ^= 0xff;
	assert_int_equal(pwrite(fd, &c, 1, at), 1);
	assert_int_equal(futimens(fd, old), 0);
}

static bool
stands(struct seen *s, int fd)
{
	struct stat	st;

	assert_int_equal(fstat(fd, &st), 0);
	return seen_stands(s, fd, &st);
}

TEST(a_change_at_either_end_or_in_a_sample_is_seen)
{
	static const off_t	ends[] = { 0, 255, (4 << 20) - 256, (4 << 20) - 1 };
	static const off_t	inside[] = { 256, 1000, SEEN_PIECE - 1, 8 * SEEN_PIECE,
				    9 * SEEN_PIECE - 1, (4 << 20) - SEEN_PIECE };
	const size_t		n = 4 << 20;
	int			fd = make_bytes("seen", n);
	struct stat		st;
	struct seen		s;

	assert_int_equal(fstat(fd, &st), 0);
	seen_take(&s, fd, &st, n);
	assert_true(stands(&s, fd));
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		change(fd, ends[i]);
		assert_false(stands(&s, fd));
		change(fd, ends[i]);
		assert_true(stands(&s, fd));
	}
	change(fd, inside[0]);		/* without a sample only the ends are compared */
	assert_true(stands(&s, fd));
	change(fd, inside[0]);
	seen_sample(&s, fd, &st, n);
	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
		change(fd, inside[i]);
		if (stands(&s, fd))
			fail_msg("a change at %ld is not seen", (long)inside[i]);
		change(fd, inside[i]);
		assert_true(stands(&s, fd));
	}
	close(fd);
}

/* What was read stays as the file grows; the sample is extended, and thinned out. */
TEST(a_file_that_has_only_grown_stands)
{
	const size_t	n = 6 << 20;
	int		fd = make_bytes("grows", n);
	struct stat	st;
	struct seen	s;

	assert_int_equal(fstat(fd, &st), 0);
	seen_take(&s, fd, &st, 1000);
	seen_sample(&s, fd, &st, 1000);
	assert_int_equal(s.npieces, 0);
	assert_true(stands(&s, fd));
	for (size_t size = 100000; size <= n; size += 99999) {
		seen_sample(&s, fd, &st, size);
		assert_true(s.npieces <= SEEN_PIECES);
		assert_true(s.npieces * s.stride + SEEN_PIECE > size);
		assert_true((s.npieces - 1) * s.stride + SEEN_PIECE <= size);
		assert_int_equal(s.size, size);
	}
	seen_sample(&s, fd, &st, n);
	assert_true(stands(&s, fd));
	/* Thinned out, each hash is still of its piece. */
	for (size_t i = 0; i < s.npieces; i++) {
		change(fd, (off_t)(i * s.stride + 300));
		assert_false(stands(&s, fd));
		change(fd, (off_t)(i * s.stride + 300));
	}
	assert_true(stands(&s, fd));
	close(fd);
}

/* ---- watching */

static const char *
watched(void (*happens)(const char *path, int fd))
{
	const char	*path = in_dir("watched"), *why;
	int		 fd = make_bytes("watched", 1000);
	struct stat	 st;
	struct feed_state *w;

	assert_int_equal(fstat(fd, &st), 0);
	w = watch_new(fd, path, &st, 1000);
	watch_feed.wait(w, 1000, job_now_ns());
	assert_false(w->done);
	happens(path, fd);
	watch_feed.wait(w, 1000, job_now_ns());
	why = w->error;
	assert_int_equal(w->done, why != NULL);
	assert_int_equal(watch_rewritten(w), why != NULL && strstr(why, "rewritten") != NULL);
	if (why == NULL)
		assert_int_equal(w->size, 1003);
	else
		assert_int_equal(w->size, 1000);
	watch_feed.free(w);
	close(fd);
	return why;
}

static void
grows(const char *path, int fd)
{
	(void)path;
	assert_int_equal(lseek(fd, 0, SEEK_END), 1000);
	assert_int_equal(file_write(fd, "abc", 3, NULL), ERR_OK);
}

static void
shrinks(const char *path, int fd)
{
	(void)path;
	assert_int_equal(ftruncate(fd, 999), 0);
}

static void
changes(const char *path, int fd)
{
	(void)path;
	change(fd, 500);
}

static void
is_replaced(const char *path, int fd)
{
	(void)fd;
	make("other");
	assert_int_equal(rename(in_dir("other"), path), 0);
}

static void
goes(const char *path, int fd)
{
	grows(path, fd);
	assert_int_equal(unlink(path), 0);
}

TEST(a_watch_says_what_happened_to_its_file)
{
	assert_null(watched(grows));
	assert_string_equal(watched(shrinks), "the file was truncated while it was followed");
	assert_non_null(strstr(watched(changes), "rewritten"));
	assert_string_equal(watched(is_replaced),
	    "the followed file was replaced by another file");
	assert_null(watched(goes));	/* removed, it may still grow */
}

static void
tell_progress(struct progress_line *p, bool step)
{
	progress_tick(p, "indexing", 61, 100);
	progress_tick(p, "not yet", 62, 100);		/* too early */
	p->last = 0;
	p->step = step ? 2 : 0;
	p->steps = step ? 12 : 0;
	progress_tick(p, "cut", 5, 0);
	progress_end(p);
	progress_end(p);				/* it is gone already */
}

static const char *
told_progress(bool wanted, bool tty, bool step)
{
	struct progress_line	 p = { .wanted = wanted, .tty = tty };
	const char		*path = in_dir("progress");
	int			 fd, old = dup(STDERR_FILENO);

	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(old >= 0 && fd >= 0);
	assert_true(dup2(fd, STDERR_FILENO) >= 0);
	tell_progress(&p, step);
	assert_true(dup2(old, STDERR_FILENO) >= 0);
	close(old);
	close(fd);
	return text_of(path);
}

TEST(a_line_of_progress_covers_the_one_before_and_is_gone_at_the_end)
{
	assert_string_equal(told_progress(true, true, false),
	    "\rtnav: indexing 61 %\rtnav: cut 5 B      \r             \r");
	assert_string_equal(told_progress(true, true, true),
	    "\rtnav: indexing 61 %\rtnav: 2/12 cut 5 B \r                  \r");
	assert_string_equal(told_progress(true, false, false),
	    "tnav: indexing 61 %\ntnav: cut 5 B\n");
	assert_string_equal(told_progress(false, false, false), "");
}

/*
 * The one writer of files: a name has the old file or the whole new one, never anything else.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/io/file.h"
#include "tnav/io/paths.h"

/*
 * Some file systems have no files without names. This open() replaces the library's to simulate
 * one.
 */
static bool	nameless;
static unsigned	refused;

int
open(const char *where, int flags, ...)
{
	va_list	ap;
	mode_t	mode;

	va_start(ap, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (!nameless && (flags & O_TMPFILE) == O_TMPFILE) {
		refused++;
		errno = EOPNOTSUPP;
		return -1;
	}
	return openat(AT_FDCWD, where, flags, mode);
}

/* Check a rule in both ways. */
static void
both_ways(void (*check)(void))
{
	nameless = true;
	check();
	nameless = false;
	refused = 0;
	check();
	/* The other way was gone, not this one twice. */
	assert_true(refused > 0);
}

static char	dir[] = "/tmp/tnav-file-XXXXXX";
static char	path[64], other[64];

static int
make_dir(void)
{
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/file", dir);
	snprintf(other, sizeof other, "%s/other", dir);
	return 0;
}

static int
remove_dir(void)
{
	(void)unlink(path);
	(void)unlink(other);
	return rmdir(dir);	/* fails if a temporary file was left behind */
}

static void
put(const char *where, const char *text, unsigned flags)
{
	struct buf	*b = test_buf();

	buf_puts(b, text);
	assert_int_equal(file_put(where, b, flags), ERR_OK);
}

static void
need_text(const char *where, const char *want)
{
	char	text[64];
	FILE	*f = fopen(where, "rb");
	size_t	n;

	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_string_equal(text, want);
}

static mode_t
mode_of(const char *where)
{
	struct stat	st;

	assert_int_equal(lstat(where, &st), 0);
	return st.st_mode;
}

static unsigned
files_in_dir(void)
{
	char		command[64];
	unsigned	n = 0;
	FILE		*f;
	int		c;

	snprintf(command, sizeof command, "ls -A %s", dir);
	f = popen(command, "r");
	assert_non_null(f);
	for (c = getc(f); c != EOF; c = getc(f))
		n += c == '\n';
	assert_int_equal(pclose(f), 0);
	return n;
}

static void
check_replacing(void)
{
	struct file_new	*f, *g;

	put(path, "one", 0);
	assert_int_equal(file_new(&f, path, 0), ERR_IO);
	assert_int_equal(errno, EEXIST);
	assert_null(f);
	put(path, "two", FILE_REPLACE);
	need_text(path, "two");
	/* A file that gets the name in the meantime is not replaced either. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(file_new(&f, path, 0), ERR_OK);
	assert_int_equal(file_new(&g, path, 0), ERR_OK);
	assert_int_equal(file_write(file_new_fd(g), "g", 1, NULL), ERR_OK);
	assert_int_equal(file_new_end(g, true), ERR_OK);
	assert_int_equal(file_new_end(f, true), ERR_IO);
	assert_int_equal(errno, EEXIST);
	need_text(path, "g");
	/* Asked to, both go. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(file_new(&f, path, FILE_REPLACE), ERR_OK);
	put(path, "g", 0);
	assert_int_equal(file_write(file_new_fd(f), "f", 1, NULL), ERR_OK);
	assert_int_equal(file_new_end(f, true), ERR_OK);
	need_text(path, "f");
	assert_int_equal(files_in_dir(), 1);
	assert_int_equal(unlink(path), 0);
}

TEST(nothing_is_replaced_unasked)
{
	both_ways(check_replacing);
}

static void
check_links(void)
{
	put(other, "one", 0);
	assert_int_equal(chmod(other, 0640), 0);
	assert_int_equal(symlink("other", path), 0);
	put(path, "two", FILE_REPLACE);
	assert_true(S_ISLNK(mode_of(path)));
	need_text(other, "two");
	assert_int_equal(mode_of(other) & 0777, 0640);
	/* Private: the link itself is replaced, and the file that it refers to stays. */
	put(path, "mine", FILE_PRIVATE | FILE_REPLACE);
	assert_true(S_ISREG(mode_of(path)));
	assert_int_equal(mode_of(path) & 0777, 0600);
	need_text(other, "two");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
}

TEST(mode_and_links_stay)
{
	both_ways(check_links);
}

static void
check_own_links(void)
{
	struct file_new	*f;

	put(other, "one", 0);
	assert_int_equal(symlink("other", path), 0);
	put(path, "two", FILE_PRIVATE | FILE_REPLACE | FILE_LINKS);
	assert_true(S_ISLNK(mode_of(path)));
	need_text(other, "two");
	assert_int_equal(mode_of(other) & 0777, 0600);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(".", path), 0);
	assert_int_equal(file_new(&f, path, FILE_PRIVATE | FILE_REPLACE | FILE_LINKS), ERR_IO);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(unlink(path), 0);
	/* What another user has put there leads nowhere; only root can try that. */
	assert_int_equal(symlink("other", path), 0);
	if (lchown(path, 1, 1) == 0) {
		put(path, "mine", FILE_PRIVATE | FILE_REPLACE | FILE_LINKS);
		assert_true(S_ISREG(mode_of(path)));
		need_text(other, "two");
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
}

/* A link to a link, or to a file that is yet to be made. */
static void
check_chains(void)
{
	const unsigned	 flags = FILE_PRIVATE | FILE_REPLACE | FILE_LINKS;
	struct file_new	*f;

	assert_int_equal(symlink("other", path), 0);
	put(path, "one", flags);
	assert_true(S_ISLNK(mode_of(path)));
	need_text(other, "one");
	assert_int_equal(unlink(other), 0);
	put(path, "two", FILE_REPLACE);
	assert_true(S_ISLNK(mode_of(path)));
	need_text(other, "two");
	assert_int_equal(unlink(other), 0);
	assert_int_equal(symlink(".", other), 0);	/* to a folder: following fails */
	if (lchown(other, 1, 1) == 0) {
		put(path, "mine", flags);
		assert_true(S_ISLNK(mode_of(path)));
		need_text(other, "mine");
		assert_true(S_ISREG(mode_of(other)));
	}
	assert_int_equal(unlink(other), 0);
	assert_int_equal(symlink("file", other), 0);
	assert_int_equal(file_new(&f, path, flags), ERR_IO);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
}

TEST(private_files_follow_own_links_only)
{
	both_ways(check_own_links);
}

TEST(chains_of_links_are_followed_one_by_one)
{
	both_ways(check_chains);
}

TEST(what_is_no_file_is_refused)
{
	struct file_new	*f;
	struct buf	*b = test_buf();

	assert_int_equal(file_new(&f, dir, FILE_REPLACE), ERR_IO);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(file_new(&f, "/dev/null", FILE_REPLACE), ERR_IO);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(file_new(&f, "", FILE_REPLACE), ERR_IO);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(file_new(&f, "/proc/nonexistent/x", FILE_REPLACE), ERR_IO);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(file_new(&f, path, FILE_REPLACE), ERR_IO);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(file_read(path, FILE_PRIVATE, 100, b), ERR_IO);
	assert_int_equal(errno, EPERM);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(file_read(dir, 0, 100, b), ERR_IO);
	assert_int_equal(errno, EISDIR);
}

TEST(a_file_is_read_whole_or_not_at_all)
{
	struct buf	*b = test_buf();

	put(path, "twelve bytes", 0);
	buf_puts(b, "<");
	assert_int_equal(file_read(path, FILE_PRIVATE, 12, b), ERR_OK);
	assert_string_equal(buf_str(b), "<twelve bytes");
	assert_int_equal(file_read(path, 0, 11, b), ERR_IO);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(buf_str(b), "<twelve bytes");
	assert_int_equal(symlink("file", other), 0);
	assert_int_equal(file_read(other, 0, 12, b), ERR_OK);
	assert_int_equal(file_read(other, FILE_PRIVATE, 12, b), ERR_IO);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
}

/* A child process that is ended by a signal while it writes. */
static void
end_by(int sig, bool replaces)
{
	int		 ready[2], status;
	char		 byte;
	pid_t		 pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct file_new	*f;

		if (file_new(&f, path, FILE_REPLACE) != ERR_OK ||
		    file_write(file_new_fd(f), "half", 4, NULL) != ERR_OK ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	assert_int_equal(kill(pid, sig), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), sig);
	if (files_in_dir() != (replaces ? 1u : 0u))
		fail_msg("signal %d leaves a file", sig);
}

static void
check_signals(void)
{
	static const int	sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE,
				    SIGXCPU };

	for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++)
		end_by(sigs[i], false);
	if (nameless)
		end_by(SIGKILL, false);
	put(path, "whole", 0);
	for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++)
		end_by(sigs[i], true);
	need_text(path, "whole");
	assert_int_equal(unlink(path), 0);
}

TEST(a_signal_leaves_nothing_behind)
{
	both_ways(check_signals);
}

static void
check_folders(void)
{
	char		 deep[112], folder[96];
	struct file_new	*f;

	snprintf(folder, sizeof folder, "%s/p//q", dir);
	snprintf(deep, sizeof deep, "%s/x", folder);
	for (int keep = 0; keep < 2; keep++) {
		assert_int_equal(file_new(&f, deep, FILE_FOLDERS), ERR_OK);
		assert_int_equal(file_write(file_new_fd(f), "a", 1, NULL), ERR_OK);
		assert_int_equal(access(folder, F_OK), -1);
		assert_int_equal(file_new_end(f, keep == 1), ERR_OK);
	}
	need_text(deep, "a");
	/* What is no folder stays no folder. */
	snprintf(deep, sizeof deep, "%s/x/y/z", folder);
	assert_int_equal(file_new(&f, deep, FILE_FOLDERS), ERR_IO);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(file_new(&f, "nowhere/x", 0), ERR_IO);
	assert_int_equal(errno, ENOENT);
	snprintf(deep, sizeof deep, "%s/x", folder);
	assert_int_equal(unlink(deep), 0);
	assert_int_equal(rmdir(folder), 0);
	snprintf(folder, sizeof folder, "%s/p", dir);
	assert_int_equal(rmdir(folder), 0);
}

TEST(folders_come_with_the_file)
{
	both_ways(check_folders);
}

/* Rewritten in place, by one process at a time; not through a link, and not where others may write. */
TEST(a_list_is_rewritten_by_one_at_a_time)
{
	struct buf	*b = test_buf();
	int		 fd = file_open_locked(path);

	assert_true(fd >= 0);
	assert_int_equal(mode_of(path) & 0777, 0600);
	assert_int_equal(file_open_locked(path), -1);
	buf_puts(b, "twelve bytes");
	assert_int_equal(file_rewrite(fd, b), 0);
	need_text(path, "twelve bytes");
	buf_clear(b);
	buf_puts(b, "four");
	assert_int_equal(file_rewrite(fd, b), 0);
	need_text(path, "four");
	close(fd);
	fd = file_open_locked(path);
	assert_true(fd >= 0);
	need_text(path, "four");
	close(fd);
	assert_int_equal(chmod(path, 0620), 0);
	assert_int_equal(file_open_locked(path), -1);
	assert_int_equal(chmod(path, 0602), 0);
	assert_int_equal(file_open_locked(path), -1);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(symlink("file", other), 0);
	assert_int_equal(file_open_locked(other), -1);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_int_equal(file_open_locked(other), -1);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(file_open_locked(dir), -1);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(file_rewrite(fd, b), ERR_IO);
	close(fd);
	assert_int_equal(unlink(path), 0);
}

static void
check_placing(void)
{
	struct file_new	*f;

	/* Placed: it has its name, grows, and stays or goes. */
	for (int keep = 0; keep < 2; keep++) {
		assert_int_equal(file_new(&f, path, 0), ERR_OK);
		assert_false(file_new_replaces(f));
		assert_int_equal(file_write(file_new_fd(f), "a", 1, NULL), ERR_OK);
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(file_new_place(f), ERR_OK);
		need_text(path, "a");
		assert_int_equal(file_new_place(f), ERR_OK);
		assert_int_equal(file_write(file_new_fd(f), "b", 1, NULL), ERR_OK);
		need_text(path, "ab");
		assert_int_equal(file_new_end(f, keep == 1), ERR_OK);
		assert_int_equal(access(path, F_OK), keep - 1);
	}
	assert_int_equal(file_new(&f, path, FILE_REPLACE), ERR_OK);
	assert_true(file_new_replaces(f));
	/* A second name of an open file; one that is taken stays. */
	assert_int_equal(file_write(file_new_fd(f), "cd", 2, NULL), ERR_OK);
	assert_int_equal(file_link(file_new_fd(f), path, 0), ERR_IO);
	assert_int_equal(errno, EEXIST);
	need_text(path, "ab");
	assert_int_equal(file_new_end(f, true), ERR_OK);
	need_text(path, "cd");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(files_in_dir(), 0);
}

TEST(a_file_can_get_its_name_before_it_is_whole)
{
	both_ways(check_placing);
}

TEST(an_open_file_gets_another_name)
{
	struct buf	*why = test_buf();
	int		 fd;

	setenv("TMPDIR", dir, 1);
	fd = file_temporary(why);
	assert_true(fd >= 0);
	assert_int_equal(files_in_dir(), 0);
	close(fd);
	fd = open(dir, O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0) {
		assert_int_equal(file_write(fd, "x", 1, NULL), ERR_OK);
		assert_int_equal(file_link(fd, path, 0), ERR_OK);
		need_text(path, "x");
		assert_int_equal(file_link(fd, path, FILE_REPLACE), ERR_OK);
		assert_int_equal(unlink(path), 0);
		close(fd);
	}
	setenv("TMPDIR", "/nonexistent", 1);
	assert_int_equal(file_temporary(why), -1);
	assert_string_equal(buf_str(why), "a temporary file is needed, and /nonexistent cannot be "
	    "written (No such file or directory): set TMPDIR");
	setenv("TMPDIR", "", 1);
	fd = file_temporary(why);
	assert_true(fd >= 0);
	close(fd);
	unsetenv("TMPDIR");
}

/* Its room is given back, its size and the bytes around it stay. */
TEST(a_part_of_a_file_is_emptied)
{
	struct buf	*b = test_buf(), *text = test_buf();
	struct stat	 st, now;
	int		 fd = open(path, O_RDWR | O_CREAT, 0600), probe;

	assert_true(fd >= 0);
	for (int i = 0; i < 64 << 10; i++)
		buf_putc(b, 'x');
	assert_int_equal(file_write(fd, b->p, b->len, NULL), ERR_OK);
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(fstat(fd, &st), 0);
	file_empty(fd, 8192, 8192);
	file_empty(fd, 16384, 8192);
	assert_int_equal(file_read(path, 0, 1 << 20, text), ERR_OK);
	assert_memory_equal(text->p, b->p, b->len);
	probe = file_in_memory();
	assert_true(probe >= 0);
	if (file_can_empty(fd)) {
		file_empty(fd, 8192, 49152);
		assert_int_equal(fstat(fd, &now), 0);
		assert_int_equal(now.st_size, st.st_size);
		assert_true(now.st_blocks < st.st_blocks);
		buf_clear(text);
		assert_int_equal(file_read(path, 0, 1 << 20, text), ERR_OK);
		assert_int_equal(text->p[8191], 'x');
		assert_int_equal(text->p[8192], 0);
		assert_int_equal(text->p[49151], 0);
		assert_int_equal(text->p[49152], 'x');
	}
	close(probe);
	close(fd);
	fd = open(path, O_RDONLY);
	assert_false(file_can_empty(fd));
	close(fd);
	assert_int_equal(unlink(path), 0);
}

TEST(a_pipe_without_a_reader_is_told_from_other_failures)
{
	int	out, in;
	char	c;

	assert_false(file_is_special(path));
	assert_false(file_is_special(dir));
	put(path, "x", 0);
	assert_false(file_is_special(path));
	assert_int_equal(file_open_special(path), -1);
	assert_int_equal(errno, EINVAL);
	need_text(path, "x");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(file_open_special(path), -1);
	assert_int_equal(errno, ENOENT);
	assert_true(file_is_special("/dev/null"));
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(file_is_special(path));
	assert_int_equal(file_open_special(path), -1);
	assert_int_equal(errno, EAGAIN);
	in = open(path, O_RDONLY | O_NONBLOCK);
	out = file_open_special(path);
	assert_true(in >= 0 && out >= 0);
	assert_int_equal(fcntl(out, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(file_write(out, "y", 1, NULL), ERR_OK);
	assert_int_equal(read(in, &c, 1), 1);
	assert_int_equal(c, 'y');
	close(out);
	close(in);
	assert_int_equal(unlink(path), 0);
}

TEST(places_are_absolute_or_none)
{
	struct buf	*b = test_buf();
	char		 want[96];

	setenv("HOME", "/home/x", 1);
	setenv("XDG_CONFIG_HOME", "relative", 1);
	assert_true(paths_config(b, "tnavrc"));
	assert_string_equal(buf_str(b), "/home/x/.config/tnav/tnavrc");
	buf_clear(b);
	setenv("XDG_CONFIG_HOME", "/c", 1);
	assert_true(paths_config(b, "tnavrc"));
	assert_string_equal(buf_str(b), "/c/tnav/tnavrc");
	setenv("HOME", "x", 1);
	unsetenv("XDG_CONFIG_HOME");
	assert_false(paths_config(b, "tnavrc"));
	/* The folder of state is created for this user alone. */
	buf_clear(b);
	snprintf(want, sizeof want, "%s/a/b", dir);
	setenv("XDG_STATE_HOME", want, 1);
	assert_false(paths_state(b, false));
	buf_clear(b);
	assert_true(paths_state(b, true));
	snprintf(want, sizeof want, "%s/a/b/tnav", dir);
	assert_string_equal(buf_str(b), want);
	assert_int_equal(mode_of(want) & 0777, 0700);
	assert_int_equal(rmdir(want), 0);
	for (int i = 0; i < 2; i++) {
		*strrchr(want, '/') = '\0';
		assert_int_equal(rmdir(want), 0);
	}
	buf_clear(b);
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	assert_false(paths_state(b, true));
}

GROUP(make_dir, remove_dir)

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

/*
 * What fails leaves no descriptor open: a command that does not start, a terminal that can't be
 * used, a file that can't be read again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"
#include "app/export.h"
#include "ui/term/term.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define TIMES	5

static int	forks;		/* asked for; all fail */

pid_t	fork(void);

pid_t
fork(void)
{
	forks++;
	errno = EAGAIN;
	return -1;
}

static unsigned
descriptors(void)
{
	DIR		*dir = opendir("/proc/self/fd");
	unsigned	 n = 0;

	if (dir == NULL)
		skip();
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n;
}

TEST(a_command_that_cannot_be_started_leaves_none)
{
	struct ui_options	o = { .export = &app_export };
	struct desk		d = desk_open(D, 24, 80, false, &o);
	unsigned		before = descriptors();

	for (int i = 0; i < TIMES; i++) {
		desk_try(&d, "| `cat` <Enter>", "cannot start the command");
	}
	assert_int_equal(forks, TIMES);
	assert_int_equal(descriptors(), before);
	/* A letter is a command, nothing is none. */
	desk_try(&d, "| `w` <Enter>", "cannot start the command");
	assert_int_equal(forks, TIMES + 1);
	desk_do(&d, "| <Enter>");
	assert_int_equal(forks, TIMES + 1);
}

TEST(a_terminal_that_cannot_be_used_leaves_none)
{
	int		 master = posix_openpt(O_RDWR | O_NOCTTY), slave, in = dup(0), out = dup(1);
	unsigned	 before;
	struct buf	*why = test_buf();

	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	setenv("TERM", "no-such-terminal", 1);
	assert_int_equal(dup2(slave, 0), 0);
	assert_int_equal(dup2(slave, 1), 1);
	before = descriptors();
	for (int i = 0; i < TIMES; i++) {
		buf_clear(why);
		assert_null(term_open(UI_COLOR_AUTO, why));
		assert_true(why->len > 0);
	}
	assert_int_equal(descriptors(), before);
	(void)dup2(in, 0);
	(void)dup2(out, 1);
	close(in);
	close(out);
	close(slave);
	close(master);
}

TEST(reading_again_leaves_none)
{
	char		path[] = "tnav-descriptors-XXXXXX";
	int		fd = mkstemp(path), from = open(data_path(D), O_RDONLY | O_CLOEXEC);
	char		bytes[4096];
	ssize_t		n;
	struct desk	d;
	unsigned	before;

	assert_true(fd >= 0 && from >= 0);
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		assert_int_equal(write(fd, bytes, (size_t)n), n);
	close(from);
	close(fd);
	assert_non_null(realpath(path, bytes));
	d = desk_open(bytes, 24, 80, false, NULL);
	desk_do(&d, "R");
	before = descriptors();
	for (int i = 0; i < TIMES; i++)
		desk_do(&d, "R");
	assert_int_equal(descriptors(), before);
	assert_int_equal(truncate(path, 3), 0);		/* no trace any more */
	for (int i = 0; i < TIMES; i++)
		desk_do(&d, "R");
	assert_true(descriptors() <= before);
	desk_close(&d);
	unlink(path);
}

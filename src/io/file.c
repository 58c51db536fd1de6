/*
 * The one writer of files.
 *
 *	file_new()	open(DIR, O_TMPFILE)	a file without a name	or .tnav-PID-N beside it
 *	file_new_end()	link to the name, or to .tnav-PID-N and then rename over the old file
 *
 * A file without a name leaves nothing behind, however the program ends. On file systems without
 * such files, and between link and rename, the temporary name is kept in temps[], so that handlers
 * of fatal signals can remove the file.
 *
 * Invariant: at any moment the requested name has the old file or the complete new one.
 */
#include "tnav/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/io/paths.h"

#define TRIES		100u
#define LINKS_MOST	40u		/* as in the kernel */
#define MEMFD_CLOEXEC	1u
#define READ_CHUNK	((size_t)4096)

struct file_new {
	int		 fd;
	unsigned	 flags;
	bool		 replaces;	/* a file has the name */
	bool		 placed;	/* it has its name */
	char		*path;		/* its final name */
	char		*folder;	/* where it is written, with a slash at its end; "": here */
	char		*tmp;		/* its temporary name; NULL: it has none */
};

/* ---- temporary names, removed by signal handlers */

static char *volatile		temps[LIMIT_TEMPORARIES];
static volatile sig_atomic_t	temps_pid;

void
file_unlink_temporaries(void)
{
	int	saved = errno;

	for (size_t i = 0; i < LIMIT_TEMPORARIES && temps_pid == (sig_atomic_t)getpid(); i++)
		if (temps[i] != NULL)
			unlink(temps[i]);
	errno = saved;
}

static void
on_end(int sig)
{
	file_unlink_temporaries();
	raise(sig);		/* SA_RESETHAND has restored the default action */
}

/* Install on_end() for fatal signals. The terminal's own handlers remove the files themselves. */
static void
guard(void)
{
	static const int	sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM,
				    SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF,
				    SIGABRT, SIGSEGV, SIGILL, SIGFPE, SIGSYS };
	struct sigaction	sa = { .sa_handler = on_end, .sa_flags = (int)SA_RESETHAND }, old;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof sigs / sizeof sigs[0]; i++)
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &sa, NULL);
}

/* Called before the file gets the name, because a signal may arrive at any time. False: there are
   too many. */
static bool
temp_remember(char *tmp)
{
	temps_pid = (sig_atomic_t)getpid();
	guard();
	for (size_t i = 0; i < LIMIT_TEMPORARIES; i++) {
		if (temps[i] == NULL) {
			temps[i] = tmp;
			return true;
		}
	}
	return false;
}

static void
temp_forget(const char *tmp)
{
	for (size_t i = 0; i < LIMIT_TEMPORARIES; i++)
		if (temps[i] == tmp)
			temps[i] = NULL;
}

/* ---- beginning */

/* The length of the folder that a path of this length is in, with its slash; 0: the working
   directory. */
static size_t
folder_len(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] != '/')
		len--;
	return len;
}

/* The folder in which the file is written: its own one, or the innermost one that exists. */
static char *
folder_of(const char *path, unsigned flags)
{
	size_t		 len = folder_len(path, strlen(path));
	char		*folder = mem_strndup(path, len);
	struct stat	 st;

	while (len > 0 && (flags & FILE_FOLDERS) != 0 && stat(folder, &st) != 0 &&
	    errno == ENOENT) {
		len = folder_len(path, len - 1);
		folder[len] = '\0';
	}
	return folder;
}

/* Set f->tmp to the nth candidate for a temporary name in the same folder. False with errno. */
static bool
temp_take(struct file_new *f, unsigned n)
{
	struct buf	b = { 0 };

	buf_printf(&b, "%s.tnav-%ld-%u", f->folder, (long)getpid(), n);
	f->tmp = mem_strdup(buf_str(&b));
	buf_release(&b);
	if (temp_remember(f->tmp))
		return true;
	mem_free(f->tmp);
	f->tmp = NULL;
	errno = EMFILE;
	return false;
}

/* Forget the temporary name without removing a file. Returns errno, which stays. */
static int
temp_drop(struct file_new *f)
{
	int	saved = errno;

	if (f->tmp != NULL)
		temp_forget(f->tmp);
	mem_free(f->tmp);
	f->tmp = NULL;
	errno = saved;
	return saved;
}

/* "/proc/self/fd/5": a name of the open file, valid in this process. */
static void
own_name(struct buf *out, int fd)
{
	buf_clear(out);
	buf_printf(out, "/proc/self/fd/%d", fd);
}

/* Open a file without a name, to be linked later; -1: the file system has no such files. */
static int
open_nameless(const char *folder, mode_t mode)
{
	int		fd;
	struct stat	st, own;
	struct buf	b = { 0 };

	fd = open(folder[0] != '\0' ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	if (fd < 0)
		return -1;
	own_name(&b, fd);
	if (fstat(fd, &st) != 0 || stat(buf_str(&b), &own) != 0 || st.st_ino != own.st_ino) {
		close(fd);
		fd = -1;
	}
	buf_release(&b);
	return fd;
}

static int
open_named(struct file_new *f, mode_t mode)
{
	int	fd = -1;

	for (unsigned i = 0; i < TRIES && fd < 0; i++) {
		if (!temp_take(f, i))
			break;
		fd = open(f->tmp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && temp_drop(f) != EEXIST)
			break;
	}
	return fd;
}

/* Is it a symbolic link that is followed? Another user's one, as in /tmp, may lead a private file
   anywhere. */
static bool
is_followed(const char *path, unsigned flags)
{
	struct stat	st;

	if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
		return false;
	return (flags & FILE_PRIVATE) == 0 ||
	    ((flags & FILE_LINKS) != 0 && st.st_uid == geteuid());
}

/* Replace the path of a symbolic link by the one that it leads to. False with errno. */
static bool
follow(struct buf *path)
{
	char	to[PATH_MAX];
	ssize_t	n = readlink(buf_str(path), to, sizeof to);

	if (n == (ssize_t)sizeof to)
		errno = ENAMETOOLONG;
	if (n < 0 || n == (ssize_t)sizeof to)
		return false;
	path->len = to[0] == '/' ? 0 : folder_len(path->p, path->len);
	buf_add(path, to, (size_t)n);
	return true;
}

/* The path of the file: links are kept, and what they lead to is made or replaced. Each of them is
   looked at, as one of this user may lead to one of another user. NULL with errno. */
static char *
place_of(const char *path, unsigned flags)
{
	struct buf	 at = { 0 };
	char		*place;
	bool		 good = true;

	buf_puts(&at, path);
	for (unsigned i = 0; good && is_followed(buf_str(&at), flags); i++) {
		good = i < LINKS_MOST && follow(&at);
		if (i == LINKS_MOST)
			errno = ELOOP;
	}
	place = good ? mem_strdup(buf_str(&at)) : NULL;
	buf_release(&at);
	return place;
}

/* May a new file get this name? False with errno. */
static bool
may_begin(struct file_new *f, const char *path, struct stat *old)
{
	bool	private = (f->flags & FILE_PRIVATE) != 0, ours = (f->flags & FILE_OURS) != 0;

	f->path = place_of(path, f->flags);
	if (f->path == NULL)
		return false;
	f->replaces = lstat(f->path, old) == 0;
	if (!f->replaces && (errno != ENOENT || path[0] == '\0'))
		return false;
	errno = 0;
	if (f->replaces && S_ISDIR(old->st_mode))
		errno = EISDIR;
	else if (f->replaces && !ours && !S_ISREG(old->st_mode) &&
	    !(private && S_ISLNK(old->st_mode)))
		errno = EINVAL;
	else if (f->replaces && (f->flags & FILE_REPLACE) == 0)
		errno = EEXIST;
	return errno == 0;
}

static void
drop(struct file_new *f)
{
	int	saved = errno;

	if (f->tmp != NULL)
		(void)unlink(f->tmp);
	(void)temp_drop(f);
	mem_free(f->path);
	mem_free(f->folder);
	mem_free(f);
	errno = saved;
}

int
file_new(struct file_new **out, const char *path, unsigned flags)
{
	struct file_new	*f = mem_zalloc(1, sizeof *f);
	mode_t		 mode = (flags & FILE_PRIVATE) != 0 ? 0600 : 0666;
	struct stat	 old;

	*out = NULL;
	f->flags = flags;
	f->fd = -1;
	if (may_begin(f, path, &old)) {
		f->folder = folder_of(f->path, flags);
		f->fd = open_nameless(f->folder, mode);
		if (f->fd < 0)
			f->fd = open_named(f, mode);
	}
	if (f->fd < 0) {
		drop(f);
		return ERR_IO;
	}
	if (f->replaces && (flags & FILE_PRIVATE) == 0)
		(void)fchmod(f->fd, old.st_mode & 0777);
	*out = f;
	return ERR_OK;
}

bool
file_new_replaces(const struct file_new *f)
{
	return f->replaces;
}

bool
file_new_placed(const struct file_new *f)
{
	return f->placed;
}

int
file_new_fd(const struct file_new *f)
{
	return f->fd;
}

/* ---- the end */

/* Link the unnamed file to a temporary name in the same folder, for the rename. */
static int
name_it(struct file_new *f, const char *own)
{
	for (unsigned i = 0; i < TRIES; i++) {
		if (!temp_take(f, i))
			break;
		if (linkat(AT_FDCWD, own, AT_FDCWD, f->tmp, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		if (temp_drop(f) != EEXIST)
			break;
	}
	return -1;
}

static int
place_nameless(struct file_new *f)
{
	struct buf	own = { 0 };
	int		r = -1;

	own_name(&own, f->fd);
	if (!f->replaces)
		r = linkat(AT_FDCWD, buf_str(&own), AT_FDCWD, f->path, AT_SYMLINK_FOLLOW);
	if (r != 0 && (f->replaces || (errno == EEXIST && (f->flags & FILE_REPLACE) != 0))) {
		r = name_it(f, buf_str(&own));
		if (r == 0)
			r = rename(f->tmp, f->path);
	}
	buf_release(&own);
	return r;
}

/* Rename; without FILE_REPLACE, not over a file that got the name in the meantime. */
static int
place_named(struct file_new *f)
{
	struct stat	st;

	if ((f->flags & FILE_REPLACE) == 0 && lstat(f->path, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(f->tmp, f->path);
}

int
file_new_place(struct file_new *f)
{
	if (f->placed)
		return ERR_OK;
	/* EINVAL: the file does not support fsync(). */
	if (f->replaces && fsync(f->fd) != 0 && errno != EINVAL)
		return ERR_IO;
	if ((f->flags & FILE_FOLDERS) != 0)
		paths_make_above(f->path);
	if ((f->tmp != NULL ? place_named(f) : place_nameless(f)) != 0)
		return ERR_IO;
	(void)temp_drop(f);		/* the temporary name is gone */
	f->placed = true;
	return ERR_OK;
}

int
file_new_end(struct file_new *f, bool keep)
{
	int	error = 0;

	if (keep && file_new_place(f) != ERR_OK)
		error = errno;
	if (!keep && f->placed)
		(void)unlink(f->path);
	/* On a network file system, close() may report a full disk. */
	if (close(f->fd) != 0 && error == 0 && keep)
		error = errno;
	drop(f);
	errno = error;
	return error == 0 ? ERR_OK : ERR_IO;
}

int
file_link(int fd, const char *path, unsigned flags)
{
	struct file_new	*f = mem_zalloc(1, sizeof *f);
	struct stat	 old;
	int		 rc = ERR_IO;

	f->flags = flags;
	f->fd = fd;
	if (may_begin(f, path, &old))
		rc = file_new_place(f);
	drop(f);
	return rc;
}

/* ---- devices and named pipes */

bool
file_is_special(const char *path)
{
	struct stat	st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int
file_open_special(const char *path)
{
	int		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat	st;

	/* Refuse a regular file that got the name in the meantime. */
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	if (fd < 0 && errno == ENXIO)
		errno = stat(path, &st) == 0 && S_ISFIFO(st.st_mode) ? EAGAIN : ENXIO;
	if (fd >= 0)
		(void)fcntl(fd, F_SETFL, 0);	/* only the opening does not wait */
	return fd;
}

/* ---- whole files */

int
file_write(int fd, const void *p, size_t len, uint64_t *done)
{
	struct pollfd	 full = { .fd = fd, .events = POLLOUT };
	const char	*at = p;

	while (len > 0) {
		ssize_t	n = write(fd, at, len);

		if (n == 0)
			errno = ENOSPC;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			(void)poll(&full, 1, -1);
		else if (n == 0 || (n < 0 && errno != EINTR))
			return ERR_IO;
		if (n < 0)
			continue;
		at += n;
		len -= (size_t)n;
		if (done != NULL)
			*done += (uint64_t)n;
	}
	return ERR_OK;
}

int
file_in_memory(void)
{
	return (int)syscall(SYS_memfd_create, "tnav", MEMFD_CLOEXEC);
}

int
file_temporary(struct buf *why)
{
	const char	*dir = getenv("TMPDIR");
	struct buf	 path = { 0 };
	bool		 given = dir != NULL && dir[0] != '\0';
	int		 fd;

	if (!given)
		dir = "/var/tmp";
	buf_printf(&path, "%s/tnav-XXXXXX", dir);
	buf_str(&path);
	fd = mkostemp(path.p, O_CLOEXEC);
	if (fd >= 0)
		unlink(path.p);
	else if (!given)		/* an empty or read-only system: in memory */
		fd = file_in_memory();
	if (fd < 0)
		buf_printf(why, "a temporary file is needed, and %s cannot be written (%s): "
		    "set TMPDIR", dir, strerror(errno));
	buf_release(&path);
	return fd;
}

void
file_empty(int fd, uint64_t from, uint64_t to)
{
	if (to > from)
		(void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
		    (off_t)(to - from));
}

bool
file_can_empty(int fd)
{
	return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1) == 0;
}

int
file_open_locked(const char *path)
{
	int		flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int		fd = open(path, flags, 0600);
	struct stat	st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	return -1;
}

int
file_rewrite(int fd, const struct buf *text)
{
	if (lseek(fd, 0, SEEK_SET) != 0 || file_write(fd, text->p, text->len, NULL) != 0)
		return ERR_IO;
	return ftruncate(fd, (off_t)text->len) == 0 ? 0 : ERR_IO;
}

int
file_put(const char *path, const struct buf *text, unsigned flags)
{
	struct file_new	*f;
	int		 error = 0;

	if (file_new(&f, path, flags) < 0)
		return ERR_IO;
	if (file_write(f->fd, text->p, text->len, NULL) < 0)
		error = errno;
	if (file_new_end(f, error == 0) < 0)
		return ERR_IO;
	errno = error;
	return error == 0 ? ERR_OK : ERR_IO;
}

static int
check_read(int fd, unsigned flags)
{
	struct stat	st;

	if (fstat(fd, &st) != 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if ((flags & FILE_PRIVATE) != 0 && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		return EPERM;
	return 0;
}

int
file_read(const char *path, unsigned flags, size_t max, struct buf *out)
{
	int	no_link = (flags & FILE_PRIVATE) != 0 ? O_NOFOLLOW : 0;
	int	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | no_link), error;
	size_t	from = out->len;
	ssize_t	n = 1;

	if (fd < 0)
		return ERR_IO;
	error = check_read(fd, flags);
	while (error == 0 && n != 0) {
		n = read(fd, buf_room(out, READ_CHUNK), READ_CHUNK);
		if (n > 0)
			out->len += (size_t)n;
		else if (n < 0 && errno != EINTR)
			error = errno;
		if (out->len - from > max)
			error = EFBIG;
	}
	close(fd);
	if (error != 0)
		out->len = from;
	errno = error;
	return error == 0 ? ERR_OK : ERR_IO;
}

/*
 * The output: a buffer in front of a descriptor, and a file that is never seen half written.
 *
 *	records -> buf -> write(fd)            standard output, devices, fifos
 *	                  write(.tnav-PID-N)   ... then rename to the name that was asked for
 *
 * Invariant: error is 0 or the errno of the first write that failed; after that nothing is written.
 * A closed pipe ends the program by SIGPIPE. A signal that ends it removes the temporary file.
 */
#include "tnav/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define OUTPUT_CHUNK	(256u << 10)
#define OUTPUT_TRIES	100u

struct output {
	int		 fd;
	int		 error;
	bool		 tty;
	char		*path;		/* the place of the file, or NULL: written directly */
	char		*tmp;		/* its temporary name */
	uint64_t	 written;
	struct buf	 buf;
};

/* For the signal handler: what to remove. */
static const char *volatile doomed;

static void
on_end(int sig)
{
	if (doomed != NULL)
		unlink(doomed);
	raise(sig);		/* the default action was put back by SA_RESETHAND */
}

static void
guard_tmp(const char *tmp)
{
	static const int	sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGXFSZ };
	struct sigaction	sa = { 0 }, old;

	doomed = tmp;
	sa.sa_handler = on_end;
	sa.sa_flags = (int)SA_RESETHAND;
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof sigs / sizeof sigs[0]; i++)
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &sa, NULL);
}

/* A new file in the directory of o->path; its mode follows the umask, or the file it replaces. */
static int
open_tmp(struct output *o, const struct stat *old)
{
	const char	*slash = strrchr(o->path, '/');
	int		 dir = slash != NULL ? (int)(slash - o->path) + 1 : 0;
	struct buf	 name;
	int		 fd = -1;

	buf_init(&name);
	for (unsigned i = 0; fd < 0 && i < OUTPUT_TRIES; i++) {
		buf_clear(&name);
		buf_printf(&name, "%.*s.tnav-%ld-%u", dir, o->path, (long)getpid(), i);
		fd = open(buf_str(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0) {
		o->tmp = mem_strdup(buf_str(&name));
		guard_tmp(o->tmp);
		if (old != NULL)
			(void)fchmod(fd, old->st_mode & 0777);
	}
	buf_release(&name);
	return fd;
}

static int
open_path(struct output *o, const char *path)
{
	struct stat	st;
	bool		exists = stat(path, &st) == 0;

	if (exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (exists && !S_ISREG(st.st_mode))
		return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (!exists && (errno != ENOENT || path[0] == '\0'))
		return -1;
	/* A link stays a link: the file that it names is the one that is replaced. */
	o->path = mem_alloc(PATH_MAX);
	if (!exists || realpath(path, o->path) == NULL) {
		mem_free(o->path);
		o->path = mem_strdup(path);
	}
	return open_tmp(o, exists ? &st : NULL);
}

int
output_open(struct output **out, const char *path)
{
	struct output	*o = mem_zalloc(1, sizeof *o);
	int		 saved;

	*out = NULL;
	buf_init(&o->buf);
	o->fd = path == NULL ? STDOUT_FILENO : open_path(o, path);
	if (o->fd < 0) {
		saved = errno;
		mem_free(o->path);
		buf_release(&o->buf);
		mem_free(o);
		errno = saved;
		return ERR_IO;
	}
	o->tty = isatty(o->fd) == 1;
	*out = o;
	return ERR_OK;
}

struct buf *
output_buf(struct output *o)
{
	return &o->buf;
}

bool
output_is_tty(const struct output *o)
{
	return o->tty;
}

/* Wait until a descriptor that somebody made non-blocking takes more. */
static void
wait_writable(int fd)
{
	struct pollfd	p = { .fd = fd, .events = POLLOUT };

	(void)poll(&p, 1, -1);
}

static int
flush(struct output *o)
{
	size_t	done = 0;

	while (o->error == 0 && done < o->buf.len) {
		ssize_t	n = write(o->fd, o->buf.p + done, o->buf.len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			wait_writable(o->fd);
		else if (n < 0 && errno != EINTR)
			o->error = errno;
		else if (n == 0)
			o->error = ENOSPC;
	}
	o->written += done;
	buf_clear(&o->buf);
	if (o->error == 0)
		return ERR_OK;
	errno = o->error;
	return ERR_IO;
}

int
output_step(struct output *o)
{
	if (o->error == 0 && o->buf.len < OUTPUT_CHUNK)
		return ERR_OK;
	return flush(o);
}

int
output_close(struct output *o, bool keep, uint64_t *written)
{
	int	error;

	(void)flush(o);
	/* Close tells of a full disk on a file system over the network. */
	if (o->fd != STDOUT_FILENO && close(o->fd) != 0 && o->error == 0)
		o->error = errno;
	if (o->tmp != NULL && keep && o->error == 0 && rename(o->tmp, o->path) != 0)
		o->error = errno;
	if (o->tmp != NULL && (!keep || o->error != 0))
		unlink(o->tmp);
	doomed = NULL;
	error = o->error;
	if (written != NULL)
		*written = o->written;
	mem_free(o->path);
	mem_free(o->tmp);
	buf_release(&o->buf);
	mem_free(o);
	errno = error;
	return error == 0 ? ERR_OK : ERR_IO;
}

/*
 * Requests and answers over sockets, several at a time.
 *
 *	exchange  connect   POLLOUT: send   POLLIN: head   POLLIN: rest   done
 *	a	  ---------------------------------------------------->
 *	b	  ------------------>				until its time is over
 *
 * Invariant: an exchange that is not done has an open socket. Only the bytes of the answer are
 * read: those that follow belong to the stream.
 */
#include "live/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/live/message.h"

#define NS_PER_MS	INT64_C(1000000)
#define STEP_MS		100		/* between two tests of *cancel */
#define STAT_MOST	4096u		/* of /proc/PID/stat */
#define LAST_LOOKS	8u		/* for data that arrived in time */

void
exchange_init(struct exchange *x, const char *path)
{
	*x = (struct exchange){ .path = path, .fd = -1 };
}

void
exchange_release(struct exchange *x)
{
	if (x->fd >= 0)
		close(x->fd);
	x->fd = -1;
	buf_release(&x->request);
	buf_release(&x->answer);
}

static void
finish(struct exchange *x, enum exchange_end end, int error)
{
	x->end = end;
	x->error = error;
	x->done = true;
	if (x->fd < 0 || (x->keep && end == EXCHANGE_ANSWERED))
		return;
	close(x->fd);
	x->fd = -1;
}

static void
finish_errno(struct exchange *x, int error)
{
	switch (error) {
	case ECONNREFUSED:
		finish(x, EXCHANGE_STALE, error);
		return;
	case EACCES:
	case EPERM:
		finish(x, EXCHANGE_DENIED, error);
		return;
	case ENOENT:
		finish(x, EXCHANGE_GONE, error);
		return;
	case EPIPE:
	case ECONNRESET:
		finish(x, EXCHANGE_CLOSED, error);
		return;
	default:
		finish(x, EXCHANGE_FAILED, error);
	}
}

/* ---- connecting */

/* The address of a socket. If the path is too long, it is reached through its folder. *folder:
   close it. */
static int
address_of(const char *path, struct sockaddr_un *a, int *folder)
{
	const char	*slash = strrchr(path, '/');
	struct buf	 dir = { 0 };
	int		 n;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	*folder = -1;
	if (path[0] == '\0')		/* an abstract address would be open to any user */
		return ENOENT;
	if (strlen(path) < sizeof a->sun_path) {
		memcpy(a->sun_path, path, strlen(path) + 1);
		return 0;
	}
	if (slash == NULL)
		return ENAMETOOLONG;
	buf_add(&dir, path, (size_t)(slash - path) + 1);
	*folder = open(buf_str(&dir), O_PATH | O_DIRECTORY | O_CLOEXEC);
	n = *folder < 0 ? errno : 0;
	buf_release(&dir);
	if (n != 0)
		return n;
	n = snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d%s", *folder, slash);
	return n > 0 && (size_t)n < sizeof a->sun_path ? 0 : ENAMETOOLONG;
}

void
exchange_begin(struct exchange *x)
{
	struct sockaddr_un	a;
	int			folder, error;

	x->sent = 0;
	x->done = false;
	buf_clear(&x->answer);
	if (x->fd >= 0)
		return;
	error = address_of(x->path, &a, &folder);
	if (error == 0) {
		x->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		error = x->fd < 0 ? errno : 0;
	}
	/* A full queue of connections (EAGAIN) means that the program serves nobody. */
	if (error == 0 && connect(x->fd, (struct sockaddr *)&a, sizeof a) != 0)
		error = errno;
	if (folder >= 0)
		close(folder);
	if (error == EAGAIN)
		finish(x, EXCHANGE_SILENT, error);
	else if (error != 0)
		finish_errno(x, error);
}

/* ---- sending and reading */

static void
send_more(struct exchange *x)
{
	size_t	left = x->request.len - x->sent;
	ssize_t	n = send(x->fd, x->request.p + x->sent, left, MSG_NOSIGNAL);

	if (n >= 0)
		x->sent += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		finish_errno(x, errno);
}

/* Bytes of the answer that are still missing; first those of its header, which has the size. */
static size_t
missing(const struct exchange *x)
{
	if (x->answer.len < MESSAGE_HEADER)
		return MESSAGE_HEADER - x->answer.len;
	return answer_size((const uint8_t *)x->answer.p) - x->answer.len;
}

static void
read_more(struct exchange *x)
{
	size_t	want = missing(x);
	ssize_t	n = recv(x->fd, buf_room(&x->answer, want), want, 0);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			finish_errno(x, errno);
		return;
	}
	if (n == 0) {
		finish(x, EXCHANGE_CLOSED, 0);
		return;
	}
	x->answer.len += (size_t)n;
	if (x->answer.len < MESSAGE_HEADER)
		return;
	if (answer_size((const uint8_t *)x->answer.p) == 0)
		finish(x, EXCHANGE_GARBLED, 0);
	else if (missing(x) == 0)
		finish(x, EXCHANGE_ANSWERED, 0);
}

/* How long to wait in poll(); 0: the time is over. */
static int
patience_ms(int64_t until_ns, const atomic_bool *cancel)
{
	int64_t	left = until_ns - job_now_ns();

	if (left <= 0 || (cancel != NULL && atomic_load(cancel)))
		return 0;
	return left > STEP_MS * NS_PER_MS ? STEP_MS : (int)(left / NS_PER_MS) + 1;
}

short
exchange_events(const struct exchange *x)
{
	return x->sent < x->request.len ? POLLOUT : POLLIN;
}

void
exchange_go_on(struct exchange *x)
{
	if (x->sent < x->request.len)
		send_more(x);
	else
		read_more(x);
}

/* Go on with those that are ready within ms. Returns the number that are still open. */
static size_t
look(struct exchange *x, size_t n, struct pollfd *fds, int ms)
{
	size_t	open = 0;

	for (size_t i = 0; i < n; i++) {
		fds[i].fd = x[i].done ? -1 : x[i].fd;
		fds[i].events = exchange_events(&x[i]);
		fds[i].revents = 0;
	}
	(void)poll(fds, n, ms);
	for (size_t i = 0; i < n; i++) {
		if (!x[i].done && fds[i].revents != 0)
			exchange_go_on(&x[i]);
		open += !x[i].done;
	}
	return open;
}

void
exchange_run(struct exchange *x, size_t n, int64_t until_ns, const atomic_bool *cancel)
{
	struct pollfd	*fds = mem_zalloc(n + 1, sizeof *fds);
	size_t		 open = 0;
	unsigned	 late = 0;

	for (size_t i = 0; i < n; i++) {
		exchange_begin(&x[i]);
		open += !x[i].done;
	}
	/* An answer that arrived in time counts, even if it is read later. */
	while (open > 0 && late < LAST_LOOKS) {
		int	ms = patience_ms(until_ns, cancel);

		late += ms == 0;
		open = look(x, n, fds, ms);
	}
	for (size_t i = 0; i < n; i++)
		if (!x[i].done)
			finish(&x[i], EXCHANGE_SILENT, 0);
	mem_free(fds);
}

void
exchange_why(const struct exchange *x, struct buf *why)
{
	switch (x->end) {
	case EXCHANGE_STALE:
		buf_puts(why, "nothing listens on its socket: its program has ended");
		return;
	case EXCHANGE_DENIED:
		buf_puts(why, "its socket belongs to another user: run tnav as that user or as "
		    "root");
		return;
	case EXCHANGE_GONE:
		buf_puts(why, "its socket is gone: the program has ended");
		return;
	case EXCHANGE_SILENT:
		buf_puts(why, "it does not answer: it is stopped, in a debugger, or busy with "
		    "another tool");
		return;
	case EXCHANGE_CLOSED:
		buf_puts(why, "it closed the connection without an answer: it may have ended");
		return;
	case EXCHANGE_FAILED:
		buf_printf(why, "its socket cannot be used: %s", strerror(x->error));
		return;
	case EXCHANGE_ANSWERED:
	case EXCHANGE_GARBLED:
		break;
	}
	buf_puts(why, "its socket does not belong to a .NET runtime");
}

void
answer_why(uint32_t error, struct buf *why)
{
	const char	*text = answer_error_text(error);

	if (text != NULL)
		buf_puts(why, text);
	else
		buf_printf(why, "error 0x%08" PRIx32, error);
}

/* ---- sockets for others to connect to */

/* Is there a socket file without a listener? */
static bool
is_left_over(const struct sockaddr_un *a)
{
	int	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool	left = fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 &&
		    errno == ECONNREFUSED;
	struct stat	st;

	if (fd >= 0)
		close(fd);
	return left && lstat(a->sun_path, &st) == 0 && S_ISSOCK(st.st_mode);
}

static void
put_bind_error(const char *path, int error, struct buf *why)
{
	struct stat	st;
	bool		other = lstat(path, &st) == 0 && !S_ISSOCK(st.st_mode);

	buf_printf(why, "%s: ", path);
	if (error == EADDRINUSE)
		buf_puts(why, other ? "this is not a socket" : "another program listens there");
	else
		buf_puts(why, strerror(error));
}

int
peer_listen(const char *path, struct buf *why)
{
	struct sockaddr_un	a;
	int			folder = -1, fd = -1, error = 0;

	if (strlen(path) >= sizeof a.sun_path)
		error = ENAMETOOLONG;		/* programs could not connect to it */
	else
		error = address_of(path, &a, &folder);
	if (error == 0)
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* A socket's mode before bind() becomes the mode of its file. */
	if (error == 0 && (fd < 0 || fchmod(fd, 0600) != 0))
		error = errno;
	if (error == 0 && bind(fd, (struct sockaddr *)&a, sizeof a) != 0) {
		error = errno;
		if (error == EADDRINUSE && is_left_over(&a) && unlink(path) == 0)
			error = bind(fd, (struct sockaddr *)&a, sizeof a) == 0 ? 0 : errno;
	}
	if (error == 0 && listen(fd, SOMAXCONN) != 0)
		error = errno;
	if (error == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	put_bind_error(path, error, why);
	return -1;
}

int
peer_accept(int fd)
{
	return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* ---- streams */

bool
peer_is_stopped(int fd)
{
	struct ucred	who = { .pid = 0 };
	socklen_t	len = sizeof who;
	struct buf	text = { 0 };
	char		path[32];
	const char	*p = NULL;
	bool		stopped;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0 || who.pid <= 0)
		return false;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)who.pid);
	if (file_read(path, 0, STAT_MOST, &text) == 0)
		p = strrchr(buf_str(&text), ')');	/* the end of the name */
	stopped = p != NULL && (strncmp(p, ") T", 3) == 0 || strncmp(p, ") t", 3) == 0);
	buf_release(&text);
	return stopped;
}

long
peer_read(int fd, void *p, size_t len)
{
	struct pollfd	at = { .fd = fd, .events = POLLIN };
	ssize_t		n;

	do {
		n = recv(fd, p, len, 0);
		if (n < 0 && errno == EAGAIN)
			(void)poll(&at, 1, -1);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return (long)n;
}

/*
 * A port.
 *
 *	accept -> link: READING its advert -> WAITING -> taken, or hung up
 *
 * Invariant: a link in the table has an open connection. port_next() returns a program once, at its
 * first link that is WAITING. Programs that were returned are remembered by their cookies.
 */
#include "tnav/live/port.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "live/peer.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/paths.h"

#define LINKS_MOST	256u
#define SEEN_MOST	4096u			/* programs that are remembered */
#define ADVERT_NS	(INT64_C(5) * 1000000000)	/* for a program to send its advert */
#define STEP_MS		100			/* between two tests of the time */
#define FULL_NS		20000000		/* wait when no more connections can be accepted */

struct link {
	int		fd;
	int64_t		since;
	size_t		n;			/* bytes of the advert; when complete, it waits */
	uint8_t		bytes[ADVERT_BYTES];
	struct advert	who;
};

struct port {
	int		 fd;
	char		*path, *folder;		/* folder: created by us, or NULL */
	struct lock	*lock;
	struct job	*job;
	/* Protected by the lock: */
	bool		 over;
	struct link	 link[LINKS_MOST];
	size_t		 n, most;	/* most: of links, so that descriptors are left for files */
	bool		 overflowed;
	struct advert	 left;		/* the newest that left before port_next() returned it */
	bool		 has_left;
	uint8_t		 seen[SEEN_MOST][16];
	size_t		 nseen;
};

/* ---- links; the lock is held */

static void
drop_link(struct port *p, size_t i, bool close_it)
{
	if (close_it)
		close(p->link[i].fd);
	memmove(&p->link[i], &p->link[i + 1], (--p->n - i) * sizeof p->link[0]);
}

static bool
is_waiting(const struct link *l)
{
	return l->n == ADVERT_BYTES;
}

static bool
is_seen(const struct port *p, const uint8_t cookie[16])
{
	size_t	n = p->nseen < SEEN_MOST ? p->nseen : SEEN_MOST;

	for (size_t i = 0; i < n; i++)
		if (memcmp(p->seen[i], cookie, 16) == 0)
			return true;
	return false;
}

/* Close the one that has waited longest, first one without its advert. */
static void
make_room(struct port *p)
{
	size_t	i = 0;

	while (i < p->n && is_waiting(&p->link[i]))
		i++;
	if (p->n > 0)
		drop_link(p, i < p->n ? i : 0, true);
	p->overflowed = true;
}

/* False: the system has no descriptor for a connection, which stays pending. */
static bool
accept_all(struct port *p)
{
	int	fd;

	for (fd = peer_accept(p->fd); fd >= 0; fd = peer_accept(p->fd)) {
		if (p->n == p->most)
			make_room(p);
		p->link[p->n++] = (struct link){ .fd = fd, .since = job_now_ns() };
	}
	if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM)
		return true;
	make_room(p);
	return false;
}

/* False: drop the link. */
static bool
read_link(struct link *l)
{
	ssize_t	n;
	uint8_t	more;

	if (is_waiting(l)) {	/* it sends nothing more: it has hung up, or is not a runtime */
		n = recv(l->fd, &more, 1, MSG_PEEK | MSG_DONTWAIT);
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	}
	n = recv(l->fd, l->bytes + l->n, ADVERT_BYTES - l->n, MSG_DONTWAIT);
	if (n < 0)
		return (errno == EAGAIN || errno == EINTR) &&
		    job_now_ns() - l->since < ADVERT_NS;
	l->n += (size_t)n;
	return n > 0 && (!is_waiting(l) || advert_decode(&l->who, l->bytes) == 0);
}

/* Wait until something connects, sends or hangs up. A link may be taken meanwhile. */
static void
await_news(struct port *p, struct pollfd *at)
{
	nfds_t	n = 0;

	at[n++] = (struct pollfd){ .fd = p->fd, .events = POLLIN };
	lock_take(p->lock);
	for (size_t i = 0; i < p->n; i++)
		at[n++] = (struct pollfd){ .fd = p->link[i].fd, .events = POLLIN };
	lock_drop(p->lock);
	(void)poll(at, n, STEP_MS);
}

static void
drop_ended(struct port *p, size_t i)
{
	const struct link	*l = &p->link[i];

	if (is_waiting(l) && !is_seen(p, l->who.cookie)) {
		p->left = l->who;
		p->has_left = true;
	}
	drop_link(p, i, true);
}

static void
serve(void *arg)
{
	struct port	*p = arg;
	struct pollfd	*at = mem_zalloc(LINKS_MOST + 1, sizeof *at);
	bool		 over = false, good;

	while (!over) {
		await_news(p, at);
		lock_take(p->lock);
		good = accept_all(p);
		for (size_t i = p->n; i-- > 0; )
			if (!read_link(&p->link[i]))
				drop_ended(p, i);
		over = p->over;
		lock_wake(p->lock);
		lock_drop(p->lock);
		if (!good)	/* poll() would not wait for what is pending */
			(void)nanosleep(&(struct timespec){ .tv_nsec = FULL_NS }, NULL);
	}
	mem_free(at);
}

/* ---- opening and closing */

static bool
make_folder(struct port *p, struct buf *why)
{
	struct buf	b;
	bool		good;

	buf_init(&b);
	paths_moment(&b);
	buf_puts(&b, "/tnav-XXXXXX");
	(void)buf_str(&b);
	good = mkdtemp(b.p) != NULL;		/* mode 0700 */
	if (good) {
		p->folder = mem_strdup(b.p);
		buf_puts(&b, "/port");
		p->path = mem_strdup(buf_str(&b));
	} else {
		buf_printf(why, "%s: %s", b.p, strerror(errno));
	}
	buf_release(&b);
	return good;
}

static size_t
links_most(void)
{
	struct rlimit	l;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur / 4 >= LINKS_MOST)
		return LINKS_MOST;
	return l.rlim_cur / 4 + 1;
}

int
port_open(struct port **out, const char *path, struct buf *why)
{
	struct port	*p = mem_zalloc(1, sizeof *p);

	*out = NULL;
	p->fd = -1;
	p->most = links_most();
	p->lock = lock_new();
	if (path != NULL)
		p->path = mem_strdup(path);
	if (path != NULL || make_folder(p, why))
		p->fd = peer_listen(p->path, why);
	if (p->fd >= 0)
		p->job = job_start(serve, p);
	if (p->fd >= 0 && p->job == NULL)
		buf_puts(why, "no thread can be started");
	if (p->job == NULL) {
		port_close(p);
		return ERR_IO;
	}
	*out = p;
	return ERR_OK;
}

void
port_close(struct port *p)
{
	if (p == NULL)
		return;
	lock_take(p->lock);
	p->over = true;
	if (p->fd >= 0)
		(void)shutdown(p->fd, SHUT_RDWR);	/* wakes the thread */
	lock_drop(p->lock);
	job_join(p->job);
	while (p->n > 0)
		drop_link(p, p->n - 1, true);
	if (p->fd >= 0) {
		close(p->fd);
		(void)unlink(p->path);
	}
	if (p->folder != NULL)
		(void)rmdir(p->folder);
	lock_free(p->lock);
	mem_free(p->path);
	mem_free(p->folder);
	mem_free(p);
}

const char *
port_path(const struct port *p)
{
	return p->path;
}

/* ---- programs */

static bool
find_new(struct port *p, struct advert *out)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!is_waiting(&p->link[i]) || is_seen(p, p->link[i].who.cookie))
			continue;
		*out = p->link[i].who;
		memcpy(p->seen[p->nseen++ % SEEN_MOST], out->cookie, 16);
		return true;
	}
	return false;
}

bool
port_next(struct port *p, int64_t wait_ns, struct advert *out)
{
	int64_t	until = job_now_ns() + wait_ns;
	bool	found, more = true;

	lock_take(p->lock);
	for (found = find_new(p, out); !found && more; found = find_new(p, out))
		more = lock_wait_until(p->lock, until);
	lock_drop(p->lock);
	return found;
}

static void
forget(struct port *p, const uint8_t cookie[16])
{
	size_t	n = p->nseen < SEEN_MOST ? p->nseen : SEEN_MOST;

	lock_take(p->lock);
	for (size_t i = 0; i < n; i++)
		if (memcmp(p->seen[i], cookie, 16) == 0)
			memset(p->seen[i], 0, 16);
	lock_drop(p->lock);
}

bool
port_overflowed(struct port *p)
{
	bool	was;

	lock_take(p->lock);
	was = p->overflowed;
	p->overflowed = false;
	lock_drop(p->lock);
	return was;
}

bool
port_has_left(struct port *p, struct advert *out)
{
	bool	any;

	lock_take(p->lock);
	any = p->has_left;
	*out = p->left;
	p->has_left = false;
	lock_drop(p->lock);
	return any;
}

/* The newest connection: an older one of the same program may be about to hang up. */
static int
take_newest(struct port *p, const uint8_t cookie[16])
{
	for (size_t i = p->n; i-- > 0; ) {
		int	fd = p->link[i].fd;

		if (!is_waiting(&p->link[i]) || memcmp(p->link[i].who.cookie, cookie, 16) != 0)
			continue;
		drop_link(p, i, false);
		return fd;
	}
	return -1;
}

int
port_take(struct port *p, const uint8_t cookie[16], int64_t until_ns, const atomic_bool *cancel)
{
	bool	more = true;
	int	fd;

	lock_take(p->lock);
	for (fd = take_newest(p, cookie); fd < 0 && more; fd = take_newest(p, cookie)) {
		(void)lock_wait_until(p->lock, until_ns);
		more = job_now_ns() < until_ns && (cancel == NULL || !atomic_load(cancel));
	}
	lock_drop(p->lock);
	return fd;
}

bool
port_has(struct port *p, const uint8_t cookie[16])
{
	bool	found = false;

	lock_take(p->lock);
	for (size_t i = 0; i < p->n && !found; i++)
		found = is_waiting(&p->link[i]) &&
		    memcmp(p->link[i].who.cookie, cookie, 16) == 0;
	lock_drop(p->lock);
	return found;
}

/* ---- requests */

/* Run a request over a connection that the program has made. False: there is no answer. */
static bool
request(struct port *p, const uint8_t cookie[16], struct exchange *x, int64_t until,
    const atomic_bool *cancel, struct answer *a)
{
	x->end = EXCHANGE_SILENT;
	x->fd = port_take(p, cookie, until, cancel);
	if (x->fd >= 0)
		exchange_run(x, 1, until, cancel);
	return x->end == EXCHANGE_ANSWERED && answer_decode(span_of_buf(&x->answer), a) == 0;
}

bool
port_ask(struct port *p, const struct advert *who, int64_t wait_ns, const atomic_bool *cancel,
    struct process_info *info, struct buf *why)
{
	static const enum request	rounds[] = { REQUEST_INFO3, REQUEST_INFO2, REQUEST_INFO1 };
	int64_t				 until = job_now_ns() + wait_ns;
	bool				 more = true, good = true;

	for (size_t i = 0; i < sizeof rounds / sizeof *rounds && more && good; i++) {
		struct exchange	x;
		struct answer	a;

		exchange_init(&x, "");
		request_encode(&x.request, rounds[i]);
		good = request(p, who->cookie, &x, until, cancel, &a);
		if (good && a.kind == ANSWER_OK)
			good = process_info_decode(info, a.payload, rounds[i]) == 0;
		if (!good)
			exchange_why(&x, why);
		more = good && a.kind == ANSWER_ERROR && a.error == ANSWER_UNKNOWN_COMMAND;
		exchange_release(&x);
	}
	if (!good)
		forget(p, who->cookie);
	return good;
}

bool
port_resume(struct port *p, const uint8_t cookie[16], int64_t wait_ns, const atomic_bool *cancel)
{
	struct exchange	x;
	struct answer	a;
	bool		good;

	exchange_init(&x, "");
	request_encode(&x.request, REQUEST_RESUME);
	good = request(p, cookie, &x, job_now_ns() + wait_ns, cancel, &a) && a.kind == ANSWER_OK;
	exchange_release(&x);
	return good;
}

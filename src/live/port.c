/*
 * A port.
 *
 *	accept -> link: READING its advert -> idle -> taken, or hung up
 *	                                      idle -> busy with a request to its client -> closed
 *
 * The thread requests the process info of each client as soon as it has connected, of all of them
 * at the same time: one that does not answer delays no other one.
 *
 * Invariant: a link in the table has an open connection. Only the thread drops links, except idle
 * ones, which may be taken. port_next() returns a client once, after it has answered.
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

#include "live/client.h"
#include "live/peer.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/paths.h"

#define LINKS_MOST	256u
#define ADVERT_NS	(INT64_C(5) * 1000000000)	/* for a program to send its advert */
#define ANSWER_NS	(INT64_C(2) * 1000000000)	/* for a client to answer */
#define STEP_MS		100			/* between two tests of the time */
#define FULL_NS		20000000		/* wait when no more connections can be accepted */

struct connection {
	int64_t		since;
	size_t		n;			/* bytes of the advert */
	uint8_t		bytes[ADVERT_BYTES];
	struct advert	who;
	bool		busy;			/* with the request in x */
	struct exchange	x;			/* x.fd: the connection */
};

struct port {
	int		 fd;
	char		*path, *folder;		/* folder: created by us, or NULL */
	struct lock	*lock;
	struct job	*job;
	/* Protected by the lock: */
	bool			 over;
	struct connection	 link[LINKS_MOST];
	size_t			 n, most;	/* most: of links; leaves descriptors for files */
	bool			 overflowed;
	struct clients		 clients;
	struct advert		 failed;	/* the newest client that did not answer, and why */
	struct buf		 why;
};

/* ---- links; the lock is held */

static void
drop_link(struct port *p, size_t i)
{
	struct client	*c = p->link[i].busy ? client_find(&p->clients, p->link[i].who.cookie) :
			    NULL;

	if (c != NULL)
		c->busy = false;
	exchange_release(&p->link[i].x);
	memmove(&p->link[i], &p->link[i + 1], (--p->n - i) * sizeof p->link[0]);
}

static bool
is_idle(const struct connection *l)
{
	return l->n == ADVERT_BYTES && !l->busy;
}

/* A link without its advert makes room before one that is busy, and an idle one last. */
static unsigned
rank_of(const struct connection *l)
{
	return is_idle(l) ? 2 : l->busy;
}

/* Close the oldest of those that matter least. False: it is too young to have been served. */
static bool
make_room(struct port *p)
{
	size_t	best = 0;

	for (size_t i = 1; i < p->n; i++)
		if (rank_of(&p->link[i]) < rank_of(&p->link[best]))
			best = i;
	p->overflowed = true;
	if (p->n == 0 || job_now_ns() - p->link[best].since < FULL_NS)
		return false;
	drop_link(p, best);
	return true;
}

static bool
is_pending(const struct port *p)
{
	struct pollfd	at = { .fd = p->fd, .events = POLLIN };

	return poll(&at, 1, 0) > 0 && (at.revents & POLLIN) != 0;
}

static void
add_link(struct port *p, int fd)
{
	struct connection	*l = &p->link[p->n++];

	*l = (struct connection){ .since = job_now_ns() };
	exchange_init(&l->x, "");
	l->x.fd = fd;
}

/* False: there is no room, or no descriptor, for a connection, which stays pending. */
static bool
accept_all(struct port *p)
{
	while (is_pending(p)) {
		int	fd;

		if (p->n == p->most && !make_room(p))
			return false;
		fd = peer_accept(p->fd);
		if (fd >= 0) {
			add_link(p, fd);
			continue;
		}
		if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM)
			return true;
		(void)make_room(p);
		return false;
	}
	return true;
}

/* False: drop the link. */
static bool
read_advert(struct connection *l)
{
	ssize_t	n = recv(l->x.fd, l->bytes + l->n, ADVERT_BYTES - l->n, MSG_DONTWAIT);

	if (n < 0)
		return (errno == EAGAIN || errno == EINTR) &&
		    job_now_ns() - l->since < ADVERT_NS;
	l->n += (size_t)n;
	return n > 0 && (l->n < ADVERT_BYTES || advert_decode(&l->who, l->bytes) == 0);
}

/* An idle link sends nothing: else it has hung up, or is not of a runtime. */
static bool
is_quiet(const struct connection *l)
{
	uint8_t	more;
	ssize_t	n = recv(l->x.fd, &more, 1, MSG_PEEK | MSG_DONTWAIT);

	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* ---- requests to clients; the lock is held */

static void
fail(struct port *p, struct client *c, const struct exchange *x)
{
	if (c->state != CLIENT_REQUESTED) {
		c->resume = false;
		return;
	}
	p->failed = c->who;
	buf_clear(&p->why);
	exchange_why(x, &p->why);
	client_remove(&p->clients, c);
}

/* Send what is to be sent to the client over an idle link. */
static void
begin_request(struct port *p, struct connection *l)
{
	struct client	*c = client_find(&p->clients, l->who.cookie);
	enum request	 r;

	if (c == NULL) {
		c = client_add(&p->clients, &l->who);
		if (c == NULL)
			return;
		c->until_ns = job_now_ns() + ANSWER_NS;
	}
	if (!client_wants(c, &r))
		return;
	request_encode(&l->x.request, r);
	c->busy = true;
	l->busy = true;
	exchange_begin(&l->x);
}

static void
end_request(struct port *p, size_t i)
{
	struct exchange	*x = &p->link[i].x;
	struct client	*c = client_find(&p->clients, p->link[i].who.cookie);

	if (c != NULL && !client_answer(c, x))
		fail(p, c, x);
	drop_link(p, i);
}

static void
serve_link(struct port *p, size_t i)
{
	struct connection	*l = &p->link[i];

	if (l->n < ADVERT_BYTES && !read_advert(l)) {
		drop_link(p, i);
		return;
	}
	if (is_idle(l))
		begin_request(p, l);
	if (l->busy && !l->x.done)
		exchange_go_on(&l->x);
	if (l->busy && l->x.done)
		end_request(p, i);
	else if (is_idle(l) && !is_quiet(l))
		drop_link(p, i);
}

static void
end_late(struct port *p, struct client *c)
{
	struct exchange	silent = { .end = EXCHANGE_SILENT };
	struct advert	who = c->who;

	fail(p, c, &silent);
	for (size_t i = p->n; i-- > 0; )
		if (p->link[i].busy && memcmp(p->link[i].who.cookie, who.cookie, 16) == 0)
			drop_link(p, i);
}

static void
serve_all(struct port *p)
{
	int64_t	now = job_now_ns();

	for (size_t i = p->n; i-- > 0; )	/* the newest link of a client first */
		serve_link(p, i);
	for (size_t i = p->clients.n; i-- > 0; )
		if (client_is_pending(&p->clients.v[i]) && p->clients.v[i].until_ns < now)
			end_late(p, &p->clients.v[i]);
}

/* ---- the thread */

/* Wait until something connects, sends or hangs up. A link may be taken meanwhile. */
static void
await_news(struct port *p, struct pollfd *at)
{
	nfds_t	n = 0;

	at[n++] = (struct pollfd){ .fd = p->fd, .events = POLLIN };
	lock_take(p->lock);
	for (size_t i = 0; i < p->n; i++)
		at[n++] = (struct pollfd){ .fd = p->link[i].x.fd,
		    .events = exchange_events(&p->link[i].x) };
	lock_drop(p->lock);
	(void)poll(at, n, STEP_MS);
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
		serve_all(p);
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
	struct buf	b = { 0 };
	bool		good;

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
	p->lock = lock_new(LOCK_TASK);
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
		drop_link(p, p->n - 1);
	if (p->fd >= 0) {
		close(p->fd);
		(void)unlink(p->path);
	}
	if (p->folder != NULL)
		(void)rmdir(p->folder);
	lock_free(p->lock);
	clients_release(&p->clients);
	buf_release(&p->why);
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

bool
port_next(struct port *p, int64_t wait_ns, struct advert *out, struct buf *name)
{
	int64_t		 until = job_now_ns() + wait_ns;
	struct client	*c;
	bool		 more = true;

	lock_take(p->lock);
	for (c = client_next(&p->clients); c == NULL && more; c = client_next(&p->clients))
		more = lock_wait_until(p->lock, until);
	if (c != NULL) {
		*out = c->who;
		buf_clear(name);
		buf_puts(name, c->name);
		(void)buf_str(name);
	}
	lock_drop(p->lock);
	return c != NULL;
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
port_has_failed(struct port *p, struct advert *out, struct buf *why)
{
	bool	any;

	lock_take(p->lock);
	any = p->why.len > 0;
	*out = p->failed;
	buf_add(why, p->why.p, p->why.len);
	buf_clear(&p->why);
	lock_drop(p->lock);
	return any;
}

/* The newest idle link: an older one of the same program may be about to hang up. p->n: none. */
static size_t
find_idle(const struct port *p, const uint8_t cookie[16])
{
	for (size_t i = p->n; i-- > 0; )
		if (is_idle(&p->link[i]) && memcmp(p->link[i].who.cookie, cookie, 16) == 0)
			return i;
	return p->n;
}

static int
take_newest(struct port *p, const uint8_t cookie[16])
{
	size_t	i = find_idle(p, cookie);
	int	fd;

	if (i == p->n)
		return -1;
	fd = p->link[i].x.fd;
	p->link[i].x.fd = -1;
	drop_link(p, i);
	return fd;
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
	bool	found;

	lock_take(p->lock);
	found = find_idle(p, cookie) < p->n;
	lock_drop(p->lock);
	return found;
}

static bool
is_resuming(struct port *p, const uint8_t cookie[16])
{
	const struct client	*c = client_find(&p->clients, cookie);

	return c != NULL && c->resume;
}

void
port_resume(struct port *p, const uint8_t cookie[16], int64_t wait_ns, const atomic_bool *cancel)
{
	int64_t		 until = job_now_ns() + wait_ns;
	struct client	*c;
	size_t		 i;
	bool		 more = wait_ns > 0;

	lock_take(p->lock);
	c = client_find(&p->clients, cookie);
	i = find_idle(p, cookie);
	if (c != NULL) {
		c->resume = true;
		c->until_ns = job_now_ns() + ANSWER_NS;
	}
	if (c != NULL && i < p->n) {	/* now: the thread may be waiting */
		begin_request(p, &p->link[i]);
		if (p->link[i].busy)
			exchange_go_on(&p->link[i].x);
	}
	while (more && is_resuming(p, cookie)) {
		(void)lock_wait_until(p->lock, until);
		more = job_now_ns() < until && (cancel == NULL || !atomic_load(cancel));
	}
	lock_drop(p->lock);
}

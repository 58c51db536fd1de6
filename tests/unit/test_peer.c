/*
 * Exchanges with peers that this test plays at the other end of a socket, the clients of a port, and
 * the sockets of programs in a folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../support/test.h"
#include "live/client.h"
#include "live/folder.h"
#include "live/peer.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/live/message.h"

#define ASKED		"what is asked"
#define LATER		(job_now_ns() + INT64_C(60000000000))
#define FIVE		"DOTNET_IPC_V1\0\x19\0\xff\0\0\0abcde"		/* an answer of five bytes */
#define FIVE_LEN	25

static char	dir[] = "/tmp/tnav-peer-XXXXXX";
static char	path[64];

static int
make_dir(void)
{
	return mkdtemp(dir) != NULL && snprintf(path, sizeof path, "%s/socket", dir) > 0 ? 0 : -1;
}

static int
remove_dir(void)
{
	return test_remove(dir);
}

GROUP(make_dir, remove_dir)

/* A peer that reads the request and sends so many bytes of this, in two parts, then closes. */
struct peer {
	int		 fd;
	const char	*bytes;
	size_t		 len;
	char		 got[32];
	pthread_t	 thread;
};

static void *
serve(void *arg)
{
	struct peer	*p = arg;
	size_t		 half = p->len / 2;
	int		 fd;

	do
		fd = peer_accept(p->fd);
	while (fd < 0);
	if (peer_read(fd, p->got, strlen(ASKED)) == (long)strlen(ASKED) &&
	    send(fd, p->bytes, half, MSG_NOSIGNAL) == (ssize_t)half)
		(void)send(fd, p->bytes + half, p->len - half, MSG_NOSIGNAL);
	close(fd);
	return NULL;
}

static void
ask(struct exchange *x, const char *bytes, size_t len, bool keep)
{
	struct buf	*why = test_buf();
	struct peer	 p = { .fd = peer_listen(path, why), .bytes = bytes, .len = len };

	assert_true(p.fd >= 0);
	assert_int_equal(pthread_create(&p.thread, NULL, serve, &p), 0);
	exchange_init(x, path);
	buf_puts(&x->request, ASKED);
	x->keep = keep;
	exchange_run(x, 1, LATER, NULL);
	assert_int_equal(pthread_join(p.thread, NULL), 0);
	assert_true(x->done);
	assert_string_equal(p.got, ASKED);
	close(p.fd);
	assert_int_equal(unlink(path), 0);
}

static void
need_why(const struct exchange *x, const char *want)
{
	struct buf	*why = test_buf();

	exchange_why(x, why);
	assert_string_equal(buf_str(why), want);
}

TEST(an_answer_is_taken_whole_and_nothing_after_it)
{
	struct exchange	x;
	char		rest[8] = "";

	ask(&x, FIVE "more", FIVE_LEN + 4, true);
	assert_int_equal(x.end, EXCHANGE_ANSWERED);
	assert_int_equal(x.answer.len, FIVE_LEN);
	assert_memory_equal(x.answer.p, FIVE, FIVE_LEN);
	assert_int_equal(peer_read(x.fd, rest, sizeof rest), 4);
	assert_string_equal(rest, "more");
	assert_int_equal(peer_read(x.fd, rest, sizeof rest), 0);
	exchange_release(&x);
	ask(&x, FIVE, FIVE_LEN, false);
	assert_int_equal(x.end, EXCHANGE_ANSWERED);
	assert_int_equal(x.fd, -1);
	exchange_release(&x);
}

TEST(what_is_no_answer_is_told_from_none)
{
	struct exchange	x;

	ask(&x, FIVE, FIVE_LEN - 1, false);
	assert_int_equal(x.end, EXCHANGE_CLOSED);
	need_why(&x, "it closed the connection without an answer: it may have ended");
	exchange_release(&x);
	ask(&x, "DOTNET_IPC_V2\0\x19\0\xff\0\0\0abcde", FIVE_LEN, true);
	assert_int_equal(x.end, EXCHANGE_GARBLED);
	assert_int_equal(x.fd, -1);
	need_why(&x, "its socket does not belong to a .NET runtime");
	exchange_release(&x);
}

static void
run_at(struct exchange *x, const char *where, int64_t until)
{
	exchange_init(x, where);
	buf_puts(&x->request, ASKED);
	exchange_run(x, 1, until, NULL);
}

TEST(who_does_not_answer_is_said)
{
	struct buf	*why = test_buf(), *far = test_buf();
	struct exchange	 x;
	int		 fd = peer_listen(path, why);

	assert_true(fd >= 0);
	run_at(&x, path, job_now_ns());
	assert_int_equal(x.end, EXCHANGE_SILENT);
	need_why(&x, "it does not answer: it is stopped, in a debugger, or busy with another tool");
	exchange_release(&x);
	close(fd);
	run_at(&x, path, LATER);
	assert_int_equal(x.end, EXCHANGE_STALE);
	assert_int_equal(x.error, ECONNREFUSED);
	need_why(&x, "nothing listens on its socket: its program has ended");
	exchange_release(&x);
	assert_int_equal(unlink(path), 0);
	run_at(&x, path, LATER);
	assert_int_equal(x.end, EXCHANGE_GONE);
	need_why(&x, "its socket is gone: the program has ended");
	exchange_release(&x);
	run_at(&x, "", LATER);		/* no abstract address */
	assert_int_equal(x.end, EXCHANGE_GONE);
	exchange_release(&x);
	for (int i = 0; i < 120; i++)
		buf_putc(far, 'x');
	run_at(&x, buf_str(far), LATER);
	assert_int_equal(x.end, EXCHANGE_FAILED);
	assert_int_equal(x.error, ENAMETOOLONG);
	need_why(&x, "its socket cannot be used: File name too long");
	exchange_release(&x);
	x = (struct exchange){ .end = EXCHANGE_DENIED };
	need_why(&x, "its socket belongs to another user: run tnav as that user or as root");
}

/* A path too long for an address is reached through its folder. */
TEST(a_socket_at_a_long_path_is_reached)
{
	struct buf	*deep = test_buf(), *why = test_buf(), *long_path = test_buf();
	struct exchange	 x;
	int		 fd = peer_listen(path, why);

	assert_true(fd >= 0);
	buf_printf(deep, "%s/", dir);
	for (int i = 0; i < 100; i++)
		buf_putc(deep, 'd');
	assert_int_equal(mkdir(buf_str(deep), 0700), 0);
	buf_printf(long_path, "%s/s", buf_str(deep));
	assert_int_equal(rename(path, buf_str(long_path)), 0);
	run_at(&x, buf_str(long_path), job_now_ns());
	assert_int_equal(x.end, EXCHANGE_SILENT);	/* it is there, and does not answer */
	exchange_release(&x);
	assert_int_equal(peer_listen(buf_str(long_path), why), -1);
	assert_non_null(strstr(buf_str(why), "File name too long"));
	close(fd);
}

TEST(several_are_asked_at_a_time)
{
	struct exchange	 x[3];
	struct buf	*why = test_buf();
	struct peer	 p = { .fd = peer_listen(path, why), .bytes = FIVE, .len = FIVE_LEN };
	atomic_bool	 cancel = false;

	assert_int_equal(pthread_create(&p.thread, NULL, serve, &p), 0);
	for (int i = 0; i < 3; i++) {
		exchange_init(&x[i], i == 1 ? path : i == 0 ? "/nonexistent/a" : dir);
		buf_puts(&x[i].request, ASKED);
	}
	exchange_run(x, 3, LATER, &cancel);
	assert_int_equal(pthread_join(p.thread, NULL), 0);
	assert_int_equal(x[0].end, EXCHANGE_GONE);
	assert_int_equal(x[1].end, EXCHANGE_ANSWERED);
	assert_int_equal(x[2].end, EXCHANGE_STALE);	/* a folder: nobody listens */
	for (int i = 0; i < 3; i++)
		exchange_release(&x[i]);
	/* Cancelled, it does not wait for the time. */
	cancel = true;
	exchange_init(&x[0], path);
	buf_puts(&x[0].request, ASKED);
	exchange_run(x, 1, LATER, &cancel);
	assert_int_equal(x[0].end, EXCHANGE_SILENT);
	exchange_release(&x[0]);
	close(p.fd);
	assert_int_equal(unlink(path), 0);
}

TEST(a_port_is_for_its_user_and_takes_the_place_of_one_that_is_left_over)
{
	struct buf	*why = test_buf();
	struct stat	 st;
	int		 fd = peer_listen(path, why), again;

	assert_true(fd >= 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(peer_accept(fd), -1);
	assert_int_equal(peer_listen(path, why), -1);
	assert_non_null(strstr(buf_str(why), "/socket: another program listens there"));
	close(fd);
	again = peer_listen(path, why);
	assert_true(again >= 0);
	close(again);
	assert_int_equal(unlink(path), 0);
	buf_clear(why);
	assert_int_equal(peer_listen(dir, why), -1);
	assert_non_null(strstr(buf_str(why), ": this is not a socket"));
	buf_clear(why);
	assert_int_equal(peer_listen("/nonexistent/x", why), -1);
	assert_string_equal(buf_str(why), "/nonexistent/x: No such file or directory");
	buf_clear(why);
	assert_int_equal(peer_listen("", why), -1);
	assert_string_equal(buf_str(why), ": No such file or directory");
}

TEST(what_an_error_of_the_runtime_means_is_said)
{
	static const struct {
		uint32_t	 error;
		const char	*text;
	} of[] = {
		{ 0x80131384, "it rejects the request as malformed" },
		{ 0x80131385, "its runtime is too old for that" },
		{ 0x80131386, "it speaks another version of the protocol" },
		{ 0x80004005, "it failed; a process allows at most 64 sessions" },
		{ 0x80131515, "it does not support that" },
		{ 0x8013135b, "it is still starting" },
		{ 0x80131371, "it is still starting" },
		{ 0x000012ab, "error 0x000012ab" },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct buf	*why = test_buf();

		answer_why(of[i].error, why);
		assert_string_equal(buf_str(why), of[i].text);
	}
}

/* ---- the clients of a port */

/* An answer: OK with the payload, or an error. */
static void
answer(struct exchange *x, uint8_t error, const char *payload, size_t len)
{
	exchange_init(x, "");
	x->end = EXCHANGE_ANSWERED;
	buf_add(&x->answer, "DOTNET_IPC_V1", 14);
	buf_putc(&x->answer, (char)(MESSAGE_HEADER + len));
	buf_add(&x->answer, "\0\xff", 2);
	buf_putc(&x->answer, (char)error);
	buf_add(&x->answer, "\0\0", 2);
	buf_add(&x->answer, payload, len);
}

/* Pid 7, a cookie, a command line of these two letters, empty texts. */
#define INFO1	"\7\0\0\0\0\0\0\0" "0123456789abcdef" "\3\0\0\0a\0b\0\0\0" "\0\0\0\0" "\0\0\0\0"
#define TOO_OLD	"\x85\x13\x13\x80"

TEST(an_old_runtime_is_asked_for_less_until_it_has_a_name)
{
	struct clients	 cs = { .v = NULL };
	struct advert	 who = { .pid = 7 };
	struct client	*c = client_add(&cs, &who);
	struct exchange	 x;
	enum request	 r;

	assert_true(client_is_pending(c) && client_wants(c, &r));
	assert_int_equal(r, REQUEST_INFO3);
	c->busy = true;
	assert_false(client_wants(c, &r));
	c->busy = false;
	answer(&x, 0xff, TOO_OLD, 4);
	assert_true(client_answer(c, &x));
	assert_true(client_wants(c, &r));
	assert_int_equal(r, REQUEST_INFO2);
	assert_true(client_answer(c, &x));
	assert_true(client_wants(c, &r));
	assert_int_equal(r, REQUEST_INFO1);
	exchange_release(&x);
	assert_null(client_next(&cs));
	answer(&x, 0, INFO1, sizeof INFO1 - 2);		/* a byte is missing */
	assert_false(client_answer(c, &x));
	exchange_release(&x);
	answer(&x, 0, INFO1, sizeof INFO1 - 1);
	x.end = EXCHANGE_CLOSED;
	assert_false(client_answer(c, &x));
	x.end = EXCHANGE_ANSWERED;
	assert_true(client_answer(c, &x));
	exchange_release(&x);
	assert_string_equal(c->name, "ab");
	assert_false(client_is_pending(c));
	assert_ptr_equal(client_next(&cs), c);
	assert_null(client_next(&cs));
	c->resume = true;
	assert_true(client_is_pending(c) && client_wants(c, &r));
	assert_int_equal(r, REQUEST_RESUME);
	answer(&x, 0, "", 0);
	assert_true(client_answer(c, &x));
	exchange_release(&x);
	assert_false(client_is_pending(c));
	clients_release(&cs);
	/* The oldest one too knows no such request: it has no name. */
	c = client_add(&cs, &who);
	answer(&x, 0xff, TOO_OLD, 4);
	for (int i = 0; i < 3; i++)
		assert_true(client_answer(c, &x));
	assert_string_equal(c->name, "");
	exchange_release(&x);
	clients_release(&cs);
}

TEST(of_many_clients_the_oldest_goes_and_each_is_found_by_its_cookie)
{
	struct clients	 cs = { .v = NULL };
	struct advert	 who = { .pid = 0 };
	struct client	*c;

	for (uint64_t i = 0; i < 4097; i++) {
		memcpy(who.cookie, &i, sizeof i);
		who.pid = i;
		assert_non_null(client_add(&cs, &who));
	}
	assert_int_equal(cs.n, 4096);
	assert_int_equal(cs.v[0].who.pid, 1);
	assert_int_equal(cs.v[4095].who.pid, 4096);
	memset(who.cookie, 0, sizeof who.cookie);
	assert_null(client_find(&cs, who.cookie));
	who.cookie[0] = 5;
	c = client_find(&cs, who.cookie);
	assert_int_equal(c->who.pid, 5);
	client_remove(&cs, c);
	assert_int_equal(cs.n, 4095);
	assert_int_equal(c->who.pid, 6);
	assert_null(client_find(&cs, who.cookie));
	/* Those that have answered wait for their turn, the oldest first, and not too many. */
	for (size_t i = 10; i < 10 + 255; i++)
		cs.v[i].state = CLIENT_NEW;
	assert_non_null(client_add(&cs, &who));
	cs.v[300].state = CLIENT_NEW;
	assert_null(client_add(&cs, &who));
	assert_ptr_equal(client_next(&cs), &cs.v[10]);
	assert_non_null(client_add(&cs, &who));
	clients_release(&cs);
}

/* ---- the sockets of a folder */

static void
make_socket(const char *name, time_t changed)
{
	struct timespec		 at[2] = { { changed, 0 }, { changed, 0 } };
	struct buf		*b = test_buf(), *why = test_buf();
	int			 fd;

	buf_printf(b, "%s/%s", dir, name);
	fd = peer_listen(buf_str(b), why);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(utimensat(AT_FDCWD, buf_str(b), at, 0), 0);
}

TEST(a_program_has_the_socket_of_its_start_or_the_newest)
{
	struct folders			 f = { .n = 0 };
	const struct folder_socket	*s;
	uint32_t			 own = geteuid();
	struct buf			*b = test_buf();
	int				 fd;

	make_socket("dotnet-diagnostic-7-100-socket", 50);
	make_socket("dotnet-diagnostic-7-200-socket", 90);
	make_socket("dotnet-diagnostic-7-300-socket", 70);
	make_socket("dotnet-diagnostic-12-5-socket", 70);
	make_socket("dotnet-diagnostic-3-5-socket", 70);
	make_socket("dotnet-diagnostic-9-5-sockets", 70);
	make_socket("dotnet-diagnostic-9-socket", 70);
	buf_printf(b, "%s/dotnet-diagnostic-8-5-socket", dir);
	fd = open(buf_str(b), O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	s = folders_find(&f, dir, 7, 100, own);
	assert_non_null(s);
	assert_int_equal(s->key, 100);
	assert_string_equal(s->name, "dotnet-diagnostic-7-100-socket");
	assert_int_equal(s->changed, INT64_C(50000000000));
	assert_int_equal(s->uid, own);
	s = folders_find(&f, dir, 7, 555, own);
	assert_int_equal(s->key, 200);
	assert_int_equal(folders_find(&f, dir, 12, 5, own)->pid, 12);
	assert_int_equal(folders_find(&f, dir, 3, 6, own)->pid, 3);
	assert_null(folders_find(&f, dir, 8, 5, own));	/* a file */
	assert_null(folders_find(&f, dir, 9, 5, own));
	assert_null(folders_find(&f, dir, 13, 5, own));
	assert_null(folders_find(&f, "/nonexistent", 7, 100, own));
	assert_null(folders_find(&f, "/dev/null", 7, 100, own));
	if (own != 0)		/* of another user; those of root are of anybody's */
		assert_null(folders_find(&f, dir, 7, 100, own + 1));
	/* The folder is read once, by whatever path. */
	make_socket("dotnet-diagnostic-8000-5-socket", 70);
	buf_clear(b);
	buf_printf(b, "%s/.", dir);
	assert_null(folders_find(&f, buf_str(b), 8000, 5, own));
	assert_int_equal(f.n, 1);
	folders_release(&f);
	assert_non_null(folders_find(&f, buf_str(b), 8000, 5, own));
	folders_release(&f);
}

/*
 * A session until its end: its limits, the stop, silence after it. The program is a thread here
 * that takes the request, sends a few bytes, and is asked to stop.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/test.h"
#include "app/exit.h"
#include "app/receive.h"
#include "live/peer.h"
#include "tnav/base/job.h"
#include "tnav/live/session.h"

#define MS		INT64_C(1000000)
#define STREAM		"Nettrace, as far as it came"
#define REQUESTS_MOST	8

struct program {
	char		folder[32], path[48];
	int		fd;			/* that it listens on */
	struct job	*job;
	atomic_bool	over;
	atomic_uint	stops;			/* that it was asked for */
	unsigned	more;			/* bytes that it sends after the stop, one by one */
	atomic_size_t	much;			/* bytes that it sends as they are taken */
};

/* A request whole, of which only the command matters: it is at byte 16. */
static int
take_request(int fd, uint8_t head[20])
{
	size_t	n = 0;

	while (n < 20) {
		long	got = peer_read(fd, head + n, 20 - n);

		if (got <= 0)
			return -1;
		n += (size_t)got;
	}
	for (size_t left = (size_t)(head[14] | head[15] << 8) - 20; left > 0; ) {
		uint8_t	rest[512];
		long	got = peer_read(fd, rest, left < sizeof rest ? left : sizeof rest);

		if (got <= 0)
			return -1;
		left -= (size_t)got;
	}
	return head[16] << 8 | head[17];
}

static void
send_much(struct program *p, int stream)
{
	static const uint8_t	bytes[65536];
	size_t			left = atomic_load(&p->much);
	ssize_t			n = send(stream, bytes, left < sizeof bytes ? left : sizeof bytes,
				    MSG_DONTWAIT);

	if (n > 0)
		atomic_store(&p->much, left - (size_t)n);
}

/* It never answers the stop, and its stream never ends. */
static void
run_program(void *arg)
{
	static const uint8_t	answer[28] = { 'D', 'O', 'T', 'N', 'E', 'T', '_', 'I', 'P', 'C', '_',
				    'V', '1', 0, 28, 0, 0xff, 0, 0, 0, 7 };
	struct program		*p = arg;
	int			 open[REQUESTS_MOST], stream = -1;
	size_t			 n = 0;
	uint8_t			 head[20];

	while (!atomic_load(&p->over)) {
		int	fd = n < REQUESTS_MOST ? peer_accept(p->fd) : -1;

		if (fd < 0 && stream >= 0 && atomic_load(&p->much) > 0) {
			send_much(p, stream);
		} else if (fd < 0) {
			usleep(1000);
			if (atomic_load(&p->stops) > 0 && p->more > 0) {
				p->more--;
				assert_int_equal(write(stream, "+", 1), 1);
				usleep(20000);
			}
		}
		if (fd < 0)
			continue;
		open[n++] = fd;
		if (take_request(fd, head) == REQUEST_STOP) {
			atomic_fetch_add(&p->stops, 1);
			continue;
		}
		stream = fd;
		assert_int_equal(write(fd, answer, sizeof answer), sizeof answer);
		assert_int_equal(write(fd, STREAM, strlen(STREAM)), strlen(STREAM));
	}
	while (n > 0)
		close(open[--n]);
}

static void
program_begin(struct program *p, unsigned more)
{
	struct buf	*why = test_buf();

	*p = (struct program){ .folder = "/tmp/tnav-test-XXXXXX", .more = more };
	assert_non_null(mkdtemp(p->folder));
	snprintf(p->path, sizeof p->path, "%s/socket", p->folder);
	p->fd = peer_listen(p->path, why);
	assert_true(p->fd >= 0);
	p->job = job_start(run_program, p);
	assert_non_null(p->job);
}

static void
program_end(struct program *p)
{
	atomic_store(&p->over, true);
	job_join(p->job);
	close(p->fd);
	unlink(p->path);
	rmdir(p->folder);
}

static struct session *
session_of(struct program *p, int out)
{
	const struct collect_provider	 one = { .name = "P" };
	const struct collect		 c = { .provider = &one, .n = 1, .buffer_mb = 1 };
	const struct session_peer	 peer = { .socket = p->path };
	struct session			*s;
	struct buf			*notes = test_buf(), *why = test_buf();

	assert_int_equal(session_start(&s, &peer, &c, out, -1, 60000 * MS, NULL, notes, why), 0);
	return s;
}

/* What it comes to, and the file; silence is what is waited for. */
static void
check_silence(unsigned more)
{
	const struct options	 o = { .given = { false } };
	FILE			*f = tmpfile();
	struct program		 p;
	struct receive		 r;
	struct session_state	 st;
	char			 kept[256] = "";
	size_t			 n = strlen(STREAM) + more;

	assert_non_null(f);
	program_begin(&p, more);
	assert_int_equal(receive_limits(&r, &o), 0);
	assert_int_equal(r.silence_ns, 10000 * MS);
	r.silence_ns = 1500 * MS;		/* a loaded machine may stop a thread for long */
	receive_begin(&r, session_of(&p, fileno(f)));
	do
		session_wait(r.session, MS, &st);
	while (st.received < strlen(STREAM));
	receive_stop(&r);
	receive_all(&r, false, &st);
	assert_true(r.silent);
	assert_false(r.at_once);
	assert_false(st.whole);
	assert_int_equal(st.written, n);
	assert_int_equal(receive_tell(&r, &st, "it"), EXIT_DAMAGED);
	assert_int_equal(pread(fileno(f), kept, sizeof kept, 0), n);
	assert_memory_equal(kept, STREAM, strlen(STREAM));
	session_free(r.session);
	program_end(&p);
	assert_int_equal(p.more, 0);
	assert_int_equal(atomic_load(&p.stops), 1);
	fclose(f);
}

TEST(silence_after_the_stop_ends_it)
{
	check_silence(0);
}

/* Each byte starts the time anew: all of them together take longer than it. */
TEST(bytes_after_the_stop_keep_it)
{
	check_silence(90);
}

/* A pipe that takes nothing, and that can be read without waiting. */
static void
full_pipe(int end[2])
{
	static const char	bytes[4096];

	assert_int_equal(pipe2(end, O_NONBLOCK), 0);
	while (write(end[1], bytes, sizeof bytes) > 0)
		;
	assert_int_equal(fcntl(end[1], F_SETFL, 0), 0);
}

/* What is not read because the disk is behind is not the program's silence, which begins only when
   some of it is written. The program sends a queue of bytes, and more. */
static void
check_slow_disk(size_t more)
{
	const struct options	 o = { .given = { false } };
	const size_t		 queue = (size_t)64 << 20;
	char			 bytes[65536];
	int			 out[2];
	struct program		 p;
	struct receive		 r;
	struct session_state	 st;

	signal(SIGPIPE, SIG_IGN);
	full_pipe(out);
	program_begin(&p, 0);
	atomic_store(&p.much, queue - strlen(STREAM) + more);
	assert_int_equal(receive_limits(&r, &o), 0);
	r.silence_ns = 1500 * MS;		/* as above */
	receive_begin(&r, session_of(&p, out[1]));
	do
		session_wait(r.session, MS, &st);
	while (st.received < queue);
	receive_stop(&r);
	usleep(2000000);
	receive_look(&r, &st);
	assert_false(r.silent);
	do {
		(void)!read(out[0], bytes, sizeof bytes);
		session_look(r.session, &st);
	} while (st.written == 0);
	receive_look(&r, &st);
	assert_false(r.silent);
	close(out[0]);					/* now the disk is full */
	receive_all(&r, false, &st);
	assert_true(r.silent);
	assert_int_equal(st.write_error, EPIPE);
	assert_int_equal(st.received, queue + more);
	session_free(r.session);
	program_end(&p);
	close(out[1]);
}

TEST(a_slow_disk_is_no_silence)
{
	check_slow_disk(16 << 20);
}

TEST(silence_begins_when_the_disk_is_no_longer_behind)
{
	check_slow_disk(0);
}

/* No thread has room for its stack of 64 TiB. */
static void
allow_threads(bool allow)
{
	static size_t	usual;
	pthread_attr_t	attr;

	assert_int_equal(pthread_getattr_default_np(&attr), 0);
	if (usual == 0)
		assert_int_equal(pthread_attr_getstacksize(&attr, &usual), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, allow ? usual : (size_t)1 << 46), 0);
	assert_int_equal(pthread_setattr_default_np(&attr), 0);
	pthread_attr_destroy(&attr);
}

static void
nothing(void *arg)
{
	(void)arg;
}

TEST(the_stop_needs_no_new_thread)
{
	FILE			*f = tmpfile();
	struct program		 p;
	struct session		*s;
	struct session_state	 st;

	assert_non_null(f);
	program_begin(&p, 0);
	s = session_of(&p, fileno(f));
	allow_threads(false);
	assert_null(job_start(nothing, NULL));
	session_stop(s);
	session_stop(s);
	session_look(s, &st);
	assert_int_equal(st.phase, SESSION_STOPPING);
	for (unsigned i = 0; i < 60000 && atomic_load(&p.stops) == 0; i++)
		usleep(1000);
	allow_threads(true);
	session_free(s);
	program_end(&p);
	assert_int_equal(atomic_load(&p.stops), 1);
	fclose(f);
}

/* ---- limits */

TEST(a_duration_is_exact_or_refused)
{
	static const struct {
		const char	*text;
		int64_t		 s;		/* 0: refused */
	} rows[] = {
		{ "00:00:00:30", 30 }, { "01:00:00", 3600 }, { "1:02:03:04", 93784 },
		{ "20000:23:59:59", INT64_C(1728086399) }, { "213503:23:34:40", 0 },
		{ "1000000:00:00:00", 0 }, { "00:1000000:00:00", 0 }, { "1:99999999999:0", 0 },
		{ "18446744073709551616:0:0", 0 }, { "0:0:0", 0 }, { "1:2", 0 }, { "1:2:3:4:5", 0 },
		{ "-1:0:0", 0 }, { "1::2", 0 }, { "1:+2:3", 0 }, { "1: 2:3", 0 }, { "+1:2:3", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct options	o = { .given = { [OPT_DURATION] = true },
					    .text = { [OPT_DURATION] = rows[i].text } };
		struct receive		r;
		int			code = receive_limits(&r, &o);

		if (code != (rows[i].s == 0 ? EXIT_USAGE : 0) ||
		    (code == 0 && r.duration_ns != rows[i].s * 1000 * MS))
			fail_msg("%s: code %d, %lld ns", rows[i].text, code,
			    (long long)r.duration_ns);
	}
}

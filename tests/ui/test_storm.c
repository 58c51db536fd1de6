/*
 * The file changes under the running viewer, again and again, cut, extended, overwritten, while
 * keys are pressed. Whatever the screen then shows, it answers a key after the last change, and Q
 * ends the program. The only clock is the harness's watchdog.
 */
#include <fcntl.h>
#include <unistd.h>

#include "../support/nt4_writer.h"
#include "../support/pty.h"
#include "../support/test.h"
#include "../support/tier.h"

#define EVENTS		120000u
#define POINT_EVERY	3000u
#define BLOCK_EVERY	600u
#define STEPS		40u
#define STEPS_ALL	400u
#define QUIET_MS	15
#define ANSWER_MS	200
#define CHANGE_MOST	300000u

struct storm {
	char		 path[128];
	int		 fd;
	uint64_t	 random;
	size_t		 size;
	struct nt4_writer w;
};

static uint64_t
next_random(struct storm *s, uint64_t n)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (s->random >> 33) % n;
}

static void
write_trace(struct nt4_writer *w)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint64_t			tids[3] = { 10, 11, 12 };
	uint32_t			seqs[3] = { 0 };

	nt4_begin(w, NULL, "Storm", "Number", fields, 1);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t		payload[4] = { (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16), 0 };
		unsigned	k = i / 100 % 3;

		nt4_event(w, &(struct nt4_event){ .mid = 1, .tid = tids[k], .capture = tids[k],
		    .seq = ++seqs[k], .ts = i + 1, .payload = payload, .size = 4 });
		if ((i + 1) % BLOCK_EVERY == 0)
			nt4_block_end(w);
		if ((i + 1) % POINT_EVERY == 0)
			nt4_sequence_point(w, i + 1, 3, tids, seqs);
		if ((i + 1) % BLOCK_EVERY == 0 && i + 1 < EVENTS)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
	}
	nt4_end(w);
}

static void
storm_begin(struct storm *s)
{
	const char	*tmp = getenv("TMPDIR");

	memset(s, 0, sizeof *s);
	s->random = check_seed();
	write_trace(&s->w);
	s->size = s->w.len;
	snprintf(s->path, sizeof s->path, "%s/tnav-storm-XXXXXX", tmp ? tmp : "/tmp");
	s->fd = mkstemp(s->path);
	assert_true(s->fd >= 0);
	assert_int_equal(write(s->fd, s->w.p, s->w.len), (ssize_t)s->w.len);
}

static void
storm_end(struct storm *s)
{
	close(s->fd);
	unlink(s->path);
	nt4_release(&s->w);
}

/* Write so many bytes at off: of one kind, random, or what once stood there or elsewhere. */
static void
put_bytes(struct storm *s, size_t off, size_t len)
{
	uint8_t		*p = malloc(len + 1);
	uint64_t	 kind = next_random(s, 4);

	assert_non_null(p);
	memset(p, (int)next_random(s, 3) * 0x7f, len);
	for (size_t i = 0; i < len && kind == 1; i++)
		p[i] = (uint8_t)next_random(s, 256);
	if (kind > 1) {
		size_t	from = kind == 2 ? off : (size_t)next_random(s, s->w.len);

		if (from > s->w.len)
			from = 0;
		if (len > s->w.len - from)
			len = s->w.len - from;
		memcpy(p, s->w.p + from, len);
	}
	assert_int_equal(pwrite(s->fd, p, len, (off_t)off), (ssize_t)len);
	free(p);
	if (off + len > s->size)
		s->size = off + len;
}

static void
change_file(struct storm *s)
{
	size_t	len = (size_t)next_random(s, CHANGE_MOST) + 1;

	switch (next_random(s, 5)) {
	case 0:
		s->size = (size_t)next_random(s, s->size + 1);
		assert_int_equal(ftruncate(s->fd, (off_t)s->size), 0);
		break;
	case 1:
		put_bytes(s, s->size, len);
		break;
	case 2:
		s->size = s->w.len;		/* as long as it was, with a hole */
		assert_int_equal(ftruncate(s->fd, (off_t)s->size), 0);
		break;
	default:
		put_bytes(s, (size_t)next_random(s, s->size + 1), len);
		break;
	}
}

static void
press_keys(struct storm *s, struct pty *p)
{
	static const char *const	keys[] = {
		"j", "k", "G", "g", "\006", "\002", "/n=119\r", "n", "N", "\t", "\r", "\033",
		"ftid = 11\r", "X", "z", "+", "-", "]", "[", "b", "R", "t", "s", "=", "G\006g",
		"fpayload.n > 500 and payload.n < 90000\r",
	};

	pty_send(p, keys[next_random(s, sizeof keys / sizeof *keys)]);
	pty_drain(p, QUIET_MS);
}

/*
 * It answers a key, out of whatever prompt or pane the keys before led into; then it ends. On a
 * busy machine Esc and what follows may be taken for one key: then both are pressed again.
 */
static void
answers(struct pty *p)
{
	while (!pty_has(p, "\xe2\x96\xb8 help")) {
		assert_true(pty_running(p));
		pty_send(p, "\033");
		pty_settle(p);
		pty_send(p, "?");
		pty_drain(p, ANSWER_MS);
	}
	pty_quit(p, "Q", 0);
}

TEST(the_screen_answers_after_a_storm_of_changes)
{
	unsigned	steps = check_all() ? STEPS_ALL : STEPS;
	struct storm	s;
	struct pty	*p;

	storm_begin(&s);
	p = pty_tnav(NULL, s.path, 24, 100, NULL);
	pty_wait_text(p, "n=9");
	for (unsigned i = 0; i < steps; i++) {
		if (!pty_running(p))
			fail_msg("the program ended at step %u", i);
		change_file(&s);
		press_keys(&s, p);
	}
	answers(p);
	storm_end(&s);
}

/* All that was there is overwritten: no row can be had, and each is asked for. */
TEST(the_screen_answers_when_nothing_can_be_read)
{
	struct storm	 s;
	struct pty	*p;
	uint8_t		*junk;

	storm_begin(&s);
	p = pty_tnav(NULL, s.path, 24, 100, NULL);
	pty_wait_text(p, "n=9");
	junk = malloc(s.size);
	assert_non_null(junk);
	memset(junk, 5, s.size);		/* as objects of the format begin */
	assert_int_equal(pwrite(s.fd, junk, s.size, 0), (ssize_t)s.size);
	free(junk);
	pty_send(p, "G\002\002g/n=7\rfpayload.n > 5\rG");
	pty_drain(p, QUIET_MS);
	answers(p);
	storm_end(&s);
}

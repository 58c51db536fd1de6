/*
 * Receiving a session until its end.
 *
 *	receive_look()	limits -> session_stop() once; silence -> session_cut()
 *	receive_all()	signals -> receive_stop(); waits; a line of progress
 *
 * Invariant: `stopped` is the time of the stop. Silence is measured from then, or from the last
 * byte after it.
 */
#include "app/receive.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/opening.h"
#include "app/stopping.h"
#include "app/target.h"
#include "app/unheard.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define MOST_S		UINT64_C(2000000000)	/* 63 years, so that the parts do not overflow */
#define TURN_NS		(NS_PER_S / 10)
/* A snapshot of the heap is whole when the collection ends in which objects were written. */
#define WALK		"provider = Microsoft-Windows-DotNETRuntime and id = 18"
#define WALK_END	"provider = Microsoft-Windows-DotNETRuntime and id = 2"
#define UNTIL_NS	(NS_PER_S / 50)		/* of each wait, with --until */
#define INDEX_MS	100			/* of waiting, between two looks at signals */
#define HINT_NS		(5 * NS_PER_S)		/* then silent providers are reported */
#define SILENCE_S	10			/* after the stop; then the session is given up */
#define WARN_NS		(2 * NS_PER_S)		/* of it; then a message says what is waited for */

/* ---- limits */

/* 30s, 5m, or dd:hh:mm:ss as in dotnet-trace, in digits alone. ERR_LIMIT: longer than 63 years. */
static int
parse_duration(const char *s, int64_t *ns)
{
	static const int64_t	unit[] = { 1, 60, 3600, 86400 };
	uint64_t		part[4] = { 0 };
	unsigned		n = 0;
	char			*end;

	if (strchr(s, ':') == NULL)
		return units_parse_dur(s, strlen(s), NS_PER_S, ns) == 0 && *ns > 0 ? 0 : ERR_USAGE;
	while (n < 4) {
		part[n++] = strtoull(s, &end, 10);
		if (*s < '0' || *s > '9' || (*end != ':' && *end != '\0'))
			return ERR_USAGE;
		s = end + 1;
		if (*end == '\0')
			break;
	}
	if (*end != '\0' || n < 3)		/* 1:30 is ambiguous: dotnet-trace reads it as
						   hours */
		return ERR_USAGE;
	*ns = 0;
	for (unsigned i = 0; i < n; i++) {
		if (part[i] > MOST_S / (uint64_t)unit[n - 1 - i])
			return ERR_LIMIT;
		*ns += (int64_t)part[i] * unit[n - 1 - i] * NS_PER_S;
	}
	return *ns > 0 ? 0 : ERR_USAGE;
}

int
receive_limits(struct receive *r, const struct options *o)
{
	const char	*time = o->text[OPT_DURATION];
	int		 rc = 0;

	*r = (struct receive){ .o = o, .silence_ns = SILENCE_S * NS_PER_S, .copy = -1, .pipe = -1,
	    .until_eof = o->given[OPT_UNTIL_EOF] };
	if (o->given[OPT_DURATION])
		rc = parse_duration(time, &r->duration_ns);
	if (rc != 0)
		return exit_usage("--duration: %s: '%s' (30s, 5m, 00:00:00:30)",
		    rc == ERR_LIMIT ? "too long" : "not a time", time);
	if (o->given[OPT_MAX_SIZE] && (units_parse_bytes(o->text[OPT_MAX_SIZE],
	    strlen(o->text[OPT_MAX_SIZE]), &r->max_size) != 0 || r->max_size == 0))
		return exit_usage("--max-size: not a size: '%s' (500MB, 2GiB)",
		    o->text[OPT_MAX_SIZE]);
	return until_option("--until", o->text[OPT_UNTIL]);
}

struct receive
receive_like(const struct receive *r)
{
	return (struct receive){ .o = r->o, .duration_ns = r->duration_ns,
	    .max_size = r->max_size, .silence_ns = r->silence_ns, .choice = r->choice,
	    .pid = r->pid, .host = r->host, .keeps = r->keeps, .counter = r->counter, .copy = -1,
	    .pipe = -1, .until_eof = r->until_eof };
}

void
receive_begin(struct receive *r, struct session *s)
{
	r->session = s;
	r->begun = job_now_ns();
}

/* ---- reading the received data */

void
receive_watch(struct receive *r, const char *path, int fd)
{
	struct trace_options	o = { .eager = true, .workers = 1 };

	r->opening = mem_alloc(sizeof *r->opening);
	if (opening_begin_fd(r->opening, path, fd, r->session, &o))
		return;
	mem_free(r->opening);
	r->opening = NULL;
}

void
receive_watch_no_more(struct receive *r)
{
	if (r->opening == NULL)
		return;
	task_halt(&r->opening->task);
	until_free(r->until);
	trace_close(r->opening->t);
	opening_release(r->opening);
	mem_free(r->opening);
	r->opening = NULL;
	r->trace = NULL;
	r->until = NULL;
}

static void
take_trace(struct receive *r)
{
	const char	*until = r->o->text[r->keeps ? OPT_WHEN : OPT_UNTIL];

	task_halt(&r->opening->task);
	r->trace = r->opening->t;
	if (r->trace == NULL) {
		r->unreadable = r->opening->err == ERR_FORMAT;
		if (until != NULL)
			message_put("%s: the stream cannot be read: %s",
			    r->keeps ? "--when" : "--until", buf_str(&r->opening->why));
		receive_watch_no_more(r);
		return;
	}
	(void)trace_follow(r->trace, true, NULL);
	trace_index_start(r->trace);
	if (r->counter != NULL)
		r->until = until_new_counter(r->trace, r->counter);
	else if (until != NULL)
		r->until = until_new(r->trace, until, NULL);
	else if (!r->keeps && target_takes_heap(r->o))
		r->until = until_new(r->trace, WALK_END, WALK);
}

/* Of a copy only the part is kept that may still be read. */
static void
empty_copy(struct receive *r)
{
	struct trace_progress	p;

	if (r->copy < 0 || r->trace == NULL)
		return;
	trace_progress(r->trace, &p);
	file_empty(r->copy, r->emptied, p.final);
	r->emptied = p.final;
}

/* "4,800,321 events, none lost", of the events read so far. */
static void
put_counts(struct buf *out, struct trace *t, const char *known)
{
	struct trace_progress	p;
	struct loss		loss;

	trace_progress(t, &p);
	trace_loss(t, &loss);
	buf_counts(out, "# event{s}, ", p.events);
	if (loss.lost == 0)
		buf_puts(out, "none");
	else
		buf_grouped(out, loss.lost);
	buf_printf(out, " %slost", known);
}

static void
count_progress(struct progress_line *p, struct trace *t)
{
	struct trace_progress	now;
	struct loss		loss;

	p->counted = t != NULL;
	if (t == NULL)
		return;
	trace_progress(t, &now);
	trace_loss(t, &loss);
	p->events = now.events;
	p->lost = loss.lost;
}

bool
receive_await_index(const struct receive *r, struct trace *t, const char *text)
{
	struct progress_line	p;
	unsigned		before = stopping_count();
	bool			all = false;

	progress_init(&p, r->o->given[OPT_PROGRESS]);
	p.work = "counting";
	while (!all && stopping_count() == before) {
		progress_tick(&p, text, 0, 0);
		all = trace_index_wait(t, INDEX_MS);
	}
	progress_end(&p);
	return all;
}

static void
put_final_counts(struct buf *out, const struct receive *r, const struct session_state *st)
{
	struct loss	loss;

	if (r->trace == NULL)
		return;
	if (!receive_await_index(r, r->trace, "counting the events (Ctrl-C skips them)")) {
		buf_puts(out, ", not all events counted");
		return;
	}
	buf_puts(out, ", ");
	put_counts(out, r->trace, st->whole && st->copy_error == 0 ? "" : "known to be ");
	trace_loss(r->trace, &loss);
	if (loss.lost > 0)
		buf_puts(out, " (a larger --buffersize loses fewer)");
}

/* ---- the end */

void
receive_stop(struct receive *r)
{
	if (r->stopped == 0) {
		r->stopped = job_now_ns();
		session_stop(r->session);
		return;
	}
	r->at_once = true;
	session_cut(r->session);
}

void
receive_signals(struct receive *r)
{
	for (; r->taken < stopping_count(); r->taken++)
		receive_stop(r);
}

static bool
is_full(const struct receive *r, const struct session_state *st)
{
	return st->write_error != 0 ||
	    (r->duration_ns > 0 && job_now_ns() - r->begun >= r->duration_ns) ||
	    (r->max_size > 0 && st->received >= r->max_size);
}

/* Has the reader of what is written gone, or who started this program with --until-eof? */
static bool
is_hung_up(const struct receive *r)
{
	struct pollfd	at[] = { { .fd = r->pipe, .events = 0 },
			    { .fd = r->until_eof ? STDIN_FILENO : -1, .events = POLLIN } };
	char		bytes[256];

	if (poll(at, 2, 0) <= 0)
		return false;
	return at[0].revents != 0 ||
	    (at[1].revents != 0 && read(STDIN_FILENO, bytes, sizeof bytes) <= 0);
}

/* How long has nothing arrived since the stop? */
static int64_t
silence(const struct receive *r, const struct session_state *st)
{
	return job_now_ns() - (st->last_ns > r->stopped ? st->last_ns : r->stopped);
}

void
receive_look(struct receive *r, struct session_state *st)
{
	session_look(r->session, st);
	if (r->opening != NULL && task_done(&r->opening->task))
		take_trace(r);
	empty_copy(r);
	if (st->phase == SESSION_ENDED)
		return;
	if (!r->arrived && r->until != NULL && until_look(r->until, UNTIL_NS))
		r->arrived = true;
	if (r->stopped == 0 && (is_full(r, st) || (r->arrived && !r->keeps) || is_hung_up(r)))
		receive_stop(r);
	if (r->stopped == 0 || r->at_once || r->silent || r->frozen)
		return;
	r->frozen = r->leaving && session_is_frozen(r->session);
	r->silent = !r->frozen && silence(r, st) > r->silence_ns;
	if (r->frozen || r->silent)
		session_cut(r->session);
}

/* Once, while nothing arrives after the stop. */
static void
tell_silence(struct receive *r, struct progress_line *p, const struct session_state *st)
{
	if (r->warned || r->stopped == 0 || r->at_once || silence(r, st) < WARN_NS)
		return;
	r->warned = true;
	progress_end(p);
	message_note("the program was asked to end the session, but sends nothing; waiting up to "
	    "%d s (a signal ends that)", SILENCE_S);
}

static void
tell_progress(const struct receive *r, struct progress_line *p, bool tty,
    const struct session_state *st)
{
	struct buf	what = { 0 };
	int64_t		s = (job_now_ns() - r->begun) / NS_PER_S;

	if (st->phase == SESSION_STOPPING)
		buf_puts(&what, "stopping, receiving method names (Ctrl-C skips them)");
	else
		buf_printf(&what, "recording %02d:%02d:%02d%s", (int)(s / 3600),
		    (int)(s / 60 % 60), (int)(s % 60), tty ? " (Ctrl-C stops)" : "");
	if (r->trace != NULL) {
		buf_puts(&what, ", ");
		put_counts(&what, r->trace, "");
		buf_putc(&what, ',');
	}
	p->work = st->phase == SESSION_STOPPING ? "stopping" : "recording";
	count_progress(p, r->trace);
	progress_tick(p, buf_str(&what), st->received, 0);
	buf_release(&what);
}

/* Once, after some seconds: which providers are silent, and what can --until not find? */
static void
tell_missing(struct receive *r, struct progress_line *p)
{
	int64_t		wait = HINT_NS;
	struct buf	note = { 0 };

	if (r->o->given[OPT_REFRESH])
		wait += (int64_t)r->o->number[OPT_REFRESH] * NS_PER_S;
	if (r->hinted || r->choice == NULL || r->trace == NULL || job_now_ns() - r->begun < wait)
		return;
	r->hinted = true;
	progress_end(p);
	unheard_tell(r->choice, r->trace, r->pid, true);
	if (r->until != NULL && r->o->given[OPT_UNTIL])
		until_note(r->until, &note);
	if (note.len > 0)
		message_note("--until, so far: %s", buf_str(&note));
	buf_release(&note);
}

void
receive_report(struct receive *r, struct progress_line *p, bool tty, const struct session_state *st)
{
	tell_progress(r, p, tty, st);
	tell_missing(r, p);
	tell_silence(r, p, st);
}

void
receive_finish(struct receive *r)
{
	if (r->opening != NULL && r->trace == NULL)
		take_trace(r);		/* all data arrived at once */
}

void
receive_all(struct receive *r, bool tty, struct session_state *st)
{
	struct progress_line	p;

	progress_init(&p, r->o->given[OPT_PROGRESS]);
	for (receive_look(r, st); st->phase != SESSION_ENDED; receive_look(r, st)) {
		receive_report(r, &p, tty, st);
		receive_signals(r);
		session_wait(r->session, TURN_NS, st);
	}
	receive_finish(r);
	progress_end(&p);
}

bool
receive_arrived(struct receive *r)
{
	if (!r->arrived && r->until != NULL && r->keeps)
		r->arrived = until_look(r->until, NS_PER_S);
	return r->arrived;
}

int
receive_tell(const struct receive *r, const struct session_state *st, const char *name)
{
	struct progress_line	p;
	struct buf		size = { 0 };

	units_bytes(&size, st->written);
	put_final_counts(&size, r, st);
	if (st->write_error != 0)
		message_put("%s: write failed after %" PRIu64 " bytes: %s", name, st->written,
		    strerror(st->write_error));
	else if (st->whole && !r->unreadable)
		message_note("%s: %s", name, buf_str(&size));
	else if (r->at_once)
		message_put("%s: %s, incomplete: stopped at once", name, buf_str(&size));
	else if (r->frozen)
		message_put("%s: %s, incomplete: the program is stopped by a signal or a debugger, "
		    "so the session in it is not ended", name, buf_str(&size));
	else if (r->silent)
		message_put("%s: %s, incomplete: the program sent nothing for %d s; the session in "
		    "it may go on", name, buf_str(&size), SILENCE_S);
	else if (r->host != NULL)
		message_put("%s: %s, incomplete: the connection to %s, or the program there, ended",
		    name, buf_str(&size), r->host);
	else if (st->foreign || st->whole)
		message_put("%s: %s, damaged: the program did not send a trace", name,
		    buf_str(&size));
	else
		message_put("%s: %s, incomplete: the program ended or closed the "
		    "connection", name, buf_str(&size));
	buf_release(&size);
	progress_init(&p, r->o->given[OPT_PROGRESS]);
	p.work = "ended";
	p.begun = r->begun;
	count_progress(&p, r->trace);
	progress_last(&p, st->written);
	if (st->copy_error != 0)
		message_put("not all events are counted: the temporary file for that cannot be "
		    "written: %s: set TMPDIR", strerror(st->copy_error));
	if (r->choice != NULL && r->trace != NULL)
		unheard_tell(r->choice, r->trace, r->pid, false);
	if (st->write_error != 0)
		return EXIT_OUTPUT;
	return st->whole && !r->unreadable ? EXIT_CLEAN : EXIT_DAMAGED;
}

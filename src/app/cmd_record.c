/*
 * tnav record: the events of a running program into a file.
 *
 *	options -> choice -> request --\
 *	process_find() -> socket -------> session -> file
 *	a signal, --duration, --max-size -> one stop -> what is left -> the end mark
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/stopping.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/io/file.h"
#include "tnav/io/output.h"
#include "tnav/live/choice.h"
#include "tnav/live/process.h"
#include "tnav/live/session.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define LIST_WAIT_NS	NS_PER_S
#define START_WAIT_NS	(10 * NS_PER_S)
#define TURN_NS		(NS_PER_S / 10)
#define SILENCE_NS	(30 * NS_PER_S)		/* after the stop: then it is given up */
#define NAME_TRIES	100u

struct record {
	const struct options	*o;
	struct choice		*choice;
	struct process_list	 list;
	const struct process	*p;
	struct file_new		*file;		/* NULL: standard output */
	struct buf		 path;
	int64_t			 duration_ns;	/* 0: none */
	uint64_t		 max_size;	/* 0: none */
	struct session		*session;
	bool			 tty;
};

/* ---- the command line */

static int
wrong(const char *option, struct buf *why)
{
	message_put("%s%s%s", option, option[0] != '\0' ? ": " : "", buf_str(why));
	return EXIT_USAGE;
}

/* 30s, 5m, or dd:hh:mm:ss as dotnet-trace has it. */
static bool
parse_duration(const char *s, int64_t *ns)
{
	static const int64_t	unit[] = { 1, 60, 3600, 86400 };
	uint64_t		part[4] = { 0 };
	unsigned		n = 0;
	char			*end;

	if (strchr(s, ':') == NULL)
		return units_parse_dur(s, strlen(s), NS_PER_S, ns) == 0 && *ns > 0;
	while (n < 4) {
		part[n++] = strtoull(s, &end, 10);
		if (end == s || *s == '-' || (*end != ':' && *end != '\0'))
			return false;
		s = end + 1;
		if (*end == '\0')
			break;
	}
	if (*end != '\0')
		return false;
	*ns = 0;
	for (unsigned i = 0; i < n; i++) {
		if (part[i] > 1000000)
			return false;
		*ns += (int64_t)part[i] * unit[n - 1 - i] * NS_PER_S;
	}
	return *ns > 0;
}

static int
read_limits(struct record *r)
{
	const struct options	*o = r->o;

	if (o->given[OPT_DURATION] && !parse_duration(o->text[OPT_DURATION], &r->duration_ns)) {
		message_put("--duration: not a time: '%s' (30s, 5m, 00:00:00:30)",
		    o->text[OPT_DURATION]);
		return EXIT_USAGE;
	}
	if (o->given[OPT_MAX_SIZE] && (units_parse_bytes(o->text[OPT_MAX_SIZE],
	    strlen(o->text[OPT_MAX_SIZE]), &r->max_size) != 0 || r->max_size == 0)) {
		message_put("--max-size: not a size: '%s' (500MB, 2GiB)", o->text[OPT_MAX_SIZE]);
		return EXIT_USAGE;
	}
	if (o->given[OPT_BUFFER] && (o->number[OPT_BUFFER] == 0 ||
	    o->number[OPT_BUFFER] > INT32_MAX)) {
		message_put("--buffersize: a number of megabytes from 1 on, not %" PRIu64,
		    o->number[OPT_BUFFER]);
		return EXIT_USAGE;
	}
	if (o->given[OPT_CLR_LEVEL] && !o->given[OPT_CLR_EVENTS]) {
		message_put("--clreventlevel needs --clrevents");
		return EXIT_USAGE;
	}
	if (o->given[OPT_REFRESH] && !o->given[OPT_COUNTERS]) {
		message_put("--refresh-interval needs --counters");
		return EXIT_USAGE;
	}
	return 0;
}

static int
read_choice(struct record *r)
{
	const struct options	*o = r->o;
	struct choice		*c = r->choice;
	struct buf		 why;
	int			 code = 0;

	buf_init(&why);
	if (o->given[OPT_RUNDOWN] && choice_rundown(c, o->text[OPT_RUNDOWN], &why) != 0)
		code = wrong("", &why);
	else if (o->given[OPT_PROVIDERS] &&
	    choice_providers(c, o->text[OPT_PROVIDERS], &why) != 0)
		code = wrong("--providers", &why);
	else if (o->given[OPT_PROFILE] && choice_profile(c, o->text[OPT_PROFILE], &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_CLR_EVENTS] && choice_clr_events(c, o->text[OPT_CLR_EVENTS],
	    o->text[OPT_CLR_LEVEL], &why) != 0)
		code = wrong("--clrevents", &why);
	else if (o->given[OPT_COUNTERS] && choice_counters(c, o->text[OPT_COUNTERS],
	    o->given[OPT_REFRESH] ? (unsigned)o->number[OPT_REFRESH] : 1, &why) != 0)
		code = wrong("--counters", &why);
	else if (choice_is_empty(c) &&
	    choice_profile(c, "dotnet-common,dotnet-sampled-thread-time", &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_EVENT_IDS] && choice_events(c, o->text[OPT_EVENT_IDS], &why) != 0)
		code = wrong("--events", &why);
	choice_stacks(c, !o->given[OPT_NO_STACKS]);
	if (o->given[OPT_BUFFER])
		choice_buffer(c, (uint32_t)o->number[OPT_BUFFER]);
	buf_release(&why);
	return code;
}

/* A collection of the whole heap stops the program: it is not done unasked. */
static int
check_heap(struct record *r)
{
	char	answer[8] = "";

	if (!choice_collects_heap(r->choice))
		return 0;
	if (isatty(STDIN_FILENO) != 1 || !r->tty) {
		message_put("these keywords make the program collect its whole heap at once, all "
		    "threads stopped; on a terminal tnav asks before it does that");
		return EXIT_USAGE;
	}
	message_put("these keywords make the program collect its whole heap at once, all threads "
	    "stopped. Go on? (y/n)");
	if (fgets(answer, sizeof answer, stdin) == NULL || (answer[0] != 'y' && answer[0] != 'Y'))
		return EXIT_USAGE;
	return 0;
}

/* ---- the process */

static int
find_process(struct record *r)
{
	const struct options	*o = r->o;
	const char		*what = o->nfiles > 0 ? o->files[0] : o->text[OPT_NAME];
	struct buf		 why;
	size_t			 i;
	int			 code = 0;

	if (o->given[OPT_PID])
		what = o->text[OPT_PID];
	if ((o->nfiles > 0) + o->given[OPT_PID] + o->given[OPT_NAME] > 1) {
		message_put("the process is given twice: by -p, -n, or as a word");
		return EXIT_USAGE;
	}
	process_list_make(&r->list, LIST_WAIT_NS);
	buf_init(&why);
	if (process_find(&r->list, what, &i, &why) != 0) {
		code = wrong("", &why);
	} else if (r->list.v[i].state != PROCESS_READY) {
		message_put("process %" PRIu64 " can't be recorded: %s", r->list.v[i].pid,
		    r->list.v[i].why);
		code = EXIT_USAGE;
	} else {
		r->p = &r->list.v[i];
	}
	buf_release(&why);
	return code;
}

/* ---- the file */

static int
open_default(struct record *r)
{
	struct tm	now;
	time_t		seconds = time(NULL);
	char		date[32];
	struct buf	name;
	int		rc = ERR_IO;

	localtime_r(&seconds, &now);
	strftime(date, sizeof date, "%Y%m%d_%H%M%S", &now);
	buf_init(&name);
	for (const char *s = process_name(r->p); *s != '\0'; s++)
		buf_putc(&name, strchr("/\\ ", *s) != NULL || (unsigned char)*s < ' ' ? '_' : *s);
	if (name.len == 0)		/* a program can take any name */
		buf_putc(&name, '_');
	if (name.p[0] == '.' || name.p[0] == '-')
		name.p[0] = '_';
	errno = EEXIST;
	for (unsigned i = 1; rc != 0 && errno == EEXIST && i <= NAME_TRIES; i++) {
		buf_clear(&r->path);
		buf_printf(&r->path, "%s_%s", buf_str(&name), date);
		if (i > 1)
			buf_printf(&r->path, "_%u", i);
		buf_puts(&r->path, ".nettrace");
		rc = file_new(&r->file, buf_str(&r->path), FILE_PRIVATE);
	}
	buf_release(&name);
	return rc;
}

static int
open_file(struct record *r)
{
	const char	*path = r->o->text[OPT_STREAM];
	int		 rc;

	if (path != NULL && strcmp(path, "-") == 0) {
		if (isatty(STDOUT_FILENO) != 1)
			return 0;
		message_put("a trace is not written to a terminal; give -o FILE");
		return EXIT_USAGE;
	}
	if (path == NULL) {
		rc = open_default(r);
	} else if (output_bare_len(path) < strlen(path)) {
		message_put("%s: a recording is not compressed while it is made; give another name",
		    path);
		return EXIT_USAGE;
	} else {
		buf_puts(&r->path, path);
		rc = file_new(&r->file, buf_str(&r->path), FILE_PRIVATE | FILE_REPLACE);
	}
	if (rc == 0)
		return 0;
	message_put("%s: can't be written: %s", buf_str(&r->path), strerror(errno));
	return EXIT_OUTPUT;
}

/* ---- the session */

static void
tell_lines(const char *lines)
{
	while (*lines != '\0') {
		size_t	len = strcspn(lines, "\n");

		message_put("%.*s", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

static int
start(struct record *r)
{
	const struct collect	*c = choice_collect(r->choice);
	int			 fd = r->file != NULL ? file_new_fd(r->file) : STDOUT_FILENO;
	struct buf		 notes, why;
	int			 rc;

	buf_init(&notes);
	buf_init(&why);
	tell_lines(choice_notes(r->choice));
	rc = session_start(&r->session, r->p->socket, c, fd, START_WAIT_NS, &notes, &why);
	tell_lines(buf_str(&notes));
	if (rc != 0)
		message_put("process %" PRIu64 " (%s) can't be recorded: %s", r->p->pid,
		    process_name(r->p), buf_str(&why));
	buf_release(&notes);
	buf_release(&why);
	if (rc != 0)
		return rc == ERR_NOMEM ? EXIT_RESOURCE : EXIT_USAGE;
	if (r->file != NULL && file_new_place(r->file) != 0) {
		message_put("%s: can't be written: %s", buf_str(&r->path), strerror(errno));
		session_stop(r->session);
		return EXIT_OUTPUT;
	}
	return 0;
}

static void
tell_progress(struct record *r, struct progress *p, const struct session_state *st)
{
	struct buf	what;
	int64_t		s = (job_now_ns() - p->begun) / NS_PER_S;

	buf_init(&what);
	if (st->phase == SESSION_STOPPING)
		buf_puts(&what, "stopping, names of methods are coming (Ctrl-C: without them)");
	else
		buf_printf(&what, "recording %02d:%02d:%02d%s", (int)(s / 3600),
		    (int)(s / 60 % 60), (int)(s % 60), r->tty ? " (Ctrl-C stops)" : "");
	progress_tick(p, buf_str(&what), st->received, 0);
	buf_release(&what);
}

/* Until the stream has ended. True: it was given up. */
static bool
receive(struct record *r, struct session_state *st)
{
	int64_t		begun = job_now_ns(), stopped = 0;
	struct progress	p;
	bool		given_up = false;

	progress_init(&p, r->o->given[OPT_PROGRESS]);
	for (;;) {
		int64_t	now;

		session_wait(r->session, TURN_NS, st);
		if (st->phase == SESSION_ENDED)
			break;
		now = job_now_ns();
		tell_progress(r, &p, st);
		if (stopped == 0 && (stopping_asked() > 0 || st->write_error != 0 ||
		    (r->duration_ns > 0 && now - begun >= r->duration_ns) ||
		    (r->max_size > 0 && st->received >= r->max_size))) {
			stopped = now;
			session_stop(r->session);
		}
		if (stopped == 0)
			continue;
		if (stopping_asked() > 1 ||
		    now - (st->last_ns > stopped ? st->last_ns : stopped) > SILENCE_NS) {
			given_up = true;
			session_cut(r->session);
		}
	}
	progress_end(&p);
	return given_up;
}

static int
tell_result(const struct record *r, const struct session_state *st, bool given_up)
{
	const char	*name = r->file != NULL ? r->path.p : "standard output";
	struct buf	 size;

	buf_init(&size);
	units_bytes(&size, st->written);
	if (st->write_error != 0)
		message_put("%s: write failed after %" PRIu64 " bytes: %s", name, st->written,
		    strerror(st->write_error));
	else if (st->whole)
		message_put("%s: %s", name, buf_str(&size));
	else if (given_up && stopping_asked() > 1)
		message_put("%s: %s, without its end: stopped at once", name, buf_str(&size));
	else if (given_up)
		message_put("%s: %s, without its end: the program sent nothing for 30 s", name,
		    buf_str(&size));
	else
		message_put("%s: %s, without its end: the program has ended or closed the "
		    "connection", name, buf_str(&size));
	buf_release(&size);
	if (st->write_error != 0)
		return EXIT_OUTPUT;
	return st->whole ? EXIT_CLEAN : EXIT_DAMAGED;
}

static int
record(struct record *r)
{
	struct session_state	st = { 0 };
	int			code = start(r);
	bool			given_up;

	if (r->session == NULL) {
		if (r->file != NULL)
			(void)file_new_end(r->file, false);
		return code;
	}
	message_put("recording process %" PRIu64 " (%s)%s%s", r->p->pid, process_name(r->p),
	    r->file != NULL ? " to " : "", r->file != NULL ? buf_str(&r->path) : "");
	given_up = receive(r, &st);
	if (code == 0)
		code = tell_result(r, &st, given_up);
	if (r->file != NULL && file_new_end(r->file, true) != 0 && code < EXIT_OUTPUT) {
		message_put("%s: can't be written: %s", buf_str(&r->path), strerror(errno));
		code = EXIT_OUTPUT;
	}
	return code;
}

int
subcommand_record(const struct options *o)
{
	struct record	r = { .o = o, .tty = isatty(STDERR_FILENO) == 1 };
	int		code;

	buf_init(&r.path);
	r.choice = choice_new();
	code = read_limits(&r);
	if (code == 0)
		code = read_choice(&r);
	if (code == 0)
		code = find_process(&r);
	if (code == 0)
		code = check_heap(&r);
	if (code == 0)
		code = open_file(&r);
	if (code == 0) {
		stopping_begin();
		(void)signal(SIGPIPE, SIG_IGN);	/* a failed write, with EPIPE, like any other */
		code = record(&r);
	}
	session_free(r.session);
	process_list_release(&r.list);
	choice_free(r.choice);
	buf_release(&r.path);
	return code;
}

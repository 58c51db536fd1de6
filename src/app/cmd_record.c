/*
 * tnav record: the events of a running program into a file.
 *
 *	target -> session -> file, or stream and copy
 *	a signal, --duration, --max-size -> one stop -> remaining data -> the end mark
 *	program ends, starts again -> begin_next(): a session, a file of its own
 *
 * Invariant: `next` belongs to the thread that calls begin_next() until that returns true, then to
 * the recorder.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/receive.h"
#include "app/run.h"
#include "app/stopping.h"
#include "app/target.h"
#include "tnav/base/err.h"
#include "tnav/io/file.h"
#include "tnav/io/output.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"

#define NAME_TRIES	10000u
#define NAME_END	".nettrace"
#define WAIT_NS		INT64_C(20000000)

/* A run of the program, and its file. */
struct recorded_run {
	struct receive	 receive;
	struct session	*session;
	struct file_new	*file;		/* or NULL: */
	int		 stream;	/* standard output, a device or a named pipe; else -1 */
	struct buf	 path;
};

struct recording {
	struct target		 target;
	struct recorded_run	 now, next;
	bool			 goes_on;	/* continue with the next run */
};

static void
part_release(struct recorded_run *p)
{
	session_free(p->session);
	if (p->file != NULL)
		(void)file_new_end(p->file, false);
	else if (p->stream > STDERR_FILENO)
		close(p->stream);
	if (p->receive.copy >= 0)
		close(p->receive.copy);
	buf_release(&p->path);
}

/* ---- the file */

/* Open the first of NAME.nettrace, NAME_2.nettrace, ... from the nth on that does not exist. */
static int
open_numbered(struct recorded_run *p, const char *name, unsigned n)
{
	size_t	len = strlen(name), end = strlen(NAME_END);
	bool	ends = len > end && strcmp(name + len - end, NAME_END) == 0;
	int	rc = ERR_IO;

	errno = EEXIST;
	for (; rc != 0 && errno == EEXIST && n <= NAME_TRIES; n++) {
		buf_clear(&p->path);
		buf_add(&p->path, name, ends ? len - end : len);
		if (n > 1)
			buf_printf(&p->path, "_%u", n);
		buf_puts(&p->path, ends ? NAME_END : "");
		rc = file_new(&p->file, buf_str(&p->path), FILE_PRIVATE);
	}
	return rc;
}

static int
open_default(struct recorded_run *p, const struct target *t)
{
	struct buf	name;
	int		rc;

	buf_init(&name);
	target_file_name(t, &name);
	buf_puts(&name, NAME_END);
	rc = open_numbered(p, buf_str(&name), 1);
	buf_release(&name);
	return rc;
}

static int
tell_unwritable(struct recorded_run *p)
{
	message_put("%s: cannot be written: %s", buf_str(&p->path), strerror(errno));
	return EXIT_OUTPUT;
}

/* Open standard output, a device or a named pipe, which cannot be read while it is written. */
static int
open_stream(struct recording *r, const char *path)
{
	struct recorded_run	*p = &r->now;
	bool			 out = strcmp(path, "-") == 0, told = false;
	struct buf		 why;

	if (r->target.o->given[OPT_UNTIL]) {
		message_put("--until needs a file: give -o FILE");
		return EXIT_USAGE;
	}
	buf_puts(&p->path, out ? "standard output" : path);
	do
		p->stream = out ? STDOUT_FILENO : file_open_special(path);
	while (p->stream < 0 && stopping_await_reader(path, &told));
	if (p->stream < 0 && stopping_asked() > 0) {
		message_put("%s: stopped before the named pipe had a reader", path);
		return EXIT_OUTPUT;
	}
	if (p->stream < 0)
		return tell_unwritable(p);
	if (isatty(p->stream) == 1) {
		message_put("cannot write a trace to a terminal; give -o FILE");
		return EXIT_USAGE;
	}
	buf_init(&why);
	p->receive.copy = file_temporary(&why);
	if (p->receive.copy < 0)
		message_put("lost events are not counted: %s", buf_str(&why));
	buf_release(&why);
	return 0;
}

static int
open_file(struct recording *r)
{
	const char		*path = r->target.o->text[OPT_STREAM];
	struct recorded_run	*p = &r->now;
	int			 rc;

	if (p->path.len > 0 && p->file == NULL)
		return 0;			/* the stream is open already */
	if (p->file != NULL)
		(void)file_new_end(p->file, false);
	p->file = NULL;
	buf_clear(&p->path);
	if (path != NULL && (strcmp(path, "-") == 0 || file_is_special(path)))
		return open_stream(r, path);
	if (path == NULL) {
		rc = open_default(p, &r->target);
	} else if (output_bare_len(path) < strlen(path) ||
	    output_refusal(path) != NULL) {
		message_put("%s: a recording cannot be compressed; give another name",
		    path);
		return EXIT_USAGE;
	} else {
		buf_puts(&p->path, path);
		rc = file_new(&p->file, buf_str(&p->path), FILE_PRIVATE | FILE_REPLACE);
	}
	return rc == 0 ? 0 : tell_unwritable(p);
}

/* ---- the session */

static int
start(struct recording *r)
{
	struct recorded_run	*p = &r->now;
	int			 fd = p->file != NULL ? file_new_fd(p->file) : p->stream;
	int			 code = target_start(&r->target, &p->session, fd, p->receive.copy);

	if (code != 0)
		return code;
	receive_begin(&p->receive, p->session);
	if (p->file != NULL && file_new_place(p->file) != 0) {
		code = tell_unwritable(p);
		receive_stop(&p->receive);
	}
	return code;
}

/* Receive until the session has ended, and report the result. */
static int
record_part(struct recording *r)
{
	struct recorded_run	*p = &r->now;
	struct session_state	 st;
	int			 fd = p->file != NULL ? file_new_fd(p->file) : p->receive.copy;
	int			 code;

	message_put("recording process %" PRIu64 " (%s) to %s%s", r->target.pid,
	    buf_str(&r->target.name), buf_str(&p->path),
	    p->file != NULL && file_new_replaces(p->file) ? ", which replaces the old file" : "");
	if (fd >= 0)
		receive_watch(&p->receive, buf_str(&p->path), fd);
	receive_all(&p->receive, r->target.tty, &st);
	r->goes_on = r->target.next_run.begin != NULL && p->receive.stopped == 0 &&
	    st.write_error == 0;
	if (r->goes_on)
		next_run_want(&r->target.next_run);
	code = receive_tell(&p->receive, &st, buf_str(&p->path));
	receive_watch_no_more(&p->receive);
	if (p->file != NULL && file_new_end(p->file, true) != 0 && code < EXIT_OUTPUT)
		code = tell_unwritable(p);
	p->file = NULL;
	return code;
}

/* ---- the next run of the program */

/* Called by the thread that serves the port. If the user named the file, further runs add a
   number. */
static bool
begin_next(void *self, struct buf *why)
{
	struct recording	*r = self;
	struct recorded_run	*p = &r->next;
	const char		*path = r->target.o->text[OPT_STREAM];
	int			 rc;

	*p = (struct recorded_run){ .receive = receive_like(&r->now.receive) };
	buf_init(&p->path);
	target_take(&r->target);
	rc = path != NULL ? open_numbered(p, path, 2) : open_default(p, &r->target);
	if (rc != 0 || file_new_place(p->file) != 0)
		buf_printf(why, "%s: cannot be written: %s", buf_str(&p->path), strerror(errno));
	else if (target_start_again(&r->target, &p->session, file_new_fd(p->file), why))
		receive_begin(&p->receive, p->session);
	if (p->session == NULL)
		part_release(p);
	return p->session != NULL;
}

/* Wait for the next run. False: a signal ended the waiting. */
static bool
await_next(struct recording *r)
{
	struct next_run	*next = &r->target.next_run;
	struct buf	 why;

	message_put("waiting for the program to start again%s",
	    r->target.tty ? " (Ctrl-C quits)" : "");
	buf_init(&why);
	while (!next_run_has_begun(next) && stopping_asked() == 0) {
		next_run_wait(next, WAIT_NS);
		buf_clear(&why);
		if (next_run_take_problem(next, &why))
			message_put("its next run cannot be recorded: %s; waiting for another",
			    buf_str(&why));
	}
	buf_release(&why);
	if (stopping_asked() > 0) {
		next_run_want_no_more(next);
		target_tend_no_more(&r->target);
	}
	return next_run_has_begun(next);
}

static int
record(struct recording *r)
{
	struct next_run	*next = &r->target.next_run;
	int		 code, last;

	next->self = r;
	if (r->now.file != NULL && target_may_come_again(&r->target))
		next->begin = begin_next;
	code = start(r);
	if (r->now.session == NULL)
		return code;
	last = record_part(r);
	code = code > last ? code : last;
	while (r->goes_on && await_next(r)) {
		part_release(&r->now);
		r->now = r->next;
		next_run_go_on(next);
		last = record_part(r);
		code = code > last ? code : last;
	}
	return code;
}

int
record_to(const struct options *o, const char *profiles, struct buf *path)
{
	struct recording	r = { .now = { .receive.copy = -1 } };
	int			code;

	buf_init(&r.now.path);
	target_init(&r.target, o);
	stopping_begin();
	(void)signal(SIGPIPE, SIG_IGN);		/* so that a failed write returns EPIPE */
	code = receive_limits(&r.now.receive, o);
	if (code == 0)
		code = target_choose(&r.target, profiles, true);
	r.now.receive.choice = r.target.choice;
	if (code == 0)
		code = target_ask(&r.target);
	if (code == 0)
		code = target_find(&r.target);
	do {
		r.now.receive.pid = r.target.pid;
		if (code == 0)
			code = open_file(&r);
		if (code == 0)
			code = record(&r);
	} while (target_find_another(&r.target, &code));
	code = target_code(&r.target, code);
	if (path != NULL && r.now.session != NULL)
		buf_span(path, span_of_buf(&r.now.path));
	part_release(&r.now);		/* first: its session may use the port */
	target_release(&r.target);
	return code;
}

int
subcommand_record(const struct options *o)
{
	return record_to(o, "dotnet-common,dotnet-sampled-thread-time", NULL);
}

int
record_and_show(const struct options *asked, const struct options *shown, const char *path,
    const char *remark)
{
	struct options	record = *asked, show = *shown;
	struct buf	own;
	char		*file;
	int		code;

	buf_init(&own);
	if (path == NULL && !paths_live(&own)) {
		message_put("no private folder for what the program sends");
		buf_release(&own);
		return EXIT_OUTPUT;
	}
	if (path == NULL)
		buf_printf(&own, "/%s_%d.nettrace", asked->command->name, (int)getpid());
	else
		buf_puts(&own, path);
	record.text[OPT_STREAM] = buf_str(&own);
	record.given[OPT_STREAM] = true;
	file = own.p;
	show.files = &file;
	code = subcommand_record(&record);
	if (code <= EXIT_DAMAGED && remark != NULL)
		message_put("%s", remark);
	if (code <= EXIT_DAMAGED)
		code = run_files(&show);
	if (path == NULL)
		(void)unlink(buf_str(&own));
	buf_release(&own);
	return code;
}

/*
 * tnav record: the events of a running program into a file.
 *
 *	target -> session -> file, or stream and copy
 *	a signal, --duration, --max-size -> one stop -> remaining data -> the end mark
 *	program ends, starts again -> begin_next(): a session, a file of its own
 *	--rotate -> recording_rotate(): one file after another
 *
 * Invariant: `next` belongs to the thread that calls begin_next() until that returns true, then to
 * the recorder.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/recording.h"
#include "app/recording_rotate.h"
#include "app/recording_several.h"
#include "app/rotation_list.h"
#include "app/run.h"
#include "app/stopping.h"
#include "tnav/io/output.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"

#define WAIT_NS		INT64_C(20000000)

/* ---- the file */

/* Open standard output, a device or a named pipe, which cannot be read while it is written. */
static int
open_stream(struct recording *r, const char *path)
{
	struct recorded_run	*p = &r->now;
	bool			 out = strcmp(path, "-") == 0, announced = false;
	struct buf		 why = { 0 };

	if (r->target.o->given[OPT_UNTIL] || r->rotation.on)
		return exit_usage("--%s needs a file: give -o FILE", r->rotation.on ? "rotate" :
		    "until");
	buf_puts(&p->path, out ? "standard output" : path);
	do
		p->stream = out ? STDOUT_FILENO : file_open_special(path);
	while (p->stream < 0 && stopping_await_reader(path, &announced));
	if (p->stream < 0 && stopping_count() > 0) {
		message_put("%s: stopped before the named pipe had a reader", path);
		return EXIT_OUTPUT;
	}
	if (p->stream < 0)
		return recorded_tell_unwritable(p);
	if (isatty(p->stream) == 1)
		return exit_usage("cannot write a trace to a terminal; give -o FILE");
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
	struct buf		 stem = { 0 };
	int			 rc;

	if (p->path.len > 0 && p->file == NULL)
		return 0;			/* the stream is open already */
	if (p->file != NULL)
		(void)file_new_end(p->file, false);
	p->file = NULL;
	buf_clear(&p->path);
	if (path != NULL && (strcmp(path, "-") == 0 || file_is_special(path)))
		return open_stream(r, path);
	if (r->rotation.on) {
		recorded_put_stem(&stem, &r->target);
		rotation_list_open(&r->rotation, buf_str(&stem));
		buf_release(&stem);
	}
	if (path == NULL || (r->rotation.on && output_refusal(path) == NULL)) {
		rc = recorded_open_dated(p, &r->target);
	} else if (output_bare(path).len < strlen(path) ||
	    output_refusal(path) != NULL) {
		return exit_usage("%s: a recording cannot be compressed; give another name", path);
	} else {
		buf_puts(&p->path, path);
		rc = file_new(&p->file, buf_str(&p->path), FILE_PRIVATE | FILE_REPLACE |
		    FILE_LINKS);
	}
	return rc == 0 ? 0 : recorded_tell_unwritable(p);
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
	p->receive.pipe = p->file == NULL ? p->stream : -1;
	r->begun = p->receive.begun;
	if (p->file != NULL && file_new_place(p->file) != 0) {
		code = recorded_tell_unwritable(p);
		receive_stop(&p->receive);
	}
	if (r->rotation.on && code == 0)
		rotation_add_begun(&r->rotation, buf_str(&p->path));
	return code;
}

/* Receive until the session has ended, with --rotate one after another, and report the result. */
static int
record_run(struct recording *r)
{
	struct recorded_run	*p = &r->now;
	struct session_state	 st;
	struct buf		 what = { 0 };
	int			 code = 0;

	target_put(&r->target, &what);
	buf_printf(&what, " to %s", buf_str(&p->path));
	if (p->file != NULL && file_new_replaces(p->file))
		buf_puts(&what, ", which replaces the old file");
	if (!p->receive.until_eof)		/* the tnav that has started this one says it */
		message_note("recording %s", buf_str(&what));
	buf_release(&what);
	do {
		recorded_watch(p);
		if (r->rotation.on)
			recording_rotate(r, &st, &code);
		else
			receive_all(&p->receive, r->target.tty, &st);
		r->goes_on = r->target.next_run.begin != NULL && p->receive.stopped == 0 &&
		    !r->leaving && st.write_error == 0;
		if (r->goes_on)
			next_run_want(&r->target.next_run);
		exit_worsen(&code, recorded_end(r, p, &st));
	} while (r->rotation.on && st.write_error != 0 && !r->leaving && recording_recover(r));
	return code;
}

/* ---- the next run of the program */

/* Called by the thread that serves the port. */
static bool
begin_next(void *self, struct buf *why)
{
	struct recording	*r = self;

	target_take(&r->target);
	return recorded_begin(r, RUN_NEXT, why) == BEGUN;
}

/* Wait for the next run. False: a signal ended the waiting. */
static bool
await_next(struct recording *r)
{
	struct next_run	*next = &r->target.next_run;
	struct buf	 why = { 0 };

	message_note("waiting for the program to start again%s",
	    r->target.tty ? " (Ctrl-C quits)" : "");
	while (!next_run_has_begun(next) && stopping_count() == 0) {
		next_run_wait(next, WAIT_NS);
		buf_clear(&why);
		if (next_run_take_problem(next, &why))
			message_put("its next run cannot be recorded: %s; waiting for another",
			    buf_str(&why));
	}
	buf_release(&why);
	if (stopping_count() > 0) {
		next_run_want_no_more(next);
		target_tend_no_more(&r->target);
	}
	return next_run_has_begun(next);
}

static int
record(struct recording *r)
{
	struct next_run	*next = &r->target.next_run;
	int		 code;

	next->self = r;
	if (r->now.file != NULL && target_may_come_again(&r->target))
		next->begin = begin_next;
	code = start(r);
	if (r->now.session == NULL)
		return code;
	exit_worsen(&code, record_run(r));
	while (r->goes_on && await_next(r)) {
		recorded_release(&r->now);
		r->now = r->next;
		next_run_go_on(next);
		if (r->rotation.on)
			rotation_add_begun(&r->rotation, buf_str(&r->now.path));
		exit_worsen(&code, record_run(r));
	}
	return code;
}

int
record_to(const struct options *o, const char *profiles, struct buf *path)
{
	struct recording	r = { .now = { .receive.copy = -1 }, .rotation.list.fd = -1 };
	void			(*pipe)(int);
	int			code;

	target_init(&r.target, o);
	stopping_begin();
	stopping_count_marks();			/* without --rotate they mean nothing */
	pipe = signal(SIGPIPE, SIG_IGN);	/* so that a failed write returns EPIPE */
	code = receive_limits(&r.now.receive, o);
	if (code == 0)
		code = rotation_begin(&r.rotation, o);
	if (code == 0)
		code = target_choose(&r.target, profiles, true);
	if (code == 0)
		code = recording_rotate_begin(&r);
	r.now.receive.choice = r.target.choice;
	if (code == 0)
		code = target_ask(&r.target);
	if (code == 0)
		code = target_find(&r.target);
	do {
		r.now.receive.pid = r.target.pid;
		r.now.receive.host = remote_host(&r.target.remote);
		if (code == 0)
			code = open_file(&r);
		if (code == 0)
			code = record(&r);
	} while (target_find_another(&r.target, &code));
	code = target_code(&r.target, code);
	if (path != NULL && r.now.session != NULL)
		buf_span(path, span_of_buf(&r.now.path));
	recorded_release(&r.now);		/* first: its session may use the port */
	target_release(&r.target);
	rotation_release(&r.rotation);
	(void)signal(SIGPIPE, pipe);
	return code;
}

static int
record_one(const struct options *o)
{
	return record_to(o, "dotnet-common,dotnet-sampled-thread-time", NULL);
}

int
subcommand_record(const struct options *o)
{
	return several_requested(o) ? several_record(o, record_one) : record_one(o);
}

int
record_and_show(const struct options *recorded, const struct options *shown, const char *path,
    const char *remark)
{
	struct options	record = *recorded, show = *shown;
	struct buf	own = { 0 };
	char		*file;
	int		code;

	if (path == NULL && !paths_live(&own)) {
		message_put("no private folder for what the program sends");
		buf_release(&own);
		return EXIT_OUTPUT;
	}
	if (path == NULL)
		buf_printf(&own, "/%s_%d.nettrace", recorded->command->name, (int)getpid());
	else
		buf_puts(&own, path);
	record.text[OPT_STREAM] = buf_str(&own);
	record.given[OPT_STREAM] = true;
	file = own.p;
	show.files = &file;
	code = subcommand_record(&record);
	stopping_forget();
	if (code <= EXIT_DAMAGED && remark != NULL)
		message_put("%s", remark);
	if (code <= EXIT_DAMAGED)
		code = run_files(&show);
	if (path == NULL)
		(void)unlink(buf_str(&own));
	buf_release(&own);
	return code;
}

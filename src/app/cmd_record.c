/*
 * tnav record: the events of a running program into a file.
 *
 *	target -> session -> file
 *	a signal, --duration, --max-size -> one stop -> what is left -> the end mark
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/opening.h"
#include "app/receive.h"
#include "app/stopping.h"
#include "app/target.h"
#include "tnav/base/err.h"
#include "tnav/io/file.h"
#include "tnav/io/output.h"
#include "tnav/out/message.h"

#define NAME_TRIES	100u
#define WAIT_NS		INT64_C(20000000)

struct record {
	struct target		 target;
	struct receive		 receive;
	struct file_new		*file;		/* NULL: standard output */
	struct buf		 path;
};

/* ---- the file */

static int
open_default(struct record *r)
{
	struct buf	name;
	int		rc = ERR_IO;

	buf_init(&name);
	target_file_name(&r->target, &name);
	errno = EEXIST;
	for (unsigned i = 1; rc != 0 && errno == EEXIST && i <= NAME_TRIES; i++) {
		buf_clear(&r->path);
		buf_puts(&r->path, buf_str(&name));
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
	const char	*path = r->target.o->text[OPT_STREAM];
	int		 rc;

	if (path != NULL && strcmp(path, "-") == 0) {
		if (r->target.o->given[OPT_UNTIL]) {
			message_put("--until needs a file: give -o FILE");
			return EXIT_USAGE;
		}
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

static int
start(struct record *r, struct session **s)
{
	int	fd = r->file != NULL ? file_new_fd(r->file) : STDOUT_FILENO;
	int	code = target_start(&r->target, s, fd);

	if (code != 0)
		return code;
	receive_begin(&r->receive, *s);
	if (r->file != NULL && file_new_place(r->file) != 0) {
		message_put("%s: can't be written: %s", buf_str(&r->path), strerror(errno));
		receive_stop(&r->receive);
		return EXIT_OUTPUT;
	}
	return 0;
}

/* With --until the file is read as it grows. */
static void
receive_watched(struct record *r, struct session *s, struct session_state *st)
{
	struct trace_options	o = { .eager = true, .workers = 1 };
	const char		*filter = r->target.o->text[OPT_UNTIL];
	struct opening		x;

	if (filter == NULL || !opening_begin(&x, buf_str(&r->path), s, &o)) {
		receive_all(&r->receive, r->target.tty, st);
		return;
	}
	for (receive_look(&r->receive, st); !opening_is_done(&x); receive_look(&r->receive, st)) {
		receive_signals(&r->receive);
		session_wait(s, WAIT_NS, st);
	}
	opening_end(&x);
	if (x.t != NULL) {
		(void)trace_follow(x.t, true, NULL);
		trace_index_start(x.t);
		r->receive.until = until_new(x.t, filter);
	} else {
		message_put("--until: the stream can't be read: %s", buf_str(&x.why));
	}
	receive_all(&r->receive, r->target.tty, st);
	until_free(r->receive.until);
	trace_close(x.t);
	opening_release(&x);
}

static int
record(struct record *r)
{
	struct session_state	st;
	struct session		*s = NULL;
	int			 code = start(r, &s);

	if (s == NULL) {
		if (r->file != NULL)
			(void)file_new_end(r->file, false);
		return code;
	}
	message_put("recording process %" PRIu64 " (%s)%s%s", r->target.pid,
	    buf_str(&r->target.name), r->file != NULL ? " to " : "",
	    r->file != NULL ? buf_str(&r->path) : "");
	receive_watched(r, s, &st);
	if (code == 0)
		code = receive_tell(&r->receive, &st,
		    r->file != NULL ? buf_str(&r->path) : "standard output");
	session_free(s);
	if (r->file != NULL && file_new_end(r->file, true) != 0 && code < EXIT_OUTPUT) {
		message_put("%s: can't be written: %s", buf_str(&r->path), strerror(errno));
		code = EXIT_OUTPUT;
	}
	return code;
}

int
subcommand_record(const struct options *o)
{
	struct record	r = { .file = NULL };
	int		code;

	buf_init(&r.path);
	target_init(&r.target, o);
	stopping_begin();
	(void)signal(SIGPIPE, SIG_IGN);		/* a failed write, with EPIPE, like any other */
	code = receive_limits(&r.receive, o);
	if (code == 0)
		code = target_choose(&r.target, "dotnet-common,dotnet-sampled-thread-time", true);
	if (code == 0)
		code = target_find(&r.target);
	if (code == 0)
		code = target_ask(&r.target);
	if (code == 0)
		code = open_file(&r);
	if (code == 0)
		code = record(&r);
	code = target_code(&r.target, code);
	target_release(&r.target);
	buf_release(&r.path);
	return code;
}

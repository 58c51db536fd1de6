/*
 * tnav attach: the viewer on what a running program sends.
 *
 *	target -> session -> spool file {state}/live/NAME_TIME.nettrace -> trace -> viewer
 *	                     a name of the user's, by :w                 -> the same file
 *
 * The spool is in its place from the first byte on, so that it stays however the program ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/export.h"
#include "app/expressions.h"
#include "app/opening.h"
#include "app/receive.h"
#include "app/run.h"
#include "app/stopping.h"
#include "app/target.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"
#include "tnav/ui/ui.h"

#define COPY_CHUNK	((size_t)1 << 20)

struct attach {
	const struct options	*o;
	struct target		 target;
	struct receive		 receive;
	struct session		*session;
	struct file_new		*spool;
	struct buf		 path;		/* of the spool */
	struct trace		*t;
	char			*kept;		/* a name of the user's, or NULL */
	char			*copy;		/* one on another file system: at the end */
	bool			 discarded;
};

/* ---- the spool */

static int
open_spool(struct attach *a)
{
	int	rc = ERR_IO;

	if (!paths_live(&a->path)) {
		message_put("%s: no folder for what is received that is yours alone",
		    a->path.len > 0 ? buf_str(&a->path) : "$HOME is not set");
		return EXIT_OUTPUT;
	}
	buf_putc(&a->path, '/');
	target_file_name(&a->target, &a->path);
	buf_printf(&a->path, "_%" PRIu64 ".nettrace", a->target.pid);
	rc = file_new(&a->spool, buf_str(&a->path), FILE_PRIVATE);
	if (rc == 0)
		rc = file_new_place(a->spool);
	if (rc == 0)
		return 0;
	message_put("%s: can't be written: %s", buf_str(&a->path), strerror(errno));
	return EXIT_OUTPUT;
}

/* ---- what the viewer asks of it */

static void
look(void *self, struct ui_live_state *out)
{
	struct attach		*a = self;
	struct session_state	 st;

	receive_look(&a->receive, &st);
	*out = (struct ui_live_state){
		.phase = st.phase == SESSION_ENDED ? UI_LIVE_ENDED :
		    st.phase == SESSION_STOPPING ? UI_LIVE_STOPS : UI_LIVE_RUNS,
		.whole = st.whole, .silent = a->receive.silent,
		.bytes = st.received, .last_ns = st.last_ns,
		.problem = st.write_error != 0 ? strerror(st.write_error) : NULL,
	};
}

static void
stop(void *self)
{
	struct attach	*a = self;

	receive_stop(&a->receive);
}

static bool
keep(void *self, const char *path, bool replace, struct buf *why)
{
	struct attach	*a = self;
	int		 fd = file_new_fd(a->spool);
	struct stat	 own, other;

	if (stat(path, &other) == 0 && fstat(fd, &own) == 0 && own.st_dev == other.st_dev &&
	    own.st_ino == other.st_ino) {
		buf_puts(why, "this is the file that is being received");
		return false;
	}
	if (file_link(fd, path, FILE_PRIVATE | (replace ? FILE_REPLACE : 0)) == 0) {
		mem_free(a->kept);
		a->kept = mem_strdup(path);
		return true;
	}
	if (errno != EXDEV && errno != EPERM && errno != EMLINK) {
		buf_puts(why, strerror(errno));
		return false;
	}
	mem_free(a->copy);
	a->copy = mem_strdup(path);
	buf_puts(why, "on another disk: written when the session has ended");
	return false;
}

static void
discard(void *self)
{
	struct attach	*a = self;

	a->discarded = true;
}

/* ---- opening */

/* The trace begins when the program sends something; until then a signal ends it. */
static int
await_trace(struct attach *a, const struct trace_options *o)
{
	struct opening		x;
	struct session_state	st;
	struct progress		p;
	int			code = 0;

	if (!opening_begin(&x, buf_str(&a->path), a->session, o)) {
		message_put("%s: %s", buf_str(&a->path), strerror(errno));
		return EXIT_OUTPUT;
	}
	progress_init(&p, false);
	while (!opening_is_done(&x)) {
		receive_look(&a->receive, &st);
		progress_tick(&p, "waiting for the program's first events (Ctrl-C stops)",
		    st.received, 0);
		receive_signals(&a->receive);
		session_wait(a->session, INT64_C(20000000), &st);
	}
	progress_end(&p);
	opening_end(&x);
	a->t = x.t;
	if (x.err < 0) {
		message_put("what process %" PRIu64 " sends can't be read: %s", a->target.pid,
		    buf_str(&x.why));
		code = x.err == ERR_NOMEM || x.err == ERR_LIMIT ? EXIT_RESOURCE : EXIT_USAGE;
	}
	opening_release(&x);
	return code;
}

/* ---- the session */

static int
view(struct attach *a)
{
	struct trace_options	 to = run_trace_options(a->o);
	struct expressions	 filters;
	struct ui_live		 live = { a, look, stop, keep, discard };
	struct ui_options	 ui = {
		.script_file = a->o->text[OPT_SCRIPT],
		.export = &app_export,
		.reopen = &to,
		.state = true,
		.color = (enum ui_color)a->o->choice[OPT_COLOR],
		.utc = a->o->given[OPT_UTC],
		.live = &live,
	};
	int			 code = expressions_init(&filters, a->o);

	to.eager = true;
	if (code == 0)
		code = await_trace(a, &to);
	if (code == 0) {
		if (filters.n > 0)
			ui.filter = buf_str(&filters.all);
		(void)trace_follow(a->t, true, NULL);
		trace_index_start(a->t);
		if (a->o->given[OPT_UNTIL])
			a->receive.until = until_new(a->t, a->o->text[OPT_UNTIL]);
		code = ui_run(a->t, &ui);
	}
	expressions_release(&filters);
	return code;
}

/* A name on another file system gets what the spool holds. */
static int
write_copy(struct attach *a)
{
	struct buf	 chunk;
	struct file_new	*f;
	int		 in = open(buf_str(&a->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int		 rc = ERR_IO;
	ssize_t		 n = 0;

	if (in < 0)
		return ERR_IO;
	buf_init(&chunk);
	if (file_new(&f, a->copy, FILE_PRIVATE | FILE_REPLACE) == 0) {
		do {
			n = read(in, buf_room(&chunk, COPY_CHUNK), COPY_CHUNK);
			rc = n < 0 ? ERR_IO : file_write(file_new_fd(f), chunk.p, (size_t)n, NULL);
		} while (n > 0 && rc == 0);
		if (file_new_end(f, rc == 0) != 0)
			rc = ERR_IO;
	}
	buf_release(&chunk);
	close(in);
	return rc;
}

/* Where the trace is kept, under a name of the user's or in the spool; or the spool goes. */
static int
keep_or_drop(struct attach *a, const struct session_state *st)
{
	bool	spool = !a->discarded;
	int	code;

	if (a->copy != NULL && write_copy(a) == 0) {
		mem_free(a->kept);
		a->kept = a->copy;
		a->copy = NULL;
	} else if (a->copy != NULL) {
		message_put("%s: can't be written: %s", a->copy, strerror(errno));
		spool = true;
	}
	spool = spool && (a->kept == NULL || a->copy != NULL);
	code = st->whole ? EXIT_CLEAN : EXIT_DAMAGED;
	if (spool || a->kept != NULL)
		code = receive_tell(&a->receive, st, spool ? buf_str(&a->path) : a->kept);
	(void)file_new_end(a->spool, spool);
	a->spool = NULL;
	return code;
}

static int
attach(struct attach *a)
{
	struct session_state	st;
	int			code = target_start(&a->target, &a->session,
				    file_new_fd(a->spool)), ended;

	if (code != 0) {
		(void)file_new_end(a->spool, false);
		a->spool = NULL;
		return code;
	}
	receive_begin(&a->receive, a->session);
	code = view(a);
	if (a->receive.stopped == 0)
		receive_stop(&a->receive);	/* the viewer has ended by itself, or by a signal */
	a->receive.taken = stopping_asked();
	receive_all(&a->receive, a->target.tty, &st);
	until_free(a->receive.until);
	trace_close(a->t);
	session_free(a->session);
	ended = keep_or_drop(a, &st);
	return code > ended ? code : ended;
}

int
subcommand_attach(const struct options *o)
{
	struct attach	a = { .o = o };
	int		code;

	if (isatty(STDOUT_FILENO) != 1) {
		message_put("attach needs a terminal; `tnav record` writes to a file");
		return EXIT_USAGE;
	}
	buf_init(&a.path);
	target_init(&a.target, o);
	stopping_begin();
	code = receive_limits(&a.receive, o);
	if (code == 0)
		code = target_choose(&a.target, "attach", false);
	if (code == 0)
		code = target_find(&a.target);
	if (code == 0)
		code = target_ask(&a.target);
	if (code == 0)
		code = open_spool(&a);
	if (code == 0)
		code = attach(&a);
	child_signal(&a.target.child, SIGTERM);
	code = target_code(&a.target, code);
	target_release(&a.target);
	mem_free(a.kept);
	mem_free(a.copy);
	buf_release(&a.path);
	return code;
}

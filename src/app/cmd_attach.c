/*
 * tnav attach: the viewer on what a running program sends.
 *
 *	target -> session -> spool file {state}/live/NAME_TIME.nettrace -> trace -> viewer
 *	                     a name of the user's, by :w                 -> the same file
 *	-> two more sessions (names.c) -> names of what was and is compiled -> viewer
 *	program ends, starts again -> begin_next(): a session, a spool -> the viewer again
 *
 * The spool has its name from the first byte on, so it survives any end of this program. If it has
 * become longer than --keep says, its first events were let go (keeping.c), and at the end it is
 * replaced by a trace of those that are kept.
 *
 * Invariant: `next` belongs to the thread that calls begin_next() until that returns true, then to
 * the viewer. A struct attach stays allocated until that thread has ended.
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
#include "app/keeping.h"
#include "app/names.h"
#include "app/opening.h"
#include "app/receive.h"
#include "app/recording.h"
#include "app/run.h"
#include "app/stopping.h"
#include "app/target.h"
#include "app/unheard.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"
#include "tnav/ui/ui.h"

#define COPY_CHUNK	((size_t)1 << 20)
#define INDEX_MS	5000		/* for the last events to be read */

struct attach {
	const struct options	*o;
	struct target		*target;
	struct receive		 receive;
	struct session		*session;
	struct file_new		*spool;		/* or NULL: */
	int			 memory;	/* no folder can be written: in memory; or -1 */
	struct buf		 path;		/* of the spool */
	struct trace		*t;
	struct keeping		 keep;
	uint64_t		 kept_bytes;	/* of the trace that replaced the spool; or 0 */
	struct attach_names	*names;		/* or NULL */
	char			*kept;		/* name given by the user, or NULL */
	char			*copy;		/* on another file system: copied at the end */
	bool			 discarded;
	bool			 goes_on;	/* continue the viewer with `next` */
	enum { MORE_NOTHING, MORE_STACKS, MORE_HEAP } records, wants;
						/* more than the session before; in the next one */
	unsigned		 number;	/* of such sessions before */
	struct attach		*next;		/* the next run of the program */
	struct buf		 missed;	/* why the next run cannot be shown */
};

static struct attach *
attach_new(const struct options *o, struct target *t, const struct keeping *keep)
{
	struct attach	*a = mem_zalloc(1, sizeof *a);

	a->keep = *keep;
	a->memory = -1;
	a->o = o;
	a->target = t;
	return a;
}

static void
attach_free(struct attach *a)
{
	if (a == NULL)
		return;
	mem_free(a->kept);
	mem_free(a->copy);
	buf_release(&a->path);
	buf_release(&a->missed);
	mem_free(a);
}

/* ---- the spool */

static int
spool_fd(const struct attach *a)
{
	return a->spool != NULL ? file_new_fd(a->spool) : a->memory;
}

/* Where no folder can be written; anything odd in the place of one is no reason. */
static bool
make_memory(struct attach *a)
{
	struct stat	st;

	if ((a->path.len > 0 && lstat(buf_str(&a->path), &st) == 0) ||
	    (a->path.len > 0 && errno != ENOENT && errno != EACCES))
		return false;
	a->memory = file_in_memory();
	keeping_in_memory(&a->keep, a->o);
	buf_clear(&a->path);
	buf_puts(&a->path, "memory");
	return a->memory >= 0;
}

/* Is this the file that is received? */
static bool
is_spool(const struct attach *a, const struct stat *st)
{
	struct stat	own;

	return fstat(spool_fd(a), &own) == 0 && own.st_dev == st->st_dev &&
	    own.st_ino == st->st_ino;
}

/* It is not kept under the name that it has while it grows. */
static void
end_spool(struct attach *a, bool keep)
{
	if (a->spool != NULL)
		(void)file_new_end(a->spool, keep);
	if (a->memory >= 0)
		close(a->memory);
	a->spool = NULL;
	a->memory = -1;
}

static bool
make_spool(struct attach *a, struct buf *why)
{
	char	*name;
	int	 rc;

	buf_clear(&a->path);
	if (!paths_live(&a->path)) {
		if (make_memory(a))
			return true;
		buf_printf(why, "%s: no private folder for the received trace",
		    a->path.len > 0 ? buf_str(&a->path) : "$HOME is not set");
		return false;
	}
	buf_putc(&a->path, '/');
	target_file_name(a->target, &a->path);
	buf_printf(&a->path, "_%" PRIu64, a->target->pid);	/* 0: of another host */
	if (a->records == MORE_STACKS)
		buf_puts(&a->path, "_stacks");
	if (a->records == MORE_HEAP)
		buf_printf(&a->path, "_heap%u", a->number);
	buf_puts(&a->path, ".nettrace");
	name = mem_strdup(buf_str(&a->path));
	rc = recorded_open_numbered(&a->spool, &a->path, name, 1);
	mem_free(name);
	if (rc == 0)
		rc = file_new_place(a->spool);
	if (rc != 0 && errno == EROFS) {
		buf_clear(&a->path);
		return make_memory(a);
	}
	if (rc != 0)
		buf_printf(why, "%s: cannot be written: %s", buf_str(&a->path), strerror(errno));
	else
		keeping_test(&a->keep, spool_fd(a), buf_str(&a->path));
	return rc == 0;
}

static int
open_spool(struct attach *a)
{
	struct buf	why = { 0 };
	bool		good;

	good = make_spool(a, &why);
	if (!good)
		message_put("%s", buf_str(&why));
	buf_release(&why);
	return good ? 0 : EXIT_OUTPUT;
}

/* ---- the next run of the program */

/* Called by the thread that serves the port. */
static bool
begin_next(void *self, struct buf *why)
{
	struct attach	*a = self, *n;
	bool		 good;

	while (a->next != NULL)
		a = a->next;
	n = attach_new(a->o, a->target, &a->keep);
	n->receive = receive_like(&a->receive);
	target_take(a->target);
	good = make_spool(n, why) &&
	    target_start_again(a->target, &n->session, spool_fd(n), why);
	if (!good) {			/* this run is not received; the next one may be */
		end_spool(n, false);
		attach_free(n);
		return false;
	}
	receive_begin(&n->receive, n->session);
	a->next = n;
	return true;
}

/* ---- functions for the viewer */

static void
look_names(struct attach *a, struct ui_live_state *out)
{
	static const enum names_when	when[UI_NAMES] = {
		[UI_NAMES_BEFORE] = NAMES_BEFORE, [UI_NAMES_SINCE] = NAMES_SINCE,
	};

	for (unsigned i = 0; a->names != NULL && i < UI_NAMES; i++) {
		out->names[i].t = names_trace(a->names, when[i]);
		out->names[i].why = names_problem(a->names, when[i]);
	}
}

static void
look(void *self, struct ui_live_state *out)
{
	struct attach		*a = self;
	struct next_run		*next = &a->target->next_run;
	struct session_state	 st;

	receive_look(&a->receive, &st);
	keeping_look(&a->keep, a->t, spool_fd(a));
	*out = (struct ui_live_state){
		.phase = st.phase == SESSION_ENDED ? UI_LIVE_ENDED :
		    st.phase == SESSION_STOPPING ? UI_LIVE_STOPS : UI_LIVE_RUNS,
		.whole = st.whole, .silent = a->receive.silent,
		.bytes = st.received, .last_ns = st.last_ns,
		.note = a->memory < 0 ? NULL : "no folder can be written: the trace is in memory, "
		    "and gone at the end (:w FILE keeps it)",
		.kept = a->keep.words[0] != '\0' ? a->keep.words : NULL,
		.problem = st.write_error != 0 ? strerror(st.write_error) : NULL,
	};
	look_names(a, out);
	if (st.phase != SESSION_ENDED || a->receive.stopped != 0 || st.write_error != 0 ||
	    !target_may_come_again(a->target))
		return;
	next_run_want(next);
	out->next = UI_LIVE_WAITS;
	buf_clear(&a->missed);
	if (next_run_take_problem(next, &a->missed))
		out->missed = buf_str(&a->missed);
	if (!next_run_has_begun(next))
		return;
	out->next = UI_LIVE_AGAIN;
	receive_look(&a->next->receive, &st);	/* checks the limits of `next` while the old
						   trace is shown */
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
	struct stat	 other;

	if (stat(path, &other) == 0 && is_spool(a, &other)) {
		buf_puts(why, "this is the file that is being received");
		return false;
	}
	if (file_link(spool_fd(a), path, FILE_PRIVATE | (replace ? FILE_REPLACE : 0)) == 0) {
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
	buf_puts(why, a->memory >= 0 ? "written when the session ends" :
	    "on another disk: written when the session ends");
	return false;
}

static void
discard(void *self)
{
	struct attach	*a = self;

	a->discarded = true;
}

static void
go_on(void *self)
{
	struct attach	*a = self;

	a->goes_on = true;
}

static void
record_stacks(void *self)
{
	struct attach	*a = self;

	a->wants = MORE_STACKS;
}

static void
record_heap(void *self)
{
	struct attach	*a = self;

	a->wants = MORE_HEAP;
}

/* ---- opening */

/* Wait until the program sends the first bytes. Until then a signal cancels. */
static int
await_trace(struct attach *a, const struct trace_options *o)
{
	struct opening		x;
	struct session_state	st;
	struct progress_line	p;
	struct buf		name = { 0 };
	int			code = 0;

	if (!opening_begin_fd(&x, buf_str(&a->path), spool_fd(a), a->session, o)) {
		message_put("%s: %s", buf_str(&a->path), strerror(errno));
		return EXIT_OUTPUT;
	}
	progress_init(&p, false);
	while (!task_done(&x.task)) {
		receive_look(&a->receive, &st);
		progress_tick(&p, "waiting for the program's first events (Ctrl-C stops)",
		    st.received, 0);
		receive_signals(&a->receive);
		session_wait(a->session, INT64_C(20000000), &st);
	}
	progress_end(&p);
	task_halt(&x.task);
	a->t = x.t;
	if (x.err < 0) {
		target_put(a->target, &name);
		message_put("the stream of %s cannot be read: %s", buf_str(&name), buf_str(&x.why));
		buf_release(&name);
		code = x.err == ERR_NOMEM || x.err == ERR_LIMIT ? EXIT_RESOURCE : EXIT_USAGE;
	}
	opening_release(&x);
	return code;
}

/* ---- the session */

static void
begin_names(struct attach *a)
{
	struct buf	folder = { 0 };

	if (target_wants_names(a->target) && paths_live(&folder))
		a->names = names_begin(&a->target->peer, a->session, buf_str(&folder));
	buf_release(&folder);
}

static int
view(struct attach *a)
{
	struct trace_options	 to = run_trace_options(a->o);
	struct expressions	 filters;
	struct ui_live		 live = { a, look, stop, keep, discard, go_on,
				    choice_collect(a->target->choice)->no_stacks, record_stacks,
				    record_heap };
	struct ui_options	 ui = {
		.script_file = a->o->text[OPT_SCRIPT],
		.export = &app_export,
		.subcommands = true,
		.reopen = &to,
		.state = true,
		.color = (enum ui_color)a->o->choice[OPT_COLOR],
		.utc = a->o->given[OPT_UTC],
		.live = &live,
	};
	int			 code = expressions_init(&filters, a->o);

	if (a->records == MORE_HEAP)
		ui.script = "all ; heap";
	to.eager = true;
	if (code == 0)
		code = await_trace(a, &to);
	if (code == 0) {
		if (filters.n > 0)
			ui.filter = buf_str(&filters.all);
		(void)trace_follow(a->t, true, NULL);
		trace_index_start(a->t);
		if (a->o->given[OPT_UNTIL])
			a->receive.until = until_new(a->t, a->o->text[OPT_UNTIL], NULL);
		begin_names(a);
		code = ui_run(a->t, &ui);
	}
	expressions_release(&filters);
	return code;
}

/* Copy the spool to a name on another file system. */
static int
write_copy(struct attach *a)
{
	struct buf	 chunk = { 0 };
	struct file_new	*f;
	int		 in = a->memory >= 0 ? fcntl(a->memory, F_DUPFD_CLOEXEC, 0) :
			    open(buf_str(&a->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int		 rc = ERR_IO;
	off_t		 off = 0;
	ssize_t		 n = 0;

	if (in < 0)
		return ERR_IO;
	if (file_new(&f, a->copy, FILE_PRIVATE | FILE_REPLACE) == 0) {
		do {
			n = pread(in, buf_room(&chunk, COPY_CHUNK), COPY_CHUNK, off);
			off += n > 0 ? n : 0;
			rc = n < 0 ? ERR_IO : file_write(file_new_fd(f), chunk.p, (size_t)n, NULL);
		} while (n > 0 && rc == 0);
		if (file_new_end(f, rc == 0) != 0)
			rc = ERR_IO;
	}
	buf_release(&chunk);
	close(in);
	return rc;
}

/* If events were let go, replace the spool, and what the user named, by a trace of the others. */
static void
replace_spool(struct attach *a)
{
	struct stat	 st;
	/* What the user named, if it still is the file that was received. */
	const char	*other = a->kept != NULL && lstat(a->kept, &st) == 0 &&
			    is_spool(a, &st) ? a->kept : NULL;
	const char	*path = a->memory >= 0 ? a->copy : buf_str(&a->path);

	if (path == NULL || a->t == NULL || !keeping_has_let_go(a->t) ||
	    (a->discarded && a->kept == NULL && a->copy == NULL))
		return;
	errno = EINTR;
	if (receive_await_index(&a->receive, a->t, "reading the rest (Ctrl-C skips it)") &&
	    keeping_write(a->t, path, other, &a->kept_bytes) == 0)
		return;
	if (a->memory >= 0)
		message_put("%s: cannot be written: %s", path, strerror(errno));
	else
		message_put("%s: the file has a hole where events were let go (--keep %s): `tnav "
		    "repair` writes the rest; a trace of it is not written: %s",
		    buf_str(&a->path), a->keep.words, strerror(errno));
}

/* Report where the trace is kept: under the user's name, or as the spool. Otherwise delete it. */
static int
keep_or_drop(struct attach *a, struct session_state *st)
{
	bool	spool = !a->discarded;
	int	code;

	/* From memory the excerpt was written to where the copy would be. */
	if (a->copy != NULL && ((a->memory >= 0 && a->kept_bytes > 0) || write_copy(a) == 0)) {
		mem_free(a->kept);
		a->kept = a->copy;
		a->copy = NULL;
	} else if (a->copy != NULL) {
		message_put("%s: cannot be written: %s", a->copy, strerror(errno));
		spool = true;
	}
	spool = spool && (a->kept == NULL || a->copy != NULL);
	if (spool && a->memory >= 0)
		message_put("the trace was in memory, and is gone");
	spool = spool && a->memory < 0;
	code = st->whole ? EXIT_CLEAN : EXIT_DAMAGED;
	if (a->kept_bytes > 0)
		st->written = a->kept_bytes;
	if (spool || a->kept != NULL)
		code = receive_tell(&a->receive, st, spool ? buf_str(&a->path) : a->kept);
	if (a->kept_bytes > 0 && (spool || a->kept != NULL))
		message_note("these are the last %s of the session (--keep)", a->keep.words);
	end_spool(a, spool);
	if (spool)
		keeping_add(&a->keep, buf_str(&a->path));
	return code;
}

/* Run the viewer on a session until both have ended. */
static int
attach_to(struct attach *a)
{
	struct session_state	st;
	int			code = view(a), ended;

	if (a->receive.stopped == 0)
		receive_stop(&a->receive);	/* the viewer has quit, or a signal arrived */
	a->receive.taken = stopping_asked();
	a->receive.leaving = true;
	receive_all(&a->receive, a->target->tty, &st);
	if (a->t != NULL && trace_index_wait(a->t, INDEX_MS))
		unheard_tell(a->target->choice, a->t, a->target->pid, false);
	names_end(a->names);
	until_free(a->receive.until);
	replace_spool(a);
	trace_close(a->t);
	session_free(a->session);
	ended = keep_or_drop(a, &st);
	return code > ended ? code : ended;
}

/* End a run that the viewer has not shown. */
static int
leave(struct attach *a)
{
	struct session_state	st;

	receive_stop(&a->receive);
	a->receive.taken = stopping_asked();
	a->receive.leaving = true;
	receive_all(&a->receive, a->target->tty, &st);
	session_free(a->session);
	return keep_or_drop(a, &st);
}

/* Make `next` a session of the same run, with what is wanted. */
static bool
begin_more(struct attach *a)
{
	struct attach	*n = attach_new(a->o, a->target, &a->keep);
	int		 rc;

	a->next = n;
	n->records = a->wants;
	n->number = a->number + 1;
	n->receive = receive_like(&a->receive);
	if (open_spool(n) != 0)
		return false;
	rc = n->records == MORE_STACKS ?
	    target_start_stacks(a->target, &n->session, spool_fd(n)) :
	    target_start_heap(a->target, &n->session, spool_fd(n));
	if (rc == 0) {
		receive_begin(&n->receive, n->session);
		return true;
	}
	end_spool(n, false);
	return false;
}

static int
attach(struct attach *a)
{
	struct target	*t = a->target;
	int		 code, left;

	t->next_run.self = a;
	t->next_run.begin = target_may_come_again(t) ? begin_next : NULL;
	code = target_start(t, &a->session, spool_fd(a), -1);
	if (code != 0) {
		end_spool(a, false);
		return code;
	}
	receive_begin(&a->receive, a->session);
	for (code = attach_to(a); a->goes_on || a->wants != MORE_NOTHING; code = attach_to(a)) {
		if (a->wants != MORE_NOTHING && !begin_more(a))
			break;
		if (a->wants == MORE_NOTHING)
			next_run_go_on(&t->next_run);
		a = a->next;
	}
	next_run_want_no_more(&t->next_run);
	target_tend_no_more(t);
	remote_end(&t->remote);
	left = next_run_has_begun(&t->next_run) ? leave(a->next) : 0;
	return code > left ? code : left;
}

int
subcommand_attach(const struct options *o)
{
	struct target	target;
	struct keeping	keep;
	struct attach	*a, *next;
	int		 code;

	if (isatty(STDOUT_FILENO) != 1)
		return exit_usage("attach needs a terminal; `tnav record` writes to a file");
	target_init(&target, o);
	code = keeping_read(&keep, o);
	a = attach_new(o, &target, &keep);
	stopping_begin();
	if (code == 0)
		code = receive_limits(&a->receive, o);
	if (code == 0)
		code = target_choose(&target, "attach", false);
	if (code == 0)
		code = target_ask(&target);
	if (code == 0)
		code = target_find(&target);
	a->receive.host = remote_host(&target.remote);
	do {
		if (code == 0)
			code = open_spool(a);
		if (code == 0)
			code = attach(a);
	} while (target_find_another(&target, &code));
	child_signal(&target.child, SIGTERM);
	code = target_code(&target, code);
	target_release(&target);
	for (; a != NULL; a = next) {
		next = a->next;
		attach_free(a);
	}
	return code;
}

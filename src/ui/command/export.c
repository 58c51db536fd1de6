/*
 * The rows of the window and the filter, to a file or to a command that the user types.
 *
 *	rows --filter--> ui_options.export (the forms of `tnav dump`) --> file, or pipe --> sh -c
 *
 * To a file it goes on between keys and can be cancelled; the file appears when it is whole. While
 * a command runs the terminal is its own.
 */
#include "ui/command/export.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/engine/filter.h"
#include "tnav/io/output.h"
#include "ui/command/rows.h"
#include "ui/command/write.h"
#include "ui/shell.h"


#define WAIT_NS		((int64_t)50 * 1000000)

/* A walk over the rows that the view shows. */
struct export {
	void			*x;
	struct query		*q;		/* NULL: all rows */
	uint64_t		 row, row0, row1, written;
	char			*path;
	int64_t			 told;		/* when the progress was last said */
};

static bool
walk_open(struct ui *ui, struct export *e)
{
	struct view		*v = &ui->v;
	struct filter_error	 err;
	struct filter		*f;
	bool			 good;

	*e = (struct export){ .row = v->window.row0, .row0 = v->window.row0,
	    .row1 = v->window.row1 };
	if (v->filter.text == NULL)
		return true;
	filter_error_init(&err);
	good = filter_new(&f, v->filter.text, strlen(v->filter.text), v->t, false, view_now_ns(v),
	    &err) == 0;
	if (good) {
		e->q = query_new(v->t, f, v->window.row0, v->window.row1, v->window.row0);
		(void)query_step(e->q, 0);
	}
	filter_error_release(&err);
	return good;
}

static void
walk_close(struct export *e)
{
	query_free(e->q);
	mem_free(e->path);
}

/* Some more rows, for about budget_ns (0: all). 1: there are more; 0: done; or ERR_IO. */
static int
walk_step(struct ui *ui, struct export *e, int64_t budget_ns)
{
	int64_t	now = job_now_ns(), end = budget_ns > 0 ? now + budget_ns : INT64_MAX;
	int	err = ERR_OK;

	for (; e->row < e->row1 && err == ERR_OK; now = job_now_ns()) {
		uint64_t	set;
		unsigned	n;

		if (now >= end)
			return 1;
		n = query_hits_at(e->q, e->row, &set);
		/* Asked anew now and then: what is waited for may have been decided meanwhile. */
		if (n == 0)
			query_wait(e->q, end - now < WAIT_NS ? end - now : WAIT_NS);
		for (; n > 0 && e->row < e->row1 && err == ERR_OK; n--, set >>= 1, e->row++) {
			struct event	ev;

			if ((set & 1) == 0 || trace_event(ui->v.t, e->row, &ev) != 1)
				continue;
			err = ui->opt.export->event(e->x, &ev, e->row);
			e->written++;
		}
	}
	return err;
}

/* Rows are whole when the index is: until then what was asked for is kept. True: it waits. */
static bool
waits(struct ui *ui, const char *arg, bool pipes)
{
	if (ui->v.complete || ui->opt.export == NULL)
		return false;
	buf_clear(&ui->later.what);
	buf_puts(&ui->later.what, arg);
	ui->later.pipes = pipes;
	view_say(&ui->v, "that begins when the trace is read (Esc: not)");
	return true;
}

void
export_later(struct ui *ui)
{
	char	*arg;

	if (ui->later.what.len == 0 || !ui->v.complete)
		return;
	arg = mem_strdup(buf_str(&ui->later.what));
	buf_clear(&ui->later.what);
	(void)(ui->later.pipes ? export_pipe(ui, arg) : export_start(ui, arg));
	ui->screen.dirty = true;
	mem_free(arg);
}

static bool
may_begin(struct ui *ui)
{
	if (ui->opt.export == NULL)
		view_say(&ui->v, "there is nothing here that writes rows");
	else if (ui->export != NULL)
		view_say(&ui->v, "rows are being written already (Esc stops that)");
	else
		return true;
	return false;
}

/* ---- to a file */

static const char *
form_of(const struct ui *ui, const char *path)
{
	const char *const	*f = ui->opt.export->formats;
	const char		*dot = strrchr(path, '.');

	if (dot != NULL && strcmp(dot, ".json") == 0)
		return "jsonl";
	for (; dot != NULL && *f != NULL; f++)
		if (strcmp(dot + 1, *f) == 0)
			return *f;
	return "text";
}

static bool
begin(struct ui *ui, const char *path, bool replace)
{
	struct output	*o;
	struct export	 e;

	if (rows_here(ui) != NULL)
		return rows_export(ui, rows_here(ui), form_of(ui, path), path, replace);
	if (!walk_open(ui, &e))
		return false;
	if (output_open_file(&o, path, replace) < 0) {
		view_say(&ui->v, "%s can't be written: %s", path, strerror(errno));
		walk_close(&e);
		return false;
	}
	e.x = ui->opt.export->open(ui->v.t, form_of(ui, path), o,
	    ui->v.display.time_format == TIME_UTC);
	e.path = mem_strdup(path);
	ui->export = mem_zalloc(1, sizeof *ui->export);
	*ui->export = e;
	return true;
}

static void
begin_over(struct ui *ui, const char *path)
{
	if (may_begin(ui))
		(void)begin(ui, path, true);
}

bool
export_start(struct ui *ui, const char *arg)
{
	bool	replace = strncmp(arg, "-f ", 3) == 0;

	if (rows_here(ui) == NULL && waits(ui, arg, false))
		return true;
	if (!may_begin(ui))
		return false;
	arg += replace ? 3 : 0;
	switch (write_look(ui, arg)) {
	case WRITE_NEW:
		return begin(ui, arg, false);
	case WRITE_OVER:
		if (replace)
			return begin(ui, arg, true);
		write_ask(ui, arg, begin_over);
		return true;
	case WRITE_NOT:
		break;
	}
	return false;
}

static void
finish(struct ui *ui, bool keep)
{
	uint64_t	bytes = 0;
	int		err = ui->opt.export->close(ui->export->x, keep, &bytes);
	struct buf	b;

	if (keep && err != 0) {
		view_say(&ui->v, "%s: %s", ui->export->path, strerror(errno));
	} else if (keep) {
		buf_init(&b);
		buf_grouped(&b, ui->export->written);
		buf_puts(&b, ui->export->written == 1 ? " row (" : " rows (");
		units_bytes(&b, bytes);
		view_say(&ui->v, "%s) written to %s", buf_str(&b), ui->export->path);
		buf_release(&b);
	}
	walk_close(ui->export);
	mem_free(ui->export);
	ui->export = NULL;
	ui->screen.dirty = true;
}

void
export_step(struct ui *ui, int64_t budget_ns)
{
	struct export	*e = ui->export;
	int		 r = walk_step(ui, e, budget_ns);
	int64_t		 now = job_now_ns();

	if (r != 1) {
		finish(ui, true);	/* the output remembers its first error */
	} else if (now - e->told > 250 * (int64_t)1000000) {
		e->told = now;
		view_say(&ui->v, "writing %s: %d %% (Esc stops)", e->path,
		    (int)((double)(e->row - e->row0) * 100 / (double)(e->row1 - e->row0)));
		ui->screen.dirty = true;
	}
}

bool
export_cancel(struct ui *ui)
{
	if (ui->later.what.len > 0) {
		buf_clear(&ui->later.what);
		view_say(&ui->v, "nothing will be written");
		return true;
	}
	if (ui->export == NULL)
		return false;
	finish(ui, false);
	view_say(&ui->v, "stopped: nothing was written");
	return true;
}

/* ---- to a command */

/* Only calls that a child of a program with threads may make. */
static pid_t
start_command(const char *command, int fd)
{
	pid_t	pid = fork();

	if (pid != 0)
		return pid;
	/* Whatever tnav itself was started with: Ctrl-C is for the command. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTSTP, SIG_IGN);	/* who would wake it? */
	if (dup2(fd, STDIN_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void
say_status(struct ui *ui, uint64_t rows, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		view_say(&ui->v, "%llu rows piped", (unsigned long long)rows);
	else if (WIFEXITED(status))
		view_say(&ui->v, "the command ended with exit code %d", WEXITSTATUS(status));
	else
		view_say(&ui->v, "the command was ended by signal %d", WTERMSIG(status));
}

static void
feed(struct ui *ui, struct export *e, int fd)
{
	uint64_t	bytes;

	e->x = ui->opt.export->open(ui->v.t, "text", output_on(fd),
	    ui->v.display.time_format == TIME_UTC);
	(void)walk_step(ui, e, 0);
	(void)ui->opt.export->close(e->x, true, &bytes);
}

bool
export_pipe(struct ui *ui, const char *command)
{
	struct sigaction	ignore = { .sa_handler = SIG_IGN }, before;
	struct export		e;
	int			fd[2], status = 0;
	pid_t			pid;

	if (waits(ui, command, true) || !may_begin(ui) || !walk_open(ui, &e))
		return true;
	if (pipe2(fd, O_CLOEXEC) != 0) {
		view_say(&ui->v, "no pipe: %s", strerror(errno));
		walk_close(&e);
		return true;
	}
	if (ui->screen.s->ops->leave != NULL)
		ui->screen.s->ops->leave(ui->screen.s);
	sigaction(SIGPIPE, &ignore, &before);	/* a command that has seen enough is no fault */
	pid = start_command(command, fd[0]);
	close(fd[0]);
	if (pid > 0) {
		feed(ui, &e, fd[1]);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		say_status(ui, e.written, status);
	} else {
		close(fd[1]);
		view_say(&ui->v, "the command can't be started: %s", strerror(errno));
	}
	sigaction(SIGPIPE, &before, NULL);
	if (ui->screen.s->ops->enter != NULL)
		ui->screen.s->ops->enter(ui->screen.s);
	ui->screen.resized = ui->screen.dirty = true;
	walk_close(&e);
	return true;
}

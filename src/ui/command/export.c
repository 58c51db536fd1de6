/*
 * Exports the rows of the window that match the filter: to a file, or to a command that the user
 * types.
 *
 *	pass --rows--> ui_options.export (formats of `tnav dump`) --> file, or pipe --> sh -c
 *
 * An export to a file runs in the background and can be cancelled. The file appears when it is
 * complete. A command has the terminal while it runs; so has a subcommand of tnav that writes what
 * the viewer does not (profiles, traces of other tools).
 */
#include "ui/command/export.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"
#include "tnav/io/output.h"
#include "tnav/io/paths.h"
#include "ui/command/cutting.h"
#include "ui/command/row_commands.h"
#include "ui/command/write.h"
#include "ui/shell.h"

#define MESSAGE_NS		((int64_t)250 * 1000000)	/* between two messages about the
							   progress */
#define WAIT_NS		((int64_t)50 * 1000000)
#define CONFIRM_BYTES	10000000u	/* more are written only after a question */
#define SAMPLES		16u		/* to estimate them: stretches of so many rows */
#define SAMPLE_STEP	7u		/* from one to the next: if time ends, they are from all
					   parts of the rows */
#define SAMPLE_ROWS	64u
#define SAMPLE_NS	((int64_t)200 * 1000000)	/* for all of them */

/* A pass over the rows that are shown. */
struct export {
	void			*x;		/* the writer; the pass belongs to it */
	struct filter		*filter;	/* of the pass, before it begins; NULL: all rows */
	struct pass_options	 o;
	struct pass_job		*job;		/* NULL: there are no rows */
	struct cutting		*cutting;	/* in place of all of them: as a trace */
	char			*path;
	int64_t			 message_ns;	/* of the last message */
};

static bool
export_open(struct ui *ui, struct export *e)
{
	struct view	*v = &ui->v;

	*e = (struct export){ .o = { .order = PASS_TIME, .few_rows = true, .row0 = v->window.row0,
	    .row1 = v->window.row1 } };
	return view_filter_again(v, &e->filter);
}

/* Begin to write to the output, which the writer takes over. */
static void
export_begin(struct ui *ui, struct export *e, const char *format, struct output *o)
{
	e->x = ui->opt.export->open(ui->v.t, format, o,
	    ui->v.display.time_format == TIME_UTC);
	if (e->o.row0 >= e->o.row1)
		return;
	e->job = pass_start(ui->v.t, &e->o, e->filter, ui->opt.export->rows, e->x);
	e->filter = NULL;
}

/* Wait for at most this long. True: everything is written, or writing has failed. */
static bool
export_await(struct export *e, int64_t budget_ns)
{
	if (e->cutting != NULL)
		return task_wait(&e->cutting->task, budget_ns);
	return e->job == NULL || pass_await(e->job, budget_ns);
}

/* Returns 0, or ERR_IO and errno. Rows are counted as events. */
static int
export_end(struct ui *ui, struct export *e, bool keep, struct excerpt_result *out)
{
	*out = (struct excerpt_result){ .events = 0 };
	if (e->cutting != NULL)
		return cutting_end(e->cutting, keep, out);
	if (e->job != NULL)
		(void)pass_done(e->job, &out->pass);
	pass_stop(e->job);
	return ui->opt.export->close(e->x, keep, &out->events, &out->bytes);
}

static void
export_release(struct export *e)
{
	filter_free(e->filter);
	mem_free(e->path);
}

/* Rows are final when the index is complete. Until then the request is kept. True: it waits. */
static bool
waits(struct ui *ui, const char *arg, bool pipes, bool redacts)
{
	if (ui->v.complete || ui->opt.export == NULL)
		return false;
	buf_clear(&ui->later.what);
	buf_puts(&ui->later.what, arg);
	ui->later.pipes = pipes;
	ui->later.redacts = redacts;
	view_say(&ui->v, "starts once the trace is indexed (Esc cancels)");
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
	(void)(ui->later.pipes ? export_pipe(ui, arg) :
	    export_start(ui, arg, ui->later.redacts));
	ui->screen.dirty = true;
	mem_free(arg);
}

static bool
may_begin(struct ui *ui)
{
	if (ui->opt.export == NULL)
		view_say(&ui->v, "no rows to export here");
	else if (ui->export != NULL)
		view_say(&ui->v, "an export is already running (Esc stops it)");
	else
		return true;
	return false;
}

/* ---- to a file */

#define FORM_TRACE	"trace"
#define END_TRACE	".nettrace"

static bool
names_trace(const char *path)
{
	return text_has_ending(output_bare(path), END_TRACE);
}

/* NULL: the name has no such ending. */
static const char *
form_named(const struct ui *ui, const char *path)
{
	const char *const	*f = ui->opt.export != NULL ? ui->opt.export->formats : NULL;
	const char		*dot = strrchr(path, '.');

	if (names_trace(path))
		return FORM_TRACE;
	if (dot != NULL && strcasecmp(dot, ".json") == 0)
		return "jsonl";
	if (dot != NULL && strcasecmp(dot, ".txt") == 0)
		return "text";
	for (; dot != NULL && f != NULL && *f != NULL; f++)
		if (strcasecmp(dot + 1, *f) == 0)
			return *f;
	return NULL;
}

bool
export_names_form(const struct ui *ui, const char *path)
{
	return !names_trace(path) && form_named(ui, path) != NULL;
}

static const char *
form_of(const struct ui *ui, const char *path)
{
	const char	*form = form_named(ui, path);

	return form != NULL ? form : "text";
}

/* Forms that a subcommand writes. */
static const struct written_form {
	const char	*end;
	const char	*flag;		/* of stacks; NULL: convert writes it */
} written_forms[] = {
	{ ".speedscope.json", "--speedscope" }, { ".folded", "--fold" }, { ".pb.gz", NULL },
	{ ".pftrace", NULL },
};

static const struct written_form *
written_form(const char *path)
{
	for (size_t i = 0; i < sizeof written_forms / sizeof *written_forms; i++)
		if (text_has_ending(span_of(path), written_forms[i].end))
			return &written_forms[i];
	return NULL;
}

/* Can what is shown not be written in the form of this name? Then a message says what can. */
static bool
refuses_form(struct ui *ui, const char *path)
{
	const struct written_form	*form = written_form(path);

	if (text_has_ending(span_of(path), ".svg")) {
		view_refuse(&ui->v, "no pictures are written; export .speedscope.json or .folded");
	} else if (form != NULL && (!ui->opt.subcommands ||
	    strcmp(trace_path(ui->v.t), "-") == 0)) {
		view_refuse(&ui->v, "another command writes it: ");
		copy_writer_line(ui, "tnav", form->flag, path, &ui->v.message);
	} else if (form == NULL && ui->panes.focus == PANE_FLAME && !names_trace(path)) {
		view_refuse(&ui->v, "it is written as .folded or .speedscope.json; "
		    "as a table: Alt-c");
	} else {
		return false;
	}
	return true;
}

static bool
begin(struct ui *ui, const char *path, bool replace, bool redacts)
{
	bool		 as_trace = names_trace(path);
	struct output	*o;
	struct export	 e;

	if (output_refusal(path) != NULL) {
		view_say(&ui->v, "cannot write %s: %s", path, output_refusal(path));
		return false;
	}
	if (!as_trace && rows_here(ui) != NULL)
		return rows_export(ui, rows_here(ui), form_of(ui, path), path, replace);
	if (as_trace && excerpt_refusal(ui->v.t) != NULL)
		return view_refuse(&ui->v, "%s", excerpt_refusal(ui->v.t));
	if (!export_open(ui, &e))
		return false;
	if (output_open_file(&o, path, replace) < 0) {
		view_say(&ui->v, "cannot write %s: %s", path, strerror(errno));
		export_release(&e);
		return false;
	}
	e.path = mem_strdup(path);
	ui->export = mem_zalloc(1, sizeof *ui->export);
	*ui->export = e;
	if (as_trace) {
		ui->export->cutting = cutting_new(&ui->v, e.filter, o, redacts);
		ui->export->filter = NULL;
	} else {
		export_begin(ui, ui->export, form_of(ui, path), o);
	}
	return true;
}

/* What a question is answered with, by redacts, then by replace. */
#define ANSWER(name, replace, redacts) \
	static void \
	name(struct ui *ui, const char *path) \
	{ \
		if (may_begin(ui)) \
			(void)begin(ui, path, replace, redacts); \
	}
ANSWER(begin_new, false, false)
ANSWER(begin_over, true, false)
ANSWER(redact_to_new, false, true)
ANSWER(redact_over_old, true, true)

static bool
is_late(void *arg, uint64_t done, uint64_t all)
{
	const int64_t	*end = arg;

	(void)done;
	(void)all;
	return job_now_ns() > *end;
}

/* Write some rows to memory. Returns their bytes; -1: it takes too long. */
static int64_t
sample_bytes(struct ui *ui, const struct export *e, const char *form)
{
	struct output		*o = output_on(-1);
	void			*x = ui->opt.export->open(ui->v.t, form, o,
	    ui->v.display.time_format == TIME_UTC);
	struct pass_result	 r;
	uint64_t		 rows;
	int64_t			 bytes = -1;

	if (pass_run(ui->v.t, &e->o, ui->opt.export->rows, x, &r) == ERR_OK)
		bytes = (int64_t)output_buf(o)->len;
	(void)ui->opt.export->close(x, false, &rows, NULL);
	return bytes;
}

/* As a trace: the window's share of it. */
static uint64_t
estimate_trace(const struct ui *ui)
{
	const struct window	*w = &ui->v.window;

	return w->rows == 0 ? 0 : (uint64_t)((double)trace_size(ui->v.t) *
	    ((double)(w->row1 - w->row0) / (double)w->rows));
}

/* About how many bytes would be written, before compression; 0: not known. */
static uint64_t
estimate(struct ui *ui, const char *form)
{
	int64_t		end = job_now_ns() + SAMPLE_NS, more = 0;
	struct export	e;
	uint64_t	first, n, rows = 0, bytes = 0;

	if (strcmp(form, FORM_TRACE) == 0)
		return estimate_trace(ui);
	if (rows_here(ui) != NULL)
		return ui->opt.export != NULL ? rows_estimate(ui, rows_here(ui), form) : 0;
	if (!export_open(ui, &e))
		return 0;
	first = e.o.row0;
	n = e.o.row1 - first;
	e.o.filter = e.filter;
	e.o.tick = is_late;
	e.o.tick_arg = &end;
	for (unsigned taken = 0; taken < SAMPLES && more >= 0; taken++) {
		uint64_t	i = taken * SAMPLE_STEP % SAMPLES;
		uint64_t	next = first + n * (i + 1) / SAMPLES;

		e.o.row0 = first + n * i / SAMPLES;
		e.o.row1 = min_u64(e.o.row0 + SAMPLE_ROWS, next);
		more = e.o.row0 < e.o.row1 ? sample_bytes(ui, &e, form) : 0;
		rows += more < 0 ? 0 : e.o.row1 - e.o.row0;
		bytes += more < 0 ? 0 : (uint64_t)more;
	}
	export_release(&e);
	return rows > 0 ? (uint64_t)((double)bytes / (double)rows * (double)n) : 0;
}

static void	run_writer(struct ui *ui, const char *path);

static bool
start_file(struct ui *ui, const char *arg, bool redacts)
{
	static void	(*const answers[2][2])(struct ui *, const char *) = {
		{ begin_new, begin_over }, { redact_to_new, redact_over_old },
	};
	bool		replace = strncmp(arg, "-f ", 3) == 0;
	enum write_answer answer;
	uint64_t	bytes;

	if ((rows_here(ui) == NULL || names_trace(arg)) && waits(ui, arg, false, redacts))
		return true;
	if (!may_begin(ui))
		return false;
	arg += replace ? 3 : 0;
	if (refuses_form(ui, arg))
		return false;
	answer = write_look(ui, arg);
	if (answer == WRITE_NOT)
		return false;
	if (written_form(arg) != NULL) {
		if (replace || answer == WRITE_NEW)
			run_writer(ui, arg);
		else
			write_ask(ui, arg, answer, 0, run_writer);
		return true;
	}
	bytes = replace ? 0 : estimate(ui, form_of(ui, arg));
	if (replace || (answer == WRITE_NEW && bytes < CONFIRM_BYTES))
		return begin(ui, arg, replace, redacts);
	write_ask(ui, arg, answer, bytes < CONFIRM_BYTES ? 0 : bytes,
	    answers[redacts][answer == WRITE_OVER]);
	return true;
}

/* ~ is the user's home directory. */
bool
export_start(struct ui *ui, const char *arg, bool redacts)
{
	bool		replace = strncmp(arg, "-f ", 3) == 0, good;
	struct buf	b = { 0 };

	buf_puts(&b, replace ? "-f " : "");
	paths_expand(&b, arg + (replace ? 3 : 0));
	good = start_file(ui, buf_str(&b), redacts);
	buf_release(&b);
	return good;
}

/* The name of a trace: .nettrace is added to another one. */
bool
export_cut(struct ui *ui, const char *arg, bool redacts)
{
	struct buf	b = { 0 };
	bool		good;

	buf_printf(&b, "%s%s", arg, names_trace(arg) ? "" : END_TRACE);
	good = export_start(ui, buf_str(&b), redacts);
	buf_release(&b);
	return good;
}

static void
say_written(struct ui *ui, const struct excerpt_result *w)
{
	struct buf	*b = &ui->v.message;

	view_hush(&ui->v);
	buf_counts(b, names_trace(ui->export->path) ? "# event{s}" : "# row{s}",
	    w->events);
	if (w->context > 0)
		buf_counts(b, ", # more for names", w->context);
	if (w->texts > 0)
		buf_counts(b, ", # text{s} redacted", w->texts);
	buf_puts(b, " (");
	units_bytes(b, w->bytes);
	buf_printf(b, ") written to %s%s", ui->export->path,
	    w->pass.lost ? "; the rest cannot be read: the file has changed" : "");
}

static void
finish(struct ui *ui, bool keep)
{
	struct excerpt_result	w;
	int			err = export_end(ui, ui->export, keep, &w);

	if (keep && err == ERR_FORMAT)
		view_say(&ui->v, "nothing is written: a redacted text would stand elsewhere");
	else if (keep && err != 0)
		view_say(&ui->v, "%s: %s", ui->export->path, strerror(errno));
	else if (keep)
		say_written(ui, &w);
	export_release(ui->export);
	mem_free(ui->export);
	ui->export = NULL;
	ui->screen.dirty = true;
}

void
export_step(struct ui *ui, int64_t budget_ns)
{
	struct export	*e = ui->export;
	bool		 done = export_await(e, budget_ns);
	int64_t		 now = job_now_ns();

	if (done) {
		finish(ui, true);	/* the output keeps its first error */
	} else if (now - e->message_ns > MESSAGE_NS) {
		e->message_ns = now;
		view_say(&ui->v, "writing %s: %u %% (Esc stops it)", e->path,
		    e->cutting != NULL ? task_percent(&e->cutting->task) :
		    percent_of(pass_share(e->job)));
		ui->screen.dirty = true;
	}
}

bool
export_cancel(struct ui *ui)
{
	if (ui->later.what.len > 0) {
		buf_clear(&ui->later.what);
		view_say(&ui->v, "export cancelled");
		return true;
	}
	if (ui->export == NULL)
		return false;
	finish(ui, false);
	view_say(&ui->v, "stopped: nothing was written");
	return true;
}

/* ---- to a command */

/* Between fork and exec, only async-signal-safe calls are allowed: the program has threads. */
static pid_t
start_command(const char *command, int fd)
{
	pid_t	pid = fork();

	if (pid != 0)
		return pid;
	/* Ctrl-C must reach the command, even if tnav ignores it. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTSTP, SIG_IGN);	/* nothing would resume it */
	if (dup2(fd, STDIN_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void
say_status(struct ui *ui, uint64_t rows, int status)
{
	view_hush(&ui->v);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		buf_counts(&ui->v.message, "# rows piped", rows);
	else if (WIFEXITED(status))
		view_say(&ui->v, "the command exited with code %d", WEXITSTATUS(status));
	else
		view_say(&ui->v, "the command was killed by signal %d", WTERMSIG(status));
}

/* Write the rows to the descriptor, until the command stops reading. */
static uint64_t
feed(struct ui *ui, struct export *e, int fd)
{
	struct excerpt_result	w;

	export_begin(ui, e, "text", output_on(fd));
	while (!export_await(e, WAIT_NS))
		;
	(void)export_end(ui, e, true, &w);
	return w.events;
}

/* Give the terminal to a command, and take it back; asks: when the user confirms. */
static void
leave(struct ui *ui, struct sigaction *before)
{
	struct sigaction	ignore = { .sa_handler = SIG_IGN };

	if (ui->screen.s->ops->leave != NULL)
		ui->screen.s->ops->leave(ui->screen.s);
	sigaction(SIGPIPE, &ignore, before);	/* a command may stop reading early */
}

static void
enter(struct ui *ui, const struct sigaction *before, bool asks)
{
	sigaction(SIGPIPE, before, NULL);
	if (ui->screen.s->ops->enter != NULL)
		ui->screen.s->ops->enter(ui->screen.s, asks);
	ui->screen.resized = ui->screen.dirty = true;
}

static int
await(pid_t pid)
{
	int	status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

bool
export_pipe(struct ui *ui, const char *command)
{
	struct sigaction	before;
	struct export		e;
	int			fd[2];
	uint64_t		rows;
	pid_t			pid;

	if (waits(ui, command, true, false) || !may_begin(ui) || !export_open(ui, &e))
		return true;
	if (pipe2(fd, O_CLOEXEC) != 0) {
		view_say(&ui->v, "cannot create a pipe: %s", strerror(errno));
		export_release(&e);
		return true;
	}
	leave(ui, &before);
	pid = start_command(command, fd[0]);
	close(fd[0]);
	if (pid > 0) {
		rows = feed(ui, &e, fd[1]);
		say_status(ui, rows, await(pid));
	} else {
		close(fd[1]);
		view_say(&ui->v, "cannot start the command: %s", strerror(errno));
	}
	enter(ui, &before, true);
	export_release(&e);
	return true;
}

/* A form that a subcommand writes: it has the terminal meanwhile, for its progress and Ctrl-C. */
static void
run_writer(struct ui *ui, const char *path)
{
	const struct written_form	*form = written_form(path);
	struct sigaction		 before;
	char				 program[PATH_MAX];
	ssize_t				 len = readlink("/proc/self/exe", program,
					    sizeof program - 1);
	struct buf			 command = { 0 };
	pid_t				 pid = -1;
	int				 status, nothing;

	program[len > 0 ? len : 0] = '\0';
	copy_writer_line(ui, program, form->flag, path, &command);
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	leave(ui, &before);
	if (nothing >= 0)
		pid = start_command(buf_str(&command), nothing);
	status = pid > 0 ? await(pid) : -1;
	enter(ui, &before, status != 0);
	view_say(&ui->v, status == 0 ? "%s written" : "%s was not written", path);
	if (nothing >= 0)
		close(nothing);
	buf_release(&command);
}

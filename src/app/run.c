/*
 * A run of a subcommand from the file's name to the exit code.
 *
 *	open trace -> index (progress) -> selection -> open output -> the command's work
 *	-> finish output -> findings on stderr -> exit code
 *
 * The output is opened last, so that nothing is written, and no file replaced, for a usage error.
 */
#include "app/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define INDEX_WAIT_MS	200
#define FINDINGS_TOLD	10u

/* ---- opening */

static int
exit_of(int err, int number)
{
	if (err == ERR_NOMEM || err == ERR_LIMIT)
		return EXIT_RESOURCE;
	if (err == ERR_IO && (number == EMFILE || number == ENFILE || number == ENOMEM))
		return EXIT_RESOURCE;
	return EXIT_USAGE;
}

const char *
run_name(const struct options *opt)
{
	return strcmp(opt->file, "-") == 0 ? "standard input" : opt->file;
}

struct trace_options
run_trace_options(const struct options *opt)
{
	uint64_t	jobs = opt->number[OPT_JOBS];

	return (struct trace_options){ .input_format = opt->text[OPT_INPUT_FORMAT],
	    .workers = jobs < 1u << 16 ? (unsigned)jobs : 1u << 16 };
}

int
run_open_trace(struct trace **t, const struct options *opt)
{
	struct trace_options	to = run_trace_options(opt);
	struct buf		why;
	int			err, number;

	buf_init(&why);
	errno = 0;
	err = trace_open(t, opt->file, &to, &why);
	number = errno;
	if (err < 0)
		message_put("%s: %s", run_name(opt),
		    why.len > 0 ? buf_str(&why) : err_text(err));
	buf_release(&why);
	return err < 0 ? exit_of(err, number) : 0;
}

static void
wait_for_index(struct run *s)
{
	struct trace_progress	p;

	trace_index_start(s->t);
	while (!trace_index_wait(s->t, INDEX_WAIT_MS)) {
		trace_progress(s->t, &p);
		if (p.spooling)
			progress_tick(&s->progress, "reading", p.size, 0);
		else
			progress_tick(&s->progress, "indexing", p.done, p.size);
	}
	progress_end(&s->progress);
}

static bool
want_color(const struct run *s, bool tty)
{
	const char	*term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (s->opt->choice[OPT_COLOR] != 0)
		return s->opt->choice[OPT_COLOR] == 1;
	return tty && (no == NULL || no[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0;
}

static int
open_output(struct run *s)
{
	const struct trace_info	*info = trace_info(s->t);
	const char		*path = s->opt->text[OPT_OUTPUT];

	if (path != NULL && strcmp(path, "-") == 0)
		path = NULL;
	if (path != NULL && trace_is_file(s->t, path)) {
		message_put("%s: can't be written: it is the trace that is read", path);
		return EXIT_OUTPUT;
	}
	if (output_open(&s->o, path) < 0) {
		message_put("%s: can't be written: %s", path, strerror(errno));
		return EXIT_OUTPUT;
	}
	s->st.format = (enum out_format)s->opt->choice[OPT_FORMAT];
	s->st.tty = output_is_tty(s->o);
	s->st.mode = message_mode(s->st.tty);
	s->st.color = s->st.format == OUT_TEXT && want_color(s, s->st.tty);
	s->st.utc = s->opt->given[OPT_UTC] && info->has_sync_utc;
	s->st.sync_utc = info->sync_utc;
	return 0;
}

static void
release(struct run *s)
{
	selection_release(&s->sel);
	trace_close(s->t);
	memset(s, 0, sizeof *s);
}

int
run_open(struct run *s, const struct options *opt)
{
	int	code;

	memset(s, 0, sizeof *s);
	s->opt = opt;
	progress_init(&s->progress, opt->given[OPT_PROGRESS]);
	code = run_open_trace(&s->t, opt);
	if (code != 0)
		return code;
	wait_for_index(s);
	code = selection_init(&s->sel, s->t, opt);
	if (code == 0)
		code = open_output(s);
	if (code != 0)
		release(s);
	return code;
}

/* ---- closing */

static void
tell_finding(const struct run *s, const struct finding *f)
{
	struct buf	b;

	buf_init(&b);
	if (f->bytes > 0)
		buf_printf(&b, ", %" PRIu64 " bytes", f->bytes);
	if (f->count > 1)
		buf_printf(&b, ", %" PRIu64 " times", f->count);
	message_put("%s: offset %" PRIu64 ": %s%s", run_name(s->opt), f->off, f->text,
	    buf_str(&b));
	buf_release(&b);
}

static void
tell_findings(const struct run *s)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(s->t), &list), told = 0, more = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].severity == SEV_NOTE)
			continue;
		if (told < FINDINGS_TOLD) {
			tell_finding(s, &list[i]);
			told++;
		} else {
			more++;
		}
	}
	if (more > 0)
		message_put("%s: and %zu more; `tnav check` lists them", run_name(s->opt),
		    more);
	mem_free(list);
}

static int
finish_output(struct run *s, int code)
{
	const char	*path = s->opt->text[OPT_OUTPUT];
	uint64_t	 written;

	if (output_close(s->o, code == 0 || code == EXIT_DAMAGED, &written) == ERR_OK)
		return code;
	message_put("%s: write failed after %" PRIu64 " bytes: %s",
	    path != NULL ? path : "standard output", written, strerror(errno));
	return EXIT_OUTPUT;
}

int
run_close(struct run *s, int code, bool quiet)
{
	progress_end(&s->progress);
	code = finish_output(s, code);
	selection_tell(&s->sel);
	if (code == EXIT_CLEAN && !trace_clean(s->t))
		code = EXIT_DAMAGED;
	if (code == EXIT_DAMAGED && !quiet)
		tell_findings(s);
	release(s);
	return code;
}

/*
 * A run of a subcommand, from the names of files to the exit code.
 *
 *	each file	open trace -> index (progress) -> selection -> the command's work
 *			-> findings on stderr
 *	the first one	opens the output after its selection
 *	after the last	the end of the rows -> tail -> finish output -> exit code
 *
 * Invariant: nothing is written, and no file replaced, for a usage error.
 */
#include "app/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/follow.h"
#include "app/joining.h"
#include "app/stopping.h"
#include "tnav/analysis/report.h"
#include "tnav/analysis/roles.h"
#include "tnav/analysis/symbols.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#define INDEX_WAIT_MS	200
#define PRESENT_WAIT_MS	5
#define CACHE_BYTES	(24u << 20)	/* for views: a command reads each of them once */
#define FINDINGS_SHOWN	10u
#define NAME_CELLS	100u	/* greatest width of a file's name before a line of text */

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

static const char *
name_of(const char *file)
{
	return strcmp(file, "-") == 0 ? "standard input" : file;
}

int
run_usage(struct run *s)
{
	s->stop = true;
	return EXIT_USAGE;
}

int
run_refuse(struct run *s, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	message_vput(fmt, ap);
	va_end(ap);
	return run_usage(s);
}

const char *
run_name(const struct run *s)
{
	return name_of(s->file);
}

const char *
run_base_name(const struct run *s)
{
	return text_base_name(run_name(s));
}

void
run_tell_cut_stacks(const struct run *s, uint64_t n)
{
	if (n > 0)
		message_put("%s: %llu stacks are cut: their names have more than 1 MiB",
		    run_name(s), (unsigned long long)n);
}

struct trace_options
run_trace_options(const struct options *opt)
{
	uint64_t	jobs = opt->number[OPT_JOBS];

	return (struct trace_options){ .input_format = opt->text[OPT_INPUT_FORMAT],
	    .workers = jobs < 1u << 16 ? (unsigned)jobs : 1u << 16,
	    .cache_bytes = opt->command->each == NULL ? 0 : CACHE_BYTES,
	    .eager = opt->command->each == NULL };	/* only the viewer shows a trace before
							   it is indexed */
}

int
run_open_trace(struct trace **t, const struct options *opt, const char *file)
{
	struct trace_options	to = run_trace_options(opt);
	struct buf		why = { 0 };
	int			err, number;

	errno = 0;
	if (opt->given[OPT_FOLLOW] && opt->command->each != NULL)
		err = follow_open(t, file, &to, &why);
	else
		err = trace_open(t, file, &to, &why);
	number = errno;
	if (why.len == 0 && err < 0)
		buf_puts(&why, err_text(err));
	/* It may be a misspelt command. */
	if (err < 0 && number == ENOENT && !opt->named)
		options_near_commands(&why, opt->commands, file);
	if (err < 0)
		message_put("%s: %s", name_of(file), buf_str(&why));
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

/* Wait until what a followed file has now is indexed. */
static void
wait_for_present(struct trace *t)
{
	struct trace_progress	p;
	uint64_t		size;

	trace_progress(t, &p);
	size = p.size;
	while (!p.complete && !p.all_shown && p.done < size) {
		trace_await(t, UINT64_MAX, PRESENT_WAIT_MS);
		trace_progress(t, &p);
	}
}

static bool
want_color(const struct run *s, bool tty)
{
	const char	*term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (s->opt->choice[OPT_COLOR] != 0)
		return s->opt->choice[OPT_COLOR] == 1;
	return tty && (no == NULL || no[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0;
}

bool
run_to_parquet(const struct run *s)
{
	return s->opt->choice[OPT_FORMAT] == OUT_PARQUET;
}

/* Traces in several folders may have the same name: the second one is NAME~2. */
static void
name_trace(struct run *s, size_t file)
{
	uint32_t	i;

	buf_clear(&s->trace_name);
	if (s->opt->given[OPT_TRACE_NAME])
		parquet_file_name(&s->trace_name, span_of(s->opt->text[OPT_TRACE_NAME]));
	else
		parquet_trace_name(&s->trace_name, s->opt->files[file]);
	i = interned_add(&s->trace_names, span_of_buf(&s->trace_name));
	s->named = array_reach(s->named, &s->nnamed, i, sizeof *s->named);
	if (++s->named[i] > 1)
		buf_printf(&s->trace_name, "~%u", s->named[i]);
}

static void
set_place(struct run *s)
{
	const char	*path = s->opt->text[OPT_OUTPUT];
	uint64_t	 jobs = s->opt->number[OPT_JOBS];

	s->place.path = path == NULL || strcmp(path, "-") == 0 ? NULL : path;
	s->place.trace = s->trace_name.len > 0 && !s->opt->command->joins ?
	    buf_str(&s->trace_name) : NULL;
	s->place.t = s->t;
	s->place.workers = jobs > 0 && jobs < job_cpus() ? (unsigned)jobs : job_cpus();
	s->place.one_kind = s->opt->given[OPT_BY] && s->opt->command->report != NULL;
}

/* Say that a table could not be written. */
static int
tell_place(struct run *s)
{
	if (s->place.failed == NULL)
		return EXIT_CLEAN;
	message_put("%s: cannot be written: %s", s->place.failed, strerror(s->place.error));
	mem_free(s->place.failed);
	s->place.failed = NULL;
	return EXIT_OUTPUT;
}

/* Open the output before the first file is processed. It must not be one of the traces. */
static int
open_output(struct run *s)
{
	const char	*path = s->opt->text[OPT_OUTPUT];
	bool		 announced = false;

	if (run_to_parquet(s)) {	/* each table opens its own file */
		s->o = s->o != NULL ? s->o : output_on(-1);
		return 0;
	}
	if (path != NULL && strcmp(path, "-") == 0)
		path = NULL;
	if (path != NULL && output_refusal(path) != NULL)
		return exit_usage("%s: cannot be written: %s", path, output_refusal(path));
	if (path != NULL && s->t != NULL && trace_is_file(s->t, path)) {
		message_put("%s: cannot write to the trace that is being read", path);
		return EXIT_OUTPUT;
	}
	while (s->o == NULL && output_open(&s->o, path) != ERR_OK)
		if (!stopping_await_reader(path, &announced))
			break;
	if (s->o != NULL)
		return 0;
	message_put("%s: cannot be written: %s", path, strerror(errno));
	return EXIT_OUTPUT;
}

static void
set_style(struct run *s)
{
	const struct trace_info	*info = s->t != NULL ? trace_info(s->t) : NULL;

	s->st.format = (enum out_format)s->opt->choice[OPT_FORMAT];
	s->st.guard = s->opt->given[OPT_SPREADSHEET];
	s->st.tty = output_is_tty(s->o);
	s->st.columns = output_columns(s->o);
	s->st.mode = message_mode(s->st.tty);
	set_place(s);
	s->st.color = s->st.format == OUT_TEXT && want_color(s, s->st.tty);
	if (info == NULL)
		return;
	s->st.utc = s->opt->given[OPT_UTC] && info->has_sync_utc;
	s->st.sync_utc = info->sync_utc;
}

/* A perf map that was given and cannot be read is a usage error. */
static int
check_perf_map(const struct options *o)
{
	const char	*path = o->text[OPT_PERF_MAP];

	if (o->given[OPT_PERF_MAP] && file_is_special(path))
		return exit_usage("--perf-map: %s: not a file", path);
	if (!o->given[OPT_PERF_MAP] || access(path, R_OK) == 0)
		return 0;
	return exit_usage("--perf-map: %s: %s", path, strerror(errno));
}

/* The derived facts that the options need. */
static unsigned
needs_of(const struct run *s)
{
	unsigned	needs = filter_needs(s->sel.filter, s->t);

	if (s->opt->given[OPT_PERF_MAP] || s->opt->given[OPT_SYMBOL_PATH])
		needs |= NEEDS_SYMBOLS;
	if (roles_name_threads(s->t))
		needs |= NEEDS_WHO;
	return needs;
}

static int
begin_following(struct run *s)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (!follow_begin(s->t, &why))
		code = exit_usage("%s: %s", run_name(s), buf_str(&why));
	buf_release(&why);
	return code;
}

/* The trace is open: all that the command needs. Returns 0, or an exit code after a message. */
static int
make_ready(struct run *s)
{
	int	code = 0;

	if (s->opt->given[OPT_FOLLOW])
		code = begin_following(s);
	else
		wait_for_index(s);
	if (code == 0)
		code = selection_init(&s->sel, s->t, s->opt, s->second, &s->filters,
		    buf_str(&s->where));
	if (code == 0)
		code = open_output(s);
	if (code == 0)
		set_style(s);
	if (code == 0)
		(void)run_need(s, needs_of(s));
	return code;
}

static void
name_file(struct run *s, const char *file)
{
	s->file = file;
	buf_clear(&s->where);
	if (s->many)
		buf_printf(&s->where, "%s: ", run_name(s));
}

static int
open_file(struct run *s, const char *file)
{
	int	code;

	name_file(s, file);
	code = run_open_trace(&s->t, s->opt, file);
	return code == 0 ? make_ready(s) : code;
}

/* ---- derived facts */

struct symbols_files
run_symbol_files(const struct options *o, const char *folders[OPTION_USES])
{
	struct symbols_files	f = { .perf_map = o->text[OPT_PERF_MAP], .folders = folders };

	for (size_t i = 0; i < o->nuses; i++)
		if (o->use[i].id == OPT_SYMBOL_PATH)
			folders[f.nfolders++] = o->use[i].arg;
	return f;
}

static bool
derive_tick(void *arg, uint64_t done, uint64_t all)
{
	struct run	*s = arg;

	progress_tick(&s->progress, s->deriving, done, all);
	return false;
}

void
run_tell_remark(const struct run *s, const char *remark)
{
	if (remark != NULL)
		message_put("%s: %s", run_name(s), remark);
}

static int
derive(struct run *s, enum derived kind)
{
	const char		*folders[OPTION_USES];
	struct buf		 why = { 0 };
	struct derive_options	 o = { .pass.tick = derive_tick, .pass.tick_arg = s, .why = &why,
				    .files = run_symbol_files(s->opt, folders) };
	struct pass_result	 r;
	void			*made;
	int			 err;

	s->deriving = derive_doing(kind);
	if (s->opt->given[OPT_FOLLOW])
		run_tell_remark(s, derive_growing(kind));
	derive_lend(kind, NULL, s->t);	/* the field `thread` is read without names */
	err = derive_make(kind, &made, &s->facts, s->t, &o, &r);
	s->facts.of[kind] = made;
	if (made != NULL)
		derive_lend(kind, made, s->t);
	s->lost |= r.lost;
	progress_end(&s->progress);
	message_lines("", "", buf_str(&why));
	run_tell_remark(s, derive_remark(kind, made));
	buf_release(&why);
	return err;
}

int
run_need(struct run *s, unsigned needs)
{
	needs = derive_with(needs);
	if ((needs & ~s->tried) != 0 && s->opt->given[OPT_FOLLOW])
		wait_for_present(s->t);
	for (unsigned k = 0; k < DERIVEDS && s->facts_err == 0; k++) {
		if ((needs & ~s->tried & NEEDS(k)) == 0)
			continue;
		s->tried |= derive_gives(k);
		s->facts_err = derive(s, k);
	}
	return s->facts_err;
}

/* ---- the end */

static void
tell_finding(const char *name, const struct finding *f)
{
	struct buf	b = { 0 };

	if (f->bytes > 0)
		buf_printf(&b, ", %" PRIu64 " bytes", f->bytes);
	if (f->count > 1)
		buf_printf(&b, ", %" PRIu64 " times", f->count);
	message_put("%s: offset %" PRIu64 ": %s%s", name, f->off, f->text, buf_str(&b));
	buf_release(&b);
}

static void
tell_findings(struct trace *t, const char *name)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(t), &list), shown = 0, more = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].severity == SEV_NOTE)
			continue;
		if (shown < FINDINGS_SHOWN) {
			tell_finding(name, &list[i]);
			shown++;
		} else {
			more++;
		}
	}
	if (more > 0)
		message_put("%s: and %zu more; `tnav check` lists them", name, more);
	mem_free(list);
}

/* What a joined trace as a whole could not do. Findings of its sources are told of these. */
static void
tell_limits(struct trace *t)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(t), &list);

	for (size_t i = 0; i < n; i++)
		if (list[i].kind == FIND_LIMIT && list[i].severity == SEV_NOTE)
			message_put("%s", list[i].text);
	mem_free(list);
}

static void
close_file(struct run *s)
{
	selection_release(&s->sel);
	derive_drop(&s->facts, s->t);
	s->tried = 0;
	s->facts_err = 0;
	trace_close(s->t);
	s->t = NULL;
}

/* Run the command over the trace that was opened with this exit code, and close it. */
static int
run_opened(struct run *s, int code)
{
	if (code == 0) {
		s->quiet = s->lost = false;
		code = s->opt->command->each(s);
		if (tell_place(s) != EXIT_CLEAN)
			code = EXIT_OUTPUT;
		s->stop = s->stop || output_step(s->o) < 0;
		progress_end(&s->progress);
		selection_tell(&s->sel, buf_str(&s->where));
		if (s->joined)
			tell_limits(s->t);
		if (code == EXIT_CLEAN && (s->lost || !trace_clean(s->t)))
			code = EXIT_DAMAGED;
		for (uint32_t i = 0; code == EXIT_DAMAGED && !s->quiet && i < trace_sources(s->t);
		    i++)
			tell_findings(trace_source(s->t, i), s->joined ?
			    name_of(trace_path(trace_source(s->t, i))) : run_name(s));
	}
	close_file(s);
	return code;
}

/* Write the rows that are held back, and the tail. */
static void
finish_rows(struct run *s)
{
	if (s->rows != NULL)
		(void)writer_end(s->rows);	/* output_close() returns the error, too */
	buf_add(output_buf(s->o), s->tail.p, s->tail.len);
}

static int
finish_output(struct run *s, bool keep)
{
	const char	*path = s->opt->text[OPT_OUTPUT];
	uint64_t	 written;

	if (output_close(s->o, keep, &written) == ERR_OK)
		return EXIT_CLEAN;
	message_put("%s: write failed after %" PRIu64 " bytes: %s",
	    path != NULL ? path : "standard output", written, strerror(errno));
	return EXIT_OUTPUT;
}

/* ---- all files */

static unsigned
longest_name(const struct options *opt)
{
	size_t	most = 0;

	for (size_t i = 0; i < opt->nfiles; i++) {
		size_t	cells = text_width(span_of(opt->files[i]), TEXT_UTF8);

		if (cells > most)
			most = cells;
	}
	return most < NAME_CELLS ? (unsigned)most : NAME_CELLS;
}

static void
run_init(struct run *s, const struct options *opt)
{
	*s = (struct run){ .opt = opt, .many = opt->nfiles > 1, .sort = TABLE_UNSORTED };
	progress_init(&s->progress, opt->given[OPT_PROGRESS]);
	s->file_cells = s->many ? longest_name(opt) : 0;
}

static void
run_release(struct run *s)
{
	expressions_release(&s->filters);
	report_free(s->before);
	if (s->kept != NULL)
		s->kept_free(s->kept);
	mem_free(s->pick);
	buf_release(&s->tail);
	buf_release(&s->where);
	buf_release(&s->trace_name);
	buf_release(&s->list_name);
	interned_release(&s->trace_names);
	mem_free(s->named);
}

/* All files as one list. True: it was done; false: they can only be read one after the other. */
static bool
run_joined(struct run *s, int *worst)
{
	bool		apart;
	struct joining	how = { run_trace_options(s->opt), run_open_trace };
	int		code;

	exit_worsen(worst, joining_open(&s->t, s->opt, &how, &apart));
	if (s->t == NULL)
		return !apart;
	s->joined = trace_sources(s->t) > 1;
	s->many = s->filters.many = !s->joined;
	buf_printf(&s->list_name, "%u files", trace_sources(s->t));
	name_file(s, s->joined ? buf_str(&s->list_name) : trace_path(s->t));
	code = run_opened(s, make_ready(s));
	s->printed = code <= EXIT_DAMAGED;
	exit_worsen(worst, code);
	return true;
}

static void
run_each(struct run *s, int *worst)
{
	const struct options	*opt = s->opt;

	s->progress.steps = opt->nfiles;
	for (size_t i = 0; i < opt->nfiles && !s->stop && *worst != EXIT_OUTPUT; i++) {
		int	code;

		s->progress.step = i + 1;
		s->file_at = i;
		s->second = opt->apart > 0 && i >= opt->apart;
		if (run_to_parquet(s))
			name_trace(s, i);
		code = run_opened(s, open_file(s, opt->files[i]));
		s->printed = s->printed || code <= EXIT_DAMAGED;
		exit_worsen(worst, code);
	}
}

int
run_files(const struct options *opt)
{
	struct run	s;
	int		worst;

	run_init(&s, opt);
	worst = expressions_init(&s.filters, opt);
	if (worst == 0 && (check_perf_map(opt) != 0 || joining_check(opt) != 0))
		worst = EXIT_USAGE;
	if (worst == 0 && (!joining_wanted(opt) || !run_joined(&s, &worst)))
		run_each(&s, &worst);
	exit_worsen(&worst, missing_end(&s.filters.missing));
	if (s.o != NULL) {
		finish_rows(&s);
		exit_worsen(&worst, finish_output(&s, s.printed && !s.unfinished &&
		    worst < EXIT_OUTPUT));
	}
	if (s.beyond && worst <= EXIT_DAMAGED)
		worst = EXIT_CHANGED;
	run_release(&s);
	return worst;
}

int
run_alone(const struct options *opt, int (*work)(struct run *s))
{
	struct run	s;
	int		code;

	run_init(&s, opt);
	code = open_output(&s);
	if (code == 0) {
		set_style(&s);
		code = work(&s);
		if (tell_place(&s) != EXIT_CLEAN)
			code = EXIT_OUTPUT;
		finish_rows(&s);
		exit_worsen(&code, finish_output(&s, code < EXIT_OUTPUT));
	}
	run_release(&s);
	return code;
}

/*
 * A run of a subcommand from the file's name to the exit code.
 *
 *	open trace -> index (progress) -> filter, window -> open output -> the command's work
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

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/model/path.h"

#define INDEX_WAIT_MS	200
#define FINDINGS_TOLD	10u
#define FILE_BATCH	1024u

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

int
run_open_trace(struct trace **t, const struct options *opt)
{
	struct trace_options	to = { .input_format = opt->text[OPT_INPUT_FORMAT] };
	uint64_t		jobs = opt->number[OPT_JOBS];
	struct buf		why;
	int			err, number;

	to.workers = jobs < 1u << 16 ? (unsigned)jobs : 1u << 16;
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

static int
compile_filter(struct run *s)
{
	const char		*text = s->opt->text[OPT_FILTER];
	struct filter_error	 e;
	int			 err;

	if (text == NULL)
		return 0;
	filter_error_init(&e);
	err = filter_new(&s->filter, text, strlen(text), s->t, true, 0, &e);
	if (err < 0)
		message_put("-f: column %zu: %s; see `tnav help filter`",
		    filter_error_column(&e, text),
		    e.text.len > 0 ? buf_str(&e.text) : err_text(err));
	else if (e.text.len > 0)
		message_put("-f: %s", buf_str(&e.text));
	filter_error_release(&e);
	if (err < 0)
		return EXIT_USAGE;
	s->eval = filter_eval_new(s->filter, s->t);
	return 0;
}

static int
parse_bound(struct run *s, enum option_id id, int64_t *ts)
{
	const char	*text = s->opt->text[id];
	int64_t		 ns;

	if (text == NULL)
		return 0;
	if (filter_parse_time(s->t, text, strlen(text), 0, &ns) != 0) {
		message_put("--%s: '%s' is no time; 2.1s, 1500ms or 2026-02-01T03:04:05Z is one",
		    options_option(id)->name, text);
		return EXIT_USAGE;
	}
	s->window = true;
	*ts = trace_ts(s->t, ns);
	return 0;
}

static int
find_window(struct run *s)
{
	int	code;

	s->from = INT64_MIN;
	s->to = INT64_MAX;
	code = parse_bound(s, OPT_FROM, &s->from);
	if (code == 0)
		code = parse_bound(s, OPT_TO, &s->to);
	if (code != 0)
		return code;
	s->row0 = s->opt->given[OPT_FROM] ? trace_row_at(s->t, s->from) : 0;
	/* Where order is broken an event before the end of the window may stand anywhere behind. */
	s->row1 = s->opt->given[OPT_TO] && trace_ordered(s->t) ? trace_row_at(s->t, s->to) :
	    trace_rows(s->t);
	if (s->row1 < s->row0)
		s->row1 = s->row0;
	return 0;
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
	filter_eval_free(s->eval);
	filter_free(s->filter);
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
	code = compile_filter(s);
	if (code == 0)
		code = find_window(s);
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
	if (s->eval != NULL && filter_costly(s->eval) > 0)
		message_put("-f: the expression was too costly on %" PRIu64 " events, which count "
		    "as not matching", filter_costly(s->eval));
	if (s->eval != NULL && filter_cut(s->eval) > 0)
		message_put("-f: of %" PRIu64 " events only the beginning of a long text was "
		    "searched", filter_cut(s->eval));
	if (code == EXIT_CLEAN && !trace_clean(s->t))
		code = EXIT_DAMAGED;
	if (code == EXIT_DAMAGED && !quiet)
		tell_findings(s);
	release(s);
	return code;
}

int
run_code(int err)
{
	if (err >= 0)
		return EXIT_CLEAN;
	return err == ERR_NOMEM || err == ERR_LIMIT ? EXIT_RESOURCE : EXIT_DAMAGED;
}

/* ---- walking */

static bool
is_meant(struct run *s, const struct event *e)
{
	return e->ts >= s->from && (e->ts < s->to || !s->opt->given[OPT_TO]) &&
	    (s->eval == NULL || filter_match(s->eval, e));
}

bool
run_partial(const struct run *s)
{
	return s->eval != NULL || s->window;
}

static int
walk_view(struct run *s, const struct slice_view *v, run_fn fn, void *arg)
{
	uint32_t	from = s->row0 > v->row0 ? (uint32_t)(s->row0 - v->row0) : 0;
	uint32_t	to = s->row1 - v->row0 < v->n ? (uint32_t)(s->row1 - v->row0) : v->n;
	int		err = 0;

	for (uint32_t i = from; i < to && err == 0; i++)
		if (is_meant(s, &v->ev[i]))
			err = fn(arg, &v->ev[i], v->row0 + i);
	return err;
}

int
run_walk(struct run *s, run_fn fn, void *arg)
{
	const struct slice_view	*v;
	int			 err = 0;

	for (uint64_t row = s->row0; row < s->row1 && err == 0;) {
		int	got = trace_view_get(s->t, row, &v);

		if (got <= 0)
			return got;
		err = walk_view(s, v, fn, arg);
		row = v->row0 + v->n;
		trace_view_put(s->t, v);
		if (!s->st.tty)
			progress_tick(&s->progress, "reading", row - s->row0, s->row1 - s->row0);
	}
	return err;
}

int
run_walk_file(struct run *s, run_fn fn, void *arg)
{
	struct event	*ev = mem_zalloc(FILE_BATCH, sizeof *ev);
	struct file_pos	 pos = { { 0 } };
	uint64_t	 done = 0;
	int		 n, err = 0;

	do {
		n = trace_file_next(s->t, &pos, ev, FILE_BATCH);
		for (int i = 0; i < n && err == 0; i++) {
			if (is_meant(s, &ev[i]))
				err = fn(arg, &ev[i], 0);
		}
		done += n > 0 ? (uint64_t)n : 0;
		if (!s->st.tty)
			progress_tick(&s->progress, "reading", done, trace_rows(s->t));
	} while (n > 0 && err == 0);
	mem_free(ev);
	return n < 0 ? n : err;
}

struct cell
run_time_cell(struct run *s, int64_t ts)
{
	if (ts == INFO_NO_TIME)
		return (struct cell){ .kind = CELL_NULL };
	return cell_time(trace_ns(s->t, ts));
}

void
count_add(struct count *c, const struct event *e)
{
	if (c->events == 0 || e->ts < c->first)
		c->first = e->ts;
	if (c->events == 0 || e->ts > c->last)
		c->last = e->ts;
	c->events++;
	c->bytes += e->size;
}

/* ---- tables */

static size_t
find_name(const char *const *names, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return n;
}

static void
listing_release(struct listing *l)
{
	mem_free(l->names);
	mem_free(l->pick);
	mem_free(l->cells);
	memset(l, 0, sizeof *l);
}

/* Is the column one that no trace of this format has? */
static bool
column_absent(struct run *s, const char *name)
{
	if (strcmp(name, "threadIndex") == 0)
		return !trace_has(s->t, HAS_INDEXES);
	if (strcmp(name, "keyValues") == 0 && s->opt->command->id == CMD_THREADS)
		return !trace_has(s->t, HAS_INDEXES);
	return strcmp(name, "stream") == 0 && !trace_has(s->t, HAS_SUBSTREAMS);
}

static void
listing_add(struct listing *l, const char *const *names, size_t i)
{
	l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
	l->pick = mem_realloc(l->pick, l->n + 1, sizeof *l->pick);
	l->names[l->n] = names[i];
	l->pick[l->n++] = i;
}

int
listing_open(struct listing *l, struct run *s, const char *const *names, size_t n)
{
	const char	*p = s->opt->text[OPT_FIELDS];

	memset(l, 0, sizeof *l);
	l->left = s->opt->given[OPT_LIMIT] ? s->opt->number[OPT_LIMIT] : UINT64_MAX;
	for (size_t i = 0; p == NULL && i < n; i++)
		if (!column_absent(s, names[i]))
			listing_add(l, names, i);
	for (size_t len; p != NULL; p = p[len] == ',' ? p + len + 1 : NULL) {
		size_t	i;

		len = strcspn(p, ",");
		i = find_name(names, n, p, len);
		if (i == n) {
			message_put("-e: %s has no field '%.*s'; `tnav help %s` lists them",
			    s->opt->command->name, (int)(len < 100 ? len : 100), p,
			    s->opt->command->name);
			listing_release(l);
			return EXIT_USAGE;
		}
		listing_add(l, names, i);
	}
	l->cells = mem_zalloc(l->n, sizeof *l->cells);
	l->w = writer_new(s->o, &s->st, l->names, l->n);
	return 0;
}

int
listing_row(struct listing *l, const struct cell *cells)
{
	int	err;

	if (l->left == 0)
		return 1;
	for (size_t i = 0; i < l->n; i++)
		l->cells[i] = cells[l->pick[i]];
	err = writer_row(l->w, l->cells);
	l->left--;
	return err < 0 ? err : l->left == 0;
}

int
listing_close(struct listing *l)
{
	int	err = writer_end(l->w);

	listing_release(l);
	return err < 0 ? EXIT_OUTPUT : 0;
}

/* ---- fields */

static bool
field_known(struct trace *t, const char *name)
{
	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*ty = trace_type(t, i);

		if (path_in_fields(name, ty->fields, ty->nfields, 0))
			return true;
	}
	return false;
}

/* What the filter's parser says of an unknown field: it knows the near names. */
static void
tell_unknown(struct run *s, const char *name, const char *option)
{
	struct filter_error	 e;
	struct filter		*f = NULL;
	struct buf		 text;

	filter_error_init(&e);
	buf_init(&text);
	buf_printf(&text, "has %s", name);
	if (filter_new(&f, text.p, text.len, s->t, true, 0, &e) == ERR_USAGE && e.text.len > 0)
		message_put("%s: %s", option, buf_str(&e.text));
	else
		message_put("%s: no event has a field '%s'", option, name);
	filter_free(f);
	buf_release(&text);
	filter_error_release(&e);
}

int
run_check_fields(struct run *s, const struct field_list *l, const char *option)
{
	if (trace_rows(s->t) == 0)
		return 0;
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].payload == NULL || field_known(s->t, l->v[i].payload))
			continue;
		tell_unknown(s, l->v[i].payload, option);
		return EXIT_USAGE;
	}
	return 0;
}

/* ---- gaps */

static bool
neighbour_matches(struct run *s, int64_t ts, uint64_t off)
{
	struct event	e;
	uint64_t	row;

	return off != 0 && trace_row_of(s->t, ts, off, &row) == 1 &&
	    trace_event(s->t, row, &e) == 1 && filter_match(s->eval, &e);
}

static bool
gap_meant(struct run *s, const struct gap *g)
{
	if (g->to < s->from || (s->opt->given[OPT_TO] && g->from >= s->to))
		return false;
	if (s->eval == NULL)
		return true;
	return (g->has_after && neighbour_matches(s, g->from, g->after_off)) ||
	    neighbour_matches(s, g->to, g->before_off);
}

static int
by_row(const void *a, const void *b)
{
	const struct placed_gap	*x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->line.gap < y->line.gap ? -1 : x->line.gap > y->line.gap;
}

size_t
run_gaps(struct run *s, struct gap **all, struct placed_gap **out)
{
	size_t			 n = trace_gaps(s->t, all), kept = 0;
	struct placed_gap	*p = mem_zalloc(n + 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		struct gap	*g = &(*all)[i];

		if (!gap_meant(s, g))
			continue;
		p[kept].line.gap = g;
		p[kept].line.has_after = g->has_after &&
		    trace_row_of(s->t, g->from, g->after_off, &p[kept].line.after) == 1;
		p[kept].row = p[kept].line.has_after ? p[kept].line.after + 1 :
		    trace_row_at(s->t, g->from);
		kept++;
	}
	qsort(p, kept, sizeof *p, by_row);
	*out = p;
	return kept;
}

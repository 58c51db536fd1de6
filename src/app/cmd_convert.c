/*
 * tnav convert: a trace for another program.
 *
 *	--to NAME, or the ending of -o -> format	-> samples -> calltree_profile() -> encoder
 *							-> timeline_give() -> encoder
 *							-> each table by its subcommand
 *
 * A format is an entry of the table.
 */
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/analysis/calltree.h"
#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/near.h"
#include "tnav/base/text.h"
#include "tnav/out/convert.h"

#define COUNT(a)	(sizeof (a) / sizeof *(a))

struct convert_format {
	const char	*name, *ending;		/* ending NULL: -o is a folder */
	bool		 samples;	/* of a profile: --stacks and --weight apply */
	int		(*write)(struct run *s, const struct convert_format *f);
	const struct profile_encoder *profile;
	const struct timeline_encoder *timeline;
};

static int	write_profile(struct run *s, const struct convert_format *f);
static int	write_timeline(struct run *s, const struct convert_format *f);
static int	write_tables(struct run *s, const struct convert_format *f);

/* Longer endings stand before those that end them. */
static const struct convert_format formats[] = {
	{ "folded", ".folded", true, write_profile, &convert_folded, NULL },
	{ "speedscope", ".speedscope.json", true, write_profile, &convert_speedscope, NULL },
	{ "pprof", ".pb.gz", true, write_profile, &convert_pprof, NULL },
	{ "chrome", ".json", false, write_timeline, NULL, &convert_chrome },
	{ "perfetto", ".pftrace", false, write_timeline, NULL, &convert_perfetto },
	{ "parquet", NULL, false, write_tables, NULL, NULL },
};

/* ---- which format */

static const struct convert_format *
format_named(const char *name)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

/* The format for a file's name, with or without the ending of its compression. Or NULL. */
static const struct convert_format *
format_of_path(const char *path)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (formats[i].ending != NULL &&
		    (text_has_ending(span_of(path), formats[i].ending) ||
		    text_has_ending(output_bare(path), formats[i].ending)))
			return &formats[i];
	return NULL;
}

static void
put_formats(struct buf *out)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		buf_printf(out, "%s%s", i > 0 ? ", " : "", formats[i].name);
}

/* Times begin with a digit, and no format does. */
static bool
may_be_time(const char *text)
{
	return strchr("+-.0123456789", text[0]) != NULL && text[0] != '\0';
}

static int
unknown_format(const char *word)
{
	struct near	near;
	struct buf	b = { 0 };

	put_formats(&b);
	near_init(&near, word, 0);
	for (size_t i = 0; i < COUNT(formats); i++)
		near_text(&near, formats[i].name);
	near_put(&near, &b);
	message_put("--to: neither a format nor a time: '%.100s'; formats: %s", word, buf_str(&b));
	buf_release(&b);
	return EXIT_USAGE;
}

static int
missing_format(void)
{
	struct buf	b = { 0 };

	put_formats(&b);
	message_put("convert: --to FORMAT is missing, and the output's name has no ending of one: "
	    "%s", buf_str(&b));
	buf_release(&b);
	return EXIT_USAGE;
}

/* Tell the formats among the arguments of --to from the times. Returns 0, or EXIT_USAGE after a
   message. */
static int
read_to(struct options *o, const char **format)
{
	*format = NULL;
	o->given[OPT_INTO] = false;
	for (size_t i = 0; i < o->nuses; i++) {
		const char	*arg = o->use[i].arg;

		if (o->use[i].id != OPT_INTO)
			continue;
		if (format_named(arg) != NULL) {
			*format = arg;
		} else if (may_be_time(arg)) {
			o->given[OPT_TO] = true;
			o->text[OPT_TO] = arg;
		} else {
			return unknown_format(arg);
		}
	}
	o->text[OPT_INTO] = *format;
	o->given[OPT_INTO] = *format != NULL;
	return 0;
}

static const struct convert_format *
format_of(const struct options *o)
{
	if (o->given[OPT_INTO])
		return format_named(o->text[OPT_INTO]);
	return o->given[OPT_OUTPUT] ? format_of_path(o->text[OPT_OUTPUT]) : NULL;
}

/* Returns 0, or EXIT_USAGE after a message. */
static int
check_options(struct options *o)
{
	const struct convert_format	*f = format_of(o);

	if (f == NULL)
		return missing_format();
	if (!o->given[OPT_OUTPUT])
		return exit_usage("convert: -o FILE is missing (- is standard output)");
	if (f->ending == NULL && (strcmp(o->text[OPT_OUTPUT], "-") == 0 ||
	    parquet_is_file(o->text[OPT_OUTPUT])))
		return exit_usage("convert: %s is many files: use -o FOLDER", f->name);
	if (f->ending != NULL && o->nfiles > 1)
		return exit_usage("convert: only one file can be given, except with --to parquet");
	if (f->ending == NULL) {
		o->choice[OPT_FORMAT] = OUT_PARQUET;
	} else if (o->given[OPT_TRACE_NAME]) {
		return exit_usage("convert: --trace-name needs --to parquet");
	}
	if (!f->samples && (o->given[OPT_STACKS] || o->given[OPT_SAMPLE_WEIGHT]))
		return exit_usage("convert: --%s is for profiles; %s is %s", o->given[OPT_STACKS] ?
		    "stacks" : "weight", f->name, f->ending != NULL ? "a timeline" : "tables");
	if (!o->given[OPT_STACKS])
		return 0;
	if (o->nfilters == OPT_FILTERS_MOST)
		return exit_usage("convert: too many filters");
	o->filters[o->nfilters++] = o->text[OPT_STACKS];
	return 0;
}

/* ---- profiles */

static int
refuse(struct run *s, const struct calltree *c)
{
	const char	*why = calltree_remark(c);

	if (s->opt->given[OPT_STACKS])
		return exit_usage("%s: no event is a sample: --stacks matches none", run_name(s));
	return exit_usage("%s: %s; --stacks EXPR takes other events as samples, such as "
	    "'name ~ AllocationTick'", run_name(s), why != NULL ? why : "no samples");
}

static const char *
output_name(const struct run *s)
{
	const char	*path = s->opt->text[OPT_OUTPUT];

	return strcmp(path, "-") == 0 ? "standard output" : path;
}

static void
tell_profile(struct run *s, const struct profile_totals *t, const struct calltree *c)
{
	struct calltree_totals	totals;
	struct buf		b = { 0 };

	calltree_totals(c, &totals);
	s->sel.costly += totals.costly;
	buf_counts(&b, "# sample{s} of # thread{s}, # different stack{s}", t->samples, t->threads,
	    t->stacks);
	if (totals.stackless > 0)
		buf_counts(&b, ", # without a stack", totals.stackless);
	message_note("%s: %s", output_name(s), buf_str(&b));
	buf_release(&b);
	if (totals.cut)
		run_tell_remark(s, calltree_remark(c));
	run_tell_remark(s, calltree_samples_remark(c));
}

static int
encode_profile(struct run *s, const struct convert_format *f, const struct calltree *c)
{
	struct profile_totals	totals;
	void			*encoder = encoder_new(&f->profile->state, s->o, run_base_name(s));
	int			 err = calltree_profile(c, s->opt->choice[OPT_SAMPLE_WEIGHT] == 1,
				    &f->profile->ops, encoder, &totals);

	if (err == ERR_OK)
		tell_profile(s, &totals, c);
	if (err == ERR_OK && f->profile->cut != NULL)
		run_tell_cut_stacks(s, f->profile->cut(encoder));
	encoder_free(&f->profile->state, encoder);
	return exit_of_reading(err);
}

static int
write_profile(struct run *s, const struct convert_format *f)
{
	struct calltree_weight	 weight;
	struct calltree_options	 o = { .weight = &weight, .filter = s->sel.filter,
				    .samples = true };
	struct calltree_totals	 totals;
	struct calltree		*c;
	struct buf		 why = { 0 };
	int			 err, code;

	(void)calltree_weight_init(&weight, s->opt->given[OPT_STACKS] ? "count" : "samples", &why);
	buf_release(&why);
	(void)run_need(s, NEEDS_SYMBOLS);
	c = calltree_new(s->t, &o);
	err = run_pass_filter(s, calltree_order(c), calltree_filter(c), &calltree_ops, c);
	progress_end(&s->progress);
	calltree_settle(c);
	calltree_totals(c, &totals);
	if (err != ERR_OK)
		code = exit_of_reading(err);
	else if (totals.events == 0)
		code = refuse(s, c);
	else
		code = encode_profile(s, f, c);
	calltree_free(c);
	calltree_weight_release(&weight);
	return code;
}

/* ---- timelines */

#define CHROME_MOST	(200u << 20)	/* bytes: more than that, viewers may not open */

static void
tell_timeline(struct run *s, const struct timeline_totals *t)
{
	struct buf	b = { 0 };

	buf_counts(&b, "# slice{s}, # instant{s}, # counter value{s}, # loss{es}, "
	    "# flow{s}", t->slices, t->instants, t->counters, t->losses, t->causes);
	if (t->unmatched > 0)
		buf_counts(&b, "; # of the instants {begins or ends|begin or end} a span whose "
		    "other end is missing", t->unmatched);
	message_note("%s: %s", output_name(s), buf_str(&b));
	buf_release(&b);
}

static int
write_timeline(struct run *s, const struct convert_format *f)
{
	const struct pass_options	 o = run_pass_options(s);
	struct timeline_totals		 totals;
	struct pass_result		 result = { .costly = 0 };
	void				*encoder;
	int				 err;

	(void)run_need(s, NEEDS_WHO);
	encoder = encoder_new(&f->timeline->state, s->o, run_base_name(s));
	err = timeline_give(s->t, &o, &f->timeline->ops, encoder, &totals, &result);
	encoder_free(&f->timeline->state, encoder);
	progress_end(&s->progress);
	run_take_result(s, &result);
	if (err != ERR_OK)
		return exit_of_reading(err);
	tell_timeline(s, &totals);
	if (totals.slices + totals.instants + totals.counters == 0)
		selection_tell_none(&s->sel, buf_str(&s->where));
	if (f->timeline == &convert_chrome && output_given(s->o) > CHROME_MOST)
		message_note("%s: more than 200 MB: viewers may not open it; --from and --to, or "
		    "-f, choose a part", output_name(s));
	return EXIT_CLEAN;
}

/* ---- tables */

/* Is it one of the subcommands whose tables are written, and has the trace what it shows? */
static bool
is_table(const struct run *s, const struct command_def *c)
{
	static const char *const	names[] = {
		"info", "dump", "types", "threads", "gaps", "check", "spans", "activities",
	};

	if (c->report != NULL)
		return c->report != &report_summary && report_present(c->report, s->t);
	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

/* Run the subcommand; its table goes to a folder of its name. */
static int
write_table(struct run *s, const struct command_def *c)
{
	const struct options	*all = s->opt;
	struct options		 own = *all;
	int			 code;

	own.command = c;
	own.nfiles = 1;
	own.given[OPT_SYMBOLS] = strcmp(c->name, "dump") == 0;
	s->opt = &own;
	s->npick = 0;
	s->sort = TABLE_UNSORTED;
	s->place.stacks = strcmp(c->name, "dump") == 0;
	s->place.name = s->place.stacks ? "events" : c->name;
	code = c->each(s);
	s->place.name = NULL;
	s->place.stacks = false;
	s->opt = all;
	return s->place.failed != NULL ? EXIT_OUTPUT : code;
}

static int
write_tables(struct run *s, const struct convert_format *f)
{
	int	worst = EXIT_CLEAN;
	size_t	tables = 2;		/* stacks, frames */

	(void)f;
	for (const struct command_def *c = s->opt->commands; c->name != NULL; c++) {
		int	code = is_table(s, c) ? write_table(s, c) : -1;

		tables += code >= 0;
		exit_worsen(&worst, code);
		if (worst >= EXIT_USAGE)
			return worst;
	}
	message_note("%s: %zu tables of %s", s->opt->text[OPT_OUTPUT], tables, run_name(s));
	return worst;
}

/* ---- the command */

int
convert_each(struct run *s)
{
	const struct convert_format	*f = format_of(s->opt);

	if (output_is_tty(s->o))
		return exit_usage("a converted trace is not written to a terminal: use -o FILE");
	return f->write(s, f);
}

int
subcommand_convert(const struct options *o)
{
	struct options	own = *o;
	const char	*format;
	int		code = read_to(&own, &format);

	if (code == 0)
		code = check_options(&own);
	return code != 0 ? code : run_files(&own);
}

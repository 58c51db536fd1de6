/*
 * tnav cut and tnav repair: a part of a trace, or all that can be read of it, as a trace.
 *
 *	selection -> context (names of code) -> the excerpt -> one line on stderr
 */
#include <inttypes.h>
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/analysis/context.h"
#include "tnav/analysis/redactable.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/excerpt.h"

enum names { NAMES_USED, NAMES_ALL, NAMES_NONE };

/* Returns 0, or an exit code after a message. */
static int
check_command(struct run *s)
{
	const char	*why = excerpt_refusal(s->t);

	if (s->opt->given[OPT_DRY_RUN])
		return 0;
	s->stop = true;
	if (!s->opt->given[OPT_OUTPUT])
		return exit_usage("%s: -o FILE is missing", s->opt->command->name);
	if (output_is_tty(s->o))
		return exit_usage("a trace is not written to a terminal: use -o FILE");
	if (why != NULL)
		return exit_usage("%s: %s", run_name(s), why);
	s->stop = false;
	return 0;
}

/* Has the trace a type with this field, PROVIDER/EVENT.FIELD? If not, there is a message. */
static bool
has_event_of(struct run *s, const char *field)
{
	struct buf	title = { 0 };
	bool		has = false;

	for (uint32_t i = 0; i < trace_types(s->t) && !has; i++) {
		const struct event_type	*t = trace_type(s->t, i);

		buf_clear(&title);
		buf_printf(&title, "%s/%s.", t->provider, t->name);
		has = strncmp(field, title.p, title.len) == 0;
	}
	buf_release(&title);
	if (!has)
		message_put("no event has the field '%s'; --dry-run lists them as "
		    "PROVIDER/EVENT.FIELD", field);
	s->stop |= !has;
	return has;
}

/* Read --redact. Returns 0, or EXIT_USAGE after a message. */
static int
read_redact(struct run *s, struct redact **out)
{
	static const struct {
		const char	*word;
		unsigned	 what;
	}	words[] = { { "paths", REDACT_PATHS }, { "args", REDACT_ARGS },
		    { "names", REDACT_NAMES }, { "text", REDACT_TEXT }, { "all", REDACT_ALL } };
	const char	*p = s->opt->text[OPT_REDACT];
	unsigned	 what = 0;
	size_t		 n, i;

	*out = NULL;
	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL) {
		n = strcspn(p, ",");
		for (i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].word) == n && memcmp(words[i].word, p, n) == 0)
				break;
		if (i == sizeof words / sizeof *words)
			return run_refuse(s, "--redact: not known: '%.*s' (paths, args, names, "
			    "text, all)", (int)n, p);
		what |= words[i].what;
	}
	if (what == 0 && !s->opt->given[OPT_REDACT_FIELD])
		return 0;
	*out = redact_new(what, s->opt->text[OPT_REDACT_KEY]);
	for (i = 0; i < s->opt->nuses; i++) {
		const struct option_use	*use = &s->opt->use[i];

		if (use->id != OPT_REDACT_FIELD && use->id != OPT_KEEP_FIELD)
			continue;
		if (!has_event_of(s, use->arg))
			return EXIT_USAGE;
		redact_field(*out, use->arg, use->id == OPT_KEEP_FIELD);
	}
	return 0;
}

/* The events besides the chosen ones. Returns 0 or an error. */
static int
choose_context(struct run *s, struct event **context, size_t *n)
{
	const struct pass_options	o = run_pass_options(s);

	if (!selection_is_part(&s->sel) || s->opt->choice[OPT_CONTEXT] == NAMES_NONE)
		return ERR_OK;
	return context_choose(s->t, &o, s->opt->choice[OPT_CONTEXT] == NAMES_ALL, context, n);
}

/* What was asked for, for the trace's key tnav.cut. */
static void
put_note(struct run *s, struct buf *out)
{
	buf_puts(out, "cut");
	if (s->opt->given[OPT_FROM])
		buf_printf(out, " --from %s", s->opt->text[OPT_FROM]);
	if (s->opt->given[OPT_TO])
		buf_printf(out, " --to %s", s->opt->text[OPT_TO]);
	if (s->opt->given[OPT_REDACT])
		buf_printf(out, " --redact %s", s->opt->text[OPT_REDACT]);
	else if (s->filters.all.len > 0)	/* else it may say what is redacted */
		buf_printf(out, " -f %s", buf_str(&s->filters.all));
}

/* "1,040 events, 107 more for names, 12 lost: 38,112 bytes" */
static void
tell(struct run *s, const struct excerpt_result *r)
{
	struct buf	b = { 0 };

	buf_counts(&b, "# event{s}", r->events);
	if (r->context > 0)
		buf_counts(&b, ", # more for names", r->context);
	if (r->lost > 0)
		buf_counts(&b, ", # lost", r->lost);
	if (r->texts > 0)
		buf_counts(&b, ", # text{s} redacted", r->texts);
	buf_counts(&b, ": # byte{s}", r->bytes);
	message_note("%s: %s", s->opt->text[OPT_OUTPUT], buf_str(&b));
	if (r->texts_beyond)
		message_note("%s: more than 256 MiB of different texts are redacted: those beyond "
		    "are letters where they stand, but were not looked for elsewhere",
		    s->opt->text[OPT_OUTPUT]);
	buf_release(&b);
}

static int
write_excerpt(struct run *s, const char *note)
{
	struct redact		*redact = NULL;
	struct excerpt_options	 o = {
		.pass = run_pass_options(s), .note = note,
		.threads = s->sel.filter == NULL ? NULL :
		    excerpt_threads(s->t, buf_str(&s->filters.all), 0),
	};
	struct excerpt_result	 r;
	struct event		*context = NULL;
	int			 code = read_redact(s, &redact), err;

	if (code != 0) {
		redact_free(redact);
		return code;
	}
	err = choose_context(s, &context, &o.ncontext);
	o.context = context;
	o.redact = redact;
	if (err == ERR_OK)
		err = excerpt_write(s->t, s->o, &o, &r);
	if (err == ERR_OK) {
		progress_end(&s->progress);
		run_take_result(s, &r.pass);
		tell(s, &r);
		if (r.events == 0)
			selection_tell_none(&s->sel, buf_str(&s->where));
	}
	mem_free(context);
	redact_free(redact);
	filter_free((struct filter *)(uintptr_t)o.threads);
	if (err == ERR_FORMAT) {
		message_put("stopped before offset %" PRIu64 ", where a text would be that is "
		    "redacted elsewhere: '%s'; choose more for --redact", r.leak_off, r.leak);
		return EXIT_OUTPUT;
	}
	return exit_of_reading(err);
}

/* List what could be redacted. */
static int
list_texts(struct run *s)
{
	const struct pass_options	o = run_pass_options(s);
	struct table			*t = redactable_table(s->t, &o);
	int				 err = t != NULL ? listing_print(s, t) : ERR_CANCELED;

	table_free(t);
	return exit_of_reading(err);
}

int
cut_each(struct run *s)
{
	struct buf	note = { 0 };
	int		code = check_command(s);

	if (code != 0)
		return code;
	if (s->opt->given[OPT_DRY_RUN])
		return list_texts(s);
	put_note(s, &note);
	code = write_excerpt(s, selection_is_part(&s->sel) || s->opt->given[OPT_REDACT] ?
	    buf_str(&note) : NULL);
	buf_release(&note);
	return code;
}

int
repair_each(struct run *s)
{
	int	code = check_command(s);

	if (code != 0)
		return code;
	return s->opt->given[OPT_DRY_RUN] ? list_texts(s) : write_excerpt(s, NULL);
}

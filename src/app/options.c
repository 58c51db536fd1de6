/*
 * The command line: one table of subcommands, one of options, one parser for both.
 *
 *	tnav [-f EXPR] dump [--limit=N] FILE	options anywhere, "--" ends them
 *
 * Invariant: what an option takes does not depend on the subcommand, so that all options can be
 * read before the subcommand is known. doc/tnav.1 and doc/completion are generated from here.
 */
#include "app/options.h"

#include <string.h>

#include "app/command.h"
#include "tnav/base/err.h"
#include "tnav/engine/trace.h"
#include "tnav/out/event.h"

#define IN(c)		(1u << CMD_##c)
#define LISTS		(IN(TYPES) | IN(THREADS) | IN(STATS) | IN(GAPS))
#define PRINTERS	(IN(INFO) | IN(DUMP) | LISTS | IN(CHECK))
#define READERS		(IN(VIEW) | PRINTERS)

static const struct command_def commands[] = {
	{ CMD_VIEW, "", "FILE", "look at a trace on the terminal",
	    "When standard output is not a terminal this is the same as tnav dump FILE. With - as "
	    "the file the trace is read from standard input, and keys from the terminal.", NULL },
	{ CMD_INFO, "info", "FILE", "print what the trace says of itself, counts, and its health",
	    NULL, info_columns },
	{ CMD_DUMP, "dump", "FILE", "print the events, one a line, in time order",
	    "Without --format this is text for people: time, thread, provider/event and the "
	    "decoded payload. The keys of --format jsonl are listed under JSON LINES in tnav(1).",
	    NULL },
	{ CMD_TYPES, "types", "FILE", "list the kinds of events with counts and fields",
	    "With -f, --from or --to only the events that match are counted, and kinds without "
	    "any are left out.", types_columns },
	{ CMD_THREADS, "threads", "FILE", "list the threads with counts, losses and lives",
	    "By process, where there are several. A thread id that was used again by a later "
	    "thread has several lives. With -f, --from or --to only the events that match are "
	    "counted, and threads without any are left out; lost, gaps and lives are always those "
	    "of the whole trace.", threads_columns },
	{ CMD_STATS, "stats", "FILE", "count the events by the values of fields",
	    "The fields come first, then the columns below. The rate is events a second of the "
	    "whole time that is looked at.", stats_columns },
	{ CMD_GAPS, "gaps", "FILE", "list where events were lost, how many, and on which thread",
	    "With -f the gaps next to an event that matches are listed; with --from and --to those "
	    "that touch the time.", gap_columns },
	{ CMD_CHECK, "check", "FILE", "say what is wrong with the file, where, and how many bytes",
	    "NetTrace has no checksums: that nothing was found does not mean that the file is "
	    "what was written.", check_columns },
	{ CMD_HELP, "help", "[COMMAND|filter|formats]", "explain a command, the filter language, "
	    "or the formats that can be read", NULL, NULL },
};

static const struct option_def options[] = {
	{ OPT_FILTER, 'f', "filter", ARG_TEXT, "EXPR", NULL, IN(VIEW) | IN(DUMP) | LISTS,
	    "Only events for which the filter expression is true." },
	{ OPT_FROM, 0, "from", ARG_TEXT, "TIME", NULL, IN(VIEW) | IN(DUMP) | LISTS,
	    "Only events at or after this time: 2.1s, 1500ms since the trace's start, or a date "
	    "and time as 2026-02-01T03:04:05.678Z." },
	{ OPT_TO, 0, "to", ARG_TEXT, "TIME", NULL, IN(VIEW) | IN(DUMP) | LISTS,
	    "Only events before this time." },
	{ OPT_LIMIT, 'n', "limit", ARG_NUMBER, "N", NULL, IN(DUMP) | LISTS | IN(CHECK),
	    "Stop after N lines." },
	{ OPT_FIELDS, 'e', "fields", ARG_FIELDS, "FIELDS", NULL, IN(DUMP) | LISTS | IN(CHECK),
	    "Print these fields, in this order: a comma list of keys of the JSON lines; for dump "
	    "also of fields of the payload (Depth or payload.Depth) and of labels "
	    "(label.TraceId)." },
	{ OPT_BY, 0, "by", ARG_FIELDS, "FIELDS", NULL, IN(STATS),
	    "The fields to count by; provider,name if not given." },
	{ OPT_TOP, 0, "top", ARG_NUMBER, "N", NULL, IN(STATS),
	    "Only the N most frequent." },
	{ OPT_FORMAT, 0, "format", ARG_CHOICE, "FORMAT", "text jsonl csv tsv", PRINTERS,
	    "The form of the output: a text for people, JSON lines, CSV or TSV." },
	{ OPT_ORDER, 0, "order", ARG_CHOICE, "ORDER", "time file", IN(DUMP),
	    "Events in time order, or as they lie in the file (then without row)." },
	{ OPT_GAPS, 0, "gaps", ARG_NONE, NULL, NULL, IN(DUMP),
	    "Print losses of events too, where they happened." },
	{ OPT_ENUMS, 0, "enums", ARG_NONE, NULL, NULL, IN(DUMP) | IN(STATS),
	    "The names of enumerated values in place of their numbers." },
	{ OPT_CRC, 0, "crc", ARG_NONE, NULL, NULL, IN(DUMP),
	    "Add the CRC-32 of each payload." },
	{ OPT_RAW, 0, "raw", ARG_NONE, NULL, NULL, IN(DUMP),
	    "Add the bytes of each payload in hex." },
	{ OPT_UTC, 0, "utc", ARG_NONE, NULL, NULL, READERS,
	    "Times as UTC dates in place of seconds since the trace's start (JSON lines always "
	    "have nanoseconds since then)." },
	{ OPT_OUTPUT, 'o', "output", ARG_FILE, "FILE", NULL, PRINTERS,
	    "Write to a file, which is put in place only when it is whole; - is "
	    "standard output." },
	{ OPT_COLOR, 0, "color", ARG_CHOICE, "WHEN", "auto always never", READERS,
	    "Colour in text; auto: on a terminal, unless NO_COLOR is set." },
	{ OPT_INPUT_FORMAT, 0, "input-format", ARG_READER, "NAME", NULL, READERS,
	    "Read the file as this format; see tnav help formats." },
	{ OPT_JOBS, 'j', "jobs", ARG_NUMBER, "N", NULL, READERS,
	    "How many threads index the file; one a core if not given." },
	{ OPT_PROGRESS, 0, "progress", ARG_NONE, NULL, NULL, PRINTERS,
	    "Show on stderr how far the work is; on by itself for long work on a terminal." },
	{ OPT_SCRIPT, 'x', "script", ARG_FILE, "FILE", NULL, IN(VIEW),
	    "Commands that the viewer runs at start, one a line, as :save-session writes them." },
	{ OPT_VERBOSE, 'v', "verbose", ARG_NONE, NULL, NULL, IN(INFO),
	    "All findings, and the memory that the index takes." },
	{ OPT_HELP, 'h', "help", ARG_NONE, NULL, NULL, READERS | IN(HELP),
	    "Explain the command." },
	{ OPT_VERSION, 0, "version", ARG_NONE, NULL, NULL, READERS | IN(HELP),
	    "Print the version of tnav." },
};

const struct command_def *
options_command(unsigned i)
{
	return i < sizeof commands / sizeof commands[0] ? &commands[i] : NULL;
}

const struct option_def *
options_option(unsigned i)
{
	return i < sizeof options / sizeof options[0] ? &options[i] : NULL;
}

const struct command_def *
options_find_command(const char *name)
{
	for (unsigned i = CMD_VIEW + 1; i < CMD_N; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static const struct option_def *
find_long(const char *name, size_t len)
{
	for (unsigned i = 0; options_option(i) != NULL; i++)
		if (strlen(options[i].name) == len && memcmp(options[i].name, name, len) == 0)
			return &options[i];
	return NULL;
}

static const struct option_def *
find_letter(char letter)
{
	for (unsigned i = 0; options_option(i) != NULL; i++)
		if (options[i].letter == letter && letter != 0)
			return &options[i];
	return NULL;
}

/* ---- arguments */

static int
parse_number(const char *s, uint64_t *out)
{
	uint64_t	v = 0;

	if (*s == '\0')
		return ERR_USAGE;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
			return ERR_USAGE;
	}
	*out = v;
	return ERR_OK;
}

static int
parse_choice(const char *choices, const char *s, unsigned *out)
{
	unsigned	i = 0;

	for (const char *p = choices; *p != '\0'; i++) {
		size_t	len = strcspn(p, " ");

		if (strlen(s) == len && memcmp(p, s, len) == 0) {
			*out = i;
			return ERR_OK;
		}
		p += len + strspn(p + len, " ");
	}
	return ERR_USAGE;
}

static int
parse_reader(const char *s, struct buf *why)
{
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		if (strcmp(trace_format_name(i), s) == 0)
			return ERR_OK;
	buf_printf(why, "--input-format: no format is called '%s'; `tnav help formats` lists them",
	    s);
	return ERR_USAGE;
}

static int
set_option(struct options *o, const struct option_def *d, const char *arg, struct buf *why)
{
	o->given[d->id] = true;
	o->text[d->id] = arg;
	switch (d->kind) {
	case ARG_NUMBER:
		if (parse_number(arg, &o->number[d->id]) == 0)
			return ERR_OK;
		buf_printf(why, "--%s: '%s' is no number", d->name, arg);
		return ERR_USAGE;
	case ARG_CHOICE:
		if (parse_choice(d->choices, arg, &o->choice[d->id]) == 0)
			return ERR_OK;
		buf_printf(why, "--%s: '%s' is none of: %s", d->name, arg, d->choices);
		return ERR_USAGE;
	case ARG_READER:
		return parse_reader(arg, why);
	default:
		return ERR_OK;
	}
}

/* --name, --name=ARG, --name ARG. *i moves on when the next word is taken. */
static int
parse_long(struct options *o, int argc, char **argv, int *i, struct buf *why)
{
	const char		*word = argv[*i] + 2, *eq = strchr(word, '=');
	size_t			 len = eq != NULL ? (size_t)(eq - word) : strlen(word);
	const struct option_def	*d = find_long(word, len);
	const char		*arg = eq != NULL ? eq + 1 : NULL;

	if (d == NULL) {
		buf_printf(why, "unknown option --%.*s", (int)(len < 100 ? len : 100), word);
		return ERR_USAGE;
	}
	if (d->kind == ARG_NONE && arg != NULL) {
		buf_printf(why, "--%s takes no argument", d->name);
		return ERR_USAGE;
	}
	if (d->kind != ARG_NONE && arg == NULL) {
		if (*i + 1 >= argc) {
			buf_printf(why, "--%s lacks its argument %s", d->name, d->arg);
			return ERR_USAGE;
		}
		arg = argv[++*i];
	}
	return set_option(o, d, arg, why);
}

/* -v, -vh, -fARG, -f ARG. */
static int
parse_letters(struct options *o, int argc, char **argv, int *i, struct buf *why)
{
	for (const char *p = argv[*i] + 1; *p != '\0'; p++) {
		const struct option_def	*d = find_letter(*p);
		const char		*arg = NULL;
		int			 err;

		if (d == NULL) {
			buf_printf(why, "unknown option -%.*s", 1, p);
			return ERR_USAGE;
		}
		if (d->kind != ARG_NONE && p[1] != '\0') {
			arg = p + 1;
		} else if (d->kind != ARG_NONE) {
			if (*i + 1 >= argc) {
				buf_printf(why, "-%c lacks its argument %s", d->letter, d->arg);
				return ERR_USAGE;
			}
			arg = argv[++*i];
		}
		err = set_option(o, d, arg, why);
		if (err != 0 || arg != NULL)
			return err;
	}
	return ERR_OK;
}

/* Words that are no options: the subcommand, where it is one and stands first, and the file. */
static int
take_operand(struct options *o, const char *word, bool literal, struct buf *why)
{
	if (o->command == NULL && o->file == NULL && !literal) {
		o->command = options_find_command(word);
		if (o->command != NULL)
			return ERR_OK;
	}
	if (o->file != NULL) {
		if (o->command == NULL)
			buf_printf(why, "'%s' is no command, and only one file can be opened",
			    o->file);
		else
			buf_printf(why, "one %s only: '%s' is too much",
			    o->command->id == CMD_HELP ? "topic" : "file", word);
		return ERR_USAGE;
	}
	o->file = word;
	return ERR_OK;
}

static int
check_options(const struct options *o, struct buf *why)
{
	for (unsigned i = 0; options_option(i) != NULL; i++) {
		const struct option_def	*d = &options[i];

		if (!o->given[d->id] || d->commands & 1u << o->command->id)
			continue;
		if (o->command->id == CMD_VIEW)
			buf_printf(why, "the viewer has no option --%s; is `tnav dump` meant?",
			    d->name);
		else if (d->id == OPT_SCRIPT)
			buf_puts(why, "--script needs a terminal");
		else
			buf_printf(why, "%s has no option --%s", o->command->name, d->name);
		return ERR_USAGE;
	}
	return ERR_OK;
}

static int
check_whole(struct options *o, bool to_tty, struct buf *why)
{
	if (o->command == NULL && o->file == NULL && (o->given[OPT_HELP] || o->given[OPT_VERSION]))
		o->command = &commands[CMD_HELP];
	if (o->command == NULL)
		o->command = &commands[to_tty ? CMD_VIEW : CMD_DUMP];
	if (o->given[OPT_HELP] || o->given[OPT_VERSION] || o->command->id == CMD_HELP)
		return check_options(o, why);
	if (o->file == NULL) {
		buf_puts(why, "which trace file?");
		return ERR_USAGE;
	}
	if (o->given[OPT_GAPS] && o->choice[OPT_FORMAT] >= 2) {
		buf_puts(why, "--gaps goes with text and jsonl; `tnav gaps` has them as csv or "
		    "tsv");
		return ERR_USAGE;
	}
	return check_options(o, why);
}

int
options_parse(struct options *o, int argc, char **argv, bool to_tty, struct buf *why)
{
	bool	literal = false;	/* behind "--" */
	int	err = ERR_OK;

	memset(o, 0, sizeof *o);
	for (int i = 1; i < argc && err == ERR_OK; i++) {
		const char	*word = argv[i];

		if (literal || word[0] != '-' || word[1] == '\0')
			err = take_operand(o, word, literal, why);
		else if (strcmp(word, "--") == 0)
			literal = true;
		else if (o->command != NULL && o->command->id == CMD_HELP && o->file == NULL &&
		    find_long(word + 2, strlen(word + 2)) == NULL && word[1] == '-')
			o->file = word;		/* help --man and its like, for the build */
		else if (word[1] == '-')
			err = parse_long(o, argc, argv, &i, why);
		else
			err = parse_letters(o, argc, argv, &i, why);
	}
	return err == ERR_OK ? check_whole(o, to_tty, why) : err;
}

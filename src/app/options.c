/*
 * The command line: the parser for the tables of options and subcommands.
 *
 *	tnav [-f EXPR] dump [--limit=N] FILE	options anywhere, "--" ends them
 *
 * Invariant: the argument of an option does not depend on the subcommand, so all options can be
 * read before the subcommand is known. Help, the manual page and the completions are made from the
 * same two tables.
 */
#include "app/options.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/near.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"
#include "tnav/out/parquet.h"

#define WORD_QUOTED	100u		/* characters of a wrong word that a message quotes */

/* The state of the parser. */
struct option_parser {
	struct options			*o;
	const struct command_def	*commands;
	int				 argc, i;	/* i: the current word */
	char				**argv;
	struct buf			*why;
};

bool
options_takes(const struct command_def *c, const struct option_def *d)
{
	return ((c->options | OPTIONS_OF_ALL) & OPT_BIT(d->id)) != 0;
}

const struct command_def *
options_find_command(const struct command_def *commands, const char *name)
{
	for (const struct command_def *c = commands; c->name != NULL; c++)
		if (c->name[0] != '\0' && strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

static const struct command_def *
find_implied(const struct command_def *commands, enum implied when)
{
	const struct command_def	*c = commands;

	while (c->implied != when)
		c++;
	return c;
}

static bool
is_called(const char *called, const char *name, size_t len)
{
	return called != NULL && strlen(called) == len && memcmp(called, name, len) == 0;
}

/*
 * The option with this long name or, if none has it, with this letter. Two options may have the
 * same name or letter: the one that the command takes is preferred.
 */
static const struct option_def *
find_option(const struct command_def *c, const char *name, size_t len, char letter)
{
	const struct option_def	*first = NULL;

	for (size_t i = 0; i < option_ntable; i++) {
		const struct option_def	*d = &option_table[i];
		bool			 same = letter != 0 && d->letter == letter;

		if (name != NULL)
			same = is_called(d->name, name, len) || is_called(d->alias, name, len);
		if (!same)
			continue;
		if (c != NULL && options_takes(c, d))
			return d;
		if (first == NULL)
			first = d;
	}
	return first;
}

/* ---- messages */

/* Append to what is wrong. Returns ERR_USAGE. */
static int __attribute__((format(printf, 2, 3)))
refuse(struct option_parser *p, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	buf_vprintf(p->why, fmt, ap);
	va_end(ap);
	return ERR_USAGE;
}

/* Quote a word of the command line, which may contain anything. */
static void
put_word(struct option_parser *p, const char *s, size_t len)
{
	text_clean(p->why, (struct span){ (const uint8_t *)s, len }, TEXT_UTF8, WORD_QUOTED);
}

static void
put_quoted(struct option_parser *p, const char *s)
{
	buf_putc(p->why, '\'');
	put_word(p, s, strlen(s));
	buf_putc(p->why, '\'');
}

void
options_near_commands(struct buf *out, const struct command_def *commands, const char *name)
{
	struct near	near;

	near_init(&near, name, 0);
	for (const struct command_def *c = commands; c->name != NULL; c++)
		near_text(&near, c->name);
	near_put(&near, out);
}

/* With several operands, the first one cannot be a file: without a command there is only one
   file. */
static int
unknown_command(struct option_parser *p, const char *word)
{
	size_t	len;

	buf_puts(p->why, "unknown command ");
	put_quoted(p, word);
	len = p->why->len;
	options_near_commands(p->why, p->commands, word);
	if (p->why->len == len)
		buf_puts(p->why, ", nor is there such a file");
	return ERR_USAGE;
}

/* Options of dotnet-trace that record and attach do not have, and what to use instead. */
static const struct {
	const char	*name, *instead;
} foreign[] = {
	{ "format", "the file is a NetTrace file; `tnav stacks --speedscope` converts one" },
	{ "stopping-event-provider-name", "use --until 'provider = NAME'" },
	{ "stopping-event-event-name", "use --until 'provider = NAME and name = EVENT'" },
	{ "stopping-event-payload-filter", "use --until 'name = EVENT and payload.FIELD = VALUE'" },
	{ "dsrouter", "start dotnet-dsrouter and pass its socket: --diagnostic-port PATH,connect" },
};

/* True: it is one of them, and why explains it. */
static bool
is_foreign(struct option_parser *p, const char *word, size_t len)
{
	const struct command_def	*c = p->o->command;
	const struct option_def		*own = find_option(c, word, len, 0);

	if (c == NULL || !operand_is_process(c->operand) || (own != NULL && options_takes(c, own)))
		return false;
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
		if (is_called(foreign[i].name, word, len)) {
			buf_printf(p->why, "%s has no option --%s: %s", c->name, foreign[i].name,
			    foreign[i].instead);
			return true;
		}
	return false;
}

static int
unknown_option(struct option_parser *p, const char *word, size_t len)
{
	char		name[NEAR_LEN + 1];
	struct near	near;

	buf_puts(p->why, "unknown option --");
	put_word(p, word, len);
	if (len > NEAR_LEN)
		return ERR_USAGE;
	memcpy(name, word, len);
	name[len] = '\0';
	near_init(&near, name, 0);
	for (size_t i = 0; i < option_ntable; i++)
		near_text(&near, option_table[i].name);
	near_put(&near, p->why);
	return ERR_USAGE;
}

/* The named subcommand does not take the option: say which ones do. */
static int
misplaced_option(struct option_parser *p, const struct option_def *d)
{
	const char	*name = p->o->command->name;
	bool		 first = true;

	buf_printf(p->why, "%s has no option --%s (it belongs to ",
	    name[0] != '\0' ? name : "the viewer", d->name);
	for (const struct command_def *c = p->commands; c->name != NULL; c++) {
		if (!options_takes(c, d))
			continue;
		buf_printf(p->why, "%s%s", first ? "" : ", ",
		    c->name[0] != '\0' ? c->name : "the viewer");
		first = false;
	}
	buf_putc(p->why, ')');
	return ERR_USAGE;
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

		if (strlen(s) == len && strncasecmp(p, s, len) == 0) {
			*out = i;
			return ERR_OK;
		}
		p += len + strspn(p + len, " ");
	}
	return ERR_USAGE;
}

static int
parse_reader(const char *s)
{
	for (unsigned i = 0; trace_format_name(i) != NULL; i++)
		if (strcmp(trace_format_name(i), s) == 0)
			return ERR_OK;
	return ERR_USAGE;
}

static int
wrong_argument(struct option_parser *p, const struct option_def *d, const char *arg)
{
	buf_printf(p->why, "--%s: ", d->name);
	put_quoted(p, arg);
	if (d->kind == ARG_NUMBER)
		return refuse(p, " is not a number");
	if (d->kind == ARG_CHOICE)
		return refuse(p, " is not one of: %s", d->choices);
	return refuse(p, " is not a format; `tnav help formats` lists them");
}

static int
set_option(struct option_parser *p, const struct option_def *d, const char *arg)
{
	struct options	*o = p->o;
	int		 err = ERR_OK;

	if (d->id == OPT_FILTER && o->nfilters == OPT_FILTERS_MOST)
		return refuse(p, "--filter can be given %u times at most", OPT_FILTERS_MOST);
	if (d->id == OPT_FILTER)
		o->filters[o->nfilters++] = arg;
	o->given[d->id] = true;
	o->text[d->id] = arg;
	if (d->again && o->nuses == OPTION_USES)
		return refuse(p, "--%s: too many options of this kind", d->name);
	if (d->again)
		o->use[o->nuses++] = (struct option_use){ d->id, arg };
	if (d->kind == ARG_NUMBER)
		err = parse_number(arg, &o->number[d->id]);
	else if (d->kind == ARG_CHOICE)
		err = parse_choice(d->choices, arg, &o->choice[d->id]);
	else if (d->kind == ARG_READER)
		err = parse_reader(arg);
	return err == ERR_OK ? ERR_OK : wrong_argument(p, d, arg);
}

/* The next word as the argument of an option. NULL: there is none, and a message was written. */
static const char *
next_word(struct option_parser *p, const struct option_def *d, bool by_letter)
{
	if (p->i + 1 < p->argc)
		return p->argv[++p->i];
	if (by_letter)
		buf_printf(p->why, "-%c needs an argument: %s", d->letter, d->arg);
	else
		buf_printf(p->why, "--%s needs an argument: %s", d->name, d->arg);
	return NULL;
}

/* --name, --name=ARG, --name:ARG, --name ARG */
static int
parse_long(struct option_parser *p)
{
	const char		*word = p->argv[p->i] + 2;
	size_t			 len = strcspn(word, "=:");
	const struct option_def	*d = find_option(p->o->command, word, len, 0);
	const char		*arg = word[len] != '\0' ? word + len + 1 : NULL;

	if (is_foreign(p, word, len))
		return ERR_USAGE;
	if (d == NULL)
		return unknown_option(p, word, len);
	if (d->kind == ARG_NONE && arg != NULL)
		return refuse(p, "--%s takes no argument", d->name);
	if (d->kind != ARG_NONE && d->kind != ARG_MAYBE && arg == NULL) {
		arg = next_word(p, d, false);
		if (arg == NULL)
			return ERR_USAGE;
	}
	return set_option(p, d, arg);
}

/* -v, -vh, -fARG, -f ARG */
static int
parse_letters(struct option_parser *p)
{
	for (const char *s = p->argv[p->i] + 1; *s != '\0'; s++) {
		const struct option_def	*d = find_option(p->o->command, NULL, 0, *s);
		const char		*arg = NULL;
		int			 err;

		if (d == NULL) {
			buf_puts(p->why, "unknown option -");
			put_word(p, s, 1);
			return ERR_USAGE;
		}
		if (d->kind != ARG_NONE) {
			arg = s[1] != '\0' ? s + 1 : next_word(p, d, true);
			if (arg == NULL)
				return ERR_USAGE;
		}
		err = set_option(p, d, arg);
		if (err != ERR_OK || arg != NULL)
			return err;
	}
	return ERR_OK;
}

/* Operands are moved to the beginning of argv, over words that have been read. */
static int
add_operand(struct options *o, char *word)
{
	o->files[o->nfiles++] = word;
	return ERR_OK;
}

/* A word that is not an option: the subcommand, if it is one and comes first, or an operand. */
static int
take_operand(struct option_parser *p, char *word, bool literal)
{
	struct options	*o = p->o;

	if (o->command == NULL && o->nfiles == 0 && !literal) {
		o->command = options_find_command(p->commands, word);
		if (o->command != NULL)
			return ERR_OK;
	}
	if (o->command != NULL && o->command->operand == OPERAND_NONE) {
		buf_printf(p->why, "%s takes no file: ", o->command->name);
		put_quoted(p, word);
		return ERR_USAGE;
	}
	if (o->nfiles == 0)
		return add_operand(o, word);
	if (o->command == NULL)		/* several files, unless the first is no file */
		return access(o->files[0], F_OK) == 0 || strcmp(o->files[0], "-") == 0 ?
		    add_operand(o, word) : unknown_command(p, o->files[0]);
	if (o->command->operand == OPERAND_FILES ||
	    o->command->operand == OPERAND_MAYBE_FILES ||
	    o->command->operand == OPERAND_PROCESS_OR_FILES || o->command->several)
		return add_operand(o, word);
	if (o->command->operand == OPERAND_TOPIC && o->nfiles == 1 &&
	    strcmp(o->files[0], "event") == 0)
		return add_operand(o, word);	/* a command is named */
	buf_printf(p->why, "only one %s can be given: ",
	    o->command->operand == OPERAND_PROCESS ? "process" :
	    o->command->operand == OPERAND_FILE ? "file" : "topic");
	put_quoted(p, word);
	return refuse(p, " is another");
}

/* ---- the whole */

static int
check_taken(struct option_parser *p, bool named)
{
	const struct command_def	*viewer = find_implied(p->commands, IMPLIED_ON_TERMINAL);
	const struct options		*o = p->o;

	for (size_t i = 0; i < option_ntable; i++) {
		const struct option_def	*d = &option_table[i];

		if (!o->given[d->id] || options_takes(o->command, d))
			continue;
		if (named || !options_takes(viewer, d))
			return misplaced_option(p, d);
		return refuse(p, "--%s needs a terminal", d->name);
	}
	return ERR_OK;
}

/* The command that runs if none is named. */
static const struct command_def *
implied_command(const struct option_parser *p, bool to_tty)
{
	const struct options	*o = p->o;

	if (o->nfiles == 0 && (o->given[OPT_HELP] || o->given[OPT_VERSION]))
		return find_implied(p->commands, IMPLIED_BY_HELP);
	return find_implied(p->commands, to_tty ? IMPLIED_ON_TERMINAL : IMPLIED_IN_PIPE);
}

/* The format for a name like x.csv or x.jsonl.zst. False: none. */
static bool
format_of_name(const char *path, unsigned *format)
{
	static const struct {
		const char	*end, *word;
	} ends[] = {
		{ ".txt", "text" }, { ".jsonl", "jsonl" }, { ".csv", "csv" }, { ".tsv", "tsv" },
		{ ".md", "markdown" }, { ".parquet", "parquet" },
	};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_has_ending(output_bare(path), ends[i].end))
			return parse_choice(option_table[OPT_FORMAT].choices, ends[i].word,
			    format) == ERR_OK;
	return false;
}

/* Refuse options that need the whole trace, which cannot be used while it grows. */
static int
check_follow(struct option_parser *p)
{
	const struct options	*o = p->o;
	const char		*what = NULL;

	if (o->nfiles > 1 && o->given[OPT_SINGLY])
		what = "does not work with --each: several files grow as one list";
	else if (o->nfiles > SOURCES_MOST)
		return refuse(p, "--follow works with %u files at most", SOURCES_MOST);
	else if (o->given[OPT_GAPS])
		what = "does not work with --gaps: gaps are often known only later";
	else if (o->given[OPT_SYMBOLS] || o->given[OPT_PERF_MAP] || o->given[OPT_SYMBOL_PATH])
		what = "does not work with --symbols: names often arrive later";
	else if (o->given[OPT_FIELDS] && o->choice[OPT_FORMAT] == 0)
		what = "with -e needs --format jsonl, csv or tsv: the width of text columns "
		    "depends on all rows";
	if (what == NULL)
		return ERR_OK;
	return refuse(p, "--follow %s", what);
}

/* Options that are of one format. convert has its own. */
static int
check_format(struct option_parser *p)
{
	static const struct {
		enum option_id	 id;
		unsigned	 format;
		const char	*text;
	} of[] = {
		{ OPT_SPREADSHEET, OUT_CSV, "--spreadsheet needs --format csv" },
		{ OPT_BY_TYPE, OUT_PARQUET, "--by-type needs --format parquet" },
		{ OPT_TRACE_NAME, OUT_PARQUET, "--trace-name needs --format parquet" },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		if (!p->o->given[of[i].id] || p->o->given[OPT_INTO] ||
		    p->o->choice[OPT_FORMAT] == of[i].format)
			continue;
		return refuse(p, "%s", of[i].text);
	}
	return ERR_OK;
}

/* Parquet needs a file, or a folder where there are several traces. */
static int
check_parquet(struct option_parser *p, bool to_tty)
{
	const struct options	*o = p->o;
	const char		*path = o->text[OPT_OUTPUT];
	const char		*what = NULL;

	if (operand_is_process(o->command->operand))
		what = "is not for this command: `tnav summary --format parquet` has the diagnoses";
	else if (path == NULL || (to_tty && strcmp(path, "-") == 0))
		what = "needs a file: -o FILE.parquet, or -o FOLDER";
	else if (output_bare(path).len < strlen(path))
		what = "is compressed inside the file: leave out .zst or .gz";
	else if (o->nfiles > 1 && !o->command->joins &&
	    (strcmp(path, "-") == 0 || parquet_is_file(path)))
		what = "writes a file for each trace: use -o FOLDER";
	else if (o->given[OPT_BY_TYPE] && (strcmp(path, "-") == 0 || parquet_is_file(path)))
		what = "--by-type writes a file for each type: use -o FOLDER";
	else if (o->given[OPT_BY_TYPE] && (o->given[OPT_FIELDS] || o->given[OPT_LIMIT]))
		what = "--by-type writes all fields and rows: leave out -e and -n";
	else if (o->given[OPT_FOLLOW])
		what = "does not work with --follow: the file appears when it is complete";
	if (what == NULL)
		return ERR_OK;
	return refuse(p, "--format parquet %s", what);
}

/* An option before the command was taken for the first one of its name: if the command takes
   another one, it is that one. */
static int
settle_options(struct option_parser *p)
{
	struct options	*o = p->o;
	int		 err = ERR_OK;

	for (size_t i = 0; i < option_ntable && err == ERR_OK; i++) {
		const struct option_def	*d = &option_table[i], *own;
		const char		*text = o->text[d->id];

		if (!o->given[d->id] || text == NULL || options_takes(o->command, d))
			continue;
		own = find_option(o->command, d->name, strlen(d->name), 0);
		if (own == d || !options_takes(o->command, own))
			continue;
		o->given[d->id] = false;
		o->text[d->id] = NULL;
		err = set_option(p, own, text);
	}
	return err;
}

static int
check_whole(struct option_parser *p, bool to_tty)
{
	struct options	*o = p->o;
	bool		 named = o->command != NULL;

	o->named = named;
	if (!named)
		o->command = implied_command(p, to_tty);
	if (settle_options(p) < 0)
		return ERR_USAGE;
	if (o->given[OPT_HELP] || o->given[OPT_VERSION] || o->command->operand == OPERAND_TOPIC)
		return check_taken(p, named);
	if (o->nfiles == 0 && operand_is_process(o->command->operand) &&
	    !o->given[OPT_PID] && !o->given[OPT_NAME] && !o->given[OPT_LISTEN] &&
	    !o->given[OPT_PORT] && o->child == NULL)
		return refuse(p, "no process given; `tnav ps` lists them");
	if (o->nfiles == 0 && o->command->operand <= OPERAND_FILES)
		return refuse(p, "no trace file given");
	if (o->given[OPT_OUTPUT] && !o->given[OPT_FORMAT])
		(void)format_of_name(o->text[OPT_OUTPUT], &o->choice[OPT_FORMAT]);
	if (o->given[OPT_GAPS] && o->choice[OPT_FORMAT] >= 2)
		return refuse(p, "--gaps works with text and jsonl only; `tnav gaps` prints them "
		    "as csv or tsv");
	if (check_format(p) < 0)
		return ERR_USAGE;
	if (o->choice[OPT_FORMAT] == OUT_PARQUET &&
	    options_takes(o->command, &option_table[OPT_FORMAT]) &&
	    (check_taken(p, named) < 0 || check_parquet(p, to_tty) < 0))
		return ERR_USAGE;
	if (o->given[OPT_FOLLOW] && check_follow(p) < 0)
		return ERR_USAGE;
	return check_taken(p, named);
}

/* Does the word name a topic, as in `help --tables` (for the build), not an option? */
static bool
is_topic(const struct options *o, const char *word)
{
	return o->command != NULL && o->command->operand == OPERAND_TOPIC && o->nfiles == 0 &&
	    word[1] == '-' && find_option(o->command, word + 2, strlen(word + 2), 0) == NULL;
}

/* Are the words after "--" a command to start? */
static bool
takes_child(struct option_parser *p)
{
	if (p->o->command == NULL || !operand_is_process(p->o->command->operand))
		return false;
	if (p->i + 1 < p->argc)
		p->o->child = &p->argv[p->i + 1];
	return true;
}

int
options_parse(struct options *o, const struct command_def *commands, int argc, char **argv,
    bool to_tty, struct buf *why)
{
	struct option_parser	p = { .o = o, .commands = commands, .argc = argc, .argv = argv,
			    .why = why };
	bool		literal = false;	/* after "--" */
	int		err = ERR_OK;

	memset(o, 0, sizeof *o);
	o->commands = commands;
	o->files = argv + 1;
	for (p.i = 1; p.i < argc && err == ERR_OK; p.i++) {
		char	*word = argv[p.i];

		if (literal || word[0] != '-' || word[1] == '\0')
			err = take_operand(&p, word, literal);
		else if (strcmp(word, "--") == 0 && takes_child(&p))
			break;
		else if (strcmp(word, "--") == 0 && !literal) {
			literal = true;
			o->apart = o->nfiles;
		}
		else if (is_topic(o, word))
			err = add_operand(o, word);
		else if (word[1] == '-')
			err = parse_long(&p);
		else
			err = parse_letters(&p);
	}
	return err == ERR_OK ? check_whole(&p, to_tty) : err;
}

const struct table_column *
options_columns(const struct command_def *c, unsigned *n)
{
	*n = c->report != NULL ? c->report->ncolumns : c->ncolumns;
	return c->report != NULL ? c->report->column : c->columns;
}

const char *
options_text(const struct command_def *c)
{
	return c->report != NULL ? report_text(c->report) : c->text;
}

/*
 * The table of subcommands and options: it drives parsing, help, the man page and completion.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

enum command_id {
	CMD_VIEW, CMD_INFO, CMD_DUMP, CMD_TYPES, CMD_THREADS, CMD_STATS, CMD_GAPS, CMD_CHECK,
	CMD_HELP, CMD_N
};

enum option_id {
	OPT_FILTER, OPT_FROM, OPT_TO, OPT_LIMIT, OPT_FIELDS, OPT_BY, OPT_TOP, OPT_FORMAT,
	OPT_ORDER, OPT_GAPS, OPT_ENUMS, OPT_CRC, OPT_RAW, OPT_UTC, OPT_OUTPUT, OPT_COLOR,
	OPT_INPUT_FORMAT, OPT_JOBS, OPT_PROGRESS, OPT_SCRIPT, OPT_VERBOSE, OPT_HELP, OPT_VERSION,
	OPT_N
};

enum arg_kind {
	ARG_NONE,
	ARG_TEXT,
	ARG_FILE,
	ARG_NUMBER,
	ARG_CHOICE,	/* one of choices */
	ARG_FIELDS,	/* a comma list of field names */
	ARG_READER,	/* the name of a format of traces */
};

struct option_def {
	enum option_id	 id;
	char		 letter;	/* 0: none */
	const char	*name;
	enum arg_kind	 kind;
	const char	*arg;		/* how help calls the argument */
	const char	*choices;	/* "text jsonl csv tsv" */
	unsigned	 commands;	/* 1 << enum command_id, of those that take it */
	const char	*help;		/* one or two sentences */
};

struct command_def {
	enum command_id	 id;
	const char	*name;		/* "" of the viewer */
	const char	*args;
	const char	*summary;	/* a phrase */
	const char	*text;		/* what more there is to say, or NULL */
	const char *const *columns;	/* its JSON keys, NULL at the end; or NULL */
};

/* What was asked for. Strings are borrowed from argv. */
struct options {
	const struct command_def *command;
	const char		*file;		/* the operand; of help: the topic, or NULL */
	bool			 given[OPT_N];
	const char		*text[OPT_N];	/* NULL when not given */
	uint64_t		 number[OPT_N];
	unsigned		 choice[OPT_N];	/* 0: the first, or not given */
};

/*
 * Parse the command line. to_tty: a lone file is the viewer's, else dump's. 0, or ERR_USAGE and
 * why says it in one line.
 */
int	options_parse(struct options *o, int argc, char **argv, bool to_tty, struct buf *why);

const struct command_def *options_command(unsigned i);	/* NULL at the end */
const struct command_def *options_find_command(const char *name);
const struct option_def *options_option(unsigned i);	/* NULL at the end */

#endif

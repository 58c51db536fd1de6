/*
 * The command line: the table of options, the entries of the table of subcommands, and the parser
 * for both.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/option_ids.h"
#include "tnav/analysis/table.h"
#include "tnav/base/buf.h"

enum arg_kind {
	ARG_NONE,
	ARG_TEXT,
	ARG_MAYBE,	/* a text; only after "=" */
	ARG_FILE,
	ARG_NUMBER,
	ARG_CHOICE,	/* one of choices */
	ARG_FIELDS,	/* field names separated by commas */
	ARG_COLUMN,	/* a column of the table */
	ARG_READER,	/* the name of a format of traces */
};

struct option_def {
	enum option_id	 id;
	char		 letter;	/* 0: none */
	const char	*name;
	const char	*alias;		/* another long name, or NULL */
	enum arg_kind	 kind;
	bool		 again;		/* each use counts, not only the last one */
	const char	*arg;		/* the argument's name in help */
	const char	*choices;	/* such as "text jsonl csv tsv" */
	const char	*help;		/* one or two sentences */
};

extern const struct option_def	option_table[];	/* options.tsv; by id */
extern const size_t		option_ntable;

enum operand {
	OPERAND_FILE,		/* one trace, required */
	OPERAND_FILES,		/* at least one trace */
	OPERAND_MAYBE_FILES,	/* any number of traces */
	OPERAND_TOPIC,		/* a topic of help, optional */
	OPERAND_PROCESS,	/* a running program: id, name or socket */
	OPERAND_PROCESS_OR_FILES,	/* one of them, or at least one trace */
	OPERAND_NONE,
};

static inline bool
operand_is_process(enum operand o)
{
	return o == OPERAND_PROCESS || o == OPERAND_PROCESS_OR_FILES;
}

/* When a subcommand runs without being named. */
enum implied { IMPLIED_NEVER, IMPLIED_ON_TERMINAL, IMPLIED_IN_PIPE, IMPLIED_BY_HELP };

struct options;
struct report;
struct run;

typedef unsigned __int128	option_bits;

/* A subcommand: all that the rest of the program knows about it. */
struct command_def {
	const char	*name;		/* "" for the viewer; NULL ends the table */
	const char	*args;
	enum operand	 operand;
	option_bits	 options;	/* OPT_BIT(), without OPTIONS_OF_ALL */
	const char	*summary;	/* a phrase */
	const char	*text;		/* what else is said of one that is no report, or NULL */
	const struct table_column *columns;	/* of its table, or NULL */
	unsigned	 ncolumns;
	const struct report *report;	/* the report that it prints, which has the columns and
					   the text; or NULL */
	const char	*groups;	/* what --by accepts; NULL: fields of events, of a report
					   the kinds of rows */
	enum implied	 implied;
	bool		 several;	/* it takes several programs */
	bool		 joins;		/* its files make one result */
	bool		 lists;		/* several files are one list, joined by time */
	/* One of the two returns the exit code: each() is called for each file by run_files(). */
	int		(*run)(const struct options *o);
	int		(*each)(struct run *s);
};

#define OPT_FILTERS_MOST	64u
#define OPT_BIT(id)	((option_bits)1 << (id))
#define OPTIONS_OF_ALL	(OPT_BIT(OPT_HELP) | OPT_BIT(OPT_VERSION) | OPT_BIT(OPT_QUIET))
_Static_assert(OPT_N <= 128, "options are bits");

#define OPTION_USES	64u		/* uses of options that may be repeated */

/* One use of an option that may be repeated. */
struct option_use {
	enum option_id	 id;
	const char	*arg;
};

/* The parsed command line. Strings are borrowed from argv. */
struct options {
	const struct command_def *commands;	/* all subcommands */
	const struct command_def *command;	/* NULL if parsing failed before it was known */
	bool			 named;		/* the command was named */
	char			**files;	/* the operands; for help the topic */
	size_t			 nfiles;
	size_t			 apart;		/* how many of them come before "--"; 0: all */
	char			**child;	/* the command to start, NULL-terminated; or NULL */
	bool			 given[OPT_N];
	const char		*text[OPT_N];	/* NULL: not given */
	uint64_t		 number[OPT_N];
	const char		*filters[OPT_FILTERS_MOST];	/* each -f */
	size_t			 nfilters;
	unsigned		 choice[OPT_N];	/* 0: the first choice, or not given */
	struct option_use	 use[OPTION_USES];	/* options that may be repeated */
	size_t			 nuses;
};

/*
 * Parse the command line for a table of subcommands. Operands are moved to the beginning of argv.
 * to_tty: standard output is a terminal, which selects the command if only a file is named. Returns
 * 0, or ERR_USAGE with the reason in why as one line.
 */
int	options_parse(struct options *o, const struct command_def *commands, int argc, char **argv,
	    bool to_tty, struct buf *why);

bool	options_takes(const struct command_def *c, const struct option_def *d);
/* Append " (near: info)", the subcommands with similar names, or nothing. */
void	options_near_commands(struct buf *out, const struct command_def *commands,
	    const char *name);
/* The columns of its table, n of them, or NULL. And its further description, or NULL. */
const struct table_column	*options_columns(const struct command_def *c, unsigned *n);
const char			*options_text(const struct command_def *c);
/* The subcommand with that name, except the viewer; or NULL. */
const struct command_def *options_find_command(const struct command_def *commands,
	    const char *name);

#endif

/*
 * The subcommands: each runs from parsed options to the exit code of the program.
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stddef.h>

#include "app/options.h"
#include "tnav/base/buf.h"
#include "tnav/model/info.h"

/* The table; an entry without a name ends it. */
extern const struct command_def	subcommands[];

int	subcommand_view(const struct options *o);
int	subcommand_info(const struct options *o);
int	subcommand_dump(const struct options *o);
int	subcommand_types(const struct options *o);
int	subcommand_threads(const struct options *o);
int	subcommand_stats(const struct options *o);
int	subcommand_gaps(const struct options *o);
int	subcommand_check(const struct options *o);
int	subcommand_help(const struct options *o);
int	subcommand_version(void);

/* The columns of the table that info makes itself. */
#define INFO_COLUMNS	19u
extern const struct table_column	info_column[INFO_COLUMNS];

#endif

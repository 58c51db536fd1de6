/* What is made from the tables of options and subcommands. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/options.h"

/* The tables of subcommands, options, fields and keys, for the scripts in doc/made. */
void	help_tables(struct buf *out, const struct command_def *all);

#endif

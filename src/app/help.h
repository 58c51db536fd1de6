/* Texts for people and shells, made from the tables of options and subcommands. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/options.h"

void	help_overview(struct buf *out, const struct command_def *all);
void	help_command(struct buf *out, const struct command_def *c);
void	help_filter(struct buf *out, const struct command_def *all);
/* The known .NET events with this name. False: none. */
bool	help_event(struct buf *out, const char *name);
void	help_formats(struct buf *out, const struct command_def *all);
/* The tables of subcommands, options, fields and keys, for the scripts in doc/made. */
void	help_tables(struct buf *out, const struct command_def *all);

#endif

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
/* The generated parts of doc/tnav.1; doc/completion/tnav.bash; doc/completion/_tnav. */
void	help_man(struct buf *out, const struct command_def *all);
void	help_bash(struct buf *out, const struct command_def *all);
void	help_zsh(struct buf *out, const struct command_def *all);

#endif

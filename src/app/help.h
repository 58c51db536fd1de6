/*
 * Texts for people and shells, all made from the table of options.
 */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/options.h"

void	help_overview(struct buf *out);
void	help_command(struct buf *out, const struct command_def *c);
void	help_filter(struct buf *out);
void	help_formats(struct buf *out);
void	help_man(struct buf *out);	/* the generated parts of doc/tnav.1 */
void	help_bash(struct buf *out);	/* doc/completion/tnav.bash */
void	help_zsh(struct buf *out);	/* doc/completion/_tnav */

#endif

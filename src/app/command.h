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

int	command_view(const struct options *o);
int	command_info(const struct options *o);
int	command_dump(const struct options *o);
int	command_types(const struct options *o);
int	command_threads(const struct options *o);
int	command_stats(const struct options *o);
int	command_gaps(const struct options *o);
int	command_check(const struct options *o);
int	command_help(const struct options *o);
int	command_version(void);

/* {"key":"value"}, as the columns keyValues have it; a key given twice has an array. */
void	put_key_values(struct buf *b, const struct key_value *kv, size_t n);

/* The columns of their tables, which are the keys of their JSON; NULL at the end. */
extern const char *const	info_columns[], *const types_columns[], *const threads_columns[],
				*const stats_columns[], *const check_columns[];

#endif

/*
 * The subcommands. Those that take the parsed options open what they need and return the exit code
 * of the program; those that take a run work on an open trace (run_files() in app/run.h).
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stddef.h>

#include "app/functions.h"
#include "app/options.h"
#include "tnav/base/buf.h"

/* commands.tsv; an entry without a name ends it. */
extern const struct command_def	command_defs[];

int	subcommand_version(void);
/* Record, by default these profiles. path: where the name of the (last) file goes, which stays
   empty if no session began; or NULL. Signals stay counted, so that a late one does not change the
   exit code: stopping_forget() before other work. Returns an exit code. */
int	record_to(const struct options *o, const char *profiles, struct buf *path);
/* Record as `recorded` says, then show the file as `shown` says, after this remark (or NULL). path:
   the file; NULL: a temporary one. Returns an exit code. */
int	record_and_show(const struct options *recorded, const struct options *shown,
	    const char *path, const char *remark);

#endif

/*
 * The subcommands. Those that take the parsed options open what they need and return the exit code
 * of the program; those that take a run work on an open trace (run_files() in app/run.h).
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stddef.h>

#include "app/options.h"
#include "tnav/base/buf.h"

/* commands.tsv; an entry without a name ends it. */
extern const struct command_def	command_defs[];

int	subcommand_view(const struct options *o);
int	subcommand_help(const struct options *o);
int	subcommand_version(void);
int	subcommand_ps(const struct options *o);
int	subcommand_providers(const struct options *o);
int	subcommand_attach(const struct options *o);
int	subcommand_report(const struct options *o);
int	subcommand_convert(const struct options *o);
int	subcommand_record(const struct options *o);
int	subcommand_diagnose(const struct options *o);
int	subcommand_diff(const struct options *o);
/* Record, by default these profiles. path: where the name of the (last) file goes, which stays
   empty if no session began; or NULL. Signals stay counted, so that a late one does not change the
   exit code: stopping_forget() before other work. Returns an exit code. */
int	record_to(const struct options *o, const char *profiles, struct buf *path);
/* Record as `recorded` says, then show the file as `shown` says, after this remark (or NULL). path:
   the file; NULL: a temporary one. Returns an exit code. */
int	record_and_show(const struct options *recorded, const struct options *shown,
	    const char *path, const char *remark);

int	info_each(struct run *s);
int	providers_each(struct run *s);
int	dump_each(struct run *s);
int	stats_each(struct run *s);
int	spans_each(struct run *s);
int	activities_each(struct run *s);
int	report_each(struct run *s);
int	diagnose_each(struct run *s);
int	stacks_each(struct run *s);
int	cut_each(struct run *s);
int	diff_each(struct run *s);
int	repair_each(struct run *s);
int	convert_each(struct run *s);
/* types, threads, gaps, check: they print one table of the trace */
int	list_each(struct run *s);

#endif

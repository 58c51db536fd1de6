/*
 * tnav diagnose: what is wrong with a program.
 *
 *	PID, NAME, SOCKET, -- COMMAND	-> record_to() -> FILE
 *	FILE				-> report summary -> its diagnoses, as a page
 */
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/run.h"
#include "app/stopping.h"
#include "app/target.h"

#define PROFILE		"diagnose"
#define TIME		"10s"

static int
diagnose_process(const struct options *o)
{
	struct options	recorded = *o, shown = *o;
	struct buf	path = { 0 };
	char		*file;
	int		code;

	if (!o->given[OPT_DURATION] && o->child == NULL) {
		recorded.given[OPT_DURATION] = true;
		recorded.text[OPT_DURATION] = TIME;
	}
	code = record_to(&recorded, PROFILE, &path);
	stopping_forget();
	if (path.len > 0 && code < EXIT_OUTPUT && access(buf_str(&path), R_OK) == 0) {
		file = path.p;
		shown.files = &file;
		shown.nfiles = 1;
		code = run_files(&shown);
	}
	buf_release(&path);
	return code;
}

int
subcommand_diagnose(const struct options *o)
{
	if (o->child != NULL || o->nfiles == 0 || target_is_named(o))
		return diagnose_process(o);
	if (o->given[OPT_STREAM])
		return exit_usage("-o names a recording, but %s is one already", o->files[0]);
	return run_files(o);
}

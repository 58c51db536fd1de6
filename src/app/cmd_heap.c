/*
 * tnav heap of a running program: a snapshot of its heap is recorded, then shown as that of a file.
 *
 *	process -> tnav record --profile heap -> file -> the report
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/run.h"
#include "tnav/analysis/report.h"
#include "tnav/base/buf.h"
#include "tnav/io/paths.h"
#include "tnav/live/process.h"
#include "tnav/out/message.h"

/* Does the name end as traces do? Then a file is missing, not a program. */
static bool
is_trace_name(const char *name)
{
	static const char *const	ends[] = { ".nettrace", ".netperf", ".heph", ".zst",
					    ".gz" };
	size_t				len = strlen(name);

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (len >= strlen(ends[i]) && strcmp(name + len - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* Is it the id, the name or the socket of a process, not a file? */
static bool
is_process(const struct options *o)
{
	const char	*name = o->nfiles == 1 ? o->files[0] : "-";

	if (strcmp(name, "-") == 0)
		return false;
	return process_is_socket(name) || (access(name, F_OK) != 0 && strchr(name, '/') == NULL &&
	    !is_trace_name(name));
}

/* Record to this file, then print. */
static int
record_and_print(const struct options *o, const char *path)
{
	struct options	asked = *o, shown = *o;
	char		*file = (char *)(uintptr_t)path;
	int		code;

	asked.text[OPT_STREAM] = path;
	asked.text[OPT_PROFILE] = "heap";
	asked.given[OPT_STREAM] = asked.given[OPT_PROFILE] = true;
	shown.files = &file;
	shown.text[OPT_OUTPUT] = NULL;
	shown.given[OPT_OUTPUT] = false;
	code = subcommand_record(&asked);
	return code <= EXIT_DAMAGED ? run_files(&shown) : code;
}

/* The snapshot is kept if the user names a file. */
static int
take_snapshot(const struct options *o)
{
	struct buf	path;
	int		code = EXIT_OUTPUT;

	if (o->given[OPT_OUTPUT])
		return record_and_print(o, o->text[OPT_OUTPUT]);
	buf_init(&path);
	if (!paths_live(&path)) {
		message_put("no private folder for what the program sends");
	} else {
		buf_printf(&path, "/heap_%d.nettrace", (int)getpid());
		code = record_and_print(o, buf_str(&path));
		(void)unlink(buf_str(&path));
	}
	buf_release(&path);
	return code;
}

int
subcommand_report(const struct options *o)
{
	return o->command->asks && is_process(o) ? take_snapshot(o) : run_files(o);
}

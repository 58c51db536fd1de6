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
#include "app/target.h"
#include "tnav/analysis/report.h"
#include "tnav/base/buf.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"

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
	return o->command->asks && target_is_named(o) ? take_snapshot(o) : run_files(o);
}

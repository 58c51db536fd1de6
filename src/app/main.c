/*
 * tnav, the trace navigator: the viewer on a terminal, results in a pipe.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/locale.h"
#include "app/run.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

static int
run(const struct options *o)
{
	const char	*form = o->text[OPT_PROGRESS];

	if (form != NULL && strcmp(form, "json") != 0)
		return exit_usage("--progress: '%.100s' is not json", form);
	message_begin(o->given[OPT_QUIET], form != NULL);
	if (o->given[OPT_VERSION])
		return subcommand_version();
	if (o->given[OPT_HELP])
		return subcommand_help(o);
	return o->command->run != NULL ? o->command->run(o) : run_files(o);
}

int
main(int argc, char **argv)
{
	struct options	o;
	struct buf	why = { 0 };
	int		code;

	mem_init();
	/* Only the character set: numbers are written the same in every locale. */
	locale_begin();
	/* If the reader of a pipe is gone, end quietly, even if SIGPIPE was ignored. */
	signal(SIGPIPE, SIG_DFL);
	/* A write beyond the size limit of files fails with EFBIG instead of ending the program. */
	signal(SIGXFSZ, SIG_IGN);
	mem_on_exhausted(file_unlink_temporaries);
	if (options_parse(&o, command_defs, argc, argv, isatty(STDOUT_FILENO) == 1, &why) == 0) {
		code = run(&o);
	} else {
		const char	*name = o.command != NULL ? o.command->name : "";

		code = exit_usage("%s; see `tnav help%s%s`", buf_str(&why), name[0] != '\0' ? " " :
		    "", name);
	}
	buf_release(&why);
	return code;
}

/*
 * tnav, the trace navigator: the viewer on a terminal, results in a pipe.
 */
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "app/command.h"
#include "app/export.h"
#include "app/run.h"
#include "tnav/ui/ui.h"

static int
view(const struct options *o)
{
	struct ui_options	 ui = {
		.filter = o->text[OPT_FILTER],
		.from = o->text[OPT_FROM],
		.to = o->text[OPT_TO],
		.script_file = o->text[OPT_SCRIPT],
		.export = &app_export,
		.state = true,
		.color = (enum ui_color)o->choice[OPT_COLOR],
		.utc = o->given[OPT_UTC],
	};
	struct trace		*t;
	int			 code = run_open_trace(&t, o);

	if (code != 0)
		return code;
	trace_index_start(t);
	code = ui_run(t, &ui);
	trace_close(t);
	return code;
}

static int
run(const struct options *o)
{
	if (o->given[OPT_VERSION])
		return command_version();
	if (o->given[OPT_HELP])
		return command_help(o);
	switch (o->command->id) {
	case CMD_VIEW:
		return view(o);
	case CMD_INFO:
		return command_info(o);
	case CMD_DUMP:
		return command_dump(o);
	case CMD_TYPES:
		return command_types(o);
	case CMD_THREADS:
		return command_threads(o);
	case CMD_STATS:
		return command_stats(o);
	case CMD_GAPS:
		return command_gaps(o);
	case CMD_CHECK:
		return command_check(o);
	case CMD_HELP:
	case CMD_N:
		break;
	}
	return command_help(o);
}

int
main(int argc, char **argv)
{
	struct options	o;
	struct buf	why;
	int		code;

	/* Character set only: numbers are written the same everywhere. */
	setlocale(LC_CTYPE, "");
	/* A reader that has gone away ends the program quietly, whatever was inherited. */
	signal(SIGPIPE, SIG_DFL);
	buf_init(&why);
	if (options_parse(&o, argc, argv, isatty(STDOUT_FILENO) == 1, &why) == 0) {
		code = run(&o);
	} else {
		const char	*name = o.command != NULL ? o.command->name : "";

		message_put("%s; see `tnav help%s%s`", buf_str(&why), name[0] != '\0' ? " " : "",
		    name);
		code = EXIT_USAGE;
	}
	buf_release(&why);
	return code;
}

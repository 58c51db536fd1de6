/*
 * tnav FILE on a terminal: the viewer.
 */
#include "app/command.h"
#include "app/export.h"
#include "app/expressions.h"
#include "app/run.h"
#include "tnav/ui/ui.h"

int
subcommand_view(const struct options *o)
{
	struct trace_options	 to = run_trace_options(o);
	const char		*folders[OPTION_USES];
	struct symbols_files	 names = run_symbol_files(o, folders);
	struct ui_options	 ui = {
		.from = o->text[OPT_FROM],
		.to = o->text[OPT_TO],
		.script_file = o->text[OPT_SCRIPT],
		.export = &app_export,
		.subcommands = true,
		.reopen = &to,
		.names = &names,
		.state = true,
		.color = (enum ui_color)o->choice[OPT_COLOR],
		.utc = o->given[OPT_UTC],
		.follow = o->given[OPT_FOLLOW],
	};
	struct trace		*t;
	struct expressions	 filters;
	int			 code = expressions_init(&filters, o);

	if (code == 0)
		code = run_open_trace(&t, o, o->files[0]);
	if (code != 0) {
		expressions_release(&filters);
		return code;
	}
	if (filters.n > 0)
		ui.filter = buf_str(&filters.all);
	trace_index_start(t);
	code = ui_run(t, &ui);
	trace_close(t);
	expressions_release(&filters);
	return code;
}

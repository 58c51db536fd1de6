/*
 * tnav FILE on a terminal: the viewer.
 */
#include "app/command.h"
#include "app/exit.h"
#include "app/export.h"
#include "app/expressions.h"
#include "app/joining.h"
#include "app/run.h"
#include "tnav/ui/ui.h"

/* One file, or several as one trace. What cannot be opened is told after the viewer has ended. */
static int
open_files(struct trace **t, const struct options *o, const struct trace_options *to)
{
	struct joining	how = { *to, run_open_trace };
	bool		apart;
	int		code = joining_check(o);

	if (code != 0)
		return code;
	if (!joining_wanted(o))
		return run_open_trace(t, o, o->files[0]);
	code = joining_open(t, o, &how, &apart);
	return *t != NULL ? 0 : code != 0 ? code : EXIT_USAGE;
}

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
		code = open_files(&t, o, &to);
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

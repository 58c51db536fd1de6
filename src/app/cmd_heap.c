/*
 * tnav heap of a running program: a snapshot of its heap is recorded, then shown as that of a file.
 *
 *	process -> tnav record --profile heap -> file -> the report
 */
#include "app/command.h"
#include "app/run.h"
#include "app/target.h"

/* The snapshot is kept if the user names a file. */
static int
take_snapshot(const struct options *o)
{
	struct options	recorded = *o, shown = *o;

	recorded.text[OPT_PROFILE] = "heap";
	recorded.given[OPT_PROFILE] = true;
	shown.text[OPT_OUTPUT] = NULL;
	shown.given[OPT_OUTPUT] = false;
	return record_and_show(&recorded, &shown,
	    o->given[OPT_OUTPUT] ? o->text[OPT_OUTPUT] : NULL, NULL);
}

int
subcommand_report(const struct options *o)
{
	bool	asks = (o->command->options & OPT_BIT(OPT_YES)) != 0;

	return asks && target_is_named(o) ? take_snapshot(o) : run_files(o);
}

/*
 * The table of commands (commands.tsv): the only source of the keys, the command line and its
 * completion, the help pane, the words on the bottom line, and the keys in the man page.
 *
 * A new command needs a row there, its function, and a line in a test of tests/ui. The help uses
 * the same order. The hints of a pane (pane.h) name the commands on its bottom line. The commands
 * that show panes come from the table there. The palette completes arguments that are words
 * separated by |.
 */
#ifndef UI_COMMAND_COMMAND_TABLE_H
#define UI_COMMAND_COMMAND_TABLE_H

#include "tnav/analysis/report.h"
#include "ui/command/commands.h"

/* The names in its cells: */
#define TRACE	SCOPE_TRACE
#define ANY	SCOPE_ANY
#define SORTED	SCOPE_SORTED
#define ROWS	(TRACE | SCOPE_TABLES)		/* of events or of a table */
#define FORTH(kind)	(MOVE_##kind + 1)
#define BACK(kind)	(-FORTH(kind))
#define COPIES	(DOES_WRITE | DOES_RUN)	/* tmux is run if the viewer runs in it */
#define SHOW(id, pane, zone, when, order, flags, its_keys, its_arg, its_run, its_help) \
	{ .name = #pane, .keys = its_keys, .scope = ANY, .args = its_arg, .group = "Panes", \
	    .help = its_help, .run = its_run, .n = PANE_##id },
#define SHOWN_BY_ITS_OWN(id, ...)
#define SHOW_REPORT(id, does) \
	{ .name = #id, .keys = REPORT_##id == REPORT_summary ? "M-0" : "", .scope = ANY, \
	    .group = "Reports", .hint = #id, \
	    .args = REPORT_##id == REPORT_heap ? "EXPR" : NULL, \
	    .help = "Report: " does ".", .run = cmd_report, .n = REPORT_##id },

#endif

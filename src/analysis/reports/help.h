/* The tables of what help and advice say about the reports: help.tsv and needs.tsv. */
#ifndef ANALYSIS_REPORTS_HELP_H
#define ANALYSIS_REPORTS_HELP_H

#include <stddef.h>

struct report_help {
	const char	*report, *text;
};
extern const struct report_help	report_helps[];
extern const size_t		report_nhelps;

/* What must have been collected for the report to have rows. */
struct report_need {
	const char	*report;
	const char	*providers;	/* as --providers takes them */
	const char	*events;	/* the names of the events, as shown: "GCStart, GCEnd" */
	const char	*command;	/* a command that collects them where --providers cannot,
					   or NULL */
};
extern const struct report_need	report_needed[];
extern const size_t		report_nneeded;

#endif

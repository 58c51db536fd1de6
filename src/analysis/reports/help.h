/* The table of what help says about the reports: src/analysis/reports/help.tsv. */
#ifndef ANALYSIS_REPORTS_HELP_H
#define ANALYSIS_REPORTS_HELP_H

#include <stddef.h>

struct report_help {
	const char	*report, *text;
};
extern const struct report_help	report_helps[];
extern const size_t		report_nhelps;

#endif

/* Reports that are made from a call tree. */
#ifndef ANALYSIS_REPORTS_CALLS_H
#define ANALYSIS_REPORTS_CALLS_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/report.h"

/* Fill the tree with the events of the run. Returns 0 or ERR_CANCELED. */
int	report_calls(const struct report_run *run, struct calltree *c,
	    struct pass_result *result);

/* The columns that identify a thread: the name and id of its process, and its own name. */
struct who_columns {
	unsigned	process, pid, thread;
};
#define WHO_NO_COLUMN	UINT_MAX
void	row_who(struct rows *r, struct field_reader *reader, uint32_t thread,
	    const struct who_columns *c);

#endif

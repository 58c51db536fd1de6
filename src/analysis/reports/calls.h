/* Reports that are made from a call tree. */
#ifndef ANALYSIS_REPORTS_CALLS_H
#define ANALYSIS_REPORTS_CALLS_H

#include "analysis/reports/state.h"
#include "tnav/analysis/calltree.h"

/* What such a report keeps itself begins with its tree of samples. */
struct report_calls {
	struct calltree_weight	 weight;
	struct calltree		*tree;
};

void	report_calls_begin(struct report_state *s, const char *weight);
void	report_calls_release(struct report_state *s);
/* Fill the tree. Returns 0 or ERR_CANCELED. */
int	report_calls_collect(struct report_state *s, struct pass_result *result);

/* The columns that identify a thread: the name and id of its process, and its own name. */
struct who_columns {
	unsigned	process, pid, thread;
};
void	row_who(struct rows *r, struct field_reader *reader, uint32_t thread,
	    const struct who_columns *c);

#endif

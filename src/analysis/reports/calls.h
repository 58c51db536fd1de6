/* The call tree of a report that is made from one: see report.calls. */
#ifndef ANALYSIS_REPORTS_CALLS_H
#define ANALYSIS_REPORTS_CALLS_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/report.h"

struct report_calls {
	struct calltree_weight	 weight;
	struct calltree		*tree;
};

struct report_calls	*report_calls_new(const struct report_run *run, const char *weight);
void			 report_calls_free(struct report_calls *c);	/* NULL is fine */
/* Fill the tree. Returns 0 or ERR_CANCELED. */
int			 report_calls_read(struct report_calls *c, const struct report_run *run,
			    struct pass_result *result);

#endif

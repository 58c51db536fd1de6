/* How to collect what a report needs. */
#ifndef ANALYSIS_REPORTS_NEED_H
#define ANALYSIS_REPORTS_NEED_H

#include "tnav/analysis/report.h"

/* "PROVIDER:KEYWORDS:LEVEL,...", as --providers takes it. */
void	report_need_providers(const struct report_need *need, struct buf *out);
/* Could a session with these providers have recorded a trace like this one with what is needed? */
bool	report_need_session(const struct report_need *need, struct trace *t);
/* A phrase: how to collect what is needed, or why such a trace cannot contain it. */
void	report_need_advice(const struct report_need *need, struct trace *t,
	    struct buf *out);

#endif

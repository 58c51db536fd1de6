/* The fields with texts, and which kind of redaction applies to each: what --dry-run lists. */
#ifndef TNAV_ANALYSIS_REDACTABLE_H
#define TNAV_ANALYSIS_REDACTABLE_H

#include "tnav/analysis/columns.h"
#include "tnav/engine/pass.h"

/* Those of the events that the pass reads, by field. NULL: it was cancelled. */
struct table	*redactable_table(struct trace *t, const struct pass_options *o);

#endif

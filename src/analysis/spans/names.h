/*
 * What spans are called, each once.
 */
#ifndef ANALYSIS_SPANS_NAMES_H
#define ANALYSIS_SPANS_NAMES_H

#include "tnav/analysis/spans.h"

struct names;

struct names	*names_new(void);
void		 names_free(struct names *n);
/* Its number; texts are copied. Beyond a cap all are one name that says so. */
uint32_t	 names_add(struct names *n, const char *group, const char *provider,
		    const char *name, struct span by);
uint32_t	 names_n(const struct names *n);
const struct span_name	*names_at(const struct names *n, uint32_t i);

#endif

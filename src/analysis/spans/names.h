/*
 * What spans are called, each once.
 */
#ifndef ANALYSIS_SPANS_NAMES_H
#define ANALYSIS_SPANS_NAMES_H

#include "tnav/analysis/spans.h"

struct name_table;

struct name_table	*names_new(void);
void		 names_free(struct name_table *n);
/* Its number; texts are copied. Names differ by all but their titles. Beyond a cap all are one name
   that says so. */
uint32_t	 names_add(struct name_table *n, const struct span_name *name);
uint32_t	 names_n(const struct name_table *n);
const struct span_name	*names_at(const struct name_table *n, uint32_t i);

#endif

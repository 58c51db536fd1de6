/*
 * The events with the greatest values of a number.
 *
 *	struct top *top = top_new(t, &ref, 1000);
 *
 *	pass_run(t, &(struct pass_options){ .order = PASS_ANY }, &top_ops, top, &result);
 *	top_sort(top);
 *	for (size_t i = 0; i < top_rows(top); i++)
 *		top_row(top, i) ...
 *
 * The result depends on the events alone: of equal values the earlier ones are kept.
 */
#ifndef TNAV_ANALYSIS_TOP_H
#define TNAV_ANALYSIS_TOP_H

#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"

struct top;

struct top_row {
	long double	value;		/* holds 64 bits of either sign where it matters */
	struct cell	cell;		/* the same, as the field has it; no text, no word */
	int64_t		ts;
	uint64_t	off;
	uint32_t	thread, type;
};

/* Of a field, of whose values in an event the greatest number counts. The reference is borrowed. */
struct top	*top_new(struct trace *t, const struct field_ref *f, size_t most);
void		 top_free(struct top *top);
/* Of a pass whose arg is the top. */
extern const struct pass_ops	top_ops;

size_t		 top_rows(const struct top *top);
/* Let the greatest come first, of equal ones the earliest. */
void		 top_sort(struct top *top);
const struct top_row	*top_row(const struct top *top, size_t i);
/* How many events had a value. */
uint64_t	 top_counted(const struct top *top);

#endif

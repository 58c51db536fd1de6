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
 * The result depends only on the events: among equal values the earlier events are kept.
 */
#ifndef TNAV_ANALYSIS_TOP_H
#define TNAV_ANALYSIS_TOP_H

#include "tnav/engine/field.h"
#include "tnav/engine/pass.h"

struct top;

struct top_row {
	long double	value;		/* exact for 64-bit integers on most machines */
	struct cell	cell;		/* the field's cell: a number, without text */
	int64_t		ts;
	uint64_t	off;
	uint32_t	thread, type;
};

/* The `most` events with the greatest values of a field. If a field has several values in an
   event, the greatest counts. The reference is borrowed. */
struct top	*top_new(struct trace *t, const struct field_ref *f, size_t most);
void		 top_free(struct top *top);
/* The ops of the pass; their arg is the top. */
extern const struct pass_ops	top_ops;

size_t		 top_rows(const struct top *top);
/* Sort: greatest first, then earliest. */
void		 top_sort(struct top *top);
const struct top_row	*top_row(const struct top *top, size_t i);
/* The number of events that have a value. */
uint64_t	 top_counted(const struct top *top);

#endif

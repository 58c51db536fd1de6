/*
 * The fields of spans.
 */
#ifndef ENGINE_FIELD_SPAN_H
#define ENGINE_FIELD_SPAN_H

#include "tnav/engine/field.h"
#include "tnav/engine/spans.h"

/* The spans of the field that the event begins, or ends; out has room for SPANS_AT_EVENT. */
unsigned	span_infos(struct trace *t, const struct field_def *d, const struct event *e,
		    uint64_t row, struct span_info *out);
/* The field of a span, or CELL_NONE. Its text may be appended to the buffer text. */
struct cell	span_cell(struct trace *t, const struct field_def *d, const struct span_info *i,
		    struct buf *text);
/* The field of the longest span. */
void		get_span(struct field_reader *r, const struct field_def *d, const struct event *e,
		    struct cell *c);

#endif

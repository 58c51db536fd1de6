/*
 * Getters of the fields of spans, for the table and for field_each().
 */
#ifndef ENGINE_FIELD_SPAN_H
#define ENGINE_FIELD_SPAN_H

#include "tnav/engine/field.h"
#include "tnav/engine/spans.h"

/* The spans that the event begins, or ends; out has room for SPANS_AT_EVENT. */
unsigned	span_infos(struct trace *t, const struct event *e, uint64_t row, bool stop,
		    struct span_info *out);
/* The field of the longest span. */
void		get_span(struct field_reader *r, const struct event *e, uint64_t row, bool stop,
		    span_cell_fn fn, struct cell *c);

/* A span's field; the cell is CELL_NONE before. Its text may be appended to the buffer text. */
void		span_dur(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);
void		span_self(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);
void		span_name(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);
void		span_label(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);
void		span_state(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);
void		span_depth(struct trace *t, const struct span_info *i, struct buf *text,
		    struct cell *c);

#endif

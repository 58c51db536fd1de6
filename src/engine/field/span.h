/*
 * Getters of the fields of spans, for the table and for who wants each of several.
 */
#ifndef ENGINE_FIELD_SPAN_H
#define ENGINE_FIELD_SPAN_H

#include "tnav/engine/field.h"
#include "tnav/engine/spans.h"

/* The spans that the event begins, or ends; out has room for SPANS_AT_EVENT. */
unsigned	span_infos(struct trace *t, const struct event *e, uint64_t row, bool stop,
		    struct span_info *out);
/* The field of the longest. */
void		get_span(struct field_reader *r, const struct event *e, uint64_t row, bool stop,
		    void (*fn)(const struct span_info *i, struct cell *c), struct cell *c);

/* A span's field; the cell is CELL_NONE before. */
void		span_dur(const struct span_info *i, struct cell *c);
void		span_self(const struct span_info *i, struct cell *c);
void		span_name(const struct span_info *i, struct cell *c);
void		span_state(const struct span_info *i, struct cell *c);
void		span_depth(const struct span_info *i, struct cell *c);

#endif

/*
 * The labels of an event (V6): found by name, as cells, as one JSON object, as words.
 *
 *	TRACE 16 bytes, TEXT phase one, NUMBER n 1, NUMBER n 2, OPCODE 42
 *	  ->  {"TraceId":"0102...","phase":"one","n":[1,2]}
 *
 * Activity ids, and labels that override a field of the header, are fields of the header; they have
 * no name here.
 */
#ifndef TNAV_ENGINE_LABEL_H
#define TNAV_ENGINE_LABEL_H

#include "tnav/base/buf.h"
#include "tnav/base/limits.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"

/* Zeroed before it is loaded for the first time. Many events have the list of the one before: what
   was loaded last stays as long as it is the same. */
struct label_set {
	struct label	v[LIMIT_LABELS];
	size_t		n;
	uint32_t	number;		/* of the list */
	uint64_t	after, to;	/* payload offsets where it means this list */
	uint64_t	loads;		/* changes when the labels may have */
};

/* The labels of the event; none where the format has none. */
void	labels_load(struct label_set *s, struct trace *t, const struct event *e);
/* Do they override fields of the header? */
bool	labels_override(const struct label_set *s);
/* An id by its label; false: there is none, or it is all zero. */
bool	labels_guid(const struct label_set *s, enum label_kind kind, uint8_t guid[16]);
/* False: the label has no name of its own. */
bool	label_name(const struct label *l, struct span *name);
/* The first label from number `from` on that has the name; s->n if there is none. */
size_t	label_find(const struct label_set *s, size_t from, struct span name);
/* The label as a cell, which may borrow the text. */
struct cell label_cell(const struct label *l, struct buf *text);

/* Append {"TraceId":"0102...","phase":"one"}; false, and nothing: none of them has a name. */
bool	labels_json(const struct label_set *s, struct buf *out);
/* Append [TraceId=0102... phase=one], after a blank if there is something in front. */
void	labels_text(const struct label_set *s, struct buf *out);

/* Like trace_stack_scope(), of label lists. */
bool	trace_label_scope(struct trace *t, const struct event *e, uint64_t *after, uint64_t *to);

#endif

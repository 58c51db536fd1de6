/*
 * The labels of an event (V6): found by name, as cells, as one JSON object, as words.
 *
 *	TRACE 16 bytes, TEXT phase one, NUMBER n 1, NUMBER n 2, OPCODE 42
 *	  ->  {"TraceId":"0102...","phase":"one","n":[1,2]}
 *
 * Activity ids, and labels that override a field of the header, are treated as fields of the
 * header: they have no name here.
 */
#ifndef TNAV_ENGINE_LABEL_H
#define TNAV_ENGINE_LABEL_H

#include "tnav/base/buf.h"
#include "tnav/base/limits.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"

/* Zeroed before the first use. Many events have the list of the previous one, which is then not
   loaded again. */
struct label_set {
	struct label	v[LIMIT_LABELS];
	size_t		n;
	uint32_t	number;		/* of the list */
	uint64_t	after, to;	/* payload offsets (after, to] where it means this list */
	uint64_t	loads;		/* changes when the labels may have changed */
};

/* Load the labels of the event; none if the format has none. */
void	labels_load(struct label_set *s, struct trace *t, const struct event *e);
/* Do they override fields of the header? */
bool	labels_override(const struct label_set *s);
/* The id in a label; false: there is none, or it is all zero. */
bool	labels_guid(const struct label_set *s, enum label_kind kind, uint8_t guid[16]);
bool	label_guid(const struct label *l, size_t n, enum label_kind kind, uint8_t guid[16]);
/* False: the label has no name of its own. */
bool	label_name(const struct label *l, struct span *name);
/* The index of the first label, from `from` on, with this name; s->n if there is none. */
size_t	label_find(const struct label_set *s, size_t from, struct span name);
/* The label as a cell, which may borrow the text. */
struct cell label_cell(const struct label *l, struct buf *text);

/* Append {"TraceId":"0102...","phase":"one"}; false: nothing is added, no label has a name. */
bool	labels_json(const struct label_set *s, struct buf *out);
/* Append all values of a name as one value or an array; label i is the first one. */
void	label_values_json(const struct label_set *s, struct buf *out, size_t i, struct span name);
/* Append phase=one; false: the label has no name of its own. */
bool	label_text(const struct label *l, struct buf *out);
/* Append [TraceId=0102... phase=one], after a blank if out is not empty. */
void	labels_text(const struct label_set *s, struct buf *out);

/*
 * The events in which a number means the same label list as in this one: those whose payloads begin
 * in (*after, *to]. False: the format has no label lists.
 */
bool	trace_label_scope(struct trace *t, const struct event *e, uint64_t *after, uint64_t *to);

#endif

/*
 * A field of an event under the cursor: the displayed text, and the value as the filter language
 * reads it. Columns, details, labels and i/x all use this. The fields themselves belong to the
 * engine (tnav/engine/field.h).
 */
#ifndef UI_VIEW_FIELD_H
#define UI_VIEW_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/aggregate.h"
#include "tnav/engine/field.h"
#include "tnav/model/event.h"

struct frame_name;
struct view;

/* A field under the cursor; zeroed at first. */
struct field_at {
	struct buf	name;		/* in the filter language; empty: no such field */
	struct buf	value;		/* in the filter language; empty: not possible */
	struct buf	term;		/* if it stands for several fields: a filter expression
					   for exactly its events; else empty */
	struct buf	text;		/* displayed; not cleaned */
	struct span	raw;		/* its bytes in the trace; p NULL: none */
	size_t		front;		/* bytes of text that are left out first if there is
					   little room; ... */
	bool		front_end;	/* ... all of them or none: it is a provider */
	bool		number;		/* a plain number: its column is right-aligned */
};

/* The options of view.reader: arrays and objects on one line. */
extern const struct field_options field_at_options;

void	field_at_release(struct field_at *f);
void	field_at_clear(struct field_at *f);

/* Append the event's text and value. False: there is nothing to show. The name is not set. */
bool	field_at_ref(struct field_at *out, struct view *v, const struct field_ref *ref,
	    const struct event *e, uint64_t row);
/* The same by name: "tid", "label.TraceId", "payload.Reason", "Reason". */
bool	field_at_name(struct field_at *out, struct view *v, const char *name,
	    const struct event *e, uint64_t row);
/* Append a filter expression for all events with this value. False: there is none. */
bool	field_at_term(struct buf *out, struct field_at *f);
/* Add the name and the value of a frame: stack.method, or an address. */
void	field_of_frame(struct buf *name, struct buf *value, struct view *v,
	    const struct frame_name *f, uint64_t ip);
/* Does the trace have these fields? False: the error is in why. Otherwise a warning may be added
   to note, unless that has one. */
bool	view_check_fields(const struct view *v, const struct field_list *l, struct buf *why,
	    struct buf *note);
/* The same for one field, of which this aggregate is made. */
bool	view_check_aggregate(const struct view *v, enum aggregate_kind kind,
	    const struct field_ref *f, const char *name, struct buf *why);
/* name = value. False: it cannot be expressed. */
bool	field_term(struct buf *out, const char *name, const char *value);

#endif

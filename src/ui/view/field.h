/*
 * A field of an event as it stands under a cursor: text for people, and the value that the filter
 * language reads back. Columns, details, labels and i/x all ask here; the fields themselves are
 * the engine's (tnav/engine/field.h).
 */
#ifndef UI_VIEW_FIELD_H
#define UI_VIEW_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/field.h"
#include "tnav/model/event.h"

struct view;

/* What stands under a cursor. */
struct field_at {
	struct buf	name;		/* in the filter language; empty: it has no such field */
	struct buf	value;		/* as the language reads it; empty: it can't be asked for */
	struct buf	term;		/* where it stands for more than one field: what is true of
					   its events alone; else empty */
	struct buf	text;		/* for people, not yet clean */
	struct span	raw;		/* its bytes in the trace; p NULL: none */
	size_t		front;		/* bytes of text that are left out first where there is
					   little room; */
	bool		front_end;	/* ... as a whole: it is a provider */
	bool		number;		/* a bare one: columns of them are aligned on the right */
};

/* How view.reader reads: an array or object stands in one line. */
extern const struct field_options field_at_options;

void	field_at_init(struct field_at *f);
void	field_at_release(struct field_at *f);
void	field_at_clear(struct field_at *f);

/* Add the event's text and value. False: it has nothing to show. The name is not set. */
bool	field_at_ref(struct field_at *out, struct view *v, const struct field_ref *ref,
	    const struct event *e, uint64_t row);
/* The same by name: "tid", "label.TraceId", "payload.Reason", "Reason". */
bool	field_at_name(struct field_at *out, struct view *v, const char *name,
	    const struct event *e, uint64_t row);
/* What is true of all events with it. False: it can't be said. */
bool	field_at_term(struct buf *out, struct field_at *f);
/* name = value. False: it can't be said. */
bool	field_term(struct buf *out, const char *name, const char *value);

#endif

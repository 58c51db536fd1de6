/*
 * Fields of events by the names of the filter language, as text for people and as a value that the
 * language reads back. Columns, tallies, labels and i/x all ask here.
 */
#ifndef UI_VIEW_FIELD_H
#define UI_VIEW_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/model/event.h"
#include "tnav/model/value.h"

struct view;

/* What stands under a cursor. */
struct field_at {
	struct buf	name;		/* in the filter language; empty: it has no such field */
	struct buf	value;		/* as the language reads it; empty: it can't be asked for */
	struct buf	text;		/* for people, not yet clean */
	struct span	raw;		/* the bytes of the trace behind it; p NULL: none */
	size_t		front;		/* bytes of text that are left out first where there is
					   little room; */
	bool		front_end;	/* ... and of these the last ones say most */
};

void	field_at_init(struct field_at *f);
void	field_at_release(struct field_at *f);
void	field_at_clear(struct field_at *f);

/*
 * The event's field of that name: "tid", "label.TraceId", "payload.Reason", "Reason". False: the
 * event has none. The name is not set.
 */
bool	field_get(struct view *v, const struct event *e, uint64_t row, const char *name,
	    struct field_at *out);
/* Of all events of a type, or of all of a thread, is it the same? */
bool	field_is_of_type(struct view *v, const char *name);
bool	field_is_of_thread(const char *name);
/* The value as the filter language writes it; nothing is added if it can't. */
void	field_value(struct buf *out, const struct value *val);
/* "..." with what needs a backslash behind one; nothing if the text can't be written so. */
void	field_quote(struct buf *out, const char *text, size_t len);
/* "payload.Reason", or payload."odd name". */
void	field_path(struct buf *out, const char *prefix, struct span name);
/* name = value, or name in a..b for a time. False: it can't be said. */
bool	field_term(struct buf *out, const char *name, const char *value);

#endif

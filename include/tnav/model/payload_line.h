/*
 * Payloads of a type as "key=value key=value", by a compiled plan: payload_line(), but faster.
 *
 *	a:u32 s:utf16z		"a=" number " s=" text
 *	attributes (Heph)	each its name, '=', its value
 *
 * It uses the same functions to read values. Objects, locations, counts in another field, and
 * payloads that end before their fields are left to payload_line().
 */
#ifndef TNAV_MODEL_PAYLOAD_LINE_H
#define TNAV_MODEL_PAYLOAD_LINE_H

#include "tnav/model/value.h"

struct line_plan;

/* The type must live longer. Time and memory are linear in its fields. */
struct line_plan	*line_plan_new(const struct event_type *t, unsigned pointer_size);
void			 line_plan_free(struct line_plan *p);
/* Append the line; *undecoded: bytes after the last field. False: nothing is added; use
   payload_line() instead. Any thread. */
bool			 line_plan_put(const struct line_plan *p, struct span payload,
			    struct buf *out, uint32_t *undecoded);

/*
 * Append only the parts of both lines that are neither names nor texts, with blanks between them,
 * and the number of bytes after the last field if there are any. Numbers of fewer than `shortest`
 * digits may be left out. So a text of at least so many bytes, without a separator, that is found
 * in the lines but not in this output lies in a name or in a text.
 */
bool			 line_plan_numbers(const struct line_plan *p, struct span payload,
			    size_t shortest, struct buf *out);

/* Append what builtin_line() does. */
void			 line_plan_builtin(const struct line_plan *p, struct span payload,
			    struct buf *out);

/* Append "name=", or nothing if the name is empty. */
void			 payload_name(struct buf *out, struct span name);

#endif

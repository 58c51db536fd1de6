/*
 * Payloads of a type as "key=value key=value", compiled: what payload_line() gives, faster.
 *
 *	a:u32 s:utf16z		"a=" number " s=" text
 *	attributes (Heph)	each its name, '=', its value
 *
 * It reads with the same functions. Objects, locations, counts in another field, and payloads that
 * end before their fields are left to payload_line().
 */
#ifndef TNAV_MODEL_PAYLOAD_LINE_H
#define TNAV_MODEL_PAYLOAD_LINE_H

#include "tnav/model/value.h"

struct line_plan;

/* The type must live longer. Takes time and memory in proportion to its fields. */
struct line_plan	*line_plan_new(const struct event_type *t, unsigned pointer_size);
void			 line_plan_free(struct line_plan *p);
/* Append the line; *undecoded: bytes behind the last field. False, and nothing is added:
   payload_line() has to be asked. Any thread. */
bool			 line_plan_put(const struct line_plan *p, struct span payload,
			    struct buf *out, uint32_t *undecoded);

/*
 * Append what of it, and of what line_plan_builtin() appends, is neither a name nor a text, and the
 * bytes behind the last field if there are any, with blanks between them. What has no separator and
 * at least so many bytes, and is found in the lines but not in this, lies in a name or in a text.
 */
bool			 line_plan_numbers(const struct line_plan *p, struct span payload,
			    size_t shortest, struct buf *out);

/* Append what builtin_line() does. */
void			 line_plan_builtin(const struct line_plan *p, struct span payload,
			    struct buf *out);

/* Append "name=", and nothing of an empty name. */
void			 payload_name(struct buf *out, struct span name);

#endif

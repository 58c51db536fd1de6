/*
 * One field of a type's payloads, compiled: the fields before it are skipped, then it is read.
 *
 *	a:u32 s:utf16z b:u16 c:guid	plan of b: skip 4, skip a text, read a u16
 *
 * For every payload it gives the result of payload_walk(), or says that the walk is needed. It
 * reads with the same functions.
 */
#ifndef TNAV_MODEL_PAYLOAD_PLAN_H
#define TNAV_MODEL_PAYLOAD_PLAN_H

#include "tnav/model/value.h"

struct payload_plan;

enum payload_at {
	PAYLOAD_VALUE,		/* *v is the one value of the field */
	PAYLOAD_NULL,		/* the payload ends before it: *v is the VK_NULL of the walk */
	PAYLOAD_ABSENT,		/* the walk gives nothing */
	PAYLOAD_WALK,		/* use payload_walk() instead */
};

/* The type must live longer. Time and memory are linear in its fields. */
struct payload_plan	*payload_plan_new(const struct event_type *t, const char *path,
			    unsigned pointer_size);
void			 payload_plan_free(struct payload_plan *p);
/* Any thread; the value borrows from the payload. */
enum payload_at		 payload_plan_get(const struct payload_plan *p, struct span payload,
			    struct value *v);
/* The field, if payload_plan_get() can give its value; or NULL. */
const struct field	*payload_plan_field(const struct payload_plan *p);
/* True: payload_plan_get() always gives PAYLOAD_ABSENT. */
bool			 payload_plan_absent(const struct payload_plan *p);
/* The value of such a field (FK_UTF16Z) as payload_plan_get() gives it, if it is at a fixed offset.
   False: it is not, or it does not end within the payload. */
bool			 payload_plan_text16(const struct payload_plan *p, struct span payload,
			    struct span *text);
/*
 * The same for a whole number or a boolean at a fixed offset in the payload. False: the field is
 * none, or the payload ends before its end.
 */
bool			 payload_plan_number(const struct payload_plan *p, struct span payload,
			    enum value_kind *kind, uint64_t *u);
/* The fixed offset; width 0: there is none. */
struct payload_place {
	uint32_t	off;
	uint8_t		width, kind;	/* enum value_kind */
};
struct payload_place	 payload_plan_place(const struct payload_plan *p);

/* The number at a place whose width is not 0; false: the payload ends before its end. */
static inline bool
payload_place_number(struct payload_place at, struct span payload, enum value_kind *kind,
    uint64_t *u)
{
	const uint8_t	*p = payload.p + at.off;
	bool		 sign = at.kind == VK_INT;

	if (payload.len < (uint64_t)at.off + at.width)
		return false;
	*kind = (enum value_kind)at.kind;
	if (at.width == 4)
		*u = sign ? (uint64_t)(int32_t)load_u32le(p) : load_u32le(p);
	else if (at.width == 8)
		*u = load_u64le(p);
	else if (at.width == 2)
		*u = sign ? (uint64_t)(int16_t)load_u16le(p) : load_u16le(p);
	else
		*u = sign ? (uint64_t)(int8_t)p[0] : p[0];
	if (at.kind == VK_BOOL)
		*u = *u != 0;
	return true;
}

#endif

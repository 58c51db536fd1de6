/*
 * Programs: the steps that read the payloads of a type, compiled once.
 *
 *	a:u32 s:utf16z b:u16 c:guid	all values	a, s, b, c
 *					path "b"	skip 4, skip a text, read a u16
 *
 * A type has a program that gives all values (event_type.program); payload_walk() runs it, and the
 * writers of lines and JSON are its callers. A program of a path gives the values at the path. It
 * is the only code that reads payloads.
 *
 * It never reads outside the payload, gives at most LIMIT_VALUES values, nests at most
 * LIMIT_NESTING deep, and takes time linear in payload bytes + values.
 */
#ifndef TNAV_MODEL_PROGRAM_H
#define TNAV_MODEL_PROGRAM_H

#include "tnav/model/value.h"

struct program;

/*
 * Compile a program: of all values (path NULL), or of the values at a path, which may lie in the
 * object `builtin`. The type must live longer, and for a path it must be complete. Time and memory
 * are linear in its fields.
 */
const struct program	*program_new(struct arena *a, const struct event_type *t,
			    const char *path);
/* True: no payload has a value at the path. */
bool			 program_absent(const struct program *p);
/* The field at the path, if the path leads to this one only, and it always is a single value; or
   NULL. */
const struct field	*program_field(const struct program *p);

/*
 * Give the values at the path in order, as payload_walk() does: with the elements of an array at
 * the path, and with all that is in an object there, which is marked as nested.
 */
int	program_walk(const struct program *p, struct span payload, value_fn fn, void *arg);
/* The same without nested values, the ends of containers, and values past the payload's end. */
int	program_values(const struct program *p, struct span payload, value_fn fn, void *arg);
/* The first of these that is neither an array nor an object. It borrows from the payload. False:
   there is none. */
bool	program_first(const struct program *p, struct span payload, struct value *v);

/* The place of a whole number or boolean that is always at the same offset; width 0: there is
   none. */
struct payload_place {
	uint32_t	off;
	uint8_t		width, kind;	/* enum value_kind */
};
struct payload_place	 program_place(const struct program *p);

/* The number or boolean of 1, 2, 4 or 8 bytes at p. */
static inline uint64_t
payload_number(const uint8_t *p, unsigned width, enum value_kind kind)
{
	uint64_t	sign = kind == VK_INT ? UINT64_C(1) << (8 * width - 1) : 0, u;

	if (width == 4)
		u = load_u32le(p);
	else if (width == 8)
		u = load_u64le(p);
	else
		u = width == 2 ? load_u16le(p) : p[0];
	return kind == VK_BOOL ? u != 0 : (u ^ sign) - sign;
}

/* The number at a place whose width is not 0; false: the payload ends before its end. */
static inline bool
payload_place_number(struct payload_place at, struct span payload, enum value_kind *kind,
    uint64_t *u)
{
	if (payload.len < (uint64_t)at.off + at.width)
		return false;
	*kind = (enum value_kind)at.kind;
	*u = payload_number(payload.p + at.off, at.width, *kind);
	return true;
}

#endif

/*
 * The steps of programs, for the compiler (program.c) and for the machine that runs them
 * (program_run.c). Private to the model.
 *
 * Some writers encode a value differently from what the metadata declares. A variant is a set of
 * such differences. It is used if the payload does not fit the declared encoding, variant 0, but
 * fits the variant exactly.
 */
#ifndef MODEL_STEPS_H
#define MODEL_STEPS_H

#include "tnav/model/program.h"

#define VARIANT_BOOL	0x1u	/* booleans of one byte */
#define VARIANT_DATE	0x2u	/* DateTime of 16 bytes */
#define VARIANT_TEXT	0x4u	/* a lone CHAR8 is a text with a u16 count */
#define VARIANT_REAL	0x8u	/* decimals are doubles */
#define VARIANTS	0x10u

enum step_kind {
	STEP_NUMBER,		/* a whole number or boolean of a field, always there and given,
				   that is shown as its digits alone; never an element */
	STEP_VALUE,		/* any other value that is always there */
	STEP_ODD,		/* one that may be absent, or a text in place of a CHAR8 */
	STEP_FIXED,		/* an array of bytes or characters, which is one value, always
				   there with the same number of them */
	STEP_RUN,		/* any other such array */
	STEP_LIST,		/* an array of plain values */
	STEP_ARRAY,		/* any other array; then the steps of an element, and an END */
	STEP_OBJECT,		/* then the steps of its fields, and an END */
	STEP_END,
	STEP_ATTRIBUTES,	/* up to the end: each its name, type and value (Heph) */
	STEP_PAD,
	STEP_SKIP,		/* values and padding of a fixed size that are not given */
};

#define STEP_GIVEN	0x1	/* its values are given */
#define STEP_NESTED	0x2	/* ... as nested ones */
#define STEP_ELEMENT	0x4
#define STEP_FILLED	0x8	/* an object that has at least one byte */
#define STEP_DEEP	0x10	/* it would be nested too deeply */
#define STEP_OPTIONAL	0x20	/* it and all after it are absent when the payload has ended */
#define STEP_MAYBE	0x40	/* it is absent when the fields after it need all that is left */
#define STEP_PLAIN	0x80	/* its name is ASCII that JSON does not escape */
#define STEP_ATTRIBUTE	0x100
#define STEP_LABEL	0x200	/* a blank lies before its name, and "=" after it */

#define NO_PATH		UINT32_MAX	/* the path does not lead to attributes */

struct step {
	const struct field	*f;		/* SKIP, END: NULL */
	uint32_t		 inside;	/* ARRAY, OBJECT: steps up to and with the END */
	uint32_t		 bytes;		/* PAD, SKIP; ATTRIBUTES: offset in the path, or
						   NO_PATH */
	uint32_t		 n;		/* SKIP: values; MAYBE: fields after it */
	uint8_t			 kind;
	uint8_t			 number;	/* enum value_kind of a whole number or boolean, or
						   of an array's elements; VK_NULL: it is another */
	uint16_t		 flags;
	struct span		 name;
};

struct program {
	const struct program	*whole;		/* the type's, to choose the variant; NULL: there
						   is only one */
	const struct program	*builtin;	/* of the object `builtin`, or NULL */
	const struct builtin	*layout;	/* ... and which events have it */
	uint32_t		 id;
	unsigned		 odd;		/* all differences that may occur */
	bool			 small;		/* pointers of 4 bytes */
	uint32_t		 nslots;
	struct span		 path;		/* p NULL: all values */
	const struct field	*only;		/* the one field that is given, or NULL */
	struct payload_place	 place;
	uint32_t		 n;
	struct step		*step;		/* n of them, behind it */
};

/* Is a value of this kind a whole number or boolean that is shown as its digits alone? */
static inline bool
is_digits(enum value_kind kind, const struct field *f)
{
	return kind >= VK_BOOL && kind <= VK_INT && f->map == NULL &&
	    !(kind == VK_INT && f->flags & FIELD_HEX);
}

/* Bytes of one value of each kind; 0: it varies. */
const uint8_t	*sizes_of(bool small_pointers, unsigned variant);

/* Is it an array of bytes or characters that is one value? */
static inline bool
is_run(const struct field *f)
{
	if (f->inner != NULL)
		return false;
	return f->kind == FK_BYTES || f->kind == FK_U8 ||
	    (f->flags & FIELD_TEXT && (f->kind == FK_CHAR16 || f->kind == FK_CHAR8));
}

#endif

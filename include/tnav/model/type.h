/*
 * The schema of one kind of event: what a metadata row of the trace, or the built-in table, says.
 * Types are immutable once added to a trace, live as long as it, and their pointers are stable.
 */
#ifndef TNAV_MODEL_TYPE_H
#define TNAV_MODEL_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/arena.h"
#include "tnav/base/buf.h"

enum field_kind {
	FK_BOOL8, FK_BOOL32,		/* any bit set is true */
	FK_CHAR16, FK_CHAR8,		/* one code unit, shown as text */
	FK_U8, FK_I8, FK_U16, FK_I16, FK_U32, FK_I32, FK_U64, FK_I64,
	FK_PTR,				/* 4 or 8 bytes by the trace's pointer size */
	FK_F32, FK_F64,
	FK_GUID,
	FK_DATETIME,			/* 8 bytes FILETIME, or 16 bytes SYSTEMTIME: see value.h */
	FK_DECIMAL,			/* 16 bytes, or a double: see value.h */
	FK_VARU, FK_VARI,		/* LEB128; VARI is zig-zag */
	FK_UTF16Z, FK_UTF8Z,		/* text up to its NUL */
	FK_STR16,			/* u16 byte count, UTF-8 */
	FK_BYTES,			/* raw bytes; needs a count, shown in hex */
	FK_PAD,				/* filler of fixed or pointer size: skipped, not a value */
	FK_OBJECT,			/* fields one after another */
	FK_HEPH_U64, FK_HEPH_I64, FK_HEPH_F64, FK_HEPH_STR,	/* big-endian */
	FK_ATTRIBUTES,			/* up to the end: each its name, type and value (Heph) */
	FK_KINDS
};

enum array_kind {
	AK_NONE,	/* one value */
	AK_COUNT16,	/* u16 count, then the elements */
	AK_COUNT32,	/* u32 count */
	AK_FIXED,	/* field.count elements */
	AK_BY_FIELD,	/* as many as the earlier field in slot field.count says */
	AK_REST,	/* up to the payload's end */
	AK_RELLOC, AK_DATALOC,	/* 4 bytes: u16 offset and size of bytes elsewhere in the payload */
	AK_COUNT16BE,	/* as COUNT16, big-endian (Heph) */
};

#define FIELD_HEX	0x1	/* better shown in hexadecimal (text and screen only) */
#define FIELD_OPTIONAL	0x2	/* it and all after it are absent when the payload has ended */
#define FIELD_IF_FITS	0x4	/* absent when the fields after it need all remaining bytes
				   (ExceptionMessage of .NET Core 3 and 5) */
#define FIELD_TEXT	0x8	/* an array of CHAR16 or CHAR8 that is a string */
#define FIELD_BESIDE	0x10	/* of an object: its fields are also found without its name, if
				   the event itself has no field of that name */
#define FIELD_NO_SLOT	0xff

/* The names of a field's values. */
struct value_name {
	uint64_t	 value;
	const char	*name;
};

struct value_map {
	const char		*name;		/* GCReason */
	bool			 bits;		/* the number is a sum of the values */
	uint32_t		 n;
	const struct value_name	*values;
};

struct field {
	const char		*name;		/* UTF-8, may be "" */
	enum field_kind		 kind;		/* of the value or of the element */
	enum array_kind		 array;
	uint32_t		 flags;
	uint32_t		 count;		/* AK_FIXED: elements; AK_BY_FIELD: slot; PAD:
						   bytes, 0: 4 of them when pointers are 8 */
	uint8_t			 slot;		/* the field's number is kept here, or NO_SLOT */
	const struct value_map	*map;		/* or NULL */
	/* Elements of arrays of arrays, and the fields of an OBJECT: */
	const struct field	*inner;		/* element description when the element is an array
						   itself (kind is then ignored); else NULL */
	const struct field	*fields;
	uint32_t		 nfields;
};

enum schema_source {
	SCHEMA_TRACE,		/* the trace's own description */
	SCHEMA_BUILTIN,		/* the built-in table, exactly this version */
	SCHEMA_OLDER,		/* the built-in table, the highest version below */
	SCHEMA_NONE,		/* no description: the payload is shown as bytes */
};

struct builtin;
struct program;

struct event_type {
	uint32_t		 index;		/* in the trace's list of types */
	const char		*provider;	/* "" if the trace gives none */
	const char		*name;		/* as shown: "GC/Start"; "#id" when nameless */
	const char		*event;		/* the other name ("GCStart"), or NULL */
	uint64_t		 metadata_id;	/* as in the file */
	uint32_t		 id;
	uint32_t		 version;
	uint8_t			 level;
	bool			 has_opcode;
	uint8_t			 opcode;	/* the trace's own */
	uint64_t		 keywords;	/* the trace's own */
	const char		*task_word;	/* built-in words, or NULL: "GarbageCollection" */
	const char		*opcode_word;	/* "Start" */
	const char		*message;	/* message template (V6), or NULL */
	const char		*description;	/* V6, or NULL */
	enum schema_source	 source;
	bool			 missing;	/* a placeholder: the trace has no metadata row */
	bool			 damaged;	/* its row could not be read to the end */
	/* Encodings that some writers use in place of the declared one. They are tried if the
	   declared one does not fit the payload. */
	bool			 odd_bool;	/* booleans may be one byte though declared four */
	bool			 odd_date;	/* DateTime may be 16 bytes in place of 8 */
	bool			 odd_real;	/* decimals may be doubles (.NET's self-describing
						   events) */
	bool			 odd_text;	/* a lone CHAR8 may be a text with a u16 count */
	uint64_t		 off;		/* file offset of the metadata row, 0: none */
	const struct field	*fields;
	uint32_t		 nfields;
	const struct builtin	*builtin;	/* the data after the declared fields, or NULL */
	uint32_t		 nslots;	/* count slots that the walk needs */
	uint8_t			 pointer_size;	/* 4, or else 8 */
	const struct program	*program;	/* gives all values; NULL: there are no fields. See
						   tnav/model/program.h */
};

/* Append the type of a field: "u32", "text[]", "u8[16]", "u32 GCReason". */
void		 field_type_text(struct buf *out, const struct field *f);
const char	*schema_source_words(enum schema_source s);	/* "built-in manifest", ... */
const char	*level_name(unsigned level);	/* LogAlways critical error warning informational
						   verbose, or NULL */
const char	*opcode_name(unsigned opcode);	/* the standard ones: Info Start ..., or NULL */

#endif

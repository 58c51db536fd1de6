/*
 * The layout of values in a payload: sizes by variant, and locations.
 *
 *	location 0x00050010	5 bytes, 16 bytes after the payload's start (or the location)
 *
 * Invariant: all locations of a payload together refer to at most LOCATED_MAX times its bytes.
 */
#include "model/value_read.h"

#define LOCATED_MAX	4u

static const char	error_location[] = "a location lies outside the payload";
static const char	error_overlap[] = "locations share too many bytes";
static const char	error_element[] = "a location does not hold a whole number of elements";

/* Bytes of one value as declared; 0: it varies, or depends on the size of pointers. */
static const uint8_t	declared_sizes[FK_KINDS] = {
	[FK_BOOL8] = 1, [FK_BOOL32] = 4, [FK_CHAR16] = 2, [FK_CHAR8] = 1,
	[FK_U8] = 1, [FK_I8] = 1, [FK_U16] = 2, [FK_I16] = 2, [FK_U32] = 4, [FK_I32] = 4,
	[FK_U64] = 8, [FK_I64] = 8, [FK_F32] = 4, [FK_F64] = 8, [FK_GUID] = 16,
	[FK_DATETIME] = 8, [FK_DECIMAL] = 16, [FK_BYTES] = 1,
	[FK_HEPH_U64] = 8, [FK_HEPH_I64] = 8, [FK_HEPH_F64] = 8,
};

unsigned
value_variants(const struct event_type *t)
{
	return (t->odd_bool ? VARIANT_BOOL : 0) | (t->odd_date ? VARIANT_DATE : 0) |
	    (t->odd_text ? VARIANT_TEXT : 0) | (t->odd_real ? VARIANT_REAL : 0);
}

void
value_sizes(uint8_t size[FK_KINDS], unsigned pointer_size, unsigned variant)
{
	memcpy(size, declared_sizes, sizeof declared_sizes);
	size[FK_PTR] = pointer_size == 4 ? 4 : 8;
	if (variant & VARIANT_BOOL)
		size[FK_BOOL32] = 1;
	if (variant & VARIANT_DATE)
		size[FK_DATETIME] = 16;
	if (variant & VARIANT_REAL)
		size[FK_DECIMAL] = 8;
}

uint64_t
value_located(struct span payload)
{
	return (uint64_t)payload.len * LOCATED_MAX;
}

const char *
value_locate(struct span payload, uint64_t base, uint32_t loc, unsigned unit, uint64_t *left,
    struct span *data)
{
	uint64_t	at = base + (loc & 0xffff), len = loc >> 16;

	if (at > payload.len || len > payload.len - at)
		return error_location;
	if (unit > 0 && len % unit != 0)
		return error_element;
	if (len > *left)
		return error_overlap;
	*left -= len;
	*data = (struct span){ payload.p + at, (size_t)len };
	return NULL;
}

/* ---- attributes (Heph) */

#define ATTRIBUTE_ARRAY	0x80u

const struct field *
value_attribute(uint8_t type)
{
	static const struct field	one[] = {
		{ .name = "", .kind = FK_HEPH_U64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_I64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_F64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_STR, .slot = FIELD_NO_SLOT },
	};
	static const struct field	many[] = {
		{ .name = "", .kind = FK_HEPH_U64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_I64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_F64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_STR, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
	};
	unsigned	i = type & ~ATTRIBUTE_ARRAY;

	if (i < 1 || i > sizeof one / sizeof *one)
		return NULL;
	return type & ATTRIBUTE_ARRAY ? &many[i - 1] : &one[i - 1];
}

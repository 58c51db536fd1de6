/*
 * Columns of an array of objects: the place of each number follows from the type and a count.
 *
 *	payload	 | fields before | count | a  b  c | a  b  c | a  b  c |
 *		 0		   counter  begin	each
 *	column c			 |----->|	at, width
 *
 * The fields before the array and the members of its objects must have fixed sizes. Then a number
 * that lies within the payload is one that the walk gives, and the first that doesn't is where the
 * walk ends.
 *
 * Invariant: for every payload the numbers are those of the walk; tests/fuzz/fuzz_value.c compares
 * the two.
 */
#include "tnav/model/payload_columns.h"

#include <assert.h>

#include "model/value_read.h"
#include "tnav/base/mem.h"
#include "tnav/model/path.h"

#define FIELDS_MOST	256u	/* so that the walk's budget of values lasts */

static_assert(FIELDS_MOST + (FIELDS_MOST + 2) * COLUMN_MOST < VALUE_ELEMENTS_MAX,
    "the walk may end before the last number");

struct column {
	uint64_t	at;		/* in the object */
	uint8_t		width;		/* 0: there are no numbers */
};

struct payload_columns {
	const struct field	*array;		/* NULL: all columns are empty */
	uint64_t		 begin;		/* of the first object */
	uint64_t		 each;		/* bytes of an object */
	uint64_t		 counter;	/* offset of the number of objects */
	uint8_t			 counter_width;
	unsigned		 n;
	struct column		 column[];
};

/* Bytes of a field that is one value of a fixed size; 0: it is none. */
static uint32_t
fixed_size(const struct field *f, const uint8_t size[FK_KINDS], unsigned pointer_size)
{
	if (f->array != AK_NONE || (f->flags & (FIELD_OPTIONAL | FIELD_IF_FITS)) != 0 ||
	    *f->name == '\0' || f->kind == FK_BYTES)
		return 0;
	return f->kind == FK_PAD ? value_pad(f, pointer_size) : size[f->kind];
}

static bool
is_unsigned(const struct field *f)
{
	return f->kind == FK_U8 || f->kind == FK_U16 || f->kind == FK_U32 || f->kind == FK_U64 ||
	    f->kind == FK_PTR;
}

/* Set the bytes of the objects. False: they vary. */
static bool
measure_objects(struct payload_columns *c, const uint8_t size[FK_KINDS], unsigned pointer_size)
{
	const struct field	*a = c->array;

	if (a->nfields == 0 || a->nfields > FIELDS_MOST)
		return false;
	for (uint32_t i = 0; i < a->nfields; i++) {
		uint32_t	bytes = fixed_size(&a->fields[i], size, pointer_size);

		if (bytes == 0)
			return false;
		c->each += bytes;
	}
	return true;
}

/* Set the places of the count and of the array. False: they vary. */
static bool
place_array(struct payload_columns *c, const struct event_type *t, const uint8_t size[FK_KINDS],
    unsigned pointer_size)
{
	const struct field	*a = c->array;

	for (const struct field *f = t->fields; f != a; f++) {
		uint32_t	bytes = fixed_size(f, size, pointer_size);

		if (bytes == 0)
			return false;
		if (a->array == AK_BY_FIELD && f->slot == a->count && f->slot < t->nslots) {
			if (!is_unsigned(f))
				return false;
			c->counter = c->begin;
			c->counter_width = (uint8_t)bytes;
		}
		c->begin += bytes;
	}
	if (a->array == AK_BY_FIELD)
		return c->counter_width > 0;
	c->counter = c->begin;
	c->counter_width = a->array == AK_COUNT16 ? 2 : 4;
	c->begin += c->counter_width;
	return a->array == AK_COUNT16 || a->array == AK_COUNT32;
}

/* Find the field of the event that the path leads into; NULL: none. False: it is no such array. */
static bool
find_array(const struct event_type *t, const char *path, const struct field **array,
    const char **member)
{
	*array = NULL;
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct field	*f = &t->fields[i];
		const char		*rest = path_step(path, span_of(f->name));

		if (*f->name == '\0' || f->kind == FK_ATTRIBUTES)
			return false;
		if (rest == NULL)
			continue;
		if (*array != NULL || *rest == '\0' || f->kind != FK_OBJECT || f->inner != NULL ||
		    f->array == AK_NONE || f->flags & (FIELD_OPTIONAL | FIELD_IF_FITS))
			return false;
		*array = f;
		*member = rest;
	}
	return true;
}

/* Find the member's numbers. False: there may be several, or others than in the column's place. */
static bool
find_member(struct column *c, const struct field *array, const char *member,
    const uint8_t size[FK_KINDS], unsigned pointer_size)
{
	uint64_t	at = 0;
	bool		found = false;

	for (uint32_t i = 0; i < array->nfields; i++) {
		const struct field	*f = &array->fields[i];
		uint32_t		 bytes = fixed_size(f, size, pointer_size);
		const char		*rest = path_step(member, span_of(f->name));

		if (rest != NULL && (found || *rest != '\0' || (f->kind != FK_PAD &&
		    !is_unsigned(f))))
			return false;
		if (rest != NULL && f->kind != FK_PAD) {
			found = true;
			*c = (struct column){ at, (uint8_t)bytes };
		}
		at += bytes;
	}
	return true;
}

static bool
columns_make(struct payload_columns *c, const struct event_type *t, const char *const *path,
    unsigned pointer_size)
{
	const char	*member[FIELDS_MOST] = { NULL };
	uint8_t		 size[FK_KINDS];

	value_sizes(size, pointer_size, 0);
	for (unsigned i = 0; i < c->n; i++) {
		const struct field	*array;

		if (!find_array(t, path[i], &array, &member[i]) ||
		    (array != NULL && c->array != NULL && array != c->array))
			return false;
		if (array != NULL)
			c->array = array;
	}
	if (c->array == NULL)
		return true;
	if (!measure_objects(c, size, pointer_size) || !place_array(c, t, size, pointer_size))
		return false;
	for (unsigned i = 0; i < c->n; i++)
		if (member[i] != NULL && !find_member(&c->column[i], c->array, member[i], size,
		    pointer_size))
			return false;
	return true;
}

struct payload_columns *
payload_columns_new(const struct event_type *t, const char *const *path, unsigned n,
    unsigned pointer_size)
{
	struct payload_columns	*c;

	if (n > FIELDS_MOST || t->nfields > FIELDS_MOST || value_variants(t) != 0 ||
	    t->builtin != NULL)
		return NULL;
	c = mem_zalloc(1, sizeof *c + n * sizeof *c->column);
	c->n = n;
	if (columns_make(c, t, path, pointer_size))
		return c;
	mem_free(c);
	return NULL;
}

void
payload_columns_free(struct payload_columns *c)
{
	mem_free(c);
}

static uint64_t
read_unsigned(const uint8_t *p, unsigned width)
{
	switch (width) {
	case 1:
		return p[0];
	case 2:
		return load_u16le(p);
	case 4:
		return load_u32le(p);
	default:
		return load_u64le(p);
	}
}

unsigned
payload_columns_get(const struct payload_columns *c, struct span payload, unsigned i, uint64_t *v,
    unsigned most)
{
	const struct column	*k = &c->column[i];
	uint64_t		 count, at = c->begin + k->at;
	unsigned		 n = 0;

	assert(i < c->n && most <= COLUMN_MOST);
	payload = value_payload(payload);
	if (k->width == 0 || payload.len < c->begin)
		return 0;
	count = read_unsigned(payload.p + c->counter, c->counter_width);
	for (; n < most && n < count && at + k->width <= payload.len; at += c->each)
		v[n++] = read_unsigned(payload.p + at, k->width);
	return n;
}

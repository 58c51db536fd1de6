/*
 * Cells as columns of Parquet: one type for all cells of a column.
 *
 *	numbers, bytes, addresses	U64
 *	with sign, times, durations	I64: ns
 *	floats, shares			F32, F64
 *	text				TEXT
 *	JSON, or kinds that do not fit	JSON, as the JSON lines have it
 */
#include "out/parquet/cells.h"

#include <string.h>

#include "tnav/model/value.h"

#define BIT(kind)	(UINT32_C(1) << CELL_##kind)
#define UNSIGNED	(BIT(U64) | BIT(BYTES) | BIT(HEX) | BIT(ADDRESS))
#define SIGNED		(BIT(I64) | BIT(TIME) | BIT(DUR))
#define FLOATS		(BIT(F32) | BIT(F64) | BIT(SHARE))
#define NUMBERS		(UNSIGNED | SIGNED | FLOATS)
#define TEXTS		(BIT(TEXT) | BIT(PLAIN) | BIT(GUID))

void
cell_kinds_add(struct cell_kinds *k, const struct cell *c)
{
	if (c->kind > CELL_NULL)
		k->seen |= UINT32_C(1) << c->kind;
	if ((UINT32_C(1) << c->kind & UNSIGNED) != 0 && c->u > INT64_MAX)
		k->huge = true;
}

static bool
are_only(uint32_t seen, uint32_t of)
{
	return (seen & ~of) == 0;
}

enum parquet_type
cell_kinds_type(const struct cell_kinds *k, enum cell_kind declared)
{
	uint32_t	seen = k->seen;

	/* A column has the same type in all traces, if numbers of different kinds allow that. */
	if (declared > CELL_NULL && (seen == 0 || (are_only(seen, NUMBERS) &&
	    are_only(UINT32_C(1) << declared, NUMBERS))))
		seen |= UINT32_C(1) << declared;
	if (seen == 0)
		return PARQUET_TEXT;
	if (are_only(seen, UNSIGNED))
		return PARQUET_U64;
	if (are_only(seen, UNSIGNED | SIGNED) && !k->huge)
		return PARQUET_I64;
	if (seen == BIT(F32))
		return PARQUET_F32;
	if (are_only(seen, NUMBERS) && (seen & FLOATS) != 0)
		return PARQUET_F64;
	if (seen == BIT(BOOL))
		return PARQUET_BOOL;
	if (seen == BIT(GUID))
		return PARQUET_UUID;
	if (seen == BIT(BLOB))
		return PARQUET_BYTES;
	return are_only(seen, TEXTS) ? PARQUET_TEXT : PARQUET_JSON;
}

static double
number_of(const struct cell *c)
{
	if ((UINT32_C(1) << c->kind & UNSIGNED) != 0)
		return (double)c->u;
	return (UINT32_C(1) << c->kind & SIGNED) != 0 ? (double)c->i : c->f;
}

/* A real number as parquet_u64() takes it. False: it is not finite, which is null. */
static bool
real_value(enum parquet_type type, double v, uint64_t *value)
{
	float		f = (float)v;
	uint32_t	bits;

	if (type == PARQUET_F32) {
		memcpy(&bits, &f, sizeof bits);
		*value = bits;
	} else {
		memcpy(value, &v, sizeof *value);
	}
	return v - v == 0;
}

/* A GUID of the file has its first three parts in the other order of bytes. */
static void
put_guid(struct parquet_rows *r, size_t column, const uint8_t *g)
{
	const uint8_t	text[16] = { g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6],
			    g[8], g[9], g[10], g[11], g[12], g[13], g[14], g[15] };

	parquet_uuid(r, column, text);
}

static struct parquet_ref
keep_json(struct parquet_rows *r, size_t column, const struct cell *c)
{
	struct buf	*text = &r->cell[column].text;
	size_t		 from = text->len;

	cell_json(text, c);
	return parquet_keep_from(r, column, from);
}

static struct parquet_ref
keep_text(struct parquet_rows *r, size_t column, const struct cell *c)
{
	struct buf	*text = &r->cell[column].text;
	size_t		 from = text->len;

	if (c->kind == CELL_GUID) {
		guid_text(text, c->text.p);
		return parquet_keep_from(r, column, from);
	}
	if ((UINT32_C(1) << c->kind & (TEXTS | BIT(RAW) | BIT(BLOB))) != 0)
		return parquet_keep(r, column, c->text);
	return keep_json(r, column, c);
}

/* Has the cell a value of the type? Of cells whose kinds were counted, all have. */
static bool
fits(enum parquet_type type, const struct cell *c)
{
	uint32_t	kind = UINT32_C(1) << c->kind;

	switch (type) {
	case PARQUET_TEXT: case PARQUET_JSON:
		return true;
	case PARQUET_BYTES:
		return (kind & (BIT(BLOB) | BIT(TEXT))) != 0;
	case PARQUET_F32: case PARQUET_F64:
		return (kind & NUMBERS) != 0;
	default:
		return (kind & (UNSIGNED | SIGNED | BIT(BOOL))) != 0;
	}
}

bool
parquet_value(struct parquet_rows *r, size_t column, const struct cell *c, uint64_t *v)
{
	enum parquet_type	type = r->cell[column].column->type;

	if (c->kind <= CELL_NULL || !fits(type, c))
		return false;
	if (type == PARQUET_F64 || type == PARQUET_F32)
		return real_value(type, number_of(c), v);
	if (type == PARQUET_JSON)
		*v = parquet_ref_value(keep_json(r, column, c));
	else if (type == PARQUET_TEXT)
		*v = parquet_ref_value(keep_text(r, column, c));
	else if (type == PARQUET_BYTES)
		*v = parquet_ref_value(parquet_keep(r, column, c->text));
	else
		*v = c->u;
	return true;
}

void
parquet_cell(struct parquet_rows *r, size_t column, const struct cell *c)
{
	uint64_t	v;

	if (r->cell[column].column->type != PARQUET_UUID) {
		if (parquet_value(r, column, c, &v))
			parquet_u64(r, column, v);
	} else if (c->kind == CELL_GUID) {
		put_guid(r, column, c->text.p);
	}
}

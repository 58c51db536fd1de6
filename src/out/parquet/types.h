/* What the types of columns are in a file. Private to this directory. */
#ifndef OUT_PARQUET_TYPES_H
#define OUT_PARQUET_TYPES_H

#include "out/parquet/parquet.h"

/* enum Type of the format. */
enum parquet_physical {
	PHYSICAL_BOOLEAN = 0, PHYSICAL_INT32 = 1, PHYSICAL_INT64 = 2, PHYSICAL_FLOAT = 4,
	PHYSICAL_DOUBLE = 5, PHYSICAL_BYTES = 6, PHYSICAL_FIXED = 7,
};

struct parquet_type_def {
	enum parquet_physical	 physical;
	uint8_t			 width;		/* of a value in memory; texts: of a ref */
	int8_t			 converted;	/* enum ConvertedType, or -1 */
	uint8_t			 bits;		/* whole numbers: of their logical type */
	bool			 is_signed;
};

extern const struct parquet_type_def	parquet_types[PARQUET_TYPES];

static inline size_t
parquet_width(enum parquet_type t)
{
	return parquet_types[t].width;
}

/* A whole number, of any sign. */
static inline bool
parquet_is_whole(enum parquet_type t)
{
	return parquet_types[t].physical == PHYSICAL_INT32 ||
	    parquet_types[t].physical == PHYSICAL_INT64;
}

static inline bool
parquet_is_text(enum parquet_type t)
{
	return parquet_types[t].physical == PHYSICAL_BYTES;
}

static inline void
store_u64le(void *to, uint64_t v)
{
	uint8_t	*p = to;

	for (unsigned i = 0; i < 8; i++)	/* one instruction, where that is possible */
		p[i] = (uint8_t)(v >> 8 * i);
}

#endif

/* The types of columns: how they are in memory and in a file. */
#include "out/parquet/types.h"

/* The numbers are enum ConvertedType of the format, which older readers need. */
const struct parquet_type_def	parquet_types[PARQUET_TYPES] = {
	[PARQUET_BOOL] = { PHYSICAL_BOOLEAN, 1, -1, 0, false },
	[PARQUET_U8] = { PHYSICAL_INT32, 4, 11, 8, false },
	[PARQUET_U64] = { PHYSICAL_INT64, 8, 14, 64, false },
	[PARQUET_I64] = { PHYSICAL_INT64, 8, 18, 64, true },
	[PARQUET_TIME] = { PHYSICAL_INT64, 8, -1, 0, true },
	[PARQUET_F32] = { PHYSICAL_FLOAT, 4, -1, 0, true },
	[PARQUET_F64] = { PHYSICAL_DOUBLE, 8, -1, 0, true },
	[PARQUET_UUID] = { PHYSICAL_FIXED, 16, -1, 0, false },
	[PARQUET_TEXT] = { PHYSICAL_BYTES, 8, 0, 0, false },
	[PARQUET_JSON] = { PHYSICAL_BYTES, 8, 19, 0, false },
	[PARQUET_BYTES] = { PHYSICAL_BYTES, 8, -1, 0, false },
};

/* Cells as columns of Parquet. Private to this layer. */
#ifndef OUT_PARQUET_CELLS_H
#define OUT_PARQUET_CELLS_H

#include "out/parquet/parquet.h"
#include "tnav/model/cell.h"

/* The kinds of cells that were seen in a column. */
struct cell_kinds {
	uint32_t	seen;		/* bits: 1 << enum cell_kind */
	bool		huge;		/* a number above INT64_MAX */
};

void	cell_kinds_add(struct cell_kinds *k, const struct cell *c);
/* The type in which all of these have their values. declared: of most cells, if none was seen. */
enum parquet_type	cell_kinds_type(const struct cell_kinds *k, enum cell_kind declared);

/* The value of a cell, as parquet_u64() takes it. False: it has none. Not for UUID. */
bool	parquet_value(struct parquet_rows *r, size_t column, const struct cell *c, uint64_t *v);
/* Put a cell; without a value it is null. */
void	parquet_cell(struct parquet_rows *r, size_t column, const struct cell *c);

#endif

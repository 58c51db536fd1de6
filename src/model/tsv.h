/*
 * The built-in tables: lines of cells parted by tabs. Lines that begin with # are comments.
 *
 *	at -> # provider TAB id TAB name
 *	      Microsoft-Windows-DotNETRuntime TAB 1 TAB GCStart
 */
#ifndef MODEL_TSV_H
#define MODEL_TSV_H

#include <stdbool.h>

#include "tnav/base/cursor.h"

/* Go to the begin of the next row; false: there is none. */
bool		tsv_row(const char **at);
/* The next cell of the row, empty where the row has no more. */
struct span	tsv_cell(const char **at);
/* Go past what is left of the row. */
void		tsv_row_end(const char **at);

#endif

/*
 * The built-in tables: lines of cells separated by tabs. Lines that begin with # are comments.
 *
 *	at -> # provider TAB id TAB name
 *	      Microsoft-Windows-DotNETRuntime TAB 1 TAB GCStart
 */
#ifndef MODEL_TSV_H
#define MODEL_TSV_H

#include <stdbool.h>

#include "tnav/base/cursor.h"

/* Go to the start of the next row; false: there is none. */
bool		tsv_row(const char **at);
/* The next cell of the row; empty if there are no more. */
struct span	tsv_cell(const char **at);
/* Skip the rest of the row. */
void		tsv_row_end(const char **at);

#endif

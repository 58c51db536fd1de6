/*
 * Reading the built-in tables, which are texts embedded in the program.
 *
 * Invariant: between two rows `at` is at the start of a line, or at the end of the text.
 */
#include "model/tsv.h"

#include <string.h>

bool
tsv_row(const char **at)
{
	while (**at == '#')
		tsv_row_end(at);
	return **at != '\0';
}

struct span
tsv_cell(const char **at)
{
	struct span	cell = { (const uint8_t *)*at, strcspn(*at, "\t\n") };

	*at += cell.len;
	if (**at == '\t')
		++*at;
	return cell;
}

void
tsv_row_end(const char **at)
{
	*at += strcspn(*at, "\n");
	if (**at == '\n')
		++*at;
}

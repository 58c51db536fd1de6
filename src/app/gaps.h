/*
 * The gaps that a subcommand is asked for.
 */
#ifndef APP_GAPS_H
#define APP_GAPS_H

#include <stddef.h>

#include "app/run.h"
#include "tnav/analysis/tables.h"

/*
 * The gaps that touch the window and lie next to a matching event, in the order of when they begin.
 * Returns how many; *out goes to mem_free(), *all (whose gaps they point to) too.
 */
size_t	run_gaps(struct run *s, struct gap **all, struct placed_gap **out);
/* Say on stderr that the format has no numbers, if so: its losses are not known. */
void	run_tell_unnumbered(struct run *s);
/* Say on stderr how many events were lost in the time that is looked at. */
void	run_tell_loss(struct run *s);
/* In the order of the rows that they stand before. */
void	gaps_sort_by_row(struct placed_gap *p, size_t n);

#endif

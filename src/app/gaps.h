/* The gaps that a subcommand prints. */
#ifndef APP_GAPS_H
#define APP_GAPS_H

#include <stddef.h>

#include "app/run.h"
#include "tnav/analysis/tables.h"

/*
 * The gaps that touch the window and are next to a matching event, in the order of their first
 * times. Returns their number. Free *out and *all with mem_free(); the gaps in *out point into
 * *all.
 */
size_t	run_gaps(struct run *s, struct gap **all, struct placed_gap **out);
/* Say on stderr if the format has no sequence numbers, so that losses are unknown. */
void	run_tell_unnumbered(struct run *s);
/* Say on stderr how many events were lost in the window. */
void	run_tell_loss(struct run *s);
/* Sort by the rows that the gaps precede. */
void	gaps_sort_by_row(struct placed_gap *p, size_t n);

#endif

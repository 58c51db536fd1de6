/* Passes over the events that a subcommand reads. */
#ifndef APP_PASS_H
#define APP_PASS_H

#include "app/run.h"
#include "tnav/engine/pass.h"

/*
 * Run ops over the selected events. Returns 0 or the result of merge(). Reports what could not be
 * read.
 */
int	run_pass(struct run *s, enum pass_order order, const struct pass_ops *ops, void *arg);

/* The same with another filter than the selection's, but with its window. */
int	run_pass_filter(struct run *s, enum pass_order order, const struct filter *filter,
	    const struct pass_ops *ops, void *arg);

/* What passes over the selected events have in common: filter, window, tick. */
struct pass_options run_pass_options(struct run *s);

/* The tick of a pass whose argument is the run: show progress, unless rows are written to a
   terminal. */
bool	run_tick_pairing(void *run, uint64_t done, uint64_t all);
/* Report what a pass could not read, and add up events that took the filter too much work. */
void	run_take_result(struct run *s, const struct pass_result *r);

#endif

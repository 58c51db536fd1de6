/*
 * Going over the events that a subcommand is asked for.
 */
#ifndef APP_WALK_H
#define APP_WALK_H

#include <stdint.h>

#include "app/run.h"

/* What is done with an event. 0: go on; anything else ends the walk and is what it returns. */
typedef int (*walk_fn)(void *arg, const struct event *e, uint64_t row);

/* The selected events in time order. An error of the trace ends the walk as well. */
int	run_walk(struct run *s, walk_fn fn, void *arg);
/* The same in the order of the file; row is always 0. */
int	run_walk_file(struct run *s, walk_fn fn, void *arg);

#endif

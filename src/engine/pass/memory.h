/*
 * The results of a pass that are kept for the next one. Private to the engine.
 */
#ifndef ENGINE_PASS_MEMORY_H
#define ENGINE_PASS_MEMORY_H

#include "tnav/engine/pass.h"

/* The results of all rows before this one are kept. */
uint64_t memory_upto(const struct pass_memory *m);
/* Keep the state of the next final piece, NULL if nothing matched; row1: the row after it. */
void	 memory_keep(struct pass_memory *m, const void *state, uint64_t row1);
/* The number of kept states; merge one of them. */
size_t	 memory_states(const struct pass_memory *m);
int	 memory_again(struct pass_memory *m, void *arg, size_t i);

#endif

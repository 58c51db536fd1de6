/*
 * The memory of passes as their driver uses it. Private to the engine.
 */
#ifndef ENGINE_PASS_MEMORY_H
#define ENGINE_PASS_MEMORY_H

#include "tnav/engine/pass.h"

/* All rows before this one are remembered. */
uint64_t memory_upto(const struct pass_memory *m);
/* The state of the next final piece, or NULL: nothing matched; and the row after the piece. */
void	 memory_keep(struct pass_memory *m, const void *state, uint64_t row1);
/* Merge one of the states that are kept. */
size_t	 memory_states(const struct pass_memory *m);
int	 memory_again(struct pass_memory *m, void *arg, size_t i);

#endif

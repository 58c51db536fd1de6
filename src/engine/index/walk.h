/*
 * The walk over the frames of the file: the committer's thread.
 */
#ifndef ENGINE_INDEX_WALK_H
#define ENGINE_INDEX_WALK_H

#include "engine/index/index.h"

/* Can the next frame be told without waiting for input? */
bool	walk_ready(struct trace *t, uint64_t off);
/*
 * The next frame at or after *off, stepping over what is damaged; moves *off past it. 1 or 0: no
 * more. Findings are made, and the end is noted.
 */
int	walk_frame(struct trace *t, uint64_t *off, struct frame *fr);

#endif

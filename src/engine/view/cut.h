/*
 * Cutting a region into slices: the committer's thread, without the lock.
 */
#ifndef ENGINE_VIEW_CUT_H
#define ENGINE_VIEW_CUT_H

#include "engine/index/index.h"

void	slice_cut(struct trace *t, const struct region *r, uint32_t index, struct slice_list *out);
/* Find the segments that each slice touches; the caller frees the array. */
uint32_t *slice_touch(struct trace *t, const struct region *r, struct slice_list *list);

#endif

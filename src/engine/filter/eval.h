/*
 * Functions of the evaluator for the sieve and for tests. Private to the engine.
 */
#ifndef ENGINE_FILTER_EVAL_H
#define ENGINE_FILTER_EVAL_H

#include "engine/filter/search.h"
#include "tnav/engine/filter.h"

/* Is the node true for all events of the type, with or without labels? 1, 0, or -1: not decided. */
int	filter_node_verdict(struct filter_eval *e, uint32_t node, uint32_t type, bool labelled);
/* NULL: no term of the filter has a pattern that can be searched in an event's bytes. */
struct text_search *filter_search(const struct filter_eval *e);
/* For tests: format every text before it is searched. The results must be the same. */
void	filter_eval_plain(struct filter_eval *e);

#endif

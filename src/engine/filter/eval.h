/*
 * What the sieve and tests ask of an evaluator beyond tnav/engine/filter.h. Private to the engine.
 */
#ifndef ENGINE_FILTER_EVAL_H
#define ENGINE_FILTER_EVAL_H

#include "engine/filter/search.h"
#include "tnav/engine/filter.h"

/* What the type alone decides of a node, for events with or without labels: 1, 0, or -1. */
int	filter_node_verdict(struct filter_eval *e, uint32_t node, uint32_t type, bool labelled);
/* NULL: no term of the filter needs anything of an event's bytes. */
struct text_search *filter_search(const struct filter_eval *e);
/* Format every text before it is searched: for tests, which find the same so. */
void	filter_eval_plain(struct filter_eval *e);

#endif

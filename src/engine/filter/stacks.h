/*
 * Cached results of a term for stacks. Private to the engine.
 */
#ifndef ENGINE_FILTER_STACKS_H
#define ENGINE_FILTER_STACKS_H

#include "engine/filter/probe.h"

struct stack_memo;

/* For one term and one thread. */
struct stack_memo *stack_memo_new(struct trace *t, struct field_reader *r);
void	stack_memo_free(struct stack_memo *m);
/* Give the frames of the event's stack to the probe, or the cached result. */
void	stack_memo_probe(struct stack_memo *m, struct probe *p, const struct event *e);

/* Does the term need names of frames? */
bool	term_needs_names(const struct filter_term *term);

#endif

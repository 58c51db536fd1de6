/*
 * What is remembered of stacks that a term was asked about. Private to the engine.
 */
#ifndef ENGINE_FILTER_STACKS_H
#define ENGINE_FILTER_STACKS_H

#include "engine/filter/probe.h"

struct stack_memo;

/* Of one term, for one thread. */
struct stack_memo *stack_memo_new(struct trace *t, struct field_reader *r);
void	stack_memo_free(struct stack_memo *m);
/* Give the frames of the event's stack to the probe, or what it said of them before. */
void	stack_memo_probe(struct stack_memo *m, struct probe *p, const struct event *e);

/* Does the term ask for names of frames? */
bool	term_needs_names(const struct filter_term *term);

#endif

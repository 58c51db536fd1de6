/*
 * Passes and the head of a trace: what was let go stays readable for the passes that began before.
 */
#ifndef ENGINE_INDEX_HEAD_H
#define ENGINE_INDEX_HEAD_H

#include "engine/index/index.h"

/* A pass begins; its segments and rows are chosen after that. Returns its turn. */
unsigned	head_enter(struct trace *t);
void		head_leave(struct trace *t, unsigned turn);

#endif

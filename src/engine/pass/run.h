/*
 * A pass that another thread may end. Private to the engine.
 */
#ifndef ENGINE_PASS_RUN_H
#define ENGINE_PASS_RUN_H

#include <stdatomic.h>

#include "tnav/engine/pass.h"

/* As pass_run(), until *stop becomes true; the pass itself sets it when merge() ends it. */
int	pass_run_until(struct trace *t, const struct pass_options *o, const struct pass_ops *ops,
	    void *arg, atomic_bool *stop, struct pass_result *result);

#endif

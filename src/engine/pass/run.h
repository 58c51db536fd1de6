/*
 * A pass that another thread may end. Private to the engine.
 */
#ifndef ENGINE_PASS_RUN_H
#define ENGINE_PASS_RUN_H

#include <stdatomic.h>

#include "tnav/engine/pass.h"

/* Nothing is merged while another thread holds the lock, and never again once it is closed. */
struct pass_gate {
	struct lock	*hold;
	bool		 closed;	/* these under hold: */
	uint64_t	*resume;	/* as in the options, always up to date; or NULL */
};

/* As pass_run(), until *stop becomes true; the pass itself sets it when merge() ends it. With a
   gate, or NULL. */
int	pass_run_until(struct trace *t, const struct pass_options *o, const struct pass_ops *ops,
	    void *arg, atomic_bool *stop, struct pass_gate *gate, struct pass_result *result);

#endif

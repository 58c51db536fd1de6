/*
 * A pass that another thread can end. Private to the engine.
 */
#ifndef ENGINE_PASS_RUN_H
#define ENGINE_PASS_RUN_H

#include <stdatomic.h>

#include "tnav/engine/pass.h"

/* Nothing is merged while another thread has taken hold, and never again once it is closed. */
struct pass_gate {
	struct lock	*hold;
	/* Protected by hold: */
	bool		 closed;
	struct pass_place *resume;	/* as in the options, always up to date; or NULL */
};

/* As pass_run(), until *stop becomes true; the pass itself sets it when merge() ends it. gate may
   be NULL. */
int	pass_run_until(struct trace *t, const struct pass_options *o, const struct pass_ops *ops,
	    void *arg, atomic_bool *stop, struct pass_gate *gate, struct pass_result *result);

#endif

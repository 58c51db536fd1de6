/*
 * Events of a slice in the order of time.
 */
#ifndef ENGINE_VIEW_ORDER_H
#define ENGINE_VIEW_ORDER_H

#include "tnav/engine/trace.h"

/* When an event is, and which one. */
struct key_at {
	int64_t		ts;
	uint32_t	at;
};

/* Memory of a sort, for the next one. All zero: none yet. */
struct order_room {
	struct key_at	*key, *tmp;
	struct run	*run;
	size_t		 key_cap, tmp_cap, run_cap;
};
void	order_room_release(struct order_room *r);

/* Sort by time; of equal times none changes places with another. */
void	keys_sort(struct key_at *k, size_t n, struct order_room *r);
/* The same of the events themselves. */
void	events_sort(struct event *ev, size_t n, struct order_room *r);

#endif

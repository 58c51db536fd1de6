/*
 * Sorting the events of a slice by time.
 */
#ifndef ENGINE_VIEW_ORDER_H
#define ENGINE_VIEW_ORDER_H

#include "tnav/engine/trace.h"

#define KEY_NOWHERE	UINT32_MAX

/* The time of an event, and its index: less than the number of keys, or KEY_NOWHERE. */
struct key_at {
	int64_t		ts;
	uint32_t	at;
};

/* Memory for sorting, used again. All zero: none yet. */
struct order_room {
	struct key_at		*key, *tmp;
	uint64_t		*word;
	struct ascending_run	*run;
	uint32_t		*count;
	size_t			 key_cap, tmp_cap, word_cap, run_cap, count_cap;
};
void	order_room_release(struct order_room *r);

/* Sort by time; stable. */
void	keys_sort(struct key_at *k, size_t n, struct order_room *r);
/* The same for events. */
void	events_sort(struct event *ev, size_t n, struct order_room *r);

#endif

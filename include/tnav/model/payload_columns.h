/*
 * Numbers in an array of objects, compiled: a column is one member of all objects.
 *
 *	n:u32 v:{a:u32 b:u64}[n]	column v.b: from byte 8 on, every 12 bytes, at most n
 *
 * For every payload a column has the numbers that payload_walk() gives at its path, in order.
 */
#ifndef TNAV_MODEL_PAYLOAD_COLUMNS_H
#define TNAV_MODEL_PAYLOAD_COLUMNS_H

#include "tnav/model/value.h"

#define COLUMN_MOST	64u	/* numbers of a column that can be requested */

struct payload_columns;

/*
 * The columns at these n paths. NULL: their places follow only from a walk. The type must live
 * longer. Time is linear in the fields times n.
 */
struct payload_columns	*payload_columns_new(const struct event_type *t, const char *const *path,
			    unsigned n, unsigned pointer_size);
void			 payload_columns_free(struct payload_columns *c);
/*
 * The first `most` unsigned numbers of column i; returns how many there are: none if the type has
 * no such member, or if it has other values. Any thread.
 */
unsigned		 payload_columns_get(const struct payload_columns *c, struct span payload,
			    unsigned i, uint64_t *v, unsigned most);

#endif

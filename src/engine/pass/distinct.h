/*
 * The distinct values of each key. Their number is exact up to a limit for all keys together.
 */
#ifndef ENGINE_PASS_DISTINCT_H
#define ENGINE_PASS_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/hashtable.h"

/* A value of a key. */
struct distinct_value {
	uint64_t	hash;		/* of the value; different values have different ones */
	uint32_t	key, field;
};

enum distinct_is { DISTINCT_NEW, DISTINCT_SEEN, DISTINCT_BEYOND };

struct distinct {
	struct distinct_value	*v;
	size_t			 n, cap, limit;
	struct hashtable	 table;
};

void	distinct_release(struct distinct *d);
/* BEYOND: it is new, and there is no room for it. */
enum distinct_is distinct_add(struct distinct *d, struct distinct_value v);

#endif

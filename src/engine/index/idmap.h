/*
 * A map from (64-bit id, 32-bit epoch) to a 32-bit value: threads, metadata ids, identities. It is
 * seeded, so that a file cannot choose ids that collide.
 */
#ifndef ENGINE_INDEX_IDMAP_H
#define ENGINE_INDEX_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/hashtable.h"

struct idmap_entry {
	uint64_t	id;
	uint32_t	epoch, value;
};

struct idmap {
	struct idmap_entry	*entry;
	size_t			 n, cap;
	struct hashtable	 table;
	uint64_t		 seed;
};

void	idmap_init(struct idmap *m, uint64_t seed);
void	idmap_release(struct idmap *m);
bool	idmap_get(const struct idmap *m, uint64_t id, uint32_t epoch, uint32_t *value);
void	idmap_set(struct idmap *m, uint64_t id, uint32_t epoch, uint32_t value);
size_t	idmap_bytes(const struct idmap *m);

#endif

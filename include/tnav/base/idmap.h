/*
 * A map from (64-bit id, 32-bit owner) to a 32-bit value: metadata ids of an epoch, modules of a
 * process; owner 0 where there is only one. A zeroed one is empty. A file cannot choose ids that
 * collide.
 */
#ifndef TNAV_BASE_IDMAP_H
#define TNAV_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/hashtable.h"

struct idmap_entry {
	uint64_t	id;
	uint32_t	owner, value;
};

struct idmap {
	struct idmap_entry	*entry;
	size_t			 n, cap;
	struct hashtable	 table;
};

void	idmap_release(struct idmap *m);
/* False: the map has no value. */
bool	idmap_get(const struct idmap *m, uint64_t id, uint32_t owner, uint32_t *value);
/* Also in place of another value. */
void	idmap_set(struct idmap *m, uint64_t id, uint32_t owner, uint32_t value);
size_t	idmap_bytes(const struct idmap *m);

#endif

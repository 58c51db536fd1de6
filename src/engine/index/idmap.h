/*
 * A table from (64-bit id, 32-bit epoch) to a 32-bit value: threads, metadata ids, hashes of
 * content. Seeded, so that a file cannot choose ids that collide.
 */
#ifndef ENGINE_INDEX_IDMAP_H
#define ENGINE_INDEX_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t	id;
	uint32_t	epoch;
	uint32_t	value;		/* + 1; 0: free */
};

struct idmap {
	struct idmap_slot	*slot;
	size_t			 n, mask;
	uint64_t		 seed;
};

void	idmap_init(struct idmap *m, uint64_t seed);
void	idmap_release(struct idmap *m);
bool	idmap_get(const struct idmap *m, uint64_t id, uint32_t epoch, uint32_t *value);
void	idmap_set(struct idmap *m, uint64_t id, uint32_t epoch, uint32_t value);
size_t	idmap_bytes(const struct idmap *m);

#endif

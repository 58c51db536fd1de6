/* Frames of a tree, each kept once: a name, or an address without a name. Private to call trees. */
#ifndef ANALYSIS_CALLTREE_FRAMES_H
#define ANALYSIS_CALLTREE_FRAMES_H

#include "tnav/base/hashtable.h"
#include "tnav/engine/naming.h"

#define FRAME_NONE	UINT32_MAX

struct frame_key {
	const void	*raw, *module;
	uint64_t	 number;
};

struct frame {
	struct frame_name	name;	/* the texts belong to the namer */
	uint64_t		ip;
};

/* Frames are equal if their names have equal addresses: the namer keeps each name once. */
struct frames {
	struct frame	*v;
	size_t		 n, cap;
	struct hashtable by_name;
	uint64_t	 seed;
	struct frame_key *key;		/* addresses of the names */
	size_t		 key_cap;
};

void	 frames_init(struct frames *f, uint64_t seed);
void	 frames_release(struct frames *f);
void	 frames_clear(struct frames *f);
size_t	 frames_bytes(const struct frames *f);
/* The number of a frame; FRAME_NONE: not added yet. */
uint32_t frames_find(const struct frames *f, const struct frame_name *name, uint64_t ip);
/* Add a frame that is not there yet. */
uint32_t frames_add(struct frames *f, const struct frame_name *name, uint64_t ip);

#endif

/*
 * Frames of a tree, each kept once: what an address is called, or the address. Private to call
 * trees.
 */
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
	struct frame_name	name;	/* its texts are the namer's */
	uint64_t		ip;
};

/* Frames are the same if their names lie at the same place: the namer keeps a name once. */
struct frames {
	struct frame	*v;
	size_t		 n, cap;
	struct hashtable by_name;
	uint64_t	 seed;
	struct frame_key *key;		/* places of the names */
	size_t		 key_cap;
};

void	 frames_init(struct frames *f, uint64_t seed);
void	 frames_release(struct frames *f);
void	 frames_clear(struct frames *f);
size_t	 frames_bytes(const struct frames *f);
/* Its number; FRAME_NONE: it is not known yet. */
uint32_t frames_find(const struct frames *f, const struct frame_name *name, uint64_t ip);
/* One more, which is not known yet. */
uint32_t frames_add(struct frames *f, const struct frame_name *name, uint64_t ip);

#endif

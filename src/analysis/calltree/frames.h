/*
 * Frames of a tree, each kept once: a name, or an address without a name. Private to call trees.
 *
 *	entry	number 0x2784f, ip, name 1	libc.so.6+0x2784f
 *	entry	number 0, ip, name 0		Demo.Here.Say(int32)
 *	name	0 Demo.Here.Say(int32), Demo.dll | 1 (none), libc.so.6
 *
 * A name is kept once, and so is the module of addresses without names: an entry takes 24 bytes.
 */
#ifndef ANALYSIS_CALLTREE_FRAMES_H
#define ANALYSIS_CALLTREE_FRAMES_H

#include "tnav/base/hashtable.h"
#include "tnav/engine/naming.h"

#define FRAME_NONE	UINT32_MAX

struct frame_entry {
	uint64_t	number;		/* offset or address, if there is no name */
	uint64_t	ip;
	uint32_t	name;
};

struct call_frame {
	struct frame_name	name;	/* the texts belong to the namer */
	uint64_t		ip;
};

/* Frames are equal if their names have equal addresses: the namer keeps each name once. */
struct frames {
	struct frame_entry *v;
	size_t		 n, cap;
	struct hashtable by_name;
	struct frame_name *name;
	size_t		 nnames, name_cap;
	struct hashtable by_text;	/* names, by the addresses of their texts */
	size_t		 unnamed;	/* of v */
};

void	 frames_release(struct frames *f);	/* empty again */
size_t	 frames_bytes(const struct frames *f);
struct call_frame frames_at(const struct frames *f, uint32_t i);
/* The number of a frame; FRAME_NONE: not added yet. */
uint32_t frames_find(const struct frames *f, const struct frame_name *name, uint64_t ip);
/* Add a frame that is not there yet. */
uint32_t frames_add(struct frames *f, const struct frame_name *name, uint64_t ip);

#endif

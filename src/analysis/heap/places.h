/*
 * Objects by address.
 *
 *	order	objects by address, then number: runs of the walk, merged
 *	page	4 KiB of memory -> its first place in `order`: its few objects lie together
 */
#ifndef ANALYSIS_HEAP_PLACES_H
#define ANALYSIS_HEAP_PLACES_H

#include "tnav/base/idmap.h"

struct heap_places {
	const uint64_t	*addr;		/* by object */
	uint32_t	*order;		/* n objects */
	uint32_t	 n;
	struct idmap	 pages;		/* number of a page, by address */
	uint32_t	*page;		/* its first place; one more at the end */
	size_t		 npages, pages_cap;
};

/* Objects 1 ... n. */
void		heap_places_make(struct heap_places *p, const uint64_t *addr, uint32_t n);
void		heap_places_release(struct heap_places *p);
/* The object at the address, of several the last one; 0: there is none. */
uint32_t	heap_places_find(const struct heap_places *p, uint64_t addr);

#endif

/*
 * An append-only vector whose elements never move: a table of pointers to segments of doubling
 * size. One writer; readers that learned n under the owner's lock may read elements below n
 * without it. A zeroed one is empty.
 */
#ifndef TNAV_BASE_SEGVEC_H
#define TNAV_BASE_SEGVEC_H

#include <stddef.h>
#include <stdint.h>

#define SEGVEC_FIRST	64u	/* elements of the first segment */
#define SEGVEC_SEGMENTS	40u

struct segvec {
	size_t	 size;		/* bytes of an element; 0: nothing was added yet */
	uint64_t n;
	void	*seg[SEGVEC_SEGMENTS];
};

void	 segvec_release(struct segvec *v);
/* An element of so many bytes, the same for all; cleared. n grows by one. */
void	*segvec_add(struct segvec *v, size_t size);
void	 segvec_cut(struct segvec *v, uint64_t n);	/* n elements stay; readers must know */
void	*segvec_at(const struct segvec *v, uint64_t i);	/* i < n, asserted */
/* The same without reading n: the caller learned under the owner's lock that i < n. */
void	*segvec_known(const struct segvec *v, uint64_t i);
size_t	 segvec_bytes(const struct segvec *v);

#endif

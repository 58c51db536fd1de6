/*
 * Records of one size, of which there may be more than fit in memory. The first ones are in memory,
 * all others in a mapped unlinked file in TMPDIR, else /var/tmp, so that the system can write them
 * out. Records never move. One writer; readers of finished records need no lock.
 *
 * Who needs the records in their order forgets those that it is done with: then their memory takes
 * later ones, and the numbers go on.
 */
#ifndef TNAV_IO_SCRATCH_H
#define TNAV_IO_SCRATCH_H

#include <stddef.h>
#include <stdint.h>


struct scratch;

struct scratch	*scratch_new(size_t size);
void		 scratch_free(struct scratch *s);	/* NULL is fine */
/* Add a record, cleared; NULL: there is no room for it, and scratch_error() says why. */
void		*scratch_add(struct scratch *s);
uint64_t	 scratch_n(const struct scratch *s);
/* Append copies of n records. Returns for how many there was room. */
size_t		 scratch_append(struct scratch *s, const void *records, size_t n);
/* Keep the first n records. Those that are added afterwards are not cleared. */
void		 scratch_cut(struct scratch *s, uint64_t n);
/* Records below n are not needed any more. Those that are added afterwards are not cleared. */
void		 scratch_forget(struct scratch *s, uint64_t n);
/* The first record that was not forgotten. */
uint64_t	 scratch_first(const struct scratch *s);
/* scratch_first() <= i < scratch_n() */
void		*scratch_at(const struct scratch *s, uint64_t i);
/* The same; *n is how many records from i on are contiguous. */
void		*scratch_run(const struct scratch *s, uint64_t i, size_t *n);
/* What went wrong, and what to do about it; NULL: nothing. */
const char	*scratch_error(struct scratch *s);

#endif

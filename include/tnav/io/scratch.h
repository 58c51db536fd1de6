/*
 * Records of one size that may be more than memory holds: the first ones are in memory, all others
 * in an unlinked file in TMPDIR, else /var/tmp, which is mapped, so that the system may write them
 * out. Records never move. One writer; readers of what it has finished need no lock.
 */
#ifndef TNAV_IO_SCRATCH_H
#define TNAV_IO_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct scratch;

struct scratch	*scratch_new(size_t size);
void		 scratch_free(struct scratch *s);	/* NULL is fine */
/* One more record, cleared; NULL: there is no room for it, and scratch_error() says why. */
void		*scratch_add(struct scratch *s);
uint64_t	 scratch_n(const struct scratch *s);
/* i < scratch_n() */
void		*scratch_at(const struct scratch *s, uint64_t i);
/* What went wrong, with what to do; NULL: nothing. */
const char	*scratch_error(struct scratch *s);
/* Bytes in memory, without those in the file. */
size_t		 scratch_memory(const struct scratch *s);

#endif

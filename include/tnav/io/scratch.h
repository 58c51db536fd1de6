/*
 * Records of one size that may be more than memory holds: the first ones are in memory, all others
 * in an unlinked file in TMPDIR, else /var/tmp, which is mapped, so that the system may write them
 * out. Records never move. One writer; readers of finished records need no lock.
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
/* n records at once, cleared, in one piece; NULL: there is no room for them. Of an empty one. */
void		*scratch_fill(struct scratch *s, uint64_t n);
uint64_t	 scratch_n(const struct scratch *s);
/* n records, copied behind those that there are. How many there was room for. */
size_t		 scratch_append(struct scratch *s, const void *records, size_t n);
/* i < scratch_n() */
void		*scratch_at(const struct scratch *s, uint64_t i);
/* The same, and how many records from there on stand one behind the other. */
void		*scratch_run(const struct scratch *s, uint64_t i, size_t *n);
/* What went wrong, with what to do; NULL: nothing. */
const char	*scratch_error(struct scratch *s);
/* Bytes in memory, without those in the file. */
size_t		 scratch_memory(const struct scratch *s);

#endif

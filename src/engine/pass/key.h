/*
 * The cells of a key as bytes: what tells keys apart, and beside it how people see them.
 */
#ifndef ENGINE_PASS_KEY_H
#define ENGINE_PASS_KEY_H

#include "tnav/base/buf.h"
#include "tnav/model/cell.h"

struct key_options {
	uint32_t	most;		/* bytes that are kept of a text */
	bool		valued;		/* null, and a word without a value, are nothing */
	uint64_t	seed;		/* of the hash of what is not kept */
};

struct key_bytes {
	struct buf	id;		/* the same for the same values */
	struct buf	note;		/* words, and how the numbers are shown */
};

void	key_init(struct key_bytes *k);
void	key_release(struct key_bytes *k);
void	key_clear(struct key_bytes *k);
void	key_add(struct key_bytes *k, const struct cell *c, const struct key_options *o);
/* The cells of a key again, which borrow from the bytes. note NULL: without words. False: a text
   is not whole. */
bool	key_cells(const char *id, const char *note, struct cell *cells, size_t n);
/* A hash of the cell's value; false: it has none. */
bool	key_hash(const struct cell *c, uint64_t seed, uint64_t *hash);

#endif

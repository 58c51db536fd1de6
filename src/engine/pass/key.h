/*
 * The cells of a key as bytes: the id, by which keys are compared, and the note with their words.
 */
#ifndef ENGINE_PASS_KEY_H
#define ENGINE_PASS_KEY_H

#include "tnav/base/buf.h"
#include "tnav/model/cell.h"

struct key_options {
	uint32_t	most;		/* bytes that are kept of a text */
	bool		valued;		/* null, and a word without a value, are no value */
};

struct key_bytes {
	struct buf	id;		/* equal for equal values */
	struct buf	note;		/* words, and how numbers are shown */
};

void	key_release(struct key_bytes *k);
void	key_clear(struct key_bytes *k);
void	key_add(struct key_bytes *k, const struct cell *c, const struct key_options *o);
/* Make the cells of a key from its bytes, which they borrow. note NULL: without words. False: a
   text was cut. */
bool	key_cells(const char *id, const char *note, struct cell *cells, size_t n);
/* A hash of the cell's value; false: it has none. */
bool	key_hash(const struct cell *c, uint64_t *hash);

#endif

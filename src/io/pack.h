/*
 * Compressing an output stream.
 */
#ifndef IO_PACK_H
#define IO_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

enum pack_kind { PACK_NONE, PACK_ZSTD, PACK_GZIP };

struct pack;

/* The compression for a file's name, by its ending in any case: .zst, .gz. */
enum pack_kind	pack_of_name(const char *path);
/* Does the name ask for a compression that there is not: .bz2, .xz, ...? */
bool		pack_is_other(const char *path);
/* NULL, with errno, if there is no memory. kind is not PACK_NONE. */
struct pack	*pack_new(enum pack_kind kind);
/* Append the compressed bytes, and with end the rest of the stream. 0, or ERR_NOMEM. */
int		 pack_put(struct pack *p, const void *data, size_t len, bool end, struct buf *out);
void		 pack_free(struct pack *p);	/* NULL is fine */

#endif

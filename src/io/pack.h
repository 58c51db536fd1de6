/*
 * Compressing a stream on its way out.
 */
#ifndef IO_PACK_H
#define IO_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

enum pack_kind { PACK_NONE, PACK_ZSTD, PACK_GZIP };

struct pack;

/* What the end of a file's name asks for: .zst, .gz. */
enum pack_kind	pack_of_name(const char *path);
/* NULL, with errno, where there is no memory for it; PACK_NONE is not taken. */
struct pack	*pack_new(enum pack_kind kind);
/* Append what has become of the bytes; with end all that is left of the stream. 0, or ERR_NOMEM. */
int		 pack_put(struct pack *p, const void *data, size_t len, bool end, struct buf *out);
void		 pack_free(struct pack *p);	/* NULL is fine */

#endif

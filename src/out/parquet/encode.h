/* The encodings of Parquet, each appended to a buffer. Private to this directory. */
#ifndef OUT_PARQUET_ENCODE_H
#define OUT_PARQUET_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

/* n levels of 0 or 1, a byte each: their length in bytes, runs. */
void	encode_levels(struct buf *out, const uint8_t *level, size_t n);
/* The levels of n lists with so many items, of which those without any are empty or null (has 0).
   Repeated: 0 for the first of a row, else 1. Defined: 0 null, 1 empty, 2 an item. Returns how many
   of each there are. */
size_t	encode_list_levels(struct buf *out, const uint32_t *items, const uint8_t *has, size_t n);
/* RLE_DICTIONARY: n indexes of a dictionary of this many entries. */
void	encode_codes(struct buf *out, const uint32_t *code, size_t n, size_t entries);
/* DELTA_BINARY_PACKED: n whole numbers of 4 or 8 bytes. */
void	encode_delta(struct buf *out, const uint8_t *value, size_t n, size_t width);
/* DELTA_BYTE_ARRAY: n texts. room: kept for the next call. */
void	encode_texts(struct buf *out, const struct span *text, size_t n, struct buf *room);
/* PLAIN: n booleans, a byte each. */
void	encode_bools(struct buf *out, const uint8_t *value, size_t n);

#endif

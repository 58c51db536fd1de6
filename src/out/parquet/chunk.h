/* An encoded column of a row group. Private to this directory. */
#ifndef OUT_PARQUET_CHUNK_H
#define OUT_PARQUET_CHUNK_H

#include "out/parquet/parquet.h"

/* The least and the greatest value, as PLAIN without a length. */
struct parquet_bounds {
	bool		known;
	uint8_t		min[64], max[64];
	uint8_t		min_len, max_len;
};

struct parquet_page {
	size_t			 at, len;	/* in the chunk's bytes */
	uint32_t		 first, rows;	/* in the row group */
	uint64_t		 nulls;
	struct parquet_bounds	 bounds;
};

struct parquet_chunk {
	struct buf		 bytes;		/* the dictionary's page, then the data pages */
	size_t			 data;		/* where these begin; 0: no dictionary */
	uint64_t		 raw;		/* bytes before compression, with headers */
	uint64_t		 levels, nulls;
	int			 encoding;	/* of the values */
	struct parquet_bounds	 bounds;
	struct parquet_page	*page;
	size_t			 pages, cap;
};

void	parquet_chunk_release(struct parquet_chunk *c);

/* The room of a thread that encodes. */
struct parquet_encoder;
struct parquet_encoder *parquet_encoder_new(void);
void	parquet_encoder_free(struct parquet_encoder *e);
/* Encode a column of n parts of a row group into a chunk without any bytes. */
void	parquet_encode(struct parquet_encoder *e, struct parquet_rows *const *part, size_t n,
	    size_t column, struct parquet_chunk *out);

#endif

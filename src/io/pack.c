/*
 * Compressing a stream: one frame of zstd, or one member of gzip.
 *
 *	data ... data, end --[zstd | deflate]--> out, CHUNK and more at a time
 *
 * The same bytes give the same stream: it contains no time and no name.
 */
#include "io/pack.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>
#include <zstd.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define CHUNK		(64u << 10)
#define GZIP_WINDOW	(15 + 16)	/* 32 KiB, and the header of gzip */
#define GZIP_MEMORY	8

struct pack {
	ZSTD_CCtx	*zstd;		/* NULL: gzip */
	z_stream	 gzip;
};

bool
pack_is_other(const char *path)
{
	static const char *const	ends[] = {
		".bz2", ".xz", ".lz4", ".lzma", ".lzo", ".zip", ".7z", ".br", ".z",
	};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_has_ending(span_of(path), ends[i]))
			return true;
	return false;
}

enum pack_kind
pack_of_name(const char *path)
{
	if (text_has_ending(span_of(path), ".zst"))
		return PACK_ZSTD;
	return text_has_ending(span_of(path), ".gz") ? PACK_GZIP : PACK_NONE;
}

static bool
begin(struct pack *p, enum pack_kind kind)
{
	if (kind == PACK_GZIP)
		return deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
		    GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
	p->zstd = ZSTD_createCCtx();
	return p->zstd != NULL &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
}

struct pack *
pack_new(enum pack_kind kind)
{
	struct pack	*p = mem_zalloc(1, sizeof *p);

	if (begin(p, kind))
		return p;
	pack_free(p);
	errno = ENOMEM;
	return NULL;
}

static int
put_zstd(struct pack *p, const void *data, size_t len, bool end, struct buf *out)
{
	ZSTD_inBuffer	in = { data, len, 0 };
	size_t		left;

	do {
		ZSTD_outBuffer	to = { buf_room(out, CHUNK), CHUNK, 0 };

		left = ZSTD_compressStream2(p->zstd, &to, &in,
		    end ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return ERR_NOMEM;
		out->len += to.pos;
	} while (in.pos < in.size || (end && left > 0));
	return ERR_OK;
}

static int
put_gzip(struct pack *p, const void *data, size_t len, bool end, struct buf *out)
{
	int	r;

	if (len > UINT_MAX)
		return ERR_NOMEM;
	p->gzip.next_in = (z_const Bytef *)data;
	p->gzip.avail_in = (uInt)len;
	do {
		p->gzip.next_out = (Bytef *)buf_room(out, CHUNK);
		p->gzip.avail_out = CHUNK;
		r = deflate(&p->gzip, end ? Z_FINISH : Z_NO_FLUSH);
		if (r == Z_STREAM_ERROR)
			return ERR_NOMEM;
		out->len += CHUNK - p->gzip.avail_out;
	} while (p->gzip.avail_in > 0 || (end && r != Z_STREAM_END));
	return ERR_OK;
}

int
pack_put(struct pack *p, const void *data, size_t len, bool end, struct buf *out)
{
	if (p->zstd != NULL)
		return put_zstd(p, data, len, end, out);
	return put_gzip(p, data, len, end, out);
}

void
pack_free(struct pack *p)
{
	if (p == NULL)
		return;
	if (p->zstd != NULL)
		ZSTD_freeCCtx(p->zstd);
	else
		(void)deflateEnd(&p->gzip);
	mem_free(p);
}

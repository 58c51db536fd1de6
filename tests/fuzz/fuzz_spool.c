/*
 * Input that is spooled: plain, gzip or zstd, as its first bytes say. What comes out of zstd is
 * what one call of the library on each whole frame gives, what comes out of plain bytes is these;
 * and each input ends, with a word where not all of it could be had.
 *
 * Bounded: longer inputs are left, since a few bytes of zstd unfold to 128 KiB.
 * Corpus: tests/fuzz/corpus/spool.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "fuzz.h"
#include "io/spool.h"
#include "tnav/base/mem.h"

#define INPUT_MOST	512u
#define BLOCK_LEAST	4u		/* bytes of a block that gives some */
#ifndef ZSTD_BLOCKSIZE_MAX
#define ZSTD_BLOCKSIZE_MAX	(128u << 10)
#endif

static void
require(int what)
{
	if (!what)
		abort();
}

/* What the file holds from off on. */
static void
require_bytes(int fd, uint64_t off, const uint8_t *p, size_t len)
{
	uint8_t	*got = mem_alloc(len + 1);

	require(pread(fd, got, len, (off_t)off) == (ssize_t)len);
	require(memcmp(got, p, len) == 0);
	mem_free(got);
}

/* A frame with all of its input and room for all of its output; what it gave, or an error. */
static size_t
zstd_frame(uint8_t *out, size_t most, const uint8_t *p, size_t len)
{
	ZSTD_DCtx	*d = ZSTD_createDCtx();
	ZSTD_inBuffer	 in = { p, len, 0 };
	ZSTD_outBuffer	 to = { out, most, 0 };
	size_t		 left = 1;

	require(d != NULL);
	require(!ZSTD_isError(ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, 31)));
	while (!ZSTD_isError(left) && left > 0 && in.pos < in.size)
		left = ZSTD_decompressStream(d, &to, &in);
	ZSTD_freeDCtx(d);
	return left == 0 ? to.pos : (size_t)-1;
}

/*
 * Frame by frame, each at once, up to an error; true: all of it. As a stream: ZSTD_decompress()
 * takes matches beyond the window, which no stream can.
 */
static int
zstd_whole(const uint8_t *p, size_t len, int fd, uint64_t *total)
{
	while (len > 0) {
		size_t	 n = ZSTD_findFrameCompressedSize(p, len), most, got;
		uint8_t	*out;

		if (ZSTD_isError(n))
			return 0;
		most = (n / BLOCK_LEAST + 1) * ZSTD_BLOCKSIZE_MAX;
		out = mem_alloc(most);
		got = zstd_frame(out, most, p, n);
		if (!ZSTD_isError(got)) {
			require_bytes(fd, *total, out, got);
			*total += got;
		}
		mem_free(out);
		if (ZSTD_isError(got))
			return 0;
		p += n;
		len -= n;
	}
	return 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int		 in = memfd_create("spool", MFD_CLOEXEC), out;
	struct buf	 why = { 0 };
	struct feed_state *s;
	uint64_t	 whole = 0;
	enum spool_kind	 kind = spool_kind_of((struct span){ data, size });

	if (size > INPUT_MOST || in < 0) {
		close(in);
		return 0;
	}
	require(write(in, data, size) == (ssize_t)size);
	require(lseek(in, 0, SEEK_SET) == 0);
	s = spool_start(in, &out, &why);
	require(s != NULL);
	while (!s->done)
		spool_feed.wait(s, s->size, INT64_MAX);
	if (kind == SPOOL_PLAIN) {
		require(s->error == NULL && s->size == size);
		require_bytes(out, 0, data, size);
	} else if (kind == SPOOL_ZSTD && (s->error == NULL ||
	    strstr(s->error, "needs more memory") == NULL) &&
	    zstd_whole(data, size, out, &whole)) {
		/* Only what was not refused for the memory that its window needs. */
		require(s->size == whole && s->error == NULL);
	}
	require((uint64_t)lseek(out, 0, SEEK_END) == s->size);
	spool_feed.free(s);
	close(out);
	buf_release(&why);
	return 0;
}

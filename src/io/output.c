/*
 * The output: a buffer over a descriptor.
 *
 *	records -> buf -> [pack] -> write(fd)	standard output, a pipe, a device
 *				 		or a file that appears when it is complete (file.c)
 *
 * Invariant: error is 0 or the errno of the first write that failed; after that nothing is written.
 * A closed pipe ends the program by SIGPIPE.
 */
#include "tnav/io/output.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/pack.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#define OUTPUT_CHUNK	(256u << 10)

struct output {
	int		 fd;
	int		 error;
	bool		 tty;
	struct file_new	*file;		/* or NULL: written directly */
	uint64_t	 written, given;	/* given: flushed, before compression */
	struct buf	 buf;
	struct pack	*pack;		/* or NULL: not compressed */
	struct buf	 packed;
};

/* An output to the file, or to fd if file is NULL. The path's ending may ask for compression. */
static struct output *
output_new(int fd, struct file_new *file, const char *path)
{
	enum pack_kind	 kind = path != NULL ? pack_of_name(path) : PACK_NONE;
	struct output	*o = mem_zalloc(1, sizeof *o);

	o->fd = fd;
	o->file = file;
	o->tty = fd >= 0 && isatty(fd) == 1;
	if (kind != PACK_NONE)
		o->pack = pack_new(kind);
	if (kind != PACK_NONE && o->pack == NULL)
		o->error = errno;
	return o;
}

struct span
output_bare(const char *path)
{
	struct span	s = span_of(path);

	switch (pack_of_name(path)) {
	case PACK_ZSTD:
		s.len -= strlen(".zst");
		break;
	case PACK_GZIP:
		s.len -= strlen(".gz");
		break;
	case PACK_NONE:
		break;
	}
	return s;
}

const char *
output_refusal(const char *path)
{
	return pack_is_other(path) ? "only .gz and .zst are compressed" : NULL;
}

static int
open_regular(struct output **out, const char *path, unsigned flags)
{
	struct file_new	*f;

	*out = NULL;
	if (file_new(&f, path, flags) < 0)
		return ERR_IO;
	*out = output_new(file_new_fd(f), f, path);
	return ERR_OK;
}

static int
open_any(struct output **out, const char *path, unsigned flags)
{
	int	fd = STDOUT_FILENO;

	*out = NULL;
	if (path != NULL && !file_is_special(path))
		return open_regular(out, path, FILE_REPLACE | flags);
	if (path != NULL)
		fd = file_open_special(path);
	if (fd < 0)
		return ERR_IO;
	*out = output_new(fd, NULL, path);
	return ERR_OK;
}

int
output_open(struct output **out, const char *path)
{
	return open_any(out, path, 0);
}

int
output_open_in_folders(struct output **out, const char *path)
{
	return open_any(out, path, FILE_FOLDERS);
}

int
output_open_file(struct output **out, const char *path, bool replace)
{
	return open_regular(out, path, replace ? FILE_REPLACE : 0);
}

struct output *
output_on(int fd)
{
	return output_new(fd, NULL, NULL);
}

struct buf *
output_buf(struct output *o)
{
	return &o->buf;
}

bool
output_is_tty(const struct output *o)
{
	return o->tty;
}

unsigned
output_columns(const struct output *o)
{
	struct winsize	size = { .ws_col = 0 };

	if (!o->tty || ioctl(o->fd, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

static int
put(struct output *o, bool end)
{
	const struct buf	*b = &o->buf;

	if (o->pack != NULL) {
		buf_clear(&o->packed);
		if (pack_put(o->pack, buf_str(&o->buf), o->buf.len, end, &o->packed) < 0) {
			errno = ENOMEM;
			return ERR_IO;
		}
		b = &o->packed;
	}
	return file_write(o->fd, b->p, b->len, &o->written);
}

static int
flush(struct output *o, bool end)
{
	if (o->fd < 0)
		return ERR_OK;
	if (o->error == 0 && put(o, end) < 0)
		o->error = errno;
	o->given += o->buf.len;
	buf_clear(&o->buf);
	if (o->error == 0)
		return ERR_OK;
	errno = o->error;
	return ERR_IO;
}

void
output_gzip(struct output *o)
{
	if (o->pack != NULL || flush(o, false) < 0)
		return;
	o->pack = pack_new(PACK_GZIP);
	if (o->pack == NULL)
		o->error = errno;
}

int
output_step(struct output *o)
{
	if (o->error == 0 && o->buf.len < OUTPUT_CHUNK)
		return ERR_OK;
	return flush(o, false);
}

int
output_flush(struct output *o)
{
	return flush(o, false);
}

uint64_t
output_given(const struct output *o)
{
	return o->given + o->buf.len;
}

int
output_close(struct output *o, bool keep, uint64_t *written)
{
	int	error;

	(void)flush(o, keep);
	if (o->file != NULL) {
		if (file_new_end(o->file, keep && o->error == 0) < 0 && o->error == 0)
			o->error = errno;
	} else if (o->fd > STDOUT_FILENO && close(o->fd) != 0 && o->error == 0) {
		o->error = errno;
	}
	error = o->error;
	if (written != NULL)
		*written = o->written;
	pack_free(o->pack);
	buf_release(&o->packed);
	buf_release(&o->buf);
	mem_free(o);
	errno = error;
	return error == 0 ? ERR_OK : ERR_IO;
}

/*
 * Where results go: file descriptor 1, or a file that appears under its name only when it is
 * whole. Callers append to the buffer and call output_step() between records.
 */
#ifndef TNAV_IO_OUTPUT_H
#define TNAV_IO_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct output;

/* The path without an ending that asks for compression (.zst, .gz, in any case). */
struct span	 output_bare(const char *path);
/* Why no file of this name is written: it asks for another compression (.xz); NULL: it may be. */
const char	*output_refusal(const char *path);

/*
 * A path that ends in .zst or .gz is written compressed.
 *
 * path NULL: standard output. A regular file gets its name in output_close() and may replace
 * another. Anything else that exists (a device, a fifo) is written directly. ERR_IO with errno on
 * failure; *out is then NULL.
 */
int		 output_open(struct output **out, const char *path);
/* The same; folders that are missing above a file are made when it gets its name. */
int		 output_open_in_folders(struct output **out, const char *path);
/* A regular file only. Without replace, a file of this name is an error: EEXIST. */
int		 output_open_file(struct output **out, const char *path, bool replace);
/* An output to a descriptor, which output_close() closes; -1: all of it stays in the buffer. */
struct output	*output_on(int fd);
/* Compress what is written from now on with gzip, unless the path asked for a compression. */
void		 output_gzip(struct output *o);
struct buf	*output_buf(struct output *o);
bool		 output_is_tty(const struct output *o);
/* The columns of the terminal; 0: it is no terminal, or they are not known. */
unsigned	 output_columns(const struct output *o);
/* Write if the buffer has enough bytes. 0 or ERR_IO. All calls after a failure fail too, so a
   caller need not test each of them. */
int		 output_step(struct output *o);
/* Write the buffer now, for a reader that waits for it. 0 or ERR_IO, as output_step(). */
int		 output_flush(struct output *o);
/* Bytes that were given to it, before any compression. */
uint64_t	 output_given(const struct output *o);
/* Write the buffer. If keep, give the file its name, else remove it. Frees o. 0 or ERR_IO with
   errno; *written (may be NULL) is the number of bytes written. */
int		 output_close(struct output *o, bool keep, uint64_t *written);

#endif

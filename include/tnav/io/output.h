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

/* The bytes of a path before the ending that asks for compression (.zst, .gz), all where it has
   none. */
size_t		 output_bare_len(const char *path);

/*
 * A path that ends in .zst or .gz is written compressed.
 *
 * path NULL: standard output. A regular file is put in its place by output_close(), also over
 * another; anything else that exists (a device, a fifo) is written directly.
 * ERR_IO with errno on failure; *out is then NULL.
 */
int		 output_open(struct output **out, const char *path);
/* A regular file and nothing else; without replace none may have the name: EEXIST. */
int		 output_open_file(struct output **out, const char *path, bool replace);
/* On a descriptor, which output_close() closes; -1: all of it stays in the buffer. */
struct output	*output_on(int fd);
struct buf	*output_buf(struct output *o);
bool		 output_is_tty(const struct output *o);
/* The columns of the terminal; 0: it is none, or does not say. */
unsigned	 output_columns(const struct output *o);
/* Write when enough has gathered. 0 or ERR_IO; the first failure is kept and all later calls
   give it, so that a caller may test as seldom as it likes. */
int		 output_step(struct output *o);
/* Write what there is now, for who waits for it. 0 or ERR_IO, as output_step(). */
int		 output_flush(struct output *o);
/* Write what there is and, if keep, put the file in its place, else remove it. Frees o.
   0 or ERR_IO with errno; *written (may be NULL) says how many bytes went out. */
int		 output_close(struct output *o, bool keep, uint64_t *written);

#endif

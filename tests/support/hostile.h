/*
 * Traces whose every text is out to break a screen: controls, C1, bidi, zero width, floods of
 * marks, terminal sequences, bytes that are no UTF-8 or UTF-16, great lengths.
 */
#ifndef TNAV_TESTS_HOSTILE_H
#define TNAV_TESTS_HOSTILE_H

#include <stddef.h>

#include "tnav/base/buf.h"

size_t	hostile_count(void);
/* Text n; bytes, not always UTF-8, NULs among them. */
void	hostile_text(size_t n, struct buf *out);

/*
 * A trace with one event for each text, of a type and on a thread of its own. The text is the
 * provider, the event, the field, its value; in V6 also the thread's name, a label and its key.
 */
void	hostile_v4(struct buf *out);	/* the texts as UTF-16, with lone surrogates between */
void	hostile_v6(struct buf *out);

/*
 * Write it into a new folder under a name that is hostile itself; path: where. hostile_remove()
 * removes both.
 */
void	hostile_write(const struct buf *trace, struct buf *path);
void	hostile_remove(struct buf *path);

#endif

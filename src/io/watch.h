/*
 * A watch on a regular file that somebody else writes: a feed (tnav/io/feed.h).
 */
#ifndef IO_WATCH_H
#define IO_WATCH_H

#include <sys/stat.h>

#include "tnav/io/feed.h"

extern const struct feed_ops	watch_feed;

/* fd and path are borrowed. st: of fd; size: how much of it was read already. */
struct watch	*watch_new(int fd, const char *path, const struct stat *st, uint64_t size);

#endif

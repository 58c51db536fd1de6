/*
 * A watch on a regular file that another program writes. It is a feed (tnav/io/feed.h).
 */
#ifndef IO_WATCH_H
#define IO_WATCH_H

#include <sys/stat.h>

#include "tnav/io/feed.h"

extern const struct feed_ops	watch_feed;

/* fd and path are borrowed. st: of fd; size: the bytes that are already known. */
struct feed_state *watch_new(int fd, const char *path, const struct stat *st, uint64_t size);
/* Did the watch end because other bytes stand in the file? */
bool	watch_rewritten(const struct feed_state *watch);

#endif

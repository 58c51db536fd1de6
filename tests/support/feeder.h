/*
 * A trace that a test feeds: a file, and a feed that tells at once what is in it.
 *
 *	struct feeder		w;
 *	struct trace_feed	feed;
 *
 *	feeder_init(&w);
 *	feed = feeder_feed(&w);			for struct trace_options
 *	feeder_append(&w, p, n);
 *	feeder_release(&w);			the file is gone, too
 */
#ifndef TNAV_TESTS_FEEDER_H
#define TNAV_TESTS_FEEDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"

struct lock;

struct feeder {
	struct feed_state feed;		/* done: it was stopped */
	char		 path[128];
	int		 fd;
	uint64_t	 size;		/* written */
	struct lock	*lock;		/* of the feed */
};

void	feeder_init(struct feeder *w);
void	feeder_release(struct feeder *w);
void	feeder_append(struct feeder *w, const void *p, size_t n);
/* The feeder must live as long as the trace. */
struct trace_feed feeder_feed(struct feeder *w);

#endif

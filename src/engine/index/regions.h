/*
 * Regions, the parts of a trace between two barriers. For the committer's thread, without the lock
 * except where noted.
 */
#ifndef ENGINE_INDEX_REGIONS_H
#define ENGINE_INDEX_REGIONS_H

#include "engine/index/index.h"

#define PUBLISH_SHARE	8		/* publishing takes at most 1/8 of the time */

void	region_open(struct trace *t);		/* under the lock: an empty one begins here */
/* Close the open region, add its slices to the trace, and begin a new open region. */
void	region_close(struct trace *t);
/* Under the lock: add a region that is closed, after all others, and its slices. */
void	region_add(struct trace *t, const struct region *r, const struct slice_list *list);
/* Under the lock: publish the open region, cut into these slices. */
void	open_show(struct trace *t, struct slice_list list);
/* Was it published so long ago that it may take time again? */
bool	publish_rested(const struct trace *t, int64_t now);
/* So many events are open, and not all are published: are they to be? idle: nothing comes. */
bool	publish_is_due(const struct trace *t, uint64_t events, bool idle, int64_t now);
/* So many are published now, which was begun then. */
void	publish_done(struct trace *t, uint64_t events, int64_t begin);
/*
 * Open the newest region again if the end of the file has closed it: the file has grown. Its rows
 * stay published. Under the lock, while no index thread runs.
 */
void	region_open_again(struct trace *t);
/*
 * Publish the rows of the open region, which may still move. This is done each time the region has
 * doubled, so that the work of cutting it stays linear. When the walk waits for input (idle), all
 * of it is published, unless that would take too large a share of the time. True: all is published,
 * or nobody wants rows.
 */
bool	region_publish(struct trace *t, bool idle);

#endif

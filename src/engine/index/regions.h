/*
 * Regions: what lies between two barriers. The committer's thread, without the lock but for
 * region_open().
 */
#ifndef ENGINE_INDEX_REGIONS_H
#define ENGINE_INDEX_REGIONS_H

#include "engine/index/index.h"

void	region_open(struct trace *t);		/* under the lock: an empty one begins here */
/* Slices of a closed region become the trace's; the open region begins anew. */
void	region_close(struct trace *t);
/*
 * The end of the file closed the newest region, if anything did; the file goes on, so it is open
 * again, its rows shown as they were. Under the lock, and no index thread runs.
 */
void	region_open_again(struct trace *t);
/*
 * Show what there is of the open region: its rows may still move. Each time it has doubled, so
 * that the work of cutting it stays linear; and all of it when input is waited for (idle), unless
 * that would take more than a part of the time. True: all is shown, or nobody looks.
 */
bool	region_publish(struct trace *t, bool idle);

#endif

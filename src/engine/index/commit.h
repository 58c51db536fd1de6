/*
 * The committer: adds the contents of frames and scans to the index, in file order.
 */
#ifndef ENGINE_INDEX_COMMIT_H
#define ENGINE_INDEX_COMMIT_H

#include "engine/index/ticket.h"

/* Commit a ticket; takes the trace's lock. If its scan has paused, the scan is continued here. */
void	commit_ticket(struct trace *t, struct ticket *k);

#endif

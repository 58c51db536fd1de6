/*
 * The committer: what frames and scans say, taken into the index in file order.
 */
#ifndef ENGINE_INDEX_COMMIT_H
#define ENGINE_INDEX_COMMIT_H

#include "engine/index/ticket.h"

/* All that a ticket holds; takes the trace's lock. It is scanned to its end where it paused. */
void	commit_ticket(struct trace *t, struct ticket *k);

#endif

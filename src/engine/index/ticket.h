/*
 * A ticket: a record's worth of neighbouring frames with at most one barrier, which is the last
 * one, and the scan of their events. It is filled by the walk, scanned by any thread, and
 * committed.
 */
#ifndef ENGINE_INDEX_TICKET_H
#define ENGINE_INDEX_TICKET_H

#include "engine/index/index.h"

struct frame_list {
	struct frame	*f;
	size_t		 n, cap;
};

/* A frame that has events, and the offset in its body where events begin. */
struct waiting_frame {
	struct frame	 f;
	uint64_t	 begin;
};

enum ticket_state { TICKET_FREE, TICKET_READY, TICKET_SCANNING, TICKET_DONE };

struct ticket {
	enum ticket_state	 state;		/* under the indexer's lock */
	uint64_t		 off, end;
	struct frame_list	 data, events;
	struct frame		 barrier;
	bool			 has_barrier;
	/* The scan and its position. */
	struct scan		 scan;
	struct decode_state	 at;
	size_t			 frame;
	bool			 in_frame, paused;
	bool			 begun;		/* format_ops.begin() of the frame succeeded */
	bool			 waits;		/* the frame is in `hold` already */
	uint64_t		 begin;		/* where the frame's events begin in its body */
	struct waiting_frame	*hold;		/* frames that were not committed yet */
	size_t			 nhold, hold_cap;
	bool			 lost;		/* a page of it was lost during the scan */
	/* Set by the committer. */
	bool			 has_record;
	uint64_t		 record;
};

void	ticket_init(struct ticket *k);
void	ticket_release(struct ticket *k);
void	ticket_clear(struct ticket *k);		/* for other frames; keeps the memory */
void	ticket_add(struct ticket *k, const struct frame *fr);
/* Add a frame that was scanned in part, to continue its scan. It must be the first frame. */
void	ticket_resume(struct ticket *k, const struct frame *fr, const struct tail *at);
/* Scan its frames of events until all are done, or pause when the scan is full. Any thread. */
void	ticket_scan(struct trace *t, struct ticket *k);

#endif

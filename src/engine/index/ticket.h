/*
 * A ticket: a record's worth of neighbouring frames, at most one barrier, which is its last, and
 * the scan of its events. Cut by the walk, scanned by any thread, taken in by the committer.
 */
#ifndef ENGINE_INDEX_TICKET_H
#define ENGINE_INDEX_TICKET_H

#include "engine/index/index.h"

struct frames {
	struct frame	*f;
	size_t		 n, cap;
};

/* A frame that has events, and where its first would begin in its body. */
struct held_frame {
	struct frame	 f;
	uint64_t	 begin;
};

enum ticket_state { TICKET_FREE, TICKET_READY, TICKET_SCANNING, TICKET_DONE };

struct ticket {
	enum ticket_state	 state;		/* under the indexer's lock */
	uint64_t		 off, end;
	struct frames		 data, events;
	struct frame		 barrier;
	bool			 has_barrier;
	/* The scan, and where it stands. */
	struct scan		 scan;
	struct decode_state	 at;
	size_t			 frame;
	bool			 in_frame, paused;
	bool			 begun;		/* the frame could be */
	bool			 held;		/* the frame is in hold already */
	uint64_t		 begin;		/* of the frame's events in its body */
	struct held_frame	*hold;		/* those that were not committed yet */
	size_t			 nhold, hold_cap;
	bool			 lost;		/* a page of it was lost under the scan */
	/* What the committer made of it so far. */
	bool			 has_record;
	uint64_t		 record;
};

void	ticket_init(struct ticket *k, uint64_t seed);
void	ticket_release(struct ticket *k);
void	ticket_clear(struct ticket *k);		/* for other frames; keeps the memory */
void	ticket_add(struct ticket *k, const struct frame *fr);
/* The frame was scanned in part: go on where that scan stands. Before all other frames. */
void	ticket_resume(struct ticket *k, const struct frame *fr, const struct tail *at);
/* Scan its frames of events, until all are done or the scan is full: paused. Any thread. */
void	ticket_scan(struct trace *t, struct ticket *k);

#endif

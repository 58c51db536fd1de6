/*
 * Decoding segments, for views, for cutting regions, and for the walk in file order.
 */
#ifndef ENGINE_VIEW_DECODE_H
#define ENGINE_VIEW_DECODE_H

#include "engine/index/index.h"

/* The raw thread ids of decoded events, and their raw type ids if they are wide. */
struct decoded {
	struct id_list	threads, types;
	bool		lost;		/* some of the bytes can no longer be read */
};
void	decoded_release(struct decoded *d);

/* A position between two events of a segment. All zero: before the first. */
struct segment_pos {
	uint32_t		n;		/* events before it */
	uint32_t		frame;		/* the frame of the segment that contains it */
	bool			inside;		/* after an event of that frame: st is set */
	struct decode_state	st;
};

/*
 * Decode at most max of the segment's events from *pos on, and move it. Returns how many; fewer
 * than the segment has if the file was changed. Types and threads stay raw: indexes of the lists in
 * d, which is emptied first. Any thread.
 */
size_t	segment_decode(struct trace *t, const struct segment *g, struct segment_pos *pos,
	    struct event *out, size_t max, struct decoded *d);
/* Decode the whole segment, at most SCAN_SEGMENT events. */
size_t	segment_events(struct trace *t, const struct segment *g, struct event *out,
	    struct decoded *d);
/* The file offset of the segment's first event. Under the lock. */
uint64_t segment_off(const struct trace *t, const struct segment *g);
/*
 * The keys between which all events of the region's segment number i are, both included. The upper
 * one has the offset of the next segment, because the last event may have no payload.
 */
void	segment_keys(const struct trace *t, const struct region *r, uint64_t i,
	    struct order_key *first, struct order_key *last);

#endif

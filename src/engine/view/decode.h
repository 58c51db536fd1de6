/*
 * Decoding segments: what views, the cutting of regions and the walk in file order stand on.
 */
#ifndef ENGINE_VIEW_DECODE_H
#define ENGINE_VIEW_DECODE_H

#include "engine/index/index.h"

/* What a decode met: raw thread ids, and raw type ids where they are wide. */
struct decoded {
	struct id_list	threads, types;
	bool		lost;		/* bytes of it can't be read any more */
};
void	decoded_release(struct decoded *d);

/* A place between two events of a segment. All zero: before its first. */
struct segment_pos {
	uint32_t		n;		/* events before it */
	uint32_t		frame;		/* which of the segment's frames it lies in */
	bool			inside;		/* after an event of that frame: st is true */
	struct decode_state	st;
};

/*
 * Decode at most max of the segment's events from pos on, and move it; how many. Fewer than there
 * are: the file is not what it was. Types and threads stay raw: numbers in d, which is emptied
 * first. Any thread.
 */
size_t	segment_decode(struct trace *t, const struct segment *g, struct segment_pos *pos,
	    struct event *out, size_t max, struct decoded *d);
/* All of it, SCAN_SEGMENT events at the most. */
size_t	segment_events(struct trace *t, const struct segment *g, struct event *out,
	    struct decoded *d);
/* Where the first event of the segment begins in the file. Under lock. */
uint64_t segment_off(const struct trace *t, const struct segment *g);
/*
 * Between which keys the events of the region's segment number i lie, both included. The last
 * event may have no payload, hence the offset of the segment after it.
 */
void	segment_keys(const struct trace *t, const struct region *r, uint64_t i,
	    struct order_key *first, struct order_key *last);

#endif

/*
 * The walk over the frames of the file, in the committer's thread.
 */
#ifndef ENGINE_INDEX_WALK_H
#define ENGINE_INDEX_WALK_H

#include "engine/index/index.h"

enum walk_how {
	WALK_NOT_YET,		/* not at the end: more input must arrive */
	WALK_CLOSED,		/* after the end mark */
	WALK_OPEN,		/* after a frame; there is no end mark */
	WALK_CUT,		/* in a frame: fr is its available part */
	WALK_IN_HEADER,		/* in the header of a frame */
	WALK_DAMAGED,		/* before bytes that are no frame */
};

/* How the walk ended, and where. */
struct walk_end {
	enum walk_how	how;
	uint64_t	off;
	struct frame	fr;
};

/* The frame at off, by the bytes that have arrived; see format_ops.frame. */
int	walk_look(struct trace *t, uint64_t off, struct frame *fr);
/* Can the walk go on from here without more input? */
bool	walk_ready(struct trace *t, uint64_t off);
/*
 * The next frame at or after *off; moves *off past it. Damaged bytes are skipped and reported. 1,
 * or 0: there is none, and *end says why.
 */
int	walk_frame(struct trace *t, uint64_t *off, struct frame *fr, struct walk_end *end);
/* No more input will come: add the findings about this end, and about a cut file. */
void	walk_judge(struct trace *t, const struct walk_end *end);

#endif

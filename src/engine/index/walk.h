/*
 * The walk over the frames of the file: the committer's thread.
 */
#ifndef ENGINE_INDEX_WALK_H
#define ENGINE_INDEX_WALK_H

#include "engine/index/index.h"

enum walk_how {
	WALK_NOT_YET,		/* not at the end: more has to arrive */
	WALK_CLOSED,		/* behind the end mark */
	WALK_OPEN,		/* behind a frame; there is no end mark */
	WALK_CUT,		/* in a frame: fr, as far as it goes */
	WALK_IN_HEADER,		/* in the header of a frame */
	WALK_DAMAGED,		/* before bytes that are no frame */
};

/* How the walk ended, and where. */
struct walk_end {
	enum walk_how	how;
	uint64_t	off;
	struct frame	fr;
};

/* What stands at off, as far as can be told now: as format_ops.frame. */
int	walk_look(struct trace *t, uint64_t off, struct frame *fr);
/* Can the walk go on from here without more input? */
bool	walk_ready(struct trace *t, uint64_t off);
/*
 * The next frame at or after *off, stepping over what is damaged, with findings; moves *off past
 * it. 1, or 0: there is none, and *end says why.
 */
int	walk_frame(struct trace *t, uint64_t *off, struct frame *fr, struct walk_end *end);
/* Nothing more will come: the findings that this end is, and where the file is cut. */
void	walk_judge(struct trace *t, const struct walk_end *end);

#endif

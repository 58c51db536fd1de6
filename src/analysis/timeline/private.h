/*
 * What the files of the timeline share. Private to them.
 *
 *	events -> items (pieces.c, any thread) -> in order: slices, instants ... (timeline.c)
 */
#ifndef ANALYSIS_TIMELINE_PRIVATE_H
#define ANALYSIS_TIMELINE_PRIVATE_H

#include "tnav/analysis/timeline.h"
#include "tnav/base/buf.h"

/* ---- events of a piece: pieces.c */

struct timeline_item {
	uint64_t	row;
	int64_t		ts;
	uint32_t	thread, type;
	bool		has_activity, has_related, is_counter;
	uint8_t		activity[16], related[16];
	double		value;			/* of a counter */
	size_t		text, end;		/* in texts: the payload as JSON, or its name */
};

struct timeline_piece {
	struct piece_reader	*reader;
	struct timeline_item	*v;
	size_t			 n, cap;
	struct buf		 texts;
};

/* A piece that is empty; add() may be called by any thread. */
struct timeline_piece	*timeline_piece_new(struct trace *t);
void			 timeline_piece_free(struct timeline_piece *p);
void			 timeline_piece_clear(struct timeline_piece *p);
void			 timeline_piece_add(struct timeline_piece *p,
			    const struct pass_batch *b);

/* ---- threads as tracks: tracks.c */

struct track {
	uint64_t	pid, tid;
	uint32_t	thread;			/* the first one in the trace with these ids */
	uint32_t	process;		/* the first track of its process */
	bool		named;			/* the encoder knows it */
	bool		process_named;		/* of the first one: or another of its process */
	/* Ends of the slices that are open on it, each within the one before. */
	int64_t		*end;
	size_t		 n, cap;
};

struct tracks {
	struct track	*v;
	uint32_t	 n;
	uint32_t	*of;			/* by thread */
	uint32_t	 threads;
};

void		 tracks_init(struct tracks *x, struct trace *t);
void		 tracks_release(struct tracks *x);
/* The track of a thread; of one that is not known, the first one. */
uint32_t	 tracks_of(const struct tracks *x, uint32_t thread);
/* May a slice be put on the track, inside of those that are open? If so, it is. */
bool		 track_nest(struct track *k, int64_t from, int64_t to);

#endif

/*
 * The numbers of an excerpt's events: each incarnation of a thread is counted anew, and goes on by
 * one more for each event that was lost before the next one.
 *
 *	trace	  A5  A6  .  .  A9 | A10  .  A12		| a sequence point, . lost
 *	excerpt	      A1        A4 | 	     A6		A5 and A10 were left out
 *
 * Which incarnation an event is of, and what was lost, is what the index says (index/loss.c).
 */
#ifndef ENGINE_EXCERPT_NUMBERING_H
#define ENGINE_EXCERPT_NUMBERING_H

#include "engine/index/index.h"

struct numbered_life {
	uint32_t	decl;
	uint32_t	n;		/* its last number */
	uint32_t	gaps;		/* that were not counted yet */
	bool		open;		/* in the list of those that have numbers */
	uint64_t	pending;	/* lost, but not told by a number yet */
	uint64_t	last_off;	/* of its last event */
	size_t		gap, gap_end;	/* gaps before events */
};

/* Lost events of the window. */
struct numbered_gap {
	uint64_t	off;		/* of the event after it; 0: a sequence point, */
	int64_t		to;		/* ... at this time */
	uint64_t	lost;
	uint32_t	life;
	bool		removes;	/* the thread's removal tells of them (V6) */
	bool		counted;
};

struct numbering {
	struct numbered_life	*v;
	size_t			 n;
	size_t			*first;		/* of each declaration */
	uint32_t		 decls;
	struct life_mark	*turn;		/* by declaration, then offset */
	size_t			 nturn;
	struct numbered_gap	*before;	/* gaps before events: by life, offset; */
	uint32_t		*by_off;	/* ... by offset */
	size_t			 nbefore, next_off;
	struct numbered_gap	*at;		/* gaps at sequence points, by time */
	size_t			 nat, next_at;
	uint32_t		*open;		/* incarnations that have numbers */
	size_t			 nopen, open_cap;
	uint32_t		*open_of;	/* how many, of each declaration */
	uint32_t		*least;		/* room for a number of each declaration */
	uint64_t		 lost;		/* counted so far */
	bool			 flushed;	/* first numbers have no meaning any more (V6) */
};

/* Under the trace's lock. */
void	numbering_init(struct numbering *l, struct trace *t);
void	numbering_release(struct numbering *l);
/* Add a gap. When all are added, call numbering_sort(). */
void	numbering_add_gap(struct numbering *l, const struct gap *g);
void	numbering_sort(struct numbering *l);

/* The incarnation that wrote the event at off. */
uint32_t numbering_of(const struct numbering *l, uint32_t decl, uint64_t off);
/* The number of its next event, which is at off. counts: gaps before it count. */
uint32_t numbering_next(struct numbering *l, uint32_t life, uint64_t off, bool counts);
/* Count the gaps before events at offsets less than this. */
void	numbering_count_before(struct numbering *l, uint64_t off);
/* Count the next gap at a sequence point. */
void	numbering_count_at(struct numbering *l);
/* Is anything lost that no number tells? */
bool	numbering_pending(const struct numbering *l);
/*
 * For a sequence point before the events from off on: keep those in the list whose numbers go on,
 * or are told by it, with all that they lost.
 */
void	numbering_reach(struct numbering *l, uint64_t off);
/* The thread with this declaration is removed: its numbers begin anew. */
void	numbering_remove(struct numbering *l, uint32_t decl);
/* All threads are declared anew from here on. */
void	numbering_flush(struct numbering *l);

#endif

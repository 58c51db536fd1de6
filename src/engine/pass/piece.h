/*
 * The pieces of a pass: how a trace is cut into them, and what a worker does with one. Private to
 * the engine.
 *
 *	cut	next piece, under the lock of the pass		 piece.c: of segments
 *	run	decode, keep what matches, ops->add		 slices.c: of rows
 */
#ifndef ENGINE_PASS_PIECE_H
#define ENGINE_PASS_PIECE_H

#include "engine/pass/worker.h"
#include "engine/pass/matches.h"
#include "engine/view/cache.h"
#include "engine/view/slice.h"

/* ---- pieces of segments */

struct segment_cut {
	uint64_t	next, end;		/* segments */
	bool		small;			/* pieces are formatted: few events each */
};

/* The segments from first on that the index has now. */
void	segment_cut_init(struct segment_cut *c, struct trace *t, uint64_t first, bool small);
/* False: there are no more. */
bool	segment_cut_next(struct segment_cut *c, struct trace *t, struct piece *pc);
void	segment_piece_run(struct pass_worker *w, struct piece *pc);

/* ---- pieces of rows */

#define OPEN_MOST	16u

/* A slice that the workers share: all of its events, or those that match. */
struct open_slice {
	struct slice_ref		 ref;
	const struct slice_view		*view;		/* NULL: its matches */
	struct matches			 matches;
	uint32_t			 next, end;	/* events that have no piece yet */
	unsigned			 working;	/* pieces that are worked on */
	bool				 ready, lost;
	uint64_t			 costly;
	size_t				 bytes;
	enum view_use			 use;
};

/* The slices under way, in order, from head on. */
struct row_cut {
	struct rows_now		 now;
	uint64_t		 row, end;
	struct open_slice	 open[OPEN_MOST];
	size_t			 head, n;
	size_t			 bytes, cap;		/* of their views */
	enum view_use		 use;
	bool			 sifts;			/* the filter is asked before the sort */
	struct matches		 spare[OPEN_MOST];	/* of slices that are done */
	size_t			 nspare;
	uint32_t		 piece_rows;
	uint64_t		 passed;		/* rows that need not be looked at */
};

enum row_task {
	ROWS_PIECE,		/* *pc is to be run */
	ROWS_OPEN,		/* *s is to be opened */
	ROWS_WAIT,		/* others are at what is next */
	ROWS_END,
};

void	row_cut_init(struct row_cut *c, struct trace *t, const struct pass_options *o);
/* Under the lock of the pass, all but slice_open() and row_piece_run(). */
enum row_task row_cut_next(struct row_cut *c, struct trace *t, const struct pass_options *o,
	    struct piece *pc, struct open_slice **s);
/* Make its view, or find its matches. */
void	slice_open(struct pass_worker *w, struct open_slice *s, bool sifts);
void	row_piece_run(struct pass_worker *w, struct piece *pc);
void	slice_opened(struct row_cut *c, struct open_slice *s);
/* The piece is done: a view that nobody needs any more, or NULL. */
const struct slice_view *slice_left(struct piece *pc);
void	row_cut_release(struct row_cut *c, struct trace *t);
/* May an event of the slice match? Also true when it is to stop. */
bool	slice_may_match(struct trace *t, struct sieve *sieve, const struct slice_ref *ref,
	    const atomic_bool *stop);

#endif

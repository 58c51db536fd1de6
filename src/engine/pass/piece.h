/*
 * The pieces of a pass: cutting a trace into pieces, and the work on one. Private to the engine.
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
	bool		small;			/* few events per piece: they are formatted */
};

/* Begin with segment first, up to the last one that the index has now. */
void	segment_cut_init(struct segment_cut *c, struct trace *t, uint64_t first, bool small);
/* False: there are no more. */
bool	segment_cut_next(struct segment_cut *c, struct trace *t, struct piece *pc);
/* Set w->ev to the segment's events, and the first *n of w->at to those that match. False: they
   can't be read in full. */
bool	segment_matches(struct pass_worker *w, const struct segment *g, uint32_t *n);
void	segment_piece_run(struct pass_worker *w, struct piece *pc);

/* ---- pieces of rows */

#define OPEN_MOST	16u

/* A slice that workers share: all of its events, or only those that match. */
struct open_slice {
	struct slice_ref		 ref;
	const struct slice_view		*view;		/* NULL: matches are used */
	struct matches			 matches;
	uint32_t			 next, end;	/* events that are in no piece yet */
	unsigned			 working;	/* pieces in work */
	bool				 ready, lost;
	uint64_t			 costly;
	size_t				 bytes;
	enum view_use			 use;
};

/* Cutting pieces of rows: the open slices, in order, from head on. */
struct row_cut {
	struct rows_now		 now;
	uint64_t		 row, end;
	struct open_slice	 open[OPEN_MOST];
	size_t			 head, n;
	size_t			 bytes, cap;		/* memory of their views, and its limit */
	enum view_use		 use;
	bool			 sifts;			/* use matches: filter before the sort */
	struct matches		 spare[OPEN_MOST];	/* memory of slices that are done */
	size_t			 nspare;
	uint32_t		 piece_rows;
	uint64_t		 passed;		/* rows that could be skipped */
};

enum row_task {
	ROWS_PIECE,		/* run *pc */
	ROWS_OPEN,		/* open *s */
	ROWS_WAIT,		/* others are working on the next task */
	ROWS_END,
};

void	row_cut_init(struct row_cut *c, struct trace *t, const struct pass_options *o);
/* Called under the lock of the pass, except for slice_open() and row_piece_run(). */
enum row_task row_cut_next(struct row_cut *c, struct trace *t, const struct pass_options *o,
	    struct piece *pc, struct open_slice **s);
/* Make the slice's view, or find its matches. */
void	slice_open(struct pass_worker *w, struct open_slice *s, bool sifts);
void	row_piece_run(struct pass_worker *w, struct piece *pc);
void	slice_opened(struct row_cut *c, struct open_slice *s);
/* The piece is done. Returns the view if no other piece needs it, or NULL. */
const struct slice_view *slice_left(struct piece *pc);
void	row_cut_release(struct row_cut *c, struct trace *t);
/* May an event of the slice match? Also true if *stop is. */
bool	slice_may_match(struct trace *t, struct sieve *sieve, const struct slice_ref *ref,
	    const atomic_bool *stop);

#endif

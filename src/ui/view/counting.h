/*
 * Counting in the background what the view shows: a pass over its events (tnav/engine/pass.h) that
 * is given up when the window or the filter is another, and goes on when the trace has grown.
 *
 * What is counted changes during counting_step() alone, so that a frame shows one state of it.
 */
#ifndef UI_VIEW_COUNTING_H
#define UI_VIEW_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/pass.h"
#include "ui/view/change.h"

struct counting_job;
struct view;

/* Events of the window; of these what the filter, the search lets through; what the filter would
   without asking for an activity. */
enum counted { COUNT_ALL, COUNT_SHOWN, COUNT_FOUND, COUNT_AROUND };

/* Cleared at first. */
struct counting {
	struct view	*v;		/* NULL: nothing was begun */
	enum counted	 of;
	struct pass_ops	 ops;		/* the owner's, as is arg */
	void		*arg;
	bool		 of_deltas;	/* the owner's word: deltas, which are found first */
	bool		 by_rows;	/* in the order of time; else it can go on */
	uint64_t	 row0, row1;	/* by rows: those that are left */
	uint64_t	 resume;	/* else where the last pass ended */
	int64_t		 upto;		/* by rows: the time of the last event that was counted */
	struct counting_job *job;	/* NULL: none is under way */
	struct view_changes seen;
	bool		 done;		/* all that there is was counted, */
	bool		 grown;		/* ... but since the job began there is more */
	double		 share;		/* counted, when there is no job */
	struct counting	*next;		/* of the view */
};

/*
 * Count from the begin. What was under way is given up; counting_halt() before, so that the owner
 * can clear its state. A halt doesn't wait for threads: what begin(), add() and drop() read of arg
 * stays as it is, and goes by trace_retire(). merge() is called no more.
 *
 * A window of a complete trace is counted by rows, which are sure then, and so is what depends on
 * rows; all else as the file has it, and what comes to a trace that grows is added. Deltas are
 * waited for.
 */
void	counting_begin(struct counting *c, struct view *v, enum counted of,
	    const struct pass_ops *ops, void *arg);
/* By rows, from this one on. */
void	counting_begin_rows(struct counting *c, struct view *v, enum counted of, uint64_t row0,
	    const struct pass_ops *ops, void *arg);
/* Follow the view. True: what was counted is void, begin anew. */
bool	counting_follow(struct counting *c);
/* Let it go on for about budget_ns. True: there is more. */
bool	counting_step(struct counting *c, int64_t budget_ns);
/* What is small is waited for, so that keys typed ahead find it whole; the rest begins with the
   next step, as a frame may yet find that it wants something else. */
bool	counting_first_step(struct counting *c);
bool	counting_busy(const struct counting *c);
double	counting_share(const struct counting *c);	/* 0 to 1 */
void	counting_halt(struct counting *c);	/* until the next step */
void	counting_halt_all(struct view *v);
void	counting_release(struct counting *c);

#endif

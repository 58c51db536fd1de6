/*
 * Counting the events of the view in the background: a pass (tnav/engine/pass.h) that is given up
 * when the window or the filter changes, and continues when the trace has grown.
 *
 * Counts change only in steps, so a frame shows a consistent state.
 */
#ifndef UI_VIEW_COUNTING_H
#define UI_VIEW_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/pass.h"
#include "ui/view/change.h"

struct view;

/* All events of the window; those that match the filter; those that also match the search; those
   that match the filter without its terms for an activity. */
enum counted { COUNT_ALL, COUNT_SHOWN, COUNT_FOUND, COUNT_AROUND };

/* What is counted, and how. */
struct counting_request {
	enum counted	 of;
	const struct pass_ops *ops;
	void		*arg;		/* for ops */
	void		(*end)(void *owned);	/* frees what ops read, after the last pass: ... */
	void		*owned;		/* ... this */
	const char	*events;	/* count only those of them that match this expression,
					   too; NULL: all */
	unsigned	 needs;		/* derived facts: it waits for them, except for names */
	bool		 by_rows;	/* from row0 on; else as it is best */
	uint64_t	 row0;
};

/* Zero it before use. */
struct counting {
	struct view	*v;		/* NULL: not begun */
	struct counting_request by;	/* end is NULL: nothing to free */
	bool		 by_rows;	/* by row; else in file order, and it can continue */
	uint64_t	 row1;		/* by_rows: the end of the rows to count */
	struct pass_place upto;		/* where the last pass ended; its time: by_rows */
	struct pass_job	*job;		/* NULL: none in progress */
	struct view_changes seen;
	bool		 done;		/* all available events were counted, */
	bool		 grown;		/* ... but more have arrived since */
	double		 share;		/* counted share, if there is no job */
	struct counting	*next;		/* next in the view's list */
};

/*
 * Count from the beginning. The count before is forgotten. That does not wait for threads: what
 * begin(), add() and drop() read through arg must stay unchanged until it is freed by end(), but
 * merge() is not called again.
 *
 * A window of a complete trace is counted by rows, which are final, and so is anything that depends
 * on rows. Everything else is counted in file order, and new events of a growing trace are added.
 * Derived facts that it needs are waited for.
 */
void	counting_begin(struct counting *c, struct view *v, const struct counting_request *by);
/* Compare with the view. True: the count is invalid, begin again. */
bool	counting_follow(struct counting *c);
/* Continue for about budget_ns. True: there is more. */
bool	counting_step(struct counting *c, int64_t budget_ns);
/* A small count is waited for, so that keys typed ahead find it complete. A large one begins
   with the next step, as a frame may still find that it needs something else. */
bool	counting_first_step(struct counting *c);
bool	counting_busy(const struct counting *c);
/* The frame needs it: unless the user has stopped it, it is continued between keys. */
void	counting_want(struct counting *c);
double	counting_share(const struct counting *c);	/* 0 to 1 */
void	counting_halt(struct counting *c);	/* until the next step */
void	counting_forget(struct counting *c);	/* halt; what it reads is freed after the pass */
void	counting_halt_all(struct view *v);
void	counting_release(struct counting *c);

#endif

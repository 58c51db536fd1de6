/*
 * What threads did, by samples of their stacks. The sampler takes all managed threads at once, each
 * time: a round.
 *
 *	Program.Run > Task.Wait > Monitor.Wait		own: Program.Run, below: Task.Wait
 *	thread of the pool				blocked worker
 */
#ifndef ANALYSIS_DIAGNOSES_WALL_H
#define ANALYSIS_DIAGNOSES_WALL_H

#include "analysis/calltree/doing.h"
#include "analysis/reports/groups.h"
#include "tnav/analysis/calltree.h"

#define LABEL_NONE	FRAME_NO

/* Samples of one kind, by method of the program's own code and the method that it called. */
struct site {
	enum doing	 doing;
	uint32_t	 own, below;	/* labels of the shape; LABEL_NONE: none */
	double		 samples;
};

struct wall_thread {
	double		 all, doing[DOINGS];
	uint32_t	 lock_own;	/* where it waited for a lock last */
};

struct wall {
	struct calltree_shape	*shape;		/* NULL: no samples */
	double			 rounds;
	double			 doing[DOINGS];	/* samples */
	double			 workers;	/* samples of pool threads that were not idle */
	struct groups		*sites;
	struct wall_thread	*thread;
	size_t			 nthreads, cap;
	uint32_t		 queuer;	/* own method that queues most, or LABEL_NONE */
};

/* tree: NULL, or samples with their thread's state. unmarked: the runtime marks all of them as
   external, wherever they were taken. */
void	wall_init(struct wall *w, const struct calltree *tree, bool unmarked);
void	wall_release(struct wall *w);
/* How many threads did it on average. */
double	wall_threads(const struct wall *w, enum doing doing);
/* The site with most samples of this kind. False: there are none. */
bool	wall_top(const struct wall *w, enum doing doing, struct site *out);
/* Append "Task.Wait, called from Shop.Pay()". */
void	wall_cause(const struct wall *w, const struct site *s, struct buf *out);
/* Append a method's name as people read it; short: without namespace and parameters. */
void	wall_name(const struct wall *w, uint32_t label, bool brief, struct buf *out);

#endif

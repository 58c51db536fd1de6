/*
 * Work between keys, as a list of tasks. The list (tasks.c) is in the order in which they get the
 * time; its end is an entry without functions. view_step() in view.h goes through it.
 */
#ifndef UI_VIEW_TASKS_H
#define UI_VIEW_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct view;

/* Who waits for a task. */
enum work_rank {
	WORK_SEEK,	/* the cursor, which a key has sent somewhere */
	WORK_LIST,	/* every frame: rows, hits, counts by thread */
	WORK_PANES,	/* a pane of the last frame, or the prompt */
	WORK_NONE,
};

struct view_task {
	enum work_rank	 work;
	bool		 stops;		/* it does nothing while view.stopped */
	bool		 in_turn;	/* every other time, a later task gets the time */
	bool		(*busy)(const struct view *v);
	/* Do some of it, or wait for it, for about that long. */
	void		(*step)(struct view *v, int64_t budget_ns);
};

extern const struct view_task view_tasks[];

#endif

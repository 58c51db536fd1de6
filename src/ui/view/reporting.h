/*
 * A report for the window and the filter, made in the background, and made again when they change.
 */
#ifndef UI_VIEW_REPORTING_H
#define UI_VIEW_REPORTING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/report.h"
#include "tnav/base/task.h"
#include "ui/view/change.h"
#include "ui/view/window.h"

struct view;

struct reported {
	const struct report	*report;
	struct report_made	*m;
	struct filter		*filter;
	struct window		 window;	/* that it is about */
};

/* Zero it before use, except for v. */
struct reporting {
	struct view		*v;
	const struct report	*report;	/* the chosen one; NULL: none */
	uint64_t		 stamp;		/* changes with the result of reporting_made() */
	struct reported		 shown, next;	/* next: by the task */
	struct task		 task;
	bool			 requested;
	uint64_t		 wanted;	/* the last frame that needs it */
	struct report_options	 o;
	struct view_changes	 seen;
	struct pace		 pace;		/* by rows of the trace */
	uint64_t		 gen;		/* of the trace when it was last begun */
	bool			 whole;		/* the index was complete then */
	struct report_memory	*memory;	/* or NULL */
	char			*remembered;	/* filter of the kept facts; NULL: none */
	int64_t			 now_ns;	/* base of that filter's times */
};

void			 reporting_release(struct reporting *r);
/* Make this report from now on. */
void			 reporting_choose(struct reporting *r, const struct report *report);
/* Begin again if something has changed; wait at most budget_ns for the result. With a budget of 0
   the frame needs it; no result is taken, so that it does not change during the frame. True:
   busy. */
bool			 reporting_step(struct reporting *r, int64_t budget_ns);
/* Does the last frame need it, and can it be made now? */
bool			 reporting_wanted(const struct reporting *r);
/* Stop the job; the next step begins again. Facts of final rows are dropped. */
void			 reporting_forget(struct reporting *r);
/* The last result for the chosen report; NULL: none yet. */
struct report_made	*reporting_made(const struct reporting *r);
/* It is being made, or waits for something. */
bool			 reporting_busy(const struct reporting *r);
/* The last frame needs it, and the trace has grown since it was made, even if it is not time to
   make it again. */
bool			 reporting_behind(const struct reporting *r);

#endif

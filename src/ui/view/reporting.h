/*
 * A report for the window and the filter, made in the background, and made again when they change.
 */
#ifndef UI_VIEW_REPORTING_H
#define UI_VIEW_REPORTING_H

#include <stdbool.h>
#include <stdint.h>

struct report;
struct report_made;
struct reporting;
struct view;
struct window;

struct reporting	*reporting_new(struct view *v);
void			 reporting_free(struct reporting *r);	/* NULL is fine */
/* Make this report from now on. */
void			 reporting_choose(struct reporting *r, const struct report *report);
const struct report	*reporting_report(const struct reporting *r);	/* NULL: none */
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
/* The window that it is about. */
const struct window	*reporting_window(const struct reporting *r);
/* Changes with the result of reporting_made(). */
uint64_t		 reporting_stamp(const struct reporting *r);
/* It is being made, or waits for something. */
bool			 reporting_busy(const struct reporting *r);
/* The last frame needs it, and the trace has grown since it was made, even if it is not time to
   make it again. */
bool			 reporting_behind(const struct reporting *r);

#endif

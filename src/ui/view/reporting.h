/*
 * A report made in the background, over the window and the filter, anew where they change.
 */
#ifndef UI_VIEW_REPORTING_H
#define UI_VIEW_REPORTING_H

#include <stdbool.h>
#include <stdint.h>

struct report;
struct report_made;
struct reporting;
struct view;

struct reporting	*reporting_new(struct view *v);
void			 reporting_free(struct reporting *r);	/* NULL is fine */
/* Make this one from now on. */
void			 reporting_choose(struct reporting *r, const struct report *report);
const struct report	*reporting_report(const struct reporting *r);	/* NULL: none */
/* Begin anew where something changed; wait no longer than so for what is made. True: busy. */
bool			 reporting_step(struct reporting *r, int64_t budget_ns);
/* What is being made is given up, and begun anew by the next step; nothing is remembered any more
   of rows that were final. */
void			 reporting_forget(struct reporting *r);
/* The last one that was made of the report that is chosen; NULL: none yet. */
struct report_made	*reporting_made(const struct reporting *r);
/* Changes with what reporting_made() gives. */
uint64_t		 reporting_stamp(const struct reporting *r);
/* It is being made, or waits for something that is. */
bool			 reporting_busy(const struct reporting *r);
/* The trace has grown since it was made, whether or not it is time to make it again. */
bool			 reporting_behind(const struct reporting *r);

#endif

/*
 * Spans, activities and deltas in the viewer: found in the background once somebody asks for them.
 */
#ifndef UI_VIEW_SPANNING_H
#define UI_VIEW_SPANNING_H

#include <stdbool.h>
#include <stdint.h>

struct activities;
struct filter;
struct spanning;
struct spans;
struct trace;

struct spanning	*spanning_new(struct trace *t);
/* Takes the spans back from the trace: nobody else may be at work on it. NULL is fine. */
void		 spanning_free(struct spanning *s);
/* Spans and activities, or deltas (tnav/engine/deltas.h), are wanted from now on. */
void		 spanning_ask(struct spanning *s);
void		 spanning_ask_deltas(struct spanning *s);
/* ... as the filter asks for them, which is told of each that is made for the view. */
void		 spanning_ask_for(struct spanning *s, const struct filter *f);
/*
 * Begin where they are wanted, take over what was found. True: there are new ones. stopped: what
 * nothing was found of before is given up, until it comes without.
 */
bool		 spanning_step(struct spanning *s, bool follows, bool complete, bool stopped);
/* Wait until they are found, if they are being so, and no longer than this. */
void		 spanning_wait(struct spanning *s, int64_t budget_ns);
/* They are being found, or will be. */
bool		 spanning_busy(const struct spanning *s);
/* ... for the first time: without them there is nothing to show. */
bool		 spanning_awaited(const struct spanning *s);
/* Some rows came after those that they were found in, whether or not it is time for these. */
bool		 spanning_behind(const struct spanning *s);
/* What was found last, until spanning_free(); NULL: nothing yet. */
struct spans	*spanning_spans(const struct spanning *s);
struct activities *spanning_activities(const struct spanning *s);

#endif

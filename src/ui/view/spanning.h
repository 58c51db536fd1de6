/* Spans, activities and deltas for the viewer, found in the background on request. */
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
/* Removes the spans from the trace: nobody else may use it at this time. NULL is fine. */
void		 spanning_free(struct spanning *s);
/* Request spans and activities, or deltas (tnav/engine/deltas.h). */
void		 spanning_ask(struct spanning *s);
void		 spanning_ask_deltas(struct spanning *s);
/* Request what a filter needs. Call it for each filter of the view. */
void		 spanning_ask_for(struct spanning *s, const struct filter *f);
/*
 * Begin to find what is requested, and take over what was found. True: there is something new.
 * stopped: give up what was never found before, until it is called without.
 */
bool		 spanning_step(struct spanning *s, bool follows, bool complete, bool stopped);
/* If they are being found, wait for them at most this long. */
void		 spanning_wait(struct spanning *s, int64_t budget_ns);
/* They are being found, or will be. */
bool		 spanning_busy(const struct spanning *s);
/* ... for the first time: without them there is nothing to show. */
bool		 spanning_awaited(const struct spanning *s);
/* How much of it is done, while they are being found. */
unsigned	 spanning_percent(const struct spanning *s);
/* There are rows that were not read for them, even if it is not time to read these. */
bool		 spanning_behind(const struct spanning *s);
/* The last result, valid until spanning_free(); NULL: none yet. */
struct spans	*spanning_spans(const struct spanning *s);
struct activities *spanning_activities(const struct spanning *s);

#endif

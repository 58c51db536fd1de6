/*
 * What changed between the trace of the view (A) and another one (B), or between the rest of the
 * window (A) and the marked range (B): diagnoses, events, spans and methods. It is made in the
 * background, and again when the window or the filter changes. The window is that of A; the filter
 * is for both.
 */
#ifndef UI_VIEW_COMPARISON_H
#define UI_VIEW_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/diff_measure.h"
#include "tnav/engine/trace.h"

struct comparison;
struct view;

struct comparison	*comparison_new(struct view *v);
void			 comparison_free(struct comparison *c);	/* NULL is fine */
/* Compare with this file from now on, which is opened with these options (or NULL); NULL: with the
   marked range. */
/* Nobody may use the B of before, so its call tree was given up. */
void			 comparison_begin(struct comparison *c, const char *path,
			    const struct trace_options *o);
void			 comparison_end(struct comparison *c);	/* likewise */
/* Nothing, a file, or the marked range. */
enum compared_with { WITH_NOTHING, WITH_FILE, WITH_RANGE };
enum compared_with	 comparison_with(const struct comparison *c);
const char		*comparison_path(const struct comparison *c);	/* WITH_FILE */
/* For a frame: begin again if something has changed, take what was made, and wait for the rest. */
void			 comparison_follow(struct comparison *c);
/* The parts that were made, in the order of enum compared_part; n of them. They live until the next
   call of comparison_follow(). */
enum compared_part { PART_DIAGNOSES, PART_EVENTS, PART_SPANS, PART_METHODS, COMPARED_PARTS };
size_t			 comparison_parts(const struct comparison *c, struct diff_merge *out);
uint64_t		 comparison_stamp(const struct comparison *c);	/* changes with them */
bool			 comparison_busy(const struct comparison *c);
/* What is done at the moment, with the share that is done. */
void			 comparison_doing(const struct comparison *c, struct buf *out);
/* Why there is nothing, or NULL. */
const char		*comparison_why(struct comparison *c);
struct filter;
/* The filter of the view for B, which the caller frees; NULL: none. */
struct filter		*comparison_filter(const struct comparison *c);
/* B, with its names lent; NULL: it is not open yet. Valid until comparison_end(). */
struct trace		*comparison_trace(const struct comparison *c);

#endif

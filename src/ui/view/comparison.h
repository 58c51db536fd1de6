/*
 * What changed between the trace of the view (A) and another one (B), or between the rest of the
 * window (A) and the marked range (B): diagnoses, requests, events, spans and methods. It is made
 * in the background, and again when the window or the filter changes. The window is that of A; the
 * filter is for both.
 */
#ifndef UI_VIEW_COMPARISON_H
#define UI_VIEW_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/derive.h"
#include "tnav/analysis/diff_measure.h"
#include "tnav/base/task.h"
#include "tnav/engine/trace.h"
#include "ui/view/change.h"

struct view;

/* Nothing, a file, or the marked range. */
enum compared_with { WITH_NOTHING, WITH_FILE, WITH_RANGE };
enum compared_part {
	PART_DIAGNOSES, PART_REQUESTS, PART_EVENTS, PART_SPANS, PART_METHODS, COMPARED_PARTS
};

/* B. */
struct compared_trace {
	struct trace		*t;		/* NULL: not open */
	struct derived_facts	 facts;
	bool			 ready;		/* indexed, and the facts are lent */
};

#define COMPARED_WINDOWS	2u	/* of A at most */

/* Zero it before use, except for v. */
struct comparison {
	struct view		*v;
	enum compared_with	 with;
	char			*path;		/* WITH_FILE */
	uint64_t		 stamp;		/* changes with the parts that were made */
	struct trace_options	 o;
	struct task		 task;
	bool			 first;		/* the task makes the first part, then the others */
	struct compared_trace	 b;
	struct sides		*next[COMPARED_PARTS], *shown[COMPARED_PARTS];	/* NULL: not made */
	struct filter		*filter, *filter_b;	/* of the task */
	int64_t			 from[COMPARED_WINDOWS + 1];	/* of A, and of the range */
	int64_t			 to[COMPARED_WINDOWS + 1];
	unsigned		 windows;	/* of A */
	bool			 bounded;	/* the windows count */
	struct buf		 why;		/* why there is nothing; the task's while it runs */
	int			 err;		/* likewise */
	char			*text;		/* a copy of the filter's text */
	atomic_uint		 doing;		/* by the task */
	struct view_changes	 seen;
	int64_t			 range_from, range_to;	/* when it was begun */
	bool			 requested, whole;
	bool			 open;		/* B was seen to be ready */
};

void			 comparison_release(struct comparison *c);
/* Compare with this file from now on, which is opened with these options (or NULL); NULL: with the
   marked range. */
/* Nobody may use the B of before, so its call tree was given up. */
void			 comparison_begin(struct comparison *c, const char *path,
			    const struct trace_options *o);
void			 comparison_end(struct comparison *c);	/* likewise */
/* For a frame: begin again if something has changed, take what was made, and wait for the rest. */
void			 comparison_follow(struct comparison *c);
/* The parts that were made, in the order of enum compared_part; n of them. They live until the next
   call of comparison_follow(). */
size_t			 comparison_parts(const struct comparison *c, struct diff_merge *out);
bool			 comparison_busy(const struct comparison *c);
/* What is done at the moment, with the share that is done. */
void			 comparison_doing(const struct comparison *c, struct buf *out);
struct filter;
/* The filter of the view for B, which the caller frees; NULL: none. */
struct filter		*comparison_filter(const struct comparison *c);
/* B, with its names lent; NULL: it is not open yet. Valid until comparison_end(). */
struct trace		*comparison_trace(const struct comparison *c);

#endif

/*
 * The request of diff: what is compared, by which keys, per what, and the limits of --fail-on.
 *
 *	--spans				one part: spans
 *	--report gc --by reason		one part: rows of a report
 *	nothing, on a page		three parts: diagnoses, events, spans
 */
#ifndef APP_DIFF_REQUEST_H
#define APP_DIFF_REQUEST_H

#include "app/run.h"
#include "tnav/analysis/diff.h"
#include "tnav/analysis/report.h"

enum compared { COMPARED_EVENTS, COMPARED_SPANS, COMPARED_REPORT, COMPARED_TREE };

/* The rows of a report that are compared. */
struct compared_report {
	const struct report	*report;
	const char		*kind, *by;	/* by: columns of the key */
	const char		*time, *dur;	/* columns; time NULL: each slice has a report of
						   its own */
	const char		*n, *weight;	/* columns of what a row stands for; NULL: 1 */
	bool			 bytes, shares;
	enum diff_judging	 judging;	/* not by noise: the report is made once */
};

/* One table. */
struct asked_diff {
	enum compared		 what;
	const struct compared_report *of;	/* COMPARED_REPORT */
	struct diff_columns	 columns;
	enum diff_per		 per;
	struct sides		*d;
};

#define DIFF_PARTS	3u
#define DIFF_PART_EVENTS 1u	/* of a page: diagnoses, events, spans */

struct diff_run {
	struct asked_diff	 part[DIFF_PARTS];
	unsigned		 nparts;
	bool			 page;
	bool			 brief;		/* of the page only events: a trace is long */
	const char		*span;		/* --per span:NAME */
	struct diff_limit	 limit[OPTION_USES];
	size_t			 nlimits;
	size_t			 measured;	/* files */
	struct calltree_weight	 weight;	/* of trees */
};

/* Read the options into r, which is zeroed. Returns 0, or EXIT_USAGE after a message. Release it in
   both cases. */
int	diff_request_init(struct diff_run *r, struct run *s);
void	diff_request_release(struct diff_run *r);
/* The fields of events that are the key. */
const char *diff_request_by(const struct run *s);

#endif

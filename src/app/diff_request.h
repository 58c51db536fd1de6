/*
 * The request of diff: what is compared, by which keys, per what, and the limits of --fail-on.
 *
 *	--spans				one part: spans
 *	--report gc --by reason		one part: rows of a report
 *	nothing, on a page		five parts: diagnoses, requests, events, spans,
 *					methods
 */
#ifndef APP_DIFF_REQUEST_H
#define APP_DIFF_REQUEST_H

#include "app/run.h"
#include "tnav/analysis/diff_measure.h"

/* One table. */
struct page_part {
	struct diff_request	 r;
	struct sides		*d;
};

/* The parts of a page. */
enum {
	DIFF_PART_DIAGNOSES, DIFF_PART_REQUESTS, DIFF_PART_EVENTS, DIFF_PART_SPANS,
	DIFF_PART_METHODS, DIFF_PARTS
};

struct diff_run {
	struct page_part	 part[DIFF_PARTS];
	unsigned		 nparts;
	bool			 page;
	bool			 brief;		/* of the page only events: a trace is long */
	struct diff_limit	 limit[OPTION_USES];
	size_t			 nlimits;
	size_t			 measured;	/* files */
};

/* Read the options into r, which is zeroed. Returns 0, or EXIT_USAGE after a message. Release it in
   both cases. */
int	diff_run_init(struct diff_run *r, struct run *s);
void	diff_run_release(struct diff_run *r);

#endif

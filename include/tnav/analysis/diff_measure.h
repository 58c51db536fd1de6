/*
 * Measuring traces for a comparison (tnav/analysis/diff.h): what is compared, and how rows of a
 * side are made of a trace.
 *
 *	struct diff_request	events by fields | spans | rows of a report | a call tree
 *	  diff_open()		-> struct sides with the columns of its key
 *	  diff_measure()	for each trace, those of A first
 */
#ifndef TNAV_ANALYSIS_DIFF_MEASURE_H
#define TNAV_ANALYSIS_DIFF_MEASURE_H

#include "tnav/analysis/diff.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"

enum diff_what { DIFF_EVENTS, DIFF_SPANS, DIFF_REPORT, DIFF_TREE };

/* The rows of a report that are compared. */
struct diff_report {
	const struct report	*report;
	const char		*kind, *by;	/* by: columns of the key */
	const char		*time, *dur;	/* columns; time NULL: each slice has a report of
						   its own */
	const char		*n, *weight;	/* columns of what a row stands for; NULL: 1 */
	/* As in struct diff_columns; or NULL. */
	const char		*provider, *other_provider;
	const struct diff_origin *origin;
	bool			 bytes, shares;
	bool			 means;		/* of values over time: see diff_add_series() */
	enum diff_judging	 judging;	/* not by noise: the report is made once */
};

/* What is compared. Zero it first. What it borrows must live as long. */
struct diff_request {
	enum diff_what		 what;
	const struct diff_report *of;		/* REPORT */
	const char		*by;		/* EVENTS: fields, REPORT: columns; NULL: the usual
						   ones */
	enum diff_per		 per;
	const char		*span;		/* PER_SPAN */
	bool			 windows;	/* the traces of a side are windows of one */
	struct diff_columns	 columns;	/* set by diff_open() */
	struct calltree_weight	 weight;	/* TREE: that of the first trace */
	bool			 weighed;
};

/* NULL: this report is not compared, and names, if not NULL, has those that are. */
const struct diff_report *diff_report_find(const char *name, struct buf *names);
/* What its figures are per, unless something else is asked for. */
enum diff_per	 diff_per_usual(const struct diff_request *r);
/* The fields of events that are the key. */
const char	*diff_events_by(const struct diff_request *r);
/* Begin a comparison of so many traces on each side. NULL: a column or field is wrong; why says so,
   or else is as it was. */
struct sides	*diff_open(struct diff_request *r, const unsigned traces[2], struct buf *why);
void		 diff_request_release(struct diff_request *r);
/* The derived facts that must be lent to the trace before. */
unsigned	 diff_needs(const struct diff_request *r, struct trace *t);

/* A trace that is measured, for one request or for several one after the other. */
struct diff_measuring {
	struct trace		*t;
	const char		*name;
	struct pass_options	 pass;			/* filter, window and tick */
	bool			 quiet;			/* do not remark that a report has no
							   events */
	/* Results: */
	struct pass_result	 result;		/* of all passes */
	struct buf		*why;			/* remarks and errors, a line each */
	struct spans		*spans[2];		/* all, and those that match the filter */
};
/* Returns 0, ERR_CANCELED, or ERR_USAGE: there is no such span, or no such weight. */
int		 diff_measure(struct sides *d, struct diff_request *r, struct diff_measuring *m);
void		 diff_measured(struct diff_measuring *m);	/* frees what was kept */

#endif

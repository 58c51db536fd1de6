/*
 * The making of a report: its state, the facts that it receives, its rows and totals.
 *
 *	report_work_begin	the state, and an empty table
 *	report_works_read	facts of all in one pass, then passes of their own
 *	report_work_fill	rows of records, other rows, rows of groups, totals
 */
#ifndef ANALYSIS_REPORTS_STATE_H
#define ANALYSIS_REPORTS_STATE_H

#include "analysis/pairs.h"
#include "analysis/texts.h"
#include "tnav/analysis/calltree.h"
#include "tnav/analysis/report.h"

/* The state of a report. */
struct report_state {
	const struct report_run		*run;
	struct texts			*texts;
	struct pairs			*pairs, *more;	/* its records, of two kinds; or NULL */
	struct groups			*keyed[REPORT_KEYED];	/* report.keyed; or NULL */
	struct calltree			*tree;		/* report.calls; or NULL */
	struct calltree_weight		 weight;	/* of it */
	struct field_reader		*reader;	/* of report_who(); or NULL */
	/* What to do with a fact, by kind; NULL: it is only counted. */
	void		(*add[REPORT_FACTS])(struct report_state *s, const struct fact *f);
	struct rows			*rows;		/* where a fact may become a row at once */
	struct buf			 text;		/* for texts in the making */
	uint64_t			 n[REPORT_FACTS];	/* facts by kind, */
	uint64_t			 chosen[REPORT_FACTS];	/* and those that are chosen */
	void				*own;		/* report.own bytes, zeroed; or NULL */
};

/* A zeroed one was not begun. */
struct report_work {
	const struct report	*report;
	struct report_state	*s;
	struct rows		*rows;
	struct buf		 totals;
};

void	report_work_begin(struct report_work *w, const struct report *r,
	    const struct report_run *run);
void	report_work_release(struct report_work *w);
/* Read what the reports need that were begun, and for `more`, if it is not NULL, in the same pass.
   Returns 0 or ERR_CANCELED. */
int	report_works_read(const struct report_run *run, struct report_work *w, unsigned n,
	    const struct fact_reader *more, struct pass_result *result);
void	report_work_fill(struct report_work *w);
/* The report of this name that has rows, or NULL. */
const struct report_work *report_work_find(const struct report_work *w, unsigned n,
	    const char *name);

#endif

/* The tables of the reports: what help and advice say (help.tsv, needs.tsv), and the rules of the
   summary, and the places where time went (rules.tsv, places.tsv). */
#ifndef ANALYSIS_REPORTS_TABLES_H
#define ANALYSIS_REPORTS_TABLES_H

#include <stdbool.h>
#include <stddef.h>

struct report_help {
	const char	*report, *text;
};
extern const struct report_help	report_helps[];
extern const size_t		report_nhelps;

/* What must have been collected for the report to have rows. */
struct report_need {
	const char	*report;
	const char	*providers;	/* as --providers takes them */
	const char	*events;	/* the names of the events, as shown: "GCStart, GCEnd" */
	const char	*command;	/* a command that collects them where --providers cannot,
					   or NULL */
};
extern const struct report_need	report_needed[];
extern const size_t		report_nneeded;

enum rule_how {
	RULE_GREATEST,	/* the greatest value of a row */
	RULE_ROWS_WITH,	/* number of rows whose text begins with this */
	RULE_ROWS_OVER,	/* number of rows with at least `over` */
	RULE_A_SECOND,	/* the greatest value per second of the window */
	RULE_OF_THE_TIME,	/* the greatest duration as a share of the window */
};

struct finding_rule {
	const char	*report, *kind, *column;
	enum rule_how	 how;
	const char	*text;			/* RULE_ROWS_WITH */
	double		 over;			/* RULE_ROWS_OVER */
	double		 threshold;		/* it stands out from this value on */
	const char	*what, *remark;
	const char	*show_kind, *show_column;	/* evidence: the row of this kind with
							   the greatest value in this column;
							   NULL: the row itself */
	const char	*covered_by;		/* ids of diagnoses that say more; or NULL */
};
extern const struct finding_rule	finding_rules[];
extern const size_t			finding_nrules;

/* Where time went: rows with the greatest values of a column. */
struct evidence_place {
	const char	*report, *kind, *column;	/* report: NULL: spans */
	const char	*enough_of;		/* column */
	double		 enough, least;		/* in it, and in the column itself */
	const char	*what, *who, *figures;	/* the last two are formats (totals.h) */
	bool		 runs;			/* not rows of methods that wait */
};
extern const struct evidence_place	evidence_places[];
extern const size_t			evidence_nplaces;

#endif

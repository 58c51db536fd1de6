/*
 * Groups of the rows of a report, described as data.
 *
 *	rows of a kind		{ dur, tid, lock } { dur, tid, lock } ...
 *	struct grouping		"byLock" of "contention": key lock, count, statistics of dur
 *	rows of groups		{ lock, count 2, dur {...} } ...	before the rows themselves
 *	summary			a grouping of the kind "summary", without a key: after them
 *
 * A value that the table does not show is put into a hidden column (see rows.h).
 */
#ifndef ANALYSIS_GROUP_H
#define ANALYSIS_GROUP_H

#include "analysis/reports/rows.h"

enum figure_how {
	FIGURES_END,
	FIGURE_COUNT,		/* rows that have a value in `from`: not null, not false */
	FIGURE_SUM,		/* of the numbers in `from`, saturated */
	FIGURE_SHARE,		/* of the sum, in that of all rows */
	FIGURE_MOST,		/* the greatest number; null if there is none */
	FIGURE_LEAST,
	FIGURE_FIRST,		/* the value of the first, or last row that has one; no cell if
				   none has */
	FIGURE_LAST,
	FIGURE_TOTAL,		/* a sum that is null if there is no number */
	FIGURE_COUNTS,		/* of each text, as JSON: {"Induced":19}; null counts as "null" */
	FIGURE_STATISTICS,	/* of durations: as JSON, and in the figure columns */
	FIGURE_DURATIONS,	/* the same; no cells if there are none */
	FIGURE_JSON,		/* as JSON only */
	FIGURE_DIFFERENT,	/* how many different numbers there are */
	FIGURE_GROUPS,		/* how many groups grouping number `from` has */
	FIGURE_OBJECT,		/* JSON: the groups of grouping number `from` with the same first
				   key, each with its name and its figure, or its figures by their
				   columns: counts and sums; at most 1,000. It is displayed as the
				   name of the first one, "+2 more" */
};

/* A cell in the row of a group. */
struct figure {
	unsigned	 to;		/* its column; 0: none */
	enum figure_how	 how;
	unsigned	 from;		/* column of the rows; 0: each row has a value there */
	const char	*word;		/* only rows with this text in `from`; NULL: any */
};

/* The columns for the statistics of durations in text; 0: none. */
struct figure_columns {
	unsigned	total, mean, p50, p90, p99, max;
	bool		nulls;		/* without durations: null, not nothing */
};

#define FIGURES_MOST	24u
#define GROUP_KEYS	2u
#define GROUP_SHOWN	4u

struct grouping {
	const char	*kind;		/* of its rows; "": they are members of objects only; NULL
					   ends the groupings */
	const char	*of;		/* the kind of the rows that are grouped; NULL: all */
	/* Columns with a number; 0: none. A row that lacks one is in no group. */
	unsigned	 key[GROUP_KEYS];
	unsigned	 shown[GROUP_SHOWN + 1];	/* columns as in the group's first row */
	struct figure	 figure[FIGURES_MOST + 1];	/* ended by FIGURES_END */
	/* Greatest first, by these columns of figures, then by the key; 0: by the key. */
	unsigned	 sort[2];
	bool		 after;		/* after the rows that are grouped, not before them */
	/* Where Enter goes: a filter, followed by the value of this column, one of `shown`. */
	const char	*filter;
	unsigned	 filter_by;
	/* Else the event of the row with the greatest value here; 0: of the first row. */
	unsigned	 best;
	bool		 has_event;
	unsigned	 within;	/* shares are those of the rows with the same number here */
	const char	*beyond;	/* "waits for locks are counted together": a remark if
					   there are too many groups */
	unsigned	 others;	/* these rows are one more group, the last one, with
					   "(others)" in this column; 0: they are in no group */
	const char	*uncounted;	/* the remark if there are too many different numbers */
};

struct group_rows;

/* Group all rows that follow. Figures may be NULL. */
struct group_rows *group_rows_new(struct rows *r, const struct grouping *g,
		    const struct figure_columns *figures);
void		 group_rows_free(struct group_rows *g);	/* NULL is fine */
/* Add the rows of the groups, with the cells that the report adds. */
void		 group_rows_put(struct group_rows *g, const struct report *report,
		    struct report_state *s);

#endif

/*
 * The tables of a trace: threads, types, gaps, findings. The subcommands print them and the panes
 * show them, so both have the same names and values.
 *
 * Each function makes a table of the current state, to be freed by table_free(). Its arguments must
 * live as long as the table. The caller sets stamp and rows_stamp.
 */
#ifndef TNAV_ANALYSIS_TABLES_H
#define TNAV_ANALYSIS_TABLES_H

#include "tnav/analysis/columns.h"
#include "tnav/engine/pass.h"

/* ---- the first two columns of tables, if several traces are one list: whose row it is */
/* For table.absent: both of them, the first of which is file, if the trace is not joined. */
uint64_t	 sources_absent(struct trace *t, unsigned file);
struct cell	 source_cell(struct trace *t, uint32_t source, bool file);

/* ---- types: provider id version name event events bytes first last fields */

/* part: counts by type of some of the events; types without any are left out. NULL: count all. */
struct table	*types_table(struct trace *t, const struct count *part);

/* ---- threads */

struct threads_of {
	const struct count	*part;	/* counts by thread of some events; NULL: count all */
	bool	 only_part;		/* leave out threads without any of these */
	/* Add processes as headings if there are several, and incarnations below their threads,
	   with their losses in [from, to). */
	bool	 tree;
	const struct gap *gaps;
	size_t	 ngaps;
	int64_t	 from, to;
	bool	 window;		/* lost and gaps, too, count only [from, to) */
	/* When a thread was active. NULL: unknown. False: unknown for this thread. */
	bool	(*spark)(void *arg, uint32_t thread, struct cell_spark *out);
	void	*arg;
};
/* Roles and process names come from the trace's source (tnav/engine/thread_names.h). */
struct table	*threads_table(struct trace *t, const struct threads_of *of);
/* The thread of a row, or EVENT_NONE for a process. */
uint32_t	 threads_table_thread(const struct table *t, size_t row);

/* ---- gaps */

/* A gap and, if already known, the row of the event before it. */
struct placed_gap {
	const struct gap	*gap;
	bool			 looked, has_after;	/* looked: known; else it is searched */
	uint64_t		 after;
	uint64_t		 row;			/* the row that the gap lies before */
};
struct table	*gaps_table(struct trace *t, const struct placed_gap *gaps, size_t n);
/* Columns of a gap before this one are written to files. */
#define GAPS_IN_FILES	GAPS_WITHIN
struct cell	 gaps_cell(struct trace *t, const struct placed_gap *g, unsigned col);
const struct gap *gaps_table_gap(const struct table *t, size_t row);
/* Events lost in the window. For the whole trace this includes gaps that were not kept. */
uint64_t	 gaps_lost(struct trace *t, const struct pass_options *window);

/* ---- findings */

struct table	*findings_table(struct trace *t);
const struct finding *findings_table_finding(const struct table *t, size_t row);

/* ---- stats: the counts of a value; these columns follow those of the fields */

/* The first or last time of a count; null if it has no events. */
struct cell	 stats_time(struct trace *t, const struct count *c, int64_t ts);
/* all: events of all values. seconds: length of the window, 0: unknown. */
void		 stats_cell(struct trace *t, const struct count *c, uint64_t all, double seconds,
		    unsigned col, struct cell *out);

/* {"key":"value"}; the values of a repeated key become an array. */
void		 key_values_json(struct buf *b, const struct key_value *kv, size_t n);

#endif

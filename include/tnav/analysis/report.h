/*
 * Reports: a table for each of the most common questions.
 *
 *	events --pass on all cores--> facts --in time order--> report --> rows --> struct table
 *
 * A report is one file in src/analysis/reports and one line of REPORT_TABLE. Its subcommand, its
 * pane, its place in the menu, help, completion and its section of the man page are made from its
 * entry; the keys of its JSON lines are the names of its columns. It names the events and fields
 * that it reads. It receives these as facts, in time order, with any number of workers, and makes
 * its rows at the end.
 *
 * Rows have kinds ("gc", "summary"): the first column. JSON lines have the rows of all kinds. Text
 * and the viewer show one part of a report at a time: the rows of one kind, with a selection of
 * columns.
 */
#ifndef TNAV_ANALYSIS_REPORT_H
#define TNAV_ANALYSIS_REPORT_H

#include <limits.h>

#include "tnav/analysis/page.h"
#include "tnav/analysis/table.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"
#include "tnav/engine/trace.h"

/* Name, and a phrase for what the subcommand does. */
#define REPORT_TABLE(REPORT) \
	REPORT(summary, "summarise the trace: facts, what stands out, what is missing") \
	REPORT(gc, "list garbage collections: pauses, sizes, reasons") \
	REPORT(allocs, "sum up allocated memory by type, method and thread") \
	REPORT(heap, "show who holds the memory: types, objects, what holds them") \
	REPORT(exceptions, "list exceptions: types, where they were thrown and caught") \
	REPORT(contention, "list waits for locks: by lock, thread and owner") \
	REPORT(jit, "list compiled methods: times, tiers, modules") \
	REPORT(loader, "list loaded assemblies, modules and types") \
	REPORT(threadpool, "list thread pool adjustments and how long work items waited") \
	REPORT(requests, "list HTTP requests: routes, results, durations") \
	REPORT(tasks, "list tasks: how long they waited and ran, and what blocked") \
	REPORT(counters, "list counters and meter instruments with their values") \
	REPORT(samples, "list methods by samples: wall-clock time, managed and external") \
	REPORT(cpu, "list CPU samples by process and thread") \
	REPORT(switches, "list time on and off the CPU by process and thread")

#define REPORT_END	UINT_MAX	/* ends a list of columns */
#define PART_COLUMNS	28u

/* Rows of one kind, as shown. */
struct report_part {
	const char	*kind;		/* the word in the first column; NULL ends the parts */
	const char	*title;		/* "Collections"; NULL: use the report's title */
	unsigned	 column[PART_COLUMNS + 1];	/* ended by REPORT_END */
	unsigned	 sort;		/* column to sort by at first, or TABLE_UNSORTED */
};

#define PLOT_LAYERS	5u

/* How to draw a place of a plot that has several values, or none. */
enum plot_kind {
	PLOT_HOLD,	/* the greatest; without a value, the last one is kept */
	PLOT_GREATEST,	/* the greatest; without a value, nothing */
	PLOT_COUNT,	/* the number of rows */
};

/* A plot of numbers over time, from the rows of one kind. Several columns are stacked. */
struct report_plot_def {
	const char	*title;		/* NULL ends the plots */
	const char	*kind;		/* of the rows */
	unsigned	 time;		/* column */
	enum plot_kind	 how;
	unsigned	 value[PLOT_LAYERS + 1];	/* columns, ended by REPORT_END */
};

/* A plot as numbers, in time order. */
struct report_plot {
	struct buf	 title;
	enum plot_kind	 how;
	enum cell_kind	 kind;		/* of the values */
	bool		 changes;	/* a value is what came since the point before */
	unsigned	 layers;	/* 0 where rows are counted */
	const char	*layer[PLOT_LAYERS];
	size_t		 n, cap, values_cap;
	int64_t		*ns;		/* n of them */
	double		*v;		/* n times layers */
};

struct fact;
struct fact_def;
struct figure_columns;
struct frame_cache;
struct grouping;
struct report_state;
struct span_losses;
struct rows;

struct report_options {
	struct pass_options	 pass;		/* filter, window, workers and tick */
	struct report_memory	*memory;	/* for the same report and filter; or NULL */
	const struct report_made *before;	/* of an earlier trace, to compare with; or NULL */
	bool			 ascii;		/* write us, not µs */
	bool			 diagnoses;	/* of the summary: only what they need */
	uint32_t		 source;	/* of joined traces, in a report_run */
};

/* What a report is made from: one trace, alone or of several joined ones. It lives as long as the
   report. */
struct report_run {
	struct trace		*t;
	struct trace		*home;		/* that trace by itself: what is said of it as a
						   whole; its times and types are its own */
	struct report_options	 o;		/* its filter matches only events of that trace */
	bool			 filtered;	/* there is another filter */
	struct span_losses	*losses;	/* analysis/spans/loss.h */
	struct frame_cache	*frames;	/* analysis/reports/common.h; or NULL */
	struct report_state	*before;	/* of the report to compare with, or NULL */
	const struct report *const *reports;	/* all reports, for the summary */
	unsigned		 nreports;
};

/* At most: kinds of facts, and of what ends with an entry without a name. */
#define REPORT_FACTS	24u
#define REPORT_PARTS	10u

#define REPORT_RECORDS	2u
#define REPORT_KEYED	3u

/* Records of pairs: their size, spaces of keys, and what adds the row of a chosen one, or NULL. */
struct report_records {
	size_t		 size;
	unsigned	 spaces;
	void		 (*row)(struct report_state *s, struct rows *out, const void *record);
};

/* Entries by key (analysis/reports/groups.h): their size, and how many at most. */
struct report_keyed {
	size_t		 size, most;
};

/* A report. Its functions are called by one thread. Members that may be NULL say so. */
struct report {
	const char	*name;		/* "gc" */
	const char	*title;		/* "Garbage collections" */
	const struct fact_def *fact;	/* ended by an entry without provider and event; or NULL */
	/* The first columns are kind, file and source; the last two are lost and gaps. */
	const struct table_column *column;
	unsigned	 ncolumns, nhidden;	/* hidden: after these, for groups and totals */
	const struct report_part *part;	/* REPORT_PARTS at most, and at least one */
	bool		 rows_filtered;	/* -f is about rows, by their columns, not about events */
	const char	*compared;	/* the kind of rows that compare two traces, or NULL */
	unsigned	 needs;		/* NEEDS_...: derived facts, lent to the trace */
	/*
	 * It pairs events: it also receives events outside of the window and the filter, since an
	 * interval may end there. It lists intervals that begin with an event that has fact.chosen.
	 */
	bool		 pairs;
	/* What it keeps: see analysis/reports/state.h. Sizes in bytes; 0: none. */
	size_t		 own;
	struct report_records records[REPORT_RECORDS];
	struct report_keyed keyed[REPORT_KEYED];
	const char	*calls;		/* it fills a call tree with this weight, in a pass of its
					   own; or NULL */
	void		 (*begin)(struct report_state *s);	/* or NULL */
	/* A pass of its own instead of facts. Returns 0 or ERR_CANCELED. Or NULL. */
	int		 (*collect)(struct report_state *s, struct pass_result *result);
	/* When all of n sources are read: relate what they have. Or NULL. */
	void		 (*relate)(struct report_state *const *s, uint32_t n);
	/* After the rows of records, add those of all other kinds, without those of groups;
	   summaries last; none if there is nothing to report. Or NULL. */
	void		 (*rows)(struct report_state *s, struct rows *out);
	/* Rows made from these rows, and summaries: see analysis/group.h. */
	const struct grouping *group;
	const struct figure_columns *figures;	/* or NULL */
	/* Add cells to the row of a group, or of a summary; row_get() gives those that it has. Or
	   NULL. */
	void		 (*grouped)(struct report_state *s, struct rows *out);
	void		 (*summed)(struct report_state *s, struct rows *out);
	/* The totals, by a format, from each summary: see analysis/reports/totals.h. */
	const char	*total;
	/* Its first part as a page, from that table, with events that show it or without. Or NULL:
	   it is a table. */
	void		 (*page)(const struct table *t, bool evidence, struct page *out);
	/* Append further totals. Or NULL. */
	void		 (*totals)(struct report_state *s, struct buf *out);
	const struct report_plot_def *plot;	/* ended by one without a title */
	/* The plot that belongs to the row with this key (see row_key()). False: none. Or NULL. */
	bool		 (*plot_row)(struct report_state *s, uint64_t key,
			    struct report_plot *out);
	/* The list inside of a row, and a title for it, which is appended; NULL: it is not there
	   (any more). Or NULL. */
	struct table	*(*inside)(struct report_state *s, const struct table_inside *at,
			    struct buf *title);
	void		 (*release)(struct report_state *s);	/* what is its own; or NULL */
};

#define REPORT_ID(id, ...)	REPORT_##id,
enum report_id { REPORT_TABLE(REPORT_ID) REPORTS };

#define REPORT_ENTRY(id, ...)	extern const struct report report_##id;
REPORT_TABLE(REPORT_ENTRY)
extern const struct report *const reports[REPORTS];

/* The diagnoses alone, as a page, from the first part of the summary. */
void		 report_diagnoses_page(const struct table *t, bool evidence, struct page *out);
/* Definitions of its figures, for help and man page. */
const char	*report_text(const struct report *r);
/* How many events of the trace does it read? Are there any? */
uint64_t	 report_events(const struct report *r, struct trace *t);
bool		 report_present(const struct report *r, struct trace *t);
/* The provider of all of these events, and their least level; NULL: there are several, or none. */
const char	*report_provider(const struct report *r, struct trace *t, uint8_t *level);
/* The derived facts that it needs in this trace: none if it has no events. The summary needs those
   of the reports with events. */
unsigned	 report_needs(const struct report *r, struct trace *t);
/* What the trace's format could hold for it, and how to collect that, as one phrase; not for the
   summary, which needs nothing of its own; */
void		 report_advice(const struct report *r, struct trace *t, struct buf *out);
/* the same as lines of text. */
void		 report_how(const struct report *r, struct trace *t, struct buf *out);

/* ---- a finished report */
struct report_made;

/*
 * Make a report from the rows of the trace, which may still move while the trace grows. Of joined
 * traces, each has a report of its own, and their rows are one list. What the
 * options borrow must live as long as the result. Returns 0, or ERR_CANCELED because tick()
 * returned true.
 */
int		 report_make(struct report_made **out, const struct report *r, struct trace *t,
		    const struct report_options *o, struct pass_result *result);
void		 report_free(struct report_made *m);	/* NULL is fine */
/*
 * What is kept between two makings of a report while the trace grows: the facts of final rows of
 * any window, within a limit of memory. Their events are not read again.
 */
struct report_memory *report_memory_new(void);
void		 report_memory_free(struct report_memory *m);	/* NULL is fine */
#define REPORT_ALL	UINT_MAX
/* The rows of one part, or of all kinds (REPORT_ALL). The table must not outlive the report. */
struct table	*report_table(const struct report_made *m, unsigned part);
/* May rows of the report be filtered by it? It was compiled without a trace. False: a field is no
   column; the reason is in why. */
bool		 report_filters(const struct report *r, const struct filter *f, struct buf *why);
/* The rows that match such a filter. */
struct table	*report_table_of(const struct report_made *m, unsigned part,
		    const struct filter *f);
unsigned	 report_parts(const struct report *r);
/* The part of this kind, or report_parts() if there is none. */
unsigned	 report_part_find(const struct report *r, const char *kind, size_t len);
/* The list inside of a row, with its title, which must not outlive the report. NULL: it is not
   there (any more). */
struct table	*report_inside(const struct report_made *m, const struct table_inside *at,
		    struct buf *title);
/* The number of rows of all kinds. */
size_t		 report_rows(const struct report_made *m);
/* How many traces it is about: several joined ones, or 1. Each has totals, losses and a page. */
uint32_t	 report_sources(const struct report_made *m);
/* The totals of one as lines of text; "" if there are none. */
const char	*report_totals(const struct report_made *m, uint32_t source);
/* Append the page of a report that has one, for all sources. t: the table of its first part. */
void		 report_page(const struct report_made *m, const struct table *t, bool evidence,
		    struct page *out);
/*
 * Plot number `which` (0, 1 ...): first the plot of this row of the part's table, then those of the
 * report. False: there are no more. out need not be initialised; release it in any case.
 */
bool		 report_plot(const struct report_made *m, unsigned part, size_t row,
		    unsigned which, struct report_plot *out);
void		 report_plot_release(struct report_plot *p);
/* For reports: add a point, with a value for each layer. */
void		 report_plot_add(struct report_plot *p, int64_t ns, const double *v);
/* What was left out because of a limit, one line, or NULL. */
const char	*report_remark(struct report_made *m);
/* Events of a source lost in its interval, and in how many gaps. False: the format does not record
   losses (V3, Heph). */
bool		 report_loss(const struct report_made *m, uint32_t source, uint64_t *lost,
		    uint64_t *gaps);

#endif

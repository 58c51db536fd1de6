/*
 * What diagnoses read, and what they say.
 *
 *	reports, samples, collections, signs -> struct exam -> examine() -> struct diagnosis
 */
#ifndef ANALYSIS_DIAGNOSES_EXAM_H
#define ANALYSIS_DIAGNOSES_EXAM_H

#include "analysis/diagnoses/functions.h"
#include "analysis/diagnoses/pauses.h"
#include "analysis/diagnoses/signs.h"
#include "analysis/diagnoses/wall.h"
#include "analysis/reports/state.h"

/* What diagnoses read. */
struct exam {
	const struct report_run	*run;
	const struct report_work *part;		/* other reports with their rows */
	unsigned		 nparts;
	int64_t			 first, last;	/* ns: of the window's events */
	double			 seconds;	/* of it, more than 0 */
	int64_t			 started;	/* ns: what happens before is the program's start */
	unsigned		 processors;	/* at least 1 */
	struct wall		 wall;
	struct pause_sums		 pauses;
	const struct signs	*signs;
};

enum certainty { CERTAIN, LIKELY, POSSIBLE };

struct diagnosis {
	const struct diagnosis_def *def;
	enum certainty		 certainty;
	double			 share;		/* of the time that it explains, 0 to 1 */
	double			 value;		/* its measure, in def->unit */
	struct buf		 cause;		/* names */
	struct buf		 text;		/* sentences, without the title and the reason */
	struct buf		 command;	/* of tnav, without "tnav" and the file */
	/* Where Enter goes: a report, or "calls"; and a filter, if it has one. */
	const char		*report;
	struct buf		 filter;
	int64_t			 since, until;	/* ns */
};

/* A row of diagnoses.tsv. */
struct diagnosis_def {
	const char	*id;		/* "lock-convoy" */
	const char	*title;		/* a sentence */
	const char	*why;		/* sentences */
	const char	*unit;		/* of its measure */
	const char	*report, *by;	/* its evidence, if it gives no other: evidence_report() */
	const char	*explains;	/* ids of what need not be said, then; or NULL */
	bool		 load;		/* much work, no obstacle: after all others */
	/* Is it so? What the diagnosis says is initialised for the whole window, and certain. */
	bool		(*examine)(const struct exam *e, struct diagnosis *d);
};
extern const struct diagnosis_def	diagnosis_defs[];
extern const size_t			diagnosis_ndefs;

/* ---- for diagnoses */

/* A table of the rows of a report's kind, for table_free(); NULL: the report has none. */
struct table	*exam_rows(const struct exam *e, const char *report, const char *kind);
/* A number in a row of it; 0 if there is none. */
double		 exam_number(const struct table *t, size_t row, const char *column);
/* A text in a row of it, as people read it. Valid until the table is freed. */
struct span	 exam_text(const struct table *t, size_t row, const char *column);
/* The same for loops over many rows: the column is found once. */
unsigned	 exam_column(const struct table *t, const char *column);
double		 exam_number_at(const struct table *t, size_t row, unsigned column);
struct span	 exam_text_at(const struct table *t, size_t row, unsigned column);
/* The row with the greatest number in the column. False: there is no row. */
bool		 exam_greatest(const struct table *t, const char *column, size_t *row);

/* A column of a counter of System.Runtime: "sum", "samples". 0: there is none. */
double		 exam_counter(const struct exam *e, const char *counter, const char *column);
/* Methods that the program's own threads compiled, from this time on until the other one (ns). */
struct exam_compiled {
	double		ns, dynamic_ns, library_ns;	/* without what was compiled meanwhile */
	uint64_t	n, dynamic;
};
struct exam_compiled exam_compiled(const struct exam *e, double from, double until);

/*
 * Append to the sentences: say(d, "{bytes}/s were allocated in {cause}", rate).
 *	{count} {number} {share} {seconds} {bytes}	the next number: a whole one, one with a
 *			decimal if it is small, a share of 1 as "38 %", a duration, a size
 *	{count|one|many}	a count, and what is counted
 *	{cause}		what was appended to d->cause
 */
#define say(d, words, ...)	say_numbers(d, words, (const double[]){ 0, __VA_ARGS__ } + 1)
void		 say_numbers(struct diagnosis *d, const char *words, const double *v);
void		 put_number(struct buf *b, double v);
/* The type of which most was allocated is the cause, or "unknown", which is less certain. Appends
   " Most of what was allocated is Byte[], allocated in Shop.Load()." False: it is unknown. */
bool		 put_top_type(const struct exam *e, struct diagnosis *d, const char *most);
/* The evidence is a report: its command and where Enter goes. by: the kind of rows, or NULL. */
void		 evidence_report(struct diagnosis *d, const char *report, const char *by);
/* The evidence are the stacks with the method of a site, in the calls pane. */
void		 evidence_site(struct diagnosis *d, const struct exam *e, const struct site *s);

/* Is the id one of these, which commas separate? NULL: there are none. */
bool		 exam_names(const char *ids, const char *id);

/* ---- for the doctor */

/* Does a diagnosis read the rows of this report? */
bool	exam_reads(const char *report);

/* False: nothing can be said of so little. Call exam_release() in any case. */
bool	exam_init(struct exam *e, const struct report_run *run, const struct signs *signs,
	    const struct report_work *part, unsigned nparts);
void	exam_release(struct exam *e);

#endif

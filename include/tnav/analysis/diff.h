/*
 * What differs between two sides, each of which is one or several recordings of a program.
 *
 *	side A  GC/Start  2.1/s  of 20 slices		rows joined by key
 *	side B  GC/Start  8.9/s  of 20 slices	   ->	GC/Start  2.1  8.9  +324 %  more
 *
 * A side is filled with what other analyses have counted: how often a key occurs in each slice of
 * the window, and durations. Nothing is grouped here but equal keys. Whether a difference is more
 * than noise is decided as doc/diff.md says.
 */
#ifndef TNAV_ANALYSIS_DIFF_H
#define TNAV_ANALYSIS_DIFF_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/page.h"
#include "tnav/analysis/report.h"
#include "tnav/analysis/spans.h"
#include "tnav/analysis/columns.h"
#include "tnav/engine/count.h"
#include "tnav/engine/trace.h"

#define DIFF_SLICES	20u
#define DIFF_KEYS	8u		/* columns of a key, at most */

/* What counts are divided by. */
enum diff_per { DIFF_PER_SECOND, DIFF_PER_EVENT, DIFF_PER_SPAN, DIFF_PER_NONE };

/* How rows are judged: by the noise; by whether a side has them at all, or has several times as
   much (diagnoses); or as numbers that have no noise (types of a heap). */
enum diff_judging { DIFF_BY_NOISE, DIFF_BY_PRESENCE, DIFF_BY_VALUE };

struct diff_options {
	const char	*key[DIFF_KEYS];	/* names of the key's columns, which are copied */
	unsigned	 nkeys;
	enum diff_judging judging;
	enum diff_per	 per;
	const char	*span;		/* PER_SPAN: the name of the spans */
	bool		 tree;		/* a call tree: the key is a path and its last method */
	bool		 bytes;		/* what is counted has a number of bytes, and they are
					   added up */
	bool		 windows;	/* the traces of a side are windows of one */
	bool		 means;		/* what is counted are values, and their mean is the
					   figure: at most one of a row in each slice */
	unsigned	 traces[2];	/* of the sides A and B, each at least 1 */
};

struct sides;

struct sides	*diff_new(const struct diff_options *o);
void		 diff_free(struct sides *d);	/* NULL is fine */

/* ---- filling: the traces of A, then those of B */

/* The next trace: its name, the window [from, to] of its events, and losses there. */
struct diff_window {
	const char	*name;		/* copied */
	int64_t		 from, to;	/* ticks */
	uint64_t	 lost;
};
void	diff_begin(struct sides *d, struct trace *t, const struct diff_window *w);
/* The slice of a time of the current trace. */
unsigned diff_slice(const struct sides *d, int64_t ts);
unsigned diff_slice_ns(const struct sides *d, int64_t ns);

/* What a row counts comes from such events: where the other side recorded none, nothing can be
   said. provider NULL: unknown. */
struct diff_source {
	const char	*provider;
	uint8_t		 level;
};
/* The row with these cells (nkeys of them) as its key. Names are joined by their clean form. */
uint32_t diff_row(struct sides *d, const struct cell *key, const struct diff_source *source);
void	diff_count(struct sides *d, uint32_t row, unsigned slice, double weight, uint64_t events);
void	diff_number(struct sides *d, uint32_t row, unsigned slice, double ns);
/* PER_SPAN: such a span begins. PER_EVENT: what shares are of, unless it is the sum of all rows. */
void	diff_whole(struct sides *d, unsigned slice, double n);

/* The sums of a counter with DIFF_SLICES slices. The last two fields of its keys, which the rows
   leave out, are provider and level if `sources`. */
void	diff_add_counter(struct sides *d, const struct counter *c, bool sources);
/* All spans: of each name how many begin, and their durations. The key is group and name. */
void	diff_add_spans(struct sides *d, struct spans *s);
/* The spans with this name are what others are counted per. Returns how many there are. */
uint64_t diff_add_wholes(struct sides *d, struct spans *s, const char *name);

/* The provider whose events have this text in a column; text NULL ends a list. */
struct diff_origin {
	const char	*text, *provider;
};

/* Rows of a table of this kind. Columns: UINT_MAX: none. */
struct diff_columns {
	const char	*kind;		/* in column 0 */
	unsigned	 key[DIFF_KEYS];
	unsigned	 time, dur;	/* of a row; without a time it lies in `slice` */
	unsigned	 n, weight;	/* how many it stands for; none: 1 */
	unsigned	 slice;
	unsigned	 provider;	/* of the row's events ... */
	const char	*other_provider;	/* ... if the trace has that, or else this one */
	const struct diff_origin *origin;	/* the column has no provider, but one of these
						   texts; or NULL */
	struct diff_source source;	/* of all rows, if there is no such column */
};
void	diff_add_table(struct sides *d, const struct table *t, const struct diff_columns *c);
/* Values over time of each row of this part: those of its own plot. */
void	diff_add_series(struct sides *d, const struct report_made *m, unsigned part,
	    const struct diff_columns *c);
/* The nodes of a call tree of the events in one slice. The diff is a tree. */
void	diff_add_shape(struct sides *d, const struct calltree_shape *s, unsigned slice);

/* ---- the result */

enum diff_verdict {
	DIFF_SAME, DIFF_MORE, DIFF_LESS, DIFF_NEW, DIFF_GONE, DIFF_UNKNOWN, DIFF_VERDICTS
};

/* Columns after those of the key. */

struct diff_table_of {
	bool	people;			/* cells as people read them, right-aligned */
	bool	screen;			/* ... as words of numbers, by which they are sorted */
	bool	ascii;
	bool	tree;			/* of a tree: as it is drawn, names indented */
	bool	about;			/* the rows of kind about, instead of the others */
};
/* The rows, those that changed first. Column 0 is kind, then the key, then enum diff_column. It
   must not outlive the diff. */
struct table	*diff_table(struct sides *d, const struct diff_table_of *of);
/* Several comparisons with two columns as their key, as one list for a screen. */
#define DIFF_MERGED	5u
struct diff_merge {
	const char	*what;		/* "event" */
	struct sides	*d;
	bool		 events;	/* the key are fields of events */
};
/* of is borrowed; the table must not outlive the comparisons. */
struct table	*diff_merged(const struct diff_merge *of, unsigned n, bool ascii);
/* What a row of it is of. in_a: A has any. */
const char	*diff_merged_what(const struct table *t, size_t row, bool *in_a);
/* How many figures changed, and of how many. */
size_t		 diff_changed(struct sides *d, size_t *of);
/* How many rows were left out because of a limit; and values of a sample. */
uint64_t	 diff_left_out(const struct sides *d);
/* Each path of a tree that events end in, as folded text ("Main;Run"), with the sums of their
   weights in A and B. A path comes
   after those below it; a very long one has its outermost frames. */
typedef void	 (*diff_path_fn)(void *arg, struct span path, const double weight[2]);
void		 diff_fold(struct sides *d, diff_path_fn fn, void *arg);
/* What was recorded, and what differs in that. */
void		 diff_about(struct sides *d, struct page *out);

/* ---- limits for changes: "p99.dur > +10 %" */
struct diff_limit {
	unsigned	 figure;
	bool		 above;
	double		 change;
};
/* Returns 0, or ERR_USAGE with the reason in why. */
int		 diff_limit_parse(struct diff_limit *l, const char *text, struct buf *why);
/* Describe the rows beyond it, one a line; returns how many there are. */
size_t		 diff_limit_check(struct sides *d, const struct diff_limit *l, struct buf *out,
		    size_t most);

#endif

/*
 * The joined sides: see tnav/analysis/diff.h.
 */
#ifndef ANALYSIS_DIFF_DIFF_H
#define ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/stats.h"
#include "tnav/analysis/diff.h"
#include "tnav/base/arena.h"
#include "tnav/base/hashtable.h"

/* A provider of a trace. */
struct diff_provider {
	const char	*name;
	uint64_t	 events;
	uint8_t		 level;		/* the greatest of its events */
};

struct diff_trace {
	const char		*name;
	int64_t			 from, to;		/* ticks */
	int64_t			 from_ns, to_ns;
	double			 seconds;
	uint64_t		 lost;
	bool			 numbered;		/* losses would be known */
	double			 whole[DIFF_SLICES];	/* diff_whole() */
	double			 exposure[DIFF_SLICES];
	struct diff_provider	*provider;
	size_t			 nproviders;
};

/* What a row has in one trace. */
struct diff_part {
	double		sum;		/* of weights */
	uint64_t	n;
	float		slice[DIFF_SLICES];
	uint32_t	seen;		/* slices with anything, by bit */
};

struct diff_numbers {
	struct diff_number	*v;	/* a sample, once there are too many */
	size_t			 n, cap;
	uint64_t		 seen;
};

struct joined_row {
	struct cell		*key;
	const char		*provider;	/* of all its events; NULL: unknown, or several */
	uint8_t			 level;		/* the least */
	bool			 several;
	struct diff_part	**part;		/* by trace; NULL: nothing */
	struct diff_numbers	 numbers[2];
};

enum diff_figure { FIGURE_RATE, FIGURE_P50, FIGURE_P99, DIFF_FIGURES };

/* A line of the table. */
struct diff_judged {
	uint32_t		row;
	enum diff_figure	figure;
	enum diff_verdict	verdict;
	unsigned		group;		/* 0 changed, 1 the same, 2 unknown */
	double			least;		/* how great the change is at least */
	struct diff_rates	r;
};

struct sides {
	struct diff_options	 o;
	struct arena		 arena;
	struct diff_trace	*trace;		/* of A, then of B */
	unsigned		 ntraces, begun;	/* begun: the current one + 1 */
	struct joined_row		*row;
	size_t			 n, cap;
	struct hashtable	 table;
	uint64_t		 random;
	uint64_t		 left_out;	/* rows beyond the limit */
	size_t			 numbers;	/* that are kept */
	struct buf		 text, name;
	struct diff_judged	*judged;	/* made once: diff_judge() */
	size_t			 njudged;
	bool			 is_judged;
};

/* The side of a trace: 0 A, 1 B. */
static inline unsigned
diff_side(const struct sides *d, unsigned trace)
{
	return trace >= d->o.traces[0];
}

/* The traces of a side: from the first up to (not including) *end. */
static inline unsigned
diff_side_traces(const struct sides *d, unsigned side, unsigned *end)
{
	*end = side == 0 ? d->o.traces[0] : d->ntraces;
	return side == 0 ? 0 : d->o.traces[0];
}

/* Events lost on a side. */
uint64_t	diff_lost(const struct sides *d, unsigned side);
/* What the counts of a side are divided by; of a judged diff. */
double		diff_exposure(const struct sides *d, unsigned side);
/* Did any trace of the side record events of this provider, up to this level? */
bool		diff_recorded(const struct sides *d, unsigned side, const char *provider,
		    uint8_t level);
/* Judge all rows; again after more was added. */
void		diff_judge(struct sides *d);
/* A judged tree as it is drawn: depth 0 at the top. */
struct diff_tree {
	uint32_t	*judged, *depth;
	size_t		 n;
};
void		diff_tree_make(struct diff_tree *out, const struct sides *d);
void		diff_tree_release(struct diff_tree *t);

#endif

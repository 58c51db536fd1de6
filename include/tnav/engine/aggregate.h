/*
 * Aggregates of a group of events besides its count: sums, averages, percentiles.
 *
 *	sum.Size	{ AGGREGATE_SUM, value 0 }		values	0 Size
 *	p99.Size	{ AGGREGATE_PCT, value 0, 99 % }
 *	max.dur		{ AGGREGATE_MAX, value 1 }			1 dur
 */
#ifndef TNAV_ENGINE_AGGREGATE_H
#define TNAV_ENGINE_AGGREGATE_H

#include "tnav/base/buf.h"
#include "tnav/engine/field.h"

enum aggregate_kind {
	AGGREGATE_COUNT,	/* counts numbers */
	AGGREGATE_SUM,
	AGGREGATE_AVG,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_PCT,		/* by nearest rank */
	AGGREGATE_DISTINCT,	/* counts distinct values of any kind */
	AGGREGATE_KINDS
};

#define AGGREGATE_WHOLE	100000000u	/* 100 % */

struct aggregate {
	enum aggregate_kind	 kind;
	uint32_t		 value;		/* index of its field in values */
	uint32_t		 share;		/* PCT: parts of AGGREGATE_WHOLE */
	const char		*name;		/* "p99.Size": the column */
};

/* A zeroed struct is empty. */
struct aggregates {
	struct aggregate	*v;
	size_t			 n, cap;
	struct field_list	 values;	/* the fields, each once */
	int64_t			 every_ns;	/* "every 1s": the time step; 0: none */
};

/* "sum"; NULL at the end. */
const char	*aggregate_name(unsigned kind);
/*
 * Add aggregates of the fields in the list: "Size,dur"; for percentiles "50,99.9:Size,dur". 0, or
 * ERR_USAGE with one line in why: a bad name, or one that was added before.
 */
int	aggregates_add(struct aggregates *a, enum aggregate_kind kind, const char *list,
	    struct buf *why);
/*
 * Parse "Name,Generation sum Size p99 dur every 1s": fields, then aggregates with their fields, or
 * a time step. Returns the length of the first fields, which are not checked, or 0 if there are
 * none; or ERR_USAGE.
 */
int	aggregates_words(struct aggregates *a, const char *words, struct buf *why);
void	aggregates_release(struct aggregates *a);

/*
 * Can the trace's field have this aggregate? AGGREGATE_KINDS: a histogram. False: why says what the
 * field is; a text has no sum.
 */
bool	aggregate_fits(enum aggregate_kind kind, const struct field_ref *f, struct trace *t,
	    struct buf *why);

#endif

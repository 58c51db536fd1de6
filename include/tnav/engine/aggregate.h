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
	AGGREGATE_COUNT,	/* of numbers */
	AGGREGATE_SUM,
	AGGREGATE_AVG,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_PCT,		/* by nearest rank */
	AGGREGATE_DISTINCT,	/* of values of any kind */
	AGGREGATE_KINDS
};

#define AGGREGATE_WHOLE	100000000u	/* 100 % */

struct aggregate {
	enum aggregate_kind	 kind;
	uint32_t		 value;		/* which of the values it is of */
	uint32_t		 share;		/* PCT: parts of AGGREGATE_WHOLE */
	const char		*name;		/* "p99.Size": the column */
};

/* A zeroed one is empty. */
struct aggregates {
	struct aggregate	*v;
	size_t			 n, cap;
	struct field_list	 values;	/* the fields, each once */
	int64_t			 every_ns;	/* of words: the step of time; 0: none */
};

/* "sum"; NULL at the end. */
const char	*aggregate_name(unsigned kind);
/*
 * Add what the list names, in its order: "Size,dur"; of percentiles "50,99.9:Size,dur". 0, or
 * ERR_USAGE and why says it in one line: a name that is none, or that is there already.
 */
int	aggregates_add(struct aggregates *a, enum aggregate_kind kind, const char *list,
	    struct buf *why);
/*
 * "Name,Generation sum Size p99 dur every 1s": fields, then each aggregate with its fields, or a
 * step of time. The bytes of the first fields, which are not looked at, and 0 where there are none;
 * or ERR_USAGE.
 */
int	aggregates_words(struct aggregates *a, const char *words, struct buf *why);
void	aggregates_release(struct aggregates *a);

/*
 * May the field be one that the aggregate can be of, by what the trace says of it? False, and why
 * says what it is: a text has no sum. AGGREGATE_KINDS: a histogram.
 */
bool	aggregate_fits(enum aggregate_kind kind, const struct field_ref *f, struct trace *t,
	    struct buf *why);

#endif

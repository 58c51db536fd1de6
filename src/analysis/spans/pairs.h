/*
 * The table of events that begin and end an interval: src/model/clr/pairs.tsv.
 */
#ifndef ANALYSIS_SPANS_PAIRS_H
#define ANALYSIS_SPANS_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* What a start does to those that are open under its key, and which of them a stop ends. */
enum span_rule {
	SPAN_ONE,	/* a start throws them out */
	SPAN_LIFO,	/* a stop ends the youngest */
	SPAN_FIFO,	/* a stop ends the oldest */
};

struct span_pair {
	const char	*group, *provider;
	const char	*start, *stop;	/* NAME or NAME[Field=value], with | between alternatives */
	const char	*key;		/* parts with + between them */
	enum span_rule	 rule;
	const char	*label;		/* {Field} of the start, {stop.Field} of the stop */
};

extern const struct span_pair	span_pairs[];
extern const size_t		span_npairs;

#endif

/*
 * Spans as their parts see them.
 *
 *	events -> marks (any thread) -> pairing (one thread, in order) -> records -> nesting, sums
 */
#ifndef ANALYSIS_SPANS_PRIVATE_H
#define ANALYSIS_SPANS_PRIVATE_H

#include "analysis/spans/classes.h"
#include "analysis/spans/loss.h"
#include "analysis/spans/names.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/job.h"
#include "tnav/engine/spans.h"
#include "tnav/io/scratch.h"

/* A span that ended at an event, in the order of these. */
struct span_stop {
	uint64_t	off, span;
};

struct pairing;
struct sums;
struct stream;

#define SPAN_BLOCK	4096u

/* The state of a record that is given up, until the records are closed up. */
#define SPAN_GONE	SPAN_STATES

#define ROLE_START	0x1u
#define ROLE_STOP	0x2u

struct spans {
	struct span_source	 source;	/* the first: it is lent */
	struct trace		*t;
	struct spans_options	 opt;
	bool			 native;	/* the format's events are spans */
	int64_t			 freq;		/* ticks a second */
	struct lock		*lock;		/* of classes */
	struct classes		*classes;
	struct filter		*filter;	/* lets through what may be part of a span */
	struct span_losses	**losses;	/* by source */
	struct name_table	*names;
	struct sums		*sums;		/* once all are found */
	struct stream		*stream;	/* where only sums are needed; or NULL */
	uint64_t		 count;		/* spans, once all are */
	struct scratch		*record, *stop;
	int64_t			*reach;		/* of each SPAN_BLOCK spans: their latest end */
	struct pairing		*pairing;	/* while they are made */
	uint64_t		 beyond;	/* starts that were not kept open */
	uint64_t		 dropped;	/* spans that there was no room for */
	uint8_t			*role;		/* by type: what it may begin or end */
	uint32_t		 nroles;
	struct buf		 remark;
};

/* ns from one time to another, ticks. */
static inline int64_t
spans_time(const struct spans *s, int64_t from, int64_t to)
{
	int64_t	dur;

	/* Most clocks count ns. */
	if (s->freq == 1000000000 && !__builtin_sub_overflow(to, from, &dur))
		return dur;
	return trace_dur(s->t, from, to);
}

/* Any thread may ask. */
const struct type_class *spans_class(struct spans *s, uint32_t type);
/* Once all are found: for spans_reaching(). */
void	reach_make(struct spans *s);

#endif

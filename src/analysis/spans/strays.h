/*
 * Stops without an activity id of their own, of spans that are known by theirs.
 */
#ifndef ANALYSIS_SPANS_STRAYS_H
#define ANALYSIS_SPANS_STRAYS_H

#include "analysis/spans/marks.h"

/* A start with an activity id under which no stop came. */
struct stray_start {
	uint64_t	head, span;	/* pair and base of its key; its record */
	uint32_t	thread, next;	/* next: younger, of its name and thread; or UINT32_MAX */
	bool		ended;		/* by a stray stop */
	struct around_id around;
};

/* A stop of a name that goes by the activity, under whose id no start is open. */
struct stray_stop {
	uint64_t	head, span;	/* likewise */
	struct around_id around;
};

/*
 * Pair stray stops as far as that is sure: once all marks were paired, before what is open is left.
 * stop: of struct stray_stop.
 */
void	strays_end(struct spans *s, struct stray_start *v, size_t n, const struct scratch *stop);

#endif

/*
 * Where in a trace a filter can't match, told before anything is decoded. Private to the engine.
 *
 *	  and			each term is asked for a stretch of the file: can it match there?
 *	 /   \			types by the record's counts, times by the segment's, a pattern by
 *	name=a  /text/		the literals that it needs, searched in the raw bytes
 *
 * Invariant: where it says no, filter_match() says no for every event.
 */
#ifndef ENGINE_FILTER_SIEVE_H
#define ENGINE_FILTER_SIEVE_H

#include "engine/index/index.h"
#include "tnav/engine/filter.h"

struct sieve;

/* One thread's, as the evaluator is, which it borrows. */
struct sieve	*sieve_new(const struct filter *f, struct filter_eval *e, struct trace *t);
void		 sieve_free(struct sieve *s);
/* May an event of the segment match? Looks at its bytes if nothing cheaper decides. */
bool		 sieve_segment(struct sieve *s, const struct segment *g);
/*
 * The events of the segment that was asked for last, in file order, before it is known what their
 * types and threads mean: move those to the front that may match, and tell how many they are.
 */
uint32_t	 sieve_raw(struct sieve *s, struct event *ev, uint32_t n);
/*
 * The events of the segment that was asked for last, in file order: keep those of at[0 .. n - 1]
 * that may match, and tell how many are left.
 */
uint32_t	 sieve_events(struct sieve *s, const struct event *ev, uint32_t *at, uint32_t n);

#endif

/*
 * Finding parts of a trace in which a filter can't match, without decoding them. Private to the
 * engine.
 *
 *	  and			can each term match in this part of the file?
 *	 /   \			types by the record's counts, times by the segment's, a pattern by
 *	name=a  /text/		the literals that it needs, searched in the raw bytes
 *
 * Invariant: if the sieve says no, filter_match() is false for every event.
 */
#ifndef ENGINE_FILTER_SIEVE_H
#define ENGINE_FILTER_SIEVE_H

#include "engine/index/index.h"
#include "tnav/engine/filter.h"

struct sieve;

/* For one thread, like the evaluator, which it borrows. */
struct sieve	*sieve_new(const struct filter *f, struct filter_eval *e, struct trace *t);
void		 sieve_free(struct sieve *s);
/* May an event of the segment match? Searches its bytes only if cheaper checks do not decide. */
bool		 sieve_segment(struct sieve *s, const struct segment *g);
/* The number of the segment's events that match, if the types of its record tell it. */
bool		 sieve_count(struct sieve *s, const struct segment *g, uint32_t *hits);
/* The same for all events of a closed region. */
bool		 sieve_count_region(struct sieve *s, const struct region *r, uint32_t *hits);
/* Do all events of the last sieve_segment() match, by their types alone? */
bool		 sieve_all(const struct sieve *s);
/*
 * ev: events of the last sieve_segment(), in file order, with raw types and threads. Move those
 * that may match to the front; returns how many they are.
 */
uint32_t	 sieve_raw(struct sieve *s, struct event *ev, uint32_t n);
/*
 * ev: events of the last sieve_segment(), in file order. Keep those of at[0 .. n - 1] that may
 * match; returns how many are left.
 */
uint32_t	 sieve_events(struct sieve *s, const struct event *ev, uint32_t *at, uint32_t n);

#endif

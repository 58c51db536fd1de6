/*
 * Events counted by value. A key is a row of cells, one for each of some fields. Each distinct key
 * has its count, and its counts in equal parts of the time.
 *
 *	fields	name, tid	    ->	key 0 { "GC/Start", 12 }  104 events, 1872 bytes, ...
 *					key 1 { "GC/Stop", 12 }   104 events ...
 *
 * An event that has several values of a field (elements of an array, a label given twice) counts
 * once for each of them. If several fields have several values, the first values make one key, the
 * second values another, and so on.
 *
 * Counters of parts of the events can be merged. If they are merged in the order of the parts, the
 * result is that of a single counter, with keys in the same order. Only if a part has more events
 * than the limit of keys, more of them may be counted as beyond it.
 */
#ifndef TNAV_ENGINE_COUNT_H
#define TNAV_ENGINE_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/aggregate.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/model/info.h"

#define COUNT_BINS	32u		/* at most */
#define COUNT_BEYOND	UINT32_MAX	/* in place of a key: all keys beyond the limit */

/* Limits of the numbers and distinct values that are kept; 0: those of limits.h. */
struct count_limits {
	uint64_t	few, group, all;	/* LIMIT_SAMPLE_... */
	uint64_t	distinct;
};

struct count_options {
	struct field_options	fields;
	uint32_t		keys;		/* limit of keys; the rest is counted together */
	uint32_t		text;		/* bytes that are kept of a text */
	bool			skip;		/* events without any of the fields have no key */
	bool			valued;		/* null, and a word without a value, are no value */
	bool			each;		/* each element of an array has a key */
	bool			steps;		/* numbers are counted by steps (steps.h) */
	bool			bins;		/* also count in parts of the time */
	/* With bins, if not 0: the parts are so many equal ones of [slices_from, slices_to], at
	   most COUNT_BINS. */
	unsigned		slices;
	int64_t			slices_from, slices_to;		/* ticks */
	/* If not 0, the key's first cell is the event's time, in steps of so many ns. */
	int64_t			every_ns;
	const struct aggregates	*aggregates;	/* borrowed; or NULL */
	struct count_limits	limits;
};

struct counter;
struct pass_ops;

/* The list is borrowed, and must stay. */
struct counter	*counter_new(struct trace *t, const struct field_list *by,
		    const struct count_options *o);
/* An empty counter like it, for a part of the events, to be merged into it. Any thread. */
struct counter	*counter_new_part(const struct counter *whole);
void		 counter_free(struct counter *c);
void		 counter_add(struct counter *c, const struct event *e, uint64_t row);
/*
 * Add all events of the trace, or those that match the filter, from the index's counts by type.
 * False: nothing is added, because fields or filter do not depend on types alone, or there are
 * aggregates.
 */
bool		 counter_add_index(struct counter *c, struct filter_eval *only);
/* Add the counts of a part. Without aggregates it may also be a separate counter that was made with
   the same list and options. */
void		 counter_merge(struct counter *into, const struct counter *from);

/* Passes that count events; the argument is the counter. */
extern const struct pass_ops	counter_ops;

/* The number of keys; the counts of one key, of all events that were added, of those with keys
   beyond the limit, and of those without any of the fields (with skip). */
uint32_t		 counter_keys(const struct counter *c);
const struct count	*counter_count(const struct counter *c, uint32_t key);
const struct count	*counter_all(const struct counter *c);
const struct count	*counter_beyond(const struct counter *c);
const struct count	*counter_without(const struct counter *c);
/* How often a key was searched by its bytes, which is the slow way. Merging doesn't add it. */
uint64_t		 counter_searched(const struct counter *c);
/* The number of providers that the events of each key have, if keys depend on types alone; else 0.
   out has counter_keys() entries. */
void			 counter_providers(const struct counter *c, uint32_t *out);
/* With bins: the key's events in equal parts of the time from the first to the last event that was
   added, including the times of counter_cover(). Returns how many parts there are: at least half of
   COUNT_BINS, or one per tick. */
unsigned		 counter_bins(const struct counter *c, uint32_t key,
			    uint64_t out[COUNT_BINS]);
/* Extend the parts over these times. */
void			 counter_cover(struct counter *c, int64_t first, int64_t last);
/* The number of cells of a key: a time (with every_ns) and the fields. */
size_t			 counter_width(const struct counter *c);
/* The key's cells, which borrow from the counter. False: one of their texts is cut. */
bool			 counter_cells(const struct counter *c, uint32_t key, struct cell *cells);
/* An aggregate of a key or of COUNT_BEYOND; CELL_NULL: there are no numbers. Valid until the next
   call for the same value. */
void			 counter_aggregate(struct counter *c, uint32_t key,
			    const struct aggregate *a, struct cell *out);
/* Facts about an aggregate that the user should know. */
struct count_remarks {
	uint64_t	sketched;	/* groups whose percentiles are from a sketch */
	uint64_t	capped;		/* groups with more distinct values than shown */
	uint64_t	others;		/* values that are not numbers and were left out */
};
struct count_remarks	 counter_remarks(const struct counter *c, const struct aggregate *a);
/* Sort the keys by number of events, the greatest first, then by first event, then by key number.
   order has counter_keys() entries. */
void			 counter_order(const struct counter *c, uint32_t *order);

/*
 * Call fn with the count of each type that has events, with a filter only of those that match.
 * False: fn is not called, because the filter does not depend on types alone.
 */
typedef void	(*count_type_fn)(void *arg, uint32_t type, const struct count *c);
bool		 count_types(struct trace *t, struct filter_eval *only, count_type_fn fn,
		    void *arg);

/* Add an event to a count, or all of another count; a zeroed count is empty. */
static inline void
count_add(struct count *c, const struct event *e)
{
	if (c->events == 0 || e->ts < c->first)
		c->first = e->ts;
	if (c->events == 0 || e->ts > c->last)
		c->last = e->ts;
	c->events++;
	c->bytes += e->size;
}

static inline void
count_merge(struct count *c, const struct count *from)
{
	if (from->events == 0)
		return;
	if (c->events == 0 || from->first < c->first)
		c->first = from->first;
	if (c->events == 0 || from->last > c->last)
		c->last = from->last;
	c->events += from->events;
	c->bytes += from->bytes;
}

#endif

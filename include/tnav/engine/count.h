/*
 * Events counted by value. A key is the row of cells that some fields have; each different one has
 * its count, and its counts by equal part of the time.
 *
 *	fields	name, tid	    ->	key 0 { "GC/Start", 12 }  104 events, 1872 bytes, ...
 *					key 1 { "GC/Stop", 12 }   104 events ...
 *
 * An event that has several values of a field (elements of an array, a label given twice) counts
 * once for each of them, and where several fields have some, the first ones go together, and so on.
 *
 * State, add, merge: there is one state per part of the events. Merged in the order of the parts,
 * they give what a single state would have given, with keys in the same order. Only if a part has
 * more events than the limit of keys, more of them may be counted as beyond it.
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
#define COUNT_BEYOND	UINT32_MAX	/* in place of a key: all of those that are one too many */

/* How much is kept for percentiles and different values; 0: what limits.h says. */
struct count_limits {
	uint64_t	few, group, all;	/* LIMIT_SAMPLE_... */
	uint64_t	distinct;
};

struct count_options {
	struct field_options	fields;
	uint32_t		keys;		/* different ones; the rest is counted together */
	uint32_t		text;		/* bytes that are kept of a text */
	bool			skip;		/* events without any of the fields have no key */
	bool			valued;		/* null, and a word without a value, are nothing */
	bool			each;		/* each element of an array has a key */
	bool			steps;		/* numbers count by steps.h */
	bool			bins;		/* parts of the time are counted */
	/* The key's first cell is the time of the event, in steps of so many ns; 0: it isn't. */
	int64_t			every_ns;
	const struct aggregates	*aggregates;	/* borrowed; or NULL */
	struct count_limits	limits;
};

struct counter;

/* The list is borrowed, and must stay. */
struct counter	*counter_new(struct trace *t, const struct field_list *by,
		    const struct count_options *o);
/* An empty one like it, whose parts of the events are then merged into it. Any thread. */
struct counter	*counter_new_part(const struct counter *whole);
void		 counter_free(struct counter *c);
void		 counter_add(struct counter *c, const struct event *e, uint64_t row);
/*
 * Add all events of the trace, or with a filter those that match, from what the index has counted
 * by type. False, and nothing is added: fields or filter do not follow from types alone, or there
 * are aggregates.
 */
bool		 counter_add_index(struct counter *c, struct filter_eval *only);
/* Add what a part has counted. Without aggregates it may also be a counter of its own that was made
   with the same list and options. */
void		 counter_merge(struct counter *into, const struct counter *from);

/* How many keys there are; the counts of one, of all events that were added, of those whose key
   was one too many, and of those without any of the fields (with skip). */
uint32_t		 counter_keys(const struct counter *c);
const struct count	*counter_count(const struct counter *c, uint32_t key);
const struct count	*counter_all(const struct counter *c);
const struct count	*counter_beyond(const struct counter *c);
const struct count	*counter_without(const struct counter *c);
/* Of how many providers the events of each key are, as far as keys follow from types; else 0. Keys
   that were merged from parts are told of, too. counter_keys() numbers. */
void			 counter_providers(const struct counter *c, uint32_t *out);
/* With bins: the key's events by equal part of the time from the first to the last event that was
   added, and of the times that were covered. Half of COUNT_BINS to all of them, or as many as there
   are ticks. How many parts there are. */
unsigned		 counter_bins(const struct counter *c, uint32_t key,
			    uint64_t out[COUNT_BINS]);
/* Let the parts reach over these times, too. */
void			 counter_cover(struct counter *c, int64_t first, int64_t last);
/* How many cells a key has: a time, and the fields. */
size_t			 counter_width(const struct counter *c);
/* The key's cells, which borrow from the counter. False: a text of them is cut. */
bool			 counter_cells(const struct counter *c, uint32_t key, struct cell *cells);
/* An aggregate of a key or of COUNT_BEYOND; CELL_NULL: there is nothing to make it of. Valid until
   the next call. */
void			 counter_aggregate(struct counter *c, uint32_t key,
			    const struct aggregate *a, struct cell *out);
/* What is to be told of an aggregate. */
struct count_remarks {
	uint64_t	sketched;	/* groups whose percentiles are from a sketch */
	uint64_t	capped;		/* groups with more different values than these */
	uint64_t	others;		/* values that are no numbers and were left out */
};
struct count_remarks	 counter_remarks(const struct counter *c, const struct aggregate *a);
/* The keys by events, most first, then by the first of them, then as they came: counter_keys()
   numbers. */
void			 counter_order(const struct counter *c, uint32_t *order);

/*
 * Give the count of each type that has events, with a filter of those whose events match. False,
 * and nothing is given: types alone don't decide.
 */
typedef void	(*count_type_fn)(void *arg, uint32_t type, const struct count *c);
bool		 count_types(struct trace *t, struct filter_eval *only, count_type_fn fn,
		    void *arg);

/* Add an event to a count, or all of another count; a zeroed count is empty. */
void	count_add(struct count *c, const struct event *e);
void	count_merge(struct count *c, const struct count *from);

#endif

/*
 * Pairs of events that begin and end something: a wait, a request, a compilation.
 *
 *	start of thread 7 ------ stop of thread 7	a pair, found by a key
 *	start ---					open: nothing ended it
 *	          ------ stop				orphan: its start is missing
 *
 * A report's record begins with a struct pair. Records are kept in a scratch file, in the order of
 * their first events; a number is that of a record, from 1, and 0 is none. Keys belong to spaces,
 * which the report numbers from 0.
 */
#ifndef ANALYSIS_PAIRS_H
#define ANALYSIS_PAIRS_H

#include "analysis/facts/facts.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/rows.h"
#include "tnav/base/cursor.h"

#define PAIRS_SPACES	8u

struct pair {
	int64_t		start, stop;		/* ns */
	int64_t		nested;			/* ns: see pairs_nest() */
	int64_t		ts;			/* of the first event, to which Enter goes */
	uint64_t	row, off;		/* of it */
	uint32_t	number;			/* its own */
	uint32_t	same;			/* the next one open under the key */
	uint32_t	below, above;		/* neighbours in a nest */
	uint32_t	thread, stop_thread;	/* of the first event; of the stop, or EVENT_NONE */
	bool		chosen;			/* its first event is */
	bool		has_start, has_stop;
	bool		left;			/* what was below it in a nest ended first */
	bool		nests;
};

struct pairs;

/* Records of this size, and so many spaces. */
struct pairs	*pairs_new(size_t size, unsigned spaces);
void		 pairs_free(struct pairs *p);		/* NULL is fine */
/* A new record, otherwise zeroed, for this event. Where there is no room, it is one that is
   forgotten: its number is 0, and no key finds it. */
void		*pairs_add(struct pairs *p, const struct fact *f);
/* Enter a record as the latest one that is open under the key. A stack: those before it become
   the latest again when it is taken. Else they are forgotten, and stay open. */
void		 pairs_enter(struct pairs *p, unsigned space, struct group_key key, void *record,
		    bool stack);
/* The latest open record under the key, or NULL. pairs_take() also closes it. */
void		*pairs_latest(struct pairs *p, unsigned space, struct group_key key);
void		*pairs_take(struct pairs *p, unsigned space, struct group_key key);
/* A queue: enter a record as the last one that is open under the key; take the first one, or NULL.
   Such a space is used with nothing else. */
void		 pairs_append(struct pairs *p, unsigned space, struct group_key key, void *record);
void		*pairs_take_first(struct pairs *p, unsigned space, struct group_key key);
/* Add a record that starts with this event. */
void		*pairs_start(struct pairs *p, const struct fact *f);
/* End a record, or a new orphan where it is NULL. */
void		*pairs_stop(struct pairs *p, const struct fact *f, void *record);

/*
 * A nest is a space by thread of what lies within each other. Put a record that has begun on top of
 * the thread's nest; take it away when it has ended: its time counts as nested in the one below it.
 * Those above it stay in the nest; or they go with it, and may still end; or they have been left,
 * go with it, and are not open under their keys any more.
 */
enum pairs_above { ABOVE_STAYS, ABOVE_GOES, ABOVE_IS_LEFT };

void		 pairs_nest(struct pairs *p, unsigned space, uint32_t thread, void *record);
void		 pairs_unnest(struct pairs *p, unsigned space, uint32_t thread, void *record,
		    enum pairs_above above);
/* The record on top of the thread's nest, or NULL. */
void		*pairs_top(struct pairs *p, unsigned space, uint32_t thread);

uint32_t	 pairs_n(const struct pairs *p);		/* records */
void		*pairs_at(const struct pairs *p, uint32_t number);	/* 0: NULL */
/* The next chosen record after number *i, which becomes its number. NULL: there are no more. */
void		*pairs_next(const struct pairs *p, uint32_t *i);
/* Starts that were not entered for want of room. */
uint64_t	 pairs_beyond(const struct pairs *p, unsigned space);
/* Events for which there was no room; and a remark about them. */
uint64_t	 pairs_dropped(const struct pairs *p);
void		 pairs_remark(const struct pairs *p, struct rows *r);

static inline struct group_key
pair_key(uint64_t a, uint64_t b)
{
	return (struct group_key){ a, b };
}

static inline bool
pair_is_paired(const struct pair *p)
{
	return p->has_start && p->has_stop;
}

static inline struct group_key
pair_key_guid(const uint8_t guid[16])
{
	return (struct group_key){ load_u64le(guid), load_u64le(guid + 8) };
}

int64_t		 pair_dur(const struct pair *p);	/* 0: it is not paired */
int64_t		 pair_self(const struct pair *p);
const char	*pair_state(const struct pair *p);	/* paired, open, left, orphan */

/* Columns for what every pair has; 0: none. */
struct pair_columns {
	unsigned	start, dur, self, tid, row, state;
	unsigned	stop_tid;	/* with it, an orphan has no tid */
	unsigned	gap;
	bool		any_thread;	/* a gap of any thread may explain what is missing */
	bool		doubt;		/* gaps inside of a pair make it doubtful */
};

void		 row_pair(struct rows *r, const struct report_run *run,
		    const struct pair_columns *c, const struct pair *p);

#endif

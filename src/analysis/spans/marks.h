/*
 * Marks: where spans begin and end, as any thread finds them, piece by piece.
 */
#ifndef ANALYSIS_SPANS_MARKS_H
#define ANALYSIS_SPANS_MARKS_H

#include <string.h>

#include "analysis/spans/private.h"
#include "tnav/engine/pass.h"

struct span_mark {
	uint64_t	row;
	int64_t		ts;			/* as in the event, one after the other */
	uint64_t	off;
	union {
		uint64_t	hash;		/* of the key */
		uint64_t	dur;		/* native: it has no key */
		/* is_matched: a start has the index of its stop, which gets the span's number. */
		uint64_t	other;
	};
	uint32_t	key, len;		/* bytes of marks.keys */
	uint32_t	by;			/* likewise */
	uint32_t	by_len;			/* no value: UINT32_MAX */
	uint32_t	thread, name;
	uint8_t		rule;			/* enum span_rule */
	bool		stop, by_thread, chosen, native;
	bool		is_matched, is_void;	/* see balance.h */
	bool		has_related;		/* its related id stands behind the key */
};
_Static_assert(sizeof(struct span_mark) == 64, "a mark is one cache line");

/* Those of a piece, in time order; of one event the stops first. */
struct mark_list {
	struct span_mark	*v;
	size_t			 n, cap;
	struct span_record	*whole;		/* spans whose end is known */
	size_t			 nwhole, whole_cap;
	struct buf		 keys;
};

/* The activity around a span, as its start (related id) or a stop without its own id has it. */
struct around_id {
	bool	has;
	uint8_t	id[16];
};

#define KEY_HEAD	8u			/* bytes: pair and base, before the parts' tags */
#define KEY_ACTIVITY	(KEY_HEAD + 17u)	/* of a key that is an activity */
#define KEY_ID		(KEY_HEAD + 1u)		/* where the activity's id is in it */

void		 span_marks_release(struct mark_list *m);
void		 span_marks_clear(struct mark_list *m);

/* Events of a piece that are fetched before they are needed: they may lie anywhere in its slice. */
#define EVENTS_AHEAD	12u

static inline const struct event *
batch_event(const struct pass_batch *b, uint32_t i)
{
	if (i + EVENTS_AHEAD < b->n) {
		const struct event	*e = &b->ev[b->at[i + EVENTS_AHEAD]];

		/* Both of the cache lines that it lies in. */
		__builtin_prefetch(e);
		__builtin_prefetch((const char *)(e + 1) - 1);
	}
	return &b->ev[b->at[i]];
}

/* Who makes them: any thread, one at a time. */
struct marker {
	struct spans		*s;
	struct field_reader	*reader;
	struct field_reader	*texts;		/* of --by */
	struct filter_eval	*eval;
	struct mark_list	*to;		/* the marks that are made */
	struct buf		 text;
	const struct type_class	**class;	/* by type, as they were asked for */
	size_t			 nclasses;
	uint64_t		 hash;		/* of the key that is made */
	bool			 all;		/* every span is asked for */
};

struct marker	*marker_new(struct spans *s);
void		 marker_free(struct marker *m);		/* NULL is fine */
/* The values of an event's key as a JSON array of texts, of the pair that the name belongs to. */
void		 marker_key_text(struct marker *m, const struct event *e, uint32_t name, bool stop,
		    struct buf *out);
void		 marker_add(struct marker *m, struct mark_list *to, const struct event *e,
		    uint64_t row);

/* Of a key but its texts, and a related id. */
#define KEY_ROOM	(8u + CLASS_PARTS * 24u + 16u)

/* Where neither is set, no format has one; to ask it takes longer. */
static inline bool
may_have_activity(const struct event *e)
{
	return (e->labels | e->activity_back) != 0;
}

#endif
